"""What several commands are given: a game with its rules, a start, files; and how mistakes in them are said."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from crenel.rules.catalogue import find_game
from crenel.rules.deals import deal, parse_deal_id
from crenel.rules.game import Game
from crenel.rules.notation import parse_board
from crenel.rules.position import Position
from crenel.rules.reading import MAX_TEXT, one_line, quoted

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game by name (see 'crenel games'), or the path of a .toml file.",
        show_default=False,
    ),
]
DealName = Annotated[
    str,
    typer.Argument(metavar="DEAL", help="A deal such as ms:1; a bare number means ms.", show_default=False),
]
OptionalDeal = Annotated[
    str | None,
    typer.Argument(metavar="[DEAL]", help="A deal such as ms:1; a bare number means ms.", show_default=False),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="KEY=VALUE",
        help="Changes a rule, such as redeal.limit=3; may be repeated ('crenel rules GAME' lists the keys).",
        show_default=False,
    ),
]
BoardFile = Annotated[
    str | None,
    typer.Option(
        "--board",
        metavar="FILE",
        help="Reads the layout from a file ('-' is standard input).",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Prints JSON and nothing else.", show_default=False)]


class Mistake(ValueError):
    """A mistake in what a command was asked; the message is one sentence."""


class Interrupted(Exception):
    """The program was asked to end; the message says what was kept.

    Args:
        status: The exit status.
        message: One sentence.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@contextlib.contextmanager
def plain_interrupts() -> Iterator[None]:
    """DuckDB turns Ctrl-C during a query into an error of its own; here it becomes what it is everywhere else."""
    try:
        yield
    except RuntimeError as error:
        if "Query interrupted" not in str(error):
            raise
        raise KeyboardInterrupt from None


def chosen_game(name: str, rules: list[str] | None) -> Game:
    """The game of that name with the rules changed.

    Raises:
        ValueError: when there is no such game, or a rule is not ``key=value``, unknown or given twice.
    """
    game = find_game(name)
    changes: dict[str, object] = {}
    for text in rules or ():
        key, equals, value = text.partition("=")
        key = key.strip()
        if not (equals and key):
            raise Mistake(f"--rule {quoted(text)} is not key=value, such as redeal.when=when-stuck")
        if key in changes:
            raise Mistake(f"--rule {key} is given twice")
        changes[key] = value.strip()
    return game.with_rules(changes) if changes else game


def chosen_start(game: Game, deal_name: str | None, board: str | None) -> tuple[Position, str | None]:
    """The position of a deal or of a board file, and the deal's full name.

    Raises:
        ValueError: when neither or both are given, or when they cannot be read.
    """
    if deal_name is not None and board is not None:
        raise Mistake(f"both a deal ({quoted(deal_name)}) and --board are given; one of them is the start")
    if board is not None:
        return parse_board(read_file(board), game), None
    if deal_name is None:
        raise Mistake("no start is given: name a DEAL such as ms:1, or a layout with --board FILE")
    deal_id = parse_deal_id(deal_name)
    return deal(game, deal_id), str(deal_id)


def read_file(name: str) -> bytes:
    """The content of a file, or of standard input for ``-``.

    Raises:
        Mistake: when it cannot be read; the message names the file.
    """
    try:
        if name == "-":
            return sys.stdin.buffer.read(MAX_TEXT + 1)
        with open(name, "rb") as file:
            return file.read(MAX_TEXT + 1)
    except OSError as error:
        raise Mistake(one_line(f"cannot read {name}: {error.strerror}")) from None
    except ValueError:  # a name with a zero byte
        raise Mistake(f"{quoted(name)} is not the name of a file") from None
