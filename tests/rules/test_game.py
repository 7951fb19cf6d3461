"""The Game record: every field is validated and named, contradictions are refused, variants show what differs."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crenel import GAMES, Game, InvalidGame, find_game
from crenel.rules.game import RULES, SHORT_RULES, make_game, rule_text

CRUEL = find_game("cruel")
CASTLE = find_game("beleaguered-castle")
BAD: dict[str, list[object]] = {
    "ranks": [3, 14, "0", "five", -1, 4.0, True, None, [4]],
    "foundation.base": ["2", "king", "", "a b", 0, None],
    "foundation.dealt": ["maybe", 1, 0, "", None, "2"],
    "piles.sizes": [
        "",
        "4x",
        "x4",
        "0x4",
        "4x0",
        "27x1",
        "1x53",
        "4;4",
        [],
        [0],
        ["a"],
        4,
        None,
        "4x4x4",
        [True],
    ],
    "deal.order": ["left", "", 1, None, "roundrobin"],
    "deal.plays": ["all", "", True, None],
    "build.direction": ["sideways", "", 1, None],
    "build.suits": ["red", "alternate", "", None],
    "build.wrap": ["perhaps", 2, None],
    "run": ["runs", "", True, None],
    "empty": ["king", "", 0, None],
    "redeal.limit": [-1, "many", "1.5", 10000, 2.0, True, ""],
    "redeal.when": ["never", "", None, 1],
    "redeal.order": ["random", "", None, 1],
    "score": ["points", "", 52, None],
}
"""Values that each field refuses."""


def test_each_field_has_bad_values() -> None:
    assert set(BAD) == set(RULES)


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in BAD.items() for value in values])
def test_a_bad_value_names_its_field(key: str, value: object) -> None:
    with pytest.raises(InvalidGame) as caught:
        CRUEL.with_rules({key: value})
    sentence = str(caught.value)
    assert sentence.startswith(f"{key}=") and "is not allowed: expected " in sentence
    assert RULES[key].expected in sentence and "\n" not in sentence


@pytest.mark.parametrize("key", RULES)
def test_a_missing_field_takes_its_default_or_is_named(key: str) -> None:
    rules = CASTLE.rules()
    del rules[key]
    if RULES[key].default is ...:
        with pytest.raises(InvalidGame, match=f"the field {key} is missing: expected "):
            make_game(rules, id="x", title="X", family="castle", summary="x")
    else:
        game = make_game(rules, id="x", title="X", family="castle", summary="x")
        assert game.rules()[key] == RULES[key].default


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("redeal.limits", "redeal.limit"),
        ("redeal", "redeal"),
        ("rank", "ranks"),
        ("build.suit", "build.suits"),
        ("foundations.base", "foundation.base"),
    ],
)
def test_an_unknown_field_offers_a_near_one(key: str, near: str) -> None:
    with pytest.raises(InvalidGame, match=f"'?\"?{key}'?\"? is not a rule; did you mean {near}"):
        CRUEL.with_rules({key: "1"})


def test_an_unknown_field_without_a_near_one() -> None:
    with pytest.raises(InvalidGame, match=r"is not a rule$"):
        CRUEL.with_rules({"zzz": "1"})


CONTRADICTIONS: list[tuple[str, dict[str, object], tuple[str, ...]]] = [
    ("cruel", {"base": "first"}, ("foundation.dealt=true", "foundation.base=first")),
    (
        "citadel",
        {"base": "first", "foundation.dealt": "no", "piles.sizes": "4x7+4x6"},
        ("deal.plays=fitting", "foundation.base=first"),
    ),
    ("citadel", {"deal.order": "by-hand"}, ("deal.plays=fitting", "deal.order=by-hand")),
    (
        "ripple-fan-classic",
        {"score": "cards-up-less-bases"},
        ("score=cards-up-less-bases", "foundation.dealt=false"),
    ),
    ("cruel", {"ranks": 12}, ("piles.sizes=12x4", "48 cards", "44 are dealt", "ranks=12")),
    ("cruel", {"piles.sizes": "11x4"}, ("piles.sizes=11x4", "44 cards", "48 are dealt")),
    ("cruel", {"foundation.dealt": "no"}, ("48 cards", "52 are dealt", "foundation.dealt=false")),
    ("cruel", {"piles.sizes": "8x6"}, ("redeal.order=bottom-up", "8 piles take 32 cards", "48 are dealt")),
    ("cruel-classic", {"piles.sizes": "8x6"}, ("redeal.order=top-down", "packets of 4")),
    ("beleaguered-castle", {"redeal.when": "when-stuck"}, ("redeal.when=when-stuck", "redeal.limit=0")),
    (
        "cruel",
        {"redeal.limit": 0, "redeal.order": "one-by-one"},
        ("redeal.order=one-by-one", "redeal.limit=0"),
    ),
    ("cruel", {"build": "up", "build.direction": "down"}, ("build=up", "build.direction=down")),
    ("cruel", {"base": "A", "foundation.base": "K"}, ("base", "foundation.base", "twice")),
    ("cruel", {"piles.count": 12, "piles.sizes": "12x4"}, ("piles.sizes", "piles.count", "twice")),
    ("streets-and-alleys", {"piles.count": 8}, ("piles.count and piles.size are given together",)),
    ("cruel", {"piles.count": 27}, ("piles.count=27", "1 to 26")),
    ("cruel", {"piles.size": "0"}, ("piles.size=0", "1 to 52")),
]


@pytest.mark.parametrize(("game_id", "changes", "named"), CONTRADICTIONS)
def test_contradictions_are_refused_and_named(
    game_id: str, changes: dict[str, object], named: tuple[str, ...]
) -> None:
    with pytest.raises(InvalidGame) as caught:
        find_game(game_id).with_rules(changes)
    for part in named:
        assert part in str(caught.value)


def test_one_by_one_needs_no_packets() -> None:
    game = CRUEL.with_rules({"piles.sizes": "8x6", "redeal.order": "one-by-one"})
    assert game.redeal_room is None
    assert CRUEL.with_rules({"piles.sizes": "8x6", "redeal.limit": 0}).redeal_room is None
    assert CRUEL.redeal_room == 48 and GAMES["ripple-fan-classic"].redeal_room == 52


def test_a_family_is_one_of_two() -> None:
    with pytest.raises(InvalidGame, match="family=poker is not allowed: expected cruel or castle"):
        make_game(CRUEL.rules(), id="x", title="X", family="poker", summary="x")


# Variants

VARIANTS: list[tuple[str, dict[str, object], str]] = [
    ("cruel", {"redeal.limit": "2"}, "cruel[redeal.limit=2]"),
    ("cruel", {"redeal.when": "WHEN-STUCK"}, "cruel[redeal.when=when-stuck]"),
    ("cruel-3", {"redeal.limit": "unlimited"}, "cruel-3[redeal.limit=unlimited]"),
    ("cruel", {"redeal.order": "top-down", "redeal.limit": 1}, "cruel[redeal.limit=1,redeal.order=top-down]"),
    ("royal-family", {"build": "down"}, "royal-family[build.direction=down]"),
    ("royal-family", {"build": "same"}, "royal-family[build.suits=same]"),
    ("beleaguered-castle", {"base": "K"}, "beleaguered-castle[foundation.base=K]"),
    ("cruel", {"ranks": "5", "piles.count": "4"}, "cruel[piles.sizes=4x4,ranks=5]"),
    ("cruel", {"ranks": 5, "piles.sizes": [4, 4, 4, 4]}, "cruel[piles.sizes=4x4,ranks=5]"),
    ("sham-battle", {"piles.sizes": "7,7,7,7,6,6,6,6"}, "sham-battle[piles.sizes=4x7+4x6]"),
    (
        "fortress",
        {"foundation.dealt": "no", "piles.sizes": "4x7+4x6"},
        "fortress[foundation.dealt=false,piles.sizes=4x7+4x6]",
    ),
    ("fortress", {"build.wrap": "yes", "run": "run"}, "fortress[build.wrap=true,run=run]"),
    ("cruel", {"score": "win-loss"}, "cruel[score=win-loss]"),
]


@pytest.mark.parametrize(("game_id", "changes", "name"), VARIANTS)
def test_a_variant_shows_what_differs_and_is_found_by_its_id(
    game_id: str, changes: dict[str, object], name: str
) -> None:
    game = find_game(game_id)
    variant = game.with_rules(changes)
    assert variant.id == name
    assert variant.title == f"{game.title} ({name.partition('[')[2][:-1]})"
    assert (variant.origin, variant.family, variant.aliases) == (game_id, game.family, ())
    assert variant != game
    again = find_game(name)
    assert again == variant and hash(again) == hash(variant)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_without_a_difference_it_is_the_game_itself(game: Game) -> None:
    assert game.with_rules({}) is game
    changes = {key: value for key, value in game.rules().items() if game.has_redeal or "redeal" not in key}
    assert game.with_rules(changes) is game


def test_variants_of_variants_compare_with_the_first_game() -> None:
    one = CRUEL.with_rules({"redeal.limit": 2}).with_rules({"redeal.when": "when-stuck"})
    assert one.id == "cruel[redeal.limit=2,redeal.when=when-stuck]"
    assert one == CRUEL.with_rules({"redeal.when": "when-stuck", "redeal.limit": 2})
    assert one.with_rules({"redeal.limit": "unlimited", "redeal.when": "any-time"}) is CRUEL
    none = one.with_rules({"redeal.limit": 0})
    assert none.id == "cruel[redeal.limit=0]" and find_game(none.id) == none
    assert none.with_rules({"redeal.limit": 3}).id == "cruel[redeal.limit=3]"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_rules_give_the_game_back(game: Game) -> None:
    again = make_game(
        game.rules(),
        id=game.id,
        title=game.title,
        family=game.family,
        summary=game.summary,
        aliases=game.aliases,
        notes=game.notes,
    )
    assert again == game
    texts = {key: rule_text(value) for key, value in game.rules().items()}
    assert make_game(texts, id="x", title="X", family=game.family, summary="x").rules() == game.rules()


def test_games_travel_between_processes() -> None:
    variant = CRUEL.with_rules({"redeal.limit": 2})
    twin = pickle.loads(pickle.dumps(variant))
    assert twin == variant and twin.with_rules({"redeal.limit": "unlimited"}) == CRUEL


CHOICES: dict[str, tuple[object, ...]] = {
    "foundation.base": ("A", "K", "first"),
    "foundation.dealt": (True, False),
    "deal.order": ("round-robin", "packets", "by-hand"),
    "deal.plays": ("none", "fitting"),
    "build.direction": ("down", "up", "either"),
    "build.suits": ("same", "any", "alternate-colour"),
    "build.wrap": (True, False),
    "run": ("single", "run"),
    "empty": ("any", "none"),
    "redeal.limit": (0, 1, 5, None),
    "redeal.when": ("any-time", "when-stuck"),
    "redeal.order": ("bottom-up", "top-down", "one-by-one"),
    "score": ("win-loss", "cards-up", "cards-up-less-bases"),
    "ranks": (4, 13),
    "piles.sizes": ("12x4", "13x4", "8x6", "4x4", "4x3"),
}


@given(
    game_id=st.sampled_from(list(GAMES)),
    changes=st.dictionaries(st.sampled_from(list(CHOICES)), st.integers(0, 11), max_size=6),
)
def test_any_mixture_is_refused_or_found_by_its_id(game_id: str, changes: dict[str, int]) -> None:
    picked = {key: CHOICES[key][number % len(CHOICES[key])] for key, number in changes.items()}
    try:
        variant = GAMES[game_id].with_rules(picked)
    except InvalidGame as error:
        sentence = str(error)
    else:
        sentence = ""
        assert find_game(variant.id) == variant
        for key in picked.keys() - {"piles.sizes"}:
            assert variant.rules()[key] == picked[key]
    assert not sentence or any(key in sentence for key in RULES)


def test_short_rules_are_no_fields() -> None:
    assert not set(SHORT_RULES) & set(RULES)
