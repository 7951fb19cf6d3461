"""The rules sheet says each field of the game, so it cannot disagree with the program."""

from __future__ import annotations

import pytest

from crenel import GAMES, Game, find_game
from crenel.play.sheet import format_sheet, rules_sheet
from crenel.rules.game import RULES


def told(game: Game) -> str:
    """All sentences of a sheet but the list of options, which repeats the data as it is."""
    sheet = rules_sheet(game)
    return " ".join(
        sentence
        for section in sheet.sections
        if section.key not in ("options", "names")
        for sentence in section.sentences
    )


CHANGES = (
    ("cruel", "ranks=12,piles.sizes=11x4"),
    ("royal-family-classic", "foundation.base=A"),
    ("streets-and-alleys", "foundation.base=first"),
    ("cruel", "foundation.dealt=false,piles.sizes=13x4"),
    ("cruel", "piles.sizes=2+10x4+6"),
    ("beleaguered-castle", "piles.sizes=7+6x6+5"),
    ("cruel", "deal.order=packets"),
    ("cruel", "deal.order=by-hand"),
    ("beleaguered-castle", "deal.plays=fitting"),
    ("cruel", "build.direction=up"),
    ("cruel", "build.direction=either"),
    ("cruel", "build.suits=any"),
    ("cruel", "build.suits=alternate-colour"),
    ("cruel", "build.wrap=true"),
    ("cruel", "run=run"),
    ("cruel", "empty=any"),
    ("cruel", "redeal.limit=0"),
    ("cruel", "redeal.limit=1"),
    ("cruel", "redeal.limit=7"),
    ("cruel", "redeal.when=when-stuck"),
    ("cruel", "redeal.order=top-down"),
    ("cruel", "redeal.order=one-by-one"),
    ("cruel", "score=win-loss"),
    ("cruel", "score=cards-up-less-bases"),
)


@pytest.mark.parametrize(("name", "rules"), CHANGES)
def test_a_changed_rule_changes_the_words(name: str, rules: str) -> None:
    changed = find_game(name).with_rules(dict(part.split("=") for part in rules.split(",")))
    assert told(changed) != told(find_game(name))


def test_every_field_is_among_the_changes() -> None:
    changed = {part.split("=")[0] for _, rules in CHANGES for part in rules.split(",")}
    assert changed == set(RULES)


@pytest.mark.parametrize("name", GAMES)
def test_every_game(name: str) -> None:
    game = find_game(name)
    sheet = rules_sheet(game)
    text = format_sheet(sheet, 72)
    assert max(map(len, text.splitlines())) <= 72
    flat = " ".join(text.split())
    for words in (game.title, game.id, game.summary, *game.aliases, *game.notes):
        assert " ".join(words.split()) in flat.replace("* ", "")
    for key in RULES:
        assert key in flat
    assert [section.key for section in sheet.sections] == [
        *("deck", "aim", "deal", "build", "redeal", "score", "notes", "names", "options")
    ]


def test_what_the_sheets_say() -> None:
    assert "12 piles of 4" in told(GAMES["cruel"])
    assert "6 rows of 7 and 2 rows of 5" in told(GAMES["sham-battle"])
    assert "as often as you like, at any time" in told(GAMES["cruel"])
    assert "3 times, at any time" in told(GAMES["cruel-3"])
    assert "There is no redeal." in told(GAMES["fortress"])
    assert "down from the king to the ace" in told(GAMES["royal-family-classic"])
    assert "48 at a win" in told(GAMES["cruel-aisleriot"])
    assert "the ace and the king are neighbours" in told(GAMES["selective-castle-classic"])
