"""Counts of legal move sequences against the files in ``tests/perft``, and against a second reading of the rules."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from crenel import GAMES, Game
from tests.contract import TESTED
from tests.make_perft import FOLDER, QUICK, compare, count_moves, layout_of, start_of
from tests.naive import random_deck
from tests.rules.positions import made_up
from tests.twin import Twin


def starts_of(game_id: str) -> list[dict[str, Any]]:
    path = FOLDER / f"{game_id}.json"
    assert path.is_file(), f"{game_id} has no counts yet: run python -m tests.make_perft {game_id}"
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["game"] == game_id
    starts: list[dict[str, Any]] = content["starts"]
    return starts


def check_counts(game_id: str, *, quick: bool) -> None:
    for start in starts_of(game_id):
        position = start_of(GAMES[game_id], start["deal"], start["moves"])
        counts = start["counts"]
        depth = sum(count <= QUICK for count in counts) if quick else len(counts)
        assert count_moves(position, max(depth, 1)) == counts[: max(depth, 1)], (
            f"{start['deal']} {start['moves']}"
        )


@pytest.mark.parametrize("game_id", GAMES)
def test_counts(game_id: str) -> None:
    check_counts(game_id, quick=True)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_deep_counts(game_id: str) -> None:
    check_counts(game_id, quick=False)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_file_shows_enough(game_id: str) -> None:
    starts = starts_of(game_id)
    assert starts[0]["deal"] == "ms:1" and starts[0]["moves"] == ""
    assert len(starts) >= 4 and any(start["moves"] for start in starts)
    game = GAMES[game_id]
    lines = [start["moves"].split() for start in starts]
    if game.has_redeal:
        assert any("R" in line for line in lines)
    if game.deal.order == "by-hand":
        assert any(any(not text.startswith("d-") for text in line) for line in lines)
    assert sum(max(start["counts"]) > QUICK for start in starts) >= 3


def test_each_file_has_a_game() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(GAMES)


def compare_play(game: Game, seed: int, length: int) -> None:
    """Plays at random and compares the two readings of the rules at every position."""
    chance = random.Random(seed)
    twin = Twin(game.rules())
    position = random_deck(game, chance)
    for _ in range(length):
        compare(position, twin, layout_of(position), 0)
        moves = position.legal_moves
        if not moves:
            break
        ups = [move for move in moves if move.is_foundation]
        position.push(chance.choice(ups if ups and chance.random() < 0.6 else moves))
    position = made_up(game, seed)
    compare(position, twin, layout_of(position), 1)


@pytest.mark.parametrize("game", TESTED, ids=lambda game: game.id)
def test_the_second_reading_agrees(game: Game) -> None:
    for seed in range(4):
        compare_play(game, seed, 60)


@pytest.mark.slow
@pytest.mark.parametrize("game", TESTED, ids=lambda game: game.id)
def test_the_second_reading_agrees_at_length(game: Game) -> None:
    for seed in range(100, 150):
        compare_play(game, seed, 150)
