"""Each kind of database for real: a SQLite file, and a PostgreSQL cluster that the tests start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from crenel.store.database import Database
from crenel.store.games import Games, Progress
from crenel.store.writer import Writer
from tests.store.postgres import REQUIRED, Cluster, find_binaries

Open = Callable[..., Database]
STEP = Progress(
    moves="11-h",
    undone="",
    made=1,
    cost=1,
    cards_up=5,
    standing="playing",
    seconds=1.0,
    light_used=False,
    hint_used=False,
)
"""One move made."""


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """The running cluster."""
    binaries = find_binaries()
    if binaries is None:
        reason = "no PostgreSQL is installed (initdb is neither in PATH nor in /usr/lib/postgresql)"
        if REQUIRED:
            pytest.fail(reason)
        pytest.skip(reason)
    running = Cluster(binaries)
    yield running
    running.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new, empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.sqlite'}"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.new_database()


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens databases and closes them after the test."""
    with ExitStack() as stack:

        def open_database(url: str | None, folder: Path | None = None) -> Database:
            database = Database.open(url, folder)
            stack.callback(database.close)
            return database

        yield open_database


@pytest.fixture
def database(url: str, opened: Open) -> Database:
    """A new database of each kind."""
    return opened(url)


@pytest.fixture
def writer(database: Database) -> Iterator[Writer]:
    """Its writer."""
    running = Writer(database)
    yield running
    running.close()


@pytest.fixture
def games(database: Database, writer: Writer) -> Games:
    """Its games."""
    return Games(database, writer)
