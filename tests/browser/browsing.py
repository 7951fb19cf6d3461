"""The browser that Debian brings, and a watch over what its pages say and ask for."""

from __future__ import annotations

import os
import re
import shutil
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, Request, WebError, WebSocket
from playwright.sync_api import ConsoleMessage as Line

REQUIRED = os.environ.get("CRENEL_TEST_BROWSER") == "required"
"""Whether a machine without a browser fails the tests; otherwise they are skipped there."""
NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_browser() -> str | None:
    """The program of the browser, or ``None``."""
    return next((found for found in map(shutil.which, NAMES) if found is not None), None)


class Watch:
    """Writes down what no page may do: complain in the console, fail, or ask any other host for something.

    Args:
        context: Whose pages are watched.
        url: The address of the only server that may be asked.
    """

    def __init__(self, context: BrowserContext, url: str) -> None:
        self._host = urlsplit(url).netloc
        self._complaints: list[str] = []
        self._allowed: list[re.Pattern[str]] = []
        self.asked = 0
        context.on("console", self._hear)
        context.on("weberror", self._fail)
        context.on("request", self._follow)
        context.on("page", self._open)

    def allow(self, pattern: str) -> None:
        """What a test provokes, as a pattern of the whole complaint."""
        self._allowed.append(re.compile(pattern, re.DOTALL))

    def check(self) -> None:
        """Fails when there is anything to complain about, or nothing at all was seen."""
        assert self.asked, "no request was seen: the watch sleeps"
        left = [said for said in self._complaints if not any(one.fullmatch(said) for one in self._allowed)]
        assert not left, "\n".join(left)

    def _hear(self, line: Line) -> None:
        if line.type in ("error", "warning", "assert"):
            self._complaints.append(f"console {line.type}: {line.text}")

    def _fail(self, problem: WebError) -> None:
        self._complaints.append(f"error in the page: {problem.error}")

    def _follow(self, request: Request) -> None:
        self.asked += 1
        self._check_address(request.url)

    def _open(self, page: Page) -> None:
        page.on("websocket", self._connect)

    def _connect(self, socket: WebSocket) -> None:
        self._check_address(socket.url)

    def _check_address(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.netloc != self._host:
            self._complaints.append(f"asked another host: {url}")
