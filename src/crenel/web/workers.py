"""Worker processes as the server sees them: started, written to, read from, and replaced when one dies.

Each has a thread of its own that starts the process, waits for what it says and passes that to the event loop, so
the loop never waits for a pipe or a process. (``add_reader`` would do without threads, but not on Windows.)
"""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from collections.abc import Callable
from typing import Any

from crenel.web import analysis_worker

_CONTEXT = multiprocessing.get_context("spawn")
"""A forked process would share locks and threads with a server that runs; a spawned one starts clean everywhere."""


class WorkerProcess:
    """One worker process; all methods belong to the event loop's thread.

    Args:
        memory: Bytes for the arrays of its searches.
        said: Called in the event loop with the worker and each message that it sends.
        ended: Called in the event loop once, when the process has ended for whatever reason.
    """

    def __init__(
        self,
        memory: int,
        said: Callable[[WorkerProcess, Any], None],
        ended: Callable[[WorkerProcess], None],
    ) -> None:
        self._said = said
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._connection, self._far_end = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(
            target=analysis_worker.run, args=(self._far_end, memory), name="crenel-analysis", daemon=True
        )
        self._lock = threading.Lock()
        self._killed = False
        self._thread = threading.Thread(target=self._attend, name="crenel-analysis", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int | None:
        """The number of the process, ``None`` before it is started."""
        return self._process.pid

    def send(self, message: Any) -> None:
        """Sends a message; one to a process that has died is lost, and ``ended`` is called soon."""
        # A worker reads all the time and has few short messages on their way to it, so this does not block.
        try:
            self._connection.send(message)
        except (OSError, ValueError):
            return

    def kill(self) -> None:
        """Ends the process at once, whatever it does."""
        with self._lock:
            self._killed = True
            if self._process.pid is not None:
                self._process.kill()

    def _attend(self) -> None:
        """The thread: the life of the process from its start to its end."""
        try:
            with self._lock:
                if self._killed:
                    return
                self._process.start()
            self._far_end.close()
            while True:
                self._tell(self._said, self, self._connection.recv())
        except (EOFError, OSError):
            return
        finally:
            if self._process.pid is not None:
                self._process.kill()  # a pipe that broke leaves nothing to do for it
                self._process.join()
            self._far_end.close()
            self._tell(self._finish)

    def _finish(self) -> None:
        """Closes the pipe where nobody can be writing to it at the same time."""
        self._connection.close()
        self._ended(self)

    def _tell(self, call: Callable[..., None], *arguments: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:  # the loop was closed first
            return
