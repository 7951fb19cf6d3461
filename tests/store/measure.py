"""Measures confirmed saves: ``python -m tests.store.measure [PLAYERS] [SECONDS]``.

Each player waits for a save to be confirmed before the next: first as fast as that goes, then one save per second each.
SQLite and PostgreSQL both wait for the disk here; the files lie in the folder for temporary files.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from crenel.rules.catalogue import find_game
from crenel.rules.deals import deal
from crenel.store.database import Database
from crenel.store.games import Games, NewGame
from crenel.store.writer import Writer
from tests.store.conftest import STEP
from tests.store.postgres import Cluster, find_binaries

MOVES = "11-10 7-h R " * 30
"""The text of a game of ninety moves."""


async def play(games: Games, players: int, seconds: float, pause: float) -> list[float]:
    """The times of all saves in seconds, from many players at once."""
    new = NewGame.of(deal(find_game("cruel"), "ms:1"), deal="ms:1")
    end = time.perf_counter() + seconds
    times: list[float] = []

    async def one(number: int) -> None:
        player = await asyncio.wrap_future(games.player_of(f"token {number}"))
        game = await asyncio.wrap_future(games.begin(player, new))
        await asyncio.sleep(random.uniform(0, pause))
        while (began := time.perf_counter()) < end:
            game = await asyncio.wrap_future(games.save(game, replace(STEP, made=game.made + 1, moves=MOVES)))
            took = time.perf_counter() - began
            times.append(took)
            if pause:
                await asyncio.sleep(max(0.0, pause - took))

    await asyncio.gather(*(one(number) for number in range(players)))
    return times


def measure(name: str, url: str, players: int, seconds: float) -> None:
    database = Database.open(url)
    writer = Writer(database)
    games = Games(database, writer)
    for pause in (0.0, 1.0):
        began, used = time.perf_counter(), time.process_time()
        times = asyncio.run(play(games, players, seconds, pause))
        took, used = time.perf_counter() - began, time.process_time() - used
        middle, late = statistics.median(times), statistics.quantiles(times, n=100)[98]
        print(
            f"{name}, {players} players, {'1 save/s each' if pause else 'as fast as it goes'}: "
            f"{len(times) / took:,.0f} saves/s, median {middle * 1e3:.1f} ms, p99 {late * 1e3:.1f} ms, "
            f"longest {max(times) * 1e3:.1f} ms, {used / took:.0%} of a core"
        )
    writer.close()
    database.close()


def main() -> None:
    players = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
    with tempfile.TemporaryDirectory() as folder:
        measure("SQLite", f"sqlite:///{Path(folder) / 'games.sqlite'}", players, seconds)
    binaries = find_binaries()
    if binaries is None:
        sys.exit("no PostgreSQL is installed")
    cluster = Cluster(binaries, fsync=True)
    try:
        measure("PostgreSQL", cluster.new_database(), players, seconds)
    finally:
        cluster.remove()


if __name__ == "__main__":
    main()
