"""Solutions: lines of moves, read and written, and replayed by the rules.

Written are tokens such as ``7-10 11-h R 3-8`` (see ``moves``). Also read, because other programs write them: the
two-character form ``56 8h`` (games of at most nine piles) and sentences such as ``Move a card from stack 3 to stack 1``
(counted from 0), with the lines around them in the listings of such programs. ``#`` begins a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from crenel.rules.game import Game
from crenel.rules.moves import FOUNDATION, IllegalMove, Move, UnreadableMove, move_name, parse_move
from crenel.rules.position import Position
from crenel.rules.reading import decode, quoted, split_lines

MAX_MOVES = 100_000
"""The longest line that is read, in moves."""

_SENTENCE = re.compile(
    r"move (?:a|1|(?P<count>[0-9]{1,2})) cards? from stack (?P<source>[0-9]{1,3}) "
    r"to (?:stack (?P<target>[0-9]{1,3})|(?:the |a )?foundations?)\.?",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"(?:-=)+-?|=+|-+|:.*|(?:foundations|freecells):.*|this game is solve?able\.?"
    r"|total number of states checked is [0-9]+\.?|this scan generated [0-9]+ states\.?",
    re.IGNORECASE,
)
"""Lines around the moves in the listings of other programs: rules, layouts, closing remarks."""
_TWO_CHARACTERS = re.compile(r"(?P<source>[1-9])(?P<target>[1-9h])", re.IGNORECASE)
_TWO_CHARACTER_PILES = 9


class InvalidSolution(ValueError):
    """A line of moves that cannot be read; the message names the move and its line."""


class IllegalLine(IllegalMove):
    """A line of moves in which one is illegal.

    Attributes:
        number: The number of the move, from 1.
        move: The move.
        reason: Why the rules refuse it.
    """

    def __init__(self, number: int, move: Move, reason: str) -> None:
        super().__init__(f"move {number} ({move_name(move)}) is illegal: {reason}")
        self.number = number
        self.move = move
        self.reason = reason

    def __reduce__(self) -> tuple[type[IllegalLine], tuple[int, Move, str]]:
        return IllegalLine, (self.number, self.move, self.reason)  # errors cross process borders


def parse_moves(text: str | bytes, game: Game | None = None) -> list[Move]:
    """Reads a line of moves; whether they are legal is not asked.

    Args:
        text: The text; bytes are taken as UTF-8. A Python pickle is never read.
        game: The game; only the two-character form needs it.

    Raises:
        InvalidSolution: when something in the text is no move; the message names it, its number and its line.
    """
    moves: list[Move] = []
    for number, line in enumerate(split_lines(decode(text, "the solution", InvalidSolution)), 1):
        body = line.partition("#")[0].strip()
        if not body or _AROUND.fullmatch(body):
            continue
        sentence = _SENTENCE.fullmatch(" ".join(body.split()))
        if sentence is not None:
            moves.append(_told(sentence))
        elif body.lower().startswith("move "):
            raise InvalidSolution(
                f"move {len(moves) + 1} (line {number}): {quoted(body)} is not a move of this game"
            )
        else:
            for token in re.sub(r"(?i)^move:", "", body).replace(",", " ").split():
                moves.append(_read(token, game, f"move {len(moves) + 1} (line {number})"))
        if len(moves) > MAX_MOVES:
            raise InvalidSolution(f"the solution is too long: {MAX_MOVES:,} moves at most are read")
    return moves


def _told(sentence: re.Match[str]) -> Move:
    target = int(sentence["target"]) if sentence["target"] else FOUNDATION
    return Move(int(sentence["source"]), target, int(sentence["count"] or 1))


def _read(token: str, game: Game | None, place: str) -> Move:
    short = _TWO_CHARACTERS.fullmatch(token)
    if short is None:
        try:
            return parse_move(token)
        except UnreadableMove as problem:
            raise InvalidSolution(f"{place}: {problem}") from None
    if game is None:
        raise InvalidSolution(
            f"{place}: {quoted(token)} is a move of two characters, which only a known game allows"
        )
    if len(game.piles.sizes) > _TWO_CHARACTER_PILES:
        raise InvalidSolution(
            f"{place}: {quoted(token)} is a move of two characters, which only games of at most nine piles allow "
            f"({game.title} has {len(game.piles.sizes)})"
        )
    target = FOUNDATION if short["target"] in "hH" else int(short["target"]) - 1
    return Move(int(short["source"]) - 1, target)


def format_moves(moves: Iterable[Move]) -> str:
    """The moves in one line: ``7-10 11-h R 3-8``."""
    return " ".join(map(move_name, moves))


def replay(position: Position, moves: Iterable[Move]) -> Position:
    """The position after a line of moves; ``position`` is left as it is.

    Raises:
        IllegalLine: when the rules refuse a move; the message has its number, its text and the reason.
    """
    replayed = position.copy()
    for number, move in enumerate(moves, 1):
        try:
            replayed.push(move)
        except IllegalMove as problem:
            raise IllegalLine(number, move, str(problem)) from None
    return replayed
