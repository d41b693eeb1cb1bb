"""Values as the text of a release file."""

from __future__ import annotations

import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any, Mapping

from ._errors import Error
from ._numbers import decimal_text, exact


def require_unicode(text: str, place: str) -> None:
    """Texts of Python may hold halves of characters, which no file can."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise Error("bad text", place, "is not Unicode", "remove the lone surrogates")


def toml_text(text: str) -> str:
    r"""A text in quotes. Nothing in it can end the quotes.

    >>> print(toml_text('say "x"\n[budget]'))
    "say \"x\"\u000a[budget]"
    """
    require_unicode(text, "a text")
    special = {ord('"'): '\\"', ord("\\"): "\\\\", 0x7F: "\\u007f"}
    special.update({code: f"\\u{code:04x}" for code in range(0x20)})
    return f'"{text.translate(special)}"'


def toml_value(value: Any, name: str) -> str:
    """A value. Whole numbers stay whole, other numbers become exact texts, which release files take as numbers.

    >>> toml_value({"lower": 0, "upper": Fraction(1, 3), "keys": ["a", True]}, "column")
    '{ "lower" = 0, "upper" = "1/3", "keys" = ["a", true] }'
    """
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()  # a scalar of NumPy
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return toml_text(value)
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return int.__repr__(value)  # also of an enumeration, which has a text of its own
    if isinstance(value, (int, float, Fraction, Decimal)):
        return toml_text(decimal_text(exact(value, name)))
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return toml_text(value.isoformat())
    if isinstance(value, Mapping):
        pairs = [f"{toml_text(_key(key, name))} = {toml_value(item, str(key))}" for key, item in value.items()]
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, (list, tuple, range)):
        return f"[{', '.join(toml_value(item, name) for item in value)}]"
    remedy = "give texts, numbers, dates, lists or dicts"
    raise Error("bad parameter", f"`{name}`", f"holds a {type(value).__name__}", remedy)


def toml_table(header: str, entries: Mapping[str, Any]) -> str:
    """A table below its header."""
    if not isinstance(entries, Mapping):
        problem = f"is a {type(entries).__name__}"
        raise Error("bad parameter", f"`{header}`", problem, f'give a dict: {header}={{"name": …}}')
    lines = [f"{toml_text(_key(key, header))} = {toml_value(value, str(key))}\n" for key, value in entries.items()]
    return f"\n[{header}]\n{''.join(lines)}"


def _key(key: Any, name: str) -> str:
    if isinstance(key, str):
        return key
    raise Error("bad parameter", f"`{name}`", f"has a key that is a {type(key).__name__}", "give texts as keys")
