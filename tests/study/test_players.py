"""Simulated players: every move is legal by the rules, no game goes on for ever, and the skilled win more."""

from __future__ import annotations

import random

import pytest

from crenel.rules.catalogue import GAMES, find_game
from crenel.rules.deals import deal
from crenel.rules.game import Game
from crenel.rules.moves import REDEAL
from crenel.rules.notation import parse_board
from crenel.study.players import (
    PATIENCE,
    PLAYERS,
    PlayedGame,
    UnknownPlayer,
    dice,
    find_player,
    play,
    players_of,
)
from crenel.study.playing import Playing, play_games
from crenel.study.quick import Quick, as_move


def played(game: Game, name: str, number: int, seed: int = 1) -> PlayedGame:
    return play(find_player(name, game), deal(game, f"ms:{number}"), dice(seed, name, game, f"ms:{number}"))


def wins(name: str, player: str, last: int) -> int:
    game = find_game(name)
    return sum(played(game, player, number).is_won for number in range(1, last + 1))


# The quick position is the position of the rules


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_quick_position_has_the_moves_of_the_rules(game: Game) -> None:
    rng = random.Random(game.id)
    for number in range(1, 4):
        position = deal(game, f"ms:{number}")
        quick = Quick.of(position)
        for _ in range(120):
            steps = quick.card_moves()
            legal = position.legal_moves
            redealt = quick.redealt(bool(steps))
            found = [*map(as_move, steps), *([REDEAL] if redealt is not None else [])]
            assert sorted(found) == sorted(legal)
            assert (quick.is_won, quick.left) == (position.is_won, game.cards - sum(position.foundations))
            if not legal:
                break
            move = rng.choice(legal)
            before, twin = quick.key, quick.copy()
            position.push(move)
            quick.play((move.source, move.target, move.count))
            assert tuple(quick.piles) == position.piles
            assert quick.key == Quick.of(position).key
            assert twin.key == before, "a copy has changed with its original"


@pytest.mark.parametrize(
    "rule", ["redeal.order=top-down", "redeal.order=one-by-one", "run=run", "build.wrap=yes"]
)
def test_the_quick_position_follows_changed_rules(rule: str) -> None:
    key, _, value = rule.partition("=")
    game = find_game("cruel").with_rules({key: value, "ranks": 6, "piles.sizes": "5x4"})
    rng = random.Random(rule)
    for number in range(1, 30):
        position = deal(game, f"ms:{number}")
        for _ in range(30):
            quick = Quick.of(position)
            steps = quick.card_moves()
            found = [*map(as_move, steps), *([REDEAL] if quick.redealt(bool(steps)) is not None else [])]
            assert sorted(found) == sorted(position.legal_moves)
            if not found:
                break
            position.push(rng.choice(found))


def test_the_order_of_the_rows_means_nothing_without_redeals_and_much_with_them() -> None:
    for name, is_same in (("beleaguered-castle", True), ("cruel", False)):
        quick = Quick.of(deal(find_game(name), "ms:1"))
        turned = quick.copy()
        turned.piles.reverse()
        assert (quick.key == turned.key) is is_same


# Games


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_move_of_a_player_is_legal_and_no_layout_comes_twice(game: Game) -> None:
    for name in players_of(game):
        for number in range(1, 4):
            result = played(game, name, number)
            position = deal(game, f"ms:{number}")
            keys = {position.key}
            for move in result.moves:
                position.push(move)  # raises when it is illegal
                assert position.key not in keys
                keys.add(position.key)
            assert position.is_won is result.is_won
            assert result.left == game.cards - sum(position.foundations)


def test_a_player_gives_up() -> None:
    """In this game empty piles take any card, so that there is nearly always something new to do."""
    game = find_game("royal-family-classic")
    result = played(game, "random", 2)
    longest, since = 0, 0
    for move in result.moves:
        since = 0 if move.is_foundation else since + 1
        longest = max(longest, since)
    assert longest <= PATIENCE
    assert len(result.moves) <= (PATIENCE + 1) * game.cards


