"""What the browser is shown of a position and a game: messages made from them, and nothing decided.

Pure functions. The words come from :mod:`crenel.play.words`; what a front end of its own needs is written here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, cast

from crenel.play.blockers import find_blockers
from crenel.play.session import Session
from crenel.play.words import (
    announce,
    announce_undone,
    counted,
    counts_words,
    foundations_words,
    listed,
    moves_list,
    new_tops,
    pile_name,
    redeals_line,
    state_words,
    top_rank,
)
from crenel.rules.cards import SUIT_NAMES, Suit, card_name, card_words, make_card
from crenel.rules.game import Game
from crenel.rules.moves import REDEAL, IllegalMove, Move, move_name
from crenel.rules.position import Position
from crenel.rules.reading import one_line
from crenel.web.messages import (
    BlockersView,
    Change,
    Counts,
    FoundationView,
    Frame,
    GameView,
    Layout,
    Link,
    MovesView,
    PileView,
    Preview,
    RedealView,
    Standing,
)

SuitName = Literal["C", "D", "H", "S"]
ChangeKind = Literal["show", "begin", "move", "undo", "redo", "go-to", "safe", "give-up"]


def game_view(game: Game) -> GameView:
    """The game on the table."""
    return GameView(
        id=game.id,
        base=game.origin,
        title=game.title,
        family=cast(Literal["castle", "cruel"], game.family),
        pile_word=game.pile_word,
        cards=game.cards,
        has_redeal=game.has_redeal,
        by_hand=game.deal.order == "by-hand",
        pile_sizes=list(game.piles.sizes),
    )


def whole_sentence(text: str) -> str:
    """The message of an error as a sentence: one line, with a capital where a word begins it, and an end."""
    said = one_line(text)
    first = said.split(" ", 1)[0]
    if first.isalpha():
        said = said[0].upper() + said[1:]
    return said if said.endswith((".", "?", "…")) else f"{said}."


# The cards


def layout(position: Position) -> Layout:
    """The cards of a position."""
    return Layout(
        piles=[
            PileView(cards=[card_name(card) for card in cards], label=_pile_label(position, pile))
            for pile, cards in enumerate(position.piles)
        ],
        foundations=_foundations(position),
        hand=[card_name(card) for card in position.hand],
        redeals_used=position.redeals_used,
    )


def _pile_label(position: Position, pile: int) -> str:
    name, cards = pile_name(position, pile).capitalize(), position.piles[pile]
    if not cards:
        return f"{name}: empty"
    return f"{name}: {counted(len(cards), 'card')}, top {card_words(cards[-1])}"


def _foundations(position: Position) -> list[FoundationView]:
    views = []
    for suit, label in enumerate(foundations_words(position)):
        top, wanted = top_rank(position, suit), position.wanted_rank(suit)
        views.append(
            FoundationView(
                suit=suit_name(suit),
                cards=position.foundations[suit],
                top=None if top is None else card_name(make_card(top, suit)),
                wanted=None if wanted is None else card_name(make_card(wanted, suit)),
                label=label,
            )
        )
    return views


def suit_name(suit: Suit) -> SuitName:
    """The letter of a suit as messages carry it."""
    return cast(SuitName, SUIT_NAMES[suit])


def suit_of(name: SuitName) -> Suit:
    """The suit of a letter."""
    return SUIT_NAMES.index(name)


# What may be done, what is counted, how it stands


def redeal_view(position: Position, legal: Sequence[Move]) -> RedealView:
    """The redeal.

    Args:
        position: The position.
        legal: Its legal moves.
    """
    allowed = REDEAL in legal
    return RedealView(
        allowed=allowed,
        why_not=None if allowed else position.why_not(REDEAL),
        used=position.redeals_used,
        left=position.redeals_left,
        text=redeals_line(position) if position.game.has_redeal else "This game has no redeal",
    )


def counts(session: Session, position: Position) -> Counts:
    """What is counted in a game; ``position`` is that of the session."""
    return Counts(
        up=sum(position.foundations),
        cost=position.cost,
        tableau=position.tableau_moves,
        foundation=position.foundation_moves,
        redeals=position.redeals,
        score=None if position.game.score == "win-loss" else position.score,
        seconds=round(session.seconds, 1),
        text=counts_words(position),
    )


def standing(position: Position, legal: Sequence[Move]) -> Standing:
    """How the game stands by the rules alone.

    Args:
        position: The position.
        legal: Its legal moves; where there are two or more, it stands in the midst of play.
    """
    if len(legal) > 1:
        return Standing(kind="playing", text=None)
    kind: Literal["playing", "won", "stuck", "lost", "loop"] = "playing"
    if position.is_won:
        kind = "won"
    elif position.is_lost:
        kind = "lost"
    elif position.is_stuck:
        kind = "stuck"
    elif position.is_loop:
        kind = "loop"
    return Standing(kind=kind, text=None if kind == "playing" else state_words(position))


# What has just happened


def _change(kind: ChangeKind, moves: Sequence[Move], text: str) -> Change:
    return Change(kind=kind, moves=[move_name(move) for move in moves], text=text)


def change_opened(session: Session, *, begun: bool) -> Change:
    """A game that was opened or came back."""
    game, position = session.game, session.position
    start = "a game from a board" if session.deal is None else f"deal {session.deal}"
    if begun:
        return _change("begin", (), f"{game.title}, {start}.")
    made = counted(len(session.moves), "move")
    up = f"{sum(position.foundations)} of {game.cards} cards are on the foundations"
    return _change("show", (), f"{game.title}, {start}: {made} made, {up}.")


def change_moved(before: Position, moves: Sequence[Move], kind: ChangeKind = "move") -> Change:
    """Moves that were made from ``before``: the first one is told, safe ones that followed it are counted.

    Args:
        before: The position before the first move.
        moves: The moves, at least one.
        kind: ``move``, ``redo``, ``go-to`` or ``safe``.
    """
    if kind == "safe":
        up = [card_words(before.piles[move.source][-1]) for move in moves[:1]]
        text = f"Played what is safe: {_sent_up(len(moves), up)}."
        return _change(kind, moves, text)
    if kind in ("redo", "go-to") and len(moves) > 1:
        return _change("go-to", moves, f"{counted(len(moves), 'move')} made again.")
    after = before.copy()
    after.push(moves[0])
    text = announce(before, moves[0], after)
    if len(moves) > 1:
        text += f" Then what is safe was played: {_sent_up(len(moves) - 1, [])}."
    return _change(kind, moves, text)


def _sent_up(count: int, cards: list[str]) -> str:
    if count == 1 and cards:
        return f"the {cards[0]} went to its foundation"
    return f"{counted(count, 'card')} went to the foundations"


def change_undone(before: Position, moves: Sequence[Move], after: Position) -> Change:
    """Moves that were taken back.

    Args:
        before: The position in which they had been made.
        moves: The moves in the order in which they were taken back, at least one.
        after: The position now.
    """
    if len(moves) == 1:
        return _change("undo", moves, announce_undone(before, moves[0], after))
    return _change("go-to", moves, f"{counted(len(moves), 'move')} taken back.")


def change_given_up(session: Session) -> Change:
    """The player gave up."""
    up = sum(session.position.foundations)
    return _change("give-up", (), f"Given up with {up} of {session.game.cards} cards on the foundations.")


# Answers to questions that need no search


def preview(position: Position, after: Move | None) -> Preview:
    """The layout after the next redeal.

    Args:
        position: The position.
        after: A move that is only considered: the redeal comes after it.

    Raises:
        IllegalMove: when the game has no redeal, or that move is illegal.
    """
    considered = position.copy()
    if after is not None:
        if after.is_redeal:
            raise IllegalMove("The preview shows a redeal already.")
        considered.push(after)
    then = considered.redealt()
    why_not = considered.why_not(REDEAL)
    fresh = new_tops(position, then)
    opens = sum(not move.is_redeal for move in then.legal_moves)
    condition = "After the redeal" if after is None else "After this move and the redeal"
    tops = (
        f"these cards would be on top that are covered now: {listed(map(card_words, fresh))}"
        if fresh
        else "no new card is on top"
    )
    moves = f"{counted(opens, 'move')} would be possible" if opens else "no card could move"
    text = f"{condition}, {tops}; {moves}."
    if why_not is not None:
        text += f" It is not allowed now: {why_not}"
    return Preview(
        made=len(position.moves),
        after=None if after is None else move_name(after),
        layout=layout(then),
        allowed=why_not is None,
        why_not=why_not,
        fresh=[card_name(card) for card in fresh],
        opens=opens,
        text=text,
    )


def blockers(position: Position, suit: Suit) -> BlockersView:
    """What stands in the way of a foundation."""
    found = find_blockers(position, suit)
    return BlockersView(
        made=len(position.moves),
        suit=suit_name(suit),
        wanted=None if found.wanted is None else card_name(found.wanted),
        chain=[
            Link(card=card_name(link.card), blocker=card_name(link.blocker), pile=link.pile + 1)
            for link in found.chain
        ],
        is_blocked=found.is_blocked,
        is_circle=found.is_circle,
        text=found.text,
    )


def legal_moves(position: Position) -> MovesView:
    """The legal moves in words."""
    lines = moves_list(position, position.legal_moves)
    return MovesView(made=len(position.moves), lines=lines or ["No move is possible."])


def frames(start: Position, moves: Sequence[Move]) -> Iterator[Frame]:
    """The positions of a line, the start first; one at a time, for a long line takes a while.

    Args:
        start: Where the line begins.
        moves: The moves, legal there.
    """
    position = start.copy()
    yield Frame(move=None, layout=layout(position), text="The start.")
    for move in moves:
        before = position.copy()
        position.push(move)
        text = announce(before, move, position)
        if position.is_won:
            text += " The game is won."
        yield Frame(move=move_name(move), layout=layout(position), text=text)


def start_of(position: Position) -> Position:
    """The position before the first of its moves."""
    start = position.copy()
    while start.moves:
        start.pop()
    return start
