"""The commands ``survey`` and ``report``: many deals solved, and what their results say."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crenel.cli.options import (
    AsJson,
    GameName,
    Interrupted,
    Mistake,
    Rules,
    chosen_game,
    plain_interrupts,
)
from crenel.cli.show import wrapped
from crenel.cli.solving import chosen_limit
from crenel.play.words import counted
from crenel.rules.deals import parse_deal_range
from crenel.rules.game import Game
from crenel.rules.notation import InvalidBoard, parse_board
from crenel.rules.reading import one_line, quoted
from crenel.solver.result import Limit

if TYPE_CHECKING:
    from crenel.study.executors import Crew
    from crenel.study.playing import Playing
    from crenel.study.survey import Survey, Tally
    from crenel.study.tables import Table
    from crenel.study.work import Chunk

_STOPPED = 130
_USUAL_MEMORY = 1 << 30
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_BETWEEN_BOARDS = re.compile(rb"(?m)^-{3,}[ \t]*(?:\r?\n|\Z)")
_ALONE_BELOW = 20
"""So few deals are solved in this process when nothing is said: starting others takes longer."""


def survey_command(
    game: GameName,
    deals: Annotated[
        str | None,
        typer.Argument(
            metavar="[RANGE]",
            help="Numbered deals such as ms:1-1000; bare numbers mean ms.",
            show_default=False,
        ),
    ] = None,
    board: Annotated[
        Path | None,
        typer.Option(
            "--board",
            metavar="FILE",
            help="Instead of numbered deals: boards, set apart by lines '---', or JSON deals, one a line.",
            show_default=False,
        ),
    ] = None,
    rules: Rules = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Keeps the results there, and goes on from what is there.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            metavar="N",
            min=0,
            help="Processes; 0 solves in this one. Otherwise one for each processor.",
            show_default=False,
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help="Solves on the Dask cluster with that scheduler; 'local' starts one here.",
            show_default=False,
        ),
    ] = None,
    max_states: Annotated[
        int | None,
        typer.Option("--max-states", metavar="N", min=1, help="A deal is undecided after so many positions."),
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option(
            "--max-seconds", metavar="S", help="A deal is undecided after so many processor seconds."
        ),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            "--memory",
            metavar="SIZE",
            help="A deal is undecided when its search needs more, such as 500M; otherwise 1G.",
            show_default=False,
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            metavar="NAME",
            help="A simulated player plays instead: random, greedy, planner or careful.",
            show_default=False,
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", metavar="N", min=1, max=1000, help="With --player: games of each deal; otherwise one."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="N", min=0, help="With --player: of the first game; otherwise 1."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Solves many deals: counts, the share that can be won with its interval, processor time.

    With --player the deals are not solved, but played by a simulated player who wins or does not.

    With --out the results are kept as Parquet files; a survey that was stopped or killed goes on from there.
    """
    chosen = chosen_game(game, rules)
    source = _source(chosen, deals, board)
    if cluster not in (None, "local") and workers is not None:
        raise Mistake("--workers is for processes of this machine; the cluster has its own")
    if cluster is not None and workers == 0:
        raise Mistake("--cluster local needs at least one worker (--workers 1)")
    playing = _playing(chosen, player, games, seed)
    if playing is not None and (max_states, max_seconds, memory) != (None, None, None):
        raise Mistake("--max-states, --max-seconds and --memory are limits of the solver; a player has none")
    limit = (
        Limit()
        if playing
        else chosen_limit(max_states, max_seconds, _USUAL_MEMORY if memory is None else _size(memory))
    )

    from crenel.study.results import make_terms, open_results
    from crenel.study.survey import Survey

    with contextlib.ExitStack() as opened:
        folder = None
        if out is not None:
            folder = opened.enter_context(
                open_results(out, make_terms(chosen, limit, source.digest, playing))
            )
        survey = Survey(chosen, source.chunk, limit, boards=source.boards, folder=folder, playing=playing)
        began = time.monotonic()
        try:
            if survey.left:
                crew = opened.enter_context(_crew(survey.left, workers, cluster))
                with plain_interrupts(), _progress(survey) as progress:
                    survey.run(crew, progress)
                opened.close()
        except KeyboardInterrupt:
            _print_survey(survey, source.name, out, time.monotonic() - began, as_json)
            raise Interrupted(_STOPPED, _how_to_go_on(survey.tally, source.chunk, out)) from None
        _print_survey(survey, source.name, out, time.monotonic() - began, as_json)
    return 0


