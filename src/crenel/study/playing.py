"""Games of simulated players on many deals: some games of each deal, and what they say together."""

from __future__ import annotations

import time
from dataclasses import dataclass

from crenel.rules.position import Position
from crenel.study.players import dice, find_player, play


@dataclass(frozen=True, slots=True)
class Playing:
    """How deals are played.

    Attributes:
        player: The name of the player.
        games: How many games are played of each deal; they differ where a player has more than one equal choice.
        seed: The seed of the first game; the next games have the next numbers.
    """

    player: str
    games: int
    seed: int

    def __str__(self) -> str:
        return f"{self.player}, {self.games} of each deal, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class Games:
    """Some games of one deal.

    Attributes:
        wins: How many were won.
        cost, tableau_moves, foundation_moves, redeals: Of the cheapest win, ``None`` without a win.
        moves: Moves made in all games.
        seconds: Processor seconds.
    """

    wins: int
    cost: int | None
    tableau_moves: int | None
    foundation_moves: int | None
    redeals: int | None
    moves: int
    seconds: float


def play_games(position: Position, deal: str, playing: Playing) -> Games:
    """Plays a deal again and again.

    Args:
        position: The start.
        deal: Its name, which the random numbers depend on.
        playing: Who plays, and how often.
    """
    began = time.process_time()
    player = find_player(playing.player, position.game)
    won, moves = [], 0
    for seed in range(playing.seed, playing.seed + playing.games):
        game = play(player, position, dice(seed, playing.player, position.game, deal))
        moves += len(game.moves)
        if game.is_won:
            tableau = sum(move.is_tableau for move in game.moves)
            redeals = sum(move.is_redeal for move in game.moves)
            up = sum(move.is_foundation for move in game.moves)
            won.append((tableau + redeals, tableau, up, redeals))
    seconds = time.process_time() - began
    if not won:
        return Games(0, None, None, None, None, moves, seconds)
    return Games(len(won), *min(won), moves, seconds)
