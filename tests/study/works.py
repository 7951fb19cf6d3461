"""What workers do in the tests instead of solving, and small helpers. Workers import this module by its name."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from crenel.rules.catalogue import find_game
from crenel.solver.result import Limit
from crenel.study.executors import Crew, SerialExecutor
from crenel.study.results import make_terms, open_results
from crenel.study.work import Chunk, Made, Row, Solved, Task

MADE = Made("0.1.0", "0123456789abcdef", "a machine")
LIMIT = Limit(memory=1 << 30)


def fake_row(name: str) -> Row:
    """A row that depends on the number of the deal alone."""
    number = int(name.partition(":")[2])
    if number % 3 == 0:
        return Row(name, "unwinnable", states=number % 100, seconds=0.25, reason="exhausted")
    if number % 10 == 1:
        return Row(name, "undecided", limit="states", states=7, seconds=0.5)
    return Row(
        name, "winnable", None, number % 7, number % 5, 48, number % 4, states=number % 100, seconds=0.125
    )


def fake(task: Task) -> Solved:
    """Solves nothing, quickly."""
    return Solved(tuple(map(fake_row, task.chunk.names)), MADE, 0.001 * len(task.chunk))


def slow_fake(task: Task) -> Solved:
    """Solves nothing, slowly: five milliseconds a deal."""
    time.sleep(0.005 * len(task.chunk))
    return fake(task)


def deadly(task: Task, deals: frozenset[int], diary: str) -> Solved:
    """Kills its own process where the chunk holds one of the deals; writes down which chunks it was given."""
    with open(diary, "a") as file:
        file.write(f"{task.chunk}\n")
    if any(task.chunk.first <= number <= task.chunk.last for number in deals):
        os.kill(os.getpid(), signal.SIGKILL)
    return fake(task)


def deadly_once(task: Task, mark: str) -> Solved:
    """Kills its own process the first time that anyone does this."""
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return fake(task)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def process_id(_: object = None) -> int:
    """Which process runs this."""
    return os.getpid()


def niceness(_: object = None) -> int:
    """How polite this process is."""
    return os.nice(0)


def die(_: object = None) -> None:
    """Ends this process as the system does when the memory is used up."""
    os.kill(os.getpid(), signal.SIGKILL)


def plain_crew(capacity: int = 1) -> Crew:
    """This process, without warming anything up."""
    return Crew(SerialExecutor(), lambda: capacity, lambda function, argument: None)


def stored(folder: Path, wanted: Chunk, game: str, limit: Limit = LIMIT) -> list[Row]:
    """The rows in a folder, by number."""
    with open_results(folder, make_terms(find_game(game), limit)) as results:
        return sorted(results.rows(wanted), key=lambda row: int(row.deal.partition(":")[2]))


def untimed(rows: Iterable[Row]) -> list[Row]:
    """Rows without their processor time, which no two runs share."""
    return [replace(row, seconds=0.0) for row in rows]


def write_folder(
    folder: Path, rows: Sequence[Row], game: str = "fortress", made: Made = MADE, limit: Limit = LIMIT
) -> None:
    """A folder with one file that holds rows of neighbouring numbers."""
    scheme, _, first = rows[0].deal.partition(":")
    chunk = Chunk(scheme, int(first), int(first) + len(rows) - 1)
    with open_results(folder, make_terms(find_game(game), limit)) as results:
        results.write(chunk, rows, made)
