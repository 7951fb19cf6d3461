"""The books of a survey: which chunks are cut, what a death costs, and that all workers give the same."""

from __future__ import annotations

import functools
import os
import random
import threading
from collections.abc import Iterable
from multiprocessing import active_children
from pathlib import Path

import pytest

from crenel.rules.catalogue import find_game
from crenel.rules.deals import deal
from crenel.rules.notation import format_board
from crenel.solver.result import Limit
from crenel.solver.search import Solver
from crenel.study.executors import Crew, cluster_crew, process_crew, serial_crew
from crenel.study.results import make_terms, open_results
from crenel.study.survey import LostWorkers, Survey, Tally
from crenel.study.work import BOARDS, Chunk, Row, Solved, Task, Work, solve_chunk
from tests.study.works import (
    LIMIT,
    deadly,
    deadly_once,
    die,
    fake,
    fake_row,
    plain_crew,
    slow_fake,
    stored,
    untimed,
)

FORTRESS = find_game("fortress")
needs_signals = pytest.mark.skipif(os.name == "nt", reason="signals")


def surveyed(
    folder: Path, wanted: Chunk, crew: Crew, work: Work = fake, game: str = "fortress", limit: Limit = LIMIT
) -> Tally:
    """Runs a survey into a folder."""
    chosen = find_game(game)
    with open_results(folder, make_terms(chosen, limit)) as results:
        return Survey(chosen, wanted, limit, folder=results, work=work).run(crew)


def counted(rows: Iterable[Row]) -> Tally:
    tally = Tally()
    tally.add(rows)
    return tally


class Noted:
    """Work that notes the chunks it is given, in this process."""

    def __init__(self, seconds_per_deal: float = 1e-6) -> None:
        self.chunks: list[Chunk] = []
        self.seconds = seconds_per_deal

    def __call__(self, task: Task) -> Solved:
        self.chunks.append(task.chunk)
        solved = fake(task)
        return Solved(solved.rows, solved.made, self.seconds * len(task.chunk))


# Chunks


def test_each_deal_once_and_counted() -> None:
    noted, wanted = Noted(), Chunk("ms", 995, 5003)
    tally = Survey(FORTRESS, wanted, LIMIT, work=noted).run(plain_crew())
    assert sorted(name for chunk in noted.chunks for name in chunk.names) == sorted(wanted.names)
    assert tally == counted(map(fake_row, wanted.names))
    assert tally.deals == len(wanted) == tally.winnable + tally.unwinnable + tally.undecided


@pytest.mark.parametrize(("seconds", "largest"), [(1e-5, 1000), (0.05, 100), (0.5, 10), (4.0, 1), (60.0, 1)])
def test_chunks_end_at_fixed_numbers(seconds: float, largest: int) -> None:
    """The size follows from the time that a deal takes; the first chunks are small, since nobody knows it yet."""
    noted = Noted(seconds)
    Survey(FORTRESS, Chunk("ms", 1, 6000), LIMIT, work=noted).run(plain_crew())
    assert max(len(chunk) for chunk in noted.chunks) == largest
    for chunk in noted.chunks:
        size = next(size for size in (1, 10, 100, 1000) if len(chunk) <= size)
        assert chunk.first // size == chunk.last // size
    assert len(noted.chunks[0]) == 1


def test_the_last_chunks_are_smaller() -> None:
    """So that of many workers none waits long for the last."""
    noted = Noted(0.1)
    Survey(FORTRESS, Chunk("ms", 1, 2000), LIMIT, work=noted).run(plain_crew(capacity=8))
    assert [len(chunk) for chunk in noted.chunks if chunk.first == 1000] == [100]
    assert {len(chunk) for chunk in noted.chunks if chunk.first > 1900} == {10, 1}


# Results that are there already


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    noted = Noted()
    surveyed(tmp_path, Chunk("ms", 100, 249), plain_crew(), noted)
    surveyed(tmp_path, Chunk("ms", 400, 420), plain_crew(), noted)
    wanted = Chunk("ms", 200, 1500)
    tally = surveyed(tmp_path, wanted, plain_crew(), noted)
    names = [name for chunk in noted.chunks for name in chunk.names]
    assert len(names) == len(set(names)) == 1500 - 100 + 1
    assert tally == counted(map(fake_row, wanted.names))
    assert stored(tmp_path, Chunk("ms", 1, 9999), "fortress") == list(
        map(fake_row, Chunk("ms", 100, 1500).names)
    )


