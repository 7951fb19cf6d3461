"""One whole game of each kind, replayed from its file in ``tests/playthroughs`` and compared at every step.

At every step the legal moves are also compared with the second reading of the rules in ``tests.twin``.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from crenel import GAMES, parse_move
from crenel.rules.cards import card_name
from crenel.rules.deals import deal
from tests.make_perft import compare, layout_of
from tests.make_playthroughs import FOLDER, end_of, foundations_text, piles_text, step_of
from tests.twin import Twin


def playthrough_of(game_id: str) -> dict[str, Any]:
    path = FOLDER / f"{game_id}.json"
    assert path.is_file(), (
        f"{game_id} has no playthrough yet: run python -m tests.make_playthroughs {game_id}"
    )
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert content["game"] == game_id
    return content


@pytest.mark.parametrize("game_id", GAMES)
def test_playthrough(game_id: str) -> None:
    content = playthrough_of(game_id)
    position = deal(GAMES[game_id], content["deal"])
    assert content["start"] == {
        "piles": piles_text(position),
        "hand": " ".join(map(card_name, position.hand)),
        "foundations": foundations_text(position),
        "legal": len(position.legal_moves),
    }
    twin = Twin(position.game.rules())
    for number, step in enumerate(content["steps"], 1):
        compare(position, twin, layout_of(position), 0)
        if "refused" in step:
            assert position.why_not(parse_move(step["refused"])) == step["why"], f"step {number}"
        else:
            move = parse_move(step["move"])
            position.push(move)
            assert step_of(position, move, layout="piles" in step) == step, f"step {number}"
    assert end_of(position) == content["end"]


@pytest.mark.parametrize("game_id", GAMES)
def test_the_playthrough_shows_enough(game_id: str) -> None:
    content, game = playthrough_of(game_id), GAMES[game_id]
    moves = [step["move"] for step in content["steps"] if "move" in step]
    assert content["end"]["won"]
    assert len([step for step in content["steps"] if "refused" in step]) >= 4
    assert any("piles" in step for step in content["steps"])
    if game.has_redeal:
        assert "R" in moves
    if game.run == "run":
        assert any("x" in move for move in moves)
    if game.deal.order == "by-hand":
        assert sum(move.startswith("d-") for move in moves) == sum(game.piles.sizes)


def test_each_playthrough_has_a_game() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(GAMES)
