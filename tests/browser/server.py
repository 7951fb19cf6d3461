"""The real server in a process of its own, which a test may kill and start again on the same port and data."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

import httpx

START = 60.0
"""Seconds within which a server answers, on a machine that is busy with other tests."""
READY = 240.0
"""Seconds within which the solver has compiled itself, on a machine that never ran it."""


class Server:
    """``crenel play``, started and answering.

    Args:
        folder: Where its games are kept.

    Attributes:
        url: Its address, without a slash at the end.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.process: subprocess.Popen[str] | None = None
        self.start()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts it: on a free port the first time, then always on the same one."""
        with (self.folder / "server.log").open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "crenel", "play", "--no-browser", "--port", str(self.port)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | {"CRENEL_DATA": str(self.folder)},
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, (line, self.log())
        self.port = int(found[1])
        self.wait_for_answer()

    def wait_for_answer(self) -> None:
        end = time.monotonic() + START
        while True:
            try:
                assert httpx.get(f"{self.url}/api/health").json()["ok"]
                return
            except httpx.TransportError:
                assert time.monotonic() < end, f"the server does not answer: {self.log()}"
                time.sleep(0.05)

    def wait_for_solver(self) -> None:
        """Waits until the solver has compiled itself, so that a test neither waits for that nor does it again."""
        end = time.monotonic() + READY
        while httpx.get(f"{self.url}/api/health").json()["solver"] != "The solver is ready.":
            assert time.monotonic() < end, f"the solver did not become ready: {self.log()}"
            time.sleep(0.1)

    def log(self) -> str:
        """What it complained about."""
        return (self.folder / "server.log").read_text(encoding="utf-8")

    def kill(self) -> None:
        """Ends it without a warning, in the midst of whatever it does."""
        assert self.process is not None
        with self.process:  # closes its pipe and waits for it
            self.process.kill()
        self.process = None

    def end(self) -> None:
        """Ends it as a player does."""
        if self.process is None:
            return
        with self.process:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                raise
        self.process = None
