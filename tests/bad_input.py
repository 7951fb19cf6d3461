"""Broken input of every kind, as data: what is read, and what the error must say.

Each case is one text for one reader. ``tests/rules`` feeds them to the readers, ``tests/cli`` to the commands: each
gives one sentence (and the command exit status 2), never a traceback.

Kinds:
    board, json-board: a layout file of ``game`` (``solve GAME --board FILE``).
    deal: a deal number (``deal GAME TEXT``).
    rule: a rule as ``key=value`` (``--rule TEXT``).
    solution: a line of moves for deal ms:1 of ``game`` (``verify GAME ms:1 --solution FILE``): it cannot be read, or a
        move in it is illegal.
    game-file: the text of a game file; ``game`` is not used (``rules FILE.toml``).
    record: the text of a record; ``game`` is not used.
"""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass

CASTLE = """\
Foundations: H-A C-A D-A S-A
JD KD KS QH 8H 6C
2D KC 9D 4H 2C 3D
9H 9S QD 4D JH 8C
JC 5S JS 7S 7D TC
5D QC 3C 3S 6D 6S
7H KH 4C TD 8S 9C
7C 3H 5C 4S 8D 2H
5H 2S TS TH QS 6H
"""
"""Beleaguered Castle ms:1."""
CRUEL = """\
JD QC QH 6D
2D KH 4H 8S
9H 3H 4D 8D
JC 2S 7S QS
5D KS 3S 6C
7H 9D TD 3D
7C QD 4S 8C
5H JS TH TC
KD 3C 8H 6S
KC 4C 2C 9C
9S 5C JH 2H
5S TS 7D 6H
"""
"""Cruel ms:1."""
STREETS = """\
JD KD 2S 4C 3S 6D 6S
2D KC KS 5C TD 8S 9C
9H 9S 9D TS 4S 8D 2H
JC 5S QD QH TH QS 6H
5D AD JS 4H 8H 6C
7H QC AS AC 2C 3D
7C KH AH 4D JH 8C
5H 3H 3C 7S 7D TC
"""
"""Streets and Alleys ms:1."""
GAME_FILE = """\
id = "my-game"
title = "My Game"
family = "castle"
summary = "A game of my own."
run = "single"
empty = "any"

[foundation]
base = "A"
dealt = true

[piles]
count = 8
size = 6

[deal]
order = "round-robin"

[build]
direction = "down"
suits = "any"

[redeal]
limit = 0
"""
RULES = {
    "ranks": 13,
    "foundation.base": "A",
    "foundation.dealt": True,
    "piles.sizes": [4] * 12,
    "deal.order": "round-robin",
    "deal.plays": "none",
    "build.direction": "down",
    "build.suits": "same",
    "build.wrap": False,
    "run": "single",
    "empty": "none",
    "redeal.limit": "unlimited",
    "redeal.when": "any-time",
    "redeal.order": "bottom-up",
    "score": "cards-up",
}


@dataclass(frozen=True, slots=True)
class BadInput:
    """One broken input.

    Attributes:
        name: What is wrong, in a few words; unique.
        kind: Which reader it is for, see above.
        text: The input.
        game: The game it is read for, where the kind needs one.
        words: Each must be in the error message.
    """

    name: str
    kind: str
    text: str | bytes
    game: str
    words: tuple[str, ...]


