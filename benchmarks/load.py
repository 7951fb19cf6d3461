"""Measures the server of the browser table under load, over real websockets, from processes of their own.

python benchmarks/load.py                        200 players for 60 s, a move per second each
python benchmarks/load.py --players 50 --seconds 20 --database postgresql+psycopg://…

Each player opens a real deal with the light on and makes random legal moves from the list that the server sends,
sometimes an undo or a redo. Measured is the round trip from a message to its answer, which the server gives only when
the change is saved. At the end the server is killed without warning, and every player's stored game is replayed by the
rules: it must stand exactly where the player saw it last.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import multiprocessing
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from crenel.rules.cards import card_name
from crenel.rules.records import parse_record
from crenel.rules.solutions import parse_moves
from crenel.store.database import Database
from crenel.store.games import Games
from crenel.store.writer import Writer

GAMES = ("cruel", "beleaguered-castle", "cruel-3", "citadel", "perseverance", "royal-family-classic")
COOKIE = "crenel_player"
PLAYER_PROCESSES = 2
UNDO, REDO = 0.1, 0.05
PATIENCE = 30.0


@dataclass
class Journal:
    """What one player did and saw.

    Attributes:
        token: The player's cookie.
        trips: Seconds of each change, from its message to its answer.
        kinds: How many messages of each kind came.
        problems: What the server refused, or did not answer.
        shown: The last table that was confirmed.
    """

    token: str
    trips: list[float] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    shown: dict[str, Any] = field(default_factory=dict)


class Player:
    """One simulated player at one table."""

    def __init__(self, number: int, place: str) -> None:
        self.rng = random.Random(number)
        self.number = number
        self.place = place
        self.journal = Journal(secrets.token_urlsafe(32))
        self.seq = 0
        self.answers: dict[int, asyncio.Future[tuple[float, dict[str, Any]]]] = {}

    async def play(self, begin: float, seconds: float) -> Journal:
        """Sits down, and makes a change each second from ``begin`` on (of the monotonic clock)."""
        headers = {"Cookie": f"{COOKIE}={self.journal.token}"}
        url = self.place.replace("http", "ws", 1) + "/live"
        try:
            async with connect(
                url,
                origin=Origin(self.place),
                additional_headers=headers,
                compression=None,
                open_timeout=PATIENCE,
            ) as socket:
                reader = asyncio.create_task(self._read(socket))
                await self._ask(socket, {"type": "assist", "light": True, "safe": False}, is_answered=False)
                game, deal = GAMES[self.number % len(GAMES)], 1 + self.number
                await self._change(socket, {"type": "open", "address": f"/{game}/ms:{deal}"})
                self.journal.trips.clear()  # opening is no move
                await self._moves(socket, begin, seconds)
                reader.cancel()
        except (OSError, TimeoutError, EOFError) as error:
            self.journal.problems.append(f"{type(error).__name__}: {error}")
        return self.journal

    async def _moves(self, socket: ClientConnection, begin: float, seconds: float) -> None:
        due = begin + self.rng.random()  # players do not move in step
        while due < begin + seconds:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            await self._change(socket, self._choice())
            due += 1.0

    def _choice(self) -> dict[str, Any]:
        """The next change: a random legal one."""
        shown, chance = self.journal.shown, self.rng.random()
        if shown["undone"] and chance < REDO:
            return {"type": "redo", "count": 1}
        if shown["made"] and (chance < REDO + UNDO or not shown["legal"]):
            return {
                "type": "undo",
                "count": min(shown["made"], 1 if shown["legal"] else self.rng.randint(2, 20)),
            }
        return {"type": "move", "move": self.rng.choice(shown["legal"]), "made": shown["made"]}

    async def _change(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        sent = time.perf_counter()
        try:
            received, answer = await self._ask(socket, message)
        except TimeoutError:
            self.journal.problems.append(f"{message['type']}: no answer in {PATIENCE:.0f} s")
            return
        self.journal.trips.append(received - sent)
        if answer["type"] == "table":
            self.journal.shown = answer
        else:
            self.journal.problems.append(f"{message['type']}: {answer.get('text')}")

    async def _ask(
        self, socket: ClientConnection, message: dict[str, Any], *, is_answered: bool = True
    ) -> tuple[float, dict[str, Any]]:
        self.seq += 1
        waiting: asyncio.Future[tuple[float, dict[str, Any]]] = asyncio.get_running_loop().create_future()
        self.answers[self.seq] = waiting
        await socket.send(json.dumps({"seq": self.seq, **message}))
        if not is_answered:
            return 0.0, {}
        async with asyncio.timeout(PATIENCE):
            return await waiting

    async def _read(self, socket: ClientConnection) -> None:
        async for text in socket:
            moment = time.perf_counter()
            message = json.loads(text)
            kind = message["type"] + (f" {message['phase']}" if message["type"] == "light" else "")
            self.journal.kinds[kind] += 1
            waiting = self.answers.pop(message["seq"], None) if message["seq"] else None
            if waiting is not None and not waiting.done():
                waiting.set_result((moment, message))


def play_all(numbers: range, place: str, begin: float, seconds: float, results: Any) -> None:
    """A process of players."""

    async def run() -> list[Journal]:
        players = [Player(number, place) for number in numbers]
        return await asyncio.gather(*(player.play(begin, seconds) for player in players))

    gc.disable()  # a pause here would count as one of the server
    results.put(asyncio.run(run()))


class Processes:
    """Processor time and memory of the server and its workers, read from /proc."""

    def __init__(self, server: int) -> None:
        self.server = server
        self.before = self._seconds()

    def _members(self) -> list[int]:
        children = Path(f"/proc/{self.server}/task").glob("*/children")
        return [self.server, *(int(pid) for path in children for pid in path.read_text().split())]

    def _seconds(self) -> dict[int, float]:
        used = {}
        for pid in self._members():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            used[pid] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return used

    def used(self) -> tuple[float, float]:
        """Processor seconds of the server and of its workers since the beginning."""
        now = {pid: seconds - self.before.get(pid, 0.0) for pid, seconds in self._seconds().items()}
        server = now.pop(self.server)
        return server, sum(now.values())

    def peaks(self) -> tuple[int, int]:
        """The most memory that the server, and its workers together, ever took, in MiB."""
        sizes = []
        for pid in self._members():
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            sizes += [int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM")]
        return sizes[0], sum(sizes[1:])


def lost_games(database: str, journals: list[Journal]) -> list[str]:
    """The games that do not stand where their players saw them last."""
    opened = Database.open(database)
    games = Games(opened, Writer(opened))
    lost = []
    for journal in journals:
        shown = journal.shown
        player = games.find_player(journal.token)
        stored = games.load(player, shown["key"]) if player is not None and shown else None
        if stored is None:
            lost.append(f"{shown.get('address')}: not stored")
            continue
        record = parse_record(stored.start)
        position = record.start()
        for move in parse_moves(stored.moves, record.game):
            position.push(move)
        piles = [[card_name(card) for card in pile] for pile in position.piles]
        if (piles, len(position.moves)) != (
            [pile["cards"] for pile in shown["layout"]["piles"]],
            shown["made"],
        ):
            lost.append(f"{shown['address']}: {len(position.moves)} moves stored, {shown['made']} shown")
    opened.close()
    return lost


def run(arguments: argparse.Namespace) -> int:
    """Starts the server and the players, kills the server, and prints what was measured."""
    with tempfile.TemporaryDirectory() as folder:
        database = arguments.database or f"sqlite:///{folder}/games.sqlite"
        command = [sys.executable, "-m", "crenel", "serve", "--port", "0", "--database", database]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            place = server.stdout.readline().split()[-1].rstrip("/")
            time.sleep(arguments.wait)  # kernels are loaded by then
            watched = Processes(server.pid)
            context, begin = multiprocessing.get_context("spawn"), time.monotonic() + arguments.sit_down
            results = context.Queue()
            share = -(-arguments.players // PLAYER_PROCESSES)
            crowds = []
            for first in range(0, arguments.players, share):
                numbers = range(first, min(first + share, arguments.players))
                crowds.append(
                    context.Process(target=play_all, args=(numbers, place, begin, arguments.seconds, results))
                )
                crowds[-1].start()
            time.sleep(max(0.0, begin - time.monotonic()))
            watched.before = watched._seconds()
            began = time.monotonic()
            journals = [journal for _ in crowds for journal in results.get()]
            span = time.monotonic() - began
            (server_seconds, worker_seconds), peaks = watched.used(), watched.peaks()
            server.send_signal(signal.SIGKILL)
        for crowd in crowds:
            crowd.join()
        lost = lost_games(database, journals)
    trips = sorted(trip for journal in journals for trip in journal.trips)
    problems = [problem for journal in journals for problem in journal.problems]
    kinds: Counter[str] = sum((journal.kinds for journal in journals), Counter())

    def at(share: float) -> str:
        return f"{1000 * trips[min(int(share * len(trips)), len(trips) - 1)]:.1f}"

    print(
        "| players | changes | median ms | 90 % | 99 % | max | server CPU s | workers' CPU s | memory MiB | lost |"
    )
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---|---:|")
    print(
        f"| {arguments.players} | {len(trips):,} in {span:.0f} s | {at(0.5)} | {at(0.9)} | {at(0.99)} | {at(1)} | "
        f"{server_seconds:.1f} | {worker_seconds:.1f} | {peaks[0]} + {peaks[1]} | {len(lost)} |"
    )
    print("messages:", ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common()))
    for problem, count in Counter(problems).most_common(10):
        print(f"problem: {count} x {problem}")
    for line in lost[:10]:
        print(f"lost: {line}")
    return 1 if lost or problems else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--wait", type=float, default=8.0, help="seconds before the players come")
    parser.add_argument("--sit-down", type=float, default=8.0, help="seconds for all of them to connect")
    parser.add_argument("--database", help="a URL; a new SQLite file when left out")
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
