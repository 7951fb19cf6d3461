"""What the result files of surveys say: figures per survey, and surveys compared on the deals that they share.

DuckDB reads the Parquet files where they lie. ``tables`` and ``plots`` make the figures readable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crenel.study.playing import Playing
from crenel.study.results import Shard, Terms, UnreadableResults, connect, file_names, read_shards
from crenel.study.statistics import Interval, mcnemar, paired_difference, wilson, wilson_of_means
from crenel.study.work import Chunk, Made

if TYPE_CHECKING:
    import duckdb

_CURVE_STEPS = 1000
_MEASURES = {
    "states": "TRUE",
    "seconds": "TRUE",
    "cost": "verdict = 'winnable'",
    "redeals": "verdict = 'winnable'",
}
"""The measured quantities by name, and for which deals they are known."""


class NoResults(ValueError):
    """A folder without result files."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How a quantity is spread over the deals for which it is known.

    Attributes:
        deals: How many these are; the rest is ``None`` when there are none.
        least, quarter, median, three_quarters, p99, most: Quantiles (with interpolation between neighbours).
        mean, total: Mean and sum.
    """

    deals: int
    least: float | None
    quarter: float | None
    median: float | None
    three_quarters: float | None
    p99: float | None
    most: float | None
    mean: float | None
    total: float | None


@dataclass(frozen=True, slots=True)
class Share:
    """A share of the deals with its 95 % Wilson interval."""

    share: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Played:
    """What a simulated player did in a survey.

    Attributes:
        playing: Who played, and how often.
        games, wins: All games, and how many were won.
        share: The share won, with the interval between deals (the games of one deal are not independent).
    """

    playing: Playing
    games: int
    wins: int
    share: Share


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one survey.

    Attributes:
        label: The title of the game, with the player where one played, and with the folder where several surveys
            would be called the same.
        title: The title of the game alone.
        folder: Where the files lie.
        game: The id of the game.
        rules: All rule values as text.
        ranges: The deals, such as ``ms:1-1000``.
        deals, winnable, unwinnable, undecided: Counts.
        share: The share winnable with the undecided counted as unwinnable.
        share_with_undecided: The share with the undecided counted as winnable.
        spreads: By quantity: positions visited and processor seconds of all deals, cost and redeals of the first
            wins.
        slowest: The deal that took most processor time.
        costs, redeals: How many first wins have that cost and so many redeals.
        reasons: How many unwinnable deals have that kind of reason.
        limits: How many undecided deals ran into that limit.
        terms: The limits of the survey by name.
        made: With what the results were made; several when that changed on the way.
        played: The games of a simulated player; ``None`` where the deals were solved.
        curves: Of positions and seconds the quantiles in steps of a thousandth, from the least to the most.
    """

    label: str
    title: str
    folder: str
    game: str
    rules: dict[str, str]
    ranges: tuple[str, ...]
    deals: int
    winnable: int
    unwinnable: int
    undecided: int
    share: Share
    share_with_undecided: Share
    spreads: dict[str, Spread]
    slowest: str
    costs: dict[int, int]
    redeals: dict[int, int]
    reasons: dict[str, int]
    limits: dict[str, int]
    terms: dict[str, int | float | None]
    made: tuple[Made, ...]
    played: Played | None
    curves: dict[str, tuple[float, ...]]

    @property
    def rate(self) -> float | None:
        """Deals per processor second."""
        seconds = self.spreads["seconds"].total
        return self.deals / seconds if seconds else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two surveys on the deals that both have decided.

    Attributes:
        first, second: The labels of the surveys.
        both, only_first, only_second, neither: Counts of winnable deals.
        left_out: Deals in both surveys that one of them could not decide.
        difference: Share winnable of the first less that of the second.
        interval: The 95 % interval of the difference.
        chance: The exact two-sided probability of McNemar's test.
    """

    first: str
    second: str
    both: int
    only_first: int
    only_second: int
    neither: int
    left_out: int
    difference: float
    interval: Interval
    chance: float

    @property
    def deals(self) -> int:
        """The deals that both surveys have decided."""
        return self.both + self.only_first + self.only_second + self.neither


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of some surveys, in the order in which they were asked for, and each pair compared."""

    surveys: tuple[Figures, ...]
    comparisons: tuple[Comparison, ...]

    def as_json(self) -> dict[str, Any]:
        """Everything but the curves, as JSON has it."""
        surveys = []
        for figures in self.surveys:
            data = asdict(figures)
            del data["curves"]
            data["deals_per_second"] = figures.rate
            surveys.append(data)
        pairs = [{**asdict(pair), "deals": pair.deals} for pair in self.comparisons]
        return {"surveys": surveys, "comparisons": pairs}


