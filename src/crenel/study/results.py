"""Result files of a survey: a folder of Parquet files, one per chunk, that say of themselves what they hold.

The rows are those of ``work.Row`` (its ``limit`` is called ``limit_hit`` here, since LIMIT is a word of SQL). The
metadata of each file holds the game with all its rules, the limits, which deals it holds, and with what it was made. A
file appears whole or not at all, and is never changed. DuckDB writes and reads them.
"""

from __future__ import annotations

import glob
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, astuple, dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from crenel.rules.game import Game, rule_text
from crenel.rules.reading import one_line
from crenel.solver.result import Limit
from crenel.study.executors import MissingPackage
from crenel.study.playing import Playing
from crenel.study.work import Chunk, Made, Row

if TYPE_CHECKING:
    import duckdb

_FORMAT = "1"
_PREFIX = "crenel."
"""Before the keys of the metadata, which others may add to."""
_ENDING, _UNFINISHED, _LOCK = ".parquet", ".unfinished", "lock"
_FIELDS = (
    ("deal", "VARCHAR"),
    ("verdict", "VARCHAR"),
    ("limit_hit", "VARCHAR"),
    ("cost", "INTEGER"),
    ("tableau_moves", "INTEGER"),
    ("foundation_moves", "INTEGER"),
    ("redeals", "INTEGER"),
    ("states", "BIGINT"),
    ("seconds", "DOUBLE"),
    ("reason", "VARCHAR"),
)
_PLAYED_FIELDS = (*_FIELDS, ("games", "INTEGER"), ("wins", "INTEGER"))


class ForeignResults(ValueError):
    """A folder that holds the results of another survey; the message names the difference."""


class UnreadableResults(ValueError):
    """A result file that cannot be read, or files that contradict each other; the message names them."""


class BusyFolder(ValueError):
    """A folder that another survey is writing to."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What all files of a folder have in common.

    Attributes:
        game: The id of the game.
        title: Its title.
        rules: All rule values as text, by their dotted names.
        limits: The limits of each deal by name; ``None`` where there is none.
        boards: A digest of the file of boards that the deals come from; empty for numbered deals.
        playing: Who played the deals, and how often; ``None`` where they were solved.
    """

    game: str
    title: str
    rules: dict[str, str]
    limits: dict[str, int | float | None]
    boards: str = ""
    playing: Playing | None = None

    def difference(self, other: Terms) -> str | None:
        """How the other survey differs from this one, such as ``of the game cruel, not of fortress``; else ``None``."""
        if self.game != other.game:
            return f"of the game {self.game}, not of {other.game}"
        for key, value in self.rules.items():
            if other.rules.get(key) != value:
                return f"with the rule {key}={value}, not with {key}={other.rules.get(key)}"
        if self.playing != other.playing:
            return f"of {_who(self.playing)}, not of {_who(other.playing)}"
        for key, limit in self.limits.items():
            if other.limits.get(key) != limit:
                return f"with {_limit_words(key, limit)}, not with {_limit_words(key, other.limits.get(key))}"
        if self.boards != other.boards:
            return f"of {_source_words(self.boards)}, not of {_source_words(other.boards, 'another')}"
        return None


def make_terms(game: Game, limit: Limit, boards: str = "", playing: Playing | None = None) -> Terms:
    """The terms of a survey.

    Args:
        game: The game.
        limit: For each deal.
        boards: A digest of the file of boards, or nothing for numbered deals.
        playing: Who plays the deals, and how often; ``None`` where they are solved.
    """
    rules = {key: rule_text(value) for key, value in game.rules().items()}
    limits = {"states": limit.states, "seconds": limit.seconds, "memory": limit.memory}
    return Terms(game.id, game.title, rules, limits, boards, playing)


def _who(playing: Playing | None) -> str:
    return "the solver" if playing is None else f"a player ({playing})"


def _limit_words(key: str, limit: float | None) -> str:
    what = {"states": "positions", "seconds": "seconds", "memory": "bytes of memory"}.get(key, key)
    return f"no limit of {what}" if limit is None else f"a limit of {limit:,} {what}"


def _source_words(boards: str, which: str = "one") -> str:
    return f"the boards of {which} file" if boards else "numbered deals"


@dataclass(frozen=True, slots=True)
class Shard:
    """One result file.

    Attributes:
        path: The file.
        chunk: The deals that it holds.
        terms: What it shares with its neighbours.
        made: With what it was made.
    """

    path: Path
    chunk: Chunk
    terms: Terms
    made: Made


