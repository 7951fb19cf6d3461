"""Intervals for shares, and the comparison of two games on the same deals. Formulas only, no files."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval; both ends belong to it."""

    low: float
    high: float


def wilson(successes: int, total: int, confidence: float = CONFIDENCE) -> Interval:
    """The Wilson interval of a share.

    Args:
        successes: How many of the total; not negative and no more than it.
        total: How many there are; for none the interval is everything from 0 to 1.
        confidence: Such as 0.95.

    Raises:
        ValueError: when there are fewer than none or more than all.
    """
    if not 0 <= successes <= total:
        raise ValueError(f"{successes} of {total} is no share")
    if total == 0:
        return Interval(0.0, 1.0)
    return _wilson(successes / total, total, confidence)


def _wilson(share: float, total: float, confidence: float) -> Interval:
    z = _z(confidence)
    divisor = 1 + z * z / total
    middle = (share + z * z / (2 * total)) / divisor
    half = z / divisor * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    # Rounding must not leave 1e-17 where the formula gives 0, or the like at 1.
    low = 0.0 if share == 0 else middle - half
    high = 1.0 if share == 1 else middle + half
    return Interval(low, high)


def wilson_of_means(mean: float, variance: float, total: int, confidence: float = CONFIDENCE) -> Interval:
    """The interval of the mean of shares, one for each of some deals: several games of a deal are not independent.

    It is the Wilson interval for as many independent games as vary like these means. With one game of each deal it is
    that of :func:`wilson`, but for the tiny difference between dividing by n and by n - 1.

    Args:
        mean: The mean of the shares, from 0 to 1.
        variance: Their sample variance.
        total: How many deals there are.
        confidence: Such as 0.95.
    """
    if variance <= 0:  # all the same: as many as there are deals
        return wilson(round(mean * total), total, confidence)
    independent = mean * (1 - mean) / variance * total
    return _wilson(mean, independent, confidence)


def paired_difference(
    only_first: int, only_second: int, total: int, confidence: float = CONFIDENCE
) -> Interval:
    """The interval of the difference of two shares that were measured on the same deals.

    This is the interval for paired shares by the normal approximation; it is good for hundreds of deals and more.

    Args:
        only_first: Deals that count in the first share alone.
        only_second: Deals that count in the second share alone.
        total: All deals, at least one.
        confidence: Such as 0.95.
    """
    difference = (only_first - only_second) / total
    variance = (only_first + only_second) / total - difference**2
    half = _z(confidence) * math.sqrt(max(variance, 0.0) / total)
    return Interval(max(difference - half, -1.0), min(difference + half, 1.0))


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided test of McNemar: how likely so uneven a split is when neither side is favoured.

    Args:
        only_first: Deals won in the first game alone.
        only_second: Deals won in the second game alone.

    Returns:
        The probability of a split at least this uneven; 1 when there is nothing to split.
    """
    total, fewer = only_first + only_second, min(only_first, only_second)
    if 2 * fewer == total:
        return 1.0
    # The terms C(total, k) / 2^total for k = fewer, fewer - 1, …, each by its ratio to the one before.
    log_term = math.lgamma(total + 1) - math.lgamma(fewer + 1) - math.lgamma(total - fewer + 1)
    log_term -= total * math.log(2)
    ratio, tail = 1.0, 0.0
    for k in range(fewer, -1, -1):
        tail += ratio
        ratio *= k / (total - k + 1)
        if ratio < tail * 1e-17:
            break
    return min(1.0, 2 * math.exp(log_term) * tail)


def _z(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)
