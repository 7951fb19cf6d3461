"""A survey: many deals of one game, solved chunk by chunk, resumable, with any workers.

The survey keeps the books: which deals are left, who is at which chunk, what has failed. A worker that dies costs its
chunk another try; then the chunk is divided until the one deal is found that kills, and that deal is *undecided*.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass, replace

from crenel.rules.game import Game
from crenel.solver.result import Limit, Verdict
from crenel.study.executors import Crew, is_worker_death
from crenel.study.playing import Playing
from crenel.study.results import ResultFolder
from crenel.study.work import Chunk, Row, Solved, Task, Work, prepare, provenance, solve_chunk

_SIZES = (1000, 100, 10, 1)
"""Chunks end before multiples of these numbers, so that surveys of overlapping ranges share them."""
_CHUNK_SECONDS = 10.0
"""A chunk aims at no more than this: so much work is lost when a survey is killed."""
_LEAST_SECONDS = 1.0
"""Towards the end chunks become smaller, so that no worker has to wait long for the last; but no smaller than this."""
_PARTS = 10
_GROWTH = 10


class LostWorkers(ValueError):
    """No worker can go on with the survey; the message says why."""


@dataclass(slots=True)
class Tally:
    """Counts of deals by verdict, with their positions and processor time.

    Attributes:
        winnable, unwinnable, undecided: Deals.
        states: Positions visited.
        seconds: Processor seconds of the searches.
        games, wins: Where a simulated player played: all games, and how many of them were won.
    """

    winnable: int = 0
    unwinnable: int = 0
    undecided: int = 0
    states: int = 0
    seconds: float = 0.0
    games: int = 0
    wins: int = 0

    @property
    def deals(self) -> int:
        """All deals counted."""
        return self.winnable + self.unwinnable + self.undecided

    def add(self, rows: Iterable[Row]) -> None:
        """Counts some rows."""
        for row in rows:
            setattr(self, row.verdict, getattr(self, row.verdict) + 1)
            self.states += row.states
            self.seconds += row.seconds
            self.games += row.games or 0
            self.wins += row.wins or 0


Progress = Callable[["Survey"], None]
"""Called after each chunk with the survey, whose ``tally`` has grown."""


@dataclass(frozen=True, slots=True)
class _Errand:
    """A chunk on its way: how often its worker has died, and whether it is alone on the way."""

    chunk: Chunk
    deaths: int = 0
    alone: bool = False


class Survey:
    """A survey of some deals of one game.

    Args:
        game: The rules.
        wanted: The deals; of any number, cut into chunks here.
        limit: For each deal.
        boards: The texts of the boards from the first wanted one on, when the deals are boards of a file.
        folder: Where results are kept, and taken from where they are done; ``None`` keeps none.
        work: What a worker does with a chunk.
        playing: Who plays the deals, and how often; ``None`` solves them.

    Attributes:
        tally: What is known of the wanted deals so far, those that had been done before included.
        done_before: How many deals had been done before.
    """

    def __init__(
        self,
        game: Game,
        wanted: Chunk,
        limit: Limit,
        *,
        boards: tuple[bytes, ...] = (),
        folder: ResultFolder | None = None,
        work: Work = solve_chunk,
        playing: Playing | None = None,
    ) -> None:
        self.game = game
        self.wanted = wanted
        self.limit = limit
        self.playing = playing
        self.tally = Tally()
        self._boards = boards
        self._folder = folder
        self._work = work
        done = folder.done(wanted) if folder else []
        if folder:
            self.tally.add(folder.rows(wanted))
        self.done_before = self.tally.deals
        self._gaps = deque(_gaps(wanted, done))
        self._again: deque[_Errand] = deque()
        self._alone: deque[_Errand] = deque()
        self._elapsed, self._solved = 0.0, 0

    @property
    def left(self) -> int:
        """How many deals are still to be solved."""
        return len(self.wanted) - self.tally.deals

    def run(self, crew: Crew, progress: Progress | None = None) -> Tally:
        """Solves what is left.

        Args:
            crew: The workers.
            progress: Called after each chunk.

        Returns:
            The tally of all wanted deals.

        Raises:
            LostWorkers: when the workers cannot even begin, or the connection to them is lost. As after any other
                end, what is in the folder is kept, and another survey goes on from there.
        """
        if not self._gaps:
            return self.tally
        self._warm(crew)
        on_the_way: dict[Future[Solved], _Errand] = {}
        try:
            while True:
                self._hand_out(crew, on_the_way)
                if not on_the_way:
                    return self.tally
                done, _ = wait(on_the_way, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(future, on_the_way.pop(future))
                    if progress is not None:
                        progress(self)
        finally:
            for future in on_the_way:
                future.cancel()

    def _warm(self, crew: Crew) -> None:
        gap = self._gaps[0]
        sample = Chunk(gap.scheme, gap.first, min(gap.last, gap.first + _PARTS - 1))
        try:
            crew.warm(prepare, self._task(sample))
        except Exception as error:
            if not is_worker_death(error):
                raise
            raise LostWorkers(
                f"the workers end as soon as they begin with {sample.scheme}:{sample.first}"
            ) from None

    def _hand_out(self, crew: Crew, on_the_way: dict[Future[Solved], _Errand]) -> None:
        """Keeps the crew busy."""
        capacity = crew.capacity()
        while len(on_the_way) < capacity:
            errand = self._next(capacity, is_quiet=not on_the_way)
            if errand is None:
                return
            on_the_way[crew.executor.submit(self._work, self._task(errand.chunk))] = errand
            if errand.alone:
                return

    def _next(self, capacity: int, is_quiet: bool) -> _Errand | None:
        if self._again:
            return self._again.popleft()
        if self._gaps:
            return _Errand(self._cut(capacity))
        return self._alone.popleft() if is_quiet and self._alone else None

    def _cut(self, capacity: int) -> Chunk:
        """The next chunk, of a size that takes about the aimed time and leaves work for all."""
        # Few deals say little of the others, so that chunks grow by steps.
        size = max(_GROWTH * self._solved, 1)
        if self._solved:
            per_second = self._solved / max(self._elapsed, 1e-9)
            share = max(self.left / capacity, per_second * _LEAST_SECONDS)
            size = int(min(size, share, per_second * _CHUNK_SECONDS))
        size = next(step for step in _SIZES if step <= max(size, 1))
        gap = self._gaps[0]
        last = min(gap.last, gap.first - gap.first % size + size - 1)
        if last == gap.last:
            self._gaps.popleft()
        else:
            self._gaps[0] = replace(gap, first=last + 1)
        return replace(gap, last=last)

    def _task(self, chunk: Chunk) -> Task:
        before = chunk.first - self.wanted.first
        boards = self._boards[before : before + len(chunk)]
        return Task(self.game, self.limit, chunk, boards, self.playing)

    def _take(self, future: Future[Solved], errand: _Errand) -> None:
        """Enters what a worker brought, or that it died."""
        try:
            solved = future.result()
        except CancelledError:
            raise LostWorkers("the connection to the workers is lost") from None
        except Exception as error:
            if not is_worker_death(error):
                raise
            self._mourn(errand)
            return
        self._solved += len(errand.chunk)
        self._elapsed += solved.elapsed
        self._enter(errand.chunk, solved)

    def _enter(self, chunk: Chunk, solved: Solved) -> None:
        if self._folder is not None:
            self._folder.write(chunk, solved.rows, solved.made)
        self.tally.add(solved.rows)

    def _mourn(self, errand: _Errand) -> None:
        """A worker died with a chunk: once more, then in parts, then each suspect deal with no other on the way."""
        chunk = errand.chunk
        if errand.alone:
            rows = tuple(Row(name, Verdict.UNDECIDED.value, limit="worker") for name in chunk.names)
            self._enter(chunk, Solved(rows, provenance(self.playing is not None), 0.0))
        elif len(chunk) == 1:
            self._alone.append(replace(errand, alone=True))
        elif errand.deaths == 0:
            self._again.append(replace(errand, deaths=1))
        else:
            size = -(-len(chunk) // _PARTS)
            for first in range(chunk.first, chunk.last + 1, size):
                part = replace(chunk, first=first, last=min(chunk.last, first + size - 1))
                self._again.append(replace(errand, chunk=part))


def _gaps(wanted: Chunk, done: Iterable[Chunk]) -> list[Chunk]:
    """What is left of the wanted deals; the done ones come in the order of their numbers."""
    gaps, next_one = [], wanted.first
    for chunk in done:
        if chunk.first > next_one:
            gaps.append(replace(wanted, first=next_one, last=chunk.first - 1))
        next_one = max(next_one, chunk.last + 1)
    if next_one <= wanted.last:
        gaps.append(replace(wanted, first=next_one))
    return gaps
