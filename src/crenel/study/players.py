"""Simulated players, from one who moves at random to one who follows the advice of the games' descriptions.

A player sees all cards, as a person does, but looks only a little ahead. The same player with the same seed plays the
same deal in the same way. None plays for ever: a layout that was met before in the game is not entered again, and a
player gives up after ``PATIENCE`` moves in which no card went up.

What the descriptions of the games advise, and where it is followed here:

* *Before each move look at what the next redeal will bring; prefer the move that prepares it; if the redeal seems
  to block, move a card or two before it* (Cruel): the whole of :class:`Planner`.
* *Play to the foundations first* (Cruel), *of several piles build on the one of highest rank* (Cruel): :class:`Greedy`.
* *Twos first: find them and free their rows*, *protect low cards from high ones*, *the first empty row is worth most*,
  *no to and fro: each move should let a card go up or open a row*, *when stuck, follow the obstacles of one
  foundation* (Beleaguered Castle): :class:`Careful`, which says at each rule which piece of advice it is.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import Protocol

from crenel.rules.cards import card_rank
from crenel.rules.game import Game
from crenel.rules.moves import FOUNDATION, Move
from crenel.rules.position import Position
from crenel.rules.reading import listing, quoted
from crenel.study.quick import REDEAL_STEP, Pile, Quick, Step, as_move

PATIENCE = 50
"""After so many moves without a card that goes up the game is given up."""
_LOOKS = 60
"""So many layouts a planner, and so many positions a careful player, looks at for one plan."""
_NO_CARD = 99


class UnknownPlayer(ValueError):
    """A name that no player has, or a player of another kind of game; the message says which there are."""


class Player(Protocol):
    """Someone who plays."""

    def plan(self, at: Quick, met: set[Hashable], rng: random.Random) -> list[Step]:
        """The next moves, all legal one after the other, or none to give up.

        Args:
            at: The position; it is left as it is.
            met: The keys of all positions of the game so far.
            rng: Decides between what is equally good.
        """


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played.

    Attributes:
        moves: All moves; each is legal.
        is_won: Whether all cards went up.
        left: How many cards did not.
    """

    moves: tuple[Move, ...]
    is_won: bool
    left: int


def play(player: Player, position: Position, rng: random.Random) -> PlayedGame:
    """Plays from a position to the end.

    Args:
        player: Who plays.
        position: The start; it is left as it is.
        rng: Decides between what is equally good.
    """
    at = Quick.of(position)
    met: set[Hashable] = {at.key}
    moves: list[Step] = []
    fewest, since = at.left, 0
    while not at.is_won and since < PATIENCE:
        steps = player.plan(at, met, rng)
        if not steps:
            break
        for step in steps:
            at.play(step)
            met.add(at.key)
        moves += steps
        left = at.left
        since = 0 if left < fewest or at.hand else since + len(steps)
        fewest = min(fewest, left)
    return PlayedGame(tuple(map(as_move, moves)), at.is_won, at.left)


def dice(seed: int, player: str, game: Game, deal: str) -> random.Random:
    """The random numbers of one game, the same on every machine.

    Args:
        seed: Any number.
        player: The name of the player.
        game: The rules.
        deal: The name of the deal.
    """
    return random.Random(f"{seed} {player} {game.id} {deal}")


def _after(at: Quick, step: Step) -> Quick:
    after = at.copy()
    after.play(step)
    return after


def _first_new(at: Quick, moves: list[Step], met: set[Hashable]) -> list[Step]:
    """The first move that leads to something new; the redeal when no other one does."""
    for step in moves:
        if _after(at, step).key not in met:
            return [step]
    redealt = at.redealt(bool(moves))
    return [REDEAL_STEP] if redealt is not None and redealt.key not in met else []


class RandomPlayer:
    """Makes any move of a card that leads to something new, each as likely as the others; redeals when none does."""

    def plan(self, at: Quick, met: set[Hashable], rng: random.Random) -> list[Step]:
        """See :class:`Player`."""
        moves = at.card_moves()
        rng.shuffle(moves)
        return _first_new(at, moves, met)


class Greedy:
    """Plays up what can go up, else moves the card of the highest rank; redeals when nothing else is new."""

    def plan(self, at: Quick, met: set[Hashable], rng: random.Random) -> list[Step]:
        """See :class:`Player`."""
        moves = at.card_moves()
        rng.shuffle(moves)
        moves.sort(key=lambda step: self._worth(at, step), reverse=True)
        return _first_new(at, moves, met)

    @staticmethod
    def _worth(at: Quick, step: Step) -> tuple[bool, bool, int]:
        source, target, count = step
        pile = at.piles[target]
        if at.hand:  # a card in hand goes onto one that it fits
            return False, bool(pile) and pile[-1] in at.chart.targets[at.hand[0]], 0
        is_up = target == FOUNDATION
        return is_up, not is_up and bool(pile), card_rank(at.piles[source][-count])


