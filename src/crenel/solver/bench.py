"""The benchmark over a fixed list of deals: visited positions (the signature) and processor time.

The sum of visited positions is the *signature*: it changes exactly when the behaviour of a search changes, so a
check against the stored one makes every such change a visible decision.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import resources

from crenel.rules.catalogue import find_game
from crenel.rules.deals import deal, parse_deal_range
from crenel.solver.result import Limit, Verdict
from crenel.solver.search import Solver


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One line of the list, measured.

    Attributes:
        game: The id of the game.
        deals: The range of deals, such as ``ms:1-100``.
        verdicts: How many deals had each verdict.
        states: Visited positions, summed.
        seconds: Processor seconds of the searches, summed; compilation is not in it.
        median: Processor seconds of the median deal.
        slowest: Processor seconds of the slowest deal.
        slowest_deal: The slowest deal.
        cost: The mean cost of the wins found, 0 without a win.
    """

    game: str
    deals: str
    verdicts: dict[Verdict, int]
    states: int
    seconds: float
    median: float
    slowest: float
    slowest_deal: str
    cost: float


def bench_list() -> list[tuple[str, str]]:
    """The fixed list: pairs of game and range of deals."""
    text = resources.files("crenel.solver").joinpath("bench.txt").read_text(encoding="utf-8")
    lines = (line.split("#")[0].split() for line in text.splitlines())
    return [(line[0], line[1]) for line in lines if line]


def run_bench(lines: Iterable[tuple[str, str]], limit: Limit | None = None) -> Iterator[BenchRow]:
    """Solves the deals of each line and yields its row when it is done.

    Args:
        lines: Pairs of a game's name and a range of deals.
        limit: For each deal; the signature is meaningful only without one.
    """
    for name, range_text in lines:
        game = find_game(name)
        scheme, first, last = parse_deal_range(range_text)
        solver, verdicts = Solver(game), Counter[Verdict]()
        states, times, costs = 0, {}, []
        for number in range(first, last + 1):
            deal_id = f"{scheme}:{number}"
            result = solver.solve(deal(game, deal_id), limit=limit)
            verdicts[result.verdict] += 1
            states += result.states
            times[deal_id] = result.seconds
            if result.verdict is Verdict.WINNABLE:
                costs.append(result.cost)
        slowest = max(times, key=times.__getitem__)
        yield BenchRow(
            game.id,
            range_text,
            dict(verdicts),
            states,
            sum(times.values()),
            statistics.median(times.values()),
            times[slowest],
            slowest,
            statistics.fmean(costs) if costs else 0.0,
        )


def signature_lines(rows: Iterable[BenchRow]) -> list[str]:
    """The signature as text: ``GAME DEALS POSITIONS`` for each row, and ``total POSITIONS``."""
    rows = list(rows)
    lines = [f"{row.game} {row.deals} {row.states}" for row in rows]
    return [*lines, f"total {sum(row.states for row in rows)}"]
