"""The commands ``label`` and ``atlas``: what is made of the results of many surveys and shipped with the program."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crenel.cli.options import AsJson, Mistake
from crenel.cli.show import wrapped
from crenel.solver.result import Limit

if TYPE_CHECKING:
    from crenel.study.labels import Label


def label_command(
    solved: Annotated[
        Path, typer.Argument(metavar="SOLVED", help="A folder of 'survey --out'.", show_default=False)
    ],
    played: Annotated[
        Path,
        typer.Argument(
            metavar="PLAYED",
            help="A folder of 'survey --player --games --out' of the same game.",
            show_default=False,
        ),
    ],
    each: Annotated[
        int, typer.Option("--each", metavar="N", min=1, help="Deals of each difficulty, at most.")
    ] = 250,
    shortest: Annotated[
        int | None,
        typer.Option(
            "--shortest",
            metavar="STATES",
            min=1,
            help="Tries to prove the cheapest win of each deal, visiting so many positions at most.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Writes the list there.", show_default=False),
    ] = None,
) -> int:
    """Lists deals that are easy, medium, hard or unwinnable, with what they cost and what proves it."""
    from crenel.study.labelling import make_labels
    from crenel.study.labels import DIFFICULTIES, format_labels

    counts: Counter[str] = Counter()

    def progress(label: Label) -> None:
        counts[label.difficulty] += 1
        if sys.stderr.isatty():
            print(f"\r{counts.total():,} deals", end="", file=sys.stderr, flush=True)

    limit = None if shortest is None else Limit(states=shortest)
    labels = make_labels(solved, played, each, limit, progress)
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    text = format_labels(labels)
    if out is None:
        print(text, end="")
        return 0
    out.write_text(text, encoding="utf-8")
    told = ", ".join(f"{counts[difficulty]:,} {difficulty}" for difficulty in DIFFICULTIES)
    print(wrapped(f"{out}: {told}"))
    return 0


def atlas_command(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...",
            help="Folders that 'survey --out' has written, or folders of such folders.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Writes atlas.md and atlas.json there.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Makes the atlas: how often each game can be won and is won, beside what others say."""
    from crenel.study.atlas import format_atlas, make_atlas

    if as_json and out is not None:
        raise Mistake("--json and --out are both given; --out writes the JSON file, too")
    atlas = make_atlas(folders)
    if as_json:
        print(json.dumps(atlas, ensure_ascii=False))
    elif out is None:
        print(format_atlas(atlas), end="")
    else:
        out.mkdir(parents=True, exist_ok=True)
        (out / "atlas.json").write_text(
            json.dumps(atlas, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
        )
        (out / "atlas.md").write_text(format_atlas(atlas), encoding="utf-8")
        print(wrapped(f"Written: {out / 'atlas.md'}, {out / 'atlas.json'}"))
    return 0
