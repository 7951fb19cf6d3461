"""What a player pasted, recognised by its content: a record, a board, a line of moves, or the name of a deal."""

from __future__ import annotations

from dataclasses import dataclass

from crenel.play.session import Session
from crenel.rules.boards import InvalidBoard, parse_board
from crenel.rules.cards import parse_card
from crenel.rules.deals import DealId, parse_deal_id
from crenel.rules.game import Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.rules.reading import decode
from crenel.rules.records import FORMAT
from crenel.rules.solutions import IllegalLine, InvalidSolution, parse_moves, replay


class InvalidPaste(ValueError):
    """A text that is none of what can be pasted; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class PastedLine:
    """A line of moves.

    Attributes:
        moves: The moves.
    """

    moves: tuple[Move, ...]


Pasted = Session | PastedLine | DealId


def recognise(text: str, game: Game) -> Pasted:
    """Reads what was pasted.

    Args:
        text: The text.
        game: The game that a board or a line is for.

    Returns:
        A game that can go on (from a record or a board), a line of moves whose legality is not asked, or a deal.

    Raises:
        ValueError: when it cannot be read; the message is one sentence that names the culprit.
    """
    body = decode(text, "the text", InvalidPaste)
    if not body.strip():
        raise InvalidPaste(
            "There is no text: paste a game as text, a board, a line of moves or the name of a deal."
        )
    if body.lstrip().startswith("{"):
        return Session.from_text(body) if f'"{FORMAT}"' in body else Session(parse_board(body, game))
    words = body.split()
    if len(words) == 1 and ":" in body:
        return parse_deal_id(body)
    try:
        return Session(parse_board(body, game))
    except InvalidBoard as problem:
        # Names of cards and moves of two characters look alike (8H), so the board, which must be complete, goes first.
        if _looks_like_board(body):
            raise
        try:
            moves = parse_moves(body, game)
        except InvalidSolution as other:
            if any(word[0].isdigit() and "-" in word for word in words) or "move" in body.lower():
                raise
            raise InvalidPaste(
                f"This is neither a board ({problem}) nor a line of moves ({other})."
            ) from None
    if not moves:
        raise InvalidPaste("There is no move in this text.")
    return PastedLine(tuple(moves))


def _looks_like_board(text: str) -> bool:
    """Whether most words are cards that are no moves as well, or a line of foundations says so."""
    words = text.split()
    if any(word.lower() == "foundations:" for word in words):
        return not any("-" in word and word[:1].isdigit() for word in words)
    return sum(map(_is_card, words)) * 2 > len(words)


def _is_card(word: str) -> bool:
    if word[1:] in ("h", "H") and word[:1].isdigit():
        return False  # as much a move as a card
    try:
        parse_card(word)
    except ValueError:
        return False
    return True


def placed(moves: tuple[Move, ...], starts: list[Position]) -> Position:
    """Where a line of moves begins: the first of some positions on which all its moves are legal.

    Args:
        moves: The line.
        starts: The positions to try, at least one.

    Raises:
        IllegalLine: when none of them takes the line; the message is about the one on which it goes furthest.
    """
    furthest: IllegalLine | None = None
    for start in starts:
        try:
            replay(start, moves)
        except IllegalLine as problem:
            if furthest is None or problem.number > furthest.number:
                furthest = problem
        else:
            return start
    assert furthest is not None
    raise furthest
