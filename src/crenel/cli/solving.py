"""The commands ``solve`` and ``verify``. The solver is loaded only when there is something to search."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crenel.cli.options import (
    AsJson,
    BoardFile,
    GameName,
    Mistake,
    OptionalDeal,
    Rules,
    chosen_game,
    chosen_start,
    read_file,
)
from crenel.cli.show import wrapped
from crenel.play.words import cost_words, counted, counts_words
from crenel.rules.notation import IllegalLine, InvalidSolution, format_moves, parse_moves, replay
from crenel.rules.position import Position
from crenel.rules.reading import decode, quoted, read_json

if TYPE_CHECKING:
    from crenel.solver.result import Limit, Result

_STATUS = {"winnable": 0, "unwinnable": 1, "undecided": 3}
_ILLEGAL, _NO_WIN = 2, 1


def solve_command(
    game: GameName,
    deal: OptionalDeal = None,
    board: BoardFile = None,
    rules: Rules = None,
    shortest: Annotated[
        bool, typer.Option("--shortest", help="Goes on to a win of proved fewest cost.", show_default=False)
    ] = False,
    fewest_redeals: Annotated[
        bool,
        typer.Option(
            "--fewest-redeals", help="Goes on to a win of proved fewest redeals.", show_default=False
        ),
    ] = False,
    max_states: Annotated[
        int | None,
        typer.Option("--max-states", metavar="N", min=1, help="Ends as undecided after so many positions."),
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option("--max-seconds", metavar="S", help="Ends as undecided after so many processor seconds."),
    ] = None,
    as_json: AsJson = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Tells each move in words, or the reason.", show_default=False)
    ] = False,
) -> int:
    """Decides whether a deal or a layout can be won: the winning line, or why there is none.

    Exit status: 0 winnable, 1 unwinnable, 3 undecided, 2 a mistake in what was asked.
    """
    start, name = chosen_start(chosen_game(game, rules), deal, board)
    if shortest and fewest_redeals:
        raise Mistake("--shortest and --fewest-redeals ask for two different wins; give one of them")
    fewest = "redeals" if fewest_redeals else "cost"
    limit = chosen_limit(max_states, max_seconds)

    from crenel.solver.search import solve  # after chosen_limit, which says where compiled kernels are kept

    with _progress() as (progress, notify):
        result = solve(
            start, limit, shortest or fewest_redeals, fewest=fewest, progress=progress, notify=notify
        )
    if as_json:
        print(json.dumps(_as_json(start, name, result, explain), ensure_ascii=False))
    else:
        _print_result(start, name, result, fewest if shortest or fewest_redeals else None, explain)
    return _STATUS[result.verdict]


def chosen_limit(states: int | None, seconds: float | None, memory: int | None = None) -> Limit:
    """The limit from the options, else from the settings.

    Args:
        states: Positions, as an option says it.
        seconds: Processor seconds, as an option says it.
        memory: Bytes; ``None`` leaves it to the solver.

    Raises:
        Mistake: when the number of seconds is no limit.
    """
    from crenel.settings import load_settings  # takes longer to load than all the rules
    from crenel.solver.result import Limit

    settings = load_settings()
    settings.export()
    if seconds is not None and not 0 < seconds < float("inf"):
        raise Mistake(f"--max-seconds {seconds} is not a number of seconds above 0")
    return Limit(
        states=settings.max_states if states is None else states,
        seconds=settings.max_seconds if seconds is None else seconds,
        memory=memory,
    )


@contextmanager
def _progress() -> Iterator[tuple[Callable[[int, float], None] | None, Callable[[str], None] | None]]:
    """Progress on standard error while a search runs; nothing where that is no terminal."""
    if not sys.stderr.isatty():
        yield None, None
        return
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    shown = 0.0
    with console.status("searching") as status:

        def progress(states: int, seconds: float) -> None:
            nonlocal shown
            if time.monotonic() - shown > 0.2:
                shown = time.monotonic()
                status.update(f"searching: {counted(states, 'position')}, {seconds:.0f} s")

        yield progress, lambda sentence: status.update(f"{sentence} …")


def _as_json(start: Position, name: str | None, result: Result, explain: bool) -> dict[str, Any]:
    won = result.verdict == "winnable"
    reason = result.reason
    data: dict[str, Any] = {
        "game": start.game.id,
        "deal": name,
        "verdict": str(result.verdict),
        "moves": format_moves(result.moves),
        "cost": result.cost if won else None,
        "tableau_moves": result.tableau_moves if won else None,
        "foundation_moves": result.foundation_moves if won else None,
        "redeals": result.redeals if won else None,
        "shortest": result.shortest,
        "fewest_redeals": result.fewest_redeals,
        "states": result.states,
        "seconds": round(result.seconds, 6),
        "reason": None if reason is None else {"kind": reason.kind, "text": reason.text, "data": reason.data},
        "lower_bound": result.lower_bound,
        "limit": result.limit,
    }
    if explain:
        data["explanation"] = explanation(start, result)
    return data


def explanation(start: Position, result: Result) -> list[str]:
    """Each move of a win in words with what it is good for, or the reason why there is no win.

    Args:
        start: Where the search began.
        result: What it found.
    """
    if result.verdict == "winnable":
        from crenel.play.advice import explain_move

        walk, sentences = start.copy(), []
        for number, move in enumerate(result.moves):
            sentences.append(explain_move(walk, result.moves[number:]))
            walk.push(move)
        return sentences
    return [result.reason.text if result.reason is not None else _why_undecided(result)]


def _why_undecided(result: Result) -> str:
    why = {
        "states": "the limit of visited positions was reached",
        "seconds": "the time limit was reached",
        "memory": "the memory limit was reached",
        "cancelled": "the search was stopped",
    }.get(result.limit or "", "all stages of the search came to their end")
    return f"It is not known whether this can be won: {why}."


def _print_result(
    start: Position, name: str | None, result: Result, fewest: str | None, explain: bool
) -> None:
    from rich.console import Console
    from rich.text import Text

    colour = {"winnable": "bold green", "unwinnable": "bold red", "undecided": "bold yellow"}[result.verdict]
    where = f"deal {name}" if name else "the layout"
    line = Text(f"{start.game.title}, {where}: ").append(str(result.verdict), style=colour)
    Console(highlight=False).print(line, soft_wrap=True)
    searched = f"{counted(result.states, 'position')} visited, {result.seconds:.2f} s."
    if result.verdict != "winnable":
        for sentence in explanation(start, result):
            print(wrapped(sentence))
        print(searched)
        return
    print(wrapped(f"{counted(len(result.moves), 'move')}: {cost_words(replay(start, result.moves))}."))
    if fewest is not None:
        is_proved = result.fewest_redeals if fewest == "redeals" else result.shortest
        open_question = f"at least {result.lower_bound}; whether fewer than in this win will do is not known"
        print(wrapped(f"Fewest {fewest}: {'proved' if is_proved else open_question}."))
    print(searched)
    print()
    if explain:
        width = len(str(len(result.moves)))
        told = zip(result.moves, explanation(start, result), strict=True)
        for number, (move, sentence) in enumerate(told, 1):
            print(f"{number:>{width}}. {move!s:<5}  {sentence}")
    else:
        print(wrapped(format_moves(result.moves)))


def verify_command(
    game: GameName,
    deal: OptionalDeal = None,
    board: BoardFile = None,
    rules: Rules = None,
    solution: Annotated[
        str | None,
        typer.Option(
            "--solution",
            metavar="FILE",
            help="The line of moves, or the JSON that 'solve --json' prints ('-' is standard input).",
            show_default=False,
        ),
    ] = None,
    reason: Annotated[
        str | None,
        typer.Option(
            "--reason",
            metavar="FILE",
            help="Instead of a line: the JSON of 'solve --json' whose frozen cards prove that nothing wins.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Replays a line move by move, or checks the reason for a loss, by the rules alone.

    Exit status: 0 when the line wins (the reason holds), 1 when the line is legal but does not win (the reason does
    not hold), 2 when a move is illegal or something cannot be read.
    """
    given = solution if reason is None else reason
    if given is None or (solution is not None and reason is not None):
        raise Mistake("give either a line to replay (--solution FILE) or a reason to check (--reason FILE)")
    if board == "-" and given == "-":
        raise Mistake("--board and the other file cannot both be read from standard input")
    start, _ = chosen_start(chosen_game(game, rules), deal, board)
    if reason is not None:
        return _check_reason(start, read_file(reason))
    moves = parse_moves(_moves_text(read_file(given)), start.game)
    try:
        end = replay(start, moves)
    except IllegalLine as problem:
        print(f"crenel: {problem}", file=sys.stderr)
        return _ILLEGAL
    verdict = "The line wins" if end.is_won else "The line is legal, but does not win"
    print(wrapped(f"{verdict}: {counted(len(moves), 'move')}, {counts_words(end)}"))
    return 0 if end.is_won else _NO_WIN


