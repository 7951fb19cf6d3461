"""The table drawn with characters: the castle with its foundations in the middle, Cruel in two rows of piles.

Rich colours the red suits where the terminal has colours and ``NO_COLOR`` is not set.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, TextIO

from crenel.play.words import redeals_line, top_rank_name
from crenel.rules.cards import RANK_NAMES, SUIT_NAMES, SUIT_SYMBOLS, Card, card_rank, card_suit, is_red
from crenel.rules.position import Position

if TYPE_CHECKING:
    from rich.text import Text

_WIDEST = 100
_PILES_IN_A_ROW = 6


def terminal_width() -> int:
    """The width for running text: the terminal's, but no more than a reader can follow."""
    return max(20, min(shutil.get_terminal_size().columns, _WIDEST))


def wrapped(text: str, indent: int = 0, stream: TextIO | None = None) -> str:
    """Long lines broken at their spaces for a terminal; unbroken, for other programs, where the output is none.

    Args:
        text: One or more lines.
        indent: How many spaces the continuation of a broken line begins with.
        stream: Where it will be printed; standard output when nothing is said.
    """
    if not (stream or sys.stdout).isatty():
        return text
    width = terminal_width()
    indented = " " * min(indent, width // 2)
    lines = [
        line
        if len(line) <= width
        else textwrap.fill(
            line, width, subsequent_indent=indented, break_long_words=False, break_on_hyphens=False
        )
        for line in text.split("\n")
    ]
    return "\n".join(lines)


def draw(position: Position, title: str = "") -> None:
    """Draws a position on standard output."""
    from rich.console import Console  # loaded only when something is drawn

    console = Console(highlight=False)
    for line in drawing(
        position, title, symbols=_can_print_symbols(), width=shutil.get_terminal_size().columns
    ):
        console.print(line, soft_wrap=True)


def _can_print_symbols() -> bool:
    try:
        SUIT_SYMBOLS.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def drawing(position: Position, title: str = "", *, symbols: bool = True, width: int = 80) -> list[Text]:
    """The lines of the drawing.

    Args:
        position: What is drawn.
        title: The first line; none when empty.
        symbols: Whether suits are drawn as symbols instead of letters.
        width: The width of the terminal in characters; a castle that is too wide becomes a list of rows.
    """
    from rich.text import Text

    pen = _Pen(symbols)
    lines = [Text(title, style="bold"), Text()] if title else []
    if position.game.family == "castle":
        lines += pen.castle(position, width)
    else:
        lines += pen.piles(position)
    if position.hand:
        lines += [Text(), Text("In hand, next first:"), *pen.hand(position, width)]
    return lines


class _Pen:
    """Draws cards and what is made of them.

    Args:
        symbols: Whether suits are drawn as symbols.
    """

    def __init__(self, symbols: bool) -> None:
        self.suits = SUIT_SYMBOLS if symbols else SUIT_NAMES

    def card(self, card: Card, bold: bool = False) -> Text:
        from rich.text import Text

        style = ("bold " if bold else "") + ("red" if is_red(card) else "")
        return Text(RANK_NAMES[card_rank(card)] + self.suits[card_suit(card)], style=style.strip())

    def foundation(self, position: Position, suit: int) -> Text:
        from rich.text import Text

        rank = top_rank_name(position, suit)
        return Text(
            ("-" if rank == "0" else rank) + self.suits[suit], style="bold red" if is_red(suit) else "bold"
        )

    def hand(self, position: Position, width: int) -> list[Text]:
        from rich.text import Text

        each = max(1, width // 3)
        cards = [self.card(card, bold=number == 0) for number, card in enumerate(position.hand)]
        return [Text(" ").join(cards[first : first + each]) for first in range(0, len(cards), each)]

    def row(self, cards: tuple[Card, ...], outwards_left: bool) -> Text:
        """A row of a castle; its top card is at the outer end."""
        from rich.text import Text

        drawn = [self.card(card, bold=place == len(cards) - 1) for place, card in enumerate(cards)]
        return Text(" ").join(drawn[::-1] if outwards_left else drawn)

    def castle(self, position: Position, width: int) -> list[Text]:
        """The rows left and right of the foundations."""
        from rich.text import Text

        piles = position.piles
        half = (len(piles) + 1) // 2
        longest = max(3 * max(map(len, piles[:half])) - 1, 2)
        if longest + 3 * max(map(len, piles[half:]), default=0) + 22 > width:
            return self.listed(position)
        lines = []
        for number in range(max(half, 4)):
            line = Text()
            if number < half:
                left = self.row(piles[number], outwards_left=True)
                line.append(f"{number + 1:>2}  ")
                line.append(" " * (longest - len(left)))
                line.append_text(left)
            else:
                line.append(" " * (longest + 4))
            line.append("   ")
            line.append_text(self.foundation(position, number) if number < 4 else Text("  "))
            line.append("   ")
            if half + number < len(piles):
                right = self.row(piles[half + number], outwards_left=False)
                line.append_text(right)
                line.append(("  " if len(right) else "") + f"{half + number + 1}")
            lines.append(line)
        return lines

    def listed(self, position: Position) -> list[Text]:
        """The foundations in a line and a line per row, for a narrow terminal."""
        from rich.text import Text

        lines = [Text("Foundations  ").append_text(self.foundations(position))]
        for number, cards in enumerate(position.piles, 1):
            lines.append(Text(f"{number:>2}  ").append_text(self.row(cards, outwards_left=False)))
        return lines

    def foundations(self, position: Position) -> Text:
        from rich.text import Text

        return Text("  ").join([self.foundation(position, suit) for suit in range(4)])

    def piles(self, position: Position) -> list[Text]:
        """The piles with their numbers, six in a row, each from the bottom card down to the top card."""
        from rich.text import Text

        first_line = Text("Foundations  ").append_text(self.foundations(position))
        if position.game.has_redeal:
            first_line.append(f"    {redeals_line(position)}")
        lines = [first_line]
        piles = position.piles
        for first in range(0, len(piles), _PILES_IN_A_ROW):
            numbers = range(first, min(first + _PILES_IN_A_ROW, len(piles)))
            lines += [Text(), Text("".join(f"{number + 1:>4}  " for number in numbers).rstrip(), style="dim")]
            for depth in range(max(len(piles[number]) for number in numbers)):
                line = Text()
                for number in numbers:
                    cards = piles[number]
                    line.append("  ")
                    line.append_text(
                        self.card(cards[depth], bold=depth == len(cards) - 1)
                        if depth < len(cards)
                        else Text("  ")
                    )
                    line.append("  ")
                line.rstrip()
                lines.append(line)
        return lines
