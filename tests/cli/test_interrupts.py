"""Ctrl-C during a query of DuckDB is the same as anywhere else; ``test_surveying`` presses it for real."""

from __future__ import annotations

import pytest

from crenel.cli.options import plain_interrupts


def test_an_interrupted_query_is_an_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt), plain_interrupts():
        raise RuntimeError("Query interrupted")
    with pytest.raises(RuntimeError, match="something else"), plain_interrupts():
        raise RuntimeError("something else")
