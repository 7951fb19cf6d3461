"""Verdicts against deals whose verdicts other programs and exhaustive searches have established.

Each ``verdicts-GAME.jsonl`` holds deals with a verdict and, for some, the fewest moves of a Castle win (all moves
counted) or the fewest redeals of a Cruel win. ``verdicts-ms.json`` holds verdicts of the first ``ms`` deals.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crenel import Position, find_game
from crenel.rules.deals import deal
from crenel.rules.notation import parse_board
from crenel.solver.result import Limit, Verdict
from crenel.solver.search import Solver

DATA = Path(__file__).parents[1] / "data"
FILES = sorted(path.stem.removeprefix("verdicts-") for path in DATA.glob("verdicts-*.jsonl"))
MS: dict[str, Any] = json.loads((DATA / "verdicts-ms.json").read_text(encoding="utf-8"))


def _deals(game_id: str) -> list[tuple[Position, dict[str, Any]]]:
    game = find_game(game_id)
    rows = []
    for line in (DATA / f"verdicts-{game_id}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text = "\n".join([f"Foundations: {row['foundations']}", *row["piles"]])
        rows.append((parse_board(text, game), row))
    return rows


def _check(game_id: str, rows: list[tuple[Position, dict[str, Any]]]) -> int:
    """Solves all and returns how many stayed undecided."""
    solver, undecided = Solver(find_game(game_id)), 0
    for position, row in rows:
        result = solver.solve(position, limit=Limit(seconds=5))
        if result.verdict is Verdict.UNDECIDED:
            undecided += 1
        else:
            assert result.verdict == row["verdict"], (row["source"], repr(position))
    return undecided


@pytest.mark.parametrize("game_id", FILES)
def test_no_wrong_verdict_among_the_first(game_id: str) -> None:
    assert _check(game_id, _deals(game_id)[:12]) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("game_id", FILES)
def test_no_wrong_verdict_and_few_undecided(game_id: str) -> None:
    rows = _deals(game_id)
    assert _check(game_id, rows) <= 0.03 * len(rows)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", sorted(name for name in MS if not name.startswith("_")))
def test_numbered_deals_have_their_known_verdicts(game_id: str) -> None:
    game, known = find_game(game_id), MS[game_id]
    first, last = (int(number) for number in known["deals"].removeprefix("ms:").split("-"))
    solver, undecided = Solver(game), []
    for number in range(first, last + 1):
        verdict = solver.solve(deal(game, f"ms:{number}"), limit=Limit(seconds=5)).verdict
        if verdict is Verdict.UNDECIDED:
            undecided.append(number)
        elif number not in known["open"]:
            assert (verdict is Verdict.UNWINNABLE) == (number in known["unwinnable"]), number
    assert len(undecided) <= 0.03 * (last - first + 1), undecided


@pytest.mark.slow
def test_fewest_redeals_are_those_known() -> None:
    game = find_game("cruel")
    solver = Solver(game)
    rows = [(position, row["fewest_redeals"]) for position, row in _deals("cruel") if "fewest_redeals" in row]
    rows += [
        (deal(game, f"ms:{number}"), fewest) for number, fewest in MS["_fewest_redeals"]["cruel"].items()
    ]
    for position, fewest in rows:
        result = solver.solve(position, limit=Limit(seconds=30), shortest=True, fewest="redeals")
        assert result.fewest_redeals, repr(position)
        assert result.redeals == fewest, repr(position)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game_id", ["beleaguered-castle", "citadel", "fortress-classic", "streets-and-alleys"]
)
def test_shortest_wins_are_those_known(game_id: str) -> None:
    """``shortest_moves`` counts all moves of a Castle win; the solver may leave a proof open, never miss it."""
    game = find_game(game_id)
    solver, proved = Solver(game), 0
    rows = [(position, row["shortest_moves"]) for position, row in _deals(game_id) if "shortest_moves" in row]
    more = MS["_shortest_moves"].get(game_id, {})
    rows += [(deal(game, f"ms:{number}"), moves) for number, moves in more.items()]
    for position, moves in rows:
        result = solver.solve(position, limit=Limit(seconds=30), shortest=True)
        assert len(result.moves) >= moves, repr(position)
        if result.shortest:
            proved += 1
            assert len(result.moves) == moves, repr(position)
    assert proved >= 0.95 * len(rows)
