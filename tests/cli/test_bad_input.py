"""Every broken input of the shared table gives one sentence and exit status 2, and so do mistakes in the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bad_input import CASES, BadInput
from tests.cli.conftest import Runner, outside


def command_for(case: BadInput, folder: Path) -> list[str]:
    """The command that is given the broken input."""
    file = folder / ("game.toml" if case.kind == "game-file" else "input.txt")
    file.write_bytes(case.text if isinstance(case.text, bytes) else case.text.encode())
    text = case.text if isinstance(case.text, str) else ""
    return {
        "board": ["solve", case.game, "--board", str(file)],
        "json-board": ["solve", case.game, "--board", str(file)],
        "deal": ["deal", case.game, text],
        "rule": ["rules", case.game, "--rule", text],
        "solution": ["verify", case.game, "ms:1", "--solution", str(file)],
        "game-file": ["rules", str(file)],
        "record": ["play", "--text", "--load", str(file)],
    }[case.kind]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}: {case.name}")
def test_one_sentence_and_exit_status_2(case: BadInput, crenel: Runner, tmp_path: Path) -> None:
    run = crenel(*command_for(case, tmp_path))
    assert run.status == 2
    assert run.out == ""
    assert run.sentence.startswith("crenel: ")
    for word in case.words:
        assert word in run.sentence


@pytest.mark.parametrize("kind", sorted({case.kind for case in CASES if case.kind in ("board", "solution")}))
def test_standard_input_as_well(kind: str, crenel: Runner) -> None:
    for case in CASES:
        if case.kind == kind:
            words = ["solve", case.game, "--board", "-"]
            if kind == "solution":
                words = ["verify", case.game, "ms:1", "--solution", "-"]
            run = crenel(*words, stdin=case.text)
            assert (run.status, run.out) == (2, ""), case.name
            for word in case.words:
                assert word in run.sentence, case.name


@pytest.mark.parametrize(
    ("words", "culprit"),
    [
        (["gmaes"], "'gmaes'"),
        (["deal"], "'GAME'"),
        (["deal", "cruel"], "'DEAL'"),
        (["deal", "cruel", "ms:1", "--frobnicate"], "--frobnicate"),
        (["deal", "cruel", "ms:1", "ms:2"], "ms:2"),
        (["deal", "cruel", "ms:1", "--format", "poster"], "poster"),
        (["deal", "criel", "ms:1"], "did you mean cruel"),
        (["deal", "cruel[ranks", "ms:1"], "cruel[ranks"),
        (["deal", "nowhere.toml", "ms:1"], "nowhere.toml"),
        (["deal", "cruel", "ms:1-9"], "ms:1-9"),
        (["rules", "cruel", "--rule", "redeal.limit"], "'redeal.limit'"),
        (["rules", "cruel", "--rule", "=3"], "'=3'"),
        (
            ["rules", "cruel", "--rule", "redeal.limit=1", "--rule", "redeal.limit=2"],
            "redeal.limit is given twice",
        ),
        (["solve", "cruel"], "no start"),
        (["solve", "cruel", "ms:1", "--board", "x"], "both"),
        (["solve", "cruel", "--board", "nowhere.txt"], "nowhere.txt"),
        (["solve", "cruel", "--board", "."], "directory"),
        (["solve", "cruel", "--board", "a\0b"], "not the name of a file"),
        (["solve", "cruel", "ms:1", "--max-states", "0"], "--max-states"),
        (["solve", "cruel", "ms:1", "--max-states", "many"], "--max-states"),
        (["solve", "cruel", "ms:1", "--max-seconds", "0"], "--max-seconds"),
        (["solve", "cruel", "ms:1", "--max-seconds", "nan"], "--max-seconds"),
        (["solve", "cruel", "ms:1", "--max-seconds", "inf"], "--max-seconds"),
        (["verify", "cruel", "ms:1"], "--solution"),
        (["verify", "cruel", "--solution", "nowhere.txt"], "no start"),
        (["verify", "cruel", "ms:1", "--solution", "nowhere.txt"], "nowhere.txt"),
        (["verify", "cruel", "--board", "-", "--solution", "-"], "standard input"),
        (["play", "--text", "criel"], "did you mean cruel"),
        (["play", "--text", "cruel", "ms:0"], "ms:0"),
        (["play", "--text", "--board", "-"], "standard input"),
        (["play", "--text", "--resume"], "no unfinished game"),
        (["play", "--text", "--resume", "cruel"], "--resume"),
        (["play", "--text", "--load", "nowhere.json"], "nowhere.json"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes_in_the_command(words: list[str], culprit: str, crenel: Runner) -> None:
    run = crenel(*words)
    assert run.status == 2
    assert run.out == ""
    assert culprit in run.sentence
    assert len(run.sentence) < 300


def test_solutions_that_are_json_without_moves(crenel: Runner) -> None:
    for text in ("{}", '{"moves": 7}', '{"moves": null}', "{"):
        run = crenel("verify", "cruel", "ms:1", "--solution", "-", stdin=text)
        assert (run.status, run.out) == (2, "")
        assert "the solution" in run.sentence


def test_wrong_settings(crenel: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRENEL_MAX_SECONDS", "soon")
    run = crenel("solve", "cruel", "ms:1")
    assert (run.status, run.out) == (2, "")
    assert "CRENEL_MAX_SECONDS=soon" in run.sentence


def test_a_fault_of_the_program_is_not_hidden(monkeypatch: pytest.MonkeyPatch, crenel: Runner) -> None:
    def broken(*_: object) -> None:
        raise ValueError("not ours")

    monkeypatch.setattr("crenel.cli.catalogue.rules_sheet", broken)
    with pytest.raises(ValueError, match="not ours"):
        crenel("rules", "cruel")


def test_a_closed_output() -> None:
    """``crenel games | head -1`` where head has gone before anything is written."""
    import os
    import subprocess
    import sys

    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "crenel", "games"],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writer)
    assert done.returncode == 2
    assert done.stderr == "crenel: the output was closed before all of it was written\n"


def test_letters_that_the_output_cannot_show() -> None:
    run = outside(["deal", "beleaguered-castle", "ms:1", "--format", "pretty"], PYTHONIOENCODING="ascii")
    assert (run.status, run.err) == (0, "")
    assert "6C 8H QH KS KD JD   AC   5D QC 3C 3S 6D 6S" in run.out
