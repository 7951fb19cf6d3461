"""crenel: Cruel, Beleaguered Castle and their kin, played and solved exactly.

The public names are collected here; nothing heavy is imported until it is used.
"""

from __future__ import annotations

from crenel.rules.catalogue import GAMES, UnknownGame, find_game, load_game
from crenel.rules.game import Game, InvalidGame
from crenel.rules.moves import IllegalMove, Move, UnreadableMove, move_name, parse_move
from crenel.rules.position import Position

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "Game",
    "IllegalMove",
    "InvalidGame",
    "Move",
    "Position",
    "UnknownGame",
    "UnreadableMove",
    "find_game",
    "load_game",
    "move_name",
    "parse_move",
]
