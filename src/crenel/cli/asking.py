"""What a player in plain text may ask about the game without changing it; each answer is a list of lines."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from crenel.cli.options import Mistake
from crenel.play.session import Session
from crenel.play.words import (
    counts_words,
    foundations_words,
    moves_list,
    new_tops,
    parse_suit,
    pile_line,
    pile_words,
)
from crenel.rules.cards import SUIT_WORDS, card_name
from crenel.rules.game import Game
from crenel.rules.moves import REDEAL
from crenel.rules.notation import format_moves
from crenel.rules.position import Position
from crenel.rules.reading import quoted

if TYPE_CHECKING:
    from crenel.play.advice import Adviser

SECONDS = 5.0
"""Processor seconds that the solver may think about one question, when the player names no other time."""
_MOST_SECONDS = 3600.0
_WARM_MEMORY = 16 << 20


def legal_moves(position: Position) -> list[str]:
    """The legal moves in words."""
    moves = position.legal_moves
    return moves_list(position, moves) if moves else ["No move is possible."]


def moves_so_far(session: Session) -> list[str]:
    """The line that was played, as text that can be pasted, and its counts."""
    line = format_moves(session.moves)
    return [line or "No move was made yet.", counts_words(session.position)]


def one_pile(position: Position, text: str) -> list[str]:
    """One pile read aloud.

    Raises:
        Mistake: when the text is no number of a pile.
    """
    count, word = len(position.piles), position.game.pile_word
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= count):
        raise Mistake(f"{quoted(text)} is not a {word}: they go from 1 to {count}.")
    return [pile_words(position, int(text) - 1)]


def foundations(position: Position) -> list[str]:
    """The foundations in words."""
    return foundations_words(position)


def preview(position: Position) -> list[str]:
    """The layout after a redeal now, and what it opens.

    Raises:
        IllegalMove: when the game has no redeal.
    """
    after = position.redealt()
    refused = position.why_not(REDEAL)
    lines = [f"A redeal is not allowed now: {refused} It would give:" if refused else "A redeal now gives:"]
    lines += [pile_line(after, pile) for pile in range(len(after.piles))]
    fresh = [card_name(card) for card in new_tops(position, after)]
    lines.append(f"Covered now and on top then: {', '.join(fresh) or 'no card'}.")
    opened = moves_list(after, [move for move in after.legal_moves if not move.is_redeal])
    return [*lines, f"Moves then: {len(opened)}.", *opened] if opened else [*lines, "It opens no move."]


class Oracle:
    """Asks the solver about a game at the table. It is loaded at the first question.

    Args:
        game: The rules.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._adviser: Adviser | None = None

    def hint(self, session: Session, text: str) -> list[str]:
        """The next move of a proved win, or the truth that there is none or that it is not known."""
        position, seconds = session.position, _seconds(text)
        session.helped = True
        with self._thinking(position) as (adviser, cancel):
            hint = adviser.hint(position, seconds, cancel)
        if hint.move is not None:
            return [f"{hint.text} ({hint.move})"]
        if hint.verdict == "undecided":
            return [f"{hint.text} Ask again to think on, or longer, such as 'hint 30'."]
        return [hint.text]

    def light(self, session: Session, text: str) -> list[str]:
        """The verdict on the position."""
        position, seconds = session.position, _seconds(text)
        session.helped = True
        with self._thinking(position) as (adviser, cancel):
            light = adviser.light(position, seconds, cancel)
        if light.verdict == "winnable":
            return ["The game can be won from here."]
        if light.verdict == "undecided":
            return [
                "It is not yet known whether the game can be won. Ask again to think on, such as 'light 30'."
            ]
        told = "The game can no longer be won." if session.moves else "This deal cannot be won."
        return [f"{told} {light.reason.text}" if light.reason is not None else told]

    def turning_point(self, session: Session, text: str) -> list[str]:
        """The move that lost the game."""
        position, seconds = session.position, _seconds(text)
        session.helped = True
        with self._thinking(position) as (adviser, cancel):
            return [adviser.turning_point(position, seconds, cancel).text]

    def blockers(self, position: Position, text: str) -> list[str]:
        """What stands in the way of the foundation of a suit, or of each.

        Raises:
            Mistake: when the text names no suit.
        """
        from crenel.play.blockers import find_blockers

        suit = parse_suit(text)
        if text and suit is None:
            raise Mistake(f"{quoted(text)} is not a suit: they are {', '.join(SUIT_WORDS)}.")
        return [find_blockers(position, one).text for one in (range(4) if suit is None else [suit])]

    @contextmanager
    def _thinking(self, position: Position) -> Iterator[tuple[Adviser, Callable[[], bool]]]:
        """Loads the solver, shows that it thinks, and turns Ctrl-C into a request to stop."""
        status: Any = nullcontext()
        if sys.stderr.isatty():
            from rich.console import Console

            status = Console(stderr=True, highlight=False).status("thinking; Ctrl-C stops it")
        with status as shown:
            if self._adviser is None:
                try:
                    self._adviser = _load(position, None if shown is None else shown.update)
                except KeyboardInterrupt:
                    raise Mistake("Stopped before the solver was prepared.") from None
            with _stoppable() as cancel:
                yield self._adviser, cancel


def _load(position: Position, tell: Callable[[str], None] | None) -> Adviser:
    """The adviser, its kernels compiled; that takes long once, so a waiting player is told."""
    from crenel.settings import load_settings

    load_settings().export()
    from crenel.play.advice import Adviser

    if tell is not None:
        from crenel.solver.result import Limit
        from crenel.solver.search import solve

        solve(position, Limit(states=1, memory=_WARM_MEMORY), notify=lambda sentence: tell(f"{sentence} …"))
        tell("thinking; Ctrl-C stops it")
    return Adviser(position.game)


def _seconds(text: str) -> float:
    if not text:
        return SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _MOST_SECONDS:
        raise Mistake(f"{quoted(text)} is not a number of seconds up to {_MOST_SECONDS:.0f}.")
    return seconds


@contextmanager
def _stoppable() -> Iterator[Callable[[], bool]]:
    """Makes the first Ctrl-C a request to stop thinking, which leaves the search whole; the second one interrupts."""
    pressed = False

    def press(number: int, frame: object) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
