"""The solver behind the table: questions of many players, answered by worker processes, fairly and without blocking.

Everything here runs in the event loop and does no search itself. A question runs by its plan (``analysis_questions``);
each search that the plan needs goes to a worker slice by slice, so that many questions take turns, and a player who
moves on is followed at once. What was proved stays known for its owner, so most questions need no worker at all.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar, cast

from crenel.play.knowledge import Knowledge, position_digest
from crenel.rules.catalogue import find_game
from crenel.rules.game import Game
from crenel.solver.result import Result, Verdict
from crenel.solver.search import default_memory
from crenel.web import analysis_worker as wire
from crenel.web.analysis_questions import (
    Answer,
    Cancelled,
    DealQuestion,
    FoundDeal,
    HintQuestion,
    LightQuestion,
    Question,
    TurningQuestion,
    WinQuestion,
)
from crenel.web.analysis_queue import FairQueue
from crenel.web.analysis_records import LONGEST_SLICE, SLICE, Owner, Search, Task, Worker
from crenel.web.workers import WorkerProcess

__all__ = [
    "Analysis",
    "Answer",
    "Cancelled",
    "DealQuestion",
    "FoundDeal",
    "HintQuestion",
    "LightQuestion",
    "Question",
    "TurningQuestion",
    "WinQuestion",
]

_T = TypeVar("_T")
_log = logging.getLogger(__name__)

_MOST_OWNERS = 1_000
_MOST_MEMORY = 1 << 30
_MOST_DEATHS = 2
"""A question during which so many workers died is answered undecided."""
_LONGEST_PAUSE = 30.0
_CLOSING_SECONDS = 1.5
_WARM = ("cruel", "beleaguered-castle")
"""Their kernels are compiled, or loaded, before anybody asks."""

STARTING = "The solver is starting."
COMPILING = "The solver is preparing itself, once on this machine."
READY = "The solver is ready."
BROKEN = "The solver cannot be started. Games can be played, but nothing is known about them."


def default_workers() -> int:
    """One worker less than there are processors, so that one is left for the players' moves; at least one."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, usable - 1)


