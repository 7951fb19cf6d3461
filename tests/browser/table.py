"""What a player sees and does: the table as it is drawn, and moves by drag, by clicks, by touch and by keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal, Self

from playwright.sync_api import BrowserContext, Locator, Page, expect

import crenel
from crenel.play.words import counted, pile_name, top_rank
from crenel.rules.cards import card_words, make_card
from tests.browser.browsing import Watch

PATIENCE = 20_000
"""Milliseconds after which a test gives up waiting for the page."""
SEARCH = 120_000
"""Milliseconds for what the solver must find out."""
SUITS = "CDHS"
Way = Literal["drag", "clicks", "touch", "touch drag"]

_SEEING = (Path(__file__).parent / "seeing.js").read_text(encoding="utf-8")


class Drawn:
    """Which cards are drawn where.

    Attributes:
        piles: Bottom to top, in the order of the piles.
        foundations: The card seen on each foundation that has one.
        hand: The cards to be placed, the next one first.
    """

    def __init__(self, piles: list[list[str]], foundations: dict[str, str], hand: list[str]) -> None:
        self.piles = piles
        self.foundations = foundations
        self.hand = hand

    @classmethod
    def of(cls, position: crenel.Position) -> Self:
        """How a position is drawn by the rules alone."""
        tops = ((name, top_rank(position, suit)) for suit, name in enumerate(SUITS))
        return cls(
            [[crenel.card_name(card) for card in pile] for pile in position.piles],
            {
                name: crenel.card_name(make_card(top, SUITS.index(name)))
                for name, top in tops
                if top is not None
            },
            [crenel.card_name(card) for card in position.hand],
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Drawn) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # it has lists

    def __repr__(self) -> str:
        return f"Drawn({json.dumps(vars(self))})"


def pile_labels(position: crenel.Position) -> list[str]:
    """What the piles are called for those who listen."""
    return [
        f"{pile_name(position, number).capitalize()}: "
        + (f"{counted(len(pile), 'card')}, top {card_words(pile[-1])}" if pile else "empty")
        for number, pile in enumerate(position.piles)
    ]


class Table:
    """One tab with the page.

    Args:
        page: The tab.
        watch: Watches it.
        url: The address of the server.
    """

    def __init__(self, page: Page, watch: Watch, url: str) -> None:
        self.page = page
        self.watch = watch
        self.url = url

    @classmethod
    def of_new_player(cls, context: BrowserContext, watch: Watch, url: str, options: dict[str, Any]) -> Self:
        """The first tab of a player with these options; nothing moves unless they say otherwise."""
        chosen = {"animation": "none", "choseAnimation": True} | options
        context.add_init_script(
            f"location.origin === {json.dumps(url)} && (localStorage.getItem('crenel.options') ?? "
            f"localStorage.setItem('crenel.options', {json.dumps(json.dumps(chosen))}))"
        )
        context.add_init_script(_SEEING)
        return cls(context.new_page(), watch, url)

    def another(self) -> Table:
        """Another tab of the same player."""
        return Table(self.page.context.new_page(), self.watch, self.url)

    # Seeing

    def open(self, address: str) -> None:
        """Opens an address and waits for the table."""
        self.page.goto(self.url + address)
        self.wait_for_cards()

    def wait_for_cards(self) -> None:
        expect(self.page.locator("#table [data-card]").first).to_be_visible()

    def drawn(self) -> Drawn:
        """Reads which card lies where from the places at which they are drawn."""
        return Drawn(**self.page.evaluate("() => seeing.drawn()"))

    def expect(self, position: crenel.Position | Drawn, *, heard: crenel.Position | None = None) -> None:
        """Waits until exactly this is drawn, nothing moves any more, and the labels of the piles say the same.

        The labels tell what the server has confirmed: a dropped card is drawn in its new place a little earlier.

        Args:
            position: What is to be seen.
            heard: What the labels say, where that differs: in a preview they stay with the table as it is.
        """
        wanted = position if isinstance(position, Drawn) else Drawn.of(position)
        labelled = position if heard is None and isinstance(position, crenel.Position) else heard
        labels = None if labelled is None else pile_labels(labelled)
        if not self.page.evaluate("(asked) => seeing.isDrawn(asked)", [vars(wanted), labels, PATIENCE]):
            seen = self.page.evaluate("() => seeing.labels()")
            raise AssertionError(f"drawn is {self.drawn()} with {seen}, but wanted {wanted} with {labels}")

    def place(self, what: int | str) -> Locator:
        """The button of a pile by its number, of a foundation by its suit, or ``redeal``, ``preview``, ``hand``."""
        return self.page.locator(f"#table {self.selector(what)}")

    def card(self, name: str) -> Locator:
        return self.page.locator(f'#table [data-card="{name}"]')

    @staticmethod
    def selector(what: int | str) -> str:
        if isinstance(what, int):
            return f'[data-pile="{what}"]'
        return f'[data-foundation="{what}"]' if what in tuple(SUITS) else f"[data-{what}]"

    @property
    def notice(self) -> Locator:
        """The sentence below the table."""
        return self.page.locator("#notice .notice-words")

    @property
    def dialog(self) -> Locator:
        return self.page.locator("dialog[open]")

    def expect_count(self, name: str, words: str) -> None:
        expect(self.page.locator(f'#counts [data-count="{name}"]')).to_have_text(words)

    def expect_light(self, verdict: str) -> None:
        light = self.page.locator(f'#light[data-phase="known"][data-verdict="{verdict}"]')
        expect(light).to_be_visible(timeout=SEARCH)

    def expect_said(self, sentence: str) -> None:
        """Waits until something is read aloud."""
        expect(self.page.locator("#polite p").filter(has_text=sentence).last).to_be_attached()

    def act(self, action: str) -> None:
        """Presses a button of the bars."""
        self.page.locator(f'[data-action="{action}"]:visible').first.click()

    def record(self) -> crenel.Record:
        """The game as the server has kept it, asked for as its address bar tells it."""
        played = self.page.context.request.get(f"{self.url}/api/played?limit=1").json()["games"]
        kept = self.page.context.request.get(f"{self.url}/api/played/{played[0]['key']}/record")
        assert kept.ok
        return crenel.parse_record(kept.text())

    # Doing

    def point(self, selector: str) -> tuple[float, float]:
        """Where something on the table can be pressed: a point of it that nothing covers."""
        return self.points(selector)[0]

    def points(self, *selectors: str) -> list[tuple[float, float]]:
        """Where several things can be pressed."""
        found = self.page.evaluate("(asked) => seeing.points(asked)", [selectors, PATIENCE])
        assert found, f"covered, or not there: {selectors}"
        return [(x, y) for x, y in found]

    def ends(self, position: crenel.Position, move: crenel.Move) -> tuple[str, str]:
        """The selectors of what is grasped for a move, and of what it is put on."""
        cards = position.hand[:1] if move.source < 0 else position.piles[move.source][-move.count :]
        if move.is_foundation:
            suit = crenel.card_name(cards[0])[1]
            return f'[data-card="{crenel.card_name(cards[0])}"]', self.selector(suit)
        goal = position.piles[move.target]
        target = f'[data-card="{crenel.card_name(goal[-1])}"]' if goal else self.selector(move.target + 1)
        return f'[data-card="{crenel.card_name(cards[0])}"]', target

    def make(self, position: crenel.Position, move: crenel.Move, way: Way) -> None:
        """Makes a move by pointer; the position is the one before it. Does not wait for what comes of it."""
        if move.is_redeal:
            self.press(self.point(self.selector("redeal")), way)
            return
        source, target = self.points(*self.ends(position, move))
        if way in ("clicks", "touch"):
            self.press(source, way)
            self.press(target, way)
        elif way == "drag":
            self.drag(source, target)
        else:
            self.touch_drag(source, target)

    def press(self, point: tuple[float, float], way: Way = "clicks") -> None:
        if way.startswith("touch"):
            self.page.touchscreen.tap(*point)
        else:
            self.page.mouse.click(*point)

    def drag(self, source: tuple[float, float], target: tuple[float, float]) -> None:
        mouse = self.page.mouse
        mouse.move(*source)
        mouse.down()
        mouse.move(*target, steps=4)
        mouse.up()

    def touch_drag(self, source: tuple[float, float], target: tuple[float, float]) -> None:
        session = self.page.context.new_cdp_session(self.page)
        for share in (0.0, 0.2, 0.5, 0.8, 1.0):
            x, y = (a + (b - a) * share for a, b in zip(source, target, strict=True))
            session.send(
                "Input.dispatchTouchEvent",
                {"type": "touchMove" if share else "touchStart", "touchPoints": [{"x": x, "y": y}]},
            )
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        session.detach()

    def walk(self, what: int | str) -> None:
        """Goes to a place with the arrow keys alone, as one who looks at the table does."""
        goal = self.selector(what)
        tried: set[tuple[object, str]] = set()
        for _ in range(40):
            here, dx, dy = self.page.evaluate(
                """(goal) => {
                  const middle = (element) => {
                    const { left, right, top, bottom } = element.getBoundingClientRect();
                    return [(left + right) / 2, (top + bottom) / 2];
                  };
                  const target = document.querySelector(`#table ${goal}`);
                  const now = document.activeElement;
                  if (now === target) return [null, 0, 0];
                  const [[x, y], [toX, toY]] = [middle(now), middle(target)];
                  return [`${x} ${y}`, toX - x, toY - y];
                }""",
                goal,
            )
            if here is None:
                return
            across, down = ("ArrowRight" if dx > 0 else "ArrowLeft"), ("ArrowDown" if dy > 0 else "ArrowUp")
            keys = [across, down] if abs(dx) > abs(dy) else [down, across]
            key = next((key for key in keys if (here, key) not in tried), None)
            assert key is not None, f"the arrow keys do not lead to {what}"
            tried.add((here, key))
            self.page.keyboard.press(key)
        raise AssertionError(f"the arrow keys do not lead to {what}")
