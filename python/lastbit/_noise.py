"""Noise on numbers and arrays.

These functions know neither a budget nor a ledger: whoever calls them keeps count of what is spent. `release` and
`query` do that by themselves.
"""

from __future__ import annotations

import array
import math
import sys
from fractions import Fraction
from typing import Any, Callable, Optional, Sequence, Tuple, Union

from . import _lastbit
from ._errors import Error
from ._numbers import Exact, exact, fraction_of, optional_text_of, text_of


def laplace(
    values: Any,
    scale: Optional[Exact] = None,
    *,
    epsilon: Optional[Exact] = None,
    sensitivity: Optional[Exact] = None,
    grid: Optional[int] = None,
    lower: Optional[Exact] = None,
    upper: Optional[Exact] = None,
) -> Any:
    """`values` with Laplace noise, each rounded to the nearest multiple of 2**grid.

    The law is exact: a real Laplace variate of the scale is added, and the sum is rounded once. If one person moves
    all values together by at most `d` (in L1), the loss is epsilon = d/scale. Give `scale`, or `epsilon` and
    `sensitivity`, which make the scale sensitivity/epsilon.

    An int gives an int, a float a float, any other number a Fraction; a list gives a list; an array gives an array of
    its shape, int64 or float64. Answers that are floats are the nearest ones to the exact answers, which costs
    nothing. Without `grid` ints have the grid 2**0, others one about a millionth of the scale. Answers are cut to
    [lower, upper], at no cost. An infinite float counts as the largest of its sign, NaN as the lowest float, and an int
    of more than 3900 digits as the largest of its sign, since an error would say something about the data. Other
    numbers must be finite and have at most 4000 digits.

    >>> noisy = laplace(42, scale=10)
    >>> isinstance(noisy, int)
    True
    >>> noisy = laplace("0.1", epsilon="1/2", sensitivity=1, grid=-3)
    >>> (noisy * 8).denominator
    1
    """
    step = text_of(_scale(scale, epsilon, sensitivity), "scale")
    options = (_exponent(grid), optional_text_of(lower, "lower"), optional_text_of(upper, "upper"))
    return _released(
        values,
        lambda texts: _lastbit.laplace_numbers(texts, step, *options),
        lambda given, output: _lastbit.laplace_integers(given, output, step, *options),
        lambda given, output: _lastbit.laplace_floats(given, output, step, *options),
        integer_numbers=lambda texts: _lastbit.laplace_numbers(texts, step, *_whole_options(*options)),
    )


def discrete_laplace(
    values: Any,
    scale: Optional[Exact] = None,
    *,
    epsilon: Optional[Exact] = None,
    sensitivity: Optional[Exact] = None,
) -> Any:
    """Whole numbers with discrete Laplace noise: Pr[noise = k] is proportional to exp(-abs(k)/scale).

    The loss and the parameters are those of `laplace`. Floats are refused.

    >>> isinstance(discrete_laplace(10**30, scale="1/3"), int)
    True
    """
    text = text_of(_scale(scale, epsilon, sensitivity), "scale")
    return _released(
        values,
        lambda texts: _lastbit.discrete_laplace_numbers(texts, text),
        lambda given, output: _lastbit.discrete_laplace_integers(given, output, text),
        None,
    )


def discrete_gaussian(values: Any, variance: Exact) -> Any:
    """Whole numbers with discrete Gaussian noise: Pr[noise = k] is proportional to exp(-k**2/(2*variance)).

    If one person moves all values together by at most `d` (in L2), the loss is rho = d**2/(2*variance) of
    zero-concentrated differential privacy. Floats are refused.

    >>> isinstance(discrete_gaussian(7, variance="2.5"), int)
    True
    """
    text = text_of(variance, "variance")
    return _released(
        values,
        lambda texts: _lastbit.discrete_gaussian_numbers(texts, text),
        lambda given, output: _lastbit.discrete_gaussian_integers(given, output, text),
        None,
    )


def _scale(scale: Optional[Exact], epsilon: Optional[Exact], sensitivity: Optional[Exact]) -> Fraction:
    if (scale is None) == (epsilon is None) or (scale is not None and sensitivity is not None):
        raise Error("bad parameter", "`scale`", "the noise is not said once", "give scale, or epsilon and sensitivity")
    if scale is not None:
        return exact(scale, "scale")
    loss = exact(epsilon, "epsilon")  # type: ignore[arg-type]
    distance = exact(1 if sensitivity is None else sensitivity, "sensitivity")
    for name, number in (("epsilon", loss), ("sensitivity", distance)):
        if number <= 0:
            raise Error("bad parameter", f"`{name}`", "is not positive", "give a number above 0")
    return distance / loss