class Planner:
    """Looks at layouts that can be reached before the next redeal, and chooses by what that redeal brings.

    The best layout after a redeal is the one in which most moves can be made; cards that are up and cards that lie on
    one that they fit count a little. A layout in which nothing can move is no choice. When no redeal is left, most
    cards up. Where nothing is in sight at all, a move as :class:`Greedy` makes it.
    """

    def plan(self, at: Quick, met: set[Hashable], rng: random.Random) -> list[Step]:
        """See :class:`Player`."""
        best: tuple[float, float] = (-math.inf, 0.0)
        chosen: list[Step] = []
        # The last one first: where a redeal has to wait until no card can move, only the ends are choices.
        waiting: list[tuple[Quick, list[Step]]] = [(at, [])]
        seen = {at.key}
        for _ in range(_LOOKS):
            if not waiting:
                break
            here, way = waiting.pop()
            if here.is_won:
                return way
            moves = here.card_moves()
            redealt = here.redealt(bool(moves))
            if redealt is not None:
                worth = self._worth(redealt), rng.random()
                if worth > best and redealt.key not in met:
                    best, chosen = worth, [*way, REDEAL_STEP]
            elif not moves and here.redeals_left == 0:
                worth = -here.left, rng.random()
                if worth > best:
                    best, chosen = worth, way
            rng.shuffle(moves)
            for step in moves:
                after = _after(here, step)
                key = after.key
                if key not in seen and key not in met:
                    seen.add(key)
                    waiting.append((after, [*way, step]))
        return chosen or Greedy().plan(at, met, rng)

    @staticmethod
    def _worth(at: Quick) -> float:
        moves = len(at.card_moves())
        if not moves:
            return -math.inf
        targets = at.chart.targets
        built = sum(card in targets[below] for pile in at.piles for below, card in pairwise(pile))
        return 4 * moves + built - at.left


class Careful:
    """Looks at positions a few moves ahead, the most promising first, and takes the way to the best one.

    While the cards are being placed, each goes where it buries the fewest lower ones, best onto one that it fits.
    """

    def plan(self, at: Quick, met: set[Hashable], rng: random.Random) -> list[Step]:
        """See :class:`Player`."""
        if at.hand:
            return [min(at.card_moves(), key=lambda step: (self._harm(at, step), rng.random()))]
        best = math.inf
        chosen: list[Step] = []
        waiting: list[tuple[float, float, Quick, list[Step], list[Step]]] = []
        heappush(waiting, (0.0, 0.0, at, [], at.card_moves()))
        seen = {at.key}
        weighed: dict[Hashable, int] = {}
        for _ in range(_LOOKS):
            if not waiting:
                break
            harm, _, here, way, moves = heappop(waiting)
            if way and harm < best:
                best, chosen = harm, way
            if here.is_won:
                break
            for step in moves:
                after = _after(here, step)
                key = after.key
                # No to and fro: what was met in this game is never entered again.
                if key not in seen and key not in met:
                    seen.add(key)
                    # Each move costs a little, so that it has to let a card go up, open a row, or uncover.
                    then = after.card_moves()
                    harm = len(way) + 1 - self._worth(after, then, weighed)
                    heappush(waiting, (harm, rng.random(), after, [*way, step], then))
        return chosen

    def _worth(self, at: Quick, moves: list[Step], weighed: dict[Hashable, int]) -> float:
        movable = len({source for source, _, _ in moves})
        if not movable:
            return math.inf if at.is_won else -math.inf
        worth = 6 * movable - 10 * at.left
        wanted = tuple(at.wanted or ())
        for pile in at.piles:
            key = pile, wanted  # a move changes two rows, the others were weighed before
            weight = weighed.get(key)
            if weight is None:
                weight = weighed[key] = self._weight(pile, wanted, at.turns)
            worth += weight
        return worth

    @staticmethod
    def _weight(pile: Pile, wanted: Pile, turns: tuple[int, ...]) -> int:
        if not pile:
            return 20  # the empty row
        weight, lowest, above = 0, _NO_CARD, len(pile)
        for card in pile:
            above -= 1
            if card in wanted:
                weight -= 3 * above  # twos first; and when stuck, the obstacles of what a foundation wants
            turn = turns[card]
            if turn > lowest:
                weight -= 6  # a high card on a low one
            else:
                lowest = turn
        return weight

    @staticmethod
    def _harm(at: Quick, step: Step) -> tuple[int, int]:
        card, pile, turns = at.hand[0], at.piles[step[1]], at.turns
        fits = bool(pile) and pile[-1] in at.chart.targets[card]
        return 3 * sum(turns[other] < turns[card] for other in pile) - 2 * fits, len(pile)


PLAYERS: dict[str, Callable[[], Player]] = {
    "random": RandomPlayer,
    "greedy": Greedy,
    "planner": Planner,
    "careful": Careful,
}
"""The players by name."""


def find_player(name: str, game: Game) -> Player:
    """The player of that name.

    Args:
        name: One of ``PLAYERS``.
        game: What is to be played.

    Raises:
        UnknownPlayer: when there is no such player, or it cannot play the game.
    """
    if name not in PLAYERS:
        raise UnknownPlayer(f"there is no player {quoted(name)}; the players are {listing(list(PLAYERS))}")
    if name not in players_of(game):
        what = (
            "plans redeals, and there are none" if name == "planner" else "knows games without redeals only"
        )
        raise UnknownPlayer(
            f"the player {name} {what}: {game.title} is played by {listing(players_of(game))}"
        )
    return PLAYERS[name]()


def players_of(game: Game) -> list[str]:
    """The names of the players of a game; the last one is the most skilled."""
    return ["random", "greedy", "planner" if game.has_redeal else "careful"]
