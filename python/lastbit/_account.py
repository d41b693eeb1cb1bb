"""What many releases lose together."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import Any, Iterator, Mapping, Optional, Tuple, Union

from . import _lastbit
from ._errors import Error
from ._numbers import Exact, exact, fraction_of, text_of

Loss = Union[Exact, Tuple[Exact, Exact]]
Losses = Union[Loss, Mapping[Loss, int], None]

_MOST_TIMES = 1_000_000_000
_LEAST_DELTA = "1e-20"


@dataclasses.dataclass(frozen=True)
class TotalLoss:
    """The loss of all releases together; `account` makes it.

    They lose at most `epsilon` at `delta`, which is proved. One of the two was given and is exact; the other one was
    asked for and is a float, rounded up: no number below `at_least` holds for all releases with these losses.
    `plain_sum` is the epsilon that adding up gives; it is None where a delta was asked for.
    """

    epsilon: Union[float, Fraction]
    delta: Union[float, Fraction]
    at_least: float
    plain_sum: Optional[float]


def account(
    *,
    pure: Losses = None,
    approximate: Losses = None,
    laplace: Losses = None,
    gaussian: Losses = None,
    rho: Losses = None,
    delta: Optional[Exact] = None,
    epsilon: Optional[Exact] = None,
) -> TotalLoss:
    """What releases lose together: the epsilon at `delta` (1e-6 unless given), or the delta at `epsilon`.

    Each loss is a number, or a dict from numbers to how often: `pure={"0.1": 100}` is a hundred releases that lose
    epsilon 0.1 each. `approximate` takes pairs (epsilon, delta), `rho` a rho or a pair (rho, delta). `laplace` is real
    Laplace noise on one number, by its change divided by the scale; `gaussian` is real Gaussian noise, by its deviation
    divided by the change of the numbers. Noise on whole numbers is `pure` or `rho`.

    It holds for losses that were fixed before the first answer. Numbers are rounded up, `at_least` down.

    >>> import lastbit
    >>> total = lastbit.account(pure={"0.1": 100}, delta="1e-6")
    >>> total.plain_sum, 4.77 < total.at_least <= total.epsilon < 4.78
    (10.0, True)
    >>> lastbit.account(pure={"0.1": 100}, epsilon=10).delta
    0.0
    """
    if delta is not None and epsilon is not None:
        raise Error("bad parameter", "`delta`", "and epsilon are both given", "give one, to learn the other")
    kinds = {"pure": pure, "approximate": approximate, "laplace": laplace, "gaussian": gaussian, "rho": rho}
    parts = [part for kind, losses in kinds.items() for part in _parts(kind, losses)]
    if not parts:
        raise Error("bad parameter", "account", "no losses are given", 'give some, as in pure={"0.1": 100}')
    if epsilon is not None:
        asked = exact(epsilon, "epsilon")
        lower, upper, _ = _lastbit.account(parts, False, text_of(asked, "epsilon"), text_of(_LEAST_DELTA, "delta"))
        return TotalLoss(asked, _up(upper), _down(lower), None)
    asked = exact("1e-6" if delta is None else delta, "delta")
    lower, upper, plain = _lastbit.account(parts, True, text_of(asked, "delta"), text_of(asked, "delta"))
    return TotalLoss(_up(upper), asked, _down(lower), _up(plain))


def _parts(kind: str, losses: Losses) -> Iterator[Tuple[str, str, str, int]]:
    if losses is None:
        return
    for loss, times in losses.items() if isinstance(losses, Mapping) else ((losses, 1),):
        if isinstance(times, bool) or not isinstance(times, int) or not 1 <= times <= _MOST_TIMES:
            raise Error("bad parameter", f"`{kind}`", "has a loss that occurs an impossible number of times",
                        "give a whole number above 0")
        number, delta = _pair(kind, loss)
        yield kind, text_of(number, kind), text_of(delta, kind), times


def _pair(kind: str, loss: Any) -> Tuple[Exact, Exact]:
    if not isinstance(loss, tuple) and kind != "approximate":
        return loss, 0
    if kind not in ("approximate", "rho") or not isinstance(loss, tuple) or len(loss) != 2:
        raise Error("bad parameter", f"`{kind}`", "has a loss that cannot be read",
                    'give numbers; for approximate pairs such as ("0.1", "1e-9")')
    return loss


def _up(number: Optional[str]) -> float:
    """The least float that is not below the number; None is infinity."""
    if number is None:
        return math.inf
    return _beside(fraction_of(number), math.inf)


def _down(number: Optional[str]) -> float:
    return math.inf if number is None else _beside(fraction_of(number), -math.inf)


def _beside(number: Fraction, toward: float) -> float:
    nearest = float(number)
    is_safe = Fraction(nearest) >= number if toward > 0 else Fraction(nearest) <= number
    return nearest if is_safe else math.nextafter(nearest, toward)
