"""Games: begun, saved, found again, listed, counted and deleted; own ones only; one revision after the other."""

from __future__ import annotations

import time
from dataclasses import fields, replace

import pytest
from sqlalchemy import insert, select

from crenel.play.session import Session
from crenel.rules.boards import parse_board
from crenel.rules.catalogue import find_game
from crenel.rules.deals import deal
from crenel.rules.game import Game
from crenel.rules.moves import parse_move
from crenel.rules.notation import format_board, format_moves, parse_record
from crenel.rules.position import Position
from crenel.store.database import Database
from crenel.store.games import Games, NewGame, PlayedGame, Progress, StoredGame
from crenel.store.problems import Conflict
from crenel.store.schema import games as games_table
from crenel.store.schema import players
from crenel.store.statistics import PlayedRow
from tests.store.conftest import STEP

CRUEL = find_game("cruel")


def new(name: str = "ms:1", game: Game = CRUEL) -> NewGame:
    return NewGame.of(deal(game, name), deal=name)


def begun(games: Games, player: int, name: str = "ms:1", game: Game = CRUEL) -> StoredGame:
    return games.begin(player, new(name, game)).result(30)


def played(games: Games, player: int, name: str = "ms:1", progress: Progress = STEP) -> StoredGame:
    return games.save(begun(games, player, name), progress).result(30)


@pytest.fixture
def player(games: Games) -> int:
    return games.player_of("token").result(30)


@pytest.fixture
def stranger(games: Games) -> int:
    return games.player_of("another token").result(30)


# Players


def test_a_token_finds_its_player(games: Games, database: Database) -> None:
    assert games.find_player("token") is None
    player = games.player_of("token").result(30)
    assert games.player_of("token").result(30) == player == games.find_player("token")
    assert games.player_of("Token").result(30) != player
    assert games.find_player("\ud800\0") is None and games.player_of("\ud800\0").result(30) != player
    with database.reading() as connection:
        stored = connection.execute(select(players)).all()
    assert len(stored) == 3 and not any("oken" in str(row) for row in stored)
    assert all(len(row.token_digest) == 64 for row in stored)


# Beginning and loading


def test_a_new_game(games: Games, player: int) -> None:
    before = time.time()
    game = begun(games, player, "ms:24")
    assert games.load(player, game.key) == game
    assert (game.game, game.base, game.title, game.rules, game.deal, game.cards) == (
        *("cruel", "cruel", "Cruel", "", "ms:24", 52),
    )
    assert (game.revision, game.made, game.moves, game.first_moved, game.standing) == (
        0,
        0,
        "",
        None,
        "playing",
    )
    assert before <= game.begun == game.changed <= time.time()
    assert not game.given_up and not game.is_helped and not game.was_won
    assert parse_record(game.start).position() == deal(CRUEL, "ms:24")


def test_keys_are_unguessable_and_fit_for_an_address(games: Games, player: int) -> None:
    keys = {begun(games, player).key for _ in range(50)}
    assert len(keys) == 50 and all(
        len(key) == 22 and key.replace("-", "").replace("_", "").isalnum() for key in keys
    )


def test_a_variant_and_a_board_and_a_game_of_the_player(games: Games, player: int) -> None:
    variant = CRUEL.with_rules({"redeal.limit": 2, "piles.sizes": "6x5+6x3"})
    start = deal(variant, "ms:3")
    game = games.begin(player, NewGame.of(start, deal="ms:3")).result(30)
    assert (game.game, game.base) == (variant.id, "cruel")
    assert game.rules == "piles.sizes=6x5%2B6x3&redeal.limit=2"
    board = games.begin(player, NewGame.of(start, deal=None)).result(30)
    assert board.deal is None
    assert parse_record(board.start).start() == parse_board(format_board(start), variant)
    own = replace(CRUEL, id="mine", origin="mine", title="Mine")
    mine = begun(games, player, game=own)
    assert (mine.game, mine.base, mine.title) == ("mine", "mine", "Mine")
    assert parse_record(mine.start).game.rules() == own.rules()


def test_what_a_game_begins_with_is_checked() -> None:
    start = deal(CRUEL, "ms:1")
    with pytest.raises(ValueError, match="ms:2"):
        NewGame.of(start, deal="ms:2")
    start.push(start.legal_moves[0])
    assert NewGame.of(start, deal="1") == new() and len(start.moves) == 1


