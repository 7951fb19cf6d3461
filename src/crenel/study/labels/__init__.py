"""Labelled deals: for some games a few hundred deals each that are easy, medium, hard, or cannot be won.

The lists lie beside this module, one file per game, made by ``crenel label`` from result files. *Easy*, *medium* and
*hard* deals can be won, which the solver's win proves; how hard they are was measured: a simulated player, the most
skilled one that knows the game, won at least half of its games of an easy deal, some but fewer of a medium one, and
none of a hard one. *Unwinnable* deals say by what kind of evidence.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from crenel.rules.game import Game, rule_text

DIFFICULTIES = ("easy", "medium", "hard", "unwinnable")
_ENDING = ".csv"
_FIELDS = ("deal", "difficulty", "cost", "shortest", "wins", "evidence")


class UnreadableLabels(ValueError):
    """A file that holds no labels; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Label:
    """What is known of one deal.

    Attributes:
        deal: Its name, such as ``ms:1``.
        difficulty: One of ``DIFFICULTIES``.
        cost: Tableau moves and redeals of the cheapest win that is known; ``None`` for an unwinnable deal.
        is_shortest: Whether no win is cheaper, by proof.
        wins: How many games the simulated player won (see :class:`Labels` for how many were played).
        evidence: Why an unwinnable deal is that: the kind of a :class:`crenel.solver.result.Reason`; else empty.
    """

    deal: str
    difficulty: str
    cost: int | None
    is_shortest: bool
    wins: int
    evidence: str


@dataclass(frozen=True, slots=True)
class Labels:
    """The labelled deals of one game.

    Attributes:
        game: The id of the game.
        rules: All its rule values as text; the labels hold for these alone.
        player: The simulated player.
        games: How many games it played of each deal.
        made: The version of the program, and the digests of the sources of solver and players.
        deals: By the number of the deal.
    """

    game: str
    rules: dict[str, str]
    player: str
    games: int
    made: dict[str, str]
    deals: tuple[Label, ...]

    def of(self, difficulty: str) -> tuple[Label, ...]:
        """The deals of one difficulty.

        Args:
            difficulty: One of ``DIFFICULTIES``.

        Raises:
            ValueError: for another word.
        """
        if difficulty not in DIFFICULTIES:
            raise ValueError(f"{difficulty!r} is none of {', '.join(DIFFICULTIES)}")
        return tuple(label for label in self.deals if label.difficulty == difficulty)


def labelled_games() -> list[str]:
    """The ids of the games that have labelled deals."""
    names = (file.name for file in resources.files(__package__).iterdir())
    return sorted(name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING))


def labels_of(game: Game) -> Labels | None:
    """The labelled deals of a game, or ``None`` when there are none for these very rules.

    Args:
        game: Any game; the deals of a variant are not those of its plain game.
    """
    if game.id not in labelled_games():
        return None
    labels = _shipped(game.id)
    return labels if labels.rules == rules_as_text(game) else None


def rules_as_text(game: Game) -> dict[str, str]:
    """All rule values of a game as text."""
    return {key: rule_text(value) for key, value in game.rules().items()}


@cache
def _shipped(game: str) -> Labels:
    file = resources.files(__package__) / f"{game}{_ENDING}"
    return parse_labels(file.read_text(encoding="utf-8"))


def format_labels(labels: Labels) -> str:
    """The text of a file: a line that begins with ``#`` says what it is, then one line per deal under the heads."""
    about: dict[str, Any] = {
        "game": labels.game,
        "rules": labels.rules,
        "player": labels.player,
        "games": labels.games,
        "made": labels.made,
    }
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_FIELDS)
    for label in labels.deals:
        cost = "" if label.cost is None else label.cost
        writer.writerow(
            (label.deal, label.difficulty, cost, int(label.is_shortest), label.wins, label.evidence)
        )
    return f"# {json.dumps(about)}\n{text.getvalue()}"


def parse_labels(text: str) -> Labels:
    """Reads what :func:`format_labels` writes.

    Raises:
        UnreadableLabels: when the text is something else.
    """
    first, _, rest = text.partition("\n")
    try:
        about = json.loads(first.removeprefix("#"))
        return Labels(
            about["game"],
            about["rules"],
            about["player"],
            about["games"],
            about["made"],
            tuple(_labels(csv.reader(io.StringIO(rest)))),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableLabels(f"this is no file of labelled deals ({error})") from None


def _labels(lines: Iterable[list[str]]) -> Iterable[Label]:
    rows = iter(lines)
    if tuple(next(rows, ())) != _FIELDS:
        raise ValueError("the heads are missing")
    for deal, difficulty, cost, shortest, wins, evidence in rows:
        if difficulty not in DIFFICULTIES:
            raise ValueError(f"{difficulty!r} is no difficulty")
        yield Label(deal, difficulty, int(cost) if cost else None, shortest == "1", int(wins), evidence)
