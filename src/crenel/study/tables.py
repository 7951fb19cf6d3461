"""The figures of a report as tables of text: for Markdown, for CSV, and for whoever draws them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crenel.study.report import Comparison, Figures, Report, Spread
from crenel.study.statistics import Interval

_NONE = "–"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text.

    Attributes:
        title: What stands above it.
        heads: The heads.
        rows: The rows, as wide as the heads.
        texts: How many fields at the left are text; the others are numbers and stand at the right.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1


def report_tables(report: Report) -> list[Table]:
    """The tables of a report; those that would be empty are left out."""
    surveys = report.surveys
    solved = [figures for figures in surveys if figures.played is None]
    tables = [
        _shares(solved),
        _players(surveys),
        _work(surveys),
        _wins(surveys),
        _by_value("Redeals of the first win", "redeals", surveys, list(map(_redeals, surveys))),
        _by_value("Reasons of the unwinnable", "reason", surveys, [figures.reasons for figures in surveys]),
        _by_value("What ended the undecided", "limit", solved, [figures.limits for figures in solved]),
        _comparisons(report.comparisons),
        _origins(surveys),
    ]
    return [table for table in tables if table.rows]


def _shares(surveys: Sequence[Figures]) -> Table:
    heads = (
        "game",
        "deals",
        "winnable",
        "unwinnable",
        "undecided",
        "share winnable",
        "95 % interval",
        "undecided as winnable",
        "95 % interval",
    )
    rows = (
        (
            figures.label,
            number_text(figures.deals),
            number_text(figures.winnable),
            number_text(figures.unwinnable),
            number_text(figures.undecided),
            percent_text(figures.share.share),
            _interval(figures.share.interval),
            percent_text(figures.share_with_undecided.share),
            _interval(figures.share_with_undecided.interval),
        )
        for figures in surveys
    )
    return Table("Winnable deals", heads, tuple(rows))


def _players(surveys: Sequence[Figures]) -> Table:
    heads = ("game", "games of each deal", "games", "won", "share won", "95 % interval")
    rows = (
        (
            figures.label,
            *map(number_text, (played.playing.games, played.games, played.wins)),
            percent_text(played.share.share),
            _interval(played.share.interval),
        )
        for figures in surveys
        if (played := figures.played) is not None
    )
    return Table("Games of simulated players", heads, tuple(rows))


def _work(surveys: Sequence[Figures]) -> Table:
    heads = (
        "game",
        "deals per second",
        "median time",
        "99 %",
        "slowest",
        "slowest deal",
        "total",
        "median positions",
        "99 %",
        "most",
        "all positions",
    )
    rows = []
    for figures in surveys:
        seconds, states = figures.spreads["seconds"], figures.spreads["states"]
        rows.append(
            (
                figures.label,
                _NONE if figures.rate is None else f"{figures.rate:,.1f}",
                time_text(seconds.median),
                time_text(seconds.p99),
                time_text(seconds.most),
                figures.slowest,
                time_text(seconds.total),
                *map(number_text, (states.median, states.p99, states.most, states.total)),
            )
        )
    return Table("Processor time and positions visited, per deal", heads, tuple(rows))


def _wins(surveys: Sequence[Figures]) -> Table:
    heads = ("game", "wins", "least", "quarter", "median", "mean", "three quarters", "99 %", "most")
    rows = []
    for figures in surveys:
        cost = figures.spreads["cost"]
        if cost.deals:
            quantiles = (cost.least, cost.quarter, cost.median)
            rows.append(
                (
                    figures.label,
                    *map(number_text, (cost.deals, *quantiles)),
                    _NONE if cost.mean is None else f"{cost.mean:.1f}",
                    *map(number_text, (cost.three_quarters, cost.p99, cost.most)),
                )
            )
    return Table("Cost of the first win", heads, tuple(rows))


def _redeals(figures: Figures) -> dict[int, int]:
    """How many first wins have so many redeals; nothing for games that know none."""
    return figures.redeals if figures.rules.get("redeal.limit") != "0" else {}


def _by_value(
    title: str, head: str, surveys: Sequence[Figures], counts: Sequence[Mapping[Any, int]]
) -> Table:
    """A row for each value that occurs, with the counts of each survey that has any."""
    shown = [(figures.label, found) for figures, found in zip(surveys, counts, strict=True) if found]
    values = sorted({value for _, found in shown for value in found})
    rows = ((str(value), *(number_text(found.get(value, 0)) for _, found in shown)) for value in values)
    return Table(title, (head, *(label for label, _ in shown)), tuple(rows))


def _comparisons(pairs: Iterable[Comparison]) -> Table:
    heads = (
        "first",
        "second",
        "deals",
        "both",
        "first only",
        "second only",
        "neither",
        "left out",
        "difference",
        "95 % interval",
        "chance",
    )
    rows = (
        (
            pair.first,
            pair.second,
            *map(number_text, (pair.deals, pair.both, pair.only_first, pair.only_second, pair.neither)),
            number_text(pair.left_out),
            f"{100 * pair.difference:+.2f} %",
            f"{100 * pair.interval.low:+.2f} to {100 * pair.interval.high:+.2f} %",
            f"{pair.chance:.2g}",
        )
        for pair in pairs
    )
    return Table("Winnable on the same deals (exact test of McNemar)", heads, tuple(rows), texts=2)


def _origins(surveys: Sequence[Figures]) -> Table:
    heads = ("game", "deals", "limits", "crenel", "solver", "machine")
    rows = []
    for figures in surveys:
        for made in figures.made:
            rows.append(
                (
                    figures.label,
                    ", ".join(figures.ranges),
                    limits_text(figures.terms),
                    made.version,
                    made.solver,
                    made.machine,
                )
            )
    return Table("With what the results were made", heads, tuple(rows), texts=len(heads))


# Text


def number_text(value: float | None) -> str:
    """A whole number with commas between the thousands."""
    return _NONE if value is None else f"{value:,.0f}"


def percent_text(share: float) -> str:
    """A share with two decimals of a per cent."""
    return f"{100 * share:.2f} %"


def _interval(interval: Interval) -> str:
    return f"{100 * interval.low:.2f} to {100 * interval.high:.2f} %"


def time_text(seconds: float | None) -> str:
    """A time with three figures and its unit."""
    if seconds is None:
        return _NONE
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.9995 * size or unit == "µs":
            break
    return f"{seconds:,.0f} s" if seconds >= 999.5 else f"{seconds / size:#.3g}".rstrip(".") + f" {unit}"


def limits_text(terms: Mapping[str, float | None]) -> str:
    """The limits of a survey with their units."""
    words = {"states": "positions", "seconds": "s", "memory": "MiB"}
    parts = []
    for key, limit in terms.items():
        if limit is not None:
            parts.append(f"{limit / 2**20 if key == 'memory' else limit:,.10g} {words.get(key, key)}")
    return ", ".join(parts) or "none"


# Formats


def format_markdown(tables: Iterable[Table]) -> str:
    """The tables in Markdown, each under a heading."""
    return "\n".join(line for table in tables for line in _markdown(table))


def _markdown(table: Table) -> Iterator[str]:
    yield f"### {table.title}"
    yield ""
    yield "| " + " | ".join(map(_escaped, table.heads)) + " |"
    yield "|" + "|".join("---" if place < table.texts else "---:" for place in range(len(table.heads))) + "|"
    for row in table.rows:
        yield "| " + " | ".join(map(_escaped, row)) + " |"
    yield ""


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def format_csv(report: Report) -> str:
    """One line per survey with all its single figures, unrounded, under a line of heads; for other programs."""
    lines = [_flat(figures) for figures in report.surveys]
    text = io.StringIO()
    writer = csv.DictWriter(text, lines[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def _flat(figures: Figures) -> dict[str, object]:
    line: dict[str, object] = {
        "game": figures.game,
        "folder": figures.folder,
        "ranges": " ".join(figures.ranges),
        "deals": figures.deals,
        "winnable": figures.winnable,
        "unwinnable": figures.unwinnable,
        "undecided": figures.undecided,
        "share": figures.share.share,
        "share_low": figures.share.interval.low,
        "share_high": figures.share.interval.high,
        "share_with_undecided": figures.share_with_undecided.share,
        "share_with_undecided_low": figures.share_with_undecided.interval.low,
        "share_with_undecided_high": figures.share_with_undecided.interval.high,
        "deals_per_second": figures.rate,
        "player": figures.played.playing.player if figures.played else None,
        "games": figures.played.games if figures.played else None,
        "wins": figures.played.wins if figures.played else None,
        "slowest": figures.slowest,
    }
    for name, spread in figures.spreads.items():
        for measure in Spread.__slots__:
            line[f"{name}_{measure}"] = getattr(spread, measure)
    return line
