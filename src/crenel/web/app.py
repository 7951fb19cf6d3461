"""The web application: page, HTTP part and websocket joined, with the store and the solver behind them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.routing import WebSocketRoute

from crenel import __version__
from crenel.rules.reading import one_line
from crenel.store.database import Database
from crenel.store.games import Games
from crenel.store.problems import StoreProblem
from crenel.store.writer import Writer
from crenel.web.analysis import Analysis
from crenel.web.api import api_router
from crenel.web.desks import Desks
from crenel.web.live import Live
from crenel.web.pages import page_routes
from crenel.web.safety import Guard

_DAY = 24 * 3600.0
_IDLE_DAYS = 30
"""Days after which a game that never got a move is forgotten."""

log = logging.getLogger("crenel.web")


@dataclass(frozen=True)
class Site:
    """A web application and what others need to reach in it.

    Attributes:
        app: The application, for an ASGI server.
        desks: The open games.
        games: The stored games.
    """

    app: Guard
    desks: Desks
    games: Games


def create_site(
    database: Database, analysis: Analysis, *, hosts: Iterable[str] | None = None, origins: Iterable[str] = ()
) -> Site:
    """Joins the parts. The site starts the analysis, and closes it and the database at its end.

    Args:
        database: Where games are kept.
        analysis: Runs the searches.
        hosts: The host names that are answered; ``None`` answers all.
        origins: Further origins whose pages may connect, such as ``https://cards.example.org`` behind a proxy.
    """
    writer = Writer(database)
    games = Games(database, writer)
    desks = Desks(games, analysis)
    live = Live(desks, analysis, tuple(origins))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await analysis.start()
        sweeping = asyncio.create_task(_sweep(games))
        try:
            yield
        finally:
            sweeping.cancel()
            await analysis.close()
            await asyncio.to_thread(writer.close)
            database.close()

    app = FastAPI(
        title="crenel",
        description="Cruel, Beleaguered Castle and their relatives. Games are played over the websocket /live.",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,  # these pages would load scripts from elsewhere
        redoc_url=None,
    )
    app.include_router(api_router(games, desks, analysis))
    app.add_exception_handler(RequestValidationError, _wrong_request)
    app.add_exception_handler(StoreProblem, _store_failed)
    app.router.routes.append(WebSocketRoute("/live", live.endpoint))
    app.router.routes.extend(page_routes(desks.find_game_for))
    return Site(Guard(app, hosts), desks, games)


async def _sweep(games: Games) -> None:
    """Forgets, now and then, games that were opened and never played."""
    while True:
        with suppress(StoreProblem):
            count = await asyncio.wrap_future(games.sweep(time.time() - _IDLE_DAYS * _DAY))
            log.debug("%d games that never got a move were forgotten", count)
        await asyncio.sleep(_DAY)


def _wrong_request(request: Request, problem: Exception) -> JSONResponse:
    """A wrong parameter is told in one sentence, like every other mistake."""
    assert isinstance(problem, RequestValidationError)
    first = problem.errors()[0]
    return JSONResponse(
        {
            "detail": one_line(
                f"{first['loc'][-1]} is not allowed: {first['msg'][:1].lower()}{first['msg'][1:]}."
            )
        },
        422,
    )


def _store_failed(request: Request, problem: Exception) -> JSONResponse:
    log.warning("the store failed: %s", problem)
    return JSONResponse({"detail": "The games cannot be read at the moment; try again."}, 503)
