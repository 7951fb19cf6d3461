"""A table that is spoken to without a terminal."""

from __future__ import annotations

from pathlib import Path

from crenel import Position, find_game
from crenel.cli.saves import Keeper
from crenel.cli.table import Table
from crenel.play.session import Session


class Heard:
    """A table without a terminal, and what it said."""

    def __init__(self, folder: Path, game: str = "cruel", start: str | Position = "ms:1") -> None:
        self.said: list[str] = []
        board = Session(start) if isinstance(start, Position) else None
        session = board or Session.begin(find_game(game), str(start))
        self.table = Table(session, Keeper(folder), self.said.append)

    def __call__(self, *lines: str) -> str:
        """What the table says to these lines."""
        self.said.clear()
        for line in lines:
            self.table.hear(line)
        return "\n".join(self.said)
