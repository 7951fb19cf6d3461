"""The last word on a win: replaying it through ``rules``, move by move."""

from __future__ import annotations

from collections.abc import Iterable

from crenel.rules.moves import Move, move_name
from crenel.rules.position import Position


class SolverError(RuntimeError):
    """A solver claimed a win that the rules refuse: a fault in the program, never in the input."""


def check_win(position: Position, moves: Iterable[Move]) -> tuple[Move, ...]:
    """Replays a claimed win and returns its moves.

    Args:
        position: Where the line starts; it is left as it is.
        moves: The claimed line.

    Raises:
        SolverError: when a move is illegal or the line does not end in a win.
    """
    replayed, line = position.copy(), tuple(moves)
    for number, move in enumerate(line, 1):
        problem = replayed.why_not(move)
        if problem is not None:
            raise SolverError(f"move {number} ({move_name(move)}) of a claimed win is illegal: {problem}")
        replayed.push(move)
    if not replayed.is_won:
        raise SolverError(f"a claimed win of {len(line)} moves does not end in a win")
    return line
