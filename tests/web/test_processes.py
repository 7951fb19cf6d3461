"""The real program in processes of its own: killed in mid-game, started twice, interrupted, on a taken port."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.web.serving import PATIENCE, Tab, new_token, tab_at


class Program:
    """``crenel play`` or ``crenel serve``, started and answering."""

    def __init__(self, folder: Path, *words: str, **variables: str) -> None:
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "crenel", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"CRENEL_DATA": str(folder)} | variables,
        )
        assert self.process.stdout is not None
        self.first_line = self.process.stdout.readline()
        self.started = time.monotonic() - self.began
        match = re.search(r"http://127\.0\.0\.1:(\d+)(/\S*)", self.first_line)
        assert match, (self.first_line, self.process.stderr and self.process.stderr.read())
        self.port, self.address = int(match[1]), match[2]
        self.second_line = self.process.stdout.readline() if words[0] == "play" else ""

    def tab(self, token: str | None = None) -> contextlib.AbstractContextManager[Tab]:
        return tab_at(self.port, token)

    def end(self, number: int) -> tuple[int, str, str, float]:
        """Sends a signal; the exit status, the rest of both outputs, and the seconds that it took."""
        began = time.monotonic()
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err, time.monotonic() - began


@contextlib.contextmanager
def program(folder: Path, *words: str, **variables: str) -> Iterator[Program]:
    running = Program(folder, *(words or ("play", "--no-browser", "--port", "0")), **variables)
    try:
        yield running
    finally:
        with running.process:  # closes its pipes and waits for it
            running.process.kill()


def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    token = new_token()
    with program(tmp_path) as first, first.tab(token) as tab:
        shown = tab.open("/cruel/ms:24")
        tab.play("10-h", "6-9", "R")
        tab.expect("table", "undo")
        confirmed = tab.play(tab.open("/cruel/ms:24")["legal"][0], made=2)
        first.process.kill()  # SIGKILL, where there is such a thing
        first.process.wait(PATIENCE)
    with program(tmp_path) as second, second.tab(token) as tab:
        back = tab.open(shown["address"])
        assert back["key"] == shown["key"]
        for field in ("layout", "legal", "made", "undone", "last"):
            assert back[field] == confirmed[field]


def test_two_programs_on_the_same_games(tmp_path: Path) -> None:
    token = new_token()
    with program(tmp_path) as first, program(tmp_path) as second:
        assert first.port != second.port
        with first.tab(token) as one, second.tab(token) as two:
            key = one.open("/cruel/ms:24")["key"]
            assert two.open("/cruel/ms:24")["key"] == key
            one.play("10-h")
            # The other one does not know of that yet: it is told, and shown the table as it is.
            assert "changed in another window" in two.expect("refused", "move", move="6-9", made=0)["text"]
            reloaded = two.wait_for(lambda message: message["type"] == "table")
            assert (reloaded["made"], reloaded["last"], reloaded["change"]["kind"]) == (1, "10-h", "show")
            two.play("6-9", made=1)
            assert "changed in another window" in one.expect("refused", "undo")["text"]
            assert one.expect("table", "undo")["made"] == 1


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_interrupt_ends_it_quickly_and_quietly(tmp_path: Path) -> None:
    token = new_token()
    with program(tmp_path) as running, running.tab(token) as tab:
        tab.open("/cruel/ms:24")
        tab.play("10-h")
        time.sleep(1.0)
        status, out, err, seconds = running.end(signal.SIGINT)
        assert status == 130
        assert (running.second_line, out) == (
            "It is served until you press Ctrl-C; every move is kept.\n",
            "",
        )
        assert err == "crenel: interrupted; the games are kept, 'crenel play' shows them again\n"
        assert seconds < 5
    with program(tmp_path) as running, running.tab(token) as tab:
        back = tab.open("/cruel/ms:24")
        assert back["made"] == 1
        assert back["counts"]["seconds"] >= 1  # the time until the interrupt counts
        status, _, err, _ = running.end(signal.SIGTERM)
        assert (status, err) == (-signal.SIGTERM, "")


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="reads /proc")
def test_the_server_process_never_loads_the_compiler(tmp_path: Path) -> None:
    with program(tmp_path) as running, running.tab() as tab:
        tab.expect("noted", "assist", light=True, safe=True)
        shown = tab.open("/cruel/ms:24")
        tab.play(shown["legal"][0])
        assert tab.light(phase="known")["verdict"] in ("winnable", "unwinnable")
        tab.expect("hint", "hint")
        maps = Path(f"/proc/{running.process.pid}/maps").read_text()
        assert "sqlite" in maps
        assert "llvm" not in maps and "numpy" not in maps and "numba" not in maps


def test_the_page_answers_at_once(tmp_path: Path) -> None:
    with program(tmp_path) as running:
        began = time.monotonic()
        page = httpx.get(f"http://127.0.0.1:{running.port}{running.address}")
        assert page.status_code == 200 and "<title>" in page.text
        assert time.monotonic() - began < 1
        assert running.started < 20  # how fast it is on a quiet machine stands in benchmarks/README.md


def test_a_taken_port(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "crenel", "play", "--no-browser", "--port", str(port)],
            env=os.environ | {"CRENEL_DATA": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1 and f"port {port} of 127.0.0.1: it is taken" in done.stderr
        # Where no port was asked for, the next free one will do.
        with program(tmp_path, "play", "--no-browser", CRENEL_PORT=str(port)) as running:
            assert port < running.port <= port + 20


def test_games_from_files_begin_in_the_browser(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    source = Path(__file__).resolve().parents[2] / "src" / "crenel" / "rules" / "games" / "cruel.toml"
    own.write_text(source.read_text().replace('id = "cruel"', 'id = "mine"').replace('"Cruel"', '"Mine"'))
    token = new_token()
    with program(tmp_path, "play", str(own), "ms:24", "--no-browser", "--port", "0") as running:
        assert re.fullmatch(r"/mine/board/[\w-]+", running.address)
        with running.tab(token) as tab:
            shown = tab.open(running.address)
            assert (shown["game"]["id"], shown["deal"], shown["change"]["kind"]) == ("mine", "ms:24", "begin")
            tab.play("10-h")
            assert tab.open(shown["address"])["made"] == 1
            found = tab.expect("found-deal", "find-deal", which="next")
            assert tab.open(found["address"])["deal"] == "ms:25"
            assert "You have no game" in tab.expect("refused", "open", address=running.address)["text"]
    with program(tmp_path) as running, running.tab(token) as tab:
        back = tab.open(shown["address"])
        assert (back["game"]["title"], back["made"]) == (shown["game"]["title"], 1)
        record = httpx.get(
            f"http://127.0.0.1:{running.port}/api/played/{back['key']}/record",
            headers={"Cookie": f"crenel_player={token}"},
        ).text
    saved = tmp_path / "saved.json"
    saved.write_text(record)
    with (
        program(tmp_path, "play", "--load", str(saved), "--no-browser", "--port", "0") as running,
        running.tab() as tab,
    ):
        assert tab.open(running.address)["made"] == 1


def test_serve_answers_under_the_names_of_its_origins(tmp_path: Path) -> None:
    database = tmp_path / "many.sqlite"
    words = ("serve", "--port", "0", "--workers", "1", "--origin", "https://cards.example.org")
    with program(tmp_path, *words, "--database", f"sqlite:///{database}") as running:
        place = f"http://127.0.0.1:{running.port}/cruel"
        assert httpx.get(place, headers={"Host": "cards.example.org"}).status_code == 200
        assert httpx.get(place, headers={"Host": "other.example.org"}).status_code == 421
        behind = httpx.get(place, headers={"Host": "cards.example.org", "X-Forwarded-Proto": "https"})
        assert "Secure" in behind.headers["set-cookie"]
        with tab_at(running.port, origin="https://cards.example.org") as tab:
            tab.open("/cruel/ms:1")
        assert database.exists()
