"""The command ``play`` in plain text: reads lines from a terminal or a pipe until they end, and keeps the game."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from crenel.cli.options import Interrupted, Mistake
from crenel.cli.saves import Keeper, kept_games, read_game, unfinished_folder
from crenel.cli.show import draw, wrapped
from crenel.cli.table import Table
from crenel.play.session import Session


def play_text(session: Session | None, folder: Path) -> int:
    """Plays a game in plain text.

    Args:
        session: The game; ``None`` goes on with the unfinished game last played.
        folder: The folder of the user's data; unfinished games are kept in it.

    Returns:
        The exit status.

    Raises:
        Mistake: when there is no unfinished game.
        Interrupted: when the program was asked to end.
    """
    keeper = Keeper(unfinished_folder(folder))
    return _converse(Table(session or _resumed(keeper), keeper, _say, _draw_session))


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