def read_report(folders: Sequence[Path]) -> Report:
    """Reads the result files in some folders.

    Args:
        folders: Each holds the files of one survey.

    Raises:
        NoResults: when a folder is not there or holds no result files.
        UnreadableResults: when files are damaged or do not belong together.
        MissingPackage: when DuckDB is not installed.
    """
    with connect() as database:
        shards = [read_folder(database, folder) for folder in folders]
        surveys = _surveys(database, folders, shards)
        pairs = []
        solved = [
            (figures.label, files)
            for figures, files in zip(surveys, shards, strict=True)
            if figures.played is None
        ]
        for (first, of_first), (second, of_second) in combinations(solved, 2):
            if of_first[0].terms.boards == of_second[0].terms.boards:
                pairs.append(_comparison(database, first, of_first, second, of_second))
    return Report(surveys, tuple(pair for pair in pairs if pair is not None))


def read_figures(folders: Sequence[Path]) -> tuple[Figures, ...]:
    """The figures of some folders, as :func:`read_report` reads them, without comparing them."""
    with connect() as database:
        return _surveys(database, folders, [read_folder(database, folder) for folder in folders])


def _surveys(
    database: duckdb.DuckDBPyConnection, folders: Sequence[Path], shards: Sequence[list[Shard]]
) -> tuple[Figures, ...]:
    names = [_name(files[0].terms) for files in shards]
    labels = [
        name if names.count(name) == 1 else f"{name} ({folder})"
        for name, folder in zip(names, folders, strict=True)
    ]
    return tuple(
        _figures(database, files, label, folder)
        for files, label, folder in zip(shards, labels, folders, strict=True)
    )


def _name(terms: Terms) -> str:
    return terms.title if terms.playing is None else f"{terms.title}, {terms.playing.player}"


def read_folder(database: duckdb.DuckDBPyConnection, folder: Path) -> list[Shard]:
    """The result files of one survey, at least one.

    Raises:
        NoResults: when the folder is not there or holds no result files.
        UnreadableResults: when files are damaged or do not belong together.
    """
    if not folder.is_dir():
        raise NoResults(f"there is no folder {folder}")
    shards = read_shards(database, folder)
    if not shards:
        raise NoResults(f"the folder {folder} holds no result files of a survey")
    for shard in shards:
        difference = shard.terms.difference(shards[0].terms)
        if difference is not None:
            raise UnreadableResults(f"{shard.path} holds results {difference} as in {shards[0].path}")
    return shards


def _figures(
    database: duckdb.DuckDBPyConnection, shards: Sequence[Shard], label: str, folder: Path
) -> Figures:
    database.execute("CREATE OR REPLACE TEMP TABLE rows AS FROM read_parquet(?)", [file_names(shards)])
    verdicts = _counts(database, "verdict", "TRUE")
    won, lost, open_ = (verdicts.get(name, 0) for name in ("winnable", "unwinnable", "undecided"))
    deals = sum(verdicts.values())
    if won + lost + open_ != deals:
        raise UnreadableResults(f"the files in {folder} hold an unknown verdict among {', '.join(verdicts)}")
    slowest = database.execute("SELECT arg_max(deal, seconds) FROM rows").fetchall()[0][0]
    terms = shards[0].terms
    return Figures(
        label=label,
        title=terms.title,
        folder=str(folder),
        game=terms.game,
        rules=terms.rules,
        ranges=_ranges([shard.chunk for shard in shards]),
        deals=deals,
        winnable=won,
        unwinnable=lost,
        undecided=open_,
        share=Share(won / deals, wilson(won, deals)),
        share_with_undecided=Share((won + open_) / deals, wilson(won + open_, deals)),
        spreads={name: _spread(database, name, where) for name, where in _MEASURES.items()},
        slowest=slowest,
        costs=_counts(database, "cost", "cost IS NOT NULL"),
        redeals=_counts(database, "redeals", "redeals IS NOT NULL"),
        reasons=_counts(database, "reason", "reason IS NOT NULL"),
        limits=_counts(database, "limit_hit", "limit_hit IS NOT NULL"),
        terms=terms.limits,
        made=tuple(dict.fromkeys(shard.made for shard in shards)),
        played=None if terms.playing is None else _played(database, terms.playing, deals),
        curves={name: _curve(database, name) for name in ("states", "seconds")},
    )


