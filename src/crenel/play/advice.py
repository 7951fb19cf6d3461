"""The truth at hand: verdict light, hint, turning point and blockers for a game at the table.

An :class:`Adviser` remembers what it has proved. A win that was found stays known along its line, a loss stays known
for all that follows, so most questions after the first need no search. Each question has a time budget and can be
cancelled; asked again about the same position, it goes on where it stopped. Nothing here does input or output.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from crenel.play.blockers import Blockers, find_blockers
from crenel.play.knowledge import Knowledge, Light, Plan, Wanted, position_digest
from crenel.play.words import move_words
from crenel.rules.cards import card_words
from crenel.rules.game import Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.solver.result import Limit, Result, Verdict
from crenel.solver.search import Search, Solver

__all__ = [
    "Adviser",
    "BestWin",
    "Blockers",
    "Hint",
    "Light",
    "TurningPoint",
    "explain_move",
    "find_blockers",
    "line_cost",
    "plan_best_win",
    "plan_hint",
    "plan_turning_point",
]

_T = TypeVar("_T")
Cancel = Callable[[], bool]
_MEMORY = 256 << 20
"""Bytes for the arrays of a search at the table, where many games may be open."""


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


@dataclass(frozen=True, slots=True)
class BestWin:
    """The cheapest win that is known from a position.

    Attributes:
        verdict: The verdict on the position.
        line: The win, empty unless there is one (or the game is won).
        cost: Its tableau moves and redeals.
        shortest: Whether it is proved that no win costs less.
        lower_bound: A proved lower bound of the cost of any win.
    """

    verdict: Verdict
    line: tuple[Move, ...] = ()
    cost: int = 0
    shortest: bool = False
    lower_bound: int = 0


# Plans: what each question needs, see ``knowledge``


def plan_hint(knowledge: Knowledge, position: Position) -> Plan[Hint]:
    """The next move of a proved win, with its reason in words; never a move that loses."""
    if position.is_won:
        return Hint(Verdict.WINNABLE, None, "The game is won.")
    light = yield from knowledge.light(position, by_search=True)
    if light.verdict is Verdict.UNDECIDED:
        # The player's own way to a win is better than no answer.
        light = knowledge.recall(position) or light
    if light.verdict is Verdict.UNDECIDED:
        return Hint(light.verdict, None, "It is not yet known whether this game can still be won.")
    if light.verdict is Verdict.UNWINNABLE:
        return Hint(light.verdict, None, "No move wins: this game can no longer be won.")
    return Hint(light.verdict, light.line[0], explain_move(position, light.line))


def plan_turning_point(knowledge: Knowledge, position: Position) -> Plan[TurningPoint]:
    """The move that lost the game: found by halving the history, each half one question of the light.

    Whatever follows a lost position is lost, and whatever came before a winnable one was winnable, so the
    history is winnable up to some move and lost from there on.
    """
    moves = position.moves
    low: int | None = None
    high: int | None = None
    now = (yield from knowledge.light(position)).verdict
    if now is Verdict.WINNABLE:
        return TurningPoint(len(moves), None, None, "This game can still be won.")
    bounds = [0, len(moves)]
    if now is Verdict.UNWINNABLE:
        high = len(moves)
    while bounds[0] < bounds[1]:
        middle = (bounds[0] + bounds[1]) // 2
        verdict = (yield from knowledge.light(_back_at(position, middle))).verdict
        if verdict is Verdict.WINNABLE:
            low, bounds[0] = middle, middle + 1
        elif verdict is Verdict.UNWINNABLE:
            high, bounds[1] = middle, middle
        else:
            break
    return _turning_point(position, low, high)


def plan_best_win(knowledge: Knowledge, position: Position) -> Plan[BestWin]:
    """A win, made cheaper until the fewest cost is proved or the time is used up."""
    if position.is_won:
        return BestWin(Verdict.WINNABLE, shortest=True)
    light = yield from knowledge.light(position)
    if light.verdict is not Verdict.WINNABLE:
        return BestWin(light.verdict)
    result = yield Wanted(position, shortest=True)
    line = min((result.moves or light.line, light.line), key=line_cost)
    cost = line_cost(line)
    return BestWin(
        light.verdict, line, cost, result.shortest or result.lower_bound >= cost, result.lower_bound
    )


def line_cost(line: Sequence[Move]) -> int:
    """The tableau moves and redeals of a line."""
    return sum(move.is_tableau or move.is_redeal for move in line)


class Adviser:
    """What is known about one game at the table; it gathers as questions are asked.

    Args:
        game: The rules.
        memory: Bytes for the arrays of its searches.
    """

    def __init__(self, game: Game, memory: int = _MEMORY) -> None:
        self.game = game
        self.knowledge = Knowledge()
        self._solver = Solver(game, memory)
        self._open: tuple[bytes, bool, Search] | None = None

    def light(self, position: Position, seconds: float = 2.0, cancel: Cancel | None = None) -> Light:
        """The verdict on a position.

        Args:
            position: The position, with the moves that led to it: what is proved of an earlier one counts here.
            seconds: Processor seconds for this call.
            cancel: Asked often; true ends the call as undecided.
        """
        return self._answer(self.knowledge.light(position), seconds, cancel)

    def hint(self, position: Position, seconds: float = 2.0, cancel: Cancel | None = None) -> Hint:
        """The next move of a proved win, with its reason in words; never a move that loses."""
        return self._answer(plan_hint(self.knowledge, position), seconds, cancel)

    def turning_point(
        self, position: Position, seconds: float = 5.0, cancel: Cancel | None = None
    ) -> TurningPoint:
        """The move that lost the game; ``seconds`` are for each search that it needs."""
        return self._answer(plan_turning_point(self.knowledge, position), seconds, cancel)

    def best_win(self, position: Position, seconds: float = 5.0, cancel: Cancel | None = None) -> BestWin:
        """The cheapest win that is found; ``seconds`` are for each of the two searches that it needs."""
        return self._answer(plan_best_win(self.knowledge, position), seconds, cancel)

    def _answer(self, plan: Plan[_T], seconds: float, cancel: Cancel | None) -> _T:
        """Runs a plan to its end."""
        try:
            wanted = next(plan)
            while True:
                result = self._searched(wanted, Limit(seconds=seconds), cancel)
                self.knowledge.learn(wanted, result)
                wanted = plan.send(result)
        except StopIteration as end:
            answer: _T = end.value
            return answer

    def _searched(self, wanted: Wanted, limit: Limit, cancel: Cancel | None) -> Result:
        """Runs a search; the last one goes on where it was stopped."""
        digest = position_digest(wanted.position)
        if self._open is None or self._open[:2] != (digest, wanted.shortest):
            search = self._solver.search(wanted.position, shortest=wanted.shortest)
            self._open = digest, wanted.shortest, search
        return self._open[2].run(limit, cancel=cancel)

    def blockers(self, position: Position, suit: int) -> Blockers:
        """What stands in the way of the foundation of a suit; see :func:`find_blockers`."""
        return find_blockers(position, suit)


def _back_at(position: Position, made: int) -> Position:
    """The position when ``made`` moves had been made."""
    earlier = position.copy()
    for _ in range(len(position.moves) - made):
        earlier.pop()
    return earlier


def _turning_point(position: Position, low: int | None, high: int | None) -> TurningPoint:
    if high is None:
        return TurningPoint(low, None, None, "It is not yet known whether this game can still be won.")
    if high == 0:
        return TurningPoint(None, 0, None, "No line wins from the start: this deal could not be won.")
    if low is not None and high == low + 1:
        move = position.moves[low]
        words = move_words(_back_at(position, low), move)
        text = f"Move {high} ({words}) lost the game; before it, the game could still be won."
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
