"""The tables of the database, as the program reads and writes them; ``migrations`` makes them, a test compares.

Moments are seconds since 1970 (UTC) and durations are seconds, both as floating point numbers, so that SQLite and
PostgreSQL keep the same value. Numbers of rows never leave the server; a game is known outside by its ``key``.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

VERSION_TABLE = "crenel_version"
"""Holds the name of the last migration. The name is our own, so that another program's tables may stand beside."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_Number = BigInteger().with_variant(Integer(), "sqlite")  # SQLite counts up by itself for INTEGER only

players = Table(
    "players",
    metadata,
    Column("id", _Number, primary_key=True),
    Column("token_digest", String(64), nullable=False, unique=True),
    Column("begun", Double(), nullable=False),
)
"""Who plays: the SHA-256 of the token in the cookie, and when it was first seen."""

games = Table(
    "games",
    metadata,
    Column("id", _Number, primary_key=True),
    Column("key", String(32), nullable=False, unique=True),
    Column("player", _Number, ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    # What is played
    Column("game", Text(), nullable=False),
    Column("base", Text(), nullable=False),
    Column("title", Text(), nullable=False),
    Column("rules", Text(), nullable=False),
    Column("deal", Text(), nullable=True),
    Column("start_key", Text(), nullable=False),
    Column("cards", Integer(), nullable=False),
    Column("start", Text(), nullable=False),
    # Where it stands
    Column("revision", Integer(), nullable=False),
    Column("moves", Text(), nullable=False),
    Column("undone", Text(), nullable=False),
    Column("made", Integer(), nullable=False),
    Column("cost", Integer(), nullable=False),
    Column("cards_up", Integer(), nullable=False),
    Column("standing", String(16), nullable=False),
    Column("seconds", Double(), nullable=False),
    Column("begun", Double(), nullable=False),
    Column("changed", Double(), nullable=False),
    # What has once been true of it, whatever is undone later
    Column("given_up", Boolean(), nullable=False),
    Column("light_used", Boolean(), nullable=False),
    Column("hint_used", Boolean(), nullable=False),
    Column("first_moved", Double(), nullable=True),
    Column("most_up", Integer(), nullable=False),
    Column("won_at", Double(), nullable=True),
    Column("won_cost", Integer(), nullable=True),
    Column("alone_cost", Integer(), nullable=True),
    Index(None, "player", "changed"),
    Index(None, "player", "game", "changed"),
)
"""One game that a player began; the columns are described at :class:`crenel.store.stored.StoredGame`."""
