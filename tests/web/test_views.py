"""What the browser is shown agrees with the rules, for every game, along random play."""

from __future__ import annotations

import random

import pytest

from crenel import GAMES, Position, deal, find_game, format_moves, parse_board, parse_card
from crenel.play.session import Session
from crenel.rules.cards import card_suit
from crenel.rules.moves import REDEAL, IllegalMove
from crenel.web import views


def random_play(name: str, moves: int, seed: int = 1) -> list[Position]:
    """Positions along a random game."""
    position, chance = deal(find_game(name), "ms:24"), random.Random(seed)
    seen = [position.copy()]
    while len(seen) <= moves and (legal := position.legal_moves):
        position.push(chance.choice(legal))
        seen.append(position.copy())
    return seen


@pytest.mark.parametrize("name", GAMES)
def test_the_layout_is_the_position(name: str) -> None:
    for position in random_play(name, 40):
        shown = views.layout(position)
        assert [tuple(map(parse_card, pile.cards)) for pile in shown.piles] == list(position.piles)
        assert tuple(map(parse_card, shown.hand)) == position.hand
        for suit, foundation in enumerate(shown.foundations):
            assert foundation.suit == views.suit_name(suit) and views.suit_of(foundation.suit) == suit
            assert foundation.cards == position.foundations[suit]
            assert (foundation.top is None) == (foundation.cards == 0)
            for named in (foundation.top, foundation.wanted):
                assert named is None or card_suit(parse_card(named)) == suit
            if foundation.wanted is not None:
                assert position.goes_up(parse_card(foundation.wanted))
        for number, pile in enumerate(shown.piles, 1):
            assert pile.label.startswith(f"{position.game.pile_word.capitalize()} {number}: ")


@pytest.mark.parametrize("name", GAMES)
def test_the_preview_is_the_redeal(name: str) -> None:
    for position in random_play(name, 25):
        if not position.game.has_redeal:
            with pytest.raises(IllegalMove):
                views.preview(position, None)
            continue
        shown = views.preview(position, None)
        assert shown.allowed == (REDEAL in position.legal_moves)
        assert (shown.why_not is None) == shown.allowed
        if shown.allowed:
            then = position.copy()
            then.push(REDEAL)
            assert shown.layout == views.layout(then)
            assert shown.opens == sum(not move.is_redeal for move in then.legal_moves)
        for move in position.legal_moves[:3]:
            if not move.is_redeal:
                moved = position.copy()
                moved.push(move)
                assert views.preview(position, move).layout == views.layout(moved.redealt())


@pytest.mark.parametrize("name", GAMES)
def test_standing_and_redeal_follow_the_rules(name: str) -> None:
    for seed in range(4):
        for position in random_play(name, 60, seed):
            legal = position.legal_moves
            kind = views.standing(position, legal).kind
            assert (kind == "won") == position.is_won
            assert (kind == "lost") == (position.is_lost and not position.is_won)
            assert (kind == "loop") == (position.is_loop and not position.is_stuck)
            assert (kind == "stuck") == (position.is_stuck and not position.is_lost)
            redeal = views.redeal_view(position, legal)
            assert redeal.allowed == (REDEAL in legal)
            assert redeal.why_not == position.why_not(REDEAL)


def test_sentences_of_changes() -> None:
    session = Session.begin(find_game("cruel"), "ms:24")
    assert views.change_opened(session, begun=True).text == "Cruel, deal ms:24."
    before = session.position
    session.play(before.legal_moves[0])
    moved = views.change_moved(before, session.moves)
    assert moved.text == "2 of hearts from pile 10 to its foundation; pile 10 now shows the 10 of diamonds."
    assert moved.moves == [format_moves(session.moves)]
    back = views.change_undone(session.position, session.moves, before)
    assert back.kind == "undo" and back.text.startswith("Taken back: 2 of hearts")
    assert views.change_opened(session, begun=False).text == (
        "Cruel, deal ms:24: 1 move made, 5 of 52 cards are on the foundations."
    )
    assert views.change_given_up(session).text == "Given up with 5 of 52 cards on the foundations."


def test_frames_show_each_position_of_a_line() -> None:
    positions = random_play("ripple-fan", 15)
    shown = list(views.frames(positions[0], positions[-1].moves))
    assert [frame.layout for frame in shown] == [views.layout(position) for position in positions]
    assert shown[0].move is None and all(frame.text for frame in shown)


def test_a_first_card_fixes_the_base() -> None:
    game = next(game for game in GAMES.values() if game.foundation.base == "first")
    shown = views.layout(deal(game, "ms:1"))
    assert [foundation.wanted for foundation in shown.foundations] == [None] * 4
    assert "any card" in shown.foundations[0].label


def test_a_won_game() -> None:
    won = parse_board("Foundations: C-K D-K H-K S-K\n" + "\n" * 8, find_game("beleaguered-castle"))
    standing = views.standing(won, won.legal_moves)
    assert standing.kind == "won" and standing.text == "The game is won: all 52 cards are on the foundations."
    assert views.legal_moves(won).lines == ["No move is possible."]
