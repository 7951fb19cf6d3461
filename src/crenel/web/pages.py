"""The page and its files. All addresses of the table show one page, which asks for its game over the websocket."""

from __future__ import annotations

import asyncio
import html
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from crenel.rules.game import Game
from crenel.web.addresses import parse_address
from crenel.web.safety import give_token, player_token
from crenel.web.views import whole_sentence

_LONGEST_ADDRESS = 2_000


def static_folder() -> Path:
    """Where the files of the page lie."""
    return Path(str(resources.files("crenel.web").joinpath("static")))


class _Files(StaticFiles):
    """Files that a browser asks for again each time, and gets only when they are new: no old script after an update."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["cache-control"] = "no-cache"
        return response


def page_routes(find: Callable[[str | None, str], Game]) -> list[BaseRoute]:
    """The routes of the page and its files; the last one takes every address that no other route took.

    Args:
        find: Finds the game of an address, by the player's token and its name.
    """
    folder = static_folder()

    async def page(request: Request) -> Response:
        problem = await asyncio.to_thread(_problem, request, find)
        text = await asyncio.to_thread((folder / "index.html").read_text, encoding="utf-8")
        status = 200
        if problem is not None:
            status = 404
            text = text.replace(
                "</head>", f'<meta name="crenel-problem" content="{html.escape(problem)}">\n</head>', 1
            )
        response = HTMLResponse(text, status_code=status, headers={"cache-control": "private, no-cache"})
        give_token(request, response)
        return response

    async def nothing(request: Request) -> Response:
        raise HTTPException(404)

    async def icon(request: Request) -> Response:
        file = folder / "icon.svg"
        if not await asyncio.to_thread(file.is_file):
            raise HTTPException(404, "there is no icon")
        return FileResponse(file, media_type="image/svg+xml", headers={"cache-control": "no-cache"})

    return [
        Mount("/static", _Files(directory=folder), name="static"),
        Route("/favicon.ico", icon),
        Route("/api/{path:path}", nothing),
        Route("/{path:path}", page),
    ]


def _problem(request: Request, find: Callable[[str | None, str], Game]) -> str | None:
    """Why the address shows no game, in one sentence."""
    query = request.url.query
    address = (
        request.scope["raw_path"].decode("ascii", "replace")
        if "raw_path" in request.scope
        else request.url.path
    )
    address = address.partition("?")[0] + (f"?{query}" if query else "")
    if len(address) > _LONGEST_ADDRESS:
        return "The address is too long to be that of a game."
    try:
        parse_address(address, lambda name: find(player_token(request), name))
    except ValueError as problem:
        return whole_sentence(str(problem))
    return None
