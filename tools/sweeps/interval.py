# SPDX-License-Identifier: GPL-2.0-only

"""Means of samples and their 95 % intervals, by Student's t."""

import functools
import math
import statistics


def beta_fraction(a, b, x):
    """The continued fraction of the incomplete beta function (Numerical Recipes, 6.4), by Lentz's method."""
    tiny = 1e-300
    c = 1.0
    d = 1 / max(1 - (a + b) * x / (a + 1), tiny)
    value = d
    for m in range(1, 1000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + numerator * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + numerator / c
            c = c if abs(c) > tiny else tiny
            value *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return value


def incomplete_beta(a, b, x):
    """The regularized incomplete beta function."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(1 - x))
    if x < (a + 1) / (a + b + 2):
        return front * beta_fraction(a, b, x) / a
    return 1 - front * beta_fraction(b, a, 1 - x) / b


@functools.lru_cache(maxsize=None)
def student(freedom):
    """The t beyond which 2.5 % of Student's distribution lie on each side."""
    low, high = 0.0, 20.0  # the largest is 12.7
    for _ in range(200):
        t = (low + high) / 2
        beyond = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))
        low, high = (t, high) if beyond > 0.05 else (low, t)
    return (low + high) / 2


def mean_and_half_width(values):
    """The mean, and half of the width of its 95 % interval; None with one value."""
    if len(values) < 2 or min(values) == max(values):
        return values[0], None if len(values) < 2 else 0.0
    mean = statistics.fmean(values)
    return mean, student(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
