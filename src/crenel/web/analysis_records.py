"""What the analysis remembers between two events: owners, their questions, the searches, the workers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from crenel.play.knowledge import Knowledge, Plan, Wanted
from crenel.rules.game import Game
from crenel.web.analysis_questions import Answer, Question
from crenel.web.workers import WorkerProcess

FIRST_SLICE, SLICE, LONGEST_SLICE = 0.03, 0.25, 2.0
"""Processor seconds of a search's turns. The first is short, since most searches end in it, and a crowd of hard
questions does not keep an easy one waiting; they get longer up to the second, and up to the third where a search
lost its arrays to others and had to begin again."""


@dataclass(eq=False, slots=True)
class Search:
    """A search that may be under way in a worker.

    Attributes:
        key: The game, the position and whether the fewest cost is wanted.
        token: Its number for the workers.
        worker: The one whose arrays hold it.
        seconds: The length of its next turn.
        spent: What it has used since its question began.
    """

    key: tuple[Game, bytes, bool]
    token: int
    worker: Worker | None = None
    seconds: float = FIRST_SLICE
    spent: float = 0.0


@dataclass(eq=False, slots=True)
class Owner:
    """One table of one player.

    Attributes:
        knowledge: What is proved of its game.
        tasks: Its questions that are not answered yet.
        kept: The search that ended undecided last; asked again, it goes on.
    """

    name: str
    game: Game
    knowledge: Knowledge = field(default_factory=Knowledge)
    tasks: list[Task] = field(default_factory=list)
    kept: Search | None = None


@dataclass(eq=False, slots=True)
class Task:
    """A question on its way to an answer."""

    owner: Owner
    question: Question[Any]
    plan: Plan[Any]
    left: float
    future: asyncio.Future[Answer[Any]]
    knowledge: Knowledge
    wanted: Wanted | None = None
    search: Search | None = None
    states: int = 0
    seconds: float = 0.0
    in_time: bool = True
    deaths: int = 0


@dataclass(eq=False, slots=True)
class Worker:
    """A worker process and what it does.

    Attributes:
        job: The number of what it does now, 0 when it does nothing.
        task: The task that is served, unless it was dropped in the meantime.
        owner: The owner who is charged for it.
        preparing: The game whose kernels it prepares.
        games: The games that it knows, by number.
        loaded: The games whose kernels it has loaded.
    """

    process: WorkerProcess
    is_up: bool = False
    job: int = 0
    task: Task | None = None
    wanted: Wanted | None = None
    owner: Owner | None = None
    preparing: Game | None = None
    games: set[int] = field(default_factory=set)
    loaded: set[Game] = field(default_factory=set)
