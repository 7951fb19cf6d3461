"""crenel: Cruel, Beleaguered Castle and their kin, played and solved exactly.

The public names are collected here; nothing heavy is imported until a search starts.
"""

from crenel.rules.cards import UnreadableCard, card_name, parse_card
from crenel.rules.catalogue import GAMES, UnknownGame, find_game, load_game
from crenel.rules.deals import UnknownDeal, deal
from crenel.rules.game import Game, InvalidGame
from crenel.rules.moves import REDEAL, IllegalMove, Move, UnreadableMove, move_name, parse_move
from crenel.rules.notation import (
    InvalidBoard,
    InvalidRecord,
    InvalidSolution,
    Record,
    format_board,
    format_moves,
    format_record,
    make_record,
    parse_board,
    parse_moves,
    parse_record,
    replay,
)
from crenel.rules.position import Position
from crenel.solver.result import Limit, Reason, Result, Verdict
from crenel.solver.search import solve, solve_many

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "Game",
    "IllegalMove",
    "InvalidBoard",
    "InvalidGame",
    "InvalidRecord",
    "InvalidSolution",
    "Limit",
    "Move",
    "Position",
    "REDEAL",
    "Reason",
    "Record",
    "Result",
    "UnknownDeal",
    "UnknownGame",
    "UnreadableCard",
    "UnreadableMove",
    "Verdict",
    "card_name",
    "deal",
    "find_game",
    "format_board",
    "format_moves",
    "format_record",
    "load_game",
    "make_record",
    "move_name",
    "parse_board",
    "parse_card",
    "parse_move",
    "parse_moves",
    "parse_record",
    "replay",
    "solve",
    "solve_many",
]
