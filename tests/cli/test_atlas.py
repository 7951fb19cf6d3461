"""Players in ``survey``, and the commands ``label`` and ``atlas``, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crenel.study.labels import parse_labels
from tests.cli.conftest import Runner


@pytest.fixture
def results(crenel: Runner, tmp_path: Path) -> Path:
    """Results of the solver and of a player."""
    folder = tmp_path / "results"
    game = ("survey", "fortress-classic", "ms:1-40", "--workers", "0")
    assert crenel(*game, "--out", str(folder / "solved")).status == 0
    player = ("--player", "greedy", "--games", "3", "--seed", "2")
    assert crenel(*game, *player, "--out", str(folder / "greedy")).status == 0
    return folder


def test_a_player_plays_a_survey(crenel: Runner) -> None:
    run = crenel("survey", "cruel-strict", "ms:1-40", "--workers", "0", "--player", "planner")
    assert run.status == 0
    lines = run.out.splitlines()
    assert lines[0] == "Cruel strict, ms:1-40: 40 deals"
    assert lines[1].startswith("won  ")
    assert lines[1].endswith("of 40 games")
    assert lines[2].startswith("95 % interval of the share won: ")
    assert "moves made" in lines[3]
    run = crenel(
        "survey", "cruel-strict", "1-4", "--workers", "0", "--player", "random", "--games", "5", "--json"
    )
    found = json.loads(run.out)
    assert (found["player"], found["games"], found["seed"], found["done"]) == ("random", 20, 1, 4)
    assert 0 <= found["wins"] <= 20


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--player", "wizard"), "no player 'wizard'; the players are random, greedy, planner, careful"),
        (
            ("--player", "careful"),
            "knows games without redeals only: Cruel is played by random, greedy, planner",
        ),
        (("--games", "2"), "--games and --seed are for a simulated player"),
        (("--player", "random", "--max-states", "9"), "limits of the solver; a player has none"),
        (("--player", "random", "--games", "0"), "--games"),
    ],
)
def test_mistakes_with_players(crenel: Runner, options: tuple[str, ...], words: str) -> None:
    run = crenel("survey", "cruel", "1-4", *options)
    assert run.status == 2
    assert not run.out
    assert words in " ".join(run.err.split())
    assert "Traceback" not in run.err


def test_label(crenel: Runner, results: Path, tmp_path: Path) -> None:
    run = crenel("label", str(results / "solved"), str(results / "greedy"), "--each", "3")
    assert run.status == 0
    labels = parse_labels(run.out)
    assert (labels.game, labels.player, labels.games) == ("fortress-classic", "greedy", 3)
    assert len(labels.of("unwinnable")) == 3
    out = tmp_path / "list.csv"
    told = crenel("label", str(results / "solved"), str(results / "greedy"), "--each", "3", "--out", str(out))
    assert "3 unwinnable" in told.out
    assert parse_labels(out.read_text(encoding="utf-8")) == labels
    wrong = crenel("label", str(results / "greedy"), str(results / "solved"))
    assert wrong.status == 2
    assert "holds games of a player, not results of the solver" in " ".join(wrong.err.split())


def test_atlas(crenel: Runner, results: Path, tmp_path: Path) -> None:
    printed = crenel("atlas", str(results))
    assert printed.status == 0
    assert "| Fortress classic | 40 |" in printed.out
    docs = tmp_path / "docs"
    assert crenel("atlas", str(results), "--out", str(docs)).status == 0
    assert (docs / "atlas.md").read_text(encoding="utf-8") == printed.out
    data = json.loads((docs / "atlas.json").read_text(encoding="utf-8"))
    assert data == json.loads(crenel("atlas", str(results), "--json").out)
    assert data["games"][0]["players"]["greedy"]["games"] == 120
    empty = crenel("atlas", str(tmp_path / "nothing"))
    assert empty.status == 2
    assert "no result files of a survey" in " ".join(empty.err.split())
