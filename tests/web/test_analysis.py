"""The analysis with real worker processes: true, fair, quick to follow the player, and hard to kill."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from crenel import find_game
from crenel.play.advice import Adviser
from crenel.rules.deals import DealId, deal
from crenel.rules.position import Position
from crenel.solver.result import Verdict
from crenel.solver.verify import check_win
from crenel.web import analysis as analysis_module
from crenel.web.analysis import (
    Analysis,
    Answer,
    Cancelled,
    DealQuestion,
    HintQuestion,
    LightQuestion,
    TurningQuestion,
    WinQuestion,
)
from crenel.web.analysis_records import Search

T = TypeVar("T")
PATIENCE = 300.0
"""Seconds after which a test gives up; on a cold cache the kernels are compiled first."""
MEMORY = 1 << 30


class Running:
    """An analysis in an event loop of its own, so that many tests share its loaded kernels."""

    def __init__(self, workers: int) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.analysis = self.run(self._begin(workers))

    async def _begin(self, workers: int) -> Analysis:
        analysis = Analysis(workers=workers, memory=MEMORY)
        await analysis.start()
        await analysis.wait_ready()
        return analysis

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def end(self) -> None:
        self.run(self.analysis.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    running = Running(1)
    yield running
    running.end()


def hard_position(number: int = 0) -> Position:
    """A position whose light takes seconds; another one for each of three numbers."""
    return deal(find_game("sham-battle"), f"ms:{(29, 32, 63)[number % 3]}")


def endless() -> WinQuestion:
    """A question that takes longer than any test waits: shortest wins of this game are searched for in pure Python."""
    return WinQuestion(deal(find_game("selective-castle"), "ms:2"))


def easy_position(number: int = 2) -> Position:
    return deal(find_game("beleaguered-castle"), f"ms:{number}")


@pytest.mark.parametrize(("game_id", "deals"), [("cruel", 4), ("beleaguered-castle", 6)])
def test_answers_are_those_of_the_adviser(running: Running, game_id: str, deals: int) -> None:
    game = find_game(game_id)
    rng = random.Random(game_id)

    async def check() -> None:
        for number in range(1, deals + 1):
            position, adviser = deal(game, f"ms:{number}"), Adviser(game, MEMORY)
            owner = f"{game_id} {number}"
            for _ in range(12):
                light = await running.analysis.ask(owner, LightQuestion(position), 30)
                assert light.in_time
                assert light.value.verdict is adviser.light(position, 30).verdict is not Verdict.UNDECIDED
                if light.value.verdict is Verdict.WINNABLE:
                    assert check_win(position, light.value.line) == light.value.line
                hint = (await running.analysis.ask(owner, HintQuestion(position), 30)).value
                assert (hint.move is None) == (adviser.hint(position, 30).move is None)
                assert hint.move is None or hint.move in position.legal_moves
                if not position.legal_moves:
                    break
                position.push(rng.choice(position.legal_moves))
            turning = (await running.analysis.ask(owner, TurningQuestion(position), 60)).value
            assert turning == adviser.turning_point(position, 60)

    running.run(check())


def test_what_is_proved_needs_no_second_search(running: Running) -> None:
    async def check() -> None:
        position = easy_position()
        first = await running.analysis.ask("memory", LightQuestion(position), 30)
        assert first.states > 0 and first.value.verdict is Verdict.WINNABLE
        for move in first.value.line[:5]:
            position.push(move)
            again = await running.analysis.ask("memory", LightQuestion(position), 30)
            assert again.states == 0 and again.value.verdict is Verdict.WINNABLE
        # A move off the line is searched for; the way back from it is known.
        off = next(move for move in position.legal_moves if move != again.value.line[0])
        position.push(off)
        await running.analysis.ask("memory", LightQuestion(position), 30)
        position.pop()
        assert (await running.analysis.ask("memory", LightQuestion(position), 30)).states == 0
        running.analysis.forget("memory")
        assert (await running.analysis.ask("memory", LightQuestion(position), 30)).states > 0

    running.run(check())


def test_the_best_win_says_whether_it_is_proved(running: Running) -> None:
    async def check() -> None:
        position = easy_position()
        best = (await running.analysis.ask("best", WinQuestion(position), 60)).value
        assert best.shortest and best.cost == best.lower_bound > 0
        assert check_win(position, best.line) == best.line
        hasty: Answer[Any] = await running.analysis.ask(
            "hasty", WinQuestion(deal(find_game("selective-castle"), "ms:2")), 0.5
        )
        assert hasty.value.verdict is Verdict.WINNABLE and not hasty.value.shortest and not hasty.in_time
        assert hasty.value.lower_bound < hasty.value.cost
        lost = (await running.analysis.ask("lost", WinQuestion(easy_position(1)), 30)).value
        assert lost.verdict is Verdict.UNWINNABLE and not lost.line

    running.run(check())


def test_the_first_winnable_deal_is_found(running: Running) -> None:
    game = find_game("beleaguered-castle")
    adviser = Adviser(game)
    verdicts = {number: adviser.light(deal(game, f"ms:{number}"), 30).verdict for number in range(1, 5)}
    first = next(number for number, verdict in verdicts.items() if verdict is Verdict.WINNABLE)
    assert first > 1

    async def check() -> None:
        asked = DealQuestion(game, tuple(DealId("ms", number) for number in range(1, 10)))
        found = await running.analysis.ask("deals", asked, 30)
        assert found.value.deal == DealId("ms", first) and found.value.tried == first
        lost = tuple(
            DealId("ms", number) for number, verdict in verdicts.items() if verdict is Verdict.UNWINNABLE
        )
        none = await running.analysis.ask("deals", DealQuestion(game, lost), 30)
        assert none.value.deal is None and none.value.tried == len(lost)

    running.run(check())


async def asking(analysis: Analysis, owner: str, position: Position, seconds: float) -> asyncio.Task[Any]:
    """A question that is under way."""
    task = asyncio.create_task(analysis.ask(owner, LightQuestion(position), seconds))
    await asyncio.sleep(0)
    return task


def spent(analysis: Analysis) -> float:
    """Processor seconds that the open questions have used."""
    return sum(task.seconds for owner in analysis._owners.values() for task in owner.tasks)


async def in_service(analysis: Analysis, owner: str) -> None:
    """Waits until a search of an owner runs."""
    while not any(
        worker.task is not None and worker.task.owner.name == owner for worker in analysis._workers
    ):
        await asyncio.sleep(0.001)


def test_a_newer_light_takes_the_place_of_the_older_one(running: Running) -> None:
    async def check() -> None:
        analysis = running.analysis
        older = await asking(analysis, "mover", hard_position(), 600)
        await asyncio.sleep(0.3)
        light = await analysis.ask("mover", LightQuestion(hard_position(1)), 0.2)
        assert light.value.verdict is Verdict.UNDECIDED and not light.in_time
        with pytest.raises(Cancelled):
            await older

    running.run(check())


def test_a_cancel_reaches_a_running_search_at_once(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_module, "Search", partial(Search, seconds=600.0))  # no turn ends by itself

    async def check() -> None:
        analysis = running.analysis
        waits = []
        for number in range(3):
            owner = f"canceller {number}"
            hard = asyncio.create_task(analysis.ask(owner, endless(), 600))
            while not spent(analysis):
                await asyncio.sleep(0.02)  # the light, which comes first
            await asyncio.sleep(0.3)
            began = time.monotonic()
            analysis.cancel(owner)
            with pytest.raises(Cancelled):
                await hard
            assert time.monotonic() - began < 0.05, "whoever asked is told without waiting for the worker"
            await analysis.ask("other", LightQuestion(easy_position(1)), 30)
            analysis.forget("other")
            waits.append(time.monotonic() - began)
        # Some 0.05 s on a machine that has nothing else to do.
        assert min(waits) < 2, waits

    running.run(check())


def test_a_search_goes_on_where_it_stopped(running: Running) -> None:
    async def check() -> None:
        analysis, position = running.analysis, hard_position()
        first = await analysis.ask("patient", LightQuestion(position), 0.3)
        second = await analysis.ask("patient", LightQuestion(position), 0.3)
        assert not first.in_time and not second.in_time
        assert second.states > 1.5 * first.states

    running.run(check())


def test_a_hundred_hard_lights_do_not_starve_an_easy_one(running: Running) -> None:
    async def check() -> None:
        analysis = running.analysis
        crowd = [
            await asking(analysis, f"hard {number}", hard_position(number), 600) for number in range(100)
        ]
        while spent(analysis) < 3.5:
            await asyncio.sleep(0.05)
        before = spent(analysis)
        for number in (1, 2, 4):
            light = await analysis.ask("easy", LightQuestion(easy_position(number)), 30)
            assert light.value.verdict is not Verdict.UNDECIDED
        used = spent(analysis) - before
        assert not any(task.done() for task in crowd)
        for number in range(100):
            analysis.cancel(f"hard {number}")
        assert all(isinstance(end, Cancelled) for end in await asyncio.gather(*crowd, return_exceptions=True))
        # Served in the order of coming, each would have waited for a hundred turns: 25 seconds, three times.
        assert used < 6, used

    running.run(check())


def test_a_question_whose_asker_is_cancelled_is_dropped(running: Running) -> None:
    async def check() -> None:
        task = await asking(running.analysis, "gone", hard_position(), 600)
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not running.analysis._owners["gone"].tasks
        with pytest.raises(ValueError, match="seconds=0 must be greater than zero"):
            await running.analysis.ask("gone", LightQuestion(hard_position()), 0)

    running.run(check())


def process_of(analysis: Analysis) -> int:
    pid = analysis._workers[0].process.pid
    assert pid is not None
    return pid


def test_a_killed_worker_is_replaced_and_asked_again_once() -> None:
    async def check() -> None:
        analysis = Analysis(workers=1, memory=MEMORY)
        await analysis.start()
        try:
            await analysis.wait_ready()
            hard = asyncio.create_task(analysis.ask("unlucky", endless(), 600))
            await asyncio.sleep(0)
            easy = await asking(analysis, "lucky", easy_position(), 30)
            # The first death: both are asked again, and the easy one is answered.
            await in_service(analysis, "unlucky")
            first = process_of(analysis)
            os.kill(first, signal.SIGKILL)
            assert (await easy).value.verdict is Verdict.WINNABLE
            assert not hard.done()
            # The second death in the midst of the hard one ends that.
            await in_service(analysis, "unlucky")
            assert process_of(analysis) != first
            os.kill(process_of(analysis), signal.SIGKILL)
            answer = await asyncio.wait_for(hard, 60)
            assert answer.value.verdict is Verdict.UNDECIDED and not answer.in_time
            light = await analysis.ask("lucky", LightQuestion(easy_position(4)), 30)
            assert light.value.verdict is not Verdict.UNDECIDED
        finally:
            await analysis.close()

    asyncio.run(check())


def test_no_worker_at_all_is_an_undecided_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    async def check() -> None:
        analysis = Analysis(workers=1, memory=MEMORY)
        analysis._failures = 2
        await analysis.start()
        try:
            answer = await asyncio.wait_for(analysis.ask("me", LightQuestion(easy_position()), 30), 60)
            assert answer.value.verdict is Verdict.UNDECIDED and not answer.in_time
            assert not analysis.is_ready and analysis.text == analysis_module.BROKEN
        finally:
            await analysis.close()

    monkeypatch.setattr("crenel.web.analysis_worker.run", dying)
    asyncio.run(check())


def dying(connection: Any, memory: int) -> None:
    """A worker that cannot be started."""
    raise SystemExit(3)


def test_two_workers_share_the_work_and_one_prepares() -> None:
    async def check() -> None:
        analysis = Analysis(workers=2, memory=MEMORY)
        preparing = set()
        analysis.on_change = lambda: preparing.add(
            sum(
                worker.preparing is not None and not analysis.is_prepared(worker.preparing)
                for worker in analysis._workers
            )
        )
        await analysis.start()
        try:
            await analysis.wait_ready()
            assert max(preparing) <= 1
            hard = await asking(analysis, "hard", hard_position(), 600)
            await asyncio.sleep(0.5)
            began = time.monotonic()
            await analysis.ask("easy", LightQuestion(easy_position()), 30)
            assert not hard.done()
            assert time.monotonic() - began < 20
            analysis.cancel("hard")
            with pytest.raises(Cancelled):
                await hard
        finally:
            await analysis.close()

    asyncio.run(check())


@pytest.mark.parametrize("delay", [0.0, 0.1, 1.0, 4.0])
def test_close_is_quick_whatever_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, delay: float
) -> None:
    """At once, while Python starts, and while kernels are compiled (the cache is empty)."""
    monkeypatch.setenv("CRENEL_KERNEL_CACHE", str(tmp_path))

    async def check() -> None:
        analysis = Analysis(workers=2, memory=MEMORY)
        await analysis.start()
        asked = await asking(analysis, "me", easy_position(), 30)
        await asyncio.sleep(delay)
        processes = [worker.process._process for worker in analysis._workers]
        began = time.monotonic()
        await analysis.close()
        assert time.monotonic() - began < 2
        assert not any(process.is_alive() for process in processes if process.pid is not None)
        with pytest.raises(Cancelled):
            await asked
        with pytest.raises(Cancelled):
            await analysis.ask("me", LightQuestion(easy_position()), 30)
        assert not analysis.is_ready

    asyncio.run(check())


SERVER = """
import asyncio, sys
from crenel import find_game
from crenel.rules.deals import deal
from crenel.web.analysis import Analysis, LightQuestion

async def main():
    analysis = Analysis(workers=2, memory=256 << 20)
    await analysis.start()
    while not all(worker.is_up for worker in analysis._workers):
        await asyncio.sleep(0.01)
    print(*(worker.process.pid for worker in analysis._workers), flush=True)
    await analysis.ask("me", LightQuestion(deal(find_game("sham-battle"), "ms:29")), 600)

if __name__ == "__main__":
    asyncio.run(main())
"""


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_workers_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(SERVER, encoding="utf-8")
    environment = os.environ | {"CRENEL_KERNEL_CACHE": str(tmp_path / "cache")}
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=environment
    ) as server:
        assert server.stdout is not None
        pids = [int(word) for word in server.stdout.readline().split()]
        assert len(pids) == 2 and all(map(is_alive, pids))
        time.sleep(1.0)  # kernels are being compiled by now
        server.kill()
    deadline = time.monotonic() + 5
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(is_alive, pids))
