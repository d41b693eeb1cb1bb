"""Numbers from Python to the library and back, without loss."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Optional, Union

from ._errors import Error

# What a parameter may be. A float is the binary fraction that it holds: 0.1 is not 1/10, "0.1" is.
Exact = Union[int, str, Fraction, Decimal, float]

_TEXT = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,5})?|[+-]?\d+/\d+", re.ASCII)
_MOST_DIGITS = 4000
_MOST_BITS = 13_000


def _wrong(name: str, problem: str) -> Error:
    return Error("bad parameter", f"`{name}`", problem, 'give an int, a Fraction, a Decimal, or a text such as "0.1" or "1/3"')


def exact(value: Exact, name: str = "number") -> Fraction:
    """The number that `value` stands for, exactly.

    >>> exact("0.1"), exact("1/3"), exact(2)
    (Fraction(1, 10), Fraction(1, 3), Fraction(2, 1))
    >>> exact(0.1) == Fraction(1, 10)
    False
    """
    if isinstance(value, bool):
        raise _wrong(name, "is a truth value, not a number")
    if isinstance(value, (int, Fraction)):
        number = Fraction(value)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise _wrong(name, "is not finite")
        number = Fraction(value)
    elif isinstance(value, Decimal):
        if not value.is_finite():
            raise _wrong(name, "is not finite")
        if abs(value.adjusted()) > _MOST_DIGITS:
            raise _wrong(name, f"has more than {_MOST_DIGITS} digits")
        number = Fraction(value)
    elif isinstance(value, str):
        number = _from_text(value.strip(), name)
    elif hasattr(value, "item") and getattr(value, "shape", None) == () and type(value.item()) is not type(value):
        return exact(value.item(), name)  # a scalar of NumPy, but none that only NumPy can hold
    else:
        raise _wrong(name, f"is a {type(value).__name__}, not a number")
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > _MOST_BITS:
        raise _wrong(name, f"has more than {_MOST_DIGITS} digits")
    return number


def _from_text(text: str, name: str) -> Fraction:
    if len(text) > _MOST_DIGITS or not _TEXT.fullmatch(text):
        raise _wrong(name, "is a text that is not a number")
    exponent = re.search(r"[eE]([+-]?\d+)$", text)
    if exponent and abs(int(exponent[1])) > _MOST_DIGITS:
        raise _wrong(name, f"has more than {_MOST_DIGITS} digits")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise _wrong(name, "divides by zero") from None


def text_of(value: Exact, name: str) -> str:
    """The number as the extension reads it."""
    number = exact(value, name)
    return f"{number.numerator}/{number.denominator}"


def fraction_of(text: str) -> Fraction:
    """The number that the extension wrote, of any length: `int` refuses texts of more than 4300 digits.

    >>> fraction_of("-1/3"), fraction_of("1" + "0" * 5000) == 10**5000
    (Fraction(-1, 3), True)
    """
    numerator, _, denominator = text.partition("/")
    return Fraction(int(Decimal(numerator)), int(Decimal(denominator or "1")))


def optional_text_of(value: Optional[Exact], name: str) -> Optional[str]:
    return None if value is None else text_of(value, name)


def decimal_text(number: Fraction) -> str:
    """The number exactly: as a decimal if it has a short one, otherwise as a fraction.

    >>> decimal_text(Fraction(1, 8)), decimal_text(Fraction(-7)), decimal_text(Fraction(1, 3))
    ('0.125', '-7', '1/3')
    """
    for digits in range(31):
        scaled = number * 10**digits
        if scaled.denominator == 1:
            whole = str(abs(scaled.numerator)).rjust(digits + 1, "0")
            sign = "-" if number < 0 else ""
            return sign + (f"{whole[:-digits]}.{whole[-digits:]}" if digits else whole)
    return str(number)


def float_down(number: Fraction) -> float:
    """The largest float that is not above the number."""
    near = _nearest(number)
    return math.nextafter(near, -math.inf) if math.isinf(near) and near > 0 or near > number else near


def float_up(number: Fraction) -> float:
    """The smallest float that is not below the number.

    >>> float_down(Fraction(1, 10)) < Fraction(1, 10) < float_up(Fraction(1, 10))
    True
    """
    return -float_down(-number)


def _nearest(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number)