def test_only_own_games_are_loaded(games: Games, player: int, stranger: int) -> None:
    game = begun(games, player)
    assert games.load(stranger, game.key) is None
    assert games.load(player, game.key[:-1] + "!") is None
    assert games.load(player, "") is None and games.load(player, "\0" * 22) is None
    assert games.load(player, "A" * 22) is None


def test_a_player_who_is_not_there_begins_nothing(games: Games) -> None:
    with pytest.raises(Conflict, match="load the page again"):
        games.begin(12345, new()).result(30)


# Saving


def test_each_change_is_the_next_revision(games: Games, player: int) -> None:
    game = begun(games, player)
    first = games.save(game, replace(STEP, moves="1-2", undone="3-4")).result(30)
    assert (
        first.revision == 1
        and first.moves == "1-2"
        and first.undone == "3-4"
        and first.changed >= game.changed
    )
    second = games.save(first, replace(STEP, made=2, moves="1-2 3-4", seconds=2.5, standing="stuck")).result(
        30
    )
    assert games.load(player, game.key) == second
    assert (second.revision, second.made, second.seconds, second.standing, second.undone) == (
        2,
        2,
        2.5,
        "stuck",
        "",
    )
    for name in ("key", "player", "game", "deal", "start", "begun", "cards"):
        assert getattr(second, name) == getattr(game, name)


def test_who_is_behind_is_refused_and_nothing_is_lost(games: Games, player: int) -> None:
    game = begun(games, player)
    ahead = games.save(game, replace(STEP, moves="1-2")).result(30)
    for late in (games.save(game, replace(STEP, moves="3-4")), games.give_up(game)):
        with pytest.raises(Conflict, match="elsewhere"):
            late.result(30)
    assert games.load(player, game.key) == ahead
    again = games.load(player, game.key)
    assert again is not None
    assert games.save(again, replace(STEP, moves="1-2 3-4", made=2)).result(30).revision == 2


def test_another_player_cannot_save_even_with_the_key(games: Games, player: int, stranger: int) -> None:
    game = begun(games, player)
    for forged in (
        games.save(replace(game, player=stranger), STEP),
        games.give_up(replace(game, player=stranger)),
    ):
        with pytest.raises(Conflict):
            forged.result(30)
    assert games.load(player, game.key) == game


def test_changes_in_one_group_follow_each_other(games: Games, player: int) -> None:
    """Several changes of one game may wait at once; of two for the same revision the first one counts."""
    game = begun(games, player)
    futures = []
    for number in range(1, 20):
        future = games.save(game, replace(STEP, made=number, moves=f"{number}"))
        stale = games.save(game, replace(STEP, made=number, moves="stale"))
        futures.append((future, stale))
        game = game.after(replace(STEP, made=number, moves=f"{number}"), time.time())
    for future, stale in futures:
        assert future.exception(30) is None and isinstance(stale.exception(30), Conflict)
    found = games.load(player, game.key)
    assert found is not None and (found.revision, found.moves) == (19, "19")


def test_what_once_was_stays(games: Games, player: int) -> None:
    game = played(games, player, progress=replace(STEP, cards_up=20))
    first_moved = game.first_moved
    assert first_moved is not None
    won = games.save(game, replace(STEP, made=80, cost=60, cards_up=52, standing="won")).result(30)
    assert won.was_won and (won.won_cost, won.alone_cost, won.most_up) == (60, 60, 52)
    back = games.save(won, replace(STEP, made=0, cost=0, cards_up=4, hint_used=True)).result(30)
    assert (back.won_at, back.won_cost, back.alone_cost) == (won.won_at, 60, 60)
    assert (back.first_moved, back.most_up, back.cards_up, back.standing) == (first_moved, 52, 4, "playing")
    again = games.save(back, replace(STEP, made=70, cost=50, cards_up=52, standing="won")).result(30)
    assert again.hint_used and (again.won_at, again.won_cost, again.alone_cost) == (won.won_at, 50, 60)
    given_up = games.give_up(again).result(30)
    assert given_up.given_up and games.load(player, game.key) == given_up
    assert games.save(given_up, STEP).result(30).given_up


