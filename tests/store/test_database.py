"""Opening: new, old, newer, wrong and unreachable databases, alone and by several processes at once."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

import crenel.store.migrations
from crenel.store.database import FILE, Database
from crenel.store.migrations import REVISIONS
from crenel.store.problems import InvalidDatabase
from crenel.store.schema import VERSION_TABLE, metadata
from tests.store.conftest import Open
from tests.store.postgres import PASSWORD, Cluster

RACE = """
import sys
from crenel.store.database import Database
print("ready", flush=True)
sys.stdin.readline()
database = Database.open(sys.argv[1])
with database.reading() as connection:
    print(connection.exec_driver_sql("SELECT count(*) FROM games").scalar_one())
database.close()
"""
SECOND = """
import sys
from crenel.store.database import Database
Database.open(sys.argv[1]).close()
print(sorted(name for name in sys.modules if name.split(".")[0] in ("alembic", "mako")))
"""


def run(program: str, url: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def revisions() -> list[str]:
    config = Config()
    config.set_main_option("script_location", str(Path(crenel.store.migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    return [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()][::-1]


def refusal(url: str | None, folder: Path | None = None) -> str:
    """The sentence with which a database is refused."""
    with pytest.raises(InvalidDatabase) as caught:
        Database.open(url, folder).close()
    message = str(caught.value)
    assert message and "\n" not in message and len(message) < 700
    assert PASSWORD not in message
    return message


# New and up to date


def test_the_known_versions_are_the_steps() -> None:
    assert list(REVISIONS) == revisions()


def test_the_steps_make_what_the_program_expects(database: Database) -> None:
    with database.reading() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table": VERSION_TABLE, "compare_server_default": True}
        )
        assert compare_metadata(context, metadata) == []
        found = inspect(connection)
        assert {*found.get_table_names()} == {*metadata.tables, VERSION_TABLE}
        # What the comparison does not look at: names of keys, and what becomes of a deleted player's games.
        for table in metadata.sorted_tables:
            assert found.get_pk_constraint(table.name)["name"] == f"pk_{table.name}"
        (key,) = found.get_foreign_keys("games")
        assert key["name"] == "fk_games_player" and key["options"] == {"ondelete": "CASCADE"}


def test_an_up_to_date_database_is_opened_without_alembic(url: str, database: Database) -> None:
    out, err = run(SECOND, url).communicate(timeout=60)
    assert (out, err) == ("[]\n", "")


def test_processes_that_open_a_new_database_at_once_all_succeed(url: str) -> None:
    processes = [run(RACE, url) for _ in range(4)]
    for process in processes:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.communicate(timeout=60) for process in processes] == [("0\n", "")] * 4


def test_without_a_url_the_file_lies_in_the_folder(tmp_path: Path, opened: Open) -> None:
    folder = tmp_path / "not yet" / "there"
    database = opened(None, folder)
    assert database.is_sqlite and (folder / FILE).is_file()
    assert str(folder / FILE) in database.name
    assert {path.name.partition("-")[0] for path in folder.iterdir()} == {FILE}  # no settings of alembic


def test_a_folder_with_odd_characters(tmp_path: Path, opened: Open) -> None:
    opened(None, tmp_path / "a %(here)s 100% ?x=1#é").close()


def test_sqlite_waits_for_the_disk_and_writes_ahead(tmp_path: Path, opened: Open) -> None:
    with opened(None, tmp_path).reading() as connection:
        values = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert values == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 20_000}


def test_a_step_that_fails_leaves_nothing_behind(
    url: str, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transaction holds all of an upgrade, in SQLite too; the next attempt starts from the same place."""

    def upgrade(config: Config, _revision: str) -> None:
        connection = config.attributes["connection"]
        connection.execute(text("CREATE TABLE half (x INTEGER)"))
        connection.execute(text("SELECT * FROM missing"))

    with monkeypatch.context() as patch:
        patch.setattr("alembic.command.upgrade", upgrade)
        assert "missing" in refusal(url)
    with opened(url).reading() as connection:
        assert "half" not in inspect(connection).get_table_names()


