"""Counts legal move sequences and writes ``tests/perft/GAME.json``: ``python -m tests.make_perft [GAME ...]``.

A file holds, for a few deals of one game, how many sequences of exactly 1, 2, 3, … legal moves there are; ``moves``
names the moves made before counting begins (a game half played, with redeals, runs and empty piles as far as the
game has them). A change of the rules shows as a changed count, and the depth at which it shows says how deep it lies.

The counts are no echo of the rules floor: each is counted twice, by ``crenel.Position`` and by ``tests.twin``, a
second reading of the rules that shares no code with the first, and the move texts are compared at every position on
the way. A difference is an error and nothing is written.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

from crenel import GAMES, Game, Position, move_name, parse_move
from crenel.rules.cards import SUITS, card_name, make_card
from crenel.rules.deals import deal
from tests.twin import Layout, Twin

FOLDER = Path(__file__).parent / "perft"
DEALS = ("ms:1", "ms:7", "ms:617")
LEAVES = 8_000
"""The deepest count of a start is the first beyond this, or that of ``DEEPEST``."""
DEEPEST = 12
QUICK = 1_500
"""Counts up to this are checked by the quick tests, larger ones by the slow ones."""


def count_moves(position: Position, depth: int) -> list[int]:
    """The numbers of legal move sequences of exactly 1, 2, … ``depth`` moves."""
    moves = position.legal_moves
    counts = [len(moves)] + [0] * (depth - 1)
    if depth > 1:
        for move in moves:
            position.push(move)
            for place, count in enumerate(count_moves(position, depth - 1), 1):
                counts[place] += count
            position.pop()
    return counts


def start_of(game: Game, deal_name: str, moves: str) -> Position:
    """The deal after some moves, written as in a file."""
    position = deal(game, deal_name)
    for text in moves.split():
        position.push(parse_move(text))
    return position


def layout_of(position: Position) -> Layout:
    """The same position for the twin."""
    game = position.game
    up: list[tuple[str, ...]] = []
    for suit, count in enumerate(position.foundations):
        steps = [-step if game.foundation.base == "K" else step for step in range(count)]
        up.append(
            tuple(card_name(make_card(((position.base or 0) + step) % game.ranks, suit)) for step in steps)
        )
    assert len(up) == SUITS
    piles = tuple(tuple(map(card_name, pile)) for pile in position.piles)
    return Layout(piles, tuple(up), tuple(map(card_name, position.hand)), position.redeals_used)


def compare(position: Position, twin: Twin, layout: Layout, depth: int) -> None:
    """Compares the legal moves and their effects as deep as ``depth`` moves.

    Raises:
        AssertionError: where the two readings of the rules differ.
    """
    following = twin.moves(layout)
    texts = [move_name(move) for move in position.legal_moves]
    assert sorted(texts) == sorted(following), f"{position.piles}: {texts} or {list(following)}?"
    assert layout_of(position) == layout
    if depth:
        for text, after in following.items():
            position.push(parse_move(text))
            compare(position, twin, after, depth - 1)
            position.pop()


def counts_of(position: Position) -> list[int]:
    """The counts of a start, as deep as ``LEAVES`` allows, counted twice and compared.

    Raises:
        AssertionError: where the two readings of the rules differ.
    """
    twin, layout = Twin(position.game.rules()), layout_of(position)
    counts: list[int] = []
    while len(counts) < DEEPEST and (not counts or 0 < counts[-1] <= LEAVES):
        depth = len(counts) + 1
        counts = count_moves(position, depth)
        assert counts[-1] == twin.count(layout, depth)
        if counts[-1] <= QUICK:
            compare(position, twin, layout, depth)
    return counts


def features(position: Position) -> set[str]:
    """What is remarkable about a position, for choosing one that shows most."""
    moves = position.legal_moves
    game = position.game
    kings_on_aces = any(
        move.is_tableau
        and position.piles[move.target]
        and abs(position.piles[move.target][-1] // SUITS - position.piles[move.source][-move.count] // SUITS)
        > 1
        for move in moves
    )
    found = {
        "a run may move": any(move.count > 1 for move in moves),
        "an empty pile": not position.hand and not all(position.piles),
        "a redeal may follow": any(move.is_redeal for move in moves),
        "two redeals made": position.redeals_used >= 2,
        "a redeal made": position.redeals_used >= 1,
        "ranks wrap": kings_on_aces and game.build.wrap,
        "all cards placed": game.deal.order == "by-hand" and not position.hand,
        "a card may go up": any(move.is_foundation for move in moves),
        "three moves or more": len(moves) >= 3,
        "much is up": sum(position.foundations) >= 12,
    }
    return {name for name, holds in found.items() if holds}


def half_played(game: Game, seed: int) -> tuple[str, str]:
    """A deal and moves at random that lead to a position with many features."""
    best: tuple[int, str, str] = (-1, "", "")
    for number in range(2, 42):
        chance = random.Random(f"{game.id} {number} {seed}")
        position = deal(game, f"ms:{number}")
        for _ in range(120):
            moves = position.legal_moves
            if not moves:
                break
            ups = [move for move in moves if move.is_foundation]
            position.push(chance.choice(ups if ups and chance.random() < 0.6 else moves))
            found = len(features(position))
            if found > best[0]:
                best = (found, f"ms:{number}", " ".join(map(move_name, position.moves)))
    return best[1:]


def make(game: Game) -> dict[str, object]:
    """The content of a game's file."""
    starts = [(name, "") for name in DEALS] + [half_played(game, seed) for seed in (1, 2)]
    if game.deal.order == "by-hand":
        # Before all cards lie there is one kind of move; so one start is put just before the last cards.
        name, moves = half_played(game, 3)
        placings = [text for text in moves.split() if text.startswith("d-")]
        starts.append((name, " ".join(placings[:-3])))
    entries = [
        {"deal": name, "moves": moves, "counts": counts_of(start_of(game, name, moves))}
        for name, moves in starts
    ]
    return {"game": game.id, "made by": "python -m tests.make_perft", "starts": entries}


def main(names: list[str]) -> None:
    """Writes the files of the games named, or of all."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or GAMES:
        content = make(GAMES[name])
        text = json.dumps(content, indent=1, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(_short_lists(text) + "\n", encoding="utf-8")
        starts = content["starts"]
        assert isinstance(starts, list)
        print(name, *(entry["counts"] for entry in starts), sep="\n  ")


def _short_lists(text: str) -> str:
    """Puts each list of numbers on one line."""
    lines: list[str] = []
    for line in text.splitlines():
        if lines and lines[-1].endswith(("[", ",")) and line.strip(" ,]").isdigit():
            lines[-1] += ("" if lines[-1].endswith("[") else " ") + line.strip()
        elif lines and line.strip() in ("]", "],") and lines[-1][-1:].isdigit():
            lines[-1] += line.strip()
        else:
            lines.append(line)
    return "\n".join(lines)


if __name__ == "__main__":
    main(sys.argv[1:])