@pytest.mark.parametrize("helping", [replace(STEP, light_used=True), replace(STEP, hint_used=True)])
def test_a_win_with_help_is_not_alone(games: Games, player: int, helping: Progress) -> None:
    helped = played(games, player, progress=helping)
    won = games.save(helped, replace(STEP, cost=60, cards_up=52, standing="won")).result(30)
    assert won.is_helped and (won.won_cost, won.alone_cost) == (60, None)


def test_a_clock_that_is_set_back(games: Games, player: int) -> None:
    game = begun(games, player)
    assert game.after(STEP, game.changed - 100).changed == game.changed


def test_time_and_help_alone_do_not_make_a_game_the_last_played(games: Games, player: int) -> None:
    game = begun(games, player)
    game = game.after(STEP, game.changed + 10)
    later = game.after(replace(STEP, seconds=99.0, hint_used=True), game.changed + 100)
    assert (later.changed, later.seconds) == (game.changed, 99.0)


# The last unfinished game


def test_latest_unfinished(games: Games, player: int, stranger: int) -> None:
    assert games.latest_unfinished(player, "cruel") is None
    one, two = begun(games, player, "ms:1"), begun(games, player, "ms:2")
    begun(games, stranger, "ms:3")
    begun(games, player, "ms:4", find_game("fortress"))
    assert games.latest_unfinished(player, "cruel") == two
    one = games.save(one, STEP).result(30)
    assert games.latest_unfinished(player, "cruel") == one
    assert games.latest_unfinished(player, "cruel", "ms:2") == two
    assert games.latest_unfinished(player, "cruel", "ms:3") is None
    one = games.give_up(one).result(30)
    assert games.latest_unfinished(player, "cruel") == two
    assert games.latest_unfinished(player, "cruel", "ms:1") is None
    games.save(two, replace(STEP, standing="won")).result(30)
    assert games.latest_unfinished(player, "cruel") is None
    lost = games.save(begun(games, player, "ms:5"), replace(STEP, standing="lost")).result(30)
    assert games.latest_unfinished(player, "cruel") == lost  # it can be undone


# Lists


def test_the_list_of_played_games_in_parts(
    games: Games, player: int, stranger: int, database: Database
) -> None:
    begun(games, player)
    played(games, stranger)
    stored = [played(games, player, f"ms:{number}") for number in range(1, 8)]
    with database.writing() as connection, connection.begin():  # equal moments must not hide a game
        connection.execute(
            games_table.update().values(changed=1700000000.125).where(games_table.c.deal > "ms:4")
        )
    found: list[PlayedGame] = []
    before: str | None = None
    for _ in range(10):
        page = games.played(player, limit=2, before=before)
        assert 1 <= len(page.games) <= 2
        found += page.games
        if (before := page.before) is None:
            break
    assert [game.deal for game in found] == ["ms:4", "ms:3", "ms:2", "ms:1", "ms:7", "ms:6", "ms:5"]
    last = stored[3]
    assert found[0] == PlayedGame(**{field.name: getattr(last, field.name) for field in fields(PlayedGame)})
    assert [game.deal for game in games.played(player).games] == [game.deal for game in found]


@pytest.mark.parametrize(
    "before", ["", "x", "1-", "-1", "1-2-3", "nan-1", "1e5-1", "1" * 40 + "-1", "1-" + "9" * 19]
)
def test_a_wrong_place_in_the_list(games: Games, player: int, before: str) -> None:
    with pytest.raises(ValueError, match="before"):
        games.played(player, before=before)


def test_limits_of_the_list(games: Games, player: int) -> None:
    for number in range(3):
        played(games, player, f"ms:{number + 1}")
    assert len(games.played(player, limit=0).games) == 1 == len(games.played(player, limit=-5).games)
    assert len(games.played(player, limit=10**9).games) == 3
    assert games.played(player, before="1-1").games == []


# Records


def a_won_game() -> Position:
    """A short game of few cards, to the end."""
    game = find_game("beleaguered-castle").with_rules({"ranks": 4, "piles.sizes": "8x1+4x1"})
    position = deal(game, "ms:1")
    while up := [move for move in position.legal_moves if str(move).endswith("-h")]:
        position.push(up[0])
    return position


