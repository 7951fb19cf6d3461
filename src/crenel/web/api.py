"""The HTTP part beside the page: games, rules, deals, statistics, played games; all of it only reads.

Described by OpenAPI at ``/openapi.json``. Everything here is a plain function, which runs in a thread of its own, so
that reading the store never delays a move.
"""

# Annotations are evaluated here: those of the routes name what stands inside a function.

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from crenel import __version__
from crenel.play.sheet import rules_sheet
from crenel.rules.catalogue import GAMES
from crenel.rules.deals import deal as deal_position
from crenel.rules.deals import parse_deal_id
from crenel.rules.game import RULES, Game, rule_text
from crenel.rules.notation import format_board
from crenel.store.games import Games
from crenel.store.statistics import GameStatistics, Tally
from crenel.store.stored import PlayedGame
from crenel.web.addresses import format_address, with_rules
from crenel.web.analysis import Analysis
from crenel.web.desks import Desks
from crenel.web.safety import player_token
from crenel.web.views import whole_sentence

_TITLE_LETTERS = 80
DEFINITIONS = (
    "A deal counts as played from its first move on, once, however often it is begun.",
    "It is won when one of its games was won, at whatever time.",
    "Otherwise it is lost when it was given up, or left: when another deal of the same game got a first move later.",
    "Otherwise it is open. The rate is the won deals among those that are won or lost.",
    "A streak runs over the won and lost deals in the order of their first moves.",
    "A deal is won alone when one of its games was won before the light or a hint was used in it.",
    "A deal with help that was not won alone is counted as helped.",
    "The bars show how many cards were on the foundations at most, in any game of a deal.",
)
"""What the numbers of the statistics mean."""


class GameEntry(BaseModel):
    """One game of the catalogue."""

    id: str
    title: str
    family: str
    summary: str
    aliases: list[str]
    notes: list[str]
    has_redeal: bool
    ranks: int
    cards: int


class SheetSection(BaseModel):
    """One part of a rules sheet."""

    key: str
    heading: str
    sentences: list[str]


class RuleEntry(BaseModel):
    """One rule that can be changed, with its value and what it may be."""

    key: str
    value: str
    expected: str


class RulesSheet(BaseModel):
    """The rules of a game in words, and its rules as data."""

    title: str
    summary: str
    sections: list[SheetSection]
    rules: list[RuleEntry]


class DealEntry(BaseModel):
    """A deal as text, and the address that opens it."""

    game: str
    deal: str
    board: str
    address: str


class Bar(BaseModel):
    """How many deals had from so many to so many cards on the foundations."""

    from_: Annotated[int, Field(alias="from", serialization_alias="from")]
    to: int
    count: int


class TallyEntry(BaseModel):
    """What is counted over some deals; ``rate_text`` names the numbers of the rate."""

    played: int
    won: int
    lost: int
    open: int
    rate: float | None
    rate_text: str
    streak: int
    longest_streak: int
    fewest_cost: int | None
    fewest_cost_deal: str | None
    cards_up: list[Bar]


class GameTally(TallyEntry):
    """The statistics of one game with its rules."""

    game: str
    base: str
    title: str
    cards: int
    helped: TallyEntry
    alone: TallyEntry


class StatisticsEntry(BaseModel):
    """The statistics of the player, and what their numbers mean."""

    games: list[GameTally]
    definitions: list[str]


class PlayedEntry(BaseModel):
    """One played game; moments are seconds since 1970."""

    key: str
    address: str
    game: str
    title: str
    deal: str | None
    begun: float
    changed: float
    moves: int
    cost: int
    up: int
    cards: int
    seconds: float
    standing: str
    won: bool
    given_up: bool
    helped: list[str]


class PlayedPage(BaseModel):
    """Some played games, the one last changed first; ``before`` asks for those after them, ``null`` at the end."""

    games: list[PlayedEntry]
    before: str | None


class Health(BaseModel):
    """That the server answers, and how its solver is."""

    ok: bool
    version: str
    solver: str


