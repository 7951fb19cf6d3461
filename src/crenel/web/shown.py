"""The messages to the browser: the table, answers and verdicts. What they have in common stands in ``messages``."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

_Suit = Literal["C", "D", "H", "S"]
_Verdict = Literal["winnable", "unwinnable", "undecided"]


class ToBrowserMessage(BaseModel):
    """What all messages to the browser have."""

    seq: int | None = None


class PileView(BaseModel):
    """One pile.

    Attributes:
        cards: Bottom to top.
        label: What it is and holds, for those who listen: ``Pile 3: 4 cards, top 6 of hearts``.
    """

    cards: list[str]
    label: str


class FoundationView(BaseModel):
    """One foundation.

    Attributes:
        suit: Its suit.
        cards: How many cards lie on it.
        top: The card on top, or ``None`` when it is empty.
        wanted: The card it takes next; ``None`` when it is complete, or when any card of the suit fixes the base.
        label: All that in words.
    """

    suit: _Suit
    cards: int
    top: str | None
    wanted: str | None
    label: str


class Layout(BaseModel):
    """The cards of a position.

    Attributes:
        piles: In their order.
        foundations: Clubs, diamonds, hearts, spades.
        hand: The cards still to be placed, the next one first.
        redeals_used: How many redeals were made.
    """

    piles: list[PileView]
    foundations: list[FoundationView]
    hand: list[str]
    redeals_used: int


class GameView(BaseModel):
    """The game on the table.

    Attributes:
        id: Its id, a variant's with its rules: ``cruel[redeal.limit=2]``.
        base: The id of the game without changed rules; the rules sheet and the drawing go by it.
        title: Its title.
        family: ``castle`` or ``cruel``; the arrangement on the table goes by it.
        pile_word: ``pile`` or ``row``.
        cards: How many cards it has.
        has_redeal: Whether there is a redeal at all.
        by_hand: Whether the player places the cards of the deal.
        pile_sizes: How many cards the deal gives each pile; an upper limit while cards are placed by hand.
    """

    id: str
    base: str
    title: str
    family: Literal["castle", "cruel"]
    pile_word: str
    cards: int
    has_redeal: bool
    by_hand: bool
    pile_sizes: list[int]


class RedealView(BaseModel):
    """The redeal.

    Attributes:
        allowed: Whether it may be made now.
        why_not: Why it may not, in one sentence.
        used: How many were made.
        left: How many are left, or ``None`` when they are not limited.
        text: Both in words.
    """

    allowed: bool
    why_not: str | None
    used: int
    left: int | None
    text: str


class Counts(BaseModel):
    """What is counted.

    Attributes:
        up: Cards on the foundations.
        cost: Moves between piles, and redeals.
        tableau: Moves between piles.
        foundation: Moves to the foundations.
        redeals: Redeals.
        score: The score, where the game has one.
        seconds: Time at the table.
        text: All that in words.
    """

    up: int
    cost: int
    tableau: int
    foundation: int
    redeals: int
    score: int | None
    seconds: float
    text: str


class Standing(BaseModel):
    """How the game stands by the rules alone.

    Attributes:
        kind: ``stuck``: no card can move but a redeal can; ``lost``: nothing can; ``loop``: the game turns in a circle.
        text: One calm sentence, or ``None`` in the midst of play.
    """

    kind: Literal["playing", "won", "stuck", "lost", "loop"]
    text: str | None


class Change(BaseModel):
    """What brought the table to what it shows now.

    Attributes:
        kind: ``show`` for a table that was opened or came back; ``go-to`` also for several moves taken back.
        moves: The moves made or taken back, in the order in which that happened.
        text: One sentence to be read aloud.
    """

    kind: Literal["show", "begin", "move", "undo", "redo", "go-to", "safe", "give-up"]
    moves: list[str]
    text: str


class Shown(ToBrowserMessage):
    """The table: the answer to all that changes it, and to :class:`crenel.web.messages.Open`.

    Attributes:
        key: The id of the stored game.
        address: The address that opens it; ``deal`` addresses can be sent to others.
        game: The game.
        deal: The deal, or ``None`` when it began with a board.
        layout: The cards.
        legal: The legal moves.
        redeal: The redeal.
        counts: The counts.
        standing: How it stands by the rules.
        made: How many moves are made.
        undone: How many moves redo would make again.
        last: The last move, or ``None``.
        given_up: Whether the player gave up.
        helped: What helped the player in this game: ``light``, ``hint``, or both.
        change: What has just happened.
    """

    type: Literal["table"] = "table"
    key: str
    address: str
    game: GameView
    deal: str | None
    layout: Layout
    legal: list[str]
    redeal: RedealView
    counts: Counts
    standing: Standing
    made: int
    undone: int
    last: str | None
    given_up: bool
    helped: list[Literal["light", "hint"]]
    change: Change


class Noted(ToBrowserMessage):
    """The answer to what has no other: to ``assist`` and ``clock``, and to ``stop-looking`` without a search."""

    type: Literal["noted"] = "noted"


class Refused(ToBrowserMessage):
    """Something that was asked cannot be; nothing has changed.

    Attributes:
        text: Why, in one sentence.
    """

    type: Literal["refused"] = "refused"
    text: str


class Turning(BaseModel):
    """Where the game was lost.

    Attributes:
        last_winnable: How many moves were made when it could last be won, or ``None``.
        move: The move that lost it, when it is known.
        text: One sentence.
    """

    last_winnable: int | None
    move: str | None
    text: str


class LightView(ToBrowserMessage):
    """The verdict on the position with ``made`` moves made; one with another number than the table's is out of date.

    Attributes:
        made: Which position it is about.
        phase: ``looking`` while a search runs, ``known`` with a verdict, ``open`` when the time is used up without one,
            ``waiting`` while the solver prepares itself.
        verdict: The verdict; ``undecided`` unless the phase is ``known``.
        text: In words: ``can be won``, ``can no longer be won``, ``not yet known``.
        reason: Why it cannot be won, where there is evidence that fits in a sentence.
        turning: Where the game was lost, when it cannot be won any more and this is known.
        states: Positions looked at.
        seconds: Processor seconds used.
    """

    type: Literal["light"] = "light"
    made: int
    phase: Literal["waiting", "looking", "known", "open"]
    verdict: _Verdict
    text: str
    reason: str | None = None
    turning: Turning | None = None
    states: int = 0
    seconds: float = 0.0


class HintView(ToBrowserMessage):
    """The next move of a proved win, or the truth that there is none."""

    type: Literal["hint"] = "hint"
    made: int
    verdict: _Verdict
    move: str | None
    text: str


class TurningView(ToBrowserMessage):
    """The answer to :class:`crenel.web.messages.AskTurningPoint`."""

    type: Literal["turning-point"] = "turning-point"
    made: int
    turning: Turning


class Link(BaseModel):
    """One link of a chain: ``card`` has to come free, ``blocker`` on top of its pile has to move first."""

    card: str
    blocker: str
    pile: int


class BlockersView(ToBrowserMessage):
    """What stands in the way of a foundation."""

    type: Literal["blockers"] = "blockers"
    made: int
    suit: _Suit
    wanted: str | None
    chain: list[Link]
    is_blocked: bool
    is_circle: bool
    text: str


class Preview(ToBrowserMessage):
    """The layout after the next redeal.

    Attributes:
        made: Which position it belongs to.
        after: The move that is considered first, if any.
        layout: The layout then.
        allowed: Whether the redeal may be made then.
        why_not: Why not, in one sentence.
        fresh: The cards on top there that are covered now.
        opens: How many moves of cards it opens.
        text: All that in one or two sentences.
    """

    type: Literal["preview"] = "preview"
    made: int
    after: str | None
    layout: Layout
    allowed: bool
    why_not: str | None
    fresh: list[str]
    opens: int
    text: str


class MovesView(ToBrowserMessage):
    """The legal moves in words, a line each."""

    type: Literal["moves"] = "moves"
    made: int
    lines: list[str]


class Frame(BaseModel):
    """One position of a replay: the move that led to it and what it did in words."""

    move: str | None
    layout: Layout
    text: str


class Replay(ToBrowserMessage):
    """Positions to step through, the start first.

    Attributes:
        what: Whose moves they are: the player's ``game``, the solver's ``win``, or a ``pasted`` line.
        title: What it is, in words, with its cost.
        moves: The line as text, to be copied.
        cost: Its cost.
        shortest: Whether that cost is proved to be the lowest.
        frames: The positions.
    """

    type: Literal["replay"] = "replay"
    what: Literal["game", "win", "pasted"]
    title: str
    moves: str
    cost: int
    shortest: bool
    frames: list[Frame]


class FoundDeal(ToBrowserMessage):
    """The answer to :class:`crenel.web.messages.FindDeal`: the address of the deal, or why none was found."""

    type: Literal["found-deal"] = "found-deal"
    address: str | None
    text: str


class Solver(ToBrowserMessage):
    """What the solver is doing as a whole: ``ready`` is false while it compiles itself, once per machine."""

    type: Literal["solver"] = "solver"
    ready: bool
    text: str


class Kept(ToBrowserMessage):
    """Says that there is a place to keep games, or why a change could not be kept (it was not made then)."""

    type: Literal["kept"] = "kept"
    ok: bool
    text: str


ToBrowser = (
    Shown
    | Noted
    | Refused
    | LightView
    | HintView
    | TurningView
    | BlockersView
    | Preview
    | MovesView
    | Replay
    | FoundDeal
    | Solver
    | Kept
)
"""All messages to the browser."""