def test_a_survey_that_is_done_needs_no_workers(tmp_path: Path) -> None:
    wanted = Chunk("ms", 1, 40)
    first = surveyed(tmp_path, wanted, plain_crew())
    with open_results(tmp_path, make_terms(FORTRESS, LIMIT)) as results:
        survey = Survey(FORTRESS, wanted, LIMIT, folder=results)
        assert (survey.left, survey.done_before) == (0, 40)
        nobody = Crew(None, lambda: 0, die)  # type: ignore[arg-type]
        assert survey.run(nobody) == first


def test_an_interrupt_keeps_what_is_done(tmp_path: Path) -> None:
    noted = Noted()

    def interrupted(task: Task) -> Solved:
        if len(noted.chunks) == 4:
            raise KeyboardInterrupt
        return noted(task)

    wanted = Chunk("ms", 1, 3000)
    with pytest.raises(KeyboardInterrupt):
        surveyed(tmp_path, wanted, plain_crew(), interrupted)
    kept = stored(tmp_path, wanted, "fortress")
    assert [row.deal for row in kept] == [name for chunk in noted.chunks for name in chunk.names]
    assert surveyed(tmp_path, wanted, plain_crew(), fake) == counted(map(fake_row, wanted.names))


# Deaths


@needs_signals
def test_a_deal_that_kills_is_undecided(tmp_path: Path) -> None:
    """Three deals kill whoever solves them; all others get their rows, and hardly more work than once."""
    diary = tmp_path / "diary"
    work = functools.partial(deadly, deals=frozenset({17, 1234, 1235}), diary=str(diary))
    wanted, folder = Chunk("ms", 1, 2000), tmp_path / "results"
    with process_crew(2) as crew:
        tally = surveyed(folder, wanted, Crew(crew.executor, crew.capacity, lambda *_: None), work)
    rows = {row.deal: row for row in stored(folder, wanted, "fortress")}
    assert len(rows) == 2000 == tally.deals
    for name in wanted.names:
        killed = name in ("ms:17", "ms:1234", "ms:1235")
        assert rows[name] == (Row(name, "undecided", limit="worker") if killed else fake_row(name))
    tries = diary.read_text().splitlines()
    assert tries.count("ms:17") == tries.count("ms:1234") == tries.count("ms:1235") == 2
    assert len(tries) < 150


@needs_signals
def test_a_death_by_chance_costs_another_try_only(tmp_path: Path) -> None:
    work = functools.partial(deadly_once, mark=str(tmp_path / "mark"))
    wanted = Chunk("ms", 1, 200)
    with process_crew(1) as crew:
        tally = surveyed(
            tmp_path / "results", wanted, Crew(crew.executor, crew.capacity, lambda *_: None), work
        )
    assert tally == counted(map(fake_row, wanted.names))


@needs_signals
def test_workers_that_cannot_begin() -> None:
    def warm(function: object, argument: object) -> None:
        crew.executor.submit(die).result()

    survey = Survey(FORTRESS, Chunk("ms", 1, 5), LIMIT, work=fake)
    with process_crew(1) as crew, pytest.raises(LostWorkers, match="end as soon as they begin"):
        survey.run(Crew(crew.executor, crew.capacity, warm))


