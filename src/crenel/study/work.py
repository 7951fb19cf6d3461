"""What a worker of a survey does: it solves or plays the deals of one chunk and says how and where that was done.

Everything here crosses process and machine borders, so it is plain, frozen and picklable. A worker never writes a
file; its rows go back to the survey.
"""

from __future__ import annotations

import hashlib
import os
import platform
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import metadata, resources
from importlib.resources.abc import Traversable

from crenel import __version__
from crenel.rules.deals import deal
from crenel.rules.game import Game
from crenel.rules.notation import parse_board
from crenel.rules.position import Position
from crenel.solver.result import Limit, Result, Verdict
from crenel.solver.search import Solver
from crenel.study.playing import Playing, play_games

BOARDS = "board"
"""Stands where a numbered deal has its scheme: ``board:3`` is the third board of a file."""
_PLAYERS = ("players.py", "playing.py", "quick.py")
_DIGITS = 6
"""Decimals of processor seconds: no clock is finer, and the rest is noise that no file can compress."""
_WARM_DEALS = 3
_WARM_STATES = 60_000


@dataclass(frozen=True, slots=True)
class Row:
    """What a survey keeps of one deal.

    Attributes:
        deal: Its name, such as ``ms:1``.
        verdict: ``"winnable"``, ``"unwinnable"`` or ``"undecided"``.
        limit: What ended an undecided search: the words of :class:`crenel.Result`, or ``"worker"`` when the process
            that searched it died twice. Else ``None``.
        cost: Tableau moves and redeals of the first win found (not the fewest); this and the next three are ``None``
            without a win.
        tableau_moves, foundation_moves, redeals: The moves of that win by kind.
        states: Positions visited.
        seconds: Processor seconds of the search, compilation not counted.
        reason: The kind of reason why an unwinnable deal cannot be won, else ``None``.
        games, wins: Where a simulated player played: how many games, and how many of them were won. Such a deal is
            winnable when a game was won (the cost is that of the cheapest win), else undecided with the limit
            ``"player"``: a player proves nothing. ``states`` counts the moves made.
    """

    deal: str
    verdict: str
    limit: str | None = None
    cost: int | None = None
    tableau_moves: int | None = None
    foundation_moves: int | None = None
    redeals: int | None = None
    states: int = 0
    seconds: float = 0.0
    reason: str | None = None
    games: int | None = None
    wins: int | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """Deals with neighbouring numbers, solved by one worker and kept in one file.

    Attributes:
        scheme: The scheme of the deals, or ``BOARDS``.
        first, last: The numbers; ``last`` belongs to the chunk.
    """

    scheme: str
    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __str__(self) -> str:
        deals = f"{self.scheme}:{self.first}"
        return deals if self.first == self.last else f"{deals}-{self.last}"

    def common(self, other: Chunk) -> Chunk | None:
        """The deals that both chunks hold, or ``None`` when there are none."""
        first, last = max(self.first, other.first), min(self.last, other.last)
        return Chunk(self.scheme, first, last) if self.scheme == other.scheme and first <= last else None

    @property
    def names(self) -> list[str]:
        """The names of the deals, in their order."""
        return [f"{self.scheme}:{number}" for number in range(self.first, self.last + 1)]


@dataclass(frozen=True, slots=True)
class Task:
    """A chunk with all that is needed to solve it.

    Attributes:
        game: The rules.
        limit: For each deal.
        chunk: The deals.
        boards: The texts of the boards when the chunk counts boards of a file, else empty.
        playing: Who plays the deals, and how often; ``None`` solves them.
    """

    game: Game
    limit: Limit
    chunk: Chunk
    boards: tuple[bytes, ...] = ()
    playing: Playing | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """With what results were made.

    Attributes:
        version: The version of the program.
        solver: A digest of the sources of the rules and the solver, or of the rules and the players.
        machine: System, processor, Python and Numba, as text.
    """

    version: str
    solver: str
    machine: str


@dataclass(frozen=True, slots=True)
class Solved:
    """A solved chunk.

    Attributes:
        rows: One per deal, in their order.
        made: With what.
        elapsed: Seconds from beginning to end by the clock on the wall.
    """

    rows: tuple[Row, ...]
    made: Made
    elapsed: float


