"""The commands ``solve`` and ``verify``: verdicts, exit statuses, JSON, and words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crenel import find_game, parse_move
from crenel.rules.deals import deal
from crenel.rules.notation import format_board, format_record, make_record, parse_moves, replay
from crenel.settings import load_settings
from tests.bad_input import CRUEL
from tests.cli.conftest import Runner, outside

KEYS = {
    *("game", "deal", "verdict", "moves", "cost", "tableau_moves", "foundation_moves", "redeals"),
    *("shortest", "states", "seconds", "reason"),
}
"""The promised keys of ``solve --json``; more may be added."""
BC = "beleaguered-castle"


def solved(crenel: Runner, *words: str) -> tuple[int, dict[str, Any]]:
    run = crenel("solve", *words, "--json")
    assert run.err == ""
    assert run.out.count("\n") == 1
    data = json.loads(run.out)
    assert set(data) >= KEYS
    return run.status, data


@pytest.mark.parametrize(
    ("name", "deal_id", "status"),
    [(BC, "ms:24", 0), (BC, "ms:1", 1), ("cruel", "ms:1", 0), ("cruel-strict", "ms:1", None)],
)
def test_verdict_status_and_json_agree(
    name: str, deal_id: str, status: int | None, crenel: Runner, tmp_path: Path
) -> None:
    exit_status, data = solved(crenel, name, deal_id)
    assert status in (None, exit_status)
    assert data["verdict"] == {0: "winnable", 1: "unwinnable"}[exit_status]
    assert (data["game"], data["deal"]) == (name, deal_id)
    assert data["states"] >= 1 and data["seconds"] >= 0 and data["shortest"] is False
    if exit_status == 0:
        end = replay(deal(find_game(name), deal_id), parse_moves(data["moves"]))
        assert end.is_won
        assert data["cost"] == end.cost == data["tableau_moves"] + data["redeals"]
        assert (data["tableau_moves"], data["foundation_moves"], data["redeals"]) == (
            end.tableau_moves,
            end.foundation_moves,
            end.redeals,
        )
        assert data["reason"] is None
        for line in (data["moves"], json.dumps(data)):
            file = tmp_path / "line.txt"
            file.write_text(line, encoding="utf-8")
            assert crenel("verify", name, deal_id, "--solution", str(file)).status == 0
    else:
        assert data["moves"] == ""
        assert data["cost"] is None
        assert data["reason"]["kind"] and data["reason"]["text"]


def test_a_limit_is_undecided_never_a_loss(crenel: Runner) -> None:
    status, data = solved(crenel, "cruel", "ms:3", "--max-states", "1")
    assert (status, data["verdict"], data["reason"], data["limit"]) == (3, "undecided", None, "states")
    run = crenel("solve", "cruel", "ms:3", "--max-states", "1")
    assert run.status == 3
    assert "undecided" in run.out and "limit of visited positions" in run.out


def test_limits_from_the_settings_and_the_option_before_them(
    crenel: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRENEL_MAX_STATES", "1")
    load_settings.cache_clear()
    assert solved(crenel, "cruel", "ms:1")[0] == 3
    assert solved(crenel, "cruel", "ms:1", "--max-states", "1000000")[0] == 0
    load_settings.cache_clear()


def test_a_board_from_a_file_and_from_standard_input(crenel: Runner, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(CRUEL, encoding="utf-8")
    from_deal = solved(crenel, "cruel", "ms:1")[1]
    from_file = solved(crenel, "cruel", "--board", str(file))[1]
    assert from_file["deal"] is None
    assert from_file["moves"] == from_deal["moves"]
    run = crenel("solve", "cruel", "--board", "-", "--json", stdin=CRUEL)
    assert json.loads(run.out)["moves"] == from_deal["moves"]


def test_rules_reach_the_solver(crenel: Runner) -> None:
    status, data = solved(crenel, "cruel", "ms:1", "--rule", "redeal.limit=0")
    assert (status, data["game"]) == (1, "cruel[redeal.limit=0]")


def test_shortest(crenel: Runner) -> None:
    rules = ("--rule", "ranks=5", "--rule", "piles.sizes=4x4")
    status, data = solved(crenel, BC, "ms:2", *rules, "--shortest")
    assert status == 0
    assert data["shortest"] is True
    assert data["lower_bound"] == data["cost"]
    assert "Fewest cost: proved." in crenel("solve", BC, "ms:2", *rules, "--shortest").out


def test_words_for_a_win(crenel: Runner) -> None:
    run = crenel("solve", BC, "ms:24")
    assert run.err == ""
    lines = run.out.splitlines()
    assert lines[0] == "Beleaguered Castle, deal ms:24: winnable"
    assert replay(deal(find_game(BC), "ms:24"), parse_moves(lines[-1])).is_won  # unbroken in a pipe
    moves = len(lines[-1].split())
    assert lines[1].startswith(f"{moves} moves: ")
    told = crenel("solve", BC, "ms:24", "--explain").out.splitlines()[-moves:]
    assert [parse_move(line.split()[1]) for line in told] == parse_moves(lines[-1])
    assert all(line.endswith(".") for line in told)
    assert len(solved(crenel, BC, "ms:24", "--explain")[1]["explanation"]) == moves


def test_words_for_a_loss(crenel: Runner) -> None:
    for words in ((), ("--explain",)):
        run = crenel("solve", BC, "ms:1", *words)
        lines = run.out.splitlines()
        assert lines[0] == "Beleaguered Castle, deal ms:1: unwinnable"
        assert len(lines) >= 3 and lines[1].endswith(".")
    data = solved(crenel, BC, "ms:1", "--explain")[1]
    assert data["explanation"] == [data["reason"]["text"]]


def verify(crenel: Runner, line: str, name: str = "cruel", start: str = "ms:1") -> tuple[int, str, str]:
    run = crenel("verify", name, start, "--solution", "-", stdin=line)
    return run.status, run.out, run.err


def test_verify(crenel: Runner) -> None:
    status, out, err = verify(crenel, "7-10 11-h")
    assert (status, err) == (1, "")
    assert out.startswith("The line is legal, but does not win: 2 moves, 1 move between piles")
    assert verify(crenel, "")[0] == 1
    status, out, err = verify(crenel, "7-10 11-h 10-3")
    assert (status, out) == (2, "")
    assert "move 3 (10-3) is illegal: The 8 of clubs does not go on the 8 of diamonds" in err
    assert err.count("\n") == 1


def test_verify_a_board_and_a_record(crenel: Runner, tmp_path: Path) -> None:
    position = deal(find_game("cruel"), "ms:1")
    board, record = tmp_path / "board.txt", tmp_path / "record.json"
    board.write_text(format_board(position), encoding="utf-8")
    for move in parse_moves("7-10 11-h"):
        position.push(move)
    record.write_text(format_record(make_record(position, deal="ms:1")), encoding="utf-8")
    assert crenel("verify", "cruel", "--board", str(board), "--solution", str(record)).status == 1
    finish = "Foundations: C-K D-K H-K S-T\nKS QS JS\n"
    board.write_text(finish, encoding="utf-8")
    run = crenel("verify", "cruel", "--board", str(board), "--solution", "-", stdin="1-h 1-h 1-h")
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("The line wins: 3 moves")


def test_only_json_outside_of_this_process_as_well() -> None:
    run = outside(["solve", BC, "ms:1", "--json"])
    assert (run.status, run.err) == (1, "")
    assert json.loads(run.out)["verdict"] == "unwinnable"
