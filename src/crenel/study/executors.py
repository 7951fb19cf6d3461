"""Where the chunks of a survey are solved: in this process, in processes of this machine, or on a cluster.

All three are a ``concurrent.futures.Executor``, so that a survey does not know the difference. A worker that dies
spoils exactly the call that it was busy with.
"""

from __future__ import annotations

import concurrent.futures
import logging
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

from crenel.rules.reading import one_line

_P = ParamSpec("_P")
_T = TypeVar("_T")

_NICE = 10
_CONNECT_SECONDS = 10
LOCAL_CLUSTER = "local"
"""The address that stands for a cluster of this machine, started for the survey."""


class MissingPackage(ValueError):
    """Something was asked for that needs a package which is not installed; the message says how to get it."""


class NoCluster(ValueError):
    """A cluster that cannot be reached."""


@dataclass(frozen=True, slots=True)
class Crew:
    """Workers for a survey.

    Attributes:
        executor: Runs the calls.
        capacity: How many chunks to hand out at a time; asked again and again, since workers may come and go.
        warm: Called once with a function and its argument, to run it once on each machine before the work begins.
    """

    executor: Executor
    capacity: Callable[[], int]
    warm: Callable[[Callable[[Any], object], Any], None]


def is_worker_death(error: BaseException) -> bool:
    """Whether an error says that the process died which was to run a call."""
    # Dask's own error is told by its name: distributed need not be installed.
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"


def usable_processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# In this process


class SerialExecutor(Executor):
    """Runs each call at once, in this process."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Runs the call; the future is done when this returns. An interrupt is not caught."""
        future: Future[_T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def serial_crew() -> Crew:
    """One worker: this process."""
    return Crew(SerialExecutor(), lambda: 1, lambda function, argument: None)


# Processes of this machine


class ProcessExecutor(Executor):
    """Processes, each in a pool of its own: the death of one breaks one pool, which is replaced, and fails one call.

    The failed call's future holds a ``BrokenProcessPool``. All processes end at once when this process ends, however
    it ends, or when ``shutdown(wait=False)`` is called.

    Args:
        workers: How many processes; each starts with its first call.
    """

    def __init__(self, workers: int) -> None:
        if workers < 1:
            raise ValueError(f"a pool of {workers} processes can do no work")
        self._context = get_context("spawn")
        # Nothing is ever sent: the reading ends see that the writing end is closed, be it by a SIGKILL.
        self._life, self._death = self._context.Pipe(duplex=False)
        self._lock = threading.RLock()
        self._closed = self._broken_off = False
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._idle = [self._new_pool() for _ in range(workers)]
        self._pools = list(self._idle)

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            1, mp_context=self._context, initializer=_begin_worker, initargs=(self._life,)
        )

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Hands a call to the next idle process; both must be picklable."""
        future: Future[_T] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("no new calls are taken after the shutdown")
            self._waiting.append((future, _Call(fn, args, kwargs)))
        self._hand_out()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no more calls.

        Args:
            wait: Whether to wait until the calls are done and the processes have ended. Otherwise all calls are
                broken off, and the processes end at once.
            cancel_futures: Whether to drop the calls that no process has taken yet.
        """
        with self._lock:
            self._closed = True
            self._broken_off = self._broken_off or not wait
            dropped = list(self._waiting) if cancel_futures or not wait else []
            if dropped:
                self._waiting.clear()
        for future, _ in dropped:
            future.cancel()
            future.set_running_or_notify_cancel()  # tells those who wait for it
        if not wait:
            self._death.close()
        while wait and (last := self._last_waiting()) is not None:
            concurrent.futures.wait([last])
        with self._lock:
            pools = list(self._pools)
        for pool in pools:
            pool.shutdown(wait=wait)
        if wait:
            self._death.close()

    def _last_waiting(self) -> Future[Any] | None:
        """The call that no process has taken yet and that came last."""
        with self._lock:
            return self._waiting[-1][0] if self._waiting else None

    def _hand_out(self) -> None:
        """Gives waiting calls to idle processes."""
        with self._lock:
            while self._waiting and self._idle:
                future, call = self._waiting.popleft()
                if not future.set_running_or_notify_cancel():
                    continue
                pool, running = self._start(self._idle.pop(), call)
                running.add_done_callback(lambda done, f=future, p=pool: self._ended(done, f, p))  # type: ignore[misc]

    def _start(
        self, pool: ProcessPoolExecutor, call: Callable[[], Any]
    ) -> tuple[ProcessPoolExecutor, Future[Any]]:
        """Starts a call in a pool, or in a new one where its process has died meanwhile."""
        with _interrupts_blocked():
            try:
                return pool, pool.submit(call)
            except BrokenExecutor:
                pool = self._replaced(pool)
                return pool, pool.submit(call)

    def _replaced(self, pool: ProcessPoolExecutor) -> ProcessPoolExecutor:
        new = self._new_pool()
        self._pools[self._pools.index(pool)] = new
        return new

    def _ended(self, done: Future[Any], future: Future[Any], pool: ProcessPoolExecutor) -> None:
        """Passes on what a call gave; its process, or the one that replaces it, is idle again."""
        error = CancelledCall() if done.cancelled() else done.exception()
        with self._lock:
            if not self._broken_off:
                self._idle.append(self._replaced(pool) if isinstance(error, BrokenExecutor) else pool)
                self._hand_out()
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(done.result())


