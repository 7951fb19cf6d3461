"""Nothing that was played in plain text is lost: not by leaving, by a signal, nor by any line that is typed."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from crenel import GAMES
from crenel.cli.saves import kept_games
from crenel.cli.table import _COMMANDS
from crenel.play.session import Session
from crenel.rules.moves import move_name
from crenel.rules.notation import parse_board, parse_moves, replay
from tests.cli.conftest import Runner, outside
from tests.cli.hearing import Heard

# Keeping


def test_the_unfinished_game_goes_on(crenel: Runner, own_data: Path) -> None:
    crenel("play", "cruel", "ms:1", "--text", stdin="7 10\n11 h\nu\n")
    run = crenel("play", "--text", "--resume", stdin="redo\nmoves so far\n")
    assert run.out.startswith("Cruel, deal ms:1. Type ? for the commands.\nThe game goes on after 1 move.\n")
    assert "7-10 11-h\n" in run.out
    assert len(kept_games(own_data / "unfinished")) == 1


def test_nothing_is_kept_where_nothing_was_played(crenel: Runner, own_data: Path) -> None:
    run = crenel("play", "cruel", "ms:1", "--text", stdin="show\n")
    assert "kept" not in run.out
    assert kept_games(own_data / "unfinished") == []


def test_a_broken_kept_game_is_named_and_left(crenel: Runner, own_data: Path) -> None:
    crenel("play", "cruel", "ms:1", "--text", stdin="7 10\n")
    broken = own_data / "unfinished" / "broken.json"
    broken.write_text("{", encoding="utf-8")
    os.utime(broken, (2**32, 2**32))
    run = crenel("play", "--text", "--resume", stdin="quit\n")
    assert run.status == 0
    assert "broken.json" in run.sentence
    assert "after 1 move" in run.out
    assert broken.exists()


def test_save_and_load(cruel: Heard, tmp_path: Path) -> None:
    file = tmp_path / "my game.json"
    cruel("7 10; 11 h; u")
    before = cruel.table.session.to_text()
    assert cruel(f"save {file}") == f"Saved in {file}."
    cruel("new fortress ms:5")
    assert cruel.table.session.game.id == "fortress"
    assert "The game goes on after 1 move." in cruel(f"load {file}")
    assert cruel.table.session.moves == tuple(parse_moves("7-10"))
    assert cruel.table.session.undone == tuple(parse_moves("11-h"))
    assert before.split('"clock"')[0] == cruel.table.session.to_text().split('"clock"')[0]
    assert cruel(f"load {tmp_path / 'nowhere.json'}").startswith("Cannot read ")
    assert cruel("save") == "Name the file: save FILE."


def test_save_leaves_other_files_alone(cruel: Heard, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear reader", encoding="utf-8")
    assert "is not a saved game" in cruel(f"save {file}")
    assert file.read_text(encoding="utf-8") == "Dear reader"
    assert cruel(f"save {tmp_path / 'no' / 'such' / 'folder'}").startswith("Cannot write ")


def test_new_keeps_the_game_that_is_left(cruel: Heard) -> None:
    cruel("7 10")
    assert "'load' brings it back" in cruel("new")
    assert cruel.table.session.deal != "ms:1"
    cruel("load")
    assert cruel.table.session.moves == tuple(parse_moves("7-10"))
    cruel("new beleaguered castle ms:24")
    assert (cruel.table.session.game.id, cruel.table.session.deal) == ("beleaguered-castle", "ms:24")
    cruel("new 7")
    assert (cruel.table.session.game.id, cruel.table.session.deal) == ("beleaguered-castle", "ms:7")
    assert "did you mean cruel" in cruel("new criel")
    assert "tarot" in cruel("new cruel tarot:1")


def test_a_folder_that_cannot_be_written_is_said_once(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    heard = Heard(file / "folder")
    assert "Cannot keep the game in" in heard("7 10")
    assert "Cannot keep" not in heard("11 h")


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_it_in_order(number: signal.Signals, status: int, own_data: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "crenel", "play", "cruel", "ms:1", "--text"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write("7 10\n")
    process.stdin.flush()
    for line in process.stdout:
        if line.startswith("8 of clubs"):
            break
    # What was said is kept at once, signal or not; then the end is said in one sentence.
    while not kept_games(own_data / "unfinished"):
        assert process.poll() is None
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == status
    assert errors.count("\n") == 1 and "the game is kept" in errors
    run = outside(["play", "--text", "--resume"], stdin="moves so far\n")
    assert "\n7-10\n" in run.out


# Any lines


WORDS = st.one_of(
    st.sampled_from(
        [
            name
            for name in _COMMANDS
            if name not in ("save", "hint", "light", "lost", "load", "quit", "q", "exit")
        ]
    ),
    st.sampled_from(
        [
            "r",
            "R",
            "h",
            "d-3",
            "7-10",
            "1-h",
            "x2",
            "so",
            "far",
            ";",
            "#",
            "on",
            "off",
            "ms:5",
            "load",
            "move a card",
        ]
    ),
    st.integers(-2, 20).map(str),
    st.text(max_size=6).filter(lambda text: "save" not in text.lower()),
)
LINES = st.one_of(
    st.lists(WORDS, max_size=5).map(" ".join),
    st.text(max_size=30).filter(lambda text: not text.strip().lower().startswith(("save", "load"))),
    st.tuples(st.integers(1, 12), st.integers(1, 12)).map(lambda pair: f"{pair[0]} {pair[1]}"),
    st.integers(1, 12).map(lambda pile: f"{pile} h"),
)


@settings(deadline=None)
@given(name=st.sampled_from(sorted(GAMES)), seed=st.integers(0, 10**6), lines=st.lists(LINES, max_size=15))
@example(
    name="cruel",
    seed=0,
    lines=["move", "²", "7 ²", "\u0661 2", "r r", "new ms:5", "\0", "9" * 5000, "7 10 x" + "9" * 5000],
)
def test_any_lines_never_break_it_and_the_kept_game_is_the_one_shown(
    name: str, seed: int, lines: list[str]
) -> None:
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        heard = Heard(Path(folder), name, f"ms:{1 + seed}")
        for line in lines:
            if re.search(r"(^|;)\s*(save|hint|light|lost|quit|q|exit)\b", line, re.IGNORECASE):
                continue
            heard(line)
            assert all(said.isprintable() or "\n" in said for said in heard.said)
            if chance.random() < 0.5:
                moves = heard.table.session.position.legal_moves
                if moves:
                    heard(move_name(chance.choice(moves)))
        shown = heard.table.session.position
        assert parse_board(heard("copy") + "\n", shown.game) == shown
        if heard.table.keeper.path is not None:
            again = Session.from_text(heard.table.keeper.path.read_bytes())
            assert again.position == shown
            assert again.undone == heard.table.session.undone
        else:
            assert shown.is_won or not (shown.moves or heard.table.session.undone)
        start = shown.copy()
        while start.moves:
            start.pop()
        assert replay(start, shown.moves) == shown


def test_bytes_that_are_no_text(crenel: Runner) -> None:
    run = crenel("play", "cruel", "ms:1", "--text", stdin=b"\xff\xfe\x00\n7 10\n\x80\n")
    assert (run.status, run.err) == (0, "")
    assert "8 of clubs from pile 7 to pile 10" in run.out
