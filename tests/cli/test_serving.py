"""What ``play`` and ``serve`` are told, and where the browser begins; the running server has tests of its own."""

from __future__ import annotations

import socket
import sys
import threading
import webbrowser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from crenel.cli import serving
from crenel.play.session import Session
from tests.bad_input import CRUEL
from tests.cli.conftest import Runner


@pytest.mark.parametrize(
    ("words", "culprit"),
    [
        (["play", "cruell"], "did you mean cruel"),
        (["play", "cruel", "mss:1"], "did you mean ms"),
        (["play", "cruel", "--rule", "redeal.limt=3"], "redeal.limt"),
        (["play", "--load", "nowhere.json"], "nowhere.json"),
        (["play", "--board", "nowhere.txt"], "nowhere.txt"),
        (["play", "--resume", "cruel"], "--resume and --load"),
        (["play", "--port", "65536"], "--port"),
        (["play", "--port", "x"], "--port"),
        (["play", "--text", "--port", "80"], "belong to the table in the browser"),
        (["play", "--text", "--database", "sqlite:///x"], "belong to the table in the browser"),
        (["play", "--port", "0", "--database", "mysql://somewhere/x"], "mysql"),
        (["play", "--port", "0", "--database", "sqlite:///nowhere/at/all.sqlite"], "nowhere/at/all.sqlite"),
        (["serve", "--host", "no.such.host.invalid", "--port", "0"], "no.such.host.invalid"),
        (["serve", "--origin", "cards.example.org"], "'cards.example.org'"),
        (["serve", "--origin", "https://cards.example.org/path"], "is not the address of a site"),
        (["serve", "--workers", "0"], "--workers"),
        (["serve", "extra"], "extra"),
    ],
    ids=" ".join,
)
def test_mistakes_are_one_sentence(crenel: Runner, words: list[str], culprit: str) -> None:
    run = crenel(*words)
    assert (run.status, run.out) == (2, "")
    assert culprit in run.sentence


def test_a_password_is_not_repeated(crenel: Runner) -> None:
    for url in ("postgresql://me:secret77@127.0.0.1:1/x", "nonsense://me:secret77@host", "secret77"):
        run = crenel("play", "--port", "0", "--database", url)
        assert run.status == 2 and "secret77" not in run.sentence


class Started:
    """Stands in for the server: it notes what it was told, and says that it answers."""

    def __init__(self) -> None:
        self.told: dict[str, Any] = {}
        self.handed: list[Session] = []

    def __call__(self, host: str, port: int | None, database: str | None, **more: Any) -> None:
        self.told = {"host": host, "port": port, "database": database, **more}
        more["ready"]("http://127.0.0.1:1", self)

    def hand_over(self, session: Session) -> str:
        self.handed.append(session)
        return "/handed"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    server = Started()
    monkeypatch.setattr(serving, "_serve", server)
    return server


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ([], "/cruel"),
        (["--resume"], "/"),
        (["cruel", "24"], "/cruel/ms:24"),
        (["Beleaguered Castle"], "/beleaguered-castle"),
        (["cruel", "ms:24", "--rule", "redeal.limit=3"], "/cruel/ms:24?redeal.limit=3"),
    ],
)
def test_where_the_browser_begins(crenel: Runner, started: Started, words: list[str], address: str) -> None:
    run = crenel("play", *words)
    assert (run.status, run.err) == (0, "")
    assert run.out.splitlines()[0] == f"The table is at http://127.0.0.1:1{address}"
    assert (started.told["host"], started.told["port"], started.told["database"]) == ("127.0.0.1", None, None)
    assert "127.0.0.1" in started.told["hosts"] and not started.handed


def test_a_board_is_handed_over(crenel: Runner, started: Started, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text(CRUEL)
    run = crenel("play", "cruel", "--board", str(board))
    assert "http://127.0.0.1:1/handed" in run.out
    assert started.handed[0].deal is None and started.handed[0].game.id == "cruel"


def test_serve_knows_its_names(crenel: Runner, started: Started) -> None:
    assert crenel("serve").out == "The table is at http://127.0.0.1:1/\n"
    assert started.told["hosts"] == {"127.0.0.1", "localhost", "::1"}
    crenel("serve", "--origin", "https://Cards.example.org/", "--port", "7", "--workers", "3")
    assert started.told["hosts"] == {"127.0.0.1", "localhost", "::1", "cards.example.org"}
    assert started.told["origins"] == ["https://cards.example.org"]
    assert (started.told["port"], started.told["workers"]) == (7, 3)
    crenel("serve", "--host", "0.0.0.0")
    assert started.told["hosts"] is None


class Browser:
    def __init__(self) -> None:
        self.opened = threading.Event()
        self.addresses: list[str] = []

    def open(self, address: str) -> bool:
        self.addresses.append(address)
        self.opened.set()
        return True


def terminal(monkeypatch: pytest.MonkeyPatch, *, is_one: bool) -> None:
    monkeypatch.setattr("sys.stdin", type("Input", (), {"isatty": staticmethod(lambda: is_one)})())


@pytest.mark.parametrize(
    ("is_terminal", "more", "opens"), [(True, [], True), (False, [], False), (True, ["x"], False)]
)
def test_the_browser_opens_at_a_terminal(
    started: Started, monkeypatch: pytest.MonkeyPatch, is_terminal: bool, more: Iterable[str], opens: bool
) -> None:
    browser = Browser()
    monkeypatch.setattr(webbrowser, "get", lambda: browser)
    terminal(monkeypatch, is_one=is_terminal)
    serving.play_command("cruel", "ms:24", no_browser=bool(more))
    assert browser.opened.wait(5 if opens else 0.2) is opens
    assert browser.addresses == (["http://127.0.0.1:1/cruel/ms:24"] if opens else [])


def test_no_browser_is_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> None:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", nowhere)
    serving._open_browser("http://127.0.0.1:1/")


def test_a_browser_in_the_terminal_is_opened_only_when_it_was_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    in_terminal = webbrowser.GenericBrowser("w3m")
    monkeypatch.setattr(webbrowser.GenericBrowser, "open", lambda self, address: opened.append(address))
    monkeypatch.setattr(webbrowser, "get", lambda: in_terminal)
    monkeypatch.delenv("BROWSER", raising=False)
    serving._open_browser("http://127.0.0.1:1/")
    assert not opened
    monkeypatch.setenv("BROWSER", "w3m")
    serving._open_browser("http://127.0.0.1:1/")
    assert opened == ["http://127.0.0.1:1/"]


def test_the_next_free_port_is_taken() -> None:
    from crenel.web.server import PortTaken, address_of, listen

    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortTaken, match=f"port {port} of 127.0.0.1: it is taken"):
            listen("127.0.0.1", port)
        with listen("127.0.0.1", port, or_next=True) as other:
            assert port < other.getsockname()[1] <= port + 20
            assert address_of(other, "127.0.0.1") == f"http://127.0.0.1:{other.getsockname()[1]}"
    if socket.has_ipv6 and sys.platform == "linux":
        with listen("::1", 0) as six:
            assert address_of(six, "::1") == f"http://[::1]:{six.getsockname()[1]}"
