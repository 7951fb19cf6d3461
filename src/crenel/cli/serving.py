"""The commands ``play`` and ``serve``: the table in the browser, or in plain text; the server for many."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from crenel.cli.options import BoardFile, Interrupted, Mistake, Rules, chosen_game, chosen_start
from crenel.cli.saves import read_game
from crenel.play.session import Session
from crenel.rules.deals import parse_deal_id, random_deal_id
from crenel.rules.reading import quoted

if TYPE_CHECKING:
    from crenel.web.desks import Desks

_DEFAULT_GAME = "cruel"
_LOOPBACK = "127.0.0.1"
_NO_ENDING = "interrupted; the games are kept, 'crenel play' shows them again"

Port = Annotated[
    int | None,
    typer.Option(
        "--port",
        min=0,
        max=65535,
        metavar="N",
        help="The port of the server; 0 takes any free one.",
        show_default=False,
    ),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="Where games are kept: sqlite:///PATH or postgresql://USER:PASSWORD@HOST:PORT/NAME "
        "(a password is better kept in CRENEL_DATABASE); a file in the data folder when left out.",
        show_default=False,
    ),
]


def play_command(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="A game by name or a .toml file; cruel when left out.", show_default=False
        ),
    ] = None,
    deal: Annotated[
        str | None,
        typer.Argument(
            metavar="[DEAL]",
            help="A deal such as ms:1; your last one, or a random one, when left out.",
            show_default=False,
        ),
    ] = None,
    text: Annotated[
        bool, typer.Option("--text", help="Plays in plain text in this terminal.", show_default=False)
    ] = False,
    rules: Rules = None,
    board: BoardFile = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Goes on with the game last played; with --text, the one last played so.",
            show_default=False,
        ),
    ] = False,
    load: Annotated[
        str | None,
        typer.Option("--load", metavar="FILE", help="Goes on with a saved game.", show_default=False),
    ] = None,
    port: Port = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only prints the address of the table.", show_default=False)
    ] = False,
    database: DatabaseUrl = None,
) -> int:
    """Plays a game in the browser (or with --text in plain text). Unfinished games are kept."""
    if (resume or load is not None) and (game or deal or rules or board or (resume and load is not None)):
        raise Mistake(
            "--resume and --load take the game from a file: nothing else can be chosen beside one of them"
        )
    if text and (port is not None or database is not None):
        raise Mistake("--port and --database belong to the table in the browser; --text needs neither")
    if text and board == "-":
        raise Mistake("--board - leaves no standard input to type moves on; name a file")
    if text:
        from crenel.cli.text import play_text
        from crenel.settings import load_settings  # takes longer to load than all the rules

        if resume:
            session = None
        elif load is not None:
            session = read_game(Path(load))
        else:
            session = _begun(game, deal, rules, board)
        return play_text(session, load_settings().data)
    return _play_in_browser(
        _start(game, deal, rules, board, load, resume=resume), port, database, opens=not no_browser
    )


def _begun(game: str | None, deal: str | None, rules: list[str] | None, board: str | None) -> Session:
    chosen = chosen_game(game or _DEFAULT_GAME, rules)
    if board is None and deal is None:
        deal = str(random_deal_id())
    start, name = chosen_start(chosen, deal, board)
    return Session(start, deal=name, clock=time.monotonic)


def _start(
    game: str | None,
    deal: str | None,
    rules: list[str] | None,
    board: str | None,
    load: str | None,
    *,
    resume: bool,
) -> str | Session:
    """Where the browser begins: an address, or a game that no address can name."""
    if resume:
        return "/"
    if load is not None:
        return read_game(Path(load))
    from crenel.web.addresses import format_address, is_brought

    chosen = chosen_game(game or _DEFAULT_GAME, rules)
    if board is not None or not is_brought(chosen):
        return _begun(game, deal, rules, board)
    return format_address(chosen, None if deal is None else parse_deal_id(deal))


def _play_in_browser(start: str | Session, port: int | None, database: str | None, *, opens: bool) -> int:
    from crenel.web.safety import LOOPBACK_NAMES

    def ready(place: str, desks: Desks) -> None:
        address = place + (start if isinstance(start, str) else desks.hand_over(start))
        print(f"The table is at {address}")
        print("It is served until you press Ctrl-C; every move is kept.", flush=True)
        if opens and sys.stdin.isatty():
            threading.Thread(target=_open_browser, args=(address,), daemon=True).start()

    _serve(_LOOPBACK, port, database, hosts=LOOPBACK_NAMES, ready=ready)
    return 0


def serve_command(
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="H",
            help="The address to listen on; 0.0.0.0 is every interface of this machine.",
        ),
    ] = _LOOPBACK,
    port: Port = None,
    database: DatabaseUrl = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            min=1,
            max=256,
            metavar="N",
            help="Processes that search for verdicts and hints; one less than processors when left out.",
            show_default=False,
        ),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            "--origin",
            metavar="URL",
            help="The address under which a proxy shows the site, such as https://cards.example.org; may be repeated.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Serves the table to many players. Behind a proxy, name the public address with --origin."""
    from crenel.web.safety import LOOPBACK_NAMES, host_name, is_loopback

    origins = [_checked_origin(text) for text in origin or ()]
    hosts = (
        {*LOOPBACK_NAMES, *(host_name(urlsplit(text).netloc) for text in origins)}
        if is_loopback(host)
        else None
    )
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.WARNING)

    def ready(place: str, desks: Desks) -> None:
        print(f"The table is at {place}/", flush=True)

    _serve(host, port, database, hosts=hosts, origins=origins, workers=workers, ready=ready)
    return 0


def _checked_origin(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise Mistake(
            f"--origin {quoted(text)} is not the address of a site, such as https://cards.example.org"
        )
    return f"{parts.scheme}://{parts.netloc}".lower()


def _serve(
    host: str,
    port: int | None,
    database: str | None,
    *,
    hosts: Iterable[str] | None,
    ready: Callable[[str, Desks], None],
    origins: Iterable[str] = (),
    workers: int | None = None,
) -> None:
    """Serves until it is interrupted.

    Args:
        host: The address to listen on.
        port: The port; ``None`` takes that of the settings, or the next free one.
        database: The URL of the database; ``None`` takes that of the settings.
        hosts: The names that are answered; ``None`` answers all.
        ready: Called with the address of the site when it answers.
        origins: Further origins whose pages may connect.
        workers: How many processes search.
    """
    from crenel.settings import load_settings  # none of this is light

    settings = load_settings()
    settings.export()
    from crenel.store.database import Database
    from crenel.web.analysis import Analysis
    from crenel.web.app import create_site
    from crenel.web.server import address_of, listen, run

    with contextlib.closing(
        listen(host, settings.port if port is None else port, or_next=port is None)
    ) as opened:
        site = create_site(
            Database.open(database or settings.database, settings.data),
            Analysis(workers=workers),
            hosts=hosts,
            origins=origins,
        )
        try:
            run(site, opened, lambda: ready(address_of(opened, host), site.desks))
        except KeyboardInterrupt:
            raise Interrupted(130, _NO_ENDING) from None


def _open_browser(address: str) -> None:
    """Opens the page, where there is a browser with windows of its own; the address was printed in any case."""
    import webbrowser

    with contextlib.suppress(webbrowser.Error, OSError):
        browser = webbrowser.get()
        # A browser inside the terminal would take it away from the player, unless that is what was asked for.
        in_terminal = type(browser) is webbrowser.GenericBrowser
        if not in_terminal or os.environ.get("BROWSER"):
            browser.open(address)
