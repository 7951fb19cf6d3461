"""Intervals and tests against SciPy, and at the edges where formulas break."""

from __future__ import annotations

import math

import pytest
from scipy import stats  # type: ignore[import-untyped]

from crenel.study.statistics import Interval, mcnemar, paired_difference, wilson


@pytest.mark.parametrize(
    ("successes", "total"),
    [
        (0, 1),
        (1, 1),
        (0, 10),
        (10, 10),
        (3, 10),
        (525, 1000),
        (1, 100_000),
        (99_999, 100_000),
        (1_363_400, 2_000_000),
    ],
)
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_wilson_is_scipys(successes: int, total: int, confidence: float) -> None:
    expected = stats.binomtest(successes, total).proportion_ci(confidence, method="wilson")
    found = wilson(successes, total, confidence)
    assert found.low == pytest.approx(expected.low, rel=1e-12, abs=1e-15)
    assert found.high == pytest.approx(expected.high, rel=1e-12, abs=1e-15)
    assert 0 <= found.low <= successes / total <= found.high <= 1


def test_wilson_of_nothing() -> None:
    assert wilson(0, 0) == Interval(0.0, 1.0)


@pytest.mark.parametrize(("successes", "total"), [(-1, 5), (6, 5), (0, -1)])
def test_wilson_of_no_share(successes: int, total: int) -> None:
    with pytest.raises(ValueError, match="is no share"):
        wilson(successes, total)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0, 0),
        (1, 0),
        (0, 5),
        (5, 5),
        (5, 6),
        (3, 12),
        (343, 0),
        (509, 8),
        (8, 509),
        (50_100, 49_900),
        (30_000, 28_000),
    ],
)
def test_mcnemar_is_the_exact_test(one: int, other: int) -> None:
    expected = stats.binomtest(one, one + other).pvalue if one + other else 1.0
    assert mcnemar(one, other) == pytest.approx(expected, rel=1e-9)
    assert mcnemar(one, other) == mcnemar(other, one)


def test_mcnemar_far_out_is_zero_not_an_error() -> None:
    assert mcnemar(100_000, 0) == 0.0


def test_paired_difference() -> None:
    """By hand: (40 - 10) / 200 = 0.15, variance (50 / 200 - 0.15²) / 200."""
    found = paired_difference(40, 10, 200)
    half = 1.959963984540054 * math.sqrt((0.25 - 0.0225) / 200)
    assert found.low == pytest.approx(0.15 - half)
    assert found.high == pytest.approx(0.15 + half)
    assert paired_difference(0, 0, 5) == Interval(0.0, 0.0)
    assert paired_difference(5, 0, 5) == Interval(1.0, 1.0)
