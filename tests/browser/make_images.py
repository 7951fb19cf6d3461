"""Takes the pictures of the README from the real table: ``python -m tests.browser.make_images``.

They go to ``docs/images``, reduced to a palette so that they stay small. The solver must know the verdicts that are
seen in them, so this takes a while where it has to compile itself first.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, expect, sync_playwright

import crenel
from tests.browser.browsing import ARGUMENTS, Watch, find_browser
from tests.browser.lines import after
from tests.browser.server import Server
from tests.browser.table import SEARCH, Table

FOLDER = Path(__file__).resolve().parent.parent.parent / "docs" / "images"
MOST_BYTES = 150_000
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def play(table: Table, game: str, deal: str, moves: str) -> crenel.Position:
    """Opens a deal and plays to where the picture is taken."""
    position = after(game, deal)
    table.open(f"/{game}/{deal}")
    for move in crenel.parse_moves(moves):
        table.make(position, move, "clicks")
        position.push(move)
        table.expect(position)
    expect(table.page.locator('#light[data-phase="known"]')).to_be_visible(timeout=SEARCH)
    table.page.mouse.move(1, 1)
    return position


def preview(table: Table) -> None:
    position = play(table, "cruel", "ms:1", "11-h 10-8 10-h 7-8")
    table.place("preview").click()
    table.expect(position.redealt(), heard=position)
    table.page.mouse.move(1, 1)


def castle(table: Table) -> None:
    play(table, "beleaguered-castle", "ms:24", "6-h 8-6 7-8 4-8 1-3 2-5 2-8 7-2 7-h 2-h")
    table.act("hint")
    expect(table.page.locator("#table .is-hint").first).to_be_visible(timeout=SEARCH)
    table.page.mouse.move(1, 1)


def lost(table: Table) -> None:
    play(table, "cruel", "ms:9", "5-h 2-h R 3-h R")
    expect(table.page.locator('#notice [data-action="go-back"]')).to_be_visible(timeout=SEARCH)


def placing(table: Table) -> None:
    play(table, "selective-castle", "ms:1", "d-1 d-2 d-3 d-4 d-5 d-6 d-7 d-8 d-1 d-2 d-3")


def phone(table: Table) -> None:
    play(table, "cruel", "ms:1", "11-h 10-8 10-h 7-8 R 2-10")


def phone_castle(table: Table) -> None:
    play(table, "beleaguered-castle", "ms:24", "6-h 8-6 7-8 4-8")


PICTURES: dict[str, tuple[Callable[[Table], object], str, dict[str, Any]]] = {
    "cruel-preview": (preview, "light", DESKTOP),
    "beleaguered-castle-hint": (castle, "light", DESKTOP),
    "cruel-lost-dark": (lost, "dark", DESKTOP),
    "selective-castle-dark": (placing, "dark", DESKTOP),
    "cruel-phone": (phone, "light", PHONE),
    "beleaguered-castle-phone-dark": (phone_castle, "dark", PHONE),
}


def take(browser: Browser, server: Server, name: str) -> bytes:
    """One picture, reduced to a palette."""
    pose, theme, window = PICTURES[name]
    context = browser.new_context(**window)
    table = Table.of_new_player(context, Watch(context, server.url), server.url, {"theme": theme})
    pose(table)
    shot = table.page.screenshot()
    context.close()
    reduced = Image.open(io.BytesIO(shot)).convert("RGB").quantize(256, kmeans=2, dither=Image.Dither.NONE)
    file = io.BytesIO()
    reduced.save(file, "PNG", optimize=True)
    return file.getvalue()


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        server.wait_for_solver()
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(ARGUMENTS))
        for name in PICTURES:
            picture = take(browser, server, name)
            assert len(picture) <= MOST_BYTES, (name, len(picture))
            (FOLDER / f"{name}.png").write_bytes(picture)
            print(f"{name}: {len(picture):,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