Work = Callable[[Task], Solved]
"""What turns a task into rows: :func:`solve_chunk`, unless a test says otherwise."""

_kept = threading.local()
"""The last solver of each thread: a cluster may run several workers as threads of one process."""


def solve_chunk(task: Task) -> Solved:
    """Solves the deals of a chunk, each under the task's limit, or has them played."""
    began = time.monotonic()
    row = _solve if task.playing is None else _play
    rows = tuple(row(task, place, name) for place, name in enumerate(task.chunk.names))
    return Solved(rows, provenance(task.playing is not None), time.monotonic() - began)


def prepare(task: Task) -> None:
    """Compiles and loads the kernels for the game of a task, by solving a little of it; run it once per machine."""
    if task.playing is not None:
        return
    limit = Limit(states=_WARM_STATES, memory=task.limit.memory)
    solver = _solver(task.game, task.limit.memory)
    for place, name in enumerate(task.chunk.names[:_WARM_DEALS]):
        solver.solve(_start(task, place, name), limit=limit)


def _solve(task: Task, place: int, name: str) -> Row:
    try:
        result = _solver(task.game, task.limit.memory).solve(_start(task, place, name), limit=task.limit)
    except MemoryError:
        _kept.solver = None  # with its arrays
        return Row(name, Verdict.UNDECIDED.value, limit="memory")
    except Exception as error:
        error.add_note(f"while {name} of {task.game.id} was solved")
        raise
    return make_row(name, result)


def _play(task: Task, place: int, name: str) -> Row:
    assert task.playing is not None
    played = play_games(_start(task, place, name), name, task.playing)
    return Row(
        deal=name,
        verdict=(Verdict.WINNABLE if played.wins else Verdict.UNDECIDED).value,
        limit=None if played.wins else "player",
        cost=played.cost,
        tableau_moves=played.tableau_moves,
        foundation_moves=played.foundation_moves,
        redeals=played.redeals,
        states=played.moves,
        seconds=round(played.seconds, _DIGITS),
        games=task.playing.games,
        wins=played.wins,
    )


def make_row(name: str, result: Result) -> Row:
    """The row of a result.

    Args:
        name: The name of the deal.
        result: What the solver answered.
    """
    won = result.verdict is Verdict.WINNABLE
    return Row(
        deal=name,
        verdict=result.verdict.value,
        limit=result.limit if result.verdict is Verdict.UNDECIDED else None,
        cost=result.cost if won else None,
        tableau_moves=result.tableau_moves if won else None,
        foundation_moves=result.foundation_moves if won else None,
        redeals=result.redeals if won else None,
        states=result.states,
        seconds=round(result.seconds, _DIGITS),
        reason=None if result.reason is None else result.reason.kind,
    )


def _start(task: Task, place: int, name: str) -> Position:
    return parse_board(task.boards[place], task.game) if task.boards else deal(task.game, name)


def _solver(game: Game, memory: int | None) -> Solver:
    """The solver of this thread; its arrays are kept from chunk to chunk of the same game."""
    solver: Solver | None = getattr(_kept, "solver", None)
    if solver is None or solver.game != game or _kept.memory != memory:
        solver = _kept.solver = Solver(game, memory)
        _kept.memory = memory
    return solver


@cache
def provenance(is_played: bool = False) -> Made:
    """With what this process makes results.

    Args:
        is_played: Whether the results are those of simulated players.
    """
    cores = os.cpu_count()
    parts = [
        f"{platform.system()} {platform.machine()}",
        f"{cores} processors" if cores else "",
        f"Python {platform.python_version()}",
        f"Numba {metadata.version('numba')}",
        f"NumPy {metadata.version('numpy')}",
    ]
    return Made(__version__, _source_digest(is_played), ", ".join(part for part in parts if part))


def _source_digest(is_played: bool) -> str:
    """A short digest of all sources of the rules and the solver, which decide what a verdict is, or of the players."""
    digest = hashlib.sha256()
    for package in ("crenel.rules", "crenel.study" if is_played else "crenel.solver"):
        files = [file for file in resources.files(package).iterdir() if file.name.endswith(".py")]
        if package == "crenel.study":
            files = [file for file in files if file.name in _PLAYERS]
        for file in sorted(files, key=_file_name):
            digest.update(f"{package}/{file.name}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def _file_name(file: Traversable) -> str:
    return file.name
