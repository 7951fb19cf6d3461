"""The truth at hand: verdict light, hint, turning point and blockers for a game at the table.

An :class:`Adviser` remembers what it has proved. A win that was found stays known along its line, a loss stays known
for all that follows, so most questions after the first need no search. Each question has a time budget and can be
cancelled; asked again about the same position, it goes on where it stopped. Nothing here does input or output.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from crenel.play.blockers import Blockers, find_blockers
from crenel.rules.cards import card_words
from crenel.rules.game import Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.solver.result import Limit, Reason, Verdict
from crenel.solver.search import Search, Solver

__all__ = ["Adviser", "Blockers", "Hint", "Light", "TurningPoint", "find_blockers"]

Cancel = Callable[[], bool]
_MEMORY = 256 << 20
"""Bytes for the arrays of a search at the table, where many games may be open."""


@dataclass(frozen=True, slots=True)
class Light:
    """The verdict on one position.

    Attributes:
        verdict: Winnable, unwinnable (no longer winnable), or undecided (not yet known).
        line: A win from here when it is winnable.
        reason: Why it cannot be won, where the search was for this very position.
    """

    verdict: Verdict
    line: tuple[Move, ...] = ()
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """The next move of a proved win, or why there is none.

    Attributes:
        verdict: The verdict on the position.
        move: The move, or ``None``: nothing wins, or it is not known.
        text: One sentence for the player.
    """

    verdict: Verdict
    move: Move | None
    text: str


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """Where a game was lost.

    Attributes:
        last_winnable: How many moves were made at the last position known to be winnable, or ``None``.
        first_lost: How many moves were made at the first position known to be lost, or ``None``.
        losing_move: The move that lost the game, when the two are neighbours.
        text: One sentence for the player.
    """

    last_winnable: int | None
    first_lost: int | None
    losing_move: Move | None
    text: str


class Adviser:
    """What is known about one game at the table; it gathers as questions are asked.

    Args:
        game: The rules.
        memory: Bytes for the arrays of its searches.
    """

    def __init__(self, game: Game, memory: int = _MEMORY) -> None:
        self.game = game
        self._solver = Solver(game, memory)
        self._known: dict[Hashable, Light] = {}
        self._open: tuple[Hashable, Search] | None = None

    def light(self, position: Position, seconds: float = 2.0, cancel: Cancel | None = None) -> Light:
        """The verdict on a position.

        Args:
            position: The position, with the moves that led to it: what is proved of an earlier one counts here.
            seconds: Processor seconds for this call.
            cancel: Asked often; true ends the call as undecided.
        """
        light = self._recall(position)
        if light is not None:
            return light
        key = position.key
        if self._open is None or self._open[0] != key:
            self._open = key, self._solver.search(position)
        result = self._open[1].run(Limit(seconds=seconds), cancel=cancel)
        light = Light(result.verdict, result.moves, result.reason)
        if light.verdict is not Verdict.UNDECIDED:
            self._remember(position, light)
            self._open = None
        return light

    def _recall(self, position: Position) -> Light | None:
        """What is known already: of this position, or of an earlier one of its history that is lost."""
        light = self._known.get(position.key)
        if light is not None:
            return light
        walk = position.copy()
        for _ in position.moves:
            walk.pop()
            earlier = self._known.get(walk.key)
            if earlier is not None and earlier.verdict is Verdict.UNWINNABLE:
                light = self._known[position.key] = Light(Verdict.UNWINNABLE)
                return light
        return None

    def _remember(self, position: Position, light: Light) -> None:
        """Stores a verdict; a win is known at each position of its line."""
        self._known[position.key] = light
        walk = position.copy()
        for number, move in enumerate(light.line, 1):
            walk.push(move)
            self._known.setdefault(walk.key, Light(Verdict.WINNABLE, light.line[number:]))

    def hint(self, position: Position, seconds: float = 2.0, cancel: Cancel | None = None) -> Hint:
        """The next move of a proved win, with its reason in words; never a move that loses."""
        if position.is_won:
            return Hint(Verdict.WINNABLE, None, "The game is won.")
        light = self.light(position, seconds, cancel)
        if light.verdict is Verdict.UNDECIDED:
            return Hint(light.verdict, None, "It is not yet known whether this game can still be won.")
        if light.verdict is Verdict.UNWINNABLE:
            return Hint(light.verdict, None, "No move wins: this game can no longer be won.")
        return Hint(light.verdict, light.line[0], explain_move(position, light.line))

    def turning_point(
        self, position: Position, seconds: float = 5.0, cancel: Cancel | None = None
    ) -> TurningPoint:
        """The move that lost the game: found by halving the history, each half one question of the light.

        Whatever follows a lost position is lost, and whatever came before a winnable one was winnable, so the
        history is winnable up to some move and lost from there on.
        """
        moves = position.moves
        low: int | None = None
        high: int | None = None
        now = self.light(position, seconds, cancel).verdict
        if now is Verdict.WINNABLE:
            return TurningPoint(len(moves), None, None, "This game can still be won.")
        bounds = [0, len(moves)]
        if now is Verdict.UNWINNABLE:
            high = len(moves)
        while bounds[0] < bounds[1]:
            middle = (bounds[0] + bounds[1]) // 2
            verdict = self.light(_back_at(position, middle), seconds, cancel).verdict
            if verdict is Verdict.WINNABLE:
                low, bounds[0] = middle, middle + 1
            elif verdict is Verdict.UNWINNABLE:
                high, bounds[1] = middle, middle
            else:
                break
        return _turning_point(moves, low, high)

    def blockers(self, position: Position, suit: int) -> Blockers:
        """What stands in the way of the foundation of a suit; see :func:`find_blockers`."""
        return find_blockers(position, suit)


def _back_at(position: Position, made: int) -> Position:
    """The position when ``made`` moves had been made."""
    earlier = position.copy()
    while len(earlier.moves) > made:
        earlier.pop()
    return earlier


def _turning_point(moves: Sequence[Move], low: int | None, high: int | None) -> TurningPoint:
    if high is None:
        return TurningPoint(low, None, None, "It is not yet known whether this game can still be won.")
    if high == 0:
        return TurningPoint(None, 0, None, "No line wins from the start: this deal could not be won.")
    if low is not None and high == low + 1:
        move = moves[low]
        text = f"Move {high} ({move}) lost the game; after {low} moves it could still be won."
        return TurningPoint(low, high, move, text)
    known = "is not known to have been winnable before" if low is None else f"could be won after {low} moves"
    return TurningPoint(low, high, None, f"The game was lost by move {high} at the latest; it {known}.")


def explain_move(position: Position, line: Sequence[Move]) -> str:
    """Why the first move of a win is made, in one sentence; every fact in it is read off the line.

    Args:
        position: Where the line starts.
        line: A win from there, not empty.
    """
    move, word = line[0], position.game.pile_word
    if move.is_redeal:
        return f"Redeal{_next_event(position, line)}."
    if move.is_placing:
        return f"Put the {card_words(position.hand[0])} on {word} {move.target + 1}."
    pile = position.piles[move.source]
    card = card_words(pile[-1])
    if move.is_foundation:
        return (
            f"Play the {card} from {word} {move.source + 1} to its foundation{_next_event(position, line)}."
        )
    run = f"{move.count} cards down to the {card}" if move.count > 1 else f"the {card}"
    onto = "the empty " + word if not position.piles[move.target] else word
    return (
        f"Move {run} from {word} {move.source + 1} to {onto} {move.target + 1}{_next_event(position, line)}."
    )


def _next_event(position: Position, line: Sequence[Move]) -> str:
    """What the first move of a line does, as a clause: frees a card, empties a pile, prepares the redeal."""
    move, word = line[0], position.game.pile_word
    after = position.copy()
    after.push(move)
    if move.is_redeal:
        for later in line[1:]:
            if later.is_foundation or later.is_tableau:
                card = after.piles[later.source][-1]
                end = "can go up" if later.is_foundation else "can move"
                return f": then the {card_words(card)} {end}"
        return ""
    rest = after.piles[move.source]
    if not rest:
        return f": it empties {word} {move.source + 1}"
    walk = after.copy()
    for later in line[1:]:
        if later.is_redeal:
            return (
                ": it prepares the redeal" if move.is_tableau else f": it uncovers the {card_words(rest[-1])}"
            )
        if later.source == move.source:
            verb = "frees" if later.is_foundation else "uncovers"
            return f": it {verb} the {card_words(rest[-1])}"
        if later.target == move.target and move.is_tableau:
            return f": it makes a place for the {card_words(walk.piles[later.source][-later.count])}"
        walk.push(later)
    return ""
