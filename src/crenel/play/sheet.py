"""The rules sheet of a game, made from the very data that the program plays by, so that the two cannot differ.

Every field of the Game record is put into words. Front ends show the sections; :func:`format_sheet` is plain text.
"""

from __future__ import annotations

import itertools
import textwrap
from dataclasses import dataclass

from crenel.play.words import counted, listed
from crenel.rules.cards import RANK_WORDS, SUITS
from crenel.rules.game import PACKET, RULES, Game, rule_text


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a sheet.

    Attributes:
        key: A fixed name: ``deck``, ``aim``, ``deal``, ``build``, ``redeal``, ``score``, ``notes``, ``names`` or
            ``options``.
        heading: The heading that people read.
        sentences: Its sentences; in ``options`` one line per rule field.
    """

    key: str
    heading: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rules of one game in words.

    Attributes:
        title: The game's title.
        summary: One line about it.
        sections: The parts, in reading order; empty ones are left out.
    """

    title: str
    summary: str
    sections: tuple[Section, ...]


def rules_sheet(game: Game) -> Sheet:
    """The rules sheet of a game."""
    sections = (
        Section("deck", "Deck", (_deck(game),)),
        Section("aim", "Aim", tuple(_aim(game))),
        Section("deal", "Deal", tuple(_deal(game))),
        Section("build", "Play", tuple(_build(game))),
        Section("redeal", "Redeal", tuple(_redeal(game))),
        Section("score", "Counting", tuple(_score(game))),
        Section("notes", "Notes", game.notes),
        Section("names", "Names", (_names(game),)),
        Section("options", "Rules that can be changed (--rule key=value)", tuple(_options(game))),
    )
    return Sheet(game.title, game.summary, tuple(section for section in sections if section.sentences))


def format_sheet(sheet: Sheet, width: int = 100) -> str:
    """The sheet as plain text.

    Args:
        sheet: The sheet.
        width: The longest line, in characters.
    """
    lines = [sheet.title, "=" * len(sheet.title), *textwrap.wrap(sheet.summary, width)]
    for section in sheet.sections:
        lines += ["", section.heading]
        for sentence in section.sentences:
            lines += textwrap.wrap(
                sentence,
                width,
                initial_indent="  * ",
                subsequent_indent="    ",
                break_long_words=False,
                break_on_hyphens=False,
            )
    return "".join(line + "\n" for line in lines)


def _deck(game: Game) -> str:
    high = RANK_WORDS[game.ranks - 1]
    return f"{game.cards} cards: {game.ranks} ranks from the ace to the {high}, in four suits."


def _aim(game: Game) -> list[str]:
    high = RANK_WORDS[game.ranks - 1]
    way = {
        "A": f"up from the ace to the {high}",
        "K": f"down from the {high} to the ace",
        "first": "up from the rank of the first card that is played to any of them; "
        f"the {high} is followed by the ace",
    }[game.foundation.base]
    lines = [f"Bring all {game.cards} cards to the four foundations, each of one suit, built {way}."]
    if game.foundation.dealt:
        base = "aces" if game.foundation.base == "A" else f"{high}s"
        lines.append(f"The four {base} lie on the foundations before the deal.")
    else:
        lines.append("The foundations are empty at the start.")
    return [*lines, "No card ever leaves a foundation."]


def _deal(game: Game) -> list[str]:
    sizes, word = game.piles.sizes, game.pile_word
    dealt = game.cards - (SUITS if game.foundation.dealt else 0)
    equal = [(len(list(group)), size) for size, group in itertools.groupby(sizes)]
    shape = listed(f"{counted(count, word)} of {size}" for count, size in equal)
    how = {
        "round-robin": f"one card to each {word} in turn, again and again; a full {word} is skipped",
        "packets": f"{word} by {word}, each one filled before the next",
        "by-hand": f"one at a time in the order of the deal, and you choose the {word} of each; "
        f"a {word} takes no more than its size",
    }[game.deal.order]
    lines = [f"The {counted(dealt, 'card')} are dealt face up to {shape}: {how}."]
    if game.deal.plays == "fitting":
        lines.append(
            "A card that fits its foundation while it is being dealt goes there "
            f"and uses up the turn of its {word}, which is then shorter."
        )
    else:
        lines.append("No card goes to a foundation during the deal.")
    return lines


