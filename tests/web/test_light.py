"""The light, hint, turning point and the solver's win: announced without flicker, cancelled, counted as help."""

from __future__ import annotations

import pytest

from crenel.rules.position import Position
from crenel.solver.result import Verdict
from tests.web.scripted import ScriptedAnalysis
from tests.web.serving import Served, Tab


@pytest.fixture(autouse=True)
def _busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes as if at once may take longer where many tests run."""
    monkeypatch.setattr("crenel.web.lights._FLICKER", 0.5)


def lights(tab: Tab) -> list[dict[str, object]]:
    return [message for message in tab.unasked if message["type"] == "light"]


def with_light(tab: Tab) -> dict[str, object]:
    tab.expect("noted", "assist", light=True, safe=False)
    return tab.open("/cruel/ms:24")


def lost_after(made: int) -> object:
    return lambda position: Verdict.UNWINNABLE if len(position.moves) >= made else Verdict.WINNABLE


def test_a_quick_verdict_comes_without_looking(tab: Tab) -> None:
    with_light(tab)
    light = tab.light()
    assert (light["phase"], light["verdict"], light["made"]) == ("known", "winnable", 0)
    assert (light["states"], light["seconds"], light["seq"]) == (7, 0.5, None)
    tab.play("10-h")
    assert tab.light()["made"] == 1


def test_without_the_light_nothing_is_asked(tab: Tab, solver: ScriptedAnalysis) -> None:
    tab.open("/cruel/ms:24")
    tab.play("10-h", "6-9")
    assert solver.asked == []


def test_a_slow_verdict_is_announced(tab: Tab, solver: ScriptedAnalysis) -> None:
    solver.delay = 1.0
    with_light(tab)
    assert tab.light()["phase"] == "looking"
    assert tab.light()["phase"] == "known"
    solver.is_ready = False
    tab.play("10-h")
    assert tab.light()["phase"] == "waiting"
    solver.is_ready = True
    assert tab.light(made=1, phase="known")["verdict"] == "winnable"


def test_a_move_cancels_the_search_before_it(tab: Tab, solver: ScriptedAnalysis) -> None:
    with_light(tab)
    tab.light(phase="known")
    solver.delay = 30.0
    tab.play("10-h")
    assert tab.light(made=1)["phase"] == "looking"
    solver.delay = 0.0
    tab.play("6-9", made=1)
    assert tab.light(phase="known")["made"] == 2
    assert solver.cancelled == 1


def test_the_move_that_lost_is_named(tab: Tab, solver: ScriptedAnalysis) -> None:
    solver.verdict_of = lost_after(2)  # type: ignore[assignment]
    with_light(tab)
    tab.play("10-h", "6-9")
    first = tab.light(made=2, phase="known")
    assert first["verdict"] == "unwinnable" and "no longer" in first["text"]
    second = tab.light(made=2)
    assert second["turning"] == {"last_winnable": 1, "move": "6-9", "text": "Move 2 lost the game."}
    back = tab.expect("table", "go-to", made=1)
    assert back["made"] == 1 and tab.light(made=1)["verdict"] == "winnable"
    tab.expect("table", "redo")
    assert tab.expect("turning-point", "turning-point")["turning"]["move"] == "6-9"


def test_a_deal_that_cannot_be_won_has_no_turning_point(tab: Tab, solver: ScriptedAnalysis) -> None:
    solver.verdict_of = lost_after(0)  # type: ignore[assignment]
    with_light(tab)
    light = tab.light(phase="known")
    assert light["text"] == "This deal cannot be won." and light["turning"] is None
    assert "cannot be won" in tab.expect("refused", "replay", what="win")["text"]


def test_undecided_is_open_and_can_be_looked_at_longer(tab: Tab, solver: ScriptedAnalysis) -> None:
    solver.verdict_of = lambda position: Verdict.UNDECIDED
    with_light(tab)
    assert tab.light()["phase"] == "open"
    solver.delay = 30.0
    assert tab.expect("light", "keep-looking")["phase"] == "looking"
    assert tab.expect("light", "keep-looking")["phase"] == "looking"
    stopped = tab.expect("light", "stop-looking")
    assert (stopped["phase"], stopped["verdict"]) == ("open", "undecided")
    assert tab.expect("noted", "stop-looking")
    solver.delay, solver.verdict_of = 0.0, lambda position: Verdict.WINNABLE
    tab.expect("light", "keep-looking")
    assert tab.light(phase="known")["verdict"] == "winnable"
    assert tab.expect("light", "keep-looking")["phase"] == "known"
    tab.expect("noted", "assist", light=False, safe=False)
    assert "light is off" in tab.expect("refused", "keep-looking")["text"]


def test_help_is_noted_before_it_is_shown(
    server: Served, tab: Tab, token: str, solver: ScriptedAnalysis
) -> None:
    assert with_light(tab)["helped"] == []
    tab.light(phase="known")  # of a deal without a move: that helps nobody yet
    assert tab.open("/cruel/ms:24")["helped"] == []
    tab.play("10-h")
    tab.light(made=1, phase="known")
    assert tab.expect("table", "undo")["helped"] == ["light"]
    tab.expect("noted", "assist", light=False, safe=False)
    tab.expect("hint", "hint")
    with server.tab(token) as other:
        assert other.open("/cruel/ms:24")["helped"] == ["light", "hint"]
    tab.open("/cruel/ms:25")
    solver.verdict_of = lambda position: Verdict.UNDECIDED
    tab.expect("hint", "hint")  # it said nothing
    assert tab.open("/cruel/ms:25")["helped"] == []


def test_a_hint_waits_while_moves_do_not(tab: Tab, solver: ScriptedAnalysis) -> None:
    tab.open("/cruel/ms:24")
    solver.delay = 30.0
    asked = tab.send(type="hint")
    assert tab.expect("moves", "moves")["made"] == 0
    solver.delay = 0.0
    tab.play("10-h")
    if not any(message["seq"] == asked for message in tab.unasked):
        tab.unasked.append(tab.answer(asked))
    dropped = next(message for message in tab.unasked if message["seq"] == asked)
    assert dropped["type"] == "refused" and "has changed since" in dropped["text"]
    hint = tab.expect("hint", "hint")
    assert (hint["made"], hint["verdict"], hint["text"]) == (1, "winnable", "What the solver says.")
    assert hint["move"] in tab.open("/cruel/ms:24")["legal"]


def test_a_newer_hint_takes_the_place_of_an_older_one(tab: Tab, solver: ScriptedAnalysis) -> None:
    tab.open("/cruel/ms:24")
    solver.delay = 30.0
    first = tab.send(type="hint")
    tab.expect("moves", "moves")
    solver.delay = 0.0
    assert tab.expect("hint", "hint")["verdict"] == "winnable"
    refused = next(message for message in tab.unasked if message["seq"] == first)
    assert refused["type"] == "refused" and "newer question" in refused["text"]


def test_both_tabs_of_a_game_get_its_light_if_they_want_it(
    server: Served, token: str, solver: ScriptedAnalysis
) -> None:
    with server.tab(token) as one, server.tab(token) as two, server.tab(token) as three:
        for tab in (one, two):
            with_light(tab)
            assert tab.light()["phase"] == "known"
        three.open("/cruel/ms:24")
        assert len(solver.asked) == 1
        one.play("10-h")
        assert two.light(made=1)["phase"] == "known"
        three.expect("moves", "moves")
        assert not lights(three)


def test_nothing_is_searched_for_when_everyone_has_left(
    server: Served, token: str, solver: ScriptedAnalysis
) -> None:
    with server.tab(token) as tab:
        with_light(tab)
        tab.light(phase="known")
        solver.delay = 30.0
        tab.play("10-h")
        assert tab.light(made=1)["phase"] == "looking"
    with server.tab(token) as tab:
        assert tab.open("/cruel/ms:24")["helped"] == []
        assert solver.cancelled == 1


def test_the_win_of_the_solver(tab: Tab, solver: ScriptedAnalysis) -> None:
    tab.open("/cruel/ms:24")
    assert "found no win" in tab.expect("refused", "replay", what="win")["text"]
    assert tab.open("/cruel/ms:24")["helped"] == []

    def line(position: Position) -> tuple[object, ...]:
        assert not position.moves
        return tuple(position.legal_moves[:1])

    solver.best = line  # type: ignore[assignment]
    tab.play("6-9")
    shown = tab.expect("replay", "replay", what="win")
    assert (shown["what"], shown["moves"], shown["shortest"]) == ("win", "10-h", True)
    assert len(shown["frames"]) == 2 and "no win costs less" in shown["title"]
    assert tab.open("/cruel/ms:24")["helped"] == ["hint"]


def test_the_replay_of_the_game_does_not_end_the_search_for_the_win(
    tab: Tab, solver: ScriptedAnalysis
) -> None:
    tab.open("/cruel/ms:24")
    solver.best = lambda position: tuple(position.legal_moves[:1])
    solver.delay = 0.3
    win, game = tab.send(type="replay", what="win"), tab.send(type="replay", what="game")
    assert tab.answer(game)["what"] == "game"
    assert tab.answer(win)["what"] == "win"


def test_a_deal_with_a_known_win(tab: Tab) -> None:
    tab.open("/cruel/ms:24")
    found = tab.expect("found-deal", "find-deal", which="next", winnable=True)
    assert found["address"] == "/cruel/ms:84"  # the scripted solver takes the last one


def test_the_sentence_of_a_won_game_is_no_help(tab: Tab) -> None:
    tab.expect("noted", "assist", light=True, safe=False)
    board = "Foundations: C-K D-K H-K S-Q\nKS\n" + "\n" * 7
    tab.expect("table", "paste", text=board, address="/beleaguered-castle")
    tab.light(phase="known")
    won = tab.play("1-h")
    assert won["standing"]["kind"] == "won"
    assert tab.light(made=1)["text"] == "The game is won."
    assert tab.open(won["address"])["helped"] == []


def test_a_hint_can_be_stopped(tab: Tab, solver: ScriptedAnalysis) -> None:
    tab.open("/cruel/ms:24")
    solver.delay = 30.0
    asked = tab.send(type="hint")
    tab.expect("noted", "stop-looking")
    answer = tab.wait_for(lambda message: message["seq"] == asked)
    assert (answer["type"], answer["text"]) == ("refused", "The search was stopped.")