def edited(text: str, *changes: tuple[str, str]) -> str:
    """A text with changes each of which must apply, so that no case tests something else than it says."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def record(**changes: object) -> str:
    """A record of Cruel ms:1 with some keys changed."""
    keys: dict[str, object] = {
        "format": "crenel-record",
        "version": 1,
        "game": "cruel",
        "rules": RULES,
        "deal": "ms:1",
        "board": None,
        "moves": "7-10 11-h",
        "result": "unfinished",
    }
    return json.dumps(keys | changes)


def json_board(**changes: object) -> str:
    """Cruel ms:1 as a JSON deal with some keys changed."""
    keys: dict[str, object] = {"tableau piles": [line.split() for line in CRUEL.splitlines()]}
    return json.dumps(keys | changes)


def _board(name: str, text: str | bytes, game: str, *words: str) -> BadInput:
    return BadInput(name, "board", text, game, words)


def _json(name: str, text: str, *words: str) -> BadInput:
    return BadInput(name, "json-board", text, "cruel", words)


def _deal(name: str, text: str, *words: str) -> BadInput:
    return BadInput(name, "deal", text, "cruel", words)


def _rule(name: str, text: str, game: str, *words: str) -> BadInput:
    return BadInput(name, "rule", text, game, words)


def _solution(name: str, text: str | bytes, game: str, *words: str) -> BadInput:
    return BadInput(name, "solution", text, game, words)


def _game_file(name: str, text: str, *words: str) -> BadInput:
    return BadInput(name, "game-file", text, "", words)


def _record(name: str, text: str | bytes, *words: str) -> BadInput:
    return BadInput(name, "record", text, "", words)


BC = "beleaguered-castle"
CASES: tuple[BadInput, ...] = (
    # Boards
    _board("nothing at all", "", BC, "8 rows expected", "0 found"),
    _board("a missing card", edited(CASTLE, (" 6C", "")), BC, "missing: 6C"),
    _board("a repeated card", edited(CASTLE, ("6C", "6H")), BC, "6H in line 2 and line 9", "missing: 6C"),
    _board("an unreadable card", edited(CASTLE, ("6C", "6X")), BC, "'6X' in line 2"),
    _board(
        "several unreadable cards",
        edited(CASTLE, ("6C", "6X"), ("3D", "?")),
        BC,
        "'6X' in line 2",
        "'?' in line 3",
    ),
    _board("a card without a suit", edited(CASTLE, ("TC", "10")), BC, "'10' in line 5"),
    _board("a pile too many", edited(CASTLE, (" 6C", "\n6C")), BC, "8 rows expected", "9 found", "line 10"),
    _board(
        "a blank line too many", edited(CASTLE, ("6C\n", "6C\n\n")), BC, "8 rows expected", "line 3 is blank"
    ),
    _board(
        "the last pile missing",
        edited(CASTLE, ("5H 2S TS TH QS 6H\n", "")),
        BC,
        "8 rows expected",
        "7 found",
        "5H",
    ),
    _board("the board of another game", CRUEL, BC, "8 rows expected", "12 found"),
    _board(
        "no foundations where cards went up",
        edited(CASTLE, ("Foundations: H-A C-A D-A S-A\n", ""), (" 2H", "")),
        BC,
        "missing: 2H",
        "no line says what is on the foundations",
    ),
    _board("an unreadable foundation", edited(CASTLE, ("H-A", "H-X")), BC, "'H-X' in line 1"),
    _board("a foundation of no suit", edited(CASTLE, ("H-A", "A")), BC, "'A' in line 1", "H-A"),
    _board("a foundation twice", edited(CASTLE, ("C-A", "H-2")), BC, "line 1", "foundation H twice"),
    _board(
        "two lines of foundations", edited(CASTLE, ("S-A\n", "S-A\nFounds: H-A\n")), BC, "line 2", "second"
    ),
    _board(
        "a card on a foundation and in a pile",
        edited(CASTLE, ("H-A", "H-2")),
        BC,
        "2H on its foundation and in line 8",
    ),
    _board("an empty foundation whose base is missing", edited(CASTLE, ("H-A", "H-0")), BC, "missing: AH"),
    _board("an unknown line", edited(CASTLE, ("S-A\n", "S-A\nTalon: 6C\n")), BC, "line 2", "'Talon:'"),
    _board(
        "cards in freecells", edited(CASTLE, ("S-A\n", "S-A\nFreecells: 6C\n")), BC, "line 2", "freecells"
    ),
    _board(
        "a hand where nothing is dealt by hand",
        "Hand: 6H\n" + edited(CRUEL, (" 6H", "")),
        "cruel",
        "6H",
        "not dealt by hand",
    ),
    _board(
        "a pile too full while cards are in hand",
        edited(CASTLE, ("S-A\n", "S-A\nHand: 6H\n"), ("QS 6H", ""), ("8H 6C", "8H 6C QS")),
        "selective-castle",
        "row 1 holds 7 cards",
        "6",
    ),
    _board("redeals where there are none", "Redeals: 1\n" + CASTLE, BC, "1 redeals", "no redeal"),
    _board("more redeals than allowed", "Redeals: 4\n" + CRUEL, "cruel-3", "4 redeals", "only 3"),
    _board("redeals that are no number", "Redeals: two\n" + CRUEL, "cruel", "line 1", "redeals"),
    _board(
        "bases that disagree",
        "Foundations: C-A D-A\n" + edited(STREETS, (" AC", ""), (" AD", ""), (" 2C", "")),
        "selective-castle-classic",
        "C-A D-A",
        "2C",
        "one base rank",
    ),
    _board(
        "a card that a smaller deck lacks",
        "AC AD AH AS\n2C 2D 2H 2S\n3C 3D 3H 3S\n4C 4D 4H 9S\n",
        "streets-and-alleys[piles.sizes=4x4,ranks=4]",
        "9S in line 4",
        "from A to 4",
    ),
    _board("binary data", b"\x7fELF\x02\x01\x01\x00\x00\xff\xfe", BC, "not text"),
    _board("text with zero bytes", "AC\x00AD", BC, "not text"),
    _board("another coding than UTF-8", "# fé\n".encode("latin-1") + CASTLE.encode(), BC, "UTF-8"),
    _board("a text without end", "AC " * 400_000, BC, "too long"),
    _board("a web page", "<html>\n<body>AC</body>\n</html>\n", BC, "'<html>' in line 1"),
    # JSON deals
    _json("JSON that breaks off", '{"tableau piles": [["AC"', "not valid JSON", "line 1"),
    _json("JSON without piles", '{"piles": []}', "tableau piles"),
    _json("JSON piles that are no array", json_board(**{"tableau piles": {"1": ["AC"]}}), "tableau piles"),
    _json("a JSON pile that is no array", json_board(**{"tableau piles": [["AC"], 5]}), "pile 2"),
    _json("a JSON card that is no text", json_board(**{"tableau piles": [["AC", 5]]}), "pile 1"),
    _json("an unreadable JSON card", json_board(**{"tableau piles": [["AC", "1Z"]]}), "'1Z' in pile 1"),
    _json(
        "too few JSON piles",
        json_board(**{"tableau piles": [["2C"]]}),
        "12 piles expected",
        "1 found",
        "missing",
    ),
    _json("a JSON key twice", '{"tableau piles": [], "tableau piles": []}', "'tableau piles' twice"),
    _json("JSON with NaN", '{"tableau piles": [[NaN]]}', "NaN"),
    _json("JSON nested without end", '{"tableau piles": ' + "[" * 100_000, "nested too deeply"),
    _json("a number of JSON too long", '{"tableau piles": [], "redeals": ' + "9" * 5000 + "}", "too long"),
    _json("JSON redeals below zero", json_board(redeals=-1), "'redeals'"),
    _json("JSON with a stock", json_board(stock=["AC"]), "'stock'"),
    _json("a JSON foundation with a gap", json_board(foundations=["AC", "3C", "2C"]), "3C", "'foundations'"),
    # Deals
    _deal("an empty deal", ""),
    _deal("an unknown scheme", "tarot:1", "tarot"),
    _deal("deal zero", "ms:0", "0"),
    _deal("a deal below zero", "ms:-1", "-1"),
    _deal("a deal that is no number", "ms:one", "one"),
    _deal("a deal without a number", "ms:", "ms"),
    _deal("a deal too large", "ms:99999999999999999999", "99999999999999999999"),
    _deal("a deal with a fraction", "1.5", "1.5"),
    _deal("a deal with two numbers", "ms:1:2", "1:2"),
    _deal("a deal in other digits", "ms:١٢", "ms"),
    _deal("a deal of thousands of digits", "9" * 5000, "9999"),
    # Rules
    _rule("an unknown rule", "redeal.limits=2", "cruel", "'redeal.limits'", "redeal.limit"),
    _rule(
        "an unknown value",
        "build.direction=sideways",
        "cruel",
        "build.direction=sideways",
        "down, up or either",
    ),
    _rule("a number too large", "ranks=14", "cruel", "ranks=14", "4 to 13"),
    _rule("a number below zero", "redeal.limit=-1", "cruel", "redeal.limit=-1"),
    _rule("neither yes nor no", "foundation.dealt=maybe", "cruel", "foundation.dealt=maybe", "true or false"),
    _rule(
        "sizes that do not hold the cards", "piles.sizes=12x5", "cruel", "piles.sizes=12x5", "60 cards", "48"
    ),
    _rule("unreadable sizes", "piles.sizes=4y4", "cruel", "piles.sizes=4y4"),
    _rule(
        "a redeal order where there is no redeal",
        "redeal.order=top-down",
        BC,
        "redeal.order=top-down",
        "no redeal",
    ),
    _rule(
        "bases dealt that are not known",
        "foundation.base=first",
        "cruel",
        "foundation.dealt",
        "foundation.base=first",
    ),
    _rule(
        "plays while dealing by hand",
        "deal.plays=fitting",
        "selective-castle",
        "deal.plays=fitting",
        "by-hand",
    ),
    # Solutions
    _solution("an unreadable move", "7-10 7*10", "cruel", "move 2 (line 1)", "'7*10'"),
    _solution("a pile that counts from zero", "7-10\n0-3", "cruel", "move 2 (line 2)", "'0-3'", "from 1"),
    _solution("a pile that is not there", "7-14", "cruel", "move 1 (7-14)", "no pile 14"),
    _solution(
        "a build that is not allowed",
        "7-10 11-h 10-3",
        "cruel",
        "move 3 (10-3) is illegal",
        "8 of clubs",
        "8 of diamonds",
    ),
    _solution("a card that does not go up", "1-h", "cruel", "move 1 (1-h)", "6 of diamonds"),
    _solution("a redeal that is not allowed", "R", "cruel-strict", "move 1 (R)", "11-h can be played"),
    _solution("a redeal in a game without", "R", BC, "move 1 (R)", "no redeal"),
    _solution("a run in a game of single cards", "7-10x2", "cruel", "move 1 (7-10x2)", "one card"),
    _solution("a card from the hand where there is none", "d-3", "cruel", "move 1 (d-3)", "hand"),
    _solution(
        "a move before the hand is placed",
        "1-2",
        "selective-castle",
        "move 1 (1-2)",
        "place the cards in hand",
    ),
    _solution("two characters in a game of many piles", "7a 71", "cruel", "'7a'"),
    _solution("two digits in a game of many piles", "71", "cruel", "'71'", "nine piles"),
    _solution("a sentence about a freecell", "Move a card from stack 1 to freecell 0", BC, "freecell 0"),
    _solution("a pickle", pickle.dumps([(7, 10)]), "cruel", "pickle", "never read"),
    _solution("moves without end", "1-2 " * 100_001, "cruel", "100,000 moves"),
    # Game files
    _game_file("a file that is no TOML", "id = my-game", "TOML", "line 1"),
    _game_file("an empty game file", "", "field id is missing"),
    _game_file(
        "a game without a build",
        edited(GAME_FILE, ('direction = "down"\n', "")),
        "build.direction is missing",
    ),
    _game_file(
        "a game with an unknown field", edited(GAME_FILE, ("[redeal]", "[redeals]")), "'redeals.limit'"
    ),
    _game_file("a game with an unknown value", edited(GAME_FILE, ('"any"', '"some"')), "empty=some"),
    _game_file("an id that is none", edited(GAME_FILE, ('"my-game"', '"My Game!"')), "id='My Game!'"),
    _game_file(
        "an unknown family", edited(GAME_FILE, ('"castle"', '"spider"')), "family=spider", "cruel or castle"
    ),
    _game_file("a title that is no text", edited(GAME_FILE, ('"My Game"', "5")), "title"),
    _game_file("aliases that are no list", 'aliases = "mine"\n' + GAME_FILE, "aliases"),
    _game_file(
        "sizes that contradict the deck", edited(GAME_FILE, ("size = 6", "size = 7")), "56 cards", "48"
    ),
    _game_file("a game file nested without end", "x = " + "[" * 100_000, "nested too deeply"),
    _game_file("a number of thousands of digits", "x = " + "9" * 5000, "too long"),
    # Records
    _record("a record that is no JSON", "7-10 11-h", "not valid JSON"),
    _record("a record that is a list", "[]", "not a JSON object"),
    _record("JSON that is no record", "{}", "'format'"),
    _record("a newer record", record(version=2), "version '2'", "version 1"),
    _record("a version that is a text", record(version="1"), "'version'"),
    _record("a record without moves", record(moves=None), "'moves'"),
    _record("a record without rules", record(rules=None), "'rules'"),
    _record("a record with an unknown rule", record(rules=RULES | {"jokers": 2}), "'jokers'"),
    _record("a record with contradictory rules", record(rules=RULES | {"ranks": 5}), "piles.sizes"),
    _record("a record of an unknown game", record(game="unheard-of"), "'title'"),
    _record("a record with two starts", record(board=CRUEL), "not both"),
    _record("a record without a start", record(deal=None), "a deal or a board"),
    _record(
        "a record of a broken board",
        record(deal=None, board=edited(CRUEL, ("6D", "7D"))),
        "7D",
        "missing: 6D",
    ),
    _record("a record of an unknown deal", record(deal="tarot:1"), "tarot"),
    _record("a record with an unreadable move", record(moves="7-10 ?"), "move 2", "'?'"),
    _record("a record with an illegal move", record(moves="7-10 7-10"), "move 2 (7-10) is illegal"),
    _record("a record that boasts", record(result="won"), "'won'", "unfinished"),
    _record("a record with an unknown result", record(result="drawn"), "'drawn'"),
    _record("a record with a key twice", '{"format": "crenel-record", "format": ""}', "'format' twice"),
    _record("a record nested without end", '{"rules":' * 50_000, "nested too deeply"),
    _record("a record too long", record(board=" " * 1_000_000), "too long"),
    _record("a record in binary", pickle.dumps({"format": "crenel-record"}), "pickle"),
)
"""All cases."""
