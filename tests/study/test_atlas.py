"""The atlas: figures of result files and of nothing else, and the page that is in the repository."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from crenel.rules.catalogue import GAMES, find_game
from crenel.solver.result import Limit
from crenel.study.atlas import UnfitFolders, format_atlas, make_atlas
from crenel.study.playing import Playing
from crenel.study.published import CLAIMS, PUBLISHED
from crenel.study.report import NoResults
from crenel.study.results import make_terms, open_results
from crenel.study.statistics import wilson
from crenel.study.work import BOARDS, Chunk, Row
from tests.study.works import LIMIT, MADE, write_folder

DOCS = Path(__file__).resolve().parents[2] / "docs"
PLAYING = Playing("careful", 2, 5)


def solved_rows(winnable: int, unwinnable: int, undecided: int = 0) -> list[Row]:
    verdicts = ["winnable"] * winnable + ["unwinnable"] * unwinnable + ["undecided"] * undecided
    return [Row(f"ms:{number}", verdict, seconds=0.5) for number, verdict in enumerate(verdicts, 1)]


def write_played(folder: Path, wins: list[int], game: str, playing: Playing = PLAYING) -> None:
    rows = [
        Row(f"ms:{n}", "winnable" if won else "undecided", games=playing.games, wins=won)
        for n, won in enumerate(wins, 1)
    ]
    with open_results(folder, make_terms(find_game(game), Limit(), playing=playing)) as results:
        results.write(Chunk("ms", 1, len(rows)), rows, MADE)


def some_results(folder: Path) -> None:
    write_folder(folder / "castle" / "solved", solved_rows(69, 30, 1), "beleaguered-castle")
    write_played(folder / "castle" / "careful", [2, 0, 1, 0], "beleaguered-castle")
    write_folder(folder / "cruel", solved_rows(87, 13), "cruel")
    write_played(folder / "royal", [0, 1], "royal-family", replace(PLAYING, player="greedy"))


def test_a_row_per_game_in_the_order_of_the_catalogue(tmp_path: Path) -> None:
    some_results(tmp_path)
    atlas = make_atlas([tmp_path])
    assert [row["game"] for row in atlas["games"]] == ["cruel", "royal-family", "beleaguered-castle"]
    cruel, royal, castle = atlas["games"]
    assert (cruel["solved"]["deals"], cruel["solved"]["share"]) == (100, 0.87)
    ends = wilson(87, 100)
    assert cruel["solved"]["interval"] == pytest.approx([ends.low, ends.high], abs=1e-6)
    assert cruel["players"] == {}
    assert royal["solved"] is None
    assert royal["title"] == "Royal Family"
    assert royal["players"]["greedy"]["share"] == 0.25
    assert castle["players"]["careful"]["wins"] == 3
    assert castle["solved"]["interval"] == pytest.approx(
        [wilson(69, 100).low, wilson(70, 100).high], abs=1e-6
    ), "the undecided deal counts both ways"
    assert castle["solved"]["seconds_mean"] == 0.5


def test_agreement_with_published_figures(tmp_path: Path) -> None:
    for name, winnable, agrees in (("near", 682, True), ("far", 600, False)):
        write_folder(tmp_path / name, solved_rows(winnable, 1000 - winnable), "beleaguered-castle")
        (row,) = make_atlas([tmp_path / name])["games"]
        assert row["solved"]["agrees"] is agrees
        assert ("does not agree" in format_atlas(make_atlas([tmp_path / name]))) is not agrees
    write_folder(tmp_path / "none", solved_rows(1, 1), "citadel")
    (row,) = make_atlas([tmp_path / "none"])["games"]
    assert row["published"] is row["solved"]["agrees"] is None


def test_the_page_holds_the_figures_and_how_to_repeat_them(tmp_path: Path) -> None:
    some_results(tmp_path)
    page = format_atlas(make_atlas([tmp_path]))
    assert (
        "| Cruel | 100 | 87.00 % | 79.02 to 92.24 % | 0 | 500 ms | – | a skilled player wins 15 to 30 % |"
        in page
    )
    assert "| Beleaguered Castle | 100 | 69.00 to 70.00 % |" in page
    assert "68.17 % ± 0.10, agrees" in page
    assert "crenel survey cruel ms:1-100 --memory 1073741824 --out results/cruel/solved\n" in page
    assert (
        "crenel survey beleaguered-castle ms:1-4 --player careful --games 2 --seed 5 "
        "--out results/beleaguered-castle/careful\n" in page
    )
    missing = re.search(r"Not measured yet: (.*)\.", page)
    assert missing
    assert len(missing[1].split(", ")) >= len(GAMES) - 3


def test_the_data_make_the_page(tmp_path: Path) -> None:
    some_results(tmp_path)
    atlas = make_atlas([tmp_path])
    assert format_atlas(json.loads(json.dumps(atlas))) == format_atlas(atlas)


def test_folders_that_do_not_fit(tmp_path: Path) -> None:
    some_results(tmp_path)
    write_folder(tmp_path / "again", solved_rows(1, 1), "cruel")
    with pytest.raises(UnfitFolders, match=r"again and .*cruel both hold cruel$"):
        make_atlas([tmp_path])
    (tmp_path / "empty").mkdir()
    with pytest.raises(NoResults, match=r"no result files of a survey in .*empty"):
        make_atlas([tmp_path / "empty"])
    boards = tmp_path / "boards"
    with open_results(boards, make_terms(find_game("citadel"), LIMIT, "digest")) as results:
        results.write(Chunk(BOARDS, 1, 1), [Row("board:1", "winnable")], MADE)
    with pytest.raises(UnfitFolders, match="holds boards of a file"):
        make_atlas([boards])


def test_what_is_said_of_games_is_said_of_games_that_exist() -> None:
    assert set(PUBLISHED) | set(CLAIMS) <= set(GAMES)
    for published in PUBLISHED.values():
        assert published.interval.low < published.share < published.interval.high


def test_the_page_in_the_repository_is_that_of_its_data() -> None:
    atlas = json.loads((DOCS / "atlas.json").read_text(encoding="utf-8"))
    assert (DOCS / "atlas.md").read_text(encoding="utf-8") == format_atlas(atlas)
    for row in atlas["games"]:
        solved = row["solved"]
        if solved is not None:
            assert solved["winnable"] + solved["unwinnable"] + solved["undecided"] == solved["deals"]
            assert solved["share"] == pytest.approx(solved["winnable"] / solved["deals"])
            low = wilson(solved["winnable"], solved["deals"]).low
            high = wilson(solved["winnable"] + solved["undecided"], solved["deals"]).high
            assert solved["interval"] == pytest.approx([low, high], abs=1e-6)
            assert solved["agrees"] is not False, f"{row['game']} disagrees with the published figure"
