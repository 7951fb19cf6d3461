"""The atlas: how often each game can be won, and how often players win it, from result files alone.

The atlas is plain data (:func:`make_atlas`), which is kept as JSON; its page (:func:`format_atlas`) says nothing that
is not in that data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from crenel.rules.catalogue import GAMES
from crenel.study.players import PLAYERS
from crenel.study.published import CLAIMS, PUBLISHED, SOURCE
from crenel.study.report import Figures, NoResults, read_figures
from crenel.study.statistics import Interval
from crenel.study.tables import Table, format_markdown, limits_text, number_text, percent_text, time_text

Atlas = dict[str, Any]
"""The atlas as JSON has it."""
_NONE = "–"


class UnfitFolders(ValueError):
    """Result folders that do not fit into one atlas; the message names them."""


def make_atlas(folders: Iterable[Path]) -> Atlas:
    """Reads the results of many surveys.

    Args:
        folders: Each holds result files, or folders that hold them at any depth.

    Raises:
        UnfitFolders: when two hold the same game by the same player (or both solved), or one holds boards.
        NoResults, UnreadableResults, MissingPackage: as for a report.
    """
    found = list(_with_results(folders))
    surveys = sorted(read_figures(found), key=_order)
    rows: dict[str, dict[str, Any]] = {}
    places: dict[tuple[str, str], str] = {}
    for figures in surveys:
        if any(deals.startswith("board:") for deals in figures.ranges):
            raise UnfitFolders(f"{figures.folder} holds boards of a file, which are no fair sample of a game")
        player = figures.played.playing.player if figures.played else ""
        other = places.setdefault((figures.game, player), figures.folder)
        if other != figures.folder:
            raise UnfitFolders(
                f"{other} and {figures.folder} both hold {figures.game}"
                + (f" played by the player {player}" if player else "")
            )
        row = rows.setdefault(figures.game, _row(figures.game, figures))
        if figures.played is None:
            row["solved"] = _solved(figures)
        else:
            row["players"][player] = _played(figures)
    return {"source": SOURCE, "games": list(rows.values())}


def _with_results(folders: Iterable[Path]) -> Iterator[Path]:
    """The folders that hold result files."""
    for folder in folders:
        inner = sorted({path.parent for path in folder.rglob("*.parquet")})
        if not inner:
            raise NoResults(f"there are no result files of a survey in {folder}")
        yield from inner


def _order(figures: Figures) -> tuple[int, str]:
    ids = list(GAMES)
    return (ids.index(figures.game) if figures.game in ids else len(ids)), figures.game


def _row(game: str, figures: Figures) -> dict[str, Any]:
    published = PUBLISHED.get(game)
    return {
        "game": game,
        "title": figures.title,
        "solved": None,
        "published": None
        if published is None
        else {
            "share": published.share,
            "interval": _ends(published.interval),
            "deals": published.deals,
            "undecided": published.undecided,
        },
        "claim": CLAIMS.get(game),
        "players": {},
    }


def _solved(figures: Figures) -> dict[str, Any]:
    seconds = figures.spreads["seconds"]
    both = (figures.share.interval.low, figures.share_with_undecided.interval.high)
    published = PUBLISHED.get(figures.game)
    return {
        "deals": figures.deals,
        "ranges": list(figures.ranges),
        "winnable": figures.winnable,
        "unwinnable": figures.unwinnable,
        "undecided": figures.undecided,
        "share": figures.share.share,
        "share_with_undecided": figures.share_with_undecided.share,
        "interval": _ends(Interval(*both)),
        "agrees": None
        if published is None
        else published.interval.low <= both[1] and both[0] <= published.interval.high,
        "seconds_mean": None if seconds.mean is None else _three(seconds.mean),
        "seconds_median": None if seconds.median is None else _three(seconds.median),
        "limits": figures.terms,
        "made": _made(figures),
    }


def _played(figures: Figures) -> dict[str, Any]:
    played = figures.played
    assert played is not None
    return {
        "deals": figures.deals,
        "ranges": list(figures.ranges),
        "games_of_each": played.playing.games,
        "seed": played.playing.seed,
        "games": played.games,
        "wins": played.wins,
        "share": played.share.share,
        "interval": _ends(played.share.interval),
        "made": _made(figures),
    }


def _made(figures: Figures) -> list[dict[str, str]]:
    return [
        {"version": made.version, "sources": made.solver, "machine": made.machine} for made in figures.made
    ]


def _ends(interval: Interval) -> list[float]:
    return [round(interval.low, 6), round(interval.high, 6)]


def _three(seconds: float) -> float:
    """Three figures: more were not measured."""
    return float(f"{seconds:.3g}")


# The page

_INTRODUCTION = """\
<!-- Made by `crenel atlas` from result files. Do not edit: run it again. -->

# Atlas: how often the games can be won

