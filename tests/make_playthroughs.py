"""Writes one whole game per file, ``tests/playthroughs/GAME.json``: ``python -m tests.make_playthroughs [GAME ...]``.

A playthrough shows what a player sees: after each move the foundations, the number of legal moves and the redeals
made, the piles now and then (after each redeal above all), and, between the moves, illegal moves with the sentence
that refuses them. Reading one beside the rules sheet is the review; ``tests/rules/test_playthroughs.py`` replays all.

The line is a win from the solver where one is found soon, on a deal whose win shows as much of the game as possible
(redeals, runs); the solver only chooses the moves, everything written comes from ``crenel.Position``.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from crenel import GAMES, Game, Move, Position, move_name
from crenel.rules.cards import RANK_NAMES, SUIT_NAMES, card_name
from crenel.rules.deals import deal
from crenel.rules.moves import FOUNDATION, HAND, REDEAL
from crenel.solver.result import Limit
from crenel.solver.search import solve

FOLDER = Path(__file__).parent / "playthroughs"
DEALS = range(1, 151)
MOST_REFUSED = 12
LAYOUT_EVERY = 20
_CARD = re.compile(r"\b(ace|[2-9]|10|jack|queen|king) of \w+|\b(ace|jack|queen|king)\b")
_NUMBER = re.compile(r"\b[0-9]+(-[0-9h]+)?\b")


def foundations_text(position: Position) -> str:
    """The top cards of the foundations: ``C-A D-0 H-K S-9``."""
    tops = []
    for suit, count in enumerate(position.foundations):
        top = "0"
        if count:
            assert position.base is not None
            step = 1 - count if position.game.foundation.base == "K" else count - 1
            top = RANK_NAMES[(position.base + step) % position.game.ranks]
        tops.append(f"{SUIT_NAMES[suit]}-{top}")
    return " ".join(tops)


def piles_text(position: Position) -> list[str]:
    """The piles, bottom to top."""
    return [" ".join(map(card_name, pile)) for pile in position.piles]


def step_of(position: Position, move: Move, *, layout: bool) -> dict[str, object]:
    """What is written about a move that was just made."""
    step: dict[str, object] = {
        "move": move_name(move),
        "foundations": foundations_text(position),
        "legal": len(position.legal_moves),
        "redeals": position.redeals,
    }
    if layout:
        step["piles"] = piles_text(position)
    return step


def end_of(position: Position) -> dict[str, object]:
    """How the game stands after the last move."""
    return {
        "won": position.is_won,
        "stuck": position.is_stuck,
        "lost": position.is_lost,
        "tableau moves": position.tableau_moves,
        "foundation moves": position.foundation_moves,
        "redeals": position.redeals,
        "cost": position.cost,
        "score": position.score,
    }


def refusals(position: Position, known: set[str]) -> Iterator[tuple[Move, str]]:
    """Illegal moves whose sentence says something that is not in ``known`` yet, which is extended."""
    piles = range(len(position.piles))
    moves = [Move(source, target) for source in (HAND, *piles) for target in (FOUNDATION, *piles)]
    moves += [Move(source, target, 2) for source in piles for target in (FOUNDATION, *piles)]
    for move in (REDEAL, *moves):
        if move.is_placing and move.is_foundation:
            continue  # no text says that
        sentence = position.why_not(move)
        if sentence is None:
            continue
        kind = _NUMBER.sub("#", _CARD.sub("CARD", sentence))
        if kind not in known and len(known) < MOST_REFUSED:
            known.add(kind)
            yield move, sentence


def playthrough(start: Position, line: list[Move], deal_name: str) -> dict[str, object]:
    """The content of a file."""
    position = start.copy()
    known: set[str] = set()
    steps: list[dict[str, object]] = []
    for number, move in enumerate(line, 1):
        steps += [{"refused": move_name(no), "why": why} for no, why in refusals(position, known)]
        held = len(position.hand)
        position.push(move)
        layout = move.is_redeal or number % LAYOUT_EVERY == 0 or (held == 1 and not position.hand)
        steps.append(step_of(position, move, layout=layout))
    return {
        "game": start.game.id,
        "deal": deal_name,
        "made by": "python -m tests.make_playthroughs",
        "start": {
            "piles": piles_text(start),
            "hand": " ".join(map(card_name, start.hand)),
            "foundations": foundations_text(start),
            "legal": len(start.legal_moves),
        },
        "steps": steps,
        "end": end_of(position),
    }


def best_line(game: Game) -> tuple[str, list[Move]]:
    """A deal and a winning line that shows much; without a win, random moves as far as they go."""
    best: tuple[int, str, list[Move]] = (-1, "", [])
    for number in DEALS:
        name = f"ms:{number}"
        position = deal(game, name)
        chance = random.Random(number)
        while position.hand:  # the solver need not know where to put the cards
            position.push(chance.choice(position.legal_moves))
        result = solve(position, limit=Limit(states=20_000, seconds=5.0))
        if not result.moves and not position.is_won:
            continue
        line = [*position.moves, *result.moves]
        worth = 1 + min(sum(move.is_redeal for move in line), 2) + 2 * any(move.count > 1 for move in line)
        if worth > best[0]:
            best = (worth, name, line)
        if worth >= 3 or (not game.has_redeal and game.run == "single"):
            break
    if best[0] >= 0:
        return best[1:]
    position, chance = deal(game, "ms:1"), random.Random(1)
    while position.legal_moves and len(position.moves) < 120:
        position.push(chance.choice(position.legal_moves))
    return "ms:1", list(position.moves)


def main(names: list[str]) -> None:
    """Writes the files of the games named, or of all."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or GAMES:
        deal_name, line = best_line(GAMES[name])
        content = playthrough(deal(GAMES[name], deal_name), line, deal_name)
        steps = content.pop("steps")
        assert isinstance(steps, list)
        head = json.dumps(content, indent=1)
        body = ",\n".join("  " + json.dumps(step) for step in steps)
        text = head.removesuffix("\n}") + ',\n "steps": [\n' + body + "\n ]\n}\n"
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
        print(name, deal_name, len(line), content["end"])


if __name__ == "__main__":
    main(sys.argv[1:])
