"""Measures the solver over ranges of deals and prints a Markdown table: processor seconds, warm, one core.

python benchmarks/speed.py                       the table of README.md, all lines
python benchmarks/speed.py cruel ms:1-1000       one game, one range
python benchmarks/speed.py --max-seconds 20 ...  a limit for each deal
"""

from __future__ import annotations

import argparse
import platform
import sys

from crenel.solver.bench import run_bench
from crenel.solver.result import Limit, Verdict

LINES = [
    ("beleaguered-castle", "ms:1-1000"),
    ("beleaguered-castle", "ms:1001-1500"),
    ("citadel", "ms:1-1000"),
    ("streets-and-alleys", "ms:1-200"),
    ("fortress", "ms:1-1000"),
    ("fortress-classic", "ms:1-1000"),
    ("cruel", "ms:1-1000"),
    ("cruel-strict", "ms:1-1000"),
    ("cruel-3", "ms:1-1000"),
    ("cruel-5", "ms:1-1000"),
    ("cruel-classic", "ms:1-1000"),
    ("ripple-fan-classic", "ms:1-300"),
    ("ripple-fan", "ms:1-300"),
    ("perseverance-classic", "ms:1-300"),
    ("royal-family", "ms:1-100"),
    ("royal-family-classic", "ms:1-100"),
    ("sham-battle", "ms:1-50"),
    ("sham-battle-7x6", "ms:1-50"),
    ("selective-castle-classic", "ms:1-20"),
]


def main() -> None:
    """Reads the options, warms the kernels of each game and prints one row per line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("game", nargs="?")
    options.add_argument("deals", nargs="?")
    options.add_argument("--max-seconds", type=float)
    chosen = options.parse_args()
    lines = LINES if chosen.game is None else [(chosen.game, chosen.deals or "ms:1-100")]
    limit = Limit(seconds=chosen.max_seconds) if chosen.max_seconds else None
    print(
        f"Python {platform.python_version()}, {platform.machine()}, limit {limit}",
        file=sys.stderr,
    )
    print(
        "| game | deals | winnable | unwinnable | undecided | seconds | median | slowest | positions | mean cost |"
    )
    print("|---|---|---:|---:|---:|---:|---:|---|---:|---:|")
    for line in lines:
        list(run_bench([(line[0], "ms:1-3")], limit))  # warm: the kernels of this game are loaded
        row = next(run_bench([line], limit))
        counts = " | ".join(str(row.verdicts.get(verdict, 0)) for verdict in Verdict)
        print(
            f"| {row.game} | {row.deals} | {counts} | {row.seconds:.2f} | {row.median * 1000:.1f} ms "
            f"| {row.slowest:.2f} s ({row.slowest_deal}) | {row.states:,} | {row.cost:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