# Refused


def test_a_newer_database_is_refused_and_left_alone(url: str, database: Database) -> None:
    with database.writing() as connection, connection.begin():
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    message = refusal(url)
    assert "newer version of crenel" in message and "9999" in message and "update the program" in message
    with database.reading() as connection:
        assert connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}")) == "9999"


@pytest.mark.parametrize(
    ("url", "culprit"),
    [
        ("", "cannot be read"),
        ("games.sqlite", "cannot be read"),
        ("postgresql://crenel:secret@host:port/name", "cannot be read"),
        ("mysql://crenel:secret@host/name", "mysql"),
        ("postgresql+asyncpg://crenel:secret@host/name", "postgresql+asyncpg"),
        ("sqlite://", "must name a file"),
        ("sqlite:///:memory:", "must name a file"),
        ("sqlite:///file:games.sqlite?uri=true", "must name a file"),
        ("sqlite:///games.sqlite?mode=ro", "must name a file"),
        ("sqlite://secret/games.sqlite", "must name a file"),
    ],
)
def test_urls_that_are_refused(url: str, culprit: str) -> None:
    message = refusal(url)
    assert culprit in message and "secret" not in message


def test_neither_url_nor_folder() -> None:
    assert "neither" in refusal(None)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert str(tmp_path / "file") in refusal(None, tmp_path / "file" / "folder")


def test_a_path_that_is_a_folder_or_leads_nowhere(tmp_path: Path) -> None:
    assert str(tmp_path) in refusal(f"sqlite:///{tmp_path}")
    assert "nowhere" in refusal(f"sqlite:///{tmp_path}/nowhere/games.sqlite")


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear reader, this is not a database at all. " * 50)
    message = refusal(f"sqlite:///{path}")
    assert str(path) in message and "not a database" in message
    assert path.read_text().startswith("Dear reader")


def test_a_file_that_another_process_keeps_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crenel.store.database._PATIENCE", 0.2)
    path = tmp_path / "games.sqlite"
    other = sqlite3.connect(path, isolation_level=None)
    try:
        other.execute("BEGIN EXCLUSIVE")
        assert "locked" in refusal(f"sqlite:///{path}")
    finally:
        other.close()


def test_a_missing_driver_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    message = refusal("postgresql://crenel:secret@localhost/name")
    assert "crenel[postgres]" in message and "secret" not in message


@pytest.mark.parametrize("query", ["", "?password=secret"])
def test_an_unreachable_server(query: str) -> None:
    message = refusal(f"postgresql://crenel:secret@127.0.0.1:1/name{query}")
    assert "name at 127.0.0.1" in message and "secret" not in message


def test_a_wrong_password(cluster: Cluster) -> None:
    message = refusal(cluster.url("postgres", password="guessed"))
    assert "authentication failed" in message and "guessed" not in message


def test_a_message_that_holds_the_password_is_left_out(cluster: Cluster, opened: Open) -> None:
    database = opened(cluster.new_database())
    assert database.problem("fails", OSError(f"no entry for {PASSWORD} here")).endswith("fails: OSError")
    assert database.problem("fails", OSError("no entry")).endswith("fails: no entry")


def test_an_unknown_database_and_an_unknown_option(cluster: Cluster) -> None:
    assert "nowhere" in refusal(cluster.url("nowhere"))
    assert "colour" in refusal(cluster.url("postgres") + "?colour=green")


def test_other_names_of_postgresql(cluster: Cluster, opened: Open) -> None:
    url = cluster.new_database()
    for name in ("postgres", "postgresql", "postgresql+psycopg"):
        database = opened(url.replace("postgresql", name, 1))
        assert not database.is_sqlite and PASSWORD not in database.name