def api_router(games: Games, desks: Desks, analysis: Analysis) -> APIRouter:
    """The routes under ``/api``.

    Args:
        games: The stored games.
        desks: The open games.
        analysis: Runs the searches.
    """
    router = APIRouter(prefix="/api")

    def player(request: Request) -> int:
        token = player_token(request)
        found = None if token is None else games.find_player(token)
        if found is None:
            raise HTTPException(404, "You have no games here yet.")
        return found

    def chosen_game(game: str, request: Request) -> Game:
        try:
            return with_rules(
                desks.find_game_for(player_token(request), game), request.query_params.multi_items()
            )
        except ValueError as problem:
            raise HTTPException(404, whole_sentence(str(problem))) from None

    Player = Annotated[int, Depends(player)]  # noqa: N806
    Chosen = Annotated[Game, Depends(chosen_game)]  # noqa: N806

    @router.get("/games")
    def all_games() -> list[GameEntry]:
        """The games."""
        return [_game_entry(game) for game in GAMES.values()]

    @router.get("/games/{game}/rules")
    def rules(game: str, chosen: Chosen) -> RulesSheet:
        """The rules sheet; changed rules stand in the query: ``?redeal.limit=3``."""
        sheet, values = rules_sheet(chosen), chosen.rules()
        return RulesSheet(
            title=sheet.title,
            summary=sheet.summary,
            sections=[
                SheetSection(key=part.key, heading=part.heading, sentences=list(part.sentences))
                for part in sheet.sections
            ],
            rules=[
                RuleEntry(key=key, value=rule_text(values[key]), expected=rule.expected)
                for key, rule in RULES.items()
            ],
        )

    @router.get("/games/{game}/deals/{deal}")
    def one_deal(game: str, deal: str, chosen: Chosen) -> DealEntry:
        """A deal; changed rules stand in the query."""
        try:
            name = parse_deal_id(deal)
            position = deal_position(chosen, name)
        except ValueError as problem:
            raise HTTPException(404, whole_sentence(str(problem))) from None
        return DealEntry(
            game=chosen.id, deal=str(name), board=format_board(position), address=format_address(chosen, name)
        )

    @router.get("/statistics")
    def statistics(request: Request) -> StatisticsEntry:
        """The statistics of the player, by game."""
        token = player_token(request)
        found = None if token is None else games.find_player(token)
        tallies = [] if found is None else games.statistics(found)
        return StatisticsEntry(games=[_game_tally(entry) for entry in tallies], definitions=list(DEFINITIONS))

    @router.get("/played")
    def played(
        request: Request,
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
        before: Annotated[str | None, Query(max_length=60)] = None,
    ) -> PlayedPage:
        """The games of the player that have a move, the one last changed first."""
        token = player_token(request)
        found = None if token is None else games.find_player(token)
        if found is None:
            return PlayedPage(games=[], before=None)
        try:
            page = games.played(found, limit=limit, before=before)
        except ValueError as problem:
            raise HTTPException(422, whole_sentence(str(problem))) from None
        return PlayedPage(games=[_played_entry(game) for game in page.games], before=page.before)

    @router.get("/played/{key}/record", response_class=Response)
    def record(key: str, owner: Player) -> Response:
        """A game of the player as a record, to be kept or pasted."""
        stored = games.load(owner, key)
        if stored is None:
            raise HTTPException(404, "You have no game with this key.")
        name = f"{stored.base}-{(stored.deal or 'board').replace(':', '-')}.json"
        return Response(
            stored.record(),
            media_type="application/json",
            headers={"content-disposition": f'attachment; filename="{name[:_TITLE_LETTERS]}"'},
        )

    @router.get("/health")
    def health() -> Health:
        """That the server answers."""
        return Health(ok=True, version=__version__, solver=analysis.text)

    return router


def _game_entry(game: Game) -> GameEntry:
    return GameEntry(
        id=game.id,
        title=game.title,
        family=game.family,
        summary=game.summary,
        aliases=list(game.aliases),
        notes=list(game.notes),
        has_redeal=game.has_redeal,
        ranks=game.ranks,
        cards=game.cards,
    )


def _tally(tally: Tally) -> TallyEntry:
    settled = tally.won + tally.lost
    rate_text = "No deal is won or lost yet."
    if tally.rate is not None:
        rate_text = f"{tally.won} of {settled} deals that are won or lost: {tally.rate:.0%}"
    return TallyEntry(
        played=tally.played,
        won=tally.won,
        lost=tally.lost,
        open=tally.open,
        rate=tally.rate,
        rate_text=rate_text,
        streak=tally.streak,
        longest_streak=tally.longest_streak,
        fewest_cost=tally.fewest_cost,
        fewest_cost_deal=tally.fewest_cost_deal,
        cards_up=[
            Bar.model_validate({"from": bar.low, "to": bar.high, "count": bar.count})
            for bar in tally.cards_up
        ],
    )


def _game_tally(entry: GameStatistics) -> GameTally:
    return GameTally(
        **dict(_tally(entry.all)),
        game=entry.game,
        base=entry.base,
        title=entry.title,
        cards=entry.cards,
        helped=_tally(entry.helped),
        alone=_tally(entry.alone),
    )


def _played_entry(game: PlayedGame) -> PlayedEntry:
    return PlayedEntry(
        key=game.key,
        address=f"/{game.base}/board/{game.key}",
        game=game.game,
        title=game.title,
        deal=game.deal,
        begun=game.begun,
        changed=game.changed,
        moves=game.made,
        cost=game.cost,
        up=game.cards_up,
        cards=game.cards,
        seconds=game.seconds,
        standing=game.standing,
        won=game.was_won,
        given_up=game.given_up,
        helped=[name for name, used in (("light", game.light_used), ("hint", game.hint_used)) if used],
    )
