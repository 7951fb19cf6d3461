"""The figures of a report as pictures, drawn by Matplotlib without a display."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from crenel.study.executors import MissingPackage
from crenel.study.report import Figures, Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLOT_FORMATS = ("svg", "png")
_LEAST_SECONDS = 1e-6
"""Where the logarithmic axis of processor time begins; no clock is finer."""


def draw_plots(report: Report, folder: Path, plot_format: str = "svg") -> list[Path]:
    """Draws the shares, the redeals and costs of first wins, positions and processor time, each in its file.

    Args:
        report: What is drawn.
        folder: Where the files are written; it is made when it is not there.
        plot_format: One of ``PLOT_FORMATS``.

    Returns:
        The files. There are none for what no survey has, such as redeals in games without a redeal.

    Raises:
        MissingPackage: when Matplotlib is not installed.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingPackage("plots need Matplotlib: pip install 'crenel[study]'") from None
    folder.mkdir(parents=True, exist_ok=True)
    surveys = report.surveys
    won = [figures for figures in surveys if figures.winnable]
    redealt = [figures for figures in won if figures.rules["redeal.limit"] != "0"]
    drawings: dict[str, tuple[list[Figures], Callable[[Axes, list[Figures]], None]]] = {
        "shares": (list(surveys), _draw_shares),
        "redeals": (redealt, _draw_redeals),
        "cost": (won, _draw_costs),
        "positions": (list(surveys), _draw_positions),
        "seconds": (list(surveys), _draw_seconds),
    }
    paths = []
    # The same figures give the same file: no date, no random names inside; and text stays text.
    with matplotlib.rc_context({"svg.hashsalt": "crenel", "svg.fonttype": "none"}):
        for name, (shown, draw) in drawings.items():
            if not shown:
                continue
            height = 1.5 + 0.4 * len(shown) if name == "shares" else 4.5
            picture = Figure(figsize=(8, height), layout="constrained")
            draw(picture.add_subplot(), shown)
            path = folder / f"{name}.{plot_format}"
            picture.savefig(
                path, format=plot_format, dpi=150, metadata={"Date": None} if plot_format == "svg" else None
            )
            paths.append(path)
    return paths


def _draw_shares(axes: Axes, surveys: list[Figures]) -> None:
    """A dot with its interval per survey; the line goes on to where the undecided would bring it."""
    for place, figures in enumerate(surveys):
        low, high = figures.share, figures.share_with_undecided
        axes.plot(
            [100 * low.interval.low, 100 * high.interval.high], [place, place], color="0.6", linewidth=1
        )
        axes.plot([100 * low.interval.low, 100 * low.interval.high], [place, place], color="C0", linewidth=4)
        axes.plot([100 * low.share], [place], "o", color="black", markersize=4)
    axes.set_yticks(range(len(surveys)), [figures.label for figures in surveys])
    axes.set_ylim(len(surveys) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.grid(axis="x", color="0.9")
    axes.set_xlabel("deals that can be won, % (95 % interval; grey: with the undecided counted as winnable)")


def _draw_redeals(axes: Axes, surveys: list[Figures]) -> None:
    width = 0.8 / len(surveys)
    for place, figures in enumerate(surveys):
        shift = (place - (len(surveys) - 1) / 2) * width
        numbers = list(figures.redeals)
        shares = [100 * count / figures.winnable for count in figures.redeals.values()]
        axes.bar([number + shift for number in numbers], shares, width, label=figures.label)
    axes.locator_params(axis="x", integer=True)
    axes.set_xlabel("redeals of the first win")
    axes.set_ylabel("% of the wins")
    axes.legend()


def _draw_costs(axes: Axes, surveys: list[Figures]) -> None:
    for figures in surveys:
        shares = [100 * count / figures.winnable for count in figures.costs.values()]
        axes.plot(list(figures.costs), shares, marker=".", label=figures.label)
    axes.set_xlabel("cost of the first win: moves between piles and redeals")
    axes.set_ylabel("% of the wins")
    axes.set_ylim(bottom=0)
    axes.legend()


def _draw_positions(axes: Axes, surveys: list[Figures]) -> None:
    _draw_curves(axes, surveys, "states", 1)
    axes.set_xlabel("positions visited")


def _draw_seconds(axes: Axes, surveys: list[Figures]) -> None:
    _draw_curves(axes, surveys, "seconds", _LEAST_SECONDS)
    axes.set_xlabel("processor time, s")


def _draw_curves(axes: Axes, surveys: list[Figures], name: str, least: float) -> None:
    """How many deals need no more than that, over a logarithmic axis."""
    for figures in surveys:
        curve = figures.curves[name]
        steps = [100 * step / (len(curve) - 1) for step in range(len(curve))]
        axes.plot([max(value, least) for value in curve], steps, label=figures.label)
    axes.set_xscale("log")
    axes.set_ylim(0, 100)
    axes.grid(color="0.9")
    axes.set_ylabel("% of the deals need no more")
    axes.legend()