# Reading


def connect() -> duckdb.DuckDBPyConnection:
    """A database in memory that reads and writes result files.

    Raises:
        MissingPackage: when DuckDB is not installed.
    """
    try:
        import duckdb
    except ImportError:
        raise MissingPackage("result files need DuckDB: pip install 'crenel[study]'") from None
    return duckdb.connect(":memory:", config={"threads": 1})


def read_shards(database: duckdb.DuckDBPyConnection, folder: Path) -> list[Shard]:
    """The result files of a folder, by scheme and number; together they hold no deal twice.

    Raises:
        UnreadableResults: when a file is damaged, is none of ours, or holds a deal that another one holds, too.
    """
    names = sorted(name for name in os.listdir(folder) if name.endswith(_ENDING))
    paths = [folder / name for name in names]
    if not paths:
        return []
    entries = _metadata(database, paths)
    counts = {
        Path(path): rows
        for path, rows in database.execute(
            "SELECT file_name, num_rows FROM parquet_file_metadata(?)", [_globs(paths)]
        ).fetchall()
    }
    shards = [_shard(path, entries.get(path, {}), counts[path]) for path in paths]
    shards.sort(key=lambda shard: (shard.chunk.scheme, shard.chunk.first))
    for one, next_one in pairwise(shards):
        if one.chunk.scheme == next_one.chunk.scheme and next_one.chunk.first <= one.chunk.last:
            deal = f"{next_one.chunk.scheme}:{next_one.chunk.first}"
            raise UnreadableResults(
                f"{one.path} and {next_one.path} both hold the deal {deal}; remove one of them"
            )
    return shards


def _globs(paths: Iterable[Path]) -> list[str]:
    """Names as DuckDB takes them: an asterisk in the name of a folder is just that."""
    return [glob.escape(str(path)) for path in paths]


def _metadata(database: duckdb.DuckDBPyConnection, paths: Sequence[Path]) -> dict[Path, dict[str, str]]:
    """Our entries of the metadata of each file."""
    import duckdb

    query = "SELECT file_name, decode(key), decode(value) FROM parquet_kv_metadata(?)"
    try:
        found = database.execute(query, [_globs(paths)]).fetchall()
    except duckdb.Error:
        for path in paths:  # which one is it?
            try:
                database.execute(query, [_globs([path])]).fetchall()
            except duckdb.Error as error:
                problem = one_line(str(error).partition("\n")[0])
                raise UnreadableResults(f"{path} is no readable result file ({problem})") from None
        raise
    entries: dict[Path, dict[str, str]] = {}
    for path, key, value in found:
        if key.startswith(_PREFIX):
            entries.setdefault(Path(path), {})[key.removeprefix(_PREFIX)] = value
    return entries


def _shard(path: Path, entries: dict[str, str], rows: int) -> Shard:
    if "format" not in entries:
        raise UnreadableResults(f"{path} is not a result file of a survey")
    if entries["format"] != _FORMAT:
        raise UnreadableResults(
            f"{path} has the format {entries['format']} of another version of crenel, not {_FORMAT}"
        )
    try:
        chunk = Chunk(entries["scheme"], int(entries["first"]), int(entries["last"]))
        terms = Terms(
            entries["game"],
            entries["title"],
            json.loads(entries["rules"]),
            json.loads(entries["limits"]),
            entries["boards"],
            Playing(**json.loads(entries["playing"])) if "playing" in entries else None,
        )
        made = Made(entries["version"], entries["solver"], entries["machine"])
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableResults(f"{path} does not say properly what it holds ({error})") from None
    if rows != len(chunk):
        raise UnreadableResults(f"{path} holds {rows:,} rows for the {len(chunk):,} deals {chunk}")
    return Shard(path, chunk, terms, made)


def file_names(shards: Iterable[Shard]) -> list[str]:
    """The files as DuckDB's ``read_parquet`` takes them."""
    return _globs(shard.path for shard in shards)


# Writing