class CancelledCall(BrokenExecutor):
    """A call that was dropped when its executor was shut down."""


class _Call:
    """A function with its arguments, to be called in another process."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.function, self.args, self.kwargs = function, args, kwargs

    def __call__(self) -> Any:
        return self.function(*self.args, **self.kwargs)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """A process that starts here never hears Ctrl-C, not even before it can say that it will not listen."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its start would end the blocking
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker(life: Connection) -> None:
    """The start of a worker process: polite, deaf to Ctrl-C, and gone when its master is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    threading.Thread(target=_end_with_master, args=(life,), daemon=True).start()


def _end_with_master(life: Connection) -> None:
    with suppress(EOFError, OSError):
        life.recv_bytes()
    os._exit(1)


@contextmanager
def process_crew(workers: int) -> Iterator[Crew]:
    """Processes of this machine, for the length of a ``with``.

    Args:
        workers: How many.
    """
    executor = ProcessExecutor(workers)

    def warm(function: Callable[[Any], object], argument: Any) -> None:
        executor.submit(function, argument).result()

    # Twice as many as there are processes, so that none waits while a chunk is being written.
    try:
        yield Crew(executor, lambda: 2 * workers, warm)
    except BaseException:
        executor.shutdown(wait=False)
        raise
    executor.shutdown()


# A cluster


def client_crew(client: Any) -> Crew:
    """The workers of a Dask cluster.

    Args:
        client: A ``distributed.Client``; it stays open.
    """

    def capacity() -> int:
        return 2 * max(1, int(sum(client.nthreads().values())))

    def warm(function: Callable[[Any], object], argument: Any) -> None:
        client.wait_for_workers(1)
        machines = {address.rsplit(":", 1)[0]: address for address in client.nthreads()}
        client.run(function, argument, workers=list(machines.values()))

    return Crew(client.get_executor(pure=False), capacity, warm)


@contextmanager
def cluster_crew(address: str, workers: int | None = None) -> Iterator[Crew]:
    """The workers of the Dask cluster at an address, for the length of a ``with``.

    Args:
        address: The address of the scheduler, or ``LOCAL_CLUSTER`` for a cluster of this machine.
        workers: How many workers a local cluster has; ``None`` means one for each processor.

    Raises:
        MissingPackage: when Dask is not installed.
        NoCluster: when nothing answers there.
    """
    try:
        import dask
        import distributed
    except ImportError:
        raise MissingPackage("a cluster needs Dask: pip install 'crenel[cluster]'") from None
    library: Any = distributed  # its classes are not typed
    if address != LOCAL_CLUSTER:
        try:
            client = library.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise NoCluster(one_line(f"no Dask scheduler answers at {address} ({error})")) from None
        with client:
            yield client_crew(client)
        return
    with ExitStack() as stack:
        # One death is enough: the survey itself tries again, and it knows with which deals.
        stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": 0}))
        with _interrupts_blocked():
            cluster = stack.enter_context(
                library.LocalCluster(
                    n_workers=workers or usable_processors(),
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
            )
            client = stack.enter_context(library.Client(cluster, set_as_default=False))
        try:
            yield client_crew(client)
        except BaseException:
            _end_workers(cluster)
            raise


def _end_workers(cluster: Any) -> None:
    """Ends the processes of a local cluster at once; asked to end, they would go on to the end of their chunks."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        if nanny.pid:
            with suppress(OSError):
                os.kill(nanny.pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
