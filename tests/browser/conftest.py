"""One server for all these tests, one browser for each module, and a new player for each test."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from tests.browser.browsing import ARGUMENTS, REQUIRED, Watch, find_browser
from tests.browser.server import Server
from tests.browser.table import PATIENCE, Table

NewPlayer = Callable[..., Table]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server."""
    if find_browser() is None and not REQUIRED:
        pytest.skip("no chromium is installed")
    with Server(tmp_path_factory.mktemp("data")) as running:
        yield running
    assert not re.search(r"Traceback|ERROR", running.log()), running.log()


@pytest.fixture(scope="session")
def solver(server: Server) -> None:
    """Waits for the solver of the server; what it has compiled serves the tests' own searches too."""
    server.wait_for_solver()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser; for each module, as nothing else can use the event loop of its thread in the meantime."""
    program = find_browser()
    if program is None:
        if REQUIRED:
            pytest.fail("CRENEL_TEST_BROWSER=required, but no chromium is installed")
        pytest.skip("no chromium is installed")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield running
        running.close()


@pytest.fixture
def new_player(browser: Browser, server: Server) -> Iterator[NewPlayer]:
    """Makes players, each with a cookie of its own; what their pages did wrong fails the test at its end."""
    opened: list[tuple[BrowserContext, Watch]] = []

    def make(at: Server = server, options: dict[str, Any] | None = None, **context_options: Any) -> Table:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 720}} | context_options))
        context.set_default_timeout(PATIENCE)
        watch = Watch(context, at.url)
        opened.append((context, watch))
        return Table.of_new_player(context, watch, at.url, options or {})

    yield make
    for context, _ in opened:
        context.close()
    for _, watch in opened:
        watch.check()


@pytest.fixture
def table(new_player: NewPlayer) -> Table:
    """The table of a new player on a desktop, without animation."""
    return new_player()
