"""Transformations and measurements, joined with `>>`.

Every step runs in C++, and so does the map that says what the step does to distances: nothing is computed twice.
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any, Callable, Optional, Sequence, Tuple, Union, overload

from . import _lastbit
from ._columns import INT_ENDS, column
from ._errors import Error
from ._noise import _exponent, _scale
from ._numbers import Exact, exact, fraction_of, optional_text_of, text_of

_MOST_STEPS = 100


class _Common:
    """What transformations and measurements have in common."""

    __slots__ = ("_chain", "_definition", "_kind", "_parts")

    def __init__(self, chain: Any, definition: str, kind: type, parts: Tuple[Any, ...] = ()) -> None:
        self._chain = chain
        self._definition = definition
        self._kind = kind
        self._parts = parts  # the steps of a transformation, the measurements of a composition

    def check(self, d_in: Exact, d_out: Exact) -> bool:
        """Whether data at most `d_in` apart always gives results at most `d_out` apart. False promises nothing."""
        return self._chain.relation(text_of(d_in, "d_in"), text_of(d_out, "d_out"))

    @property
    def input_domain(self) -> str:
        """The data that the chain is proved for, in words."""
        return self._chain.input_domain()

    def require_member(self, data: Any) -> None:
        """Raises an Error if the data is not in the input domain. For custodians: the outcome depends on the data."""
        self._chain.require_member(column(data, self._kind))

    def __repr__(self) -> str:
        return self._definition

    def _distance(self, d_in: Exact) -> Union[Fraction, float]:
        text = self._chain.map(text_of(d_in, "d_in"))
        return math.inf if text == "infinity" else fraction_of(text)


class Transformation(_Common):
    """A function of rows, and how far apart it puts data that is close: `rows` starts one, `>>` continues it.

    Calling it gives the exact result, which is private. Only measurements may be published.

    >>> import lastbit as lb
    >>> total = lb.rows(float) >> lb.clamp(0, 1) >> lb.sum()
    >>> total
    rows(float) >> clamp(0, 1) >> sum()
    >>> total.map(3), total.check(1, 1), total.check(1, "0.99")
    (Fraction(3, 1), True, False)
    >>> total([0.25, 0.5, 7.0])
    Fraction(7, 4)
    """

    __slots__ = ()

    def map(self, d_in: Exact) -> Union[Fraction, float]:
        """How far apart the results of data at most `d_in` rows apart can be: a Fraction, or infinity."""
        return self._distance(d_in)

    @property
    def output_domain(self) -> str:
        """What comes out, in words."""
        return self._chain.output_domain()

    def __call__(self, data: Any) -> Any:
        return _result(self._chain.run(column(data, self._kind)))

    @overload
    def __rshift__(self, step: "Step") -> "Transformation": ...
    @overload
    def __rshift__(self, step: "Noise") -> "Measurement": ...

    def __rshift__(self, step: Any) -> Any:
        if not isinstance(step, (Step, Noise)):
            return NotImplemented
        chain, parts = self._chain, self._parts + step._parts
        if len(parts) > _MOST_STEPS:
            raise Error("bad parameter", "chain", f"has more than {_MOST_STEPS} steps", "join fewer steps")
        for part in step._parts:
            chain = part(chain)
        if isinstance(step, Noise):
            return Measurement(chain, f"{self!r} >> {step!r}", self._kind, (chain,))
        return Transformation(chain, f"{self!r} >> {step!r}", self._kind, parts)


class Measurement(_Common):
    """A chain that ends in noise: anyone may see what it releases. Every call is one more release.

    >>> import lastbit as lb
    >>> mean = lb.rows(float) >> lb.clamp(0, 100) >> lb.resize(1000, 50) >> lb.mean() >> lb.laplace_noise("1/2")
    >>> mean.map(1)
    Fraction(1, 5)
    >>> mean.measure, mean.check(1, "0.2"), mean.check(1, "0.19")
    ('epsilon', True, False)
    >>> noisy = mean([31.5, 40.25] * 500)
    """

    __slots__ = ()

    @property
    def measure(self) -> str:
        """What `map` gives: "epsilon", or "rho" of zero-concentrated differential privacy."""
        return "epsilon" if self._chain.is_pure() else "rho"

    def map(self, d_in: Exact) -> Union[Fraction, float]:
        """The loss when one person has at most `d_in` rows: epsilon or rho, exactly, or infinity."""
        return self._distance(d_in)

    def __call__(self, data: Any) -> Any:
        answers = [_result(answer) for answer in self._chain.run(column(data, self._kind))]
        return answers[0] if len(answers) == 1 else tuple(answers)


class _Waiting:
    """Steps that wait for the rows they meet in a chain."""

    __slots__ = ("_parts", "_definition")

    def __init__(self, parts: Tuple[Callable[[Any], Any], ...], definition: str) -> None:
        self._parts = parts
        self._definition = definition

    def __repr__(self) -> str:
        return self._definition


class Step(_Waiting):
    """A transformation that waits for the rows it meets: what `clamp`, `sum` and so on return."""

    __slots__ = ()

    @overload
    def __rshift__(self, step: "Step") -> "Step": ...
    @overload
    def __rshift__(self, step: "Noise") -> "Noise": ...

    def __rshift__(self, step: Any) -> Any:
        if not isinstance(step, (Step, Noise)):
            return NotImplemented
        return type(step)(self._parts + step._parts, f"{self!r} >> {step!r}")


class Noise(_Waiting):
    """Noise that waits for the numbers it meets."""

    __slots__ = ()


def rows(kind: type, *, size: Optional[int] = None, nan: bool = False) -> Transformation:
    """The start of a chain: a column of floats or of ints. Data is compared by the rows to add and remove.

    With `size` the number of rows is public, and two datasets are an even number of rows apart. Data of another size is
    refused when a chain runs, since the price holds only for this size. Lists, arrays and columns are taken. A number
    that is too large counts as the largest of its sign, and for floats every number as the nearest float. A missing row
    counts as NaN, among ints as the lowest int. A NaN counts as -infinity, unless `nan` says that NaN is a value, which
    `impute` then has to replace.

    >>> import lastbit as lb
    >>> lb.rows(float).map(1), lb.rows(int, size=3).input_domain
    (Fraction(1, 1), 'vectors of exactly 3 integers')
    """
    if kind not in (float, int) or (nan and kind is int):
        raise Error("bad parameter", "rows", "have no such kind", "give float or int; nan is for floats")
    number = None if size is None else _whole(size, "size", 0)
    chain = _lastbit.rows_of_integers(number) if kind is int else _lastbit.rows_of_floats(number, bool(nan))
    options = ("" if size is None else f", size={size}") + (", nan=True" if nan else "")
    return Transformation(chain, f"rows({kind.__name__}{options})", kind)


def clamp(lower: Exact, upper: Exact) -> Step:
    """Moves every row into [lower, upper].

    >>> import lastbit as lb
    >>> (lb.rows(int) >> lb.clamp(0, 10))([-3, 4, 50])
    [0, 4, 10]
    """
    low, high = text_of(lower, "lower"), text_of(upper, "upper")
    return Step((lambda chain: chain.clamp(low, high),), f"clamp({_shown(lower)}, {_shown(upper)})")


def impute(value: Exact) -> Step:
    """Replaces every NaN of `rows(float, nan=True)` by the value.

    >>> import lastbit as lb
    >>> (lb.rows(float, nan=True) >> lb.impute(0))([1.5, float("nan")])
    [1.5, 0.0]
    """
    text = text_of(value, "value")
    return Step((lambda chain: chain.impute(text),), f"impute({_shown(value)})")


def resize(size: int, value: Exact) -> Step:
    """Exactly `size` rows: a random subset if there are more, copies of `value` if there are fewer.

    The size is public from here on. One row added or removed becomes up to two, since a copy takes its place.

    >>> import lastbit as lb
    >>> chain = lb.rows(int) >> lb.resize(3, 7)
    >>> chain([1]), chain.map(1)
    ([1, 7, 7], Fraction(2, 1))
    """
    count, text = text_of(_whole(size, "size", 1), "size"), text_of(value, "value")
    return Step((lambda chain: chain.resize(count, text),), f"resize({size}, {_shown(value)})")


def count() -> Step:
    """The number of rows."""
    return Step((lambda chain: chain.count(),), "count()")


def count_distinct() -> Step:
    """The number of different rows."""
    return Step((lambda chain: chain.count_distinct(),), "count_distinct()")


def sum(*, grid: Optional[int] = None) -> Step:  # it is called lastbit.sum
    """The exact sum of clamped rows; floats are put on multiples of 2**grid first."""
    return _on_grid("sum", grid, lambda chain, exponent: chain.sum(exponent))


def mean(*, grid: Optional[int] = None) -> Step:
    """The exact mean of clamped rows whose number is public."""
    return _on_grid("mean", grid, lambda chain, exponent: chain.mean(exponent))


def variance(*, ddof: int = 1, grid: Optional[int] = None) -> Step:
    """The exact variance of clamped rows whose number is public, divided by the number of rows minus `ddof`.

    >>> import lastbit as lb
    >>> (lb.rows(int, size=4) >> lb.clamp(0, 10) >> lb.variance())([1, 2, 3, 4])
    Fraction(5, 3)
    """
    degrees = _whole(ddof, "ddof", 0)
    words = [f"ddof={ddof}"] if ddof != 1 else []
    return _on_grid("variance", grid, lambda chain, exponent: chain.variance(degrees, exponent), words)


def histogram(categories: Sequence[int], *, other: bool = False, norm: int = 1) -> Step:
    """How many rows there are of each category, of ints. With `other` the last number counts all other rows.

    `norm` says how distances between histograms are measured: 1 for Laplace noise, 2 for Gaussian noise.

    >>> import lastbit as lb
    >>> (lb.rows(int) >> lb.histogram([1, 2], other=True))([2, 2, 1, 9])
    [1, 2, 1]
    """
    names = [_whole(category, "categories", *INT_ENDS) for category in categories]
    words = [repr(names)] + ["other=True"] * bool(other) + _norm(norm)
    return Step((lambda chain: chain.histogram(names, bool(other), norm),), f"histogram({', '.join(words)})")


def bins(edges: Sequence[Exact], *, norm: int = 1) -> Step:
    """How many rows lie in each of the bins between the edges; the last bin has its upper edge.

    >>> import lastbit as lb
    >>> (lb.rows(float) >> lb.bins([0, "0.5", 1]))([0.25, 0.5, 1.0, 3.0])
    [1, 2]
    """
    texts = [text_of(edge, "edges") for edge in edges]
    words = ["[" + ", ".join(map(_shown, edges)) + "]"] + _norm(norm)
    return Step((lambda chain: chain.bins(texts, norm),), f"bins({', '.join(words)})")


def laplace_noise(
    scale: Optional[Exact] = None,
    *,
    epsilon: Optional[Exact] = None,
    sensitivity: Optional[Exact] = None,
    grid: Optional[int] = None,
    lower: Optional[Exact] = None,
    upper: Optional[Exact] = None,
) -> Noise:
    """Laplace noise on a number, or on each number of a histogram, as in `lastbit.laplace`.

    >>> import lastbit as lb
    >>> (lb.rows(int) >> lb.count() >> lb.laplace_noise(epsilon="0.5", sensitivity=1)).map(1)
    Fraction(1, 2)
    """
    number = _scale(scale, epsilon, sensitivity)
    step = text_of(number, "scale")
    options = (_exponent(grid), optional_text_of(lower, "lower"), optional_text_of(upper, "upper"))
    words = [f"scale={number}"]
    words += [f"{name}={_shown(value)}" for name, value in (("grid", grid), ("lower", lower), ("upper", upper))
              if value is not None]
    return Noise((lambda chain: chain.laplace_noise(step, *options),), f"laplace_noise({', '.join(words)})")


def discrete_laplace_noise(
    scale: Optional[Exact] = None, *, epsilon: Optional[Exact] = None, sensitivity: Optional[Exact] = None
) -> Noise:
    """Discrete Laplace noise on counts, histograms and sums, as in `lastbit.discrete_laplace`."""
    number = _scale(scale, epsilon, sensitivity)
    step = text_of(number, "scale")
    return Noise((lambda chain: chain.discrete_laplace_noise(step),), f"discrete_laplace_noise(scale={number})")


def discrete_gaussian_noise(variance: Exact) -> Noise:
    """Discrete Gaussian noise on counts, sums and histograms with norm=2, as in `lastbit.discrete_gaussian`.

    >>> import lastbit as lb
    >>> counts = lb.rows(int) >> lb.histogram([1, 2, 3], norm=2) >> lb.discrete_gaussian_noise(variance=25)
    >>> counts.measure, counts.map(1)
    ('rho', Fraction(1, 50))
    """
    text = text_of(variance, "variance")
    words = f"discrete_gaussian_noise(variance={_shown(variance)})"
    return Noise((lambda chain: chain.discrete_gaussian_noise(text),), words)


def compose(first: Measurement, *more: Measurement) -> Measurement:
    """All of them on the same data; the losses add up.

    >>> import lastbit as lb
    >>> ages = lb.rows(int)
    >>> both = lb.compose(
    ...     ages >> lb.count() >> lb.laplace_noise(2),
    ...     ages >> lb.clamp(0, 100) >> lb.sum() >> lb.laplace_noise(1000),
    ... )
    >>> both.map(1)
    Fraction(3, 5)
    >>> number, total = both([31, 44, 27])
    """
    parts = (first, *more)
    for part in parts:
        if not isinstance(part, Measurement):
            problem = f"a {type(part).__name__} is not a measurement"
            raise Error("bad parameter", "compose", problem, "end it with noise")
    chains = tuple(chain for part in parts for chain in part._parts)
    definition = "compose(" + ", ".join(map(repr, parts)) + ")"
    return Measurement(_lastbit.compose(list(chains)), definition, first._kind, chains)


def _on_grid(
    name: str, grid: Optional[int], make: Callable[[Any, Optional[int]], Any], words: Sequence[str] = ()
) -> Step:
    exponent = _exponent(grid)
    shown = [*words] + ([] if grid is None else [f"grid={grid}"])
    return Step((lambda chain: make(chain, exponent),), f"{name}({', '.join(shown)})")


def _norm(norm: int) -> list:
    if isinstance(norm, bool) or not isinstance(norm, int) or norm not in (1, 2):
        raise Error("bad parameter", "`norm`", "is not 1 or 2", "give 1 for Laplace noise, 2 for Gaussian noise")
    return ["norm=2"] if norm == 2 else []


def _whole(value: Any, name: str, least: int, most: int = 2**40) -> int:
    try:
        number = least - 1 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise Error("bad parameter", f"`{name}`", "is not possible", f"give a whole number from {least} to {most}")
    return number


def _shown(value: Exact) -> str:
    return str(value) if isinstance(value, (int, str)) else str(exact(value))


def _result(value: Any) -> Any:
    if isinstance(value, list):
        return [_result(one) for one in value]
    return fraction_of(value) if isinstance(value, str) else value
