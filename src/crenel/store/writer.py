"""The writer: one thread that makes all changes and commits them in groups.

Waiting for the disk is what a commit costs. While one group waits for it, the next changes gather, and are committed
together; so many players at once wait little longer than one. A change is confirmed after its commit, never before.
"""

from __future__ import annotations

import enum
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError

from crenel.store.database import Database
from crenel.store.problems import DatabaseFailed, Overloaded, StoreClosed

T = TypeVar("T")
Change = Callable[[Connection], T]
"""Changes the database by a connection and returns what its future shall hold.

It may be run again after a rollback, so it does nothing but talk to the database.
"""
_Job = tuple[Change[Any], Future[Any]]
_Outcome = tuple[Any, Exception | None]
"""What a change returned, or why it failed."""
_OWN = (IntegrityError, DataError, ProgrammingError)
"""Errors of the driver that concern one statement; after any other the transaction itself may be gone."""


class _Stage(enum.Enum):
    """How far a transaction came; what failed there tells what to do."""

    OPENING = enum.auto()
    CHANGING = enum.auto()
    COMMITTING = enum.auto()


class Writer:
    """Takes changes from any thread and makes them in the order in which they came.

    Args:
        database: Where to make them; the caller closes it, after the writer.
        capacity: How many changes may wait; further ones are refused with :class:`Overloaded`.
        group: How many changes one commit may hold.
    """

    def __init__(self, database: Database, *, capacity: int = 10_000, group: int = 500) -> None:
        self._database = database
        self._capacity = capacity
        self._group = group
        self._jobs: deque[_Job] = deque()
        self._is_closed = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="crenel writer", daemon=True)
        self._thread.start()

    def submit(self, change: Change[T]) -> Future[T]:
        """Asks for a change; returns at once.

        Returns:
            The future of what the change returns, done when the change is committed. It fails with what the change
            itself raised (nothing of it is kept then, other changes are not touched), with :class:`DatabaseFailed`,
            :class:`Overloaded` or :class:`StoreClosed`. A change whose future is cancelled before its turn is not
            made. Callbacks run in the writer's thread and must be short.
        """
        future: Future[T] = Future()
        with self._wake:
            if self._is_closed:
                future.set_exception(StoreClosed("the store is closed, so nothing is saved any more"))
            elif len(self._jobs) >= self._capacity:
                future.set_exception(
                    Overloaded(
                        "too many changes wait to be saved, so this one was not made; try again in a moment"
                    )
                )
            else:
                self._jobs.append((change, future))
                self._wake.notify()
        return future

    def close(self) -> None:
        """Makes all changes that wait, then ends; may be called more than once."""
        with self._wake:
            self._is_closed = True
            self._wake.notify()
        self._thread.join()

    # In the thread

    def _run(self) -> None:
        while jobs := self._next():
            running = [job for job in jobs if job[1].set_running_or_notify_cancel()]
            try:
                if running:
                    self._make(running)
            except BaseException as error:  # whatever it is, nobody may wait for ever
                _fail(running, error)

    def _next(self) -> list[_Job]:
        """The next group; empty when the writer is closed and nothing waits."""
        with self._wake:
            while not self._jobs and not self._is_closed:
                self._wake.wait()
            return [self._jobs.popleft() for _ in range(min(len(self._jobs), self._group))]

    def _make(self, jobs: list[_Job]) -> None:
        """Makes changes: the quick way, then with care for each, then one by one, until one way comes to its end."""
        # Savepoints treble the round trips and are seldom needed, so the first attempt does without.
        for attempt in (self._attempt_quickly, self._attempt):
            failed = attempt(jobs)
            if failed is None:
                return
            if failed[0] is not _Stage.CHANGING:
                _fail(jobs, self._problem(*failed))
                return
        # Nothing was committed. Either one change upsets the database, or the connection broke: a last attempt, each
        # change by itself, tells. A database that is gone is asked once, not by every change.
        for number, job in enumerate(jobs):
            failed = self._attempt([job])
            if failed is not None and failed[0] is _Stage.OPENING:
                _fail(jobs[number:], self._problem(*failed))
                return
            if failed is not None:
                _fail([job], self._problem(*failed))

    def _attempt_quickly(self, jobs: list[_Job]) -> tuple[_Stage, Exception] | None:
        """Makes changes in one transaction and confirms them; any that fails takes all back, and none is confirmed."""
        return self._transact(jobs, lambda connection, change: (change(connection), None))

    def _attempt(self, jobs: list[_Job]) -> tuple[_Stage, Exception] | None:
        """The same with a savepoint for each change, so that one which fails leaves the others."""
        return self._transact(jobs, _outcome)

    def _transact(
        self, jobs: list[_Job], make: Callable[[Connection, Change[Any]], _Outcome]
    ) -> tuple[_Stage, Exception] | None:
        """Runs a transaction and confirms what it made; when it fails, says where, and confirms nothing."""
        stage = _Stage.OPENING
        try:
            with self._database.writing() as connection, connection.begin():
                stage = _Stage.CHANGING
                outcomes = [make(connection, change) for change, _ in jobs]
                stage = _Stage.COMMITTING
        except Exception as error:
            return stage, error
        for (_, future), (value, problem) in zip(jobs, outcomes, strict=True):
            if problem is None:
                future.set_result(value)
            else:
                future.set_exception(problem)
        return None

    def _problem(self, stage: _Stage, error: Exception) -> DatabaseFailed:
        what = {
            _Stage.OPENING: "cannot be written to, so nothing was saved",
            _Stage.CHANGING: "failed before the change was saved",
            _Stage.COMMITTING: "failed while it saved, so that it is not known whether the change was kept",
        }[stage]
        problem = DatabaseFailed(self._database.problem(what, error))
        problem.__cause__ = error
        return problem


def _outcome(connection: Connection, change: Change[Any]) -> _Outcome:
    """What a change returns or raises, inside a savepoint that takes back all of a failed one."""
    try:
        with connection.begin_nested():
            return change(connection), None
    except DBAPIError as error:
        if error.connection_invalidated or not isinstance(error, _OWN):
            raise
        return None, error
    except Exception as error:
        return None, error


def _fail(jobs: list[_Job], error: BaseException) -> None:
    """Tells all that wait for these changes."""
    for _, future in jobs:
        if not future.done():
            future.set_exception(error)