def test_the_same_seed_plays_the_same_game_and_another_one_does_not() -> None:
    for name, game_name in (("random", "cruel"), ("planner", "cruel"), ("careful", "streets-and-alleys")):
        game = find_game(game_name)
        games = {played(game, name, 3, seed).moves for seed in (1, 1, 1)}
        assert len(games) == 1
        assert len({played(game, name, 3, seed).moves for seed in range(1, 9)}) > 1


def test_dice_are_frozen() -> None:
    """The games of a seed stay what they are on every machine: stored results rest on it."""
    rng = dice(1, "planner", find_game("cruel"), "ms:1")
    assert [rng.randrange(1000) for _ in range(4)] == [911, 953, 347, 287]


def test_greedy_plays_up_first_and_then_the_highest_rank() -> None:
    game = find_game("cruel")
    board = "Foundations: C-A D-A H-A S-A\n" + "\n".join(
        ["KC 3C", "4C", "2D", "KD QD", "TD 9D", "TS", "9S", "JD"] + [""] * 4
    )
    lines = board.splitlines()
    present = {word for line in lines[1:] for word in line.split()}
    rest = [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQK" if f"{rank}{suit}" not in present]
    lines[9:13] = [" ".join(rest[place::4]) for place in range(4)]
    position = parse_board("\n".join(lines), game)
    moves = play(find_player("greedy", game), position, random.Random(1)).moves
    assert moves[0].is_foundation
    first = next(move for move in moves if not move.is_foundation)
    position_then = position.copy()
    for move in moves[: moves.index(first)]:
        position_then.push(move)
    ranks = {
        move: position_then.piles[move.source][-1] // 4
        for move in position_then.legal_moves
        if move.is_tableau
    }
    assert ranks[first] == max(ranks.values())


def test_the_planner_beats_the_greedy_one_and_the_random_one() -> None:
    assert wins("cruel", "planner", 60) > 2 * max(wins("cruel", "greedy", 60), wins("cruel", "random", 60), 2)


def test_the_careful_one_beats_the_greedy_one() -> None:
    assert wins("citadel", "careful", 10) > 2 * max(wins("citadel", "greedy", 10), 1)


def test_unwinnable_deals_are_not_won() -> None:
    game = find_game("beleaguered-castle")
    games = play_games(deal(game, "ms:1"), "ms:1", Playing("careful", 3, 1))
    assert (games.wins, games.cost, games.redeals) == (0, None, None)
    assert games.moves > 0


def test_games_of_a_deal_say_what_the_cheapest_win_took() -> None:
    game = find_game("citadel")
    playing = Playing("careful", 4, 7)
    for number in range(1, 12):
        name = f"ms:{number}"
        games = play_games(deal(game, name), name, playing)
        own = [played(game, "careful", number, seed) for seed in range(7, 11)]
        assert games.wins == sum(one.is_won for one in own)
        assert games.moves == sum(len(one.moves) for one in own)
        costs = [sum(move.is_tableau or move.is_redeal for move in one.moves) for one in own if one.is_won]
        assert games.cost == (min(costs) if costs else None)
        if costs:
            assert games.foundation_moves == game.cards - sum(deal(game, name).foundations)
            break
    else:
        pytest.fail("no deal was won")


def test_players_are_named() -> None:
    cruel, castle = find_game("cruel"), find_game("beleaguered-castle")
    assert players_of(cruel) == ["random", "greedy", "planner"]
    assert players_of(castle) == ["random", "greedy", "careful"]
    with pytest.raises(
        UnknownPlayer, match=r"no player 'wizard'; the players are random, greedy, planner, careful"
    ):
        find_player("wizard", cruel)
    with pytest.raises(UnknownPlayer, match="careful knows games without redeals only: Cruel is played by"):
        find_player("careful", cruel)
    with pytest.raises(UnknownPlayer, match="planner plans redeals, and there are none"):
        find_player("planner", castle)
    assert set(PLAYERS) == {*players_of(cruel), *players_of(castle)}
