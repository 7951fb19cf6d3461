"""Several processes: one that is killed loses nothing that it confirmed, two on one game lose nothing to each other."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import event

from crenel.rules.catalogue import find_game
from crenel.rules.deals import deal
from crenel.store.database import Database
from crenel.store.games import Games, NewGame
from crenel.store.problems import Conflict
from crenel.store.writer import Writer
from tests.store.conftest import STEP, Open

TABLES = 8
TURNS = 25


def play_until_killed(url: str) -> None:
    """The child: several tables at once, each says a change only when it is confirmed."""
    database = Database.open(url)
    # Most of the time passes just before a commit, so that is where the kill falls.
    event.listen(database._engine, "commit", lambda _: time.sleep(0.005))
    games = Games(database, Writer(database))
    player = games.player_of("token").result()
    new = NewGame.of(deal(find_game("cruel"), "ms:1"), deal="ms:1")

    def table(_: int) -> None:
        game = games.begin(player, new).result()
        while True:
            # One call, so that no other table's line gets in between, and nothing waits in a buffer.
            os.write(1, f"{game.key} {game.revision} {game.moves or '-'}\n".encode())
            made = game.made + 1
            game = games.save(game, replace(STEP, made=made, moves=f"move-{made}-" + "x" * 500)).result()

    with ThreadPoolExecutor(TABLES) as pool:
        list(pool.map(table, range(TABLES)))


def take_turns(url: str, name: str, key: str) -> None:
    """The child: adds its own marks to a game that another process changes too."""
    database = Database.open(url)
    writer = Writer(database)
    games = Games(database, writer)
    player = games.player_of("token").result()
    conflicts = 0
    game = games.load(player, key)
    print("ready", flush=True)
    sys.stdin.readline()
    for turn in range(TURNS):
        while True:
            assert game is not None
            moves = f"{game.moves} {name}{turn}"
            try:
                game = games.save(game, replace(STEP, made=game.made + 1, moves=moves)).result()
                break
            except Conflict:
                conflicts += 1
                game = games.load(player, key)
    writer.close()
    database.close()
    print(conflicts, flush=True)


def start(function: str, *arguments: str) -> subprocess.Popen[str]:
    program = f"import sys; from tests.store.test_processes import {function}; {function}(*sys.argv[1:])"
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("seed", range(3))
def test_what_was_confirmed_survives_a_kill(url: str, seed: int, opened: Open) -> None:
    child = start("play_until_killed", url)
    assert child.stdout is not None
    confirmed = [child.stdout.readline() for _ in range(TABLES + 12)]
    killer = threading.Timer(random.Random(seed).uniform(0.0, 0.8), child.kill)
    killer.start()
    confirmed += child.stdout.readlines()
    child.communicate(timeout=30)
    assert child.returncode == -signal.SIGKILL

    database = opened(url)
    writer = Writer(database)
    games = Games(database, writer)
    player = games.find_player("token")
    assert player is not None
    last: dict[str, tuple[int, str]] = {}
    for line in confirmed:
        if line.endswith("\n"):  # the last one may be cut short
            key, number, moves = line.split()
            last[key] = int(number), moves
    assert (
        sum(revision for revision, _ in last.values()) >= 12
    )  # each table has said one line about revision 0
    for key, (revision, moves) in last.items():
        game = games.load(player, key)
        assert game is not None and game.revision >= revision
        assert game.revision > revision or (game.moves or "-") == moves
        assert game.revision == 0 or game.moves == f"move-{game.revision}-" + "x" * 500
        assert games.save(game, STEP).result(30).revision == game.revision + 1  # play goes on
    if database.is_sqlite:
        with database.reading() as connection:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
    writer.close()


def test_two_processes_on_one_game_lose_nothing(url: str, opened: Open) -> None:
    database = opened(url)
    writer = Writer(database)
    games = Games(database, writer)
    player = games.player_of("token").result(30)
    key = games.begin(player, NewGame.of(deal(find_game("cruel"), "ms:1"), deal="ms:1")).result(30).key
    children = [start("take_turns", url, name, key) for name in "ab"]
    for child in children:
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
    conflicts = [int(child.communicate("go\n", timeout=60)[0]) for child in _told(children)]
    assert [child.returncode for child in children] == [0, 0]
    assert sum(conflicts) >= 1  # both had loaded the same revision
    game = games.load(player, key)
    assert game is not None and game.revision == game.made == 2 * TURNS
    marks = game.moves.split()
    for name in "ab":
        assert [mark for mark in marks if mark[0] == name] == [f"{name}{turn}" for turn in range(TURNS)]
    writer.close()


def _told(children: list[subprocess.Popen[str]]) -> list[subprocess.Popen[str]]:
    """The children after the word to go, given to all before any is waited for."""
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    return children