# What is asked for


@dataclass(frozen=True, slots=True)
class _Source:
    """The deals of a survey: their numbers, and their boards and the digest of those when they come from a file."""

    name: str
    chunk: Chunk
    boards: tuple[bytes, ...] = ()
    digest: str = ""


def _source(game: Game, deals: str | None, board: Path | None) -> _Source:
    from crenel.study.work import BOARDS, Chunk

    if deals is not None and board is not None:
        raise Mistake(f"both deals ({quoted(deals)}) and --board are given; one of them is surveyed")
    if deals is not None:
        chunk = Chunk(*parse_deal_range(deals))
        return _Source(str(chunk), chunk)
    if board is None:
        raise Mistake(
            "no deals are given: name a RANGE such as ms:1-1000, or a file of boards with --board FILE"
        )
    try:
        data = board.read_bytes()
    except OSError as error:
        raise Mistake(one_line(f"cannot read {board}: {error.strerror}")) from None
    boards = _split_boards(data)
    for number, text in enumerate(boards, 1):
        try:
            parse_board(text, game)
        except InvalidBoard as error:
            raise Mistake(one_line(f"board {number} of {board}: {error}")) from None
    if not boards:
        raise Mistake(f"{board} holds no boards")
    return _Source(
        str(board), Chunk(BOARDS, 1, len(boards)), boards, hashlib.sha256(b"\0".join(boards)).hexdigest()
    )


def _playing(game: Game, player: str | None, games: int | None, seed: int | None) -> Playing | None:
    """Who plays, or ``None`` when the deals are to be solved."""
    if player is None:
        if games is not None or seed is not None:
            raise Mistake("--games and --seed are for a simulated player (--player)")
        return None
    from crenel.study.players import find_player
    from crenel.study.playing import Playing

    find_player(player, game)
    return Playing(player, 1 if games is None else games, 1 if seed is None else seed)


def _split_boards(data: bytes) -> tuple[bytes, ...]:
    """The boards of a file: JSON deals one a line, or boards set apart by lines of hyphens."""
    if data.lstrip().startswith(b"{"):
        return tuple(line for line in data.splitlines() if line.strip())
    parts = _BETWEEN_BOARDS.split(data)
    return tuple(part for part in parts if part.strip())


def _size(text: str) -> int:
    """A number of bytes such as ``500M`` or ``2G``."""
    match = re.fullmatch(r"([0-9]{1,15})([KMG]?)B?", text.strip().upper())
    if match is None or int(match[1]) == 0:
        raise Mistake(f"--memory {quoted(text)} is not a size such as 500M or 2G")
    return int(match[1]) * _UNITS[match[2]]


@contextlib.contextmanager
def _crew(left: int, workers: int | None, cluster: str | None) -> Iterator[Crew]:
    """The workers that were asked for, or as many as fit."""
    from crenel.study.executors import cluster_crew, process_crew, serial_crew, usable_processors

    if cluster is not None:
        with cluster_crew(cluster, workers) as crew:
            yield crew
        return
    if workers is None:
        workers = 0 if left < _ALONE_BELOW else usable_processors()
    if workers == 0:
        yield serial_crew()
        return
    with process_crew(workers) as crew:
        yield crew


# What is said