Each figure was counted in the result files of a survey (see [survey.md](survey.md)). *Winnable* means that the solver
found a win that was replayed move by move; *unwinnable* that it proved there is none. A deal that ran into a limit is
*undecided*. Where there are undecided deals, two shares are given, with them counted as unwinnable and as winnable, and
the interval is the 95 % Wilson interval of both together: from the lower end of the one to the upper end of the other.
The data of this page are in [atlas.json](atlas.json).
"""

_PLAYERS = """\
The players see all cards and never know what the solver knows. `random` makes any move of a card, and redeals when
none leads to something new; `greedy` plays up what goes up, else it moves the card of the highest rank; `planner`
chooses among layouts before a redeal by how many moves there are after it; `careful` plays games without a redeal and
follows the advice of the descriptions (twos first, no high card on a low one, empty rows, no to and fro). Each gives
up when nothing new is left, or after fifty moves in which no card went up. Shares are of games, with the 95 % interval.
"""


_SOURCES = """\
Time is processor time of the search, the mean over all deals. Published figures: {source}. One
*agrees* when its interval and ours overlap. The claims are those of the descriptions that the rules follow; they name
no method.
"""


def format_atlas(atlas: Atlas) -> str:
    """The page of an atlas, in Markdown.

    Args:
        atlas: What :func:`make_atlas` gave, or the same read from JSON.
    """
    games = atlas["games"]
    parts = [
        _INTRODUCTION,
        format_markdown([_winnable(games)]),
        _SOURCES.format(source=atlas["source"]),
    ]
    present = {row["game"] for row in games}
    missing = [game.title for game in GAMES.values() if game.id not in present]
    if missing:
        parts.append(f"Not measured yet: {', '.join(missing)}.\n")
    players = _players(games)
    if players.rows:
        parts += [format_markdown([players]), _PLAYERS]
    parts += [format_markdown([_origins(games)]), _repeat(games)]
    return "\n".join(parts)


def _winnable(games: Sequence[dict[str, Any]]) -> Table:
    heads = ("game", "deals", "winnable", "95 % interval", "undecided", "time per deal", "published", "claim")
    rows = []
    for row in games:
        solved = row["solved"]
        if solved is None:
            figures: tuple[str, ...] = (_NONE,) * 5
        else:
            share = percent_text(solved["share"])
            if solved["undecided"]:
                share = f"{100 * solved['share']:.2f} to {percent_text(solved['share_with_undecided'])}"
            figures = (
                number_text(solved["deals"]),
                share,
                _interval(solved["interval"]),
                number_text(solved["undecided"]),
                time_text(solved["seconds_mean"]),
            )
        rows.append((row["title"], *figures, _published(row), row["claim"] or _NONE))
    return Table("Winnable deals", heads, tuple(rows))


def _published(row: dict[str, Any]) -> str:
    published, solved = row["published"], row["solved"]
    if published is None:
        return _NONE
    low, high = published["interval"]
    text = f"{100 * published['share']:.2f} % ± {50 * (high - low):.2f}"
    if solved is None:
        return text
    return f"{text}, {'agrees' if solved['agrees'] else 'does not agree'}"


def _players(games: Sequence[dict[str, Any]]) -> Table:
    heads = ("game", "winnable", *PLAYERS)
    rows = []
    for row in games:
        if row["players"]:
            solved = row["solved"]
            shares = (_player(row["players"].get(name)) for name in PLAYERS)
            rows.append((row["title"], percent_text(solved["share"]) if solved else _NONE, *shares))
    return Table("Games of simulated players", heads, tuple(rows))


def _player(played: dict[str, Any] | None) -> str:
    if played is None:
        return _NONE
    return f"{percent_text(played['share'])} ({_interval(played['interval'])})"


def _origins(games: Sequence[dict[str, Any]]) -> Table:
    """A row for each program, machine and limits that results were made with."""
    heads = ("by", "limits", "crenel", "sources", "machine", "games")
    titles: dict[tuple[str, ...], list[str]] = {}
    for row in games:
        results = [("solver", row["solved"])] if row["solved"] else []
        for by, result in [*results, *row["players"].items()]:
            limits = limits_text(result["limits"]) if "limits" in result else "none"
            for made in result["made"]:
                key = (by, limits, made["version"], made["sources"], made["machine"])
                titles.setdefault(key, []).append(row["title"])
    rows = sorted((*key, ", ".join(told)) for key, told in titles.items())
    return Table("With what this was measured", heads, tuple(rows), texts=len(heads))


def _repeat(games: Sequence[dict[str, Any]]) -> str:
    """The commands that make these figures again."""
    lines = ["To repeat it:", "", "```sh"]
    for row in games:
        if row["solved"]:
            options = _limit_options(row["solved"]["limits"])
            lines += [
                f"crenel survey {_quoted(row['game'])} {deals}{options} --out results/{_quoted(row['game'])}/solved"
                for deals in row["solved"]["ranges"]
            ]
        for player, played in row["players"].items():
            options = f" --player {player} --games {played['games_of_each']} --seed {played['seed']}"
            lines += [
                f"crenel survey {_quoted(row['game'])} {deals}{options} --out results/{_quoted(row['game'])}/{player}"
                for deals in played["ranges"]
            ]
    lines += ["crenel atlas results --out docs", "```", ""]
    return "\n".join(lines)


def _limit_options(limits: dict[str, Any]) -> str:
    names = {"states": "--max-states", "seconds": "--max-seconds", "memory": "--memory"}
    return "".join(f" {names[key]} {limit}" for key, limit in limits.items() if limit is not None)


def _quoted(game: str) -> str:
    """A game's id for a shell; those of variants hold brackets."""
    return f"'{game}'" if "[" in game else game


def _interval(ends: Sequence[float]) -> str:
    return f"{100 * ends[0]:.2f} to {100 * ends[1]:.2f} %"
