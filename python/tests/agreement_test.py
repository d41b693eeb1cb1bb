"""The same table in every form gives the same exact numbers, which are those of the definition.

Noise of so large an epsilon rounds to nothing. The largest is that of SUM by id: an id moves it by at most 10 * 9 *
1000, and it has a fifth of the epsilon, so its scale is 4.5e-4. It reaches 1/2 with a probability of exp(-1111). The
tests look at some ten thousand numbers, so a false alarm has a probability below 1e-470.
"""

import datetime
import itertools
import math
import random

import pytest

import lastbit

EPSILON = 10**9
KEYS = ["flu", "FLU", "flu ", "é", "e\u0301", "", "a\"b'c", "x" * 20, "\U0001f600"]
NUMBERS = [0, 1, -1, 7, 1000, -1000, 1001, -1001, 2**53 + 1, 2**63 - 1, -(2**63)]
REALS = [0.0, -0.0, 0.5, 1.5, -2.5, 1e300, -1e300, 5e-324, math.inf, -math.inf, math.nan]
DAYS = [datetime.date(1, 1, 1), datetime.date(1969, 12, 31), datetime.date(2024, 2, 29), datetime.date(9999, 12, 31)]
COLUMNS = {"k": {"keys": KEYS}, "n": {"lower": -1000, "upper": 1000}}
STATEMENT = (
    "SELECT k, COUNT(*) AS people, COUNT(n) AS numbers, SUM(n) AS sum, COUNT(x) AS reals, COUNT(d) AS days "
    "FROM people GROUP BY k"
)
CONDITION = "SELECT COUNT(*) AS n FROM people WHERE x >= 0.5 AND NOT b"


def table_of(dice):
    def column(values, missing=0.2):
        return [None if dice.random() < missing else dice.choice(values) for _ in range(size)]

    size = dice.choice([0, 1, 2, 40, 300])
    return {
        "id": [dice.choice([3, -5, 2**62]) + i for i in range(size)],
        "k": column(KEYS + ["not listed", "fLU"]),
        "n": column(NUMBERS),
        "x": column(REALS),
        "d": column(DAYS),
        "b": column([True, False]),
    }


def truth_of(table):
    rows = list(zip(*table.values()))
    groups = []
    for key in KEYS:
        own = [row for row in rows if row[1] == key]
        numbers = [max(-1000, min(1000, row[2])) for row in own if row[2] is not None]
        reals = [row[3] for row in own if row[3] is not None and not math.isnan(row[3])]
        days = [row[4] for row in own if row[4] is not None]
        groups.append((key, len(own), len(numbers), sum(numbers), len(reals), len(days)))
    kept = [row for row in rows if row[3] is not None and row[3] >= 0.5 and row[5] is False]
    return groups, len(kept)


def forms_of(table, folder, dice):
    """Each form in which programs hold this table, by name."""
    pyarrow = pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    duckdb = pytest.importorskip("duckdb")
    from pyarrow import parquet

    types = [pyarrow.int64(), pyarrow.string(), pyarrow.int64(), pyarrow.float64(), pyarrow.date32(), pyarrow.bool_()]
    whole = pyarrow.table(table, schema=pyarrow.schema(list(zip(table, types))))
    cut = dice.randint(0, whole.num_rows)
    extra = pyarrow.concat_tables([whole.slice(0, min(3, whole.num_rows)), whole])
    parquet.write_table(whole, folder / "people.parquet")
    database = duckdb.connect()
    database.register("people", whole)
    return {
        "pyarrow": whole,
        "chunks": pyarrow.concat_tables([whole.slice(0, cut), whole.slice(cut)]),
        "slice": extra.slice(min(3, whole.num_rows)),
        "codes": whole.set_column(1, "k", whole["k"].dictionary_encode()),
        "views": whole.set_column(1, "k", whole["k"].cast(pyarrow.string_view())),
        "polars": polars.from_arrow(whole),
        "pandas": whole.to_pandas(types_mapper=pandas.ArrowDtype),
        "duckdb": database.sql("SELECT * FROM people"),
        "parquet": folder / "people.parquet",
    }


def answers(form, unit, ledger):
    # No id has more rows, so that these limits leave out nothing.
    limits = {} if unit == "row" else {"max_rows": 10, "max_groups": 9}
    named = {} if hasattr(form, "joinpath") else {"name": "people"}
    session = lastbit.Session(form, unit=unit, ledger=ledger, columns=COLUMNS, **limits, **named)
    groups = session.query(STATEMENT, epsilon=EPSILON, again=True, same_people=True)
    kept = session.query(CONDITION, epsilon=EPSILON, again=True, same_people=True)
    return [tuple(row.values()) for row in groups], kept[0]["n"]


@pytest.mark.parametrize("seed", range(12))
def test_every_form_gives_the_numbers_of_the_definition(tmp_path, seed):
    dice = random.Random(seed)
    table = table_of(dice)
    expected = truth_of(table)
    ledgers = {
        unit: lastbit.ledger.create(tmp_path / f"{unit}.ledger", epsilon=100 * EPSILON) for unit in ("row", "id")
    }
    forms = forms_of(table, tmp_path, dice)
    for (name, form), unit in itertools.product(forms.items(), ledgers):
        assert answers(form, unit, ledgers[unit]) == expected, (name, unit)
