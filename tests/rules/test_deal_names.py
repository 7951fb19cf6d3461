"""The names of deals: what is read, what is refused and in which words."""

from __future__ import annotations

import secrets

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crenel import find_game
from crenel.rules.deals import (
    SCHEMES,
    DealId,
    UnknownDeal,
    deal,
    parse_deal_id,
    parse_deal_range,
    random_deal_id,
    shuffled_pack,
)
from tests.rules.test_deals import deal_ids


@given(deal_ids)
def test_names_are_read_back(deal_id: DealId) -> None:
    assert parse_deal_id(str(deal_id)) == deal_id
    assert parse_deal_id(f"  {str(deal_id).upper()}\n") == deal_id
    assert parse_deal_id(f"{deal_id.scheme}:000{deal_id.number}") == deal_id
    assert parse_deal_range(str(deal_id)) == (deal_id.scheme, deal_id.number, deal_id.number)
    if deal_id.scheme == "ms":
        assert parse_deal_id(str(deal_id.number)) == deal_id


@given(deal_ids, st.integers(0, 10**6))
def test_ranges_are_read(deal_id: DealId, more: int) -> None:
    last = min(deal_id.number + more, SCHEMES[deal_id.scheme].stop - 1)
    expected = (deal_id.scheme, deal_id.number, last)
    assert parse_deal_range(f"{deal_id}-{last}") == expected
    if deal_id.scheme == "ms":
        assert parse_deal_range(f"{deal_id.number}-{last}") == expected
    if deal_id.number < last:
        with pytest.raises(UnknownDeal, match=f"its end {deal_id.number} lies before its start {last}"):
            parse_deal_range(f"{deal_id.scheme}:{last}-{deal_id.number}")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_first_and_the_last_number_of_each_scheme(scheme: str) -> None:
    first, last = SCHEMES[scheme].start, SCHEMES[scheme].stop - 1
    for number in (first, last):
        assert sorted(shuffled_pack(parse_deal_id(f"{scheme}:{number}"))) == list(range(52))
    assert shuffled_pack(DealId(scheme, first)) != shuffled_pack(DealId(scheme, last))
    wrong = [last + 1] + ([first - 1] if first else [])
    for number in wrong:
        message = f"there is no deal '{scheme}:{number}': the numbers of {scheme} go from {first} to {last}"
        for text in (f"{scheme}:{number}", f"{scheme}:{number}-{number}"):
            with pytest.raises(UnknownDeal) as caught:
                parse_deal_range(text)
            assert str(caught.value) == message
        with pytest.raises(UnknownDeal) as caught:
            DealId(scheme, number)
        assert str(caught.value) == message
    with pytest.raises(UnknownDeal):
        DealId(scheme, -1)


LIKE = "(a deal is written like ms:1 or pysol:100000)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"the deal is missing {LIKE}"),
        (" \n", f"the deal is missing {LIKE}"),
        ("-1", f"'-1' is not a deal {LIKE}"),
        ("+1", f"'+1' is not a deal {LIKE}"),
        ("ms:-1", f"'ms:-1' is not a deal {LIKE}"),
        ("ms:one", f"'ms:one' is not a deal {LIKE}"),
        ("one", f"'one' is not a deal {LIKE}"),
        ("ms:", f"'ms:' is not a deal {LIKE}"),
        (":1", f"':1' is not a deal {LIKE}"),
        ("1.5", f"'1.5' is not a deal {LIKE}"),
        ("1_000", f"'1_000' is not a deal {LIKE}"),
        ("ms:1:2", f"'ms:1:2' is not a deal {LIKE}"),
        ("ms:1 2", f"'ms:1 2' is not a deal {LIKE}"),
        ("ms:1-", f"'ms:1-' is not a deal {LIKE}"),
        ("ms:١٢", f"'ms:١٢' is not a deal {LIKE}"),
        ("ms:²", f"'ms:²' is not a deal {LIKE}"),
        ("ms:1\0", f"'ms:1\\x00' is not a deal {LIKE}"),
        ("ms:1-5", f"'ms:1-5' is a range of deals, but one deal is expected {LIKE}"),
        ("ms11982", "'ms11982' is not a deal; did you mean ms:11982?"),
        ("PySol #7", "'PySol #7' is not a deal; did you mean pysol:7?"),
        ("pysolfc:1", "there are no deals of the name 'pysolfc'; did you mean pysol?"),
        ("gnom:x", "there are no deals of the name 'gnom'; did you mean gnome?"),
        ("tarot:1", "there are no deals of the name 'tarot'; expected one of ms, pysol, mt, gnome"),
        ("ms:0", "there is no deal 'ms:0': the numbers of ms go from 1 to 8589934591"),
        ("0", "there is no deal 'ms:0': the numbers of ms go from 1 to 8589934591"),
        ("ms:" + "9" * 20, f"there is no deal 'ms:{'9' * 20}': the numbers of ms go from 1 to 8589934591"),
        ("9" * 5000, f"there is no deal 'ms:{'9' * 37}…': the numbers of ms go from 1 to 8589934591"),
    ],
)
def test_texts_that_name_no_deal(text: str, message: str) -> None:
    with pytest.raises(UnknownDeal) as caught:
        deal(find_game("cruel"), text)
    assert str(caught.value) == message


def test_an_unknown_scheme_of_a_deal_id() -> None:
    with pytest.raises(UnknownDeal, match="'tarot'"):
        DealId("tarot", 1)


@given(st.text())
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    for read in (parse_deal_id, parse_deal_range):
        message = ""
        try:
            read(text)
        except UnknownDeal as error:
            message = str(error) or "\n"
        assert not message or message.isprintable()
        assert len(message) < 200


def test_random_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len({random_deal_id() for _ in range(50)}) > 45
    for drawn, number in ((lambda below: 0, 1), (lambda below: below - 1, 2**31 - 1)):
        monkeypatch.setattr(secrets, "randbelow", drawn)
        assert random_deal_id() == DealId("ms", number)
