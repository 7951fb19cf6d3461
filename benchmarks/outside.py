"""Compares the solver with fc-solve (Debian's freecell-solver-bin) on the same deals, in one run on one machine.

    python benchmarks/outside.py                                  the lines of README.md
    python benchmarks/outside.py beleaguered-castle ms:1-100      one game, one range

fc-solve runs once per deal with the quick preset of the game. Where that says "no", its complete scan is run
too and its time is added, because the compound moves of the quick presets leave positions out: only the complete
scan makes a "no" true. Both programs are measured in processor seconds; the start of fc-solve's process (about a
millisecond) is in its time, the start of Python and the compilation are not in ours (both are said below).
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile

from crenel.rules.catalogue import find_game
from crenel.rules.deals import deal, parse_deal_range
from crenel.rules.notation import format_board
from crenel.solver.result import Limit, Verdict
from crenel.solver.search import Solver

PRESETS = {
    "beleaguered-castle": ("beleaguered_castle", ("-l", "hw")),
    "citadel": ("citadel", ("-l", "te")),
    "streets-and-alleys": ("streets_and_alleys", ("-l", "obf")),
}
COMPLETE = ("--method", "soft-dfs", "-to", "0AB")
LINES = [
    ("beleaguered-castle", "ms:1-1000"),
    ("citadel", "ms:1-1000"),
    ("streets-and-alleys", "ms:1-200"),
]


def children_seconds() -> float:
    """Processor seconds of all ended child processes."""
    times = os.times()
    return times.children_user + times.children_system


def run_outside(arguments: list[str], board: str, seconds: float) -> tuple[Verdict, float]:
    """One run of fc-solve: its verdict and its processor seconds."""
    command = ["fc-solve", *arguments, board]
    before = children_seconds()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    # Processor seconds, not seconds of the clock: the machine may have other work.
    resource.prlimit(process.pid, resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds)))
    output, _ = process.communicate()
    used = children_seconds() - before
    if "This game is solveable" in output or "This game is solvable" in output:
        return Verdict.WINNABLE, used
    if "I could not solve this game" in output:
        return Verdict.UNWINNABLE, used
    return Verdict.UNDECIDED, used


def outside_verdict(game: str, board: str, seconds: float) -> tuple[Verdict, float, bool]:
    """Verdict and processor seconds of fc-solve, and whether its quick preset gave a false "no"."""
    variant, preset = PRESETS[game]
    verdict, used = run_outside(["-g", variant, *preset], board, seconds)
    if verdict is Verdict.WINNABLE:
        return verdict, used, False
    complete, more = run_outside(["-g", variant, *COMPLETE], board, seconds)
    false_no = verdict is Verdict.UNWINNABLE and complete is Verdict.WINNABLE
    return complete, used + more, false_no


def compare(game_name: str, deals: str, seconds: float) -> str:
    """One row of the table."""
    game = find_game(game_name)
    scheme, first, last = parse_deal_range(deals)
    solver, limit = Solver(game), Limit(seconds=seconds)
    for number in range(1, 4):  # warm: the kernels are loaded
        solver.solve(deal(game, f"ms:{number}"), limit=limit)
    ours = theirs = 0.0
    undecided = {"ours": 0, "theirs": 0}
    disagreements, false_nos = [], 0
    with tempfile.TemporaryDirectory() as folder:
        board = os.path.join(folder, "board.txt")
        for number in range(first, last + 1):
            position = deal(game, f"{scheme}:{number}")
            with open(board, "w", encoding="utf-8") as file:
                file.write(format_board(position))
            result = solver.solve(position, limit=limit)
            verdict, used, false_no = outside_verdict(game_name, board, seconds)
            ours, theirs = ours + result.seconds, theirs + used
            undecided["ours"] += result.verdict is Verdict.UNDECIDED
            undecided["theirs"] += verdict is Verdict.UNDECIDED
            false_nos += false_no
            if Verdict.UNDECIDED not in (verdict, result.verdict) and verdict is not result.verdict:
                disagreements.append(number)
    return (
        f"| {game_name} | {deals} | {ours:.1f} | {undecided['ours']} | {theirs:.1f} | {undecided['theirs']} "
        f"| {theirs / ours:.1f} | {false_nos} | {disagreements or 'none'} |"
    )


def main() -> int:
    """Reads the options and prints one row per line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("game", nargs="?", choices=PRESETS)
    options.add_argument("deals", nargs="?")
    options.add_argument(
        "--max-seconds", type=float, default=20.0, help="processor seconds for each deal and run"
    )
    chosen = options.parse_args()
    if shutil.which("fc-solve") is None:
        print(
            "fc-solve is not installed (Debian's package freecell-solver-bin)",
            file=sys.stderr,
        )
        return 2
    lines = LINES if chosen.game is None else [(chosen.game, chosen.deals or "ms:1-100")]
    print(
        "| game | deals | ours s | ours undecided | fc-solve s | fc-solve undecided | ratio | false no | differ |"
    )
    print("|---|---|---:|---:|---:|---:|---:|---:|---|")
    for line in lines:
        print(compare(line[0], line[1], chosen.max_seconds), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