def _played(database: duckdb.DuckDBPyConnection, playing: Playing, deals: int) -> Played:
    query = (
        "SELECT sum(games)::BIGINT, sum(wins)::BIGINT, avg(wins / games), "
        "coalesce(var_samp(wins / games), 0) FROM rows"
    )
    games, wins, mean, variance = database.execute(query).fetchall()[0]
    if games is None:  # every worker died
        return Played(playing, 0, 0, Share(0.0, wilson(0, 0)))
    return Played(playing, games, wins, Share(wins / games, wilson_of_means(mean, variance, deals)))


def _counts(database: duckdb.DuckDBPyConnection, name: str, where: str) -> dict[Any, int]:
    query = f"SELECT {name}, count(*) FROM rows WHERE {where} GROUP BY 1 ORDER BY 1"
    return dict(database.execute(query).fetchall())


def _spread(database: duckdb.DuckDBPyConnection, name: str, where: str) -> Spread:
    query = (
        f"SELECT count({name}), quantile_cont({name}::DOUBLE, [0, 0.25, 0.5, 0.75, 0.99, 1]), "
        f"avg({name}), sum({name})::DOUBLE FROM rows WHERE {where}"
    )
    deals, quantiles, mean, total = database.execute(query).fetchall()[0]
    least, quarter, median, three_quarters, p99, most = quantiles or [None] * 6
    return Spread(deals, least, quarter, median, three_quarters, p99, most, mean, total)


def _curve(database: duckdb.DuckDBPyConnection, name: str) -> tuple[float, ...]:
    steps = [step / _CURVE_STEPS for step in range(_CURVE_STEPS + 1)]
    query = f"SELECT quantile_cont({name}::DOUBLE, {steps}) FROM rows"
    return tuple(database.execute(query).fetchall()[0][0])


def _ranges(chunks: Sequence[Chunk]) -> tuple[str, ...]:
    """The deals of all chunks, neighbours joined; they come by scheme and number."""
    joined: list[Chunk] = []
    for chunk in chunks:
        last = joined[-1] if joined else None
        if last is not None and last.scheme == chunk.scheme and last.last + 1 == chunk.first:
            joined[-1] = Chunk(chunk.scheme, last.first, chunk.last)
        else:
            joined.append(chunk)
    return tuple(str(chunk) for chunk in joined)


def _comparison(
    database: duckdb.DuckDBPyConnection,
    first: str,
    of_first: Sequence[Shard],
    second: str,
    of_second: Sequence[Shard],
) -> Comparison | None:
    """The comparison of two surveys, or ``None`` when they share no decided deal."""
    query = (
        "SELECT one.verdict, other.verdict, count(*) "
        "FROM read_parquet(?) AS one JOIN read_parquet(?) AS other USING (deal) GROUP BY 1, 2"
    )
    found = database.execute(query, [file_names(of_first), file_names(of_second)]).fetchall()
    counts = {(one, other): count for one, other, count in found}
    both, only_first, only_second, neither = (
        counts.get((one, other), 0)
        for one in ("winnable", "unwinnable")
        for other in ("winnable", "unwinnable")
    )
    deals = both + only_first + only_second + neither
    if not deals:
        return None
    return Comparison(
        first,
        second,
        both,
        only_first,
        only_second,
        neither,
        left_out=sum(counts.values()) - deals,
        difference=(only_first - only_second) / deals,
        interval=paired_difference(only_first, only_second, deals),
        chance=mcnemar(only_first, only_second),
    )
