"""A table of hard values, and the forms in which engines take it. Its rows are the same in every run."""

import datetime
import decimal
import json
import math
import random

TEXTS = ["flu", "FLU", "flu ", " flu", "é", "e\u0301", "", "a\"b'c", "x" * 20, "\U0001f600", "\uffff", "z", "NULL"]
NUMBERS = [0, 1, -1, 7, 250, 1000, -1000, 1001, -1001, 2**53 + 1, 2**63 - 1, -(2**63)]
REALS = [0.0, -0.0, 0.5, 1.5, -2.5, 1e300, -1e300, 5e-324, math.inf, -math.inf, math.nan, 0.125, 0.375, 0.0625, 100.0]
# Halfway between multiples of the grid that releases of the corpus have, and beside that.
TIES = [(2 * step + 1) * 2.0**-34 for step in (-3 * 2**31, -1, 0, 7, 2**39, 25 * 2**35)]
REALS += [real for tie in TIES for real in (tie, math.nextafter(tie, -math.inf), math.nextafter(tie, math.inf))]
DAYS = [datetime.date(1, 1, 1), datetime.date(1969, 12, 31), datetime.date(2024, 2, 29), datetime.date(9999, 12, 31)]
PRICES = [decimal.Decimal(text) for text in ("0.00", "-0.01", "1.00", "999999999999999999.99", "-12345678901234567.89")]
WIDE = decimal.Context(prec=50)
HUGE = ["0", "7", "-8", "9" * 38, "-" + "9" * 38, str(2**63 - 1), str(2**63), str(2**64 + 1), "1" + "0" * 37]
HUGE = [decimal.Decimal(text) for text in HUGE]
BIG = [WIDE.scaleb(number, -4) for number in HUGE] + [decimal.Decimal("0.0625")]
# Units have few rows each, so that most rows count, and one that is missing shows.
PEOPLE = TEXTS + [text + end for text in TEXTS for end in ("1", "2", "3", "1 ", "\u0301", "a", "A")]
IDS = NUMBERS + [2**62 + i for i in range(60)] + list(range(-40, 40))
HUGE_IDS = HUGE + [decimal.Decimal(int(number) // 7 + i) for number in HUGE for i in range(12)]
UTC = datetime.timezone.utc
TIMES = [
    datetime.datetime(1970, 1, 1, 0, 30, tzinfo=UTC), datetime.datetime(2024, 3, 31, 2, 30, tzinfo=UTC),
    datetime.datetime(1582, 10, 10, 12, 0, 0, 1, tzinfo=UTC),
    datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
]
# The name of each column; its type for the literal definition, in DuckDB and in PostgreSQL; its values.
COLUMNS = [
    ("id", "integer", "BIGINT", "bigint", IDS),
    ("who", "text", "VARCHAR", "citext", PEOPLE),
    ("k", "text", "VARCHAR", "text COLLATE loose", TEXTS),
    ("n", "integer", "BIGINT", "bigint", NUMBERS),
    ("x", "real", "DOUBLE", "double precision", REALS),
    ("d", "date", "DATE", "date", DAYS),
    ("b", "boolean", "BOOLEAN", "boolean", [True, False]),
    ("price", "price", "DECIMAL(20, 2)", "numeric(20, 2)", PRICES),
    ("big", "four", "DECIMAL(38, 4)", "numeric(38, 4)", BIG),
    ("huge", "whole", "DECIMAL(38, 0)", "numeric(38, 0)", HUGE_IDS),
    ("t", "timestamp", "TIMESTAMPTZ", "timestamp with time zone", TIMES),
]
NAMES = [column[0] for column in COLUMNS]


def hard_rows(size):
    """Some rows occur twice, and some fields are missing."""
    dice = random.Random(size)
    rows = []
    for _ in range(size):
        if rows and dice.random() < 0.1:
            rows.append(dice.choice(rows))
        else:
            rows.append([None if dice.random() < 0.15 else dice.choice(column[4]) for column in COLUMNS])
    return rows


def with_change(rows):
    """The rows with one person less who has flu: what a wrong engine would have."""
    place = next(i for i, row in enumerate(rows) if row[NAMES.index("k")] == "flu" and row[NAMES.index("who")])
    return rows[:place] + rows[place + 1 :]


def plain_text(value):
    """A field as a database or a CSV file writes it."""
    if isinstance(value, float):
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        return "NaN" if math.isnan(value) else repr(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        return value.replace(tzinfo=None).isoformat(" ") + "+00"
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def insertion(rows, table):
    """A statement that both databases read."""

    def field(value):
        return "NULL" if value is None else "'" + plain_text(value).replace("'", "''") + "'"

    texts = ", ".join("(" + ", ".join(map(field, row)) + ")" for row in rows)
    return f"INSERT INTO {table} VALUES {texts};\n" if rows else ""


def duckdb_statements(rows, parquet):
    columns = ", ".join(f"{name} {kind}" for name, _, kind, _, _ in COLUMNS)
    made = f"SET TimeZone = 'UTC';\nCREATE TABLE people ({columns});\n" + insertion(rows, "people")
    return made + f"COPY people TO '{parquet}' (FORMAT parquet);\n"


def postgres_statements(rows, table):
    """The collations there make texts equal that only look alike."""
    columns = ", ".join(f"{name} {kind}" for name, _, _, kind, _ in COLUMNS)
    return f"CREATE TABLE {table} ({columns});\n" + insertion(rows, table)


def csv_text(rows):
    """In a file, numbers beyond all bounds stand for what is infinite."""

    def field(value):
        if value is None:
            return ""
        if isinstance(value, float) and math.isinf(value):
            return "1e309" if value > 0 else "-1e309"
        return '"' + plain_text(value).replace('"', '""') + '"'

    return "".join(",".join(row) + "\n" for row in [NAMES] + [list(map(field, row)) for row in rows])


def rows_as_json(rows):
    """As exact_integers reads it."""

    def field(value, kind):
        if value is None or isinstance(value, (str, float, bool)):
            return value if value is None or isinstance(value, str) else plain_text(value)
        if isinstance(value, datetime.datetime):
            return str((value - datetime.datetime(1970, 1, 1, tzinfo=UTC)) // datetime.timedelta(microseconds=1))
        if isinstance(value, datetime.date):
            return str((value - datetime.date(1970, 1, 1)).days)
        scale = {"price": 2, "four": 4}.get(kind, 0)
        return str(int(WIDE.scaleb(value, scale))) if isinstance(value, decimal.Decimal) else plain_text(value)

    columns = [(name, kind) for name, kind, *_ in COLUMNS]
    kinds = [kind for _, kind in columns]
    return json.dumps({"columns": columns, "rows": [list(map(field, row, kinds)) for row in rows]})


def arrow_table(rows):
    import pyarrow

    types = {
        "integer": pyarrow.int64(), "text": pyarrow.string(), "real": pyarrow.float64(), "date": pyarrow.date32(),
        "boolean": pyarrow.bool_(), "price": pyarrow.decimal128(20, 2), "four": pyarrow.decimal128(38, 4),
        "whole": pyarrow.decimal128(38, 0),
        "timestamp": pyarrow.timestamp("us", "UTC"),
    }
    schema = pyarrow.schema([(name, types[kind]) for name, kind, *_ in COLUMNS])
    columns = {name: [row[place] for row in rows] for place, name in enumerate(NAMES)}
    return pyarrow.table(columns, schema=schema)
