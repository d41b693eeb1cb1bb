"""What releases cost, as exact numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Mapping, Optional

from ._numbers import decimal_text


@dataclass(frozen=True)
class Cost:
    """A loss of privacy: `epsilon`, `epsilon` and `delta`, or `rho` (with a `delta` or without). Exact.

    >>> Cost(epsilon=Fraction(1, 2), delta=Fraction(1, 10**6))
    epsilon 0.5, delta 0.000001
    """

    epsilon: Optional[Fraction] = None
    delta: Optional[Fraction] = None
    rho: Optional[Fraction] = None

    def __repr__(self) -> str:
        parts = (("epsilon", self.epsilon), ("rho", self.rho), ("delta", self.delta))
        return ", ".join(f"{name} {decimal_text(number)}" for name, number in parts if number is not None)


def cost_of(document: Optional[Mapping[str, Any]]) -> Optional[Cost]:
    """The cost that a document of the library holds."""
    if document is None:
        return None
    return Cost(**{name: Fraction(text) for name, text in document.items()})
