"""The writer: order, groups, changes that fail alone, a full queue, closing, and databases that fail and come back."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from crenel.store.database import Database
from crenel.store.problems import DatabaseFailed, Overloaded, StoreClosed
from crenel.store.schema import players
from crenel.store.writer import Change, Writer
from tests.store.conftest import Open
from tests.store.postgres import PASSWORD, Cluster


def add(digest: str) -> Change[str]:
    """A change that adds a player."""

    def change(connection: Connection) -> str:
        connection.execute(insert(players).values(token_digest=digest, begun=0.0))
        return digest

    return change


def stored(database: Database) -> list[str]:
    """The players in the order in which they were added."""
    with database.reading() as connection:
        return list(connection.scalars(select(players.c.token_digest).order_by(players.c.id)))


class Gate:
    """Holds the writer up, so that what is submitted meanwhile makes one group."""

    def __init__(self, writer: Writer) -> None:
        self._open = threading.Event()
        entered = threading.Event()

        def change(_: Connection) -> None:
            entered.set()
            self._open.wait(30)

        self.passed = writer.submit(change)
        assert entered.wait(30)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._open.set()
        self.passed.exception(30)


def wait_until(holds: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.01)


def test_changes_are_made_in_their_order(database: Database, writer: Writer) -> None:
    names = [f"player {number}" for number in range(300)]
    futures = [writer.submit(add(name)) for name in names]
    assert [future.result(30) for future in futures] == names
    assert stored(database) == names


def test_a_confirmed_change_is_seen_by_others_at_once(url: str, writer: Writer, opened: Open) -> None:
    other = opened(url)
    for number in range(20):
        writer.submit(add(str(number))).result(30)
        assert len(stored(other)) == number + 1


def test_waiting_changes_share_a_commit(database: Database, writer: Writer) -> None:
    commits: list[object] = []
    event.listen(database._engine, "commit", commits.append)
    with Gate(writer):
        futures = [writer.submit(add(str(number))) for number in range(100)]
        assert not any(future.done() for future in futures)
    for future in futures:
        future.result(30)
    assert len(commits) == 2  # the gate's and the group's


def test_nothing_is_confirmed_before_its_commit(database: Database, writer: Writer) -> None:
    futures: list[Future[str]] = []
    seen: list[bool] = []
    with Gate(writer):
        futures += [writer.submit(add(str(number))) for number in range(5)]
        event.listen(
            database._engine, "commit", lambda _: seen.append(any(future.done() for future in futures))
        )
    assert [future.result(30) for future in futures] == ["0", "1", "2", "3", "4"]
    assert seen == [False, False]  # the gate's commit and the group's


def test_a_group_has_a_limit(database: Database) -> None:
    commits: list[object] = []
    event.listen(database._engine, "commit", commits.append)
    writer = Writer(database, group=10)
    with Gate(writer):
        futures = [writer.submit(add(str(number))) for number in range(25)]
    writer.close()
    assert len(commits) == 1 + 3 and all(future.done() for future in futures)


def test_a_change_that_fails_fails_alone(database: Database, writer: Writer) -> None:
    def raises(connection: Connection) -> None:
        add("half")(connection)
        raise LookupError("on purpose")

    def breaks_a_rule(connection: Connection) -> None:
        add("half")(connection)
        add("first")(connection)

    def speaks_nonsense(connection: Connection) -> None:
        add("half")(connection)
        connection.execute(text("SELECT nonsense FROM nowhere"))

    def goes_on_after_an_error(connection: Connection) -> int:
        """What PostgreSQL does not allow within one savepoint."""
        with contextlib.suppress(IntegrityError):
            add("first")(connection)
        return connection.execute(select(func.count()).select_from(players)).scalar_one()

    with Gate(writer):
        first = writer.submit(add("first"))
        bad: list[Future[None]] = [
            writer.submit(raises),
            writer.submit(breaks_a_rule),
            writer.submit(speaks_nonsense),
        ]
        odd = writer.submit(goes_on_after_an_error)
        last = writer.submit(add("last"))
    assert (first.result(30), last.result(30)) == ("first", "last")
    assert isinstance(bad[0].exception(30), LookupError)
    assert isinstance(bad[1].exception(30), IntegrityError)
    assert bad[2].exception(30) is not None
    assert isinstance(odd.exception(30), DatabaseFailed) if not database.is_sqlite else odd.result(30) == 1
    assert stored(database) == ["first", "last"]


def test_a_cancelled_change_is_not_made(database: Database, writer: Writer) -> None:
    with Gate(writer):
        future = writer.submit(add("cancelled"))
        kept = writer.submit(add("kept"))
        assert future.cancel()
    assert kept.result(30) == "kept"
    with pytest.raises(CancelledError):
        future.result(30)
    assert stored(database) == ["kept"]


def test_a_full_queue_refuses_at_once(database: Database) -> None:
    writer = Writer(database, capacity=3)
    with Gate(writer):
        kept = [writer.submit(add(str(number))) for number in range(3)]
        refused = writer.submit(add("too many"))
        assert isinstance(refused.exception(0), Overloaded)
    assert [future.result(30) for future in kept] == ["0", "1", "2"]
    assert writer.submit(add("later")).result(30) == "later"
    writer.close()


def test_closing_makes_what_waits(database: Database) -> None:
    writer = Writer(database, group=7)
    with Gate(writer):
        futures = [writer.submit(add(str(number))) for number in range(50)]
        closing = threading.Thread(target=writer.close)
        closing.start()
        wait_until(lambda: writer.submit(add("late")).done())
    closing.join(30)
    assert [future.result(0) for future in futures] == stored(database)
    assert isinstance(writer.submit(add("later")).exception(0), StoreClosed)
    writer.close()
    assert len(stored(database)) == 50


def test_submitting_from_many_threads(database: Database, writer: Writer) -> None:
    names = [[f"{thread}-{number}" for number in range(20)] for thread in range(10)]

    def work(own: list[str]) -> None:
        for name in own:
            assert writer.submit(add(name)).result(30) == name

    threads = [threading.Thread(target=work, args=[own]) for own in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    found = stored(database)
    assert sorted(found) == sorted(name for own in names for name in own)
    for own in names:
        assert [name for name in found if name in own] == own


# Databases that fail


def test_sqlite_locked_by_another_program(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crenel.store.database._PATIENCE", 0.3)
    database = opened(None, tmp_path)
    writer = Writer(database)
    (path,) = tmp_path.glob("*.sqlite")
    other = sqlite3.connect(path, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        futures = [writer.submit(add(str(number))) for number in range(20)]
        for future in futures:
            problem = future.exception(30)
            assert (
                isinstance(problem, DatabaseFailed) and "locked" in str(problem) and str(path) in str(problem)
            )
        other.execute("ROLLBACK")
        assert writer.submit(add("later")).result(30) == "later"
    finally:
        other.close()
        writer.close()
    assert stored(database) == ["later"]


def test_a_full_disk_of_sqlite_fails_only_what_needs_room(tmp_path: Path, opened: Open) -> None:
    """SQLite takes the whole transaction back then; the changes beside the large one must survive that."""
    database = opened(None, tmp_path)
    pages = 60

    @event.listens_for(database._engine, "begin")
    def _limit(connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")

    def large(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE large AS SELECT zeroblob(4000000) AS x"))

    writer = Writer(database)
    with Gate(writer):
        before = [writer.submit(add(f"before {number}")) for number in range(3)]
        full = writer.submit(large)
        after = [writer.submit(add(f"after {number}")) for number in range(3)]
    names = [future.result(30) for future in before + after]
    problem = full.exception(30)
    assert isinstance(problem, DatabaseFailed) and "full" in str(problem)
    assert stored(database) == names
    pages = 10_000
    assert writer.submit(large).exception(30) is None
    writer.close()


def test_a_connection_that_breaks_in_a_group_costs_nothing(cluster: Cluster, opened: Open) -> None:
    """The change that breaks it fails; the others are made on a new connection."""
    database = opened(cluster.new_database())
    writer = Writer(database)

    def suicide(connection: Connection) -> None:
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    with Gate(writer):
        before = writer.submit(add("before"))
        broken = writer.submit(suicide)
        after = writer.submit(add("after"))
    assert before.result(30) == "before" and after.result(30) == "after"
    assert isinstance(broken.exception(30), DatabaseFailed)
    assert stored(database) == ["before", "after"]
    writer.close()


def test_two_processes_that_wait_for_each_other(cluster: Cluster, opened: Open) -> None:
    """Two groups take the same two rows in opposite orders; the server breaks one off, and all changes are made."""
    url = cluster.new_database()
    writers = [Writer(opened(url)), Writer(opened(url))]
    for name in ("a", "b"):
        writers[0].submit(add(name)).result(30)
    took_one = [threading.Event(), threading.Event()]

    def step(writer: int, name: str) -> Change[int]:
        def change(connection: Connection) -> int:
            statement = (
                update(players).where(players.c.token_digest == name).values(begun=players.c.begun + 1)
            )
            count = connection.execute(statement).rowcount
            took_one[writer].set()
            took_one[1 - writer].wait(30)
            return count

        return change

    with Gate(writers[0]), Gate(writers[1]):
        futures = [writers[0].submit(step(0, name)) for name in "ab"]
        futures += [writers[1].submit(step(1, name)) for name in "ba"]
    assert [future.result(60) for future in futures] == [1, 1, 1, 1]
    with opened(url).reading() as connection:
        assert list(connection.scalars(select(players.c.begun))) == [2.0, 2.0]
    for writer in writers:
        writer.close()


@pytest.fixture
def restarted(cluster: Cluster) -> Iterator[Cluster]:
    """The cluster for a test that stops it; it runs again afterwards."""
    yield cluster
    try:
        cluster.connect().close()
    except Exception:
        cluster.start()


def test_a_server_that_stops_and_comes_back(restarted: Cluster, opened: Open) -> None:
    database = opened(restarted.new_database())
    writer = Writer(database)
    assert writer.submit(add("before")).result(30) == "before"
    restarted.stop()
    waiting = [writer.submit(add(f"lost {number}")) for number in range(20)]
    for future in waiting:
        problem = future.exception(30)
        assert isinstance(problem, DatabaseFailed) and PASSWORD not in str(problem)
        assert "nothing was saved" in str(problem) and "127.0.0.1" in str(problem)
    with pytest.raises(DatabaseFailed, match="cannot be read"):
        stored(database)
    restarted.start()
    assert writer.submit(add("after")).result(30) == "after"
    assert stored(database) == ["before", "after"]
    writer.close()


def test_a_server_that_stops_at_the_commit(restarted: Cluster, opened: Open) -> None:
    """Whether the change was kept cannot be known then, and the message says so."""
    database = opened(restarted.new_database())
    writer = Writer(database)

    def last_words(connection: Connection) -> None:
        add("uncertain")(connection)
        event.listen(connection, "commit", lambda _: restarted.stop())

    problem = writer.submit(last_words).exception(60)
    assert isinstance(problem, DatabaseFailed) and "not known whether the change was kept" in str(problem)
    restarted.start()
    assert writer.submit(add("after")).result(30) == "after"
    assert stored(database) == ["after"]
    writer.close()


def test_a_server_that_was_restarted_in_between_is_not_noticed(restarted: Cluster, opened: Open) -> None:
    database = opened(restarted.new_database())
    writer = Writer(database)
    assert writer.submit(add("before")).result(30) == "before"
    assert stored(database) == ["before"]
    restarted.stop()
    restarted.start()
    assert stored(database) == ["before"]
    assert writer.submit(add("after")).result(30) == "after"
    writer.close()
