"""Ctrl-C during a query of DuckDB is the same as anywhere else."""

from __future__ import annotations

import signal
import threading

import duckdb
import pytest

from crenel.cli.options import plain_interrupts


def test_an_interrupted_query_is_an_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt), plain_interrupts():
        raise RuntimeError("Query interrupted")
    with pytest.raises(RuntimeError, match="something else"), plain_interrupts():
        raise RuntimeError("something else")


def test_duckdb_still_says_so() -> None:
    """The words of the library are its own, so they are asked for."""
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt), plain_interrupts():
            duckdb.connect().execute("SELECT count(*) FROM range(10000000000) a, range(1000) b").fetchall()
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