def test_out_of_memory_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever in the search asks for too much, that deal has no verdict, and the next one is searched."""
    solve, asked = Solver.solve, list[Solver]()

    def greedy(self: Solver, position: object, **options: object) -> object:
        asked.append(self)
        if len(asked) == 2:
            raise MemoryError
        return solve(self, position, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Solver, "solve", greedy)
    solved = solve_chunk(Task(FORTRESS, LIMIT, Chunk("ms", 1, 4)))
    assert [row.limit for row in solved.rows] == [None, "memory", None, None]
    assert solved.rows[1] == Row("ms:2", "undecided", limit="memory")
    assert asked[0] is asked[1] is not asked[2]


def test_an_error_of_the_program_is_not_hidden() -> None:
    def broken(task: Task) -> Solved:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Survey(FORTRESS, Chunk("ms", 1, 5), LIMIT, work=broken).run(plain_crew())


# Solving


def test_rows_say_what_the_solver_says() -> None:
    game = find_game("cruel-strict")
    solved = solve_chunk(Task(game, Limit(states=400, memory=1 << 30), Chunk("ms", 1, 60)))
    verdicts = {row.verdict for row in solved.rows}
    assert verdicts == {"winnable", "unwinnable", "undecided"}
    solver = Solver(game, 1 << 30)
    for row in solved.rows:
        result = solver.solve(deal(game, row.deal), limit=Limit(states=400))
        assert row.verdict == result.verdict
        assert row.states == result.states
        if row.verdict == "winnable":
            assert (row.cost, row.redeals) == (result.cost, result.redeals)
            assert row.tableau_moves is not None and row.redeals is not None
            assert row.cost == row.tableau_moves + row.redeals
            assert row.foundation_moves == 48
            assert row.limit is row.reason is None
        else:
            assert row.cost is row.redeals is row.tableau_moves is row.foundation_moves is None
            assert (row.limit == "states") == (row.verdict == "undecided")
            assert (row.reason is not None) == (row.verdict == "unwinnable")


def test_boards(tmp_path: Path) -> None:
    numbered = Survey(FORTRESS, Chunk("ms", 1, 40), LIMIT)
    boards = tuple(format_board(deal(FORTRESS, f"ms:{number}")).encode() for number in range(1, 41))
    with open_results(tmp_path, make_terms(FORTRESS, LIMIT, "digest")) as results:
        from_boards = Survey(FORTRESS, Chunk(BOARDS, 1, 40), LIMIT, boards=boards, folder=results)
        ours, theirs = from_boards.run(serial_crew()), numbered.run(serial_crew())
        assert (ours.winnable, ours.unwinnable, ours.states) == (
            theirs.winnable,
            theirs.unwinnable,
            theirs.states,
        )
        # Two more boards of the same file, as after an end in the middle.
        some = Survey(FORTRESS, Chunk(BOARDS, 3, 4), LIMIT, boards=boards[2:4], folder=results)
        assert some.left == 0


@pytest.mark.slow
@needs_signals
@pytest.mark.parametrize("game", ["cruel-strict", "fortress-classic"])
def test_serial_processes_and_cluster_give_the_same(tmp_path: Path, game: str) -> None:
    wanted = Chunk("ms", 1, 300)
    surveyed(tmp_path / "serial", wanted, serial_crew(), solve_chunk, game)
    with process_crew(2) as crew:
        surveyed(tmp_path / "processes", wanted, crew, solve_chunk, game)
    with cluster_crew("local", 2) as crew:
        surveyed(tmp_path / "cluster", wanted, crew, solve_chunk, game)
    serial = untimed(stored(tmp_path / "serial", wanted, game))
    assert len(serial) == 300
    assert untimed(stored(tmp_path / "processes", wanted, game)) == serial
    assert untimed(stored(tmp_path / "cluster", wanted, game)) == serial


@pytest.mark.slow
@needs_signals
def test_a_deal_that_kills_on_a_cluster(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    work = functools.partial(deadly, deals=frozenset({23}), diary=str(diary))
    wanted = Chunk("ms", 1, 60)
    with cluster_crew("local", 2) as crew:
        surveyed(tmp_path / "results", wanted, Crew(crew.executor, crew.capacity, lambda *_: None), work)
    rows = stored(tmp_path / "results", wanted, "fortress")
    killed = Row("ms:23", "undecided", limit="worker")
    assert rows == [killed if name == "ms:23" else fake_row(name) for name in wanted.names]


@pytest.mark.slow
@needs_signals
def test_workers_killed_at_random_moments(tmp_path: Path) -> None:
    """Ten times a worker dies in the midst of its work; nothing is lost, repeated or undecided."""
    wanted, chance = Chunk("ms", 1, 4000), random.Random(5)
    done, kills = threading.Event(), list[int | None]()

    def kill_now_and_then() -> None:
        while len(kills) < 10 and not done.wait(chance.uniform(0.1, 0.9)):
            workers = active_children()
            if workers:
                victim = chance.choice(workers)
                victim.kill()
                kills.append(victim.pid)

    killer = threading.Thread(target=kill_now_and_then)
    with process_crew(2) as crew:
        killer.start()
        try:
            tally = surveyed(tmp_path, wanted, Crew(crew.executor, crew.capacity, lambda *_: None), slow_fake)
        finally:
            done.set()
            killer.join()
    assert len(kills) == 10
    assert tally == counted(map(fake_row, wanted.names))
    assert stored(tmp_path, wanted, "fortress") == list(map(fake_row, wanted.names))
