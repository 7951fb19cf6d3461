"""The text formats in one place: boards, solutions and records, read and written.

The work is done in ``boards``, ``solutions`` and ``records``; this module collects their public names.
"""

from __future__ import annotations

from crenel.rules.boards import InvalidBoard, format_board, format_board_json, parse_board
from crenel.rules.records import InvalidRecord, Record, format_record, make_record, parse_record
from crenel.rules.solutions import IllegalLine, InvalidSolution, format_moves, parse_moves, replay

__all__ = [
    "IllegalLine",
    "InvalidBoard",
    "InvalidRecord",
    "InvalidSolution",
    "Record",
    "format_board",
    "format_board_json",
    "format_moves",
    "format_record",
    "make_record",
    "parse_board",
    "parse_moves",
    "parse_record",
    "replay",
]