def _check_reason(start: Position, data: bytes) -> int:
    """Checks the frozen prefix that a loss rests on; other kinds of reasons need a search to be repeated."""
    from crenel.solver.verify_reason import check_frozen_prefix

    text = decode(data, "the reason", InvalidSolution)
    found = read_json(text, "the reason", InvalidSolution)
    told = found.get("reason", found)
    kind, facts = (told.get("kind"), told.get("data")) if isinstance(told, dict) else (None, None)
    if not isinstance(kind, str) or not isinstance(facts, dict):
        raise InvalidSolution("the reason is not JSON as 'solve --json' prints it for an unwinnable position")
    if kind != "frozen-prefix":
        raise InvalidSolution(f"a reason of the kind {quoted(kind)} cannot be checked by the rules alone")
    problem = check_frozen_prefix(start, facts)
    if problem is not None:
        print(wrapped(f"The reason does not hold: {problem}"))
        return _NO_WIN
    print("The reason holds: these cards can never move, so nothing wins.")
    return 0


def _moves_text(data: bytes) -> str:
    """The text of a solution; of a JSON object (a record, or what ``solve --json`` prints) its ``moves``."""
    text = decode(data, "the solution", InvalidSolution)
    if not text.lstrip().startswith("{"):
        return text
    moves = read_json(text, "the solution", InvalidSolution).get("moves")
    if not isinstance(moves, str):
        raise InvalidSolution("the solution is a JSON object without a text 'moves'")
    return moves