class ResultFolder:
    """A folder that a survey writes its result files to; one survey at a time (see :func:`open_results`)."""

    def __init__(self, folder: Path, terms: Terms, database: duckdb.DuckDBPyConnection) -> None:
        self.folder = folder
        self.terms = terms
        self._database = database
        self._fields = _FIELDS if terms.playing is None else _PLAYED_FIELDS
        self._shards = read_shards(database, folder)
        for shard in self._shards:
            difference = shard.terms.difference(terms)
            if difference is not None:
                raise ForeignResults(f"the folder {folder} holds results {difference}")

    def done(self, wanted: Chunk) -> list[Chunk]:
        """The deals among the wanted ones that are done, as chunks in the order of their numbers."""
        parts = (shard.chunk.common(wanted) for shard in self._shards)
        return [part for part in parts if part is not None]

    def rows(self, wanted: Chunk) -> Iterator[Row]:
        """The rows that are done among the wanted deals."""
        shards = [shard for shard in self._shards if shard.chunk.common(wanted) is not None]
        if not shards:
            return
        names = ", ".join(name for name, _ in self._fields)
        found = self._database.execute(f"SELECT {names} FROM read_parquet(?)", [file_names(shards)])
        while rows := found.fetchmany(10_000):
            for values in rows:
                row = Row(*values)
                if wanted.first <= int(row.deal.partition(":")[2]) <= wanted.last:
                    yield row

    def write(self, chunk: Chunk, rows: Sequence[Row], made: Made) -> Path:
        """Writes the file of a chunk; it is there, whole, when this returns, and absent when it fails.

        Args:
            chunk: The deals.
            rows: One for each of them, in their order.
            made: With what they were made.
        """
        if [row.deal for row in rows] != chunk.names:
            raise ValueError(f"the rows are not those of {chunk}")
        path = self.folder / f"{chunk.scheme}-{chunk.first}-{chunk.last}{_ENDING}"
        unfinished = path.with_suffix(_UNFINISHED)
        try:
            self._copy(unfinished, rows, self._entries(chunk, made))
            _sync(unfinished)
            os.replace(unfinished, path)
            _sync(self.folder)
        finally:
            with suppress(OSError):
                unfinished.unlink()
        self._shards.append(Shard(path, chunk, self.terms, made))
        return path

    def _entries(self, chunk: Chunk, made: Made) -> dict[str, str]:
        entries = {
            "format": _FORMAT,
            "game": self.terms.game,
            "title": self.terms.title,
            "rules": json.dumps(self.terms.rules),
            "limits": json.dumps(self.terms.limits),
            "boards": self.terms.boards,
            "scheme": chunk.scheme,
            "first": str(chunk.first),
            "last": str(chunk.last),
            "version": made.version,
            "solver": made.solver,
            "machine": made.machine,
        }
        if self.terms.playing is not None:
            entries["playing"] = json.dumps(asdict(self.terms.playing))
        return entries

    def _copy(self, path: Path, rows: Sequence[Row], entries: dict[str, str]) -> None:
        values = list(zip(*map(astuple, rows), strict=True))[: len(self._fields)]
        selected = ", ".join(f"unnest(?::{kind}[]) AS {name}" for name, kind in self._fields)
        self._database.execute(
            f"CREATE OR REPLACE TEMP TABLE rows AS SELECT {selected}", [list(v) for v in values]
        )
        told = ", ".join(f"{_text(_PREFIX + key)}: {_text(value)}" for key, value in entries.items())
        self._database.execute(
            f"COPY rows TO {_text(str(path))} (FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{told}}})"
        )


def _text(value: str) -> str:
    """A text in SQL."""
    return "'" + value.replace("'", "''") + "'"


def _sync(path: Path) -> None:
    """Makes sure that a file, or the names in a folder, survive a loss of power."""
    if path.is_dir() and os.name == "nt":  # folders cannot be opened there
        return
    handle = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def open_results(folder: Path, terms: Terms) -> Iterator[ResultFolder]:
    """A folder for the results of a survey, made when it is not there, for the length of a ``with``.

    Args:
        folder: The folder.
        terms: What it may hold.

    Raises:
        ForeignResults: when it holds results of another game, other rules, limits or boards.
        UnreadableResults: when a file in it is damaged.
        BusyFolder: when another survey is writing to it.
        MissingPackage: when DuckDB is not installed.
    """
    database = connect()
    folder.mkdir(parents=True, exist_ok=True)
    with database, _locked(folder):
        for left_over in folder.glob(f"*{_UNFINISHED}"):  # of a survey that was killed
            left_over.unlink()
        yield ResultFolder(folder, terms, database)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keeps other surveys out of a folder. SQLite's lock works on every system and ends with the process."""
    lock = sqlite3.connect(folder / _LOCK, timeout=0, isolation_level=None)
    try:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            raise BusyFolder(f"another survey is writing to the folder {folder}") from None
        except sqlite3.DatabaseError:
            raise UnreadableResults(f"{folder / _LOCK} is not the lock of a survey") from None
        yield
    finally:
        lock.close()