@contextlib.contextmanager
def _progress(survey: Survey) -> Iterator[Callable[[Survey], None] | None]:
    """A bar on standard error with the rate, the time left and the shares; nothing where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress as rich_progress
    from rich.console import Console

    bar = rich_progress.Progress(
        rich_progress.BarColumn(bar_width=10),
        rich_progress.TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
        rich_progress.TextColumn("{task.fields[rate]}"),
        rich_progress.TimeRemainingColumn(),
        rich_progress.TextColumn("{task.fields[shares]}"),
        console=Console(stderr=True, highlight=False),
        transient=True,
    )
    began = time.monotonic()
    with bar:
        task = bar.add_task(
            "", total=len(survey.wanted), completed=survey.done_before, rate="preparing", shares=""
        )

        def progress(running: Survey) -> None:
            tally = running.tally
            rate = (tally.deals - running.done_before) / max(time.monotonic() - began, 1e-9)
            bar.update(task, completed=tally.deals, rate=f"{rate:,.1f}/s", shares=_shares(tally))

        yield progress


def _shares(tally: Tally) -> str:
    """The running shares in a few characters; the rest is unwinnable."""
    if tally.games:
        return f"{100 * tally.wins / tally.games:.1f} % won"
    shares = f"{100 * tally.winnable / max(tally.deals, 1):.1f} % winnable"
    return shares + (f", {100 * tally.undecided / tally.deals:.1f} % undecided" if tally.undecided else "")


def _print_survey(survey: Survey, name: str, out: Path | None, elapsed: float, as_json: bool) -> None:
    from crenel.study.statistics import wilson

    tally = survey.tally
    low = wilson(tally.winnable, tally.deals)
    high = wilson(tally.winnable + tally.undecided, tally.deals)
    if as_json:
        found: dict[str, Any] = {
            "game": survey.game.id,
            "deals": name,
            "complete": survey.left == 0,
            "done": tally.deals,
            "done_before": survey.done_before,
            "winnable": tally.winnable,
            "unwinnable": tally.unwinnable,
            "undecided": tally.undecided,
            "share": _share(tally.winnable, tally.deals),
            "interval": [low.low, low.high],
            "share_with_undecided": _share(tally.winnable + tally.undecided, tally.deals),
            "interval_with_undecided": [high.low, high.high],
            "states": tally.states,
            "seconds": round(tally.seconds, 3),
            "elapsed": round(elapsed, 3),
            "limits": {
                "states": survey.limit.states,
                "seconds": survey.limit.seconds,
                "memory": survey.limit.memory,
            },
            "out": None if out is None else str(out),
        }
        if survey.playing is not None:
            del found["limits"]
            found |= {**asdict(survey.playing), "games": tally.games, "wins": tally.wins}
        print(json.dumps(found, ensure_ascii=False))
        return
    if not tally.deals:
        return
    print(f"{survey.game.title}, {name}: {counted(tally.deals, 'deal')}")
    if survey.playing is not None:
        _print_played(survey)
        return
    for word, count in (
        ("winnable", tally.winnable),
        ("unwinnable", tally.unwinnable),
        ("undecided", tally.undecided),
    ):
        print(f"{word:<12}{count:>12,}{100 * count / tally.deals:>9.2f} %")
    print(wrapped(f"95 % interval of the share winnable: {low.low:.2%} to {low.high:.2%}."))
    if tally.undecided:
        print(wrapped(f"With the undecided counted as winnable: {high.low:.2%} to {high.high:.2%}."))
    rate = f" ({tally.deals / tally.seconds:,.1f} deals per second)" if tally.seconds else ""
    searched = f"{counted(tally.states, 'position')} visited, {tally.seconds:.2f} s of processor time{rate}."
    print(wrapped(searched))


def _print_played(survey: Survey) -> None:
    """What a simulated player made of the deals."""
    from crenel.study.statistics import wilson

    tally, playing = survey.tally, survey.playing
    assert playing is not None
    games = tally.games
    print(
        f"{'won':<20}{tally.wins:>10,}{100 * tally.wins / max(games, 1):>9.2f} %  of {counted(games, 'game')}"
    )
    if playing.games > 1:
        share = 100 * tally.winnable / tally.deals
        print(
            f"{'won at least once':<20}{tally.winnable:>10,}{share:>9.2f} %  of {counted(tally.deals, 'deal')}"
        )
    else:
        low = wilson(tally.wins, games)
        print(wrapped(f"95 % interval of the share won: {low.low:.2%} to {low.high:.2%}."))
    per_game = f" ({1000 * tally.seconds / games:,.1f} ms a game)" if games else ""
    print(
        wrapped(f"{counted(tally.states, 'move')} made, {tally.seconds:.2f} s of processor time{per_game}.")
    )


def _share(count: int, total: int) -> float | None:
    return count / total if total else None


def _how_to_go_on(tally: Tally, wanted: Chunk, out: Path | None) -> str:
    done = f"stopped after {tally.deals:,} of {counted(len(wanted), 'deal')}"
    if out is None:
        return (
            f"{done}; with --out DIR the results would be kept, and the same command would go on from there"
        )
    return f"{done}; the results are kept in {out}, and the same command goes on from there"


class ReportFormat(StrEnum):
    """How ``report`` prints."""

    TABLES = "tables"
    MARKDOWN = "markdown"
    CSV = "csv"


class PlotFormat(StrEnum):
    """What ``report`` draws."""

    SVG = "svg"
    PNG = "png"


def report_command(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR...", help="Folders that 'survey --out' has written.", show_default=False),
    ],
    form: Annotated[
        ReportFormat | None,
        typer.Option(
            "--format",
            help="Tables for a terminal, the same in Markdown, or one line of CSV per survey. "
            "Otherwise tables on a terminal and Markdown elsewhere.",
            show_default=False,
        ),
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option("--plots", metavar="DIR", help="Draws plots into that folder.", show_default=False),
    ] = None,
    plot_format: Annotated[
        PlotFormat, typer.Option("--plot-format", help="The format of the plots.")
    ] = PlotFormat.SVG,
    as_json: AsJson = False,
) -> int:
    """Tells what the results of surveys say, and compares surveys on the deals that they share."""
    from crenel.study.report import read_report
    from crenel.study.tables import format_csv, format_markdown, report_tables

    if as_json and form is not None:
        raise Mistake("--json and --format are both given; one of them is the format")
    repeated = [folder for folder in folders if folders.count(folder) > 1]
    if repeated:
        raise Mistake(f"the folder {repeated[0]} is given twice")
    report = read_report(folders)
    drawn = []
    if plots is not None:
        from crenel.study.plots import draw_plots

        drawn = draw_plots(report, plots, plot_format)
    if as_json:
        print(json.dumps(report.as_json(), ensure_ascii=False))
    elif form == ReportFormat.CSV:
        print(format_csv(report), end="")
    elif form == ReportFormat.TABLES or (form is None and sys.stdout.isatty()):
        _print_tables(report_tables(report))
    else:
        print(format_markdown(report_tables(report)))
    for path in drawn:
        print(wrapped(f"Drawn: {path}", stream=sys.stderr), file=sys.stderr)
    return 0


def _print_tables(tables: list[Table]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    terminal = Console(highlight=False)

    def drawn(table: Table, is_turned: bool) -> tuple[Grid, int]:
        """The table, or turned: a line per head, which is narrower for few surveys; and its width."""
        lines = [table.heads, *table.rows]
        lines = list(zip(*lines, strict=True)) if is_turned else lines
        texts = 1 if is_turned else table.texts
        grid = Grid(title=Text(table.title), title_justify="left", box=box.SIMPLE, pad_edge=False)
        for place, head in enumerate(lines[0]):
            grid.add_column(Text(head), justify="left" if place < texts else "right", overflow="fold")
        for row in lines[1:]:
            grid.add_row(*map(Text, row))
        return grid, terminal.measure(grid, options=terminal.options.update(max_width=10_000)).maximum

    for table in tables:
        grid, width = drawn(table, is_turned=False)
        if width > terminal.width and table.texts < len(table.heads):
            # A number must not be broken: what is too wide either way is left to the terminal.
            grid, width = min((grid, width), drawn(table, is_turned=True), key=lambda pair: pair[1])
            Console(highlight=False, width=max(width, terminal.width)).print(grid)
        else:
            terminal.print(grid)
