"""The commands that show what there is: ``games``, ``rules`` and ``deal``."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import Annotated

import typer

from crenel.cli.options import AsJson, DealName, GameName, Rules, chosen_game, chosen_start
from crenel.cli.show import draw, terminal_width, wrapped
from crenel.play.sheet import format_sheet, rule_keys, rules_sheet
from crenel.rules.catalogue import GAMES
from crenel.rules.game import rule_text
from crenel.rules.notation import format_board, format_board_json


class LayoutFormat(StrEnum):
    """How ``deal`` prints a layout."""

    BOARD = "board"
    JSON = "json"
    PRETTY = "pretty"


def games_command(as_json: AsJson = False) -> None:
    """Lists the games: id, title, family and one line about each."""
    if as_json:
        for game in GAMES.values():
            entry = {
                "id": game.id,
                "title": game.title,
                "family": game.family,
                "summary": game.summary,
                "aliases": list(game.aliases),
                "rules": {key: rule_text(game.rules()[key]) for key in rule_keys(game)},
            }
            print(json.dumps(entry, ensure_ascii=False))
        return
    longest = max(map(len, GAMES))
    family = ""
    for game in GAMES.values():
        if not sys.stdout.isatty():
            print(f"{game.id:{longest}}  {game.family:6}  {game.title}: {game.summary}")
            continue
        if game.family != family:
            print(f"{game.family.capitalize()} family")
            family = game.family
        print(wrapped(f"  {game.id}: {game.title}. {game.summary}", indent=6))


def rules_command(game: GameName, rules: Rules = None) -> None:
    """Prints the rules sheet of a game, made from the data that the program plays by."""
    print(format_sheet(rules_sheet(chosen_game(game, rules)), terminal_width()), end="")


def deal_command(
    game: GameName,
    deal: DealName,
    rules: Rules = None,
    layout_format: Annotated[
        LayoutFormat | None,
        typer.Option(
            "--format",
            help="A drawing (pretty), the board format, or a JSON deal; "
            "without it, pretty on a terminal and board in a pipe.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Prints the layout of a numbered deal."""
    position, name = chosen_start(chosen_game(game, rules), deal, None)
    chosen = layout_format or (LayoutFormat.PRETTY if sys.stdout.isatty() else LayoutFormat.BOARD)
    if chosen is LayoutFormat.PRETTY:
        draw(position, f"{position.game.title}, deal {name}")
    else:
        print((format_board if chosen is LayoutFormat.BOARD else format_board_json)(position), end="")
