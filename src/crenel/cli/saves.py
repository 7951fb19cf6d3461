"""Games kept on disk: the file of the game that is being played, and the files that a player names."""

from __future__ import annotations

import contextlib
import os
import re
import time
from pathlib import Path

from crenel.cli.options import Mistake
from crenel.play.session import Session
from crenel.rules.reading import MAX_TEXT, one_line, quoted

_FOLDER = "unfinished"


def unfinished_folder(data: Path) -> Path:
    """Where unfinished games lie in the folder of the user's data."""
    return data / _FOLDER


class Keeper:
    """Keeps one unfinished game in a file of its own, so that nothing is lost when the program ends.

    Args:
        folder: Where such files lie; made when it is needed.

    Attributes:
        path: The file, or ``None`` while there is nothing to keep.
        problem: Why the last attempt to keep the game failed, or ``None``.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path: Path | None = None
        self.problem: str | None = None

    def keep(self, session: Session) -> None:
        """Writes the game; one that has not begun, or that is won, needs no file and loses the one it had."""
        if session.position.is_won or not (session.moves or session.undone):
            self.forget()
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self.path is None:
                self.path = self.folder / _file_name(session)
            write_whole(self.path, session.to_text())
            self.problem = None
        except OSError as error:
            self.problem = f"cannot keep the game in {self.folder}: {error.strerror}"

    def forget(self) -> None:
        """Removes the file."""
        if self.path is not None:
            with contextlib.suppress(OSError):
                self.path.unlink()
            self.path = None


def _file_name(session: Session) -> str:
    """A name that no other game has, and that says which game it is."""
    what = re.sub(r"[^a-z0-9]+", "-", f"{session.game.id} {session.deal or 'board'}".lower())[:60]
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{time.monotonic_ns() % 10**9:09d}-{os.getpid()}-{what}.json"


def kept_games(folder: Path) -> list[Path]:
    """The files of unfinished games, the one last played first."""
    try:
        files = [(path.stat().st_mtime_ns, path) for path in folder.glob("*.json")]
    except OSError:
        return []
    return [path for _, path in sorted(files, reverse=True)]


def write_whole(path: Path, text: str) -> None:
    """Writes a file so that at any moment there is the old content or the new one.

    Raises:
        OSError: when it cannot be written.
    """
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, path)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


def read_game(path: Path) -> Session:
    """Reads a saved game.

    Raises:
        ValueError: when the file cannot be read, or holds no game; the message names the file.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_TEXT + 1)
    except OSError as error:
        raise Mistake(one_line(f"cannot read {path}: {error.strerror}")) from None
    except ValueError:  # a name with a zero byte
        raise Mistake(f"{quoted(str(path))} is not the name of a file") from None
    try:
        return Session.from_text(data, clock=time.monotonic)
    except ValueError as error:
        raise Mistake(one_line(f"{path}: {error}")) from None


def save_game(path: Path, session: Session) -> None:
    """Writes a game to a file that the player names; a file that holds something else is left alone.

    Raises:
        Mistake: when it cannot be written, or holds something else; the message names the file.
    """
    try:
        if path.exists() and b"crenel-record" not in path.read_bytes()[:200]:
            raise Mistake(f"{path} exists and is not a saved game, so it is left as it is")
        write_whole(path, session.to_text())
    except OSError as error:
        raise Mistake(one_line(f"cannot write {path}: {error.strerror}")) from None
    except ValueError as error:
        if isinstance(error, Mistake):
            raise
        raise Mistake(f"{quoted(str(path))} is not the name of a file") from None
