"""The messages between the browser and the server, one JSON object each; ``type`` tells which.

The browser holds no rules. What the server sends is all that it knows: the position, the moves that are legal in it,
and every sentence. What it sends back is what the player did, and ``rules`` decides about it.

Cards are names such as ``TC`` (ten of clubs), moves are texts such as ``7-10``, ``7-h``, ``3-5x4``, ``d-3`` and ``R``,
suits are ``C``, ``D``, ``H`` and ``S``; piles count from 1.

Each message to the server carries ``seq``, a number of the browser's own; the answer to it carries the same one.
What the server says unasked (a verdict that was found, a move made in another tab) has ``seq`` null.

The messages to the server are described here, those to the browser in ``shown``; this module has the names of both.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from crenel.web.shown import (
    BlockersView,
    Change,
    Counts,
    FoundationView,
    FoundDeal,
    Frame,
    GameView,
    HintView,
    Kept,
    Layout,
    LightView,
    Link,
    MovesView,
    Noted,
    PileView,
    Preview,
    RedealView,
    Refused,
    Replay,
    Shown,
    Solver,
    Standing,
    ToBrowser,
    ToBrowserMessage,
    Turning,
    TurningView,
)

__all__ = [
    "AskBlockers",
    "AskHint",
    "AskMoves",
    "AskPreview",
    "AskReplay",
    "AskTurningPoint",
    "Assist",
    "BlockersView",
    "Change",
    "Clock",
    "Counts",
    "FindDeal",
    "FoundDeal",
    "FoundationView",
    "Frame",
    "FromBrowser",
    "GameView",
    "GiveUp",
    "GoTo",
    "HintView",
    "KeepLooking",
    "Kept",
    "Layout",
    "LightView",
    "Link",
    "MAX_MESSAGE",
    "MAX_STEPS",
    "MovesView",
    "Noted",
    "Open",
    "Paste",
    "PileView",
    "Play",
    "PlaySafe",
    "Preview",
    "RedealView",
    "Redo",
    "Refused",
    "Replay",
    "Shown",
    "Solver",
    "Standing",
    "StopLooking",
    "ToBrowser",
    "ToBrowserMessage",
    "Turning",
    "TurningView",
    "Undo",
    "from_browser",
]

MAX_MESSAGE = 64 << 10
"""The longest message that is read from a browser, in bytes; a pasted text with a long game fits well."""
MAX_STEPS = 2_000
"""The most moves that one undo, redo or replay may run over."""

_Seq = Annotated[int, Field(ge=0, le=2**53)]
_Word = Annotated[str, Field(max_length=200)]
_Address = Annotated[str, Field(max_length=2_000)]
_Suit = Literal["C", "D", "H", "S"]


class _FromBrowser(BaseModel):
    """What all messages to the server have."""

    model_config = ConfigDict(extra="forbid", strict=True)

    seq: _Seq = 0


class Open(_FromBrowser):
    """Shows the game of an address: the player's last game there, or a new one.

    The address of a deal shows the last game on it, a finished one too (``again`` begins anew); the address of a game
    alone goes on with the last unfinished game, or begins a random deal.

    Attributes:
        address: Path and query of the page: ``/cruel/ms:24?redeal.limit=3``, ``/cruel`` (the player's last game of
            Cruel, or a random deal) or ``/cruel/board/ID`` (a game of the player that began with a board).
        again: Whether the deal or board is begun anew although there is a game on it (the old one is kept); where
            the address names no deal, whether another one is dealt.
    """

    type: Literal["open"]
    address: _Address
    again: bool = False


class Paste(_FromBrowser):
    """Reads what the player pasted: a board or a record begins a game, a list of moves is shown as a replay.

    Attributes:
        text: The text.
        address: The game and rules that a board is read for: an address as in :class:`Open`.
    """

    type: Literal["paste"]
    text: Annotated[str, Field(max_length=MAX_MESSAGE)]
    address: _Address


class Play(_FromBrowser):
    """Makes a move.

    Attributes:
        move: The move.
        made: How many moves had been made on the table that the player saw; any other number is refused, so that no
            move is made twice or on another table than the player meant.
    """

    type: Literal["move"]
    move: _Word
    made: Annotated[int, Field(ge=0)]


class Undo(_FromBrowser):
    """Takes moves back."""

    type: Literal["undo"]
    count: Annotated[int, Field(ge=1, le=MAX_STEPS)] = 1


class Redo(_FromBrowser):
    """Makes moves again that were taken back."""

    type: Literal["redo"]
    count: Annotated[int, Field(ge=1, le=MAX_STEPS)] = 1


class GoTo(_FromBrowser):
    """Takes back, or makes again, until ``made`` moves are made (0: the start of the deal)."""

    type: Literal["go-to"]
    made: Annotated[int, Field(ge=0)]


class PlaySafe(_FromBrowser):
    """Plays the moves to the foundations that cannot lose the game."""

    type: Literal["play-safe"]


class GiveUp(_FromBrowser):
    """Ends the game as not won; the answer says the verdict as soon as it is known."""

    type: Literal["give-up"]


class Assist(_FromBrowser):
    """What the server does unasked, for all games of this connection.

    Attributes:
        light: Whether each position is judged.
        safe: Whether safe moves to the foundations are played after each move.
    """

    type: Literal["assist"]
    light: bool
    safe: bool


class Clock(_FromBrowser):
    """Whether the player looks at the table: the time of a hidden page is not counted."""

    type: Literal["clock"]
    running: bool


class AskHint(_FromBrowser):
    """Asks for the next move of a proved win."""

    type: Literal["hint"]


class KeepLooking(_FromBrowser):
    """Asks to search on for a verdict that is not yet known, with more time."""

    type: Literal["keep-looking"]


class StopLooking(_FromBrowser):
    """Ends the searches that run for this connection: for the verdict, a hint, a win or a deal."""

    type: Literal["stop-looking"]


class AskTurningPoint(_FromBrowser):
    """Asks which move lost the game."""

    type: Literal["turning-point"]


class AskBlockers(_FromBrowser):
    """Asks what stands in the way of a foundation."""

    type: Literal["blockers"]
    suit: _Suit


class AskPreview(_FromBrowser):
    """Asks for the layout after the next redeal.

    Attributes:
        after: A move that is only considered: the redeal is shown as it would be after it.
    """

    type: Literal["preview"]
    after: _Word | None = None


class AskMoves(_FromBrowser):
    """Asks for the legal moves in words."""

    type: Literal["moves"]


class AskReplay(_FromBrowser):
    """Asks for positions to step through.

    Attributes:
        what: The moves of this game so far, or the best win that the solver finds for it from its start.
    """

    type: Literal["replay"]
    what: Literal["game", "win"]


class FindDeal(_FromBrowser):
    """Asks for another deal of the game on the table.

    Attributes:
        which: The next or previous number, or a random one.
        winnable: Whether it must be a deal with a known win.
    """

    type: Literal["find-deal"]
    which: Literal["next", "previous", "random"]
    winnable: bool = False


FromBrowser = Annotated[
    Open
    | Paste
    | Play
    | Undo
    | Redo
    | GoTo
    | PlaySafe
    | GiveUp
    | Assist
    | Clock
    | AskHint
    | KeepLooking
    | StopLooking
    | AskTurningPoint
    | AskBlockers
    | AskPreview
    | AskMoves
    | AskReplay
    | FindDeal,
    Field(discriminator="type"),
]
from_browser: TypeAdapter[FromBrowser] = TypeAdapter(FromBrowser)
"""Reads a message to the server."""