def _exponent(grid: Any) -> Optional[int]:
    if grid is not None and (isinstance(grid, bool) or not isinstance(grid, int) or abs(grid) > 20_000):
        raise Error("bad parameter", "`grid`", "is not an exponent", "give a whole number: -10 means multiples of 2**-10")
    return grid


def _whole_options(
    grid: Optional[int], lower: Optional[str], upper: Optional[str]
) -> Tuple[int, Optional[str], Optional[str]]:
    """The grid and the bounds for ints, which stay ints: the bounds are moved inward to ints."""
    if grid is not None and grid < 0:
        raise Error("bad parameter", "`grid`", "has multiples that are not whole, but an int gives an int",
                    "give a grid of 0 or more, or turn the numbers into Fractions")
    low = None if lower is None else math.ceil(Fraction(lower))
    high = None if upper is None else math.floor(Fraction(upper))
    if low is not None and high is not None and low > high:
        raise Error("bad parameter", "`lower`", "and `upper` have no int between them",
                    "give bounds with an int between them, or turn the numbers into Fractions")
    return grid or 0, None if low is None else str(low), None if high is None else str(high)


_Numbers = Callable[[Sequence[str]], Sequence[str]]
_Arrays = Callable[[Any, Any], None]
_MOST = 10**3900


def _released(
    values: Any,
    numbers: _Numbers,
    integers: _Arrays,
    floats: Optional[_Arrays],
    integer_numbers: Optional[_Numbers] = None,
) -> Any:
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(values, numpy.ndarray):
        return _released_array(numpy, values, integers, floats)
    if numpy is not None and isinstance(values, numpy.generic):
        return _released_array(numpy, values.reshape(1), integers, floats)[0]
    if isinstance(values, (list, tuple)):
        if numpy is not None:
            values = [_plain(numpy, value) for value in values]
        return [_released_one(value, numbers, floats, integer_numbers or numbers) for value in values]
    return _released_one(values, numbers, floats, integer_numbers or numbers)


def _released_one(
    value: Any, numbers: _Numbers, floats: Optional[_Arrays], integer_numbers: _Numbers
) -> Union[int, float, Fraction]:
    if isinstance(value, float) and floats is not None:
        output = array.array("d", [0.0])
        floats(array.array("d", [value]), output)
        return output[0]
    if isinstance(value, float) or (floats is None and not isinstance(value, int)):
        raise _not_whole()
    if isinstance(value, int):
        return fraction_of(integer_numbers([text_of(_within(value), "values")])[0]).numerator
    return fraction_of(numbers([text_of(value, "values")])[0])


def _within(value: int) -> int:
    """The nearest int of at most 3900 digits: an error would say something about the data."""
    return value if isinstance(value, bool) else min(max(value, -_MOST), _MOST)


def _plain(numpy: Any, value: Any) -> Any:
    """A scalar of NumPy as the int or float that it is."""
    if isinstance(value, (numpy.integer, numpy.floating)):
        with numpy.errstate(all="ignore"):
            return int(value) if isinstance(value, numpy.integer) else float(value)
    return value


def _released_array(numpy: Any, values: Any, integers: _Arrays, floats: Optional[_Arrays]) -> Any:
    if type(values).__name__ == "MaskedArray":
        raise Error("bad parameter", "`values`", "is an array with a mask, which would be lost", "fill it first")
    kind = values.dtype.kind
    if kind == "f" and floats is None:
        raise _not_whole()
    if kind not in "iuf" or not numpy.can_cast(values.dtype, "f8" if kind == "f" else "i8", "safe"):
        raise Error(
            "bad parameter", "`values`", f"is an array of {values.dtype}",
            "give one of whole numbers that fit int64, or of floats that fit float64",
        )
    with numpy.errstate(all="ignore"):  # a warning would say something about the data
        given = numpy.ascontiguousarray(values, dtype="f8" if kind == "f" else "i8").reshape(-1)
    output = numpy.empty_like(given)
    (floats if kind == "f" else integers)(given, output)  # type: ignore[misc]
    return output.reshape(values.shape)


def _not_whole() -> Error:
    return Error("bad parameter", "`values`", "has numbers that are not ints", "round them first, or use laplace")
