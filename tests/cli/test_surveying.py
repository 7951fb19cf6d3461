"""The commands ``survey`` and ``report`` as a user meets them."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from crenel.rules.catalogue import find_game
from crenel.rules.deals import deal
from crenel.rules.notation import format_board, format_board_json
from tests.cli.conftest import Runner, outside
from tests.cli.test_terminal import terminal

KNOWN = json.loads((Path(__file__).parent.parent / "data" / "verdicts-ms.json").read_text(encoding="utf-8"))


def test_survey(crenel: Runner) -> None:
    run = crenel("survey", "fortress", "ms:1-200", "--workers", "0")
    assert run.status == 0 and not run.err
    lines = run.out.splitlines()
    assert lines[0] == "Fortress, ms:1-200: 200 deals"
    assert [line.split()[0] for line in lines[1:4]] == ["winnable", "unwinnable", "undecided"]
    assert sum(int(line.split()[1]) for line in lines[1:4]) == 200
    assert lines[4].startswith("95 % interval of the share winnable: ")
    assert "of processor time" in lines[-1]


def test_survey_in_json(crenel: Runner, tmp_path: Path) -> None:
    """One object and nothing else, and the counts that are known."""
    out = tmp_path / "results"
    run = crenel("survey", "cruel-strict", "1-100", "--workers", "0", "--json", "--out", str(out))
    assert run.status == 0 and not run.err
    found = json.loads(run.out)
    assert (found["game"], found["deals"], found["done"], found["complete"]) == (
        "cruel-strict",
        "ms:1-100",
        100,
        True,
    )
    lost = sum(number <= 100 for number in KNOWN["cruel-strict"]["unwinnable"])
    assert (found["winnable"], found["unwinnable"]) == (100 - lost, lost)
    assert found["undecided"] == 0
    assert found["share"] == found["winnable"] / 100 == found["share_with_undecided"]
    low, high = found["interval"]
    assert 0 < low < found["share"] < high < 1
    assert found["limits"] == {"states": None, "seconds": None, "memory": 1 << 30}
    again = json.loads(crenel("survey", "cruel-strict", "ms:1-100", "--json", "--out", str(out)).out)
    assert again["done_before"] == 100
    assert again["seconds"] == found["seconds"]
    assert {key: again[key] for key in ("winnable", "unwinnable", "interval", "states")} == {
        key: found[key] for key in ("winnable", "unwinnable", "interval", "states")
    }


def test_undecided_deals_count_both_ways(crenel: Runner) -> None:
    run = crenel("survey", "cruel-strict", "ms:1-60", "--workers", "0", "--max-states", "100", "--json")
    found = json.loads(run.out)
    assert found["undecided"] > 10
    assert found["share"] == found["winnable"] / 60
    assert found["share_with_undecided"] == (found["winnable"] + found["undecided"]) / 60
    assert found["interval"][0] < found["interval_with_undecided"][0]
    words = crenel("survey", "cruel-strict", "ms:1-60", "--workers", "0", "--max-states", "100").out
    assert "With the undecided counted as winnable: " in words


def test_processes(crenel: Runner) -> None:
    run = crenel("survey", "fortress", "ms:1-300", "--workers", "2", "--json")
    assert run.status == 0 and not run.err
    here = json.loads(crenel("survey", "fortress", "ms:1-300", "--workers", "0", "--json").out)
    there = json.loads(run.out)
    for key in ("winnable", "unwinnable", "undecided", "states"):
        assert there[key] == here[key]


def test_rules_may_be_changed(crenel: Runner, tmp_path: Path) -> None:
    words = ("survey", "cruel", "ms:1-20", "--workers", "0", "--out", str(tmp_path / "r"))
    assert crenel(*words, "--rule", "redeal.limit=1").out.startswith(
        "Cruel (redeal.limit=1), ms:1-20: 20 deals"
    )
    refused = crenel(*words, "--rule", "redeal.limit=2")
    assert refused.status == 2
    assert "holds results of the game cruel[redeal.limit=1], not of cruel[redeal.limit=2]" in refused.sentence


@pytest.mark.parametrize("form", ["text", "json"])
def test_boards(crenel: Runner, tmp_path: Path, form: str) -> None:
    game = find_game("fortress-classic")
    starts = [deal(game, f"ms:{number}") for number in range(1, 31)]
    if form == "text":
        text = "---\n".join(
            f"# deal {number}\n{format_board(start)}" for number, start in enumerate(starts, 1)
        )
    else:
        text = "".join(" ".join(format_board_json(start).split()) + "\n" for start in starts)
    file = tmp_path / "boards"
    file.write_text(text, encoding="utf-8")
    run = crenel(
        "survey", game.id, "--board", str(file), "--workers", "0", "--json", "--out", str(tmp_path / "r")
    )
    found = json.loads(run.out)
    numbered = json.loads(crenel("survey", game.id, "ms:1-30", "--workers", "0", "--json").out)
    assert {key: found[key] for key in ("done", "winnable", "states")} == {
        key: numbered[key] for key in ("done", "winnable", "states")
    }
    assert found["deals"] == str(file)
    file.write_text("---\n".join(map(format_board, starts[:5])), encoding="utf-8")
    refused = crenel("survey", game.id, "--board", str(file), "--out", str(tmp_path / "r"))
    assert "of the boards of one file, not of the boards of another file" in refused.sentence


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("fortress",), "no deals are given: name a RANGE such as ms:1-1000"),
        (("fortress", "ms:5-1"), "'ms:5-1' is not a range of deals: its end 1 lies before its start 5"),
        (("fortress", "ms:0-5"), "there is no deal 'ms:0'"),
        (("fortress", "ms:1", "--board", "x"), "both deals ('ms:1') and --board are given"),
        (("fortress", "--board", "nowhere"), "cannot read nowhere: No such file"),
        (("fortress", "ms:1", "--memory", "much"), "--memory 'much' is not a size such as 500M or 2G"),
        (("fortress", "ms:1", "--memory", "0"), "--memory '0' is not a size"),
        (("fortress", "ms:1", "--max-seconds", "0"), "--max-seconds 0.0 is not a number of seconds above 0"),
        (("fortress", "ms:1", "--cluster", "tcp://x:1", "--workers", "2"), "the cluster has its own"),
        (("fortress", "ms:1", "--cluster", "local", "--workers", "0"), "needs at least one worker"),
        (("fortres", "ms:1"), "did you mean fortress"),
        (("fortress", "ms:1", "--out", "nowhere/\0"), "crenel: "),
    ],
)
def test_mistakes(crenel: Runner, words: tuple[str, ...], sentence: str) -> None:
    run = crenel("survey", *words)
    assert run.status == 2 and not run.out
    assert sentence in run.sentence


def test_a_board_that_cannot_be_read(crenel: Runner, tmp_path: Path) -> None:
    good = format_board(deal(find_game("fortress"), "ms:1"))
    file = tmp_path / "boards"
    file.write_text(f"{good}---\n{good.replace('K', 'Q', 1)}", encoding="utf-8")
    run = crenel("survey", "fortress", "--board", str(file))
    assert run.status == 2
    assert f"board 2 of {file}: " in run.sentence
    file.write_bytes(b"\n\n---\n\n")
    assert "holds no boards" in crenel("survey", "fortress", "--board", str(file)).sentence


def test_an_out_folder_that_is_a_file(crenel: Runner, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    run = crenel("survey", "fortress", "ms:1", "--out", str(tmp_path / "file"))
    assert run.status == 2
    assert str(tmp_path / "file") in run.sentence


def test_a_survey_needs_no_package_of_the_study(
    crenel: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("duckdb", "matplotlib", "scipy", "dask", "distributed"):
        monkeypatch.setitem(sys.modules, name, None)
    assert crenel("survey", "fortress", "ms:1-30", "--workers", "0").status == 0
    for words, extra in (
        (("survey", "fortress", "ms:1-30", "--out", str(tmp_path / "r")), "study"),
        (("report", str(tmp_path)), "study"),
        (("survey", "fortress", "ms:1-30", "--cluster", "local"), "cluster"),
    ):
        run = crenel(*words)
        assert run.status == 2
        assert f"pip install 'crenel[{extra}]'" in run.sentence


def test_report(crenel: Runner, tmp_path: Path) -> None:
    folders = [str(tmp_path / name) for name in ("cruel-strict", "fortress")]
    for folder in folders:
        crenel("survey", Path(folder).name, "ms:1-40", "--workers", "0", "--out", folder)
    run = crenel("report", *folders, "--plots", str(tmp_path / "plots"))
    assert run.status == 0
    assert "| Cruel strict | 40 |" in run.out
    assert "### Winnable on the same deals" in run.out
    assert run.err.count("Drawn: ") == 5
    assert (tmp_path / "plots" / "shares.svg").exists()
    data = json.loads(crenel("report", *folders, "--json").out)
    assert [survey["deals"] for survey in data["surveys"]] == [40, 40]
    assert crenel("report", *folders, "--format", "csv").out.count("\n") == 3
    assert "Winnable deals" in crenel("report", *folders, "--format", "tables").out


def test_mistakes_in_a_report(crenel: Runner, tmp_path: Path) -> None:
    for words, sentence in (
        ((str(tmp_path / "nowhere"),), "there is no folder"),
        ((str(tmp_path),), "holds no result files of a survey"),
        ((str(tmp_path), str(tmp_path)), "is given twice"),
        ((str(tmp_path), "--json", "--format", "csv"), "--json and --format are both given"),
        (("--format", "csv"), "Missing argument"),
    ):
        run = crenel("report", *words)
        assert run.status == 2 and not run.out
        assert sentence in run.sentence


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals")
def test_on_a_terminal(tmp_path: Path) -> None:
    """A bar while it runs; wide tables of a report are turned and no number is broken."""
    folder = str(tmp_path / "r")
    with terminal("survey", "fortress", "ms:1-3000", "--workers", "0", "--out", folder) as screen:
        screen.wait_for("of processor time")
        assert "of 3,000" in screen.text and "% winnable" in screen.text and "/s " in screen.text
        assert screen.process.wait(30) == 0
    with terminal("report", folder) as screen:
        screen.wait_for("With what the results were made")
        plain = re.sub(r"\x1b\[[0-9;]*m", "", screen.text)
        assert "95 % interval" in plain and "…" not in plain
        assert max(map(len, plain.splitlines())) <= 80
        assert screen.process.wait(30) == 0


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals")
def test_an_interrupt_says_how_to_go_on(tmp_path: Path) -> None:
    with terminal(
        "survey", "fortress", "ms:1-9999999", "--workers", "0", "--out", str(tmp_path / "long" / "r")
    ) as screen:
        screen.wait_for("% winnable")
        screen.process.send_signal(signal.SIGINT)
        said = " ".join(screen.wait_for("goes on from there").split())
        assert "of 9,999,999 deals; the results are kept in" in said
        assert screen.process.wait(30) == 130


def test_nothing_but_json_on_standard_output(tmp_path: Path) -> None:
    run = outside(["survey", "fortress", "ms:1-30", "--json", "--workers", "1"])
    assert run.status == 0 and not run.err
    assert json.loads(run.out)["done"] == 30
