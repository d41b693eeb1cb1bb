"""How accurate answers will be, before anything is spent. No data goes in, so the answers reveal nothing.

Errors hold for every value of the statistic, except with probability `alpha`. Floats are rounded in the safe
direction; Fractions are exact. Noise is named by its `scale`, or by `epsilon` and `sensitivity`, which make the scale
sensitivity/epsilon, as in `lastbit.laplace`.

>>> from lastbit import accuracy
>>> accuracy.laplace_error(epsilon=1, alpha="0.05")
2.995732307434082
>>> accuracy.laplace_error(epsilon=1, alpha="0.05", whole=True)
3.0
>>> accuracy.gaussian_error(variance=25, alpha="0.05")
10
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Optional, Tuple

from . import _lastbit
from ._errors import Error
from ._noise import _exponent, _scale
from ._numbers import Exact, exact, fraction_of, optional_text_of, text_of

__all__ = [
    "gaussian_error", "gaussian_variance", "laplace_bias", "laplace_epsilon", "laplace_error", "laplace_scale",
    "laplace_worst_bias", "rarely_reached", "snapping_epsilon", "snapping_error", "statistic_range",
]

_STATISTICS = ("count", "covariance", "histogram", "mean", "sum", "variance")


def laplace_error(
    scale: Optional[Exact] = None,
    *,
    epsilon: Optional[Exact] = None,
    sensitivity: Optional[Exact] = None,
    alpha: Exact = "0.05",
    grid: Optional[int] = None,
    whole: bool = False,
    lower: Optional[Exact] = None,
    upper: Optional[Exact] = None,
) -> float:
    """The error of `lastbit.laplace`, which is exceeded with probability at most `alpha`.

    Without `grid` it is the grid that floats and Fractions get; `whole` is for ints, whose errors are whole. With
    `lower` and `upper` both the statistic and the answers lie between them.

    >>> laplace_error(scale=10) == laplace_error(epsilon="0.1", sensitivity=1)
    True
    >>> laplace_error(scale=10, lower=0, upper=20)
    20.0
    """
    step = text_of(_scale(scale, epsilon, sensitivity), "scale")
    if (lower is None) != (upper is None):
        raise Error("bad parameter", "`lower`", "one of lower and upper is missing", "give both or none")
    if whole and (grid is not None or lower is not None):
        raise Error("bad parameter", "`whole`", "has the grid 2**0 and no bounds", "leave grid, lower and upper out")
    return _lastbit.laplace_error(
        step, text_of(alpha, "alpha"), _exponent(grid), bool(whole), optional_text_of(lower, "lower"),
        optional_text_of(upper, "upper"),
    )


def laplace_scale(error: Exact, *, alpha: Exact = "0.05", grid: Optional[int] = None, whole: bool = False) -> Fraction:
    """The scale of noise whose error is at most `error`, except with probability `alpha`: the largest but for 2**-20.

    >>> scale = laplace_scale(5)
    >>> laplace_error(scale) <= 5 < laplace_error(scale * Fraction(101, 100))
    True
    >>> laplace_error(laplace_scale(5, whole=True), whole=True)
    5.0
    """
    if whole and grid is not None:
        raise Error("bad parameter", "`whole`", "has the grid 2**0", "leave grid out")
    return fraction_of(
        _lastbit.laplace_scale(text_of(error, "error"), text_of(alpha, "alpha"), _exponent(grid), bool(whole))
    )


def laplace_epsilon(
    error: Exact, *, sensitivity: Exact = 1, alpha: Exact = "0.05", grid: Optional[int] = None, whole: bool = False
) -> Fraction:
    """The loss that an error costs: sensitivity/laplace_scale(error).

    >>> epsilon = laplace_epsilon(5, sensitivity=2)
    >>> laplace_error(epsilon=epsilon, sensitivity=2) <= 5
    True
    """
    distance = exact(sensitivity, "sensitivity")
    if distance <= 0:
        raise Error("bad parameter", "`sensitivity`", "is not positive", "give a number above 0")
    return distance / laplace_scale(error, alpha=alpha, grid=grid, whole=whole)


def gaussian_error(variance: Exact, *, alpha: Exact = "0.05") -> int:
    """The error of `lastbit.discrete_gaussian`, a whole number."""
    return fraction_of(_lastbit.gaussian_error(text_of(variance, "variance"), text_of(alpha, "alpha"))).numerator


def gaussian_variance(error: Exact, *, alpha: Exact = "0.05") -> Fraction:
    """The variance of noise whose error is at most `error`: the largest but for 2**-20.

    >>> gaussian_error(gaussian_variance(10)) <= 10
    True
    """
    return fraction_of(_lastbit.gaussian_variance(text_of(error, "error"), text_of(alpha, "alpha")))


def snapping_error(
    *,
    epsilon: Exact,
    lower: Exact,
    upper: Exact,
    sensitivity: Exact = 1,
    precision: int = 53,
    alpha: Exact = "0.05",
) -> float:
    """The same for Laplace noise that is computed in floats of `precision` bits, as `lastbit snap` does.

    >>> snapping_error(epsilon=1, lower=-1000, upper=1000) > laplace_error(epsilon=1)
    True
    """
    return _lastbit.snapping_error(
        text_of(epsilon, "epsilon"), text_of(sensitivity, "sensitivity"), text_of(lower, "lower"),
        text_of(upper, "upper"), _precision(precision), text_of(alpha, "alpha"),
    )


def snapping_epsilon(
    error: Exact,
    *,
    lower: Exact,
    upper: Exact,
    sensitivity: Exact = 1,
    precision: int = 53,
    alpha: Exact = "0.05",
) -> Fraction:
    """The smallest loss for which `snapping_error` is at most `error`."""
    return fraction_of(
        _lastbit.snapping_epsilon(
            text_of(error, "error"), text_of(sensitivity, "sensitivity"), text_of(lower, "lower"),
            text_of(upper, "upper"), _precision(precision), text_of(alpha, "alpha"),
        )
    )


def laplace_bias(
    value: Exact,
    scale: Optional[Exact] = None,
    *,
    lower: Exact,
    upper: Exact,
    epsilon: Optional[Exact] = None,
    sensitivity: Optional[Exact] = None,
    grid: Optional[int] = None,
) -> Tuple[float, float]:
    """How far the mean of answers cut to [lower, upper] is from the statistic, for a guess of its value.

    The number lies between the two floats. Never give the private value: the answer depends on it. The points of the
    grid are counted from the middle of the bounds; a fine grid moves the mean by next to nothing.

    >>> low, high = laplace_bias(990, epsilon="0.1", sensitivity=1, lower=-1000, upper=1000)
    >>> low <= high < -1.8
    True
    """
    step = text_of(_scale(scale, epsilon, sensitivity), "scale")
    guess, least, most = exact(value, "value"), exact(lower, "lower"), exact(upper, "upper")
    if not least <= guess <= most:
        raise Error("bad parameter", "`value`", "is outside the bounds", "guess a value between lower and upper")
    return _lastbit.laplace_bias(
        text_of(guess, "value"), step, _exponent(grid), text_of(least, "lower"), text_of(most, "upper")
    )


def laplace_worst_bias(
    scale: Optional[Exact] = None,
    *,
    lower: Exact,
    upper: Exact,
    epsilon: Optional[Exact] = None,
    sensitivity: Optional[Exact] = None,
    grid: Optional[int] = None,
) -> float:
    """A bound on the bias for every value between `lower` and `upper`.

    >>> 4.99 < laplace_worst_bias(10, lower=-1000, upper=1000) < 5
    True
    """
    step = text_of(_scale(scale, epsilon, sensitivity), "scale")
    return _lastbit.laplace_worst_bias(step, _exponent(grid), text_of(lower, "lower"), text_of(upper, "upper"))


def statistic_range(
    statistic: str,
    *,
    rows: Optional[int] = None,
    lower: Optional[Exact] = None,
    upper: Optional[Exact] = None,
    second_lower: Optional[Exact] = None,
    second_upper: Optional[Exact] = None,
) -> Tuple[Fraction, Fraction]:
    """Between which numbers a statistic of `rows` rows lies, each of which is between `lower` and `upper`.

    `statistic` is "count", "sum", "mean", "variance", "covariance" or "histogram". Covariance has a second column.

    >>> statistic_range("variance", rows=1000, lower=0, upper=10)
    (Fraction(0, 1), Fraction(25000, 999))
    """
    if statistic not in _STATISTICS:
        raise Error("bad parameter", "`statistic`", "is not known", "give one of " + ", ".join(_STATISTICS))
    needed = {}
    if statistic != "mean":
        needed["rows"] = rows
    if statistic not in ("count", "histogram"):
        needed.update(lower=lower, upper=upper)
    if statistic == "covariance":
        needed.update(second_lower=second_lower, second_upper=second_upper)
    texts = dict.fromkeys(("rows", "lower", "upper", "second_lower", "second_upper"), "0")
    for name, value in needed.items():
        if value is None:
            raise Error("bad parameter", f"`{name}`", f"is missing for a {statistic}", "give it")
        texts[name] = text_of(value, name)
    if exact(texts["rows"]).denominator != 1:
        raise Error("bad parameter", "`rows`", "is not a whole number", "give an int")
    return _ends(_lastbit.statistic_range(statistic, *texts.values()))


def rarely_reached(
    lower: Exact,
    upper: Exact,
    scale: Optional[Exact] = None,
    *,
    epsilon: Optional[Exact] = None,
    sensitivity: Optional[Exact] = None,
    gamma: Exact = "0.01",
    grid: Optional[int] = None,
) -> Tuple[Fraction, Fraction]:
    """Bounds around [lower, upper] that a noisy answer reaches with probability at most `gamma`.

    >>> low, high = rarely_reached(*statistic_range("mean", lower=0, upper=100), epsilon=1, sensitivity=1)
    >>> low < -4 and high > 104
    True
    """
    step = text_of(_scale(scale, epsilon, sensitivity), "scale")
    return _ends(
        _lastbit.rarely_reached(
            text_of(lower, "lower"), text_of(upper, "upper"), step, text_of(gamma, "gamma"), _exponent(grid)
        )
    )


def _ends(texts: Tuple[str, str]) -> Tuple[Fraction, Fraction]:
    return fraction_of(texts[0]), fraction_of(texts[1])


def _precision(precision: Any) -> int:
    if isinstance(precision, bool) or not isinstance(precision, int) or not 2 <= precision <= 4096:
        raise Error("bad parameter", "`precision`", "is not possible", "give a whole number of bits, such as 53")
    return precision
