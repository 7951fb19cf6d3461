"""Records: a game played or solved, as versioned JSON text that can be checked by replaying it.

::

    {"format": "crenel-record", "version": 1, "game": "cruel", "rules": {"ranks": 13, …},
     "deal": "ms:24", "board": null, "moves": "7-10 11-h R 3-8", "result": "unfinished"}

A start is a deal number or a board, never both. The rule values are written in full, and they, not the id, say what
was played: if a later version of the program changes a game, an old record becomes a record of a variant and still
replays. A game that the program does not bring also has its ``title``, ``family`` and ``summary`` written (its notes
and aliases are not kept). Keys that are not known are ignored; a record of a newer version is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from crenel.rules.boards import format_board, parse_board
from crenel.rules.catalogue import GAMES
from crenel.rules.deals import deal as deal_position
from crenel.rules.deals import parse_deal_id
from crenel.rules.game import RULES, Game, InvalidGame, RuleValue, make_game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.rules.reading import decode, one_line, quoted, read_json
from crenel.rules.solutions import IllegalLine, InvalidSolution, format_moves, parse_moves, replay

FORMAT = "crenel-record"
VERSION = 1
RESULTS = ("won", "lost", "unfinished")
"""Won: all cards are up. Lost: no move is left, and no redeal that changes anything. Unfinished: anything else."""

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_LONGEST_VALUE = 200
"""Characters of a rule value or a heading; 26 pile sizes take about a hundred."""


class InvalidRecord(ValueError):
    """A record that cannot be read, or that does not tell the truth; the message names the key or the move."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game played or solved.

    Attributes:
        game: The rules.
        deal: The deal, such as ``ms:24``, or ``None`` when the start is a board.
        board: The start as board text, or ``None`` when it is a deal.
        moves: The moves from the start.
        result: ``"won"``, ``"lost"`` or ``"unfinished"``; :meth:`position` checks it.
    """

    game: Game
    deal: str | None
    board: str | None
    moves: tuple[Move, ...]
    result: str

    def start(self) -> Position:
        """The position before the first move.

        Raises:
            InvalidRecord: when the record has not exactly one start, or the deal or the board cannot be read.
        """
        if (self.deal is None) == (self.board is None):
            raise InvalidRecord("the record must have a deal or a board, and not both")
        try:
            if self.deal is not None:
                return deal_position(self.game, self.deal)
            return parse_board(self.board or "", self.game)
        except ValueError as problem:
            raise InvalidRecord(one_line(f"the start of the record: {problem}")) from None

    def position(self) -> Position:
        """The position after the last move, every move checked by the rules, and the result too.

        Raises:
            InvalidRecord: when the start cannot be read, a move is illegal or the result is not true.
        """
        try:
            position = replay(self.start(), self.moves)
        except IllegalLine as problem:
            raise InvalidRecord(f"the record does not replay: {problem}") from None
        true = _result(position)
        if self.result != true:
            raise InvalidRecord(
                f"the record says {quoted(self.result)}, but its moves lead to a game that is {true}"
            )
        return position


def _result(position: Position) -> str:
    if position.is_won:
        return "won"
    return "lost" if position.is_lost else "unfinished"


def make_record(position: Position, *, deal: str | None = None, moves: Iterable[Move] = ()) -> Record:
    """The record of a position with the moves that were pushed on it.

    Args:
        position: The position; its own moves are the first moves of the record. It is left as it is.
        deal: The deal that the game began with; without it the start is written as a board.
        moves: Further moves, such as the line that a solver found from here.

    Raises:
        IllegalLine: when one of ``moves`` is illegal.
        InvalidRecord: when the game did not begin with ``deal``, or with cards that are no complete deck.
    """
    end = replay(position, moves)
    start = position.copy()
    while start.moves:
        start.pop()
    board = format_board(start) if deal is None else None
    record = Record(position.game, _full_deal(deal), board, end.moves, _result(end))
    if record.start() != start:
        raise InvalidRecord(f"the game did not begin with the deal {quoted(deal or '')}")
    return record


# Writing


def _json_value(value: RuleValue) -> Any:
    if value is None:
        return "unlimited"
    return list(value) if isinstance(value, tuple) else value


def format_record(record: Record) -> str:
    """The text of a record, one key per line; :func:`parse_record` reads it back."""
    game = record.game
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "game": game.id}
    if game.origin not in GAMES:
        data |= {"title": game.title, "family": game.family, "summary": game.summary}
    data |= {
        "rules": {key: _json_value(value) for key, value in game.rules().items()},
        "deal": record.deal,
        "board": record.board,
        "moves": format_moves(record.moves),
        "result": record.result,
    }
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
    return "{\n" + lines + "\n}\n"


# Reading


def parse_record(text: str | bytes) -> Record:
    """Reads a record; its form and its start are checked here, its moves by :meth:`Record.position`.

    Args:
        text: The text; bytes are taken as UTF-8.

    Raises:
        InvalidRecord: when the text is no record that this version reads; the message names the key.
    """
    data = read_json(decode(text, "the record", InvalidRecord), "the record", InvalidRecord)
    _check_version(data)
    game = _game(data)
    try:
        moves = tuple(parse_moves(_text(data, "moves", required=True) or "", game))
    except InvalidSolution as problem:
        raise InvalidRecord(f"the moves of the record: {problem}") from None
    result = _text(data, "result", required=True) or ""
    if result not in RESULTS:
        raise InvalidRecord(
            f"the result of the record is {quoted(result)}, but must be one of {', '.join(RESULTS)}"
        )
    record = Record(game, _full_deal(_text(data, "deal")), _text(data, "board"), moves, result)
    record.start()
    return record


def _full_deal(deal: str | None) -> str | None:
    """The deal with its scheme: a bare number is one of the usual scheme."""
    try:
        return None if deal is None else str(parse_deal_id(deal))
    except ValueError as problem:
        raise InvalidRecord(one_line(f"the start of the record: {problem}")) from None


def _check_version(data: dict[str, Any]) -> None:
    if data.get("format") != FORMAT:
        raise InvalidRecord(f"this is not a record: its 'format' is not '{FORMAT}'")
    version = data.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise InvalidRecord("the 'version' of the record is not a number from 1")
    if version > VERSION:
        raise InvalidRecord(
            f"the record has version {quoted(str(version))}, but this program reads version {VERSION}: update it"
        )


def _text(data: dict[str, Any], key: str, *, required: bool = False) -> str | None:
    """A text in the record; ``None`` when it is absent or null and may be."""
    value = data.get(key)
    if isinstance(value, str) or (value is None and not required):
        return value
    found = f"has no {quoted(key)}" if value is None else f"has {quoted(key)} that is not a text"
    raise InvalidRecord(f"the record {found}")


def _heading(data: dict[str, Any], key: str) -> str:
    value = _text(data, key, required=True) or ""
    if not value.strip() or len(value) > _LONGEST_VALUE or not value.isprintable():
        raise InvalidRecord(
            f"the record has {quoted(key)} that is not a line of 1 to {_LONGEST_VALUE} characters"
        )
    return value


def _game(data: dict[str, Any]) -> Game:
    """The game of a record: its rule values under its id."""
    name = _heading(data, "game")
    origin, bracket, _ = name.partition("[")
    if not _ID.fullmatch(origin) or (bracket and not name.endswith("]")):
        raise InvalidRecord(f"the record has 'game' {quoted(name)}, which is not the id of a game")
    rules = _rules(data.get("rules"))
    known = GAMES.get(origin)
    try:
        if known is None:
            title, family, summary = (_heading(data, key) for key in ("title", "family", "summary"))
            return make_game(rules, id=name, title=title, family=family, summary=summary, origin=origin)
        played = make_game(
            rules, id=known.id, title=known.title, family=known.family, summary=known.summary
        ).rules()
        return known.with_rules({key: value for key, value in played.items() if value != known.rules()[key]})
    except InvalidGame as problem:
        raise InvalidRecord(one_line(f"the rules of the record: {problem}")) from None


def _rules(value: Any) -> dict[str, Any]:
    """The rule values, only as far as their kinds go: ``make_game`` judges the values."""
    if not isinstance(value, dict):
        raise InvalidRecord("the record has no object 'rules'")
    for key, rule in value.items():
        if key not in RULES:
            raise InvalidRecord(f"the rules of the record: {quoted(key)} is not a rule")
        short = not isinstance(rule, str) or len(rule) <= _LONGEST_VALUE
        numbers = isinstance(rule, list) and all(isinstance(size, int) for size in rule)
        if not (short and (numbers or isinstance(rule, str | int))):
            raise InvalidRecord(f"the rules of the record: {quoted(key)} has a value of a wrong kind")
    return value