def test_a_record_replays_and_opens_as_the_same_game(games: Games, player: int) -> None:
    session = Session.begin(CRUEL, "ms:1")
    session.play(parse_move("7-10"))
    session.play(session.position.legal_moves[0])
    session.undo()
    progress = replace(
        STEP,
        moves=format_moves(session.moves),
        undone=format_moves(session.undone),
        seconds=12.3456,
        light_used=True,
    )
    game = games.save(begun(games, player), progress).result(30)
    again = Session.from_text(game.record())
    assert (again.moves, again.undone, again.deal, again.helped) == (
        session.moves,
        session.undone,
        "ms:1",
        True,
    )
    assert again.position == session.position and again.seconds == 12.346
    again.helped = True
    assert game.record() == again.to_text()


def test_the_record_of_a_won_board(games: Games, player: int) -> None:
    position = a_won_game()
    assert position.is_won
    game = games.begin(player, NewGame.of(position, deal=None)).result(30)
    game = games.save(game, replace(STEP, moves=format_moves(position.moves), standing="won")).result(30)
    record = parse_record(game.record())
    assert record.result == "won" and record.position() == position


def test_a_record_that_does_not_replay_says_so(games: Games, player: int) -> None:
    with pytest.raises(ValueError, match="1-1"):
        games.save(begun(games, player), replace(STEP, moves="1-1")).result(30).record()


# Statistics, deleting, sweeping


def test_statistics_from_the_database(games: Games, player: int, stranger: int) -> None:
    played(games, player, "ms:1")
    begun(games, player, "ms:9")
    games.give_up(begun(games, player, "ms:8")).result(30)  # no loss before the first move
    played(games, player, "ms:2", replace(STEP, cost=40, cards_up=52, standing="won"))
    played(games, stranger, "ms:3")
    board = NewGame.of(deal(CRUEL, "ms:5"), deal=None)
    for _ in range(2):
        games.save(games.begin(player, board).result(30), STEP).result(30)
    (found,) = games.statistics(player)
    assert (found.game, found.title, found.all.played, found.all.won, found.all.lost, found.all.open) == (
        *("cruel", "Cruel", 3, 1, 1, 1),
    )
    assert (found.all.fewest_cost, found.all.fewest_cost_deal, found.alone.won) == (40, "ms:2", 1)
    assert games.statistics(12345) == []


def test_the_statistics_read_columns_that_exist() -> None:
    assert {field.name for field in fields(PlayedRow)} <= {*games_table.c.keys()}
    assert {field.name for field in fields(StoredGame)} == {*games_table.c.keys()} - {"id", "start_key"}


def test_deleting_own_games(games: Games, player: int, stranger: int) -> None:
    own = [played(games, player, f"ms:{number}") for number in range(1, 4)]
    other = played(games, stranger)
    assert games.delete(player, [own[0].key, other.key, "unknown", "\0"]).result(30) == 1
    assert games.load(player, own[0].key) is None and games.load(stranger, other.key) == other
    with pytest.raises(Conflict):
        games.save(own[0], STEP).result(30)
    assert games.delete(player, []).result(30) == 0
    assert games.delete(player).result(30) == 2
    assert games.played(player).games == [] and games.statistics(player) == []
    assert games.load(stranger, other.key) == other and games.find_player("token") == player


def test_sweeping_takes_what_nobody_played(games: Games, player: int, stranger: int) -> None:
    kept, idle = played(games, player), begun(games, player)
    passing = begun(games, stranger)
    assert games.sweep(idle.changed - 1).result(30) == 0
    assert games.sweep(time.time() + 1).result(30) == 2
    assert games.load(player, kept.key) == kept
    assert games.load(player, idle.key) is None and games.load(stranger, passing.key) is None
    assert games.find_player("token") == player and games.find_player("another token") is None


def test_a_deleted_player_takes_the_games_along(games: Games, player: int, database: Database) -> None:
    begun(games, player)
    with database.writing() as connection, connection.begin():
        connection.execute(players.delete().where(players.c.id == player))
        assert connection.execute(select(games_table)).all() == []
        connection.execute(insert(players).values(token_digest="x", begun=0.0))