def _build(game: Game) -> list[str]:
    word, build = game.pile_word, game.build
    steps = {
        "down": "the next lower rank goes on the next higher one",
        "up": "the next higher rank goes on the next lower one",
        "either": "a card goes on a neighbour in rank, higher or lower",
    }[build.direction]
    direction = {"down": "down", "up": "up", "either": "up or down"}[build.direction]
    suits = {"same": "in suit", "any": "in any suit", "alternate-colour": "in alternating colours"}
    low_high = f"the ace and the {RANK_WORDS[game.ranks - 1]}"
    lines = [
        f"The top card of a {word}, and no other, may move to its foundation.",
        f"{word.capitalize()}s are built {direction} {suits[build.suits]}: {steps}.",
        f"There, {low_high} are {'neighbours' if build.wrap else 'not neighbours'}.",
    ]
    if game.run == "run":
        lines.append(f"The top cards of a {word} that are built by this rule may move together.")
    else:
        lines.append("Cards move one at a time.")
    until = " until a redeal" if game.has_redeal else ""
    lines.append(
        f"An empty {word} takes any card." if game.empty == "any" else f"An empty {word} stays empty{until}."
    )
    return lines


def _redeal(game: Game) -> list[str]:
    redeal, word, count = game.redeal, game.pile_word, len(game.piles.sizes)
    if not game.has_redeal:
        return ["There is no redeal."]
    number = {None: "as often as you like", 1: "once"}.get(redeal.limit, f"{redeal.limit} times")
    when = {"any-time": "at any time", "when-stuck": "only when no card can move"}[redeal.when]
    packets = f"cut into packets of {PACKET}, and each packet becomes a {word} in turn, "
    how = {
        "bottom-up": f"{word} 1 is read from bottom to top, then {word} 2 and so on; the cards are {packets}"
        f"its first card at the bottom",
        "top-down": f"{word} 1 is read from top to bottom, then {word} 2 and so on; the cards are {packets}"
        f"its first card on top",
        "one-by-one": f"{word} 1 is read from bottom to top, then {word} 2 and so on; the cards are dealt "
        f"one at a time round the {word}s 1 to {count}",
    }[redeal.order]
    no_change = (
        f"Emptied {word}s close up. A redeal that would change nothing is refused and not counted. "
        "A redeal can be taken back like any move."
    )
    return [
        f"The {word}s may be collected and dealt again, never shuffled: {number}, {when}.",
        f"Order of the redeal ({redeal.order}): {how}.",
        no_change,
    ]


def _score(game: Game) -> list[str]:
    bases = SUITS if game.score == "cards-up-less-bases" else 0
    score = {
        "win-loss": "A game is won or not; there are no points.",
        "cards-up": f"Score: the cards on the foundations, {game.cards} at a win.",
        "cards-up-less-bases": "Score: the cards on the foundations without the four bases, "
        f"{game.cards - bases} at a win.",
    }[game.score]
    redeals = " and redeals" if game.has_redeal else ""
    cost = (
        f"Cost: moves between {game.pile_word}s{redeals}. Moves to the foundations are as many in every win, "
        "so the win of fewest cost is the shortest one."
    )
    return [score, cost]


def _names(game: Game) -> str:
    also = f"; also found as {', '.join(game.aliases)}" if game.aliases else ""
    return f"{game.id} ({game.family} family){also}."


def rule_keys(game: Game) -> list[str]:
    """The keys of the rules that mean something in a game: without a redeal, its time and order do not."""
    idle = () if game.has_redeal else ("redeal.when", "redeal.order")
    return [key for key in RULES if key not in idle]


def _options(game: Game) -> list[str]:
    values, told = game.rules(), rule_keys(game)
    lines = []
    for key, rule in RULES.items():
        if key in told:
            lines.append(f"{key}={rule_text(values[key])} ({rule.expected})")
        else:
            lines.append(f"{key}: only together with redeal.limit ({rule.expected})")
    return lines
