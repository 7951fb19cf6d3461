"""A position: the cards on piles and foundations, and what may be done with them.

This is the only authority on legality in the program. It is written to be read: slow and obvious.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from crenel.rules.cards import (
    RANK_WORDS,
    SUIT_WORDS,
    SUITS,
    Card,
    Rank,
    Suit,
    card_rank,
    card_suit,
    card_words,
    is_red,
)
from crenel.rules.game import PACKET, Game
from crenel.rules.moves import FOUNDATION, HAND, REDEAL, IllegalMove, Move, move_name


@dataclass(frozen=True, slots=True)
class _Undo:
    """What :meth:`Position.pop` needs to take a move back."""

    move: Move
    base: Rank | None
    piles: tuple[tuple[Card, ...], ...] | None = None  # not lists: copies of a position share their history
    card: Card = -1


class Position:
    """One position of a game, with the moves that led to it.

    Args:
        game: The rules.
        piles: The cards of each pile, bottom to top; missing piles at the end are empty.
        foundations: How many cards lie on the foundation of each suit (clubs, diamonds, hearts, spades).
        hand: The cards still to be placed, next first (games that are dealt by hand).
        base: The rank of the foundations' base cards; needed only where the game's base is ``first`` and a
            foundation has been opened.
        redeals_used: How many redeals were made.

    Raises:
        ValueError: when there are more piles than the game has, or more cards than its redeal has room for
            (a written position may have bases in the piles that the game deals to the foundations).
    """

    __slots__ = ("_counts", "_hand", "_piles", "_undo", "base", "game", "redeals_used")

    def __init__(
        self,
        game: Game,
        piles: Iterable[Sequence[Card]],
        foundations: Sequence[int] = (0, 0, 0, 0),
        *,
        hand: Sequence[Card] = (),
        base: Rank | None = None,
        redeals_used: int = 0,
    ) -> None:
        self.game = game
        self._piles = [list(pile) for pile in piles]
        missing = len(game.piles.sizes) - len(self._piles)
        if missing < 0:
            raise ValueError(f"{len(self._piles)} piles, but {game.title} has {len(game.piles.sizes)}")
        self._piles += [[] for _ in range(missing)]
        cards, room = sum(map(len, self._piles)) + len(hand), game.redeal_room
        if room is not None and cards > room:
            raise ValueError(
                f"{cards} cards are not on foundations, but a redeal of {game.title} has room for {room}"
            )
        self._counts = list(foundations)
        self._hand = list(hand)
        self.base = game.base_rank if game.base_rank is not None else base
        self.redeals_used = redeals_used
        self._undo: list[_Undo] = []

    # What there is to see

    @property
    def piles(self) -> tuple[tuple[Card, ...], ...]:
        """The cards of each pile, bottom to top."""
        return tuple(tuple(pile) for pile in self._piles)

    @property
    def foundations(self) -> tuple[int, ...]:
        """How many cards lie on the foundation of each suit (clubs, diamonds, hearts, spades)."""
        return tuple(self._counts)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards still to be placed, the next one first."""
        return tuple(self._hand)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves pushed and not popped, the first one first."""
        return tuple(undo.move for undo in self._undo)

    @property
    def redeals_left(self) -> int | None:
        """How many redeals are left, or ``None`` when they are not limited."""
        limit = self.game.redeal.limit
        return None if limit is None else max(limit - self.redeals_used, 0)

    @property
    def tableau_moves(self) -> int:
        """How many of :attr:`moves` went from pile to pile."""
        return sum(undo.move.is_tableau for undo in self._undo)

    @property
    def foundation_moves(self) -> int:
        """How many of :attr:`moves` went to a foundation."""
        return sum(undo.move.is_foundation for undo in self._undo)

    @property
    def redeals(self) -> int:
        """How many of :attr:`moves` were redeals."""
        return sum(undo.move.is_redeal for undo in self._undo)

    @property
    def cost(self) -> int:
        """Tableau moves and redeals among :attr:`moves`: the shorter win has the lower cost."""
        return self.tableau_moves + self.redeals

    @property
    def score(self) -> int:
        """The score by the game's rule: 1 or 0 (win-loss), or cards on the foundations."""
        if self.game.score == "win-loss":
            return int(self.is_won)
        return sum(self._counts) - (SUITS if self.game.score == "cards-up-less-bases" else 0)

    @property
    def key(self) -> Hashable:
        """Equal for two positions exactly when every future is the same, pile order included."""
        return (tuple(self._counts), self.base, tuple(self._hand), self.piles, self.redeals_left)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        from crenel.rules.notation import format_board  # the text form stands above this module

        return f"parse_board({format_board(self)!r}, find_game({self.game.id!r}))"

    def copy(self) -> Position:
        """An independent position with the same cards and the same history."""
        twin = Position(
            self.game,
            self._piles,
            self._counts,
            hand=self._hand,
            base=self.base,
            redeals_used=self.redeals_used,
        )
        twin._undo = list(self._undo)
        return twin

    # What fits where

    def wanted_rank(self, suit: Suit) -> Rank | None:
        """The rank that the foundation of ``suit`` takes next.

        Returns:
            ``None`` when the foundation is complete, or when no card has fixed the base yet (any rank is taken).
        """
        count = self._counts[suit]
        if count >= self.game.ranks or self.base is None:
            return None
        if self.game.foundation.base == "K":
            return self.base - count
        return (self.base + count) % self.game.ranks

    def goes_up(self, card: Card) -> bool:
        """Whether the foundation of the card's suit takes the card now."""
        suit = card_suit(card)
        if self._counts[suit] >= self.game.ranks:
            return False
        return self.base is None or self.wanted_rank(suit) == card_rank(card)

    def fits(self, card: Card, target: Card) -> bool:
        """Whether the build rule lets ``card`` lie on ``target``."""
        build = self.game.build
        step = card_rank(target) - card_rank(card)
        down, up = 1, -1
        if build.wrap:
            step, up = step % self.game.ranks, self.game.ranks - 1
        if step not in {"down": (down,), "up": (up,), "either": (down, up)}[build.direction]:
            return False
        if build.suits == "same":
            return card_suit(card) == card_suit(target)
        if build.suits == "alternate-colour":
            return is_red(card) != is_red(target)
        return True

    def run_length(self, pile: int) -> int:
        """How many top cards of ``pile`` (from 0) may move as one, without regard to a target; 0 when empty."""
        cards = self._piles[pile]
        if self.game.run == "single" or len(cards) < 2:
            return min(len(cards), 1)
        length = 1
        while length < len(cards) and self.fits(cards[-length], cards[-length - 1]):
            length += 1
        return length

    # Legal moves

    @property
    def legal_moves(self) -> list[Move]:
        """All legal moves: to foundations, between piles, the redeal; only placings while cards are in hand."""
        moves = self._card_moves()
        if self._why_no_redeal(bool(moves)) is None:
            moves.append(REDEAL)
        return moves

    def _card_moves(self) -> list[Move]:
        """The legal moves of cards, the redeal left out."""
        if self._hand:
            sizes = self.game.piles.sizes
            return [Move(HAND, pile) for pile in range(len(sizes)) if len(self._piles[pile]) < sizes[pile]]
        filled = [pile for pile, cards in enumerate(self._piles) if cards]
        moves = [Move(pile, FOUNDATION) for pile in filled if self.goes_up(self._piles[pile][-1])]
        for source in filled:
            longest = self.run_length(source)
            for target, cards in enumerate(self._piles):
                if target == source or (not cards and self.game.empty == "none"):
                    continue
                for count in range(1, longest + 1):
                    if not cards or self.fits(self._piles[source][-count], cards[-1]):
                        moves.append(Move(source, target, count))
        return moves

    def why_not(self, move: Move) -> str | None:
        """Why a move is illegal, in one sentence, or ``None`` when it is legal."""
        if move == REDEAL:
            return self._why_no_redeal(bool(self._card_moves()))
        word = self.game.pile_word
        for pile in (move.source, move.target):
            if pile not in (HAND, FOUNDATION) and not 0 <= pile < len(self._piles):
                return f"There is no {word} {pile + 1}: this game has {len(self._piles)} {word}s."
        if move.source == FOUNDATION or move.target == HAND or (move.is_placing and move.is_foundation):
            return "No card ever leaves a foundation or goes back to the hand, and a card in hand is placed on a pile."
        if move.is_placing:
            return self._why_no_placing(move)
        if self._hand:
            return f"First place the cards in hand: the next one is the {card_words(self._hand[0])}."
        source = self._piles[move.source]
        if not source:
            return f"{word.capitalize()} {move.source + 1} is empty."
        if move.count < 1:
            return "A move takes at least one card."
        if move.is_foundation:
            if move.count > 1:
                return "Cards go to a foundation one at a time."
            return None if self.goes_up(source[-1]) else self._why_not_up(source[-1])
        return self._why_no_build(move, source)

    def _why_no_placing(self, move: Move) -> str | None:
        if not self._hand:
            return "There is no card in hand to place."
        if move.count != 1:
            return "Cards in hand are placed one at a time."
        size = self.game.piles.sizes[move.target]
        if len(self._piles[move.target]) >= size:
            return f"{self.game.pile_word.capitalize()} {move.target + 1} already holds its {size} cards."
        return None

    def _why_not_up(self, card: Card) -> str:
        suit = card_suit(card)
        wanted = self.wanted_rank(suit)
        want = "is complete" if wanted is None else f"wants the {RANK_WORDS[wanted]}"
        return f"The {card_words(card)} cannot go up: the foundation of {SUIT_WORDS[suit]} {want}."

    def _why_no_build(self, move: Move, source: list[Card]) -> str | None:
        word, game = self.game.pile_word, self.game
        if move.source == move.target:
            return f"The card lies on {word} {move.source + 1} already."
        if move.count > 1 and game.run == "single":
            return "Only one card moves at a time in this game."
        if move.count > len(source):
            plural = "s" if len(source) > 1 else ""
            return f"{word.capitalize()} {move.source + 1} holds only {len(source)} card{plural}."
        if move.count > self.run_length(move.source):
            return f"The top {move.count} cards of {word} {move.source + 1} do not form a run that may move together."
        target = self._piles[move.target]
        if not target:
            if game.empty == "any":
                return None
            return f"An empty {word} stays empty" + (" until a redeal." if game.has_redeal else ".")
        card = source[-move.count]
        if self.fits(card, target[-1]):
            return None
        how = {"down": "down", "up": "up", "either": "up or down"}[game.build.direction]
        suits = {"same": "in suit", "any": "in any suit", "alternate-colour": "in alternating colours"}
        return (
            f"The {card_words(card)} does not go on the {card_words(target[-1])}: "
            f"{word}s are built {how} {suits[game.build.suits]}."
        )

    def _why_no_redeal(self, can_move: bool) -> str | None:
        redeal = self.game.redeal
        if redeal.limit == 0:
            return "This game has no redeal."
        if self._hand:
            return f"First place the cards in hand: the next one is the {card_words(self._hand[0])}."
        if self.redeals_left == 0:
            used = "The only redeal is" if redeal.limit == 1 else f"All {redeal.limit} redeals are"
            return f"{used} used."
        if redeal.when == "when-stuck" and can_move:
            return f"A redeal is allowed only when no card can move; {move_name(self._card_moves()[0])} can be played."
        if self._redealt_piles() == self._piles:
            return "A redeal now would change nothing."
        return None

    # Playing

    def push(self, move: Move) -> None:
        """Makes a move.

        Raises:
            IllegalMove: when the rules refuse it; the message is the sentence of :meth:`why_not`.
        """
        problem = self.why_not(move)
        if problem is not None:
            raise IllegalMove(problem)
        if move.is_redeal:
            self._undo.append(_Undo(move, self.base, self.piles))
            self._piles = self._redealt_piles()
            self.redeals_used += 1
            return
        if move.is_placing:
            self._undo.append(_Undo(move, self.base))
            self._piles[move.target].append(self._hand.pop(0))
            return
        source = self._piles[move.source]
        cards = source[-move.count :]
        del source[-move.count :]
        self._undo.append(_Undo(move, self.base, card=cards[-1]))
        if move.is_foundation:
            if self.base is None:
                self.base = card_rank(cards[0])
            self._counts[card_suit(cards[0])] += 1
        else:
            self._piles[move.target].extend(cards)

    def pop(self) -> Move:
        """Takes the last move back and returns it.

        Raises:
            IndexError: when no move was pushed.
        """
        undo = self._undo.pop()
        move = undo.move
        if undo.piles is not None:
            self._piles = [list(pile) for pile in undo.piles]
            self.redeals_used -= 1
        elif move.is_placing:
            self._hand.insert(0, self._piles[move.target].pop())
        elif move.is_foundation:
            self._piles[move.source].append(undo.card)
            self._counts[card_suit(undo.card)] -= 1
        else:
            target = self._piles[move.target]
            self._piles[move.source].extend(target[-move.count :])
            del target[-move.count :]
        self.base = undo.base
        return move

    # The redeal

    def _redealt_piles(self) -> list[list[Card]]:
        """The piles after a redeal now: collected in order, never shuffled."""
        order, count = self.game.redeal.order, len(self._piles)
        if order == "top-down":
            cards = [card for pile in self._piles for card in reversed(pile)]
        else:
            cards = [card for pile in self._piles for card in pile]
        if order == "one-by-one":
            return [cards[pile::count] for pile in range(count)]
        packets = [cards[first : first + PACKET] for first in range(0, len(cards), PACKET)]
        if order == "top-down":
            packets = [packet[::-1] for packet in packets]
        return packets + [[] for _ in range(count - len(packets))]

    def redealt(self) -> Position:
        """The position after a redeal now, as a preview: whether the redeal is legal is not asked.

        Raises:
            IllegalMove: when the game has no redeal.
        """
        if not self.game.has_redeal:
            raise IllegalMove("This game has no redeal.")
        return Position(
            self.game,
            self._redealt_piles(),
            self._counts,
            hand=self._hand,
            base=self.base,
            redeals_used=self.redeals_used + 1,
        )

    # How the game stands

    @property
    def is_won(self) -> bool:
        """Whether all cards are on the foundations."""
        return all(count == self.game.ranks for count in self._counts)

    @property
    def is_stuck(self) -> bool:
        """Whether no card can move (a redeal may still be possible); a won game is not stuck."""
        return not self.is_won and not self._card_moves()

    @property
    def is_lost(self) -> bool:
        """Whether the loss shows without any search.

        The position is stuck and no redeal is left, or a redeal gives the same layout again. Where cards are
        redealt one by one, a redeal changes the layout even without a move in between; then the position is lost
        when redeals alone bring a layout back (or run out) before any card can move.
        """
        if not self.is_stuck:
            return False
        if self.game.redeal.order != "one-by-one" or not self.game.has_redeal:
            return self._why_no_redeal(False) is not None
        position, seen = self, {self.piles}
        while position._why_no_redeal(False) is None:
            position = position.redealt()
            if position.piles in seen:
                return True
            if position._card_moves():
                return False
            seen.add(position.piles)
        return True

    @property
    def is_loop(self) -> bool:
        """Whether the only move leads to a layout that a redeal turns back into this one.

        The documents' loop case: straight after a redeal the last pile holds one card, which fits on the pile
        before it, and nothing else can move. A card that can go to its foundation is another move, so then
        this is no loop.
        """
        moves = self.legal_moves
        if len(moves) != 1 or not moves[0].is_tableau or self.game.redeal.limit is not None:
            return False
        after = self.copy()
        after.push(moves[0])
        if after.legal_moves != [REDEAL]:
            return False
        return after._redealt_piles() == self._piles
