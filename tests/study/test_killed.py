"""The whole survey killed, from outside, at random moments: the resumed result equals that of an undisturbed run."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from crenel.rules.catalogue import find_game
from crenel.solver.result import Limit
from crenel.study.executors import serial_crew
from crenel.study.results import connect, make_terms, open_results, read_shards
from crenel.study.survey import Survey
from crenel.study.work import Chunk, Row
from tests.study.works import LIMIT, stored, untimed

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="signals")]

GAME, WANTED = "cruel", Chunk("ms", 1, 1500)


@pytest.fixture(scope="module")
def undisturbed() -> list[Row]:
    """What one process finds without a break."""
    rows: list[Row] = []

    class Keeper:
        """Takes the place of a folder."""

        def done(self, wanted: Chunk) -> list[Chunk]:
            return []

        def rows(self, wanted: Chunk) -> Iterator[Row]:
            return iter(())

        def write(self, chunk: Chunk, new: tuple[Row, ...], made: object) -> None:
            rows.extend(new)

    Survey(find_game(GAME), WANTED, LIMIT, folder=Keeper()).run(serial_crew())  # type: ignore[arg-type]
    return untimed(rows)


def start(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "crenel", "survey", GAME, str(WANTED), "--out", str(folder), "--json", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def files(folder: Path) -> int:
    return len(list(folder.glob("*.parquet")))


@pytest.mark.parametrize(
    "words", [("--workers", "2"), ("--cluster", "local", "--workers", "2")], ids=" ".join
)
def test_the_driver_killed_ten_times(tmp_path: Path, undisturbed: list[Row], words: tuple[str, ...]) -> None:
    """SIGKILL after a random number of files and a random pause more, so that it also hits the writing of files."""
    chance, kills, times = random.Random(11), 0, list[dict[str, int]]()
    while kills < 10:
        survey = start(tmp_path, *words)
        until = files(tmp_path) + chance.randint(0, 3)
        while files(tmp_path) < until and survey.poll() is None:
            time.sleep(0.01)
        if until == files(tmp_path):
            time.sleep(chance.uniform(0.0, 0.5))
        if survey.poll() is None:
            survey.kill()
            kills += 1
        survey.communicate()
        times.append({path.name: path.stat().st_mtime_ns for path in tmp_path.glob("*.parquet")})
        assert len(times) < 30 and survey.returncode in (0, -9)
        if survey.returncode == 0:
            break
    last = start(tmp_path, *words)
    output, _ = last.communicate(timeout=300)
    assert last.returncode == 0
    assert b'"complete": true' in output
    assert kills >= 5, "the survey is too quick for this test"
    # Nothing is lost, and what was done once was never done again.
    assert untimed(stored(tmp_path, WANTED, GAME)) == undisturbed
    for before in times:
        assert before == {name: (tmp_path / name).stat().st_mtime_ns for name in before}
    with connect() as database:
        assert sum(len(shard.chunk) for shard in read_shards(database, tmp_path)) == len(WANTED)
    assert not list(tmp_path.glob("*.unfinished"))


def test_an_interrupt_ends_within_a_second(tmp_path: Path) -> None:
    import signal

    survey = start(tmp_path, "--workers", "2")
    while files(tmp_path) < 3:
        assert survey.poll() is None
        time.sleep(0.01)
    survey.send_signal(signal.SIGINT)
    began = time.monotonic()
    output, _ = survey.communicate(timeout=30)
    assert time.monotonic() - began < 1.0
    assert survey.returncode == 130
    assert b'"complete": false' in output
    with open_results(tmp_path, make_terms(find_game(GAME), Limit(memory=1 << 30))) as results:
        assert results.done(WANTED)
