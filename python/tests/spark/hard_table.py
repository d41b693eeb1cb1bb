"""Tables with hard values, and what tests compare."""

import contextlib
import datetime
import decimal
import math

import pyarrow

from lastbit import _lastbit, _spark_rows

TEXTS = ["flu", "FLU", "flu ", " flu", "é", "e\u0301", "", "a\"b'c", "x" * 20, "\U0001f600", "\uffff", "z", "NULL"]
NUMBERS = [0, 1, -1, 7, 1000, -1000, 1001, -1001, 2**53 + 1, 2**63 - 1, -(2**63)]
REALS = [0.0, -0.0, 0.5, 1.5, -2.5, 1e300, -1e300, 5e-324, math.inf, -math.inf, math.nan, 0.125, 0.375]
DAYS = [datetime.date(1, 1, 1), datetime.date(1969, 12, 31), datetime.date(2024, 2, 29), datetime.date(9999, 12, 31)]
PRICES = [decimal.Decimal(text) for text in ("0.00", "-0.01", "1.00", "999999999999999999.99", "-12345678901234567.89")]
TIMES = [datetime.datetime(1970, 1, 1, 0, 30), datetime.datetime(2024, 3, 31, 2, 30),
         datetime.datetime(2024, 10, 27, 2, 30), datetime.datetime(1582, 10, 10, 12, 0, 0, 1)]
SCHEMA = pyarrow.schema([
    ("id", pyarrow.int64()), ("who", pyarrow.string()), ("k", pyarrow.string()), ("n", pyarrow.int64()),
    ("x", pyarrow.float64()), ("f", pyarrow.float32()), ("d", pyarrow.date32()), ("b", pyarrow.bool_()),
    ("price", pyarrow.decimal128(20, 2)), ("s", pyarrow.int16()), ("y", pyarrow.int8()),
    ("t", pyarrow.timestamp("us", "UTC")), ("local", pyarrow.timestamp("us")),
])


def hard_table(dice, size):
    def column(values, missing=0.15):
        return [None if dice.random() < missing else dice.choice(values) for _ in range(size)]

    return pyarrow.table({
        "id": column(NUMBERS), "who": column(TEXTS), "k": column(TEXTS), "n": column(NUMBERS), "x": column(REALS),
        "f": column([0.0, -0.0, 0.1, 16777217.0, math.nan]), "d": column(DAYS), "b": column([True, False]),
        "price": column(PRICES), "s": column([-(2**15), 0, 2**15 - 1]), "y": column([-128, 127]),
        "t": column(TIMES), "local": column(TIMES),
    }, schema=SCHEMA)


@contextlib.contextmanager
def recorded():
    """What is asked meanwhile, and the parts that come back: a list of (question, needed columns, parts)."""
    asked = []
    original = _spark_rows._Asker.__call__

    def call(self, question, columns, by_unit, *more):
        parts = original(self, question, columns, by_unit, *more)
        asked.append((question, columns, by_unit, parts))
        return parts

    _spark_rows._Asker.__call__ = call
    try:
        yield asked
    finally:
        _spark_rows._Asker.__call__ = original


def unit_order(question, table):
    """The rows of a table that have a unit, in the order of the units."""
    keys = _lastbit.UnitKeys(question, "table")
    whole = table.combine_chunks()
    values, offsets, validity = keys.of(whole.__arrow_c_stream__())
    kind = pyarrow.binary() if keys.is_text() else pyarrow.int64()
    parts = [validity, offsets, values] if keys.is_text() else [validity, values]
    units = pyarrow.Array.from_buffers(kind, len(whole), [pyarrow.py_buffer(part) for part in parts]).to_pylist()
    order = sorted((place for place, unit in enumerate(units) if unit is not None), key=lambda place: units[place])
    return whole.take(pyarrow.array(order, pyarrow.int64()))


def local_parts(question, by_unit, table):
    """What the kernel makes of the same rows in this process."""
    maker = _lastbit.PartMaker(question, "table")
    maker.add((unit_order(question, table) if by_unit else table).__arrow_c_stream__())
    return maker.finish()


def exact_numbers(question, number, parts):
    """The bytes of a merged part that hold its groups and their whole numbers, without the units."""
    part = _lastbit.merge_parts(question, number, parts)
    name = b"lastbit partial answer 1\n"
    assert part.startswith(name)
    place = len(name)

    def word():
        nonlocal place
        place += 8
        return int.from_bytes(part[place - 8:place], "little")

    def skip_text():
        nonlocal place
        size = word()
        place += size

    def skip_plain():
        if word() == 1:
            skip_text()
        else:
            word()

    skip_text()  # the digest of the question
    assert word() == 1  # units are known
    for _ in range(2 * word()):
        skip_plain()
    for _ in range(2 * word()):
        word()
    return part[place:-64]


def require_kernels_numbers(question, by_unit, parts, table):
    """Parts that came back are equal to what the kernel makes of the same rows. A frame may have no partition."""
    expected = local_parts(question, by_unit, table)
    found = parts or [[] for _ in expected]
    assert len(found) == len(expected) > 0
    for number, part in enumerate(expected):
        assert exact_numbers(question, number, found[number]) == exact_numbers(question, number, [part])


def key_texts(question):
    """How the secret key of a question would look in a log."""
    start = len(b"lastbit question 1\n") + 8
    key = question[start:start + 32]
    words = [int.from_bytes(key[place:place + 8], "little") for place in range(0, 32, 8)]
    return [key, key[:8], key.hex().encode(), *(str(word).encode() for word in words)]