class Analysis:
    """Answers questions about games in worker processes; all methods belong to one event loop.

    Args:
        workers: How many processes; ``None`` takes :func:`default_workers`.
        memory: Bytes for the arrays of all their searches; ``None`` takes a quarter of the machine's, at most 1 GiB.
        on_change: Called in the event loop when :attr:`is_ready`, :attr:`text` or :meth:`is_prepared` may have changed.
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        memory: int | None = None,
        on_change: Callable[[], None] | None = None,
    ) -> None:
        self._count = default_workers() if workers is None else workers
        if self._count < 1:
            raise ValueError(f"workers={self._count} must be at least 1")
        self._memory = min(default_memory(), _MOST_MEMORY) if memory is None else memory
        self.on_change = on_change
        self._workers: list[Worker] = []
        self._queue: FairQueue[Task] = FairQueue()
        self._owners: OrderedDict[str, Owner] = OrderedDict()
        self._numbers: dict[Game, int] = {}
        self._prepared: set[Game] = set()
        self._warm = [find_game(name) for name in _WARM]
        self._jobs, self._tokens = itertools.count(1), itertools.count(1)
        self._is_open = False
        self._is_compiling = False
        self._failures = 0
        self._told: tuple[object, ...] = ()
        self._changed = asyncio.Event()
        self._ended = asyncio.Event()
        self._restart: asyncio.TimerHandle | None = None

    async def start(self) -> None:
        """Starts the workers and returns at once; they load or compile their kernels in the background."""
        self._is_open = True
        self._add_workers()

    async def close(self) -> None:
        """Ends all workers at once, also those that compile; open questions raise :class:`Cancelled`."""
        self._is_open = False
        for owner in list(self._owners.values()):
            self._cancel(owner)
        if self._restart is not None:
            self._restart.cancel()
        for worker in self._workers:
            worker.process.kill()
        try:
            async with asyncio.timeout(_CLOSING_SECONDS):
                while self._workers:
                    self._ended.clear()
                    await self._ended.wait()
        except TimeoutError:
            _log.warning("a worker process of the solver did not end in time")
        self._note_change()

    # How it stands

    @property
    def is_ready(self) -> bool:
        """Whether the usual kernels are loaded and none are being compiled."""
        return self._is_open and self._prepared.issuperset(self._warm) and not self._is_preparing

    @property
    def _is_preparing(self) -> bool:
        """Whether kernels are being prepared that no worker has loaded before."""
        return any(worker.preparing and worker.preparing not in self._prepared for worker in self._workers)

    @property
    def is_broken(self) -> bool:
        """Whether the workers die again and again; it is still tried to start them."""
        return self._failures > self._count + _MOST_DEATHS

    @property
    def text(self) -> str:
        """How it stands, in one sentence for players."""
        if self.is_broken:
            return BROKEN
        if self.is_ready:
            return READY
        return COMPILING if self._is_compiling else STARTING

    def is_prepared(self, game: Game) -> bool:
        """Whether the kernels for a game are loaded: until then its questions wait."""
        return game in self._prepared

    async def wait_prepared(self, game: Game) -> None:
        """Waits until :meth:`is_prepared`, or until it is closed."""
        while self._is_open and not self.is_prepared(game):
            await self._changed.wait()

    async def wait_ready(self) -> None:
        """Waits until :attr:`is_ready`, or until it is closed."""
        while self._is_open and not self.is_ready:
            await self._changed.wait()

    def _note_change(self) -> None:
        """Tells those who want to know, if what they were told last is not true any more."""
        now = (self.is_ready, self.text, len(self._prepared), self._is_open)
        if now == self._told:
            return
        self._told = now
        self._changed.set()
        self._changed = asyncio.Event()
        if self._is_open and self.on_change is not None:
            self.on_change()

    # Questions

    async def ask(self, owner: str, question: Question[_T], seconds: float) -> Answer[_T]:
        """Answers a question.

        Args:
            owner: One table of one player: questions of different owners take turns. What is proved for an owner stays
                known to it while it plays the same game.
            question: The question. A :class:`LightQuestion` takes the place of the owner's older one.
            seconds: Processor seconds that its searches may take together; when they are used up the answer is
                *undecided*. Asked again, the search goes on where it stopped, as far as its arrays are still there.

        Raises:
            Cancelled: when the question was replaced or cancelled, or when the analysis is closed.
        """
        if not seconds > 0:
            raise ValueError(f"seconds={seconds} must be greater than zero")
        if not self._is_open:
            raise Cancelled
        table = self._owner(owner, question.game)
        if isinstance(question, LightQuestion):
            for older in [task for task in table.tasks if isinstance(task.question, LightQuestion)]:
                self._drop(older)
        # Deals that are only tried tell nothing about the game on the table.
        knowledge = Knowledge() if isinstance(question, DealQuestion) else table.knowledge
        future: asyncio.Future[Answer[Any]] = asyncio.get_running_loop().create_future()
        task = Task(table, question, question.plan(knowledge), seconds, future, knowledge)
        table.tasks.append(task)
        self._advance(task, None)
        self._serve()
        try:
            return cast(Answer[_T], await future)
        finally:
            if not future.done() or future.cancelled():
                self._drop(task)

    def cancel(self, owner: str) -> None:
        """Cancels all questions of an owner; what is known to it is kept."""
        table = self._owners.get(owner)
        if table is not None:
            self._cancel(table)

    def forget(self, owner: str) -> None:
        """Cancels all questions of an owner and forgets what is known to it; for a table that was closed."""
        table = self._owners.pop(owner, None)
        if table is not None:
            self._cancel(table)
            self._forget_search(table.kept)

    def _cancel(self, table: Owner) -> None:
        for task in list(table.tasks):
            self._drop(task)
        self._serve()

    def _owner(self, name: str, game: Game) -> Owner:
        """The owner of this name; the one that was away longest is forgotten when there are too many."""
        table = self._owners.get(name)
        if table is not None and table.game != game:
            self.forget(name)
            table = None
        if table is None:
            table = self._owners[name] = Owner(name, game)
        self._owners.move_to_end(name)
        if len(self._owners) > _MOST_OWNERS:
            idle = next(
                (other for other in self._owners.values() if not other.tasks and other is not table), None
            )
            if idle is not None:
                self.forget(idle.name)
        return table

    def _drop(self, task: Task) -> None:
        """Ends a task that nobody waits for; its search is stopped, to be gone on with if it is asked for again."""
        if task not in task.owner.tasks:
            return
        task.owner.tasks.remove(task)
        self._queue.remove(task.owner.name, task)
        for worker in self._workers:
            if worker.task is task:
                worker.task = None
                worker.process.send(wire.Stop(worker.job))
        self._keep_search(task)
        task.plan.close()
        if not task.future.done():
            task.future.set_exception(Cancelled())

    def _advance(self, task: Task, result: Result | None) -> None:
        """Lets a plan go on with the result of its search, and puts the next search into the queue."""
        try:
            while True:
                task.wanted = next(task.plan) if result is None else task.plan.send(result)
                if task.left > 0 and task.deaths < _MOST_DEATHS and not self.is_broken:
                    break
                task.in_time = False
                result = Result(Verdict.UNDECIDED, limit="seconds")
        except StopIteration as end:
            task.owner.tasks.remove(task)
            if not task.future.done():
                task.future.set_result(Answer(end.value, task.states, task.seconds, task.in_time))
            return
        except Exception as error:
            task.owner.tasks.remove(task)
            if not task.future.done():
                task.future.set_exception(error)
            return
        task.search = self._search_for(task)
        self._enqueue(task)

    def _enqueue(self, task: Task) -> None:
        assert task.search is not None
        self._queue.add(task.owner.name, task, task.search.seconds)

    def _search_for(self, task: Task) -> Search:
        """The search that a task wants: the owner's last one, when it was the same, or a new one."""
        assert task.wanted is not None
        key = task.question.game, position_digest(task.wanted.position), task.wanted.shortest
        kept, task.owner.kept = task.owner.kept, None
        if kept is not None and kept.key == key:
            kept.spent = 0.0
            return kept
        self._forget_search(kept)
        return Search(key, next(self._tokens))

    def _keep_search(self, task: Task) -> None:
        """Keeps the open search of a task that has ended, for a question about the same position."""
        search, task.search = task.search, None
        if isinstance(task.question, DealQuestion):
            self._forget_search(search)
        elif search is not None and search.worker is not None:
            self._forget_search(task.owner.kept)
            task.owner.kept = search

    def _forget_search(self, search: Search | None) -> None:
        """Lets the worker that holds a search use its arrays for others."""
        if search is not None and search.worker is not None:
            search.worker.process.send(wire.Forget(search.token))
            search.worker = None

    # Serving

    def _serve(self) -> None:
        """Gives work to all workers that have none."""
        for worker in self._workers:
            if self._is_open and worker.is_up and not worker.job:
                self._employ(worker)
        self._note_change()

    def _employ(self, worker: Worker) -> None:
        """Gives a worker what should be done next, if anything."""
        may_prepare = not self._is_preparing

        def can_run(task: Task) -> bool:
            # Only one worker at a time compiles: many that write one cold cache would be in each other's way.
            return may_prepare or task.question.game in self._prepared

        def is_at_home(task: Task) -> bool:
            assert task.search is not None
            return can_run(task) and task.search.worker in (None, worker)

        task = self._queue.take(is_at_home) or self._queue.take(can_run)
        if task is not None and task.question.game in self._prepared:
            self._order(worker, task)
        elif task is not None:
            self._queue.done(task.owner.name, 0.0)
            self._enqueue(task)
            game = task.question.game
            # The usual games of a family use nearly all kernels of it; an odd one might not meet some of them at first.
            usual = (usual for usual in self._warm if usual.family == game.family)
            self._prepare(worker, next((game for game in usual if game not in self._prepared), game))
        else:
            for game in self._warm:
                if game not in worker.loaded and (may_prepare or game in self._prepared):
                    self._prepare(worker, game)
                    return

    def _introduce(self, worker: Worker, game: Game) -> int:
        """The number by which a worker knows a game."""
        number = self._numbers.setdefault(game, len(self._numbers))
        if number not in worker.games:
            worker.games.add(number)
            worker.process.send(wire.Introduce(number, game))
        return number

    def _prepare(self, worker: Worker, game: Game) -> None:
        number = self._introduce(worker, game)
        worker.job, worker.preparing = next(self._jobs), game
        worker.process.send(wire.Prepare(worker.job, number))

    def _order(self, worker: Worker, task: Task) -> None:
        """Gives a worker a slice of a task's search."""
        search, wanted = task.search, task.wanted
        assert search is not None and wanted is not None
        number = self._introduce(worker, task.question.game)
        if search.worker is not None and search.worker is not worker:
            self._forget_search(search)
        search.worker = worker
        worker.job, worker.task, worker.owner, worker.wanted = next(self._jobs), task, task.owner, wanted
        layout = wire.pack_position(wanted.position)
        seconds = min(search.seconds, task.left)
        if wanted.seconds is not None:
            seconds = min(seconds, wanted.seconds - search.spent)
        worker.process.send(
            wire.Order(worker.job, search.token, number, layout, wanted.shortest, max(seconds, 1e-3))
        )

    # What workers say

    def _add_workers(self) -> None:
        """Starts the workers that are missing."""
        memory = self._memory // self._count
        while len(self._workers) < self._count:
            self._workers.append(Worker(WorkerProcess(memory, self._said, self._died)))

    def _said(self, process: WorkerProcess, message: Any) -> None:
        worker = next((worker for worker in self._workers if worker.process is process), None)
        if worker is None:
            return
        if isinstance(message, wire.Hello):
            worker.is_up = True
        elif isinstance(message, wire.Compiling):
            self._is_compiling = True
        elif isinstance(message, wire.Prepared):
            self._note_prepared(worker)
        elif isinstance(message, wire.Report):
            self._note_report(worker, message)
        elif isinstance(message, wire.Failed):
            _log.error("the solver failed: %s", message.text)
            if worker.preparing is not None:
                self._note_prepared(worker)  # its questions are asked all the same, and fail one by one
            else:
                if worker.task is not None:
                    worker.task.in_time = False
                self._finish(worker, 0.0, Result(Verdict.UNDECIDED))
        self._serve()

    def _note_prepared(self, worker: Worker) -> None:
        assert worker.preparing is not None
        self._prepared.add(worker.preparing)
        worker.loaded.add(worker.preparing)
        worker.preparing, worker.job = None, 0
        self._is_compiling &= not self.is_ready
        self._failures = 0

    def _note_report(self, worker: Worker, report: wire.Report) -> None:
        """Keeps what a slice has proved, and goes on with its task."""
        self._failures = 0
        result = wire.unpack_result(report.result)
        task, wanted = worker.task, worker.wanted
        assert wanted is not None and worker.owner is not None
        passed = [report.passed[at : at + 16] for at in range(0, len(report.passed), 16)]
        if task is not None:
            task.knowledge.learn(wanted, result, passed)
            self._count_slice(task, report)
            if result.limit in ("seconds", "cancelled") and self._has_time(task):
                self._release(worker, report.seconds)
                self._enqueue(task)
                return
        elif worker.owner.game == wanted.position.game:
            # The player has moved on, but what was proved is true all the same.
            worker.owner.knowledge.learn(wanted, result, passed)
        self._finish(worker, report.seconds, result)

    def _count_slice(self, task: Task, report: wire.Report) -> None:
        search = task.search
        assert search is not None
        # Where others took its arrays, only a longer turn gets further than it was.
        longest = LONGEST_SLICE if report.restarted and search.spent else SLICE
        search.seconds = max(search.seconds, min(2 * search.seconds, longest))
        search.spent += report.seconds
        task.left -= report.seconds
        task.seconds += report.seconds

    def _has_time(self, task: Task) -> bool:
        """Whether the search of a task may take another turn."""
        assert task.search is not None and task.wanted is not None
        return task.left > 0 and (task.wanted.seconds is None or task.search.spent < task.wanted.seconds)

    def _release(self, worker: Worker, seconds: float) -> Task | None:
        """Ends the job of a worker; the task that it served, unless that was dropped."""
        task, owner = worker.task, worker.owner
        if owner is not None:
            self._queue.done(owner.name, seconds)
        worker.job, worker.task, worker.owner, worker.wanted, worker.preparing = 0, None, None, None, None
        return task

    def _finish(self, worker: Worker, seconds: float, result: Result) -> None:
        """Ends a search, decided or not."""
        task = self._release(worker, seconds)
        if task is None:
            return
        task.states += result.states
        if result.limit == "seconds":
            task.in_time = False
            self._keep_search(task)
        self._advance(task, result)

    def _died(self, process: WorkerProcess) -> None:
        """Replaces a worker that has ended; what it was asked is asked again once."""
        worker = next(worker for worker in self._workers if worker.process is process)
        self._workers.remove(worker)
        self._ended.set()
        if not self._is_open:
            return
        self._failures += 1
        _log.warning("a worker process of the solver died and is replaced")
        for owner in self._owners.values():
            if owner.kept is not None and owner.kept.worker is worker:
                owner.kept = None
            for task in owner.tasks:
                if task.search is not None and task.search.worker is worker:
                    task.search.worker = None
        if worker.task is not None:
            worker.task.deaths += 1
            if worker.task.deaths < _MOST_DEATHS:
                task = worker.task
                self._release(worker, 0.0)
                self._enqueue(task)
            else:
                worker.task.in_time = False
                self._finish(worker, 0.0, Result(Verdict.UNDECIDED))
        elif worker.owner is not None:
            self._release(worker, 0.0)
        if self.is_broken:
            for task in list(self._queue):
                self._queue.remove(task.owner.name, task)
                task.in_time = False
                self._advance(task, Result(Verdict.UNDECIDED))
        pause = 0.0 if self._failures < _MOST_DEATHS else min(2.0 ** (self._failures - 2), _LONGEST_PAUSE)
        if self._restart is not None:
            self._restart.cancel()
        self._restart = asyncio.get_running_loop().call_later(pause, self._add_workers)
        self._serve()
