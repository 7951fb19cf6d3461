"""The command ``bench``: visited positions and processor time over the fixed list of deals."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from crenel.cli.options import AsJson, Mistake, read_file

_CHANGED = 1


def bench_command(
    check: Annotated[
        Path | None,
        typer.Option("--check", metavar="FILE", help="Compares the counts with a stored signature."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Solves the fixed list of deals: visited positions (the signature) and processor time."""
    from crenel.solver.bench import bench_list, run_bench, signature_lines

    stored = None if check is None else _stored(check)
    rows = []
    for row in run_bench(bench_list()):
        rows.append(row)
        verdicts = {str(verdict): count for verdict, count in sorted(row.verdicts.items())}
        if as_json:
            fields = {"game": row.game, "deals": row.deals, **verdicts, "states": row.states}
            print(json.dumps(fields | {"seconds": round(row.seconds, 3)}), flush=True)
        else:
            counts = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items())
            print(
                f"{row.game:25}{row.deals:10}{row.states:12,} positions{row.seconds:9.2f} s   {counts}",
                flush=True,
            )
    total = sum(row.states for row in rows)
    seconds = sum(row.seconds for row in rows)
    if as_json:
        print(json.dumps({"states": total, "seconds": round(seconds, 3)}))
    else:
        print(f"{'signature':35}{total:12,} positions{seconds:9.2f} s")
    if stored is None:
        return 0
    changed = [line for line in signature_lines(rows) if line not in stored]
    for line in changed:
        print(f"crenel: not in {check}: {line}", file=sys.stderr)
    return _CHANGED if changed else 0


def _stored(path: Path) -> list[str]:
    """The lines of a stored signature."""
    lines = [line.strip() for line in read_file(str(path)).decode("utf-8", "replace").splitlines()]
    if not any(line.startswith("total ") for line in lines):
        raise Mistake(f"{path} holds no signature: there is no line 'total N'")
    return lines
