"""The game in plain text as a conversation: one line in, sentences out, every change told in words.

A line holds one command, several separated by ``;``, or moves (``7 10``, ``7-10 11-h R``). Reading lines and ending the
program is left to ``text``; a :class:`Table` only hears lines and says lines.
"""

from __future__ import annotations

import difflib
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from crenel.cli import asking
from crenel.cli.options import Mistake
from crenel.cli.saves import Keeper, kept_games, read_game, save_game
from crenel.play.session import Session
from crenel.play.sheet import format_sheet, rules_sheet
from crenel.play.words import (
    announce,
    announce_undone,
    counted,
    counts_words,
    hand_line,
    layout_lines,
    state_words,
)
from crenel.rules.catalogue import find_game
from crenel.rules.deals import UnknownDeal, parse_deal_id, random_deal_id
from crenel.rules.moves import FOUNDATION, HAND, IllegalMove, Move, move_name
from crenel.rules.notation import format_board, parse_moves
from crenel.rules.reading import one_line, quoted

Say = Callable[[str], None]

HELP = """\
Moves
  7 10            the top card of pile 7 goes to pile 10
  7 h             the top card of pile 7 goes to its foundation
  7 10 x3         a run of three cards, where the game moves runs
  3               puts the next card in hand on pile 3, where the game is dealt by hand
  r               redeals
  7-10 11-h R     a line of moves, as 'moves so far' prints it
  u, undo [N]     takes back the last move, or N moves; redo [N] makes them again
  restart         takes back all moves
  auto            plays to the foundations what can never lose the game
The table
  show            the layout, a line per pile; draw draws it, 'draw on' after each change
  pile 3          reads one pile
  foundations     reads the foundations; hand the cards still to be placed
  moves           the legal moves; 'moves so far' those that were made
  preview         the layout after a redeal, and the moves that it opens
  rules           the rules of this game
Advice
  hint [SECONDS]  the next move of a proved win, or the truth that nothing wins
  light [SECONDS] whether the game can still be won
  lost            which move lost the game
  blockers [SUIT] what stands in the way of the foundations
Games
  new [GAME] [DEAL]   another game; without a deal, a random one
  save FILE, load FILE   keeps and brings back a game; load alone brings back the last one that was left
  copy            the layout as board text
  quit            ends; an unfinished game is kept
Several commands may stand in one line with ; between them."""
_AFTER_MOVE = re.compile(r"x([0-9]{1,3})", re.IGNORECASE)
_UP_WORDS = ("h", "home", "up", "foundation", "f")


