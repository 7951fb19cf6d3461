"""Players and their games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes both tables."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "players",
        sa.Column("id", number, nullable=False),
        sa.Column("token_digest", sa.String(64), nullable=False),
        sa.Column("begun", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("token_digest", name="uq_players_token_digest"),
    )
    op.create_table(
        "games",
        sa.Column("id", number, nullable=False),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("player", number, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("base", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("deal", sa.Text(), nullable=True),
        sa.Column("start_key", sa.Text(), nullable=False),
        sa.Column("cards", sa.Integer(), nullable=False),
        sa.Column("start", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("undone", sa.Text(), nullable=False),
        sa.Column("made", sa.Integer(), nullable=False),
        sa.Column("cost", sa.Integer(), nullable=False),
        sa.Column("cards_up", sa.Integer(), nullable=False),
        sa.Column("standing", sa.String(16), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("begun", sa.Double(), nullable=False),
        sa.Column("changed", sa.Double(), nullable=False),
        sa.Column("given_up", sa.Boolean(), nullable=False),
        sa.Column("light_used", sa.Boolean(), nullable=False),
        sa.Column("hint_used", sa.Boolean(), nullable=False),
        sa.Column("first_moved", sa.Double(), nullable=True),
        sa.Column("most_up", sa.Integer(), nullable=False),
        sa.Column("won_at", sa.Double(), nullable=True),
        sa.Column("won_cost", sa.Integer(), nullable=True),
        sa.Column("alone_cost", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_games_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.UniqueConstraint("key", name="uq_games_key"),
    )
    op.create_index("ix_games_player_changed", "games", ["player", "changed"])
    op.create_index("ix_games_player_game_changed", "games", ["player", "game", "changed"])
