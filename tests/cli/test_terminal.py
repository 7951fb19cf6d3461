"""What only a terminal shows: a prompt, drawings, colours, and lines broken at its width."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals")


class Screen:
    """A command that believes it talks to a terminal of 80 characters a line."""

    def __init__(self, process: subprocess.Popen[bytes], end: int) -> None:
        self.process = process
        self._end = end
        self.text = ""

    def type(self, keys: str) -> None:
        os.write(self._end, keys.encode())

    def wait_for(self, words: str) -> str:
        """What has come since the last call, up to the words and the rest of what is there."""
        before, until = len(self.text), time.monotonic() + 60
        while words not in self.text[before:]:
            assert time.monotonic() < until, self.text
            if not self._read(1.0) and self.process.poll() is not None:
                raise AssertionError(self.text)
        while self._read(0.1):
            pass
        return self.text[before:]

    def _read(self, seconds: float) -> bool:
        if not select.select([self._end], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._end, 65536)
        except OSError:  # the other end is closed
            return False
        self.text += data.decode().replace("\r\n", "\n")
        return bool(data)


@contextmanager
def terminal(*words: str, **variables: str) -> Iterator[Screen]:
    import pty

    ours, theirs = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    environment |= {"TERM": "xterm", "COLUMNS": "80", "LINES": "40"} | variables
    process = subprocess.Popen(
        [sys.executable, "-m", "crenel", *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Screen(process, ours)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_a_conversation() -> None:
    with terminal("play", "cruel", "ms:1", "--text") as screen:
        said = screen.wait_for("> ")
        assert "'draw on' draws the table" in said
        screen.type("7 10\n")
        assert "8 of clubs from pile 7 to pile 10" in screen.wait_for("shows the 4 of spades.\n")
        screen.type("draw\n")
        drawn = screen.wait_for("11")
        assert "\x1b[31m" in drawn or "31m" in drawn  # red suits
        screen.type("rules\n")
        for line in screen.wait_for("score=").splitlines():
            assert len(line) <= 80
        screen.type("\x04")
        screen.wait_for("goes on with it.")
        assert screen.process.wait(30) == 0


def test_an_interrupt_at_the_prompt_keeps_the_game() -> None:
    with terminal("play", "cruel", "ms:1", "--text") as screen:
        screen.wait_for("> ")
        screen.type("7 10\n")
        screen.wait_for("shows the 4 of spades.\n")
        screen.process.send_signal(signal.SIGINT)
        assert "interrupted; the game is kept" in screen.wait_for("the game is kept")
        assert screen.process.wait(30) == 130


def test_pretty_on_a_terminal_and_no_colour_where_it_is_not_wanted() -> None:
    with terminal("deal", "beleaguered-castle", "ms:1") as screen:
        assert "\x1b[" in screen.wait_for("6♥")
        assert screen.process.wait(30) == 0
    with terminal("deal", "beleaguered-castle", "ms:1", NO_COLOR="1") as screen:
        text = screen.wait_for(" 8\n")
        assert "31m" not in text
        assert " 1  6♣" in text.replace("\x1b[1m", "").replace("\x1b[0m", "")


def test_long_lines_are_broken_at_spaces() -> None:
    with terminal("games") as screen:
        text = screen.wait_for("cards of the rows.\n")
        assert max(map(len, text.splitlines())) <= 80
        assert "\nCastle family\n" in text
        assert screen.process.wait(30) == 0


def test_progress_goes_to_a_terminal_only() -> None:
    with terminal("solve", "beleaguered-castle", "ms:24") as screen:
        screen.wait_for("winnable")
        assert "searching" in screen.text or "preparing the solver" in screen.text
        assert screen.process.wait(60) == 0
