"""The command ``play`` in plain text: reads lines from a terminal or a pipe until they end, and keeps the game."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer

from crenel.cli.options import BoardFile, Interrupted, Mistake, Rules, chosen_game, chosen_start
from crenel.cli.saves import Keeper, kept_games, read_game, unfinished_folder
from crenel.cli.show import draw, wrapped
from crenel.cli.table import Table
from crenel.play.session import Session
from crenel.rules.deals import random_deal_id

_DEFAULT_GAME = "cruel"
_NO_BROWSER = "crenel: the table in the browser is not part of this version; the game is in plain text"


def play_command(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="A game by name or a .toml file; cruel when left out.", show_default=False
        ),
    ] = None,
    deal: Annotated[
        str | None,
        typer.Argument(
            metavar="[DEAL]", help="A deal such as ms:1; a random one when left out.", show_default=False
        ),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Plays in plain text.", show_default=False)] = False,
    rules: Rules = None,
    board: BoardFile = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Goes on with the unfinished game last played.", show_default=False),
    ] = False,
    load: Annotated[
        str | None,
        typer.Option("--load", metavar="FILE", help="Goes on with a saved game.", show_default=False),
    ] = None,
) -> int:
    """Plays a game in plain text; ? lists what can be typed. An unfinished game is kept."""
    if (resume or load is not None) and (game or deal or rules or board or (resume and load is not None)):
        raise Mistake(
            "--resume and --load take the game from a file: nothing else can be chosen beside one of them"
        )
    if board == "-":
        raise Mistake("--board - leaves no standard input to type moves on; name a file")
    from crenel.settings import load_settings  # takes longer to load than all the rules

    keeper = Keeper(unfinished_folder(load_settings().data))
    if resume:
        session = _resumed(keeper)
    elif load is not None:
        session = read_game(Path(load))
    else:
        session = _begun(game, deal, rules, board)
    if not text:
        print(_NO_BROWSER, file=sys.stderr)
    return _converse(Table(session, keeper, _say, _draw_session))


def _begun(game: str | None, deal: str | None, rules: list[str] | None, board: str | None) -> Session:
    chosen = chosen_game(game or _DEFAULT_GAME, rules)
    if board is None and deal is None:
        deal = str(random_deal_id())
    start, name = chosen_start(chosen, deal, board)
    return Session(start, deal=name, clock=time.monotonic)


def _resumed(keeper: Keeper) -> Session:
    """The newest unfinished game that can be read; the ones that cannot are named and left as they are."""
    for path in kept_games(keeper.folder):
        try:
            session = read_game(path)
        except ValueError as problem:
            print(f"crenel: {problem}", file=sys.stderr)
            continue
        keeper.path = path
        return session
    raise Mistake(f"there is no unfinished game in {keeper.folder}")


def _say(text: str) -> None:
    print(wrapped(text))


def _draw_session(session: Session) -> None:
    draw(session.position)


def _converse(table: Table) -> int:
    """Hears lines until they end or the player does."""
    with _ended_by_signals():
        try:
            table.greet()
            if _is_conversation():
                _say("'draw on' draws the table after each change.")
            for line in _lines():
                table.hear(line)
                if table.ended:
                    break
        except KeyboardInterrupt:
            if _is_conversation():
                print()
            raise Interrupted(130, f"interrupted{_kept(table)}") from None
        except _Signal as end:
            if _is_conversation():
                print()
            raise Interrupted(128 + end.number, f"ended by a signal{_kept(table)}") from None
    if table.keeper.path is not None:
        print("The game is kept: 'crenel play --text --resume' goes on with it.")
    return 0


def _kept(table: Table) -> str:
    return "; the game is kept, 'crenel play --text --resume' goes on with it" if table.keeper.path else ""


def _is_conversation() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _lines() -> Iterator[str]:
    """Lines of standard input; at a terminal with a prompt and, where there is readline, with editing."""
    if _is_conversation():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (input() edits lines once it is loaded)
        while True:
            try:
                yield input("> ")
            except EOFError:
                print()
                return
            except UnicodeDecodeError:
                print("That line is not text in the coding of this terminal.")
    with contextlib.suppress(AttributeError):
        reconfigure: Any = sys.stdin.reconfigure  # type: ignore[union-attr]
        reconfigure(errors="replace")
    for line in sys.stdin:
        yield line.rstrip("\n")


class _Signal(BaseException):
    """A signal asked the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Lets the signals that end a program end it in order: the game is kept and the player told."""

    def end(number: int, frame: FrameType | None) -> None:
        raise _Signal(number)

    before: dict[int, Any] = {}
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None:
            before[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
