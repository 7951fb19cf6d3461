"""Labelled deals: what makes a label, that the shipped ones hold, and that they can be made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from crenel.rules.catalogue import GAMES, find_game
from crenel.rules.deals import deal, parse_deal_id
from crenel.solver.result import Limit, Verdict
from crenel.solver.search import Solver
from crenel.study.executors import serial_crew
from crenel.study.labelling import UnfitResults, difficulty_of, make_labels
from crenel.study.labels import (
    DIFFICULTIES,
    Labels,
    UnreadableLabels,
    format_labels,
    labelled_games,
    labels_of,
    parse_labels,
    rules_as_text,
)
from crenel.study.players import players_of
from crenel.study.playing import Playing, play_games
from crenel.study.results import make_terms, open_results
from crenel.study.survey import Survey
from crenel.study.work import Chunk, Row, provenance
from tests.study.works import LIMIT, MADE, write_folder

MAIN = ("beleaguered-castle", "citadel", "cruel", "cruel-strict", "fortress", "perseverance-classic")
CHECKED = 4
"""Deals of each difficulty that are solved and played again here."""


def shipped(name: str) -> Labels:
    labels = labels_of(find_game(name))
    assert labels is not None
    return labels


def write_played(folder: Path, wins: list[int], game: str = "fortress", games: int = 4) -> None:
    rows = [
        Row(
            f"ms:{number}",
            "winnable" if won else "undecided",
            None if won else "player",
            games=games,
            wins=won,
        )
        for number, won in enumerate(wins, 1)
    ]
    terms = make_terms(find_game(game), Limit(), playing=Playing("careful", games, 1))
    with open_results(folder, terms) as results:
        results.write(Chunk("ms", 1, len(rows)), rows, MADE)


@pytest.mark.parametrize(
    ("verdict", "wins", "label"),
    [
        ("winnable", 20, "easy"),
        ("winnable", 10, "easy"),
        ("winnable", 9, "medium"),
        ("winnable", 1, "medium"),
        ("winnable", 0, "hard"),
        ("undecided", 12, "easy"),
        ("undecided", 0, None),
        ("unwinnable", 0, "unwinnable"),
    ],
)
def test_what_makes_a_label(verdict: str, wins: int, label: str | None) -> None:
    assert difficulty_of(verdict, wins, 20) == label


def test_labels_are_made_of_results(tmp_path: Path) -> None:
    rows = [
        Row("ms:1", "winnable", cost=30),
        Row("ms:2", "unwinnable", reason="exhausted"),
        Row("ms:3", "winnable", cost=31),
        Row("ms:4", "undecided", limit="states"),
        Row("ms:5", "winnable", cost=9),
        Row("ms:6", "winnable", cost=8),
    ]
    write_folder(tmp_path / "solved", rows)
    write_played(tmp_path / "played", [4, 0, 1, 0, 0, 0])
    labels = make_labels(tmp_path / "solved", tmp_path / "played", each=1)
    assert [(label.deal, label.difficulty, label.cost) for label in labels.deals] == [
        ("ms:1", "easy", 30),
        ("ms:2", "unwinnable", None),
        ("ms:3", "medium", 31),
        ("ms:5", "hard", 9),
    ]
    assert labels.deals[1].evidence == "exhausted"
    assert (labels.game, labels.player, labels.games) == ("fortress", "careful", 4)
    assert parse_labels(format_labels(labels)) == labels
    assert [label.deal for label in labels.of("hard")] == ["ms:5"]
    with pytest.raises(ValueError, match="'gentle' is none of easy"):
        labels.of("gentle")


def test_results_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    solved, played = tmp_path / "solved", tmp_path / "played"
    write_folder(solved, [Row("ms:1", "unwinnable", reason="exhausted")])
    write_played(played, [1])
    with pytest.raises(UnfitResults, match=r"ms:1 of fortress is unwinnable in .*, but was won in"):
        make_labels(solved, played, 5)
    with pytest.raises(UnfitResults, match="holds games of a player"):
        make_labels(played, played, 5)
    with pytest.raises(UnfitResults, match="holds results of the solver"):
        make_labels(solved, solved, 5)
    other = tmp_path / "other"
    write_played(other, [1], "citadel")
    with pytest.raises(UnfitResults, match="not of the same game"):
        make_labels(solved, other, 5)


def test_the_cheapest_win_is_proved_when_asked_for(tmp_path: Path) -> None:
    game, wanted = find_game("fortress-classic"), Chunk("ms", 1, 30)
    playing = Playing("careful", 2, 1)
    with open_results(tmp_path / "solved", make_terms(game, LIMIT)) as results:
        Survey(game, wanted, LIMIT, folder=results).run(serial_crew())
    with open_results(tmp_path / "played", make_terms(game, Limit(), playing=playing)) as results:
        Survey(game, wanted, Limit(), folder=results, playing=playing).run(serial_crew())
    plain = make_labels(tmp_path / "solved", tmp_path / "played", 50)
    proved = make_labels(tmp_path / "solved", tmp_path / "played", 50, Limit(states=100_000))
    assert len(plain.deals) == len(proved.deals) == 30
    solver = Solver(game)
    for before, after in zip(plain.deals, proved.deals, strict=True):
        assert not before.is_shortest
        if before.cost is None:
            assert after == before
            continue
        assert after.cost is not None
        assert after.cost <= before.cost
        if after.is_shortest:
            assert after.cost == solver.solve(deal(game, after.deal), shortest=True).cost
    assert any(label.is_shortest for label in proved.deals)
    assert proved.made["players"] == provenance(True).solver


@pytest.mark.parametrize("text", ["", "# {}\n", "hello", '# {"game": 1}\ndeal\n', "# []\ndeal,difficulty\n"])
def test_what_is_no_list_of_labels_is_refused(text: str) -> None:
    with pytest.raises(UnreadableLabels, match="no file of labelled deals"):
        parse_labels(text)


# What is shipped


def test_the_main_games_have_labels() -> None:
    assert set(MAIN) <= set(labelled_games()) <= set(GAMES)
    assert labels_of(find_game("cruel").with_rules({"redeal.limit": "2"})) is None


@pytest.mark.parametrize("name", labelled_games())
def test_shipped_labels_are_whole(name: str) -> None:
    labels, game = shipped(name), find_game(name)
    assert labels.game == name
    assert labels.rules == rules_as_text(game), "made with other rules: make them again"
    assert labels.games >= 20
    assert labels.player == players_of(game)[-1]
    numbers = [parse_deal_id(label.deal).number for label in labels.deals]
    assert numbers == sorted(set(numbers))
    for label in labels.deals:
        assert 0 <= label.wins <= labels.games
        assert (label.difficulty == "unwinnable") == (label.cost is None) == bool(label.evidence)
        verdict = "unwinnable" if label.cost is None else "winnable"
        assert label.difficulty == difficulty_of(verdict, label.wins, labels.games)


@pytest.mark.parametrize("name", labelled_games())
def test_shipped_labels_hold(name: str) -> None:
    """Some of each difficulty are solved again (a win is replayed by the solver's own rule) and played again."""
    labels, game = shipped(name), find_game(name)
    solver = Solver(game)
    for difficulty in DIFFICULTIES:
        chosen = labels.of(difficulty)[:: max(1, len(labels.of(difficulty)) // CHECKED)][:CHECKED]
        for label in chosen:
            start = deal(game, label.deal)
            result = solver.solve(start, limit=Limit(states=2_000_000))
            assert result.verdict is (
                Verdict.UNWINNABLE if difficulty == "unwinnable" else Verdict.WINNABLE
            ), label
            if label.cost is not None:
                position = start.copy()
                for move in result.moves:
                    position.push(move)
                assert position.is_won
                assert not label.is_shortest or position.cost >= label.cost
    for label in (labels.of("medium") or labels.of("easy"))[:2]:
        playing = Playing(labels.player, labels.games, 1)
        assert play_games(deal(game, label.deal), label.deal, playing).wins == label.wins, (
            "the players have changed: make the labels again"
        )
