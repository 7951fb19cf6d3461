"""Result files: what is written comes back, whole or not at all, and never into the folder of another survey."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from crenel.rules.catalogue import find_game
from crenel.solver.result import Limit
from crenel.study import results as results_module
from crenel.study.executors import MissingPackage
from crenel.study.results import (
    BusyFolder,
    ForeignResults,
    UnreadableResults,
    connect,
    make_terms,
    open_results,
    read_shards,
)
from crenel.study.work import Chunk, Made, Row
from tests.study.works import LIMIT, MADE, fake_row, stored, write_folder

TERMS = make_terms(find_game("fortress"), LIMIT)


def rows_of(chunk: Chunk) -> list[Row]:
    return list(map(fake_row, chunk.names))


def test_rows_come_back(tmp_path: Path) -> None:
    """In a folder whose name would be a pattern, and with every kind of value."""
    folder = tmp_path / "cruel[redeal.limit=2]*'?"
    chunk = Chunk("ms", 1, 30)
    write_folder(folder, rows_of(chunk))
    assert stored(folder, chunk, "fortress") == rows_of(chunk)
    assert stored(folder, Chunk("ms", 7, 9), "fortress") == rows_of(Chunk("ms", 7, 9))
    assert stored(folder, Chunk("pysol", 7, 9), "fortress") == []


def test_large_numbers_of_deals(tmp_path: Path) -> None:
    chunk = Chunk("pysol", 10**20 - 3, 10**20)
    write_folder(tmp_path, rows_of(chunk))
    assert stored(tmp_path, chunk, "fortress") == rows_of(chunk)


def test_the_file_says_what_it_holds(tmp_path: Path) -> None:
    made = Made("9.9", "digest", "it's a machine")
    write_folder(tmp_path, rows_of(Chunk("ms", 5, 9)), made=made)
    with connect() as database:
        (shard,) = read_shards(database, tmp_path)
    assert shard.chunk == Chunk("ms", 5, 9)
    assert shard.made == made
    assert shard.terms == TERMS
    assert shard.terms.rules["redeal.limit"] == "0"
    assert set(shard.terms.rules) == set(find_game("fortress").rules())
    assert shard.terms.limits == {"states": None, "seconds": None, "memory": 1 << 30}


def test_done(tmp_path: Path) -> None:
    with open_results(tmp_path, TERMS) as results:
        for chunk in (Chunk("ms", 30, 39), Chunk("ms", 1, 9), Chunk("pysol", 1, 9)):
            results.write(chunk, rows_of(chunk), MADE)
    with open_results(tmp_path, TERMS) as results:
        assert results.done(Chunk("ms", 5, 34)) == [Chunk("ms", 5, 9), Chunk("ms", 30, 34)]
        assert results.done(Chunk("ms", 10, 29)) == []
        assert results.done(Chunk("gnome", 1, 9)) == []


def test_rows_of_other_deals_are_refused(tmp_path: Path) -> None:
    with open_results(tmp_path, TERMS) as results, pytest.raises(ValueError, match="not those of ms:1-3"):
        results.write(Chunk("ms", 1, 3), rows_of(Chunk("ms", 1, 2)), MADE)


@pytest.mark.parametrize(
    ("game", "limit", "words"),
    [
        ("fortress-classic", LIMIT, "of the game fortress, not of fortress-classic"),
        (
            "fortress",
            replace(LIMIT, states=5000),
            "with no limit of positions, not with a limit of 5,000 positions",
        ),
        (
            "fortress",
            replace(LIMIT, seconds=1.5),
            "with no limit of seconds, not with a limit of 1.5 seconds",
        ),
        (
            "fortress",
            Limit(memory=1 << 20),
            "1,073,741,824 bytes of memory, not with a limit of 1,048,576 bytes",
        ),
    ],
)
def test_a_folder_of_another_survey(tmp_path: Path, game: str, limit: Limit, words: str) -> None:
    write_folder(tmp_path, rows_of(Chunk("ms", 1, 3)))
    before = sorted(tmp_path.iterdir())
    terms = make_terms(find_game(game), limit)
    with pytest.raises(ForeignResults) as caught, open_results(tmp_path, terms):
        pass
    assert words in str(caught.value) and str(tmp_path) in str(caught.value)
    assert sorted(tmp_path.iterdir()) == before


def test_the_same_name_with_other_rules(tmp_path: Path) -> None:
    """A player's own file may be called like a game of the program."""
    write_folder(tmp_path, rows_of(Chunk("ms", 1, 3)))
    terms = replace(TERMS, rules=TERMS.rules | {"empty": "none"})
    with pytest.raises(ForeignResults, match="with the rule empty=any, not with empty=none"):
        open_results(tmp_path, terms).__enter__()


def test_boards_of_another_file(tmp_path: Path) -> None:
    chunk = Chunk("board", 1, 3)
    with open_results(tmp_path, replace(TERMS, boards="one")) as results:
        results.write(chunk, rows_of(chunk), MADE)
    for boards, words in (("", "not of numbered deals"), ("two", "not of the boards of another file")):
        with pytest.raises(ForeignResults, match=f"of the boards of one file, {words}"):
            open_results(tmp_path, replace(TERMS, boards=boards)).__enter__()


def test_a_survey_at_a_time(tmp_path: Path) -> None:
    with (
        open_results(tmp_path, TERMS),
        pytest.raises(BusyFolder, match="another survey is writing"),
        open_results(tmp_path, TERMS),
    ):
        pass
    with open_results(tmp_path, TERMS):
        pass


def test_a_file_that_was_cut_off(tmp_path: Path) -> None:
    write_folder(tmp_path, rows_of(Chunk("ms", 1, 300)))
    write_folder(tmp_path, rows_of(Chunk("ms", 301, 302)))
    path = tmp_path / "ms-1-300.parquet"
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(UnreadableResults, match=r"ms-1-300.parquet is no readable result file"):
        open_results(tmp_path, TERMS).__enter__()


def test_a_file_of_another_program(tmp_path: Path) -> None:
    with connect() as database:
        database.execute(f"COPY (SELECT 1 AS deal) TO '{tmp_path}/mine.parquet' (FORMAT parquet)")
    with pytest.raises(UnreadableResults, match=r"mine.parquet is not a result file of a survey"):
        open_results(tmp_path, TERMS).__enter__()


def test_a_deal_in_two_files(tmp_path: Path) -> None:
    write_folder(tmp_path, rows_of(Chunk("ms", 1, 9)))
    write_folder(tmp_path, rows_of(Chunk("ms", 9, 12)))
    with pytest.raises(UnreadableResults, match="both hold the deal ms:9; remove one of them"):
        open_results(tmp_path, TERMS).__enter__()


def test_what_a_killed_survey_left_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / "ms-1-9.unfinished").write_bytes(b"half a file")
    with open_results(tmp_path, TERMS) as results:
        assert results.done(Chunk("ms", 1, 9)) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock"]


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path) -> None:
        raise OSError(28, "No space left on device", str(path))

    chunk = Chunk("ms", 1, 9)
    with open_results(tmp_path, TERMS) as results:
        monkeypatch.setattr(results_module, "_sync", fail)
        with pytest.raises(OSError, match="No space left"):
            results.write(chunk, rows_of(chunk), MADE)
        assert results.done(chunk) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock"]


def test_without_duckdb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingPackage, match=r"pip install 'crenel\[study\]'"):
        open_results(tmp_path / "new", TERMS).__enter__()
    assert not (tmp_path / "new").exists()
