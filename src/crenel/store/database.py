"""The database: found by its URL, brought to the newest version, and spoken to; SQLite or PostgreSQL.

SQLite writes ahead (WAL) and waits for the disk at each commit (``synchronous=FULL``), so what was confirmed survives
a killed process and a power cut. PostgreSQL does both by itself.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Column,
    Connection,
    Engine,
    MetaData,
    String,
    Table,
    create_engine,
    event,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from crenel.rules.reading import one_line
from crenel.store.migrations import REVISIONS
from crenel.store.problems import DatabaseFailed, InvalidDatabase
from crenel.store.schema import VERSION_TABLE

FILE = "crenel.sqlite"
"""The name of the SQLite file in the folder of the user's data."""
_PATIENCE = 20.0
"""Seconds to wait for another process that writes to the same SQLite file."""
_WRITES = "crenel_writes"
"""The execution option of transactions that write."""
_UPGRADE_LOCK = 0x6372656E656C
"""The advisory lock of PostgreSQL under which one process at a time upgrades: the letters of the program's name."""
_SERVER = {
    "connect_timeout": 10,
    # A server that is gone without a word is noticed within a minute, not after hours.
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""What the driver of PostgreSQL is told unless the URL says otherwise."""

_version_table = Table(VERSION_TABLE, MetaData(), Column("version_num", String(32)))


class Database:
    """An open database at the newest version; threads may share it.

    Attributes:
        name: What messages call it; it never holds a password.
    """

    def __init__(self, engine: Engine, name: str, secrets: frozenset[str] = frozenset()) -> None:
        self.name = name
        self._engine = engine
        self._writing = engine.execution_options(**{_WRITES: True})
        self._secrets = secrets

    @classmethod
    def open(cls, url: str | None = None, folder: Path | None = None) -> Database:
        """Opens a database, makes it when it is new, and upgrades it when it is old.

        Args:
            url: ``sqlite:///PATH`` or ``postgresql://USER:PASSWORD@HOST:PORT/NAME``; ``None`` means the SQLite file
                in ``folder``.
            folder: The folder of the user's data; made when it is missing. It is not used when there is a URL.

        Raises:
            InvalidDatabase: when it cannot be opened; the message says why in one sentence, without the password.
        """
        database = _connected_to(_url(url, folder))
        try:
            database._prepare()
        except BaseException:
            database.close()
            raise
        return database

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file of SQLite."""
        return self._engine.dialect.name == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read with, all of it at one moment of the database.

        Raises:
            DatabaseFailed: when the database fails.
        """
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise DatabaseFailed(self.problem("cannot be read", error)) from error

    def writing(self) -> Connection:
        """A new connection whose transactions write; the writer begins, commits and closes."""
        return self._writing.connect()

    def problem(self, what: str, error: BaseException) -> str:
        """One sentence about an error of the database.

        Args:
            what: What went wrong, after the name of the database: ``cannot be read``.
            error: The error; its message is left out when it holds a password.
        """
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        said = " ".join(str(cause).split())
        if any(secret in said for secret in self._secrets):
            said = type(cause).__name__
        return one_line(f"{self.name} {what}: {said}")

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()

    # Opening

    def _prepare(self) -> None:
        try:
            if self.is_sqlite:
                self._write_ahead()
            with self._engine.begin() as connection:
                version = self._version(connection)
            if version != REVISIONS[-1]:
                self._upgrade()
        except SQLAlchemyError as error:
            raise InvalidDatabase(self.problem("cannot be opened", error)) from error
        except (sqlite3.Error, OSError) as error:
            raise InvalidDatabase(self.problem("cannot be opened", error)) from error

    def _write_ahead(self) -> None:
        """Switches a SQLite file to write-ahead logging, which stays so.

        SQLite does not wait by itself here while another process does the same, so this does.
        """
        give_up = time.monotonic() + _PATIENCE
        while True:
            connection = self._engine.raw_connection()
            try:
                connection.cursor().execute("PRAGMA journal_mode=WAL").fetchall()
                return
            except sqlite3.OperationalError as error:
                locked = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
                if not locked or time.monotonic() > give_up:
                    raise
            finally:
                connection.close()
            time.sleep(0.02)

    def _version(self, connection: Connection) -> str | None:
        """The version of the database, ``None`` for a new one.

        Raises:
            InvalidDatabase: when this program does not know it.
        """
        if not inspect(connection).has_table(VERSION_TABLE):
            return None
        version = connection.scalar(select(_version_table.c.version_num))
        if version is not None and version not in REVISIONS:
            raise InvalidDatabase(
                one_line(
                    f"{self.name} was made by a newer version of crenel (its version is {version}, this program "
                    f"knows {REVISIONS[-1]}): update the program"
                )
            )
        return version

    def _upgrade(self) -> None:
        """Makes all missing steps in one transaction, while no other process does."""
        from alembic import command  # slow to import, and seldom needed
        from alembic.config import Config

        with self._writing.begin() as connection, as_file(files("crenel.store") / "migrations") as scripts:
            if not self.is_sqlite:  # SQLite's BEGIN IMMEDIATE has locked the file
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})
            if self._version(connection) == REVISIONS[-1]:
                return  # another process has just done it
            config = Config()
            config.set_main_option("script_location", str(scripts).replace("%", "%%"))
            config.set_main_option("path_separator", "os")
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _url(given: str | None, folder: Path | None) -> URL:
    """The URL of a database, checked.

    Raises:
        InvalidDatabase: when it is none of the two kinds.
    """
    if given is None:
        if folder is None:
            raise InvalidDatabase("there is neither a database URL nor a folder to keep games in")
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidDatabase(one_line(f"cannot make the folder {folder}: {error.strerror}")) from error
        return URL.create("sqlite", database=str(folder / FILE))
    expected = "it must be sqlite:///PATH or postgresql://USER:PASSWORD@HOST:PORT/NAME"
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        # What was given may hold a password, and where it stands in a text that cannot be read is not known.
        raise InvalidDatabase(f"the database URL cannot be read: {expected}") from None
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "sqlite+pysqlite"):
        raise InvalidDatabase(
            one_line(f"a database of the kind {url.drivername} is not supported: {expected}")
        )
    if (
        not url.database
        or url.database == ":memory:"
        or url.database.startswith("file:")
        or url.query
        or url.host
    ):
        raise InvalidDatabase("the database URL of SQLite must name a file and nothing else: sqlite:///PATH")
    return url.set(database=str(Path(url.database).expanduser()))


def _connected_to(url: URL) -> Database:
    """The database of a checked URL, not yet spoken to."""
    if url.drivername.startswith("sqlite"):
        engine = create_engine(url, connect_args={"timeout": _PATIENCE})
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return Database(engine, f"the database {url.database}")
    place = url.host or "the local server"
    secrets = {url.password, url.query.get("password")}
    try:
        engine = create_engine(
            url,
            connect_args={key: value for key, value in _SERVER.items() if key not in url.query},
            pool_pre_ping=True,  # a server that was restarted in between is not noticed by the player
        )
    except ImportError:
        raise InvalidDatabase(
            "PostgreSQL needs a driver that is not installed: pip install 'crenel[postgres]'"
        ) from None
    return Database(
        engine,
        one_line(f"the database {url.database or ''} at {place}"),
        frozenset(secret for secret in secrets if isinstance(secret, str) and secret),
    )


def _set_up_sqlite(connection: Any, _record: object) -> None:
    """What each connection to SQLite must be told."""
    connection.isolation_level = None  # the driver begins no transactions of its own; see _begin_sqlite
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """Begins a transaction; one that writes takes the lock at once, since a reader that turns writer may not wait."""
    writes = connection.get_execution_options().get(_WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
