"""Workers of each kind: what they give back, how they die, and that they do not outlive their master."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, wait

import pytest

from crenel.study import executors
from crenel.study.executors import (
    MissingPackage,
    NoCluster,
    ProcessExecutor,
    SerialExecutor,
    cluster_crew,
    is_worker_death,
    process_crew,
)
from tests.study.works import die, niceness, process_id

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals")


@pytest.fixture(scope="module")
def two() -> Iterator[ProcessExecutor]:
    executor = ProcessExecutor(2)
    yield executor
    executor.shutdown()


def test_serial() -> None:
    executor = SerialExecutor()
    assert executor.submit(process_id).result() == os.getpid()
    assert isinstance(executor.submit(int, "x").exception(), ValueError)
    with pytest.raises(KeyboardInterrupt):
        executor.submit(signal.raise_signal, signal.SIGINT)


def test_calls_in_other_processes(two: ProcessExecutor) -> None:
    assert list(two.map(abs, range(-20, 0))) == list(range(20, 0, -1))
    assert two.submit(process_id).result() != os.getpid()
    assert two.submit(niceness).result() > os.nice(0)


def test_an_error_comes_back(two: ProcessExecutor) -> None:
    error = two.submit(int, "x").exception()
    assert isinstance(error, ValueError)
    assert not is_worker_death(error)


def test_a_death_fails_one_call(two: ProcessExecutor) -> None:
    calls: list[Future[object]] = [
        two.submit(die if place % 5 == 0 else process_id, 0) for place in range(12)
    ]
    wait(calls)
    for place, call in enumerate(calls):
        error = call.exception()
        assert (error is not None and is_worker_death(error)) == (place % 5 == 0), place
    assert two.submit(abs, -1).result() == 1


def test_an_idle_process_that_dies_is_replaced(two: ProcessExecutor) -> None:
    list(two.map(process_id, range(8)))
    for process in multiprocessing.active_children():
        process.kill()
    time.sleep(0.5)
    results = []
    for _ in range(6):
        call = two.submit(process_id, 0)
        # The pool may not have noticed yet; then this very call fails, and no other.
        if not isinstance(call.exception(), BrokenExecutor):
            results.append(call.result())
    assert len(results) >= 4


def test_no_calls_after_the_shutdown() -> None:
    executor = ProcessExecutor(1)
    last = [executor.submit(abs, -number) for number in range(5)]
    executor.shutdown()
    assert [call.result() for call in last] == [0, 1, 2, 3, 4]
    with pytest.raises(RuntimeError, match="after the shutdown"):
        executor.submit(abs, 1)


def test_breaking_off_is_quick() -> None:
    others = set(multiprocessing.active_children())
    executor = ProcessExecutor(2)
    assert executor.submit(abs, -3).result() == 3
    calls = [executor.submit(time.sleep, 60) for _ in range(6)]
    time.sleep(0.2)
    began = time.monotonic()
    executor.shutdown(wait=False)
    wait(calls)
    while set(multiprocessing.active_children()) - others:
        time.sleep(0.01)
    assert time.monotonic() - began < 5
    assert all(call.cancelled() or call.exception() is not None for call in calls)


def test_a_crew_is_broken_off_by_an_error() -> None:
    calls: list[Future[None]] = []

    def interrupted() -> None:
        with process_crew(1) as crew:
            calls.append(crew.executor.submit(time.sleep, 60))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert isinstance(calls[0].exception(), BrokenExecutor)


def test_workers_do_not_outlive_their_master() -> None:
    """SIGKILL leaves the master no time to say anything."""
    program = (
        "import time; from crenel.study.executors import ProcessExecutor; from tests.study.works import process_id\n"
        "if __name__ == '__main__':\n"
        "    executor = ProcessExecutor(2)\n"
        "    executor.submit(time.sleep, 60)\n"
        "    print(executor.submit(process_id).result(), flush=True)\n"
        "    time.sleep(60)\n"
    )
    master = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert master.stdout is not None
    worker = int(master.stdout.readline())
    os.kill(worker, 0)
    master.kill()
    master.wait()
    master.stdout.close()
    until = time.monotonic() + 20
    while is_running(worker):
        assert time.monotonic() < until
        time.sleep(0.05)


def is_running(process: int) -> bool:
    """Whether there is such a process that is more than its unread exit status."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "_CONNECT_SECONDS", 1)
    with (
        pytest.raises(NoCluster, match=r"no Dask scheduler answers at tcp://127.0.0.1:1 "),
        cluster_crew("tcp://127.0.0.1:1"),
    ):
        pass


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingPackage, match=r"pip install 'crenel\[cluster\]'"), cluster_crew("local"):
        pass
