"""Makes lists of labelled deals (see ``labels``) from the result files of a solver and of a simulated player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from crenel.rules.catalogue import find_game
from crenel.rules.deals import deal
from crenel.rules.game import Game
from crenel.solver.result import Limit
from crenel.solver.search import Solver
from crenel.study.labels import DIFFICULTIES, Label, Labels, rules_as_text
from crenel.study.report import read_folder
from crenel.study.results import Shard, connect, file_names

_EASY = 0.5
"""A deal is easy when the player wins at least this share of its games."""
_MEMORY = 1 << 30


class UnfitResults(ValueError):
    """Results that no labels can be made of; the message says why."""


def difficulty_of(verdict: str, wins: int, games: int) -> str | None:
    """The label of a deal, or ``None`` for an undecided one that nobody won.

    Args:
        verdict: The solver's.
        wins: Games that the player won.
        games: Games that it played.
    """
    if verdict == "unwinnable":
        return "unwinnable"
    if not wins:
        return "hard" if verdict == "winnable" else None
    return "easy" if wins >= _EASY * games else "medium"


def make_labels(
    solved: Path,
    played: Path,
    each: int,
    shortest: Limit | None = None,
    progress: Callable[[Label], None] | None = None,
) -> Labels:
    """Labels deals, by number, until there are enough of each difficulty or no more.

    Args:
        solved: A folder with results of the solver.
        played: A folder with games of a simulated player, of the same game.
        each: How many deals of each difficulty are wanted.
        shortest: When given, a proof of the cheapest win is tried within this limit per deal.
        progress: Called after each deal.

    Raises:
        UnfitResults: when the folders do not belong together.
        NoResults, UnreadableResults, MissingPackage: as when a report is made of the folders.
    """
    with connect() as database:
        by_solver, by_player = read_folder(database, solved), read_folder(database, played)
        game = _common_game(by_solver[0], by_player[0])
        found = database.execute(
            "SELECT deal, s.verdict, least(s.cost, p.cost), p.wins, p.games, coalesce(s.reason, '') "
            "FROM read_parquet(?) AS s JOIN read_parquet(?) AS p USING (deal) WHERE p.games IS NOT NULL "
            "ORDER BY split_part(deal, ':', 1), split_part(deal, ':', 2)::BIGINT",
            [file_names(by_solver), file_names(by_player)],
        ).fetchall()
    playing = by_player[0].terms.playing
    assert playing is not None
    left = dict.fromkeys(DIFFICULTIES, each)
    solver = Solver(game, _MEMORY) if shortest else None
    labels = []
    for name, verdict, cost, wins, games, reason in found:
        if verdict == "unwinnable" and wins:
            raise UnfitResults(f"{name} of {game.id} is unwinnable in {solved}, but was won in {played}")
        difficulty = difficulty_of(verdict, wins, games)
        if difficulty is None or not left[difficulty]:
            continue
        left[difficulty] -= 1
        label = Label(name, difficulty, cost, False, wins, reason)
        if solver is not None and cost is not None:
            label = _shortened(label, solver, game, shortest)
        labels.append(label)
        if progress is not None:
            progress(label)
    made = {
        "version": by_solver[0].made.version,
        "solver": by_solver[0].made.solver,
        "players": by_player[0].made.solver,
    }
    return Labels(game.id, rules_as_text(game), playing.player, playing.games, made, tuple(labels))


def _common_game(by_solver: Shard, by_player: Shard) -> Game:
    """The game of both results."""
    if by_solver.terms.playing is not None:
        raise UnfitResults(f"{by_solver.path.parent} holds games of a player, not results of the solver")
    if by_player.terms.playing is None:
        raise UnfitResults(f"{by_player.path.parent} holds results of the solver, not games of a player")
    if by_solver.terms.rules != by_player.terms.rules:
        raise UnfitResults(f"{by_solver.path.parent} and {by_player.path.parent} are not of the same game")
    if by_solver.terms.boards or by_player.terms.boards:
        raise UnfitResults("boards of a file have no numbers by which others could find them")
    game = find_game(by_solver.terms.game)
    if rules_as_text(game) != by_solver.terms.rules:
        raise UnfitResults(
            f"{by_solver.path.parent} was made with other rules of {game.title} than it has now"
        )
    return game


def _shortened(label: Label, solver: Solver, game: Game, limit: Limit | None) -> Label:
    """The label with the cost of the cheapest win that the solver finds within a limit."""
    result = solver.solve(deal(game, label.deal), limit=limit, shortest=True)
    if not result.moves:
        return label
    cost = result.cost if label.cost is None else min(label.cost, result.cost)
    return replace(label, cost=cost, is_shortest=result.shortest)
