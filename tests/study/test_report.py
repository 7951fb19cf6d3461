"""Reports of hand-made result files, whose figures can be counted on fingers."""

from __future__ import annotations

import csv
import io
import json
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from crenel.study.executors import MissingPackage
from crenel.study.plots import PLOT_FORMATS, draw_plots
from crenel.study.report import NoResults, read_report
from crenel.study.results import UnreadableResults
from crenel.study.statistics import mcnemar, paired_difference, wilson
from crenel.study.tables import Table, format_csv, format_markdown, report_tables
from crenel.study.work import Row
from tests.study.works import LIMIT, MADE, write_folder


def won(number: int, cost: int, redeals: int, states: int, seconds: float) -> Row:
    return Row(f"ms:{number}", "winnable", None, cost, cost - redeals, 48, redeals, states, seconds)


def lost(number: int, reason: str = "exhausted", states: int = 1) -> Row:
    return Row(f"ms:{number}", "unwinnable", states=states, seconds=0.5, reason=reason)


def undecided(number: int) -> Row:
    return Row(f"ms:{number}", "undecided", limit="states", states=1000, seconds=8.0)


CRUEL = [
    won(1, 12, 4, 100, 1.0),
    won(2, 20, 6, 300, 2.0),
    lost(3, "frozen-prefix"),
    won(4, 14, 4, 200, 0.5),
    undecided(5),
    lost(6),
    won(7, 30, 9, 5000, 4.0),
    lost(8),
]
STRICT = [
    lost(3),
    won(4, 20, 5, 10, 0.25),
    won(5, 21, 6, 10, 0.25),
    won(6, 22, 7, 10, 0.25),
    lost(7),
    lost(8),
    lost(9),
]


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Cruel 1-8 in two files, strict Cruel 3-9."""
    write_folder(tmp_path / "cruel", CRUEL[:3], "cruel")
    write_folder(tmp_path / "cruel", CRUEL[3:], "cruel")
    write_folder(tmp_path / "strict", STRICT, "cruel-strict")
    return [tmp_path / "cruel", tmp_path / "strict"]


def test_counts_and_shares(folders: list[Path]) -> None:
    cruel, strict = read_report(folders).surveys
    assert (cruel.label, cruel.game, cruel.ranges) == ("Cruel", "cruel", ("ms:1-8",))
    assert (cruel.deals, cruel.winnable, cruel.unwinnable, cruel.undecided) == (8, 4, 3, 1)
    assert cruel.share.share == 4 / 8
    assert cruel.share.interval == wilson(4, 8)
    assert cruel.share_with_undecided.share == 5 / 8
    assert cruel.share_with_undecided.interval == wilson(5, 8)
    assert cruel.reasons == {"exhausted": 2, "frozen-prefix": 1}
    assert cruel.limits == {"states": 1}
    assert cruel.redeals == {4: 2, 6: 1, 9: 1}
    assert cruel.costs == {12: 1, 14: 1, 20: 1, 30: 1}
    assert cruel.slowest == "ms:5"
    assert cruel.terms == {"states": None, "seconds": None, "memory": 1 << 30}
    assert cruel.made == (MADE,)
    assert (strict.deals, strict.winnable, strict.limits) == (7, 3, {})


def test_spreads(folders: list[Path]) -> None:
    cruel = read_report(folders[:1]).surveys[0]
    seconds, states, cost = (cruel.spreads[name] for name in ("seconds", "states", "cost"))
    # 0.5 0.5 0.5 0.5 1 2 4 8
    assert (seconds.deals, seconds.least, seconds.median, seconds.most) == (8, 0.5, 0.75, 8.0)
    assert (seconds.total, seconds.mean) == (17.0, 17 / 8)
    assert seconds.p99 == pytest.approx(4 + 0.93 * 4)
    assert cruel.rate == 8 / 17
    assert states.total == 100 + 300 + 1 + 200 + 1000 + 1 + 5000 + 1
    assert (cost.deals, cost.least, cost.median, cost.mean, cost.most) == (4, 12, 17, 19, 30)
    assert (cost.quarter, cost.three_quarters) == (13.5, 22.5)
    curve = cruel.curves["seconds"]
    assert (curve[0], curve[500], curve[-1]) == (0.5, 0.75, 8.0)


def test_no_win_at_all(tmp_path: Path) -> None:
    write_folder(tmp_path, [lost(1), lost(2)])
    figures = read_report([tmp_path]).surveys[0]
    assert figures.spreads["cost"].deals == 0
    assert figures.spreads["cost"].median is None
    assert figures.share.interval == wilson(0, 2)
    titles = [table.title for table in report_tables(read_report([tmp_path]))]
    assert "Cost of the first win" not in titles
    assert [path.stem for path in draw_plots(read_report([tmp_path]), tmp_path)] == [
        "shares",
        "positions",
        "seconds",
    ]


def test_comparison_on_the_same_deals(folders: list[Path]) -> None:
    """Shared: 3 neither, 4 both, 5 left out, 6 strict only, 7 cruel only, 8 neither."""
    (pair,) = read_report(folders).comparisons
    assert (pair.first, pair.second, pair.deals) == ("Cruel", "Cruel strict", 5)
    assert (pair.both, pair.only_first, pair.only_second, pair.neither, pair.left_out) == (1, 1, 1, 2, 1)
    assert pair.difference == 0
    assert pair.interval == paired_difference(1, 1, 5)
    assert pair.chance == mcnemar(1, 1) == 1.0


def test_no_comparison_without_common_deals(tmp_path: Path) -> None:
    write_folder(tmp_path / "one", [lost(1)])
    write_folder(tmp_path / "other", [lost(2)], "cruel")
    assert read_report([tmp_path / "one", tmp_path / "other"]).comparisons == ()


def test_several_surveys_of_a_game_are_told_apart(tmp_path: Path) -> None:
    write_folder(tmp_path / "one", [lost(1)])
    write_folder(tmp_path / "other", [lost(1)], limit=replace(LIMIT, states=5))
    labels = [figures.label for figures in read_report([tmp_path / "one", tmp_path / "other"]).surveys]
    assert labels == [f"Fortress ({tmp_path / 'one'})", f"Fortress ({tmp_path / 'other'})"]


def test_results_of_two_solvers_are_both_named(tmp_path: Path) -> None:
    write_folder(tmp_path, [lost(1)])
    write_folder(tmp_path, [lost(2)], made=replace(MADE, solver="another"))
    assert [made.solver for made in read_report([tmp_path]).surveys[0].made] == [MADE.solver, "another"]


def test_files_that_do_not_belong_together(tmp_path: Path) -> None:
    write_folder(tmp_path / "one", [lost(1)])
    write_folder(tmp_path / "other", [lost(2)], "cruel")
    (tmp_path / "other" / "ms-2-2.parquet").rename(tmp_path / "one" / "ms-2-2.parquet")
    with pytest.raises(UnreadableResults, match="holds results of the game cruel, not of fortress as in"):
        read_report([tmp_path / "one"])


def test_folders_without_results(tmp_path: Path) -> None:
    with pytest.raises(NoResults, match="holds no result files"):
        read_report([tmp_path])
    with pytest.raises(NoResults, match="there is no folder"):
        read_report([tmp_path / "nowhere"])


# Formats


def table(tables: list[Table], title: str) -> Table:
    return next(table for table in tables if table.title.startswith(title))


def test_tables(folders: list[Path]) -> None:
    tables = report_tables(read_report(folders))
    shares = table(tables, "Winnable deals")
    assert shares.rows[0] == (
        *("Cruel", "8", "4", "3", "1"),
        *("50.00 %", "21.52 to 78.48 %", "62.50 %", "30.57 to 86.32 %"),
    )
    work = dict(
        zip(*(table(tables, "Processor time").heads, table(tables, "Processor time").rows[0]), strict=True)
    )
    assert work["deals per second"] == "0.5"
    assert work["median time"] == "750 ms"
    assert work["total"] == "17.0 s"
    assert table(tables, "Redeals").rows == (
        ("4", "2", "0"),
        ("5", "0", "1"),
        ("6", "1", "1"),
        ("7", "0", "1"),
        ("9", "1", "0"),
    )
    assert table(tables, "Reasons").rows == (("exhausted", "2", "4"), ("frozen-prefix", "1", "0"))
    assert table(tables, "What ended").rows == (("states", "1"),)
    made = table(tables, "With what").rows[0]
    assert made == ("Cruel", "ms:1-8", "1,024 MiB", "0.1.0", MADE.solver, MADE.machine)
    for each in tables:
        assert all(len(row) == len(each.heads) for row in each.rows)


def test_markdown(folders: list[Path]) -> None:
    text = format_markdown(report_tables(read_report(folders)))
    assert "| Cruel | 8 | 4 | 3 | 1 | 50.00 % |" in text
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        assert len({line.count("|") for line in lines}) <= 1


def test_csv(folders: list[Path]) -> None:
    lines = list(csv.DictReader(io.StringIO(format_csv(read_report(folders)))))
    assert [line["game"] for line in lines] == ["cruel", "cruel-strict"]
    assert float(lines[0]["share_low"]) == wilson(4, 8).low
    assert float(lines[0]["seconds_total"]) == 17.0
    assert float(lines[0]["cost_median"]) == 17.0


def test_json(folders: list[Path]) -> None:
    data = json.loads(json.dumps(read_report(folders).as_json()))
    assert data["surveys"][0]["share"]["share"] == 0.5
    assert data["surveys"][0]["redeals"] == {"4": 2, "6": 1, "9": 1}
    assert data["surveys"][0]["rules"]["redeal.limit"] == "unlimited"
    assert data["comparisons"][0]["deals"] == 5


def test_plots(folders: list[Path], tmp_path: Path) -> None:
    report = read_report(folders)
    for plot_format in PLOT_FORMATS:
        paths = draw_plots(report, tmp_path / plot_format, plot_format)
        assert [path.name for path in paths] == [
            f"{name}.{plot_format}" for name in ("shares", "redeals", "cost", "positions", "seconds")
        ]
        assert all(path.stat().st_size > 2000 for path in paths)
    for path in (tmp_path / "svg").iterdir():
        words = "".join(ElementTree.parse(path).getroot().itertext())
        assert "Cruel strict" in words
    assert (tmp_path / "png" / "cost.png").read_bytes().startswith(b"\x89PNG")
    again = draw_plots(report, tmp_path / "again")
    for path in again:
        assert path.read_bytes() == (tmp_path / "svg" / path.name).read_bytes()


def test_without_matplotlib(folders: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = read_report(folders)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPackage, match=r"pip install 'crenel\[study\]'"):
        draw_plots(report, tmp_path / "plots")
