"""Lines that the tests play, found or checked by the solver when they are wanted."""

from __future__ import annotations

from functools import cache

import crenel


@cache
def winning_line(game: str, deal: str) -> tuple[crenel.Move, ...]:
    """A win of a deal."""
    result = crenel.solve(crenel.deal(crenel.find_game(game), deal))
    assert result.verdict is crenel.Verdict.WINNABLE
    return tuple(result.moves)


def after(game: str, deal: str, moves: str = "") -> crenel.Position:
    """The position of a deal after some moves."""
    position = crenel.deal(crenel.find_game(game), deal)
    for move in crenel.parse_moves(moves):
        position.push(move)
    return position


def verdict(position: crenel.Position) -> crenel.Verdict:
    return crenel.solve(position).verdict
