"""A server for the tests of a module, with a scripted solver."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crenel.solver.result import Verdict
from tests.store.postgres import REQUIRED, Cluster, find_binaries
from tests.web.scripted import ScriptedAnalysis
from tests.web.serving import Served, Tab, new_token, served


@pytest.fixture(scope="module")
def _served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture
def solver(_served: Served) -> ScriptedAnalysis:
    """The solver of the server, which calls everything winnable at once unless a test says otherwise."""
    solver = _served.analysis
    assert isinstance(solver, ScriptedAnalysis)
    solver.verdict_of = lambda position: Verdict.WINNABLE
    solver.best = lambda position: ()
    solver.delay = 0.0
    solver.is_ready = True
    solver.asked.clear()
    solver.cancelled = 0
    return solver


@pytest.fixture
def server(_served: Served, solver: ScriptedAnalysis) -> Served:
    """The server."""
    return _served


@pytest.fixture
def token() -> str:
    """The token of a new player."""
    return new_token()


@pytest.fixture
def tab(server: Served, token: str) -> Iterator[Tab]:
    """A tab of a new player."""
    with server.tab(token) as opened:
        yield opened


@pytest.fixture(scope="module")
def on_postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that keeps its games in a PostgreSQL of its own."""
    binaries = find_binaries()
    if binaries is None:
        assert not REQUIRED, "no PostgreSQL is installed"
        pytest.skip("no PostgreSQL is installed")
    cluster = Cluster(binaries)
    try:
        with served(tmp_path_factory.mktemp("data"), url=cluster.new_database()) as running:
            yield running
    finally:
        cluster.remove()