class Table:
    """One player's conversation with a game.

    Args:
        session: The game.
        keeper: Keeps it on disk after each change.
        say: Takes each line that is said.
        draw: Draws the table; ``None`` where nothing can be drawn.
    """

    def __init__(
        self, session: Session, keeper: Keeper, say: Say, draw: Callable[[Session], None] | None = None
    ) -> None:
        self.session = session
        self.keeper = keeper
        self.ended = False
        self._say = say
        self._draw = draw
        self._draws_always = False
        self._oracle = asking.Oracle(session.game)
        self._told: str | None = None

    # Hearing

    def greet(self) -> None:
        """Says which game it is and how it stands."""
        session = self.session
        deal = f", deal {session.deal}" if session.deal else ", from a board"
        self._say(f"{session.game.title}{deal}. Type ? for the commands.")
        if session.moves:
            self._say(f"The game goes on after {counted(len(session.moves), 'move')}.")
        self._show()
        self._tell_state()

    def hear(self, line: str) -> None:
        """Carries out one line. What goes wrong is said in a sentence; the rest of the line is then left out."""
        parts = [part for part in map(str.strip, line.split(";")) if part and not part.startswith("#")]
        session, before = self.session, (self.session.moves, self.session.undone)
        try:
            for number, part in enumerate(parts, 1):
                try:
                    self._carry_out(part)
                except (ValueError, OSError) as error:
                    if isinstance(error, BrokenPipeError) or not _is_ours(error):
                        raise
                    self._say(_sentence(str(error)))
                    if number < len(parts):
                        self._say("The rest of the line was not carried out.")
                    break
                if self.ended:
                    break
        finally:
            if self.session is not session or (self.session.moves, self.session.undone) != before:
                self._keep()
        if self.session is session and session.moves != before[0]:
            self._tell_state()
            if self._draws_always:
                self._draw_table("")

    def _carry_out(self, part: str) -> None:
        words = part.split()
        name, rest = words[0].lower(), part[len(words[0]) :].strip()
        if name[0].isdigit() or name in ("r", "redeal", "move") or name.startswith("d-"):
            self._play_line(self._read_moves(words))
        elif name in _COMMANDS:
            _COMMANDS[name](self, rest)
        else:
            near = difflib.get_close_matches(name, _COMMANDS, n=1, cutoff=0.6)
            hint = f"did you mean '{near[0]}'?" if near else "type ? for the commands."
            raise Mistake(f"{quoted(words[0])} is not a command; {hint}")

    def _keep(self) -> None:
        had = self.keeper.problem
        self.keeper.keep(self.session)
        if self.keeper.problem is not None and self.keeper.problem != had:
            self._say(_sentence(self.keeper.problem))

    def _tell_state(self) -> None:
        """Says when the game is won, lost, stuck or turns in a circle."""
        position = self.session.position
        told = state_words(position)
        if told is None:
            return
        if position.is_stuck and not position.moves:
            told = f"This is how the game begins: {told[0].lower()}{told[1:]}"
        self._say(told)
        if position.is_won:
            self._say(counts_words(position))

    # Moving

    def _read_moves(self, words: Sequence[str]) -> list[Move]:
        session = self.session
        if words[0].lower() == "redeal":
            words = ["R", *words[1:]]
        if session.position.hand and all(word.isascii() and word.isdigit() for word in words):
            return [Move(HAND, _pile(word)) for word in words]
        if len(words) in (2, 3) and _is_number(words[0]):
            target = words[1].lower()
            run = _AFTER_MOVE.fullmatch(words[2]) if len(words) == 3 else None
            count = int(run[1]) if run else 1
            if (_is_number(target) or target in _UP_WORDS) and (run or len(words) == 2) and count:
                return [Move(_pile(words[0]), FOUNDATION if target in _UP_WORDS else _pile(target), count)]
        if (
            len(words) == 1
            and _is_number(words[0])
            and (len(session.game.piles.sizes) > 9 or len(words[0]) == 1)
        ):
            name, number = session.game.pile_word, words[0]
            raise Mistake(
                f"Say where the card of {name} {number} goes: '{number} 1' to {name} 1, '{number} h' to its foundation."
            )
        return parse_moves(" ".join(words), session.game)

    def _play_line(self, moves: Sequence[Move]) -> None:
        for number, move in enumerate(moves, 1):
            before = self.session.position
            try:
                self.session.play(move)
            except IllegalMove as problem:
                if len(moves) == 1:
                    raise
                raise Mistake(f"Move {number} ({move_name(move)}) was not made: {problem}") from None
            self._say(announce(before, move, self.session.position))
        if len(moves) > 1:
            self._say(f"{counted(len(moves), 'move')} made.")

    def _undo(self, rest: str) -> None:
        for number in range(_times(rest)):
            before = self.session.position
            move = self.session.undo()
            if move is None:
                self._say(
                    "There is no further move to take back." if number else "There is no move to take back."
                )
                return
            self._say(announce_undone(before, move, self.session.position))

    def _redo(self, rest: str) -> None:
        for number in range(_times(rest)):
            before = self.session.position
            move = self.session.redo()
            if move is None:
                self._say(
                    "There is no further move to make again." if number else "There is no move to make again."
                )
                return
            self._say(announce(before, move, self.session.position))

    def _restart(self, rest: str) -> None:
        count = self.session.restart()
        self._say(f"Back at the start; {counted(count, 'move')} taken back, redo makes them again.")
        self._show()

    def _auto(self, rest: str) -> None:
        before = self.session.position
        moves = self.session.autoplay()
        for move in moves:
            after = before.copy()
            after.push(move)
            self._say(announce(before, move, after))
            before = after
        if not moves:
            game = self.session.game
            any_time = game.has_redeal and game.redeal.when == "any-time" and before.redeals_left != 0
            why = (
                ": while a redeal may come at any time, each card that goes up shifts it" if any_time else ""
            )
            self._say(f"No move is certain to be safe{why}.")

    # Looking

    def _show(self, rest: str = "") -> None:
        for line in layout_lines(self.session.position):
            self._say(line)

    def _draw_table(self, rest: str) -> None:
        if rest.lower() in ("on", "off"):
            self._draws_always = rest.lower() == "on"
        elif rest:
            raise Mistake(f"{quoted(rest)} is neither on nor off.")
        if rest.lower() == "off":
            self._say("The table is drawn only when asked for.")
        elif self._draw is None:
            self._show()
        else:
            self._draw(self.session)

    def _lines(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._say(line)

    def _moves(self, rest: str) -> None:
        if rest.lower() in ("so far", "made"):
            self._lines(asking.moves_so_far(self.session))
        elif rest:
            raise Mistake("Say 'moves' for the legal moves, 'moves so far' for those that were made.")
        else:
            self._lines(asking.legal_moves(self.session.position))

    def _rules(self, rest: str) -> None:
        self._say(format_sheet(rules_sheet(self.session.game)).rstrip("\n"))

    def _copy(self, rest: str) -> None:
        self._say(format_board(self.session.position).removesuffix("\n"))

    # Other games

    def _new(self, rest: str) -> None:
        words, game = rest.split(), self.session.game
        deal = None
        if words:
            try:
                deal = parse_deal_id(words[-1])
                words.pop()
            except UnknownDeal:
                if ":" in words[-1]:
                    raise
        if words:
            game = find_game(" ".join(words))
        self._change(Session.begin(game, deal or random_deal_id(), clock=time.monotonic))

    def _load(self, rest: str) -> None:
        if rest:
            self._change(read_game(Path(rest)))
            return
        for path in kept_games(self.keeper.folder):
            if path != self.keeper.path:
                self._change(read_game(path), path)
                return
        raise Mistake("There is no other unfinished game.")

    def _change(self, session: Session, path: Path | None = None) -> None:
        """Goes on to another game; the one that is left stays kept."""
        self.keeper.keep(self.session)
        if self.keeper.path is not None:
            self._say("The game that you leave is kept; 'load' brings it back.")
        keeper = Keeper(self.keeper.folder)
        keeper.path = path
        self.session, self.keeper = session, keeper
        self._oracle = asking.Oracle(session.game)
        self.greet()

    def _save(self, rest: str) -> None:
        if not rest:
            raise Mistake("Name the file: save FILE.")
        save_game(Path(rest), self.session)
        self._say(f"Saved in {rest}.")

    def _quit(self, rest: str) -> None:
        self.ended = True

    # The names of the methods, for the table below

    def _hint(self, rest: str) -> None:
        self._lines(self._oracle.hint(self.session, rest))

    def _light(self, rest: str) -> None:
        self._lines(self._oracle.light(self.session, rest))

    def _lost(self, rest: str) -> None:
        self._lines(self._oracle.turning_point(self.session, rest))

    def _blockers(self, rest: str) -> None:
        self._lines(self._oracle.blockers(self.session.position, rest))

    def _pile(self, rest: str) -> None:
        self._lines(asking.one_pile(self.session.position, rest))

    def _foundations(self, rest: str) -> None:
        self._lines(asking.foundations(self.session.position))

    def _hand(self, rest: str) -> None:
        self._say(hand_line(self.session.position))

    def _preview(self, rest: str) -> None:
        self._lines(asking.preview(self.session.position))

    def _help(self, rest: str) -> None:
        word = self.session.game.pile_word
        self._say(HELP if word == "pile" else HELP.replace("pile", word))


_COMMANDS: dict[str, Callable[[Table, str], None]] = {
    "?": Table._help,
    "help": Table._help,
    "u": Table._undo,
    "undo": Table._undo,
    "redo": Table._redo,
    "restart": Table._restart,
    "auto": Table._auto,
    "show": Table._show,
    "draw": Table._draw_table,
    "pile": Table._pile,
    "row": Table._pile,
    "foundations": Table._foundations,
    "hand": Table._hand,
    "moves": Table._moves,
    "preview": Table._preview,
    "rules": Table._rules,
    "hint": Table._hint,
    "light": Table._light,
    "lost": Table._lost,
    "blockers": Table._blockers,
    "new": Table._new,
    "save": Table._save,
    "load": Table._load,
    "copy": Table._copy,
    "quit": Table._quit,
    "q": Table._quit,
    "exit": Table._quit,
}
"""Every command by its name; they do not depend on each other's order."""


def _is_ours(error: Exception) -> bool:
    return type(error).__module__.partition(".")[0] == "crenel" or isinstance(error, OSError)


def _sentence(text: str) -> str:
    """A message as a sentence of its own."""
    text = one_line(text)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4


def _pile(text: str) -> int:
    """The pile that a number means, from 0."""
    if not _is_number(text) or int(text) == 0:
        raise Mistake(f"{quoted(text)} is not the number of a pile: they count from 1.")
    return int(text) - 1


def _times(text: str) -> int:
    if not text:
        return 1
    if not _is_number(text) or int(text) == 0:
        raise Mistake(f"{quoted(text)} is not a number of moves.")
    return int(text)
