"""A frame of Spark gives the exact integers of the kernel under the same key, and those of the definition.

The parts that come back from Spark are compared with those that the kernel makes of the same rows in this process, for
the same question with the same secret key: all bytes of all groups. That kernel is tested against the literal
definition in C++ (parts_engine_test.cc), and here against numbers that Python computes, with noise that rounds to
nothing: its scale is at most 1e-3, so that it reaches 1/2 with a probability below exp(-500).
"""

import decimal
import math
import random

import pyarrow
import pyarrow.compute
import pytest
from pyarrow import parquet

import lastbit
from hard_table import SCHEMA, TEXTS, exact_numbers, hard_table, recorded, require_kernels_numbers
from lastbit import _spark_rows
from support import expect_code

MASTER = "local[2]"
COLUMNS = {"k": {"keys": [text for text in TEXTS if text != "z"]}, "n": {"lower": -1000, "upper": 1000},
           "x": {"lower": -2, "upper": 100}}
STATEMENTS = [
    "SELECT k, COUNT(*) AS people, COUNT(n) AS a, SUM(n) AS b, COUNT(x) AS c, COUNT(d) AS d FROM people GROUP BY k",
    "SELECT COUNT(*) AS n, SUM(x) AS a, AVG(clamp(price, -100, 100)) AS b, MEDIAN(clamp(x, 0, 10)) AS c, "
    "SUM(clamp(f, -1, 1)) AS d, SUM(clamp(s, -5, 5)) AS e, SUM(clamp(y, -5, 5)) AS f "
    "FROM people WHERE NOT b OR x >= 0.5",
    "SELECT COUNT(*) FILTER (WHERE hour(t) = 0) AS a, "
    "COUNT(*) FILTER (WHERE local < TIMESTAMP '2024-03-31 02:31') AS b, COUNT(DISTINCT k) AS c, COUNT(*) FILTER (WHERE d = DATE '9999-12-31') AS d FROM people",
    "SELECT COUNT(*) AS n FROM people",
]
UNITS = ["row", "id", "who", "d", "b", "s", "price", "t", "joined", "half"]
DERIVED = {"joined": "who || '/' || k", "half": "n // 2"}


def session_of(frame, unit, ledger, **limits):
    bounds = {} if unit == "row" else {"max_rows": 2, "max_groups": 2, **limits}
    return lastbit.Session(frame, unit=unit, ledger=ledger, columns=COLUMNS, derive=DERIVED, name="people", **bounds)


@pytest.mark.parametrize("unit", UNITS)
def test_exact_integers_are_those_of_the_kernel(spark, tmp_path, unit):
    dice = random.Random(unit)
    ledger = lastbit.ledger.create(tmp_path / "people.ledger", epsilon=10**15)
    table = hard_table(dice, 700)
    frame = spark.createDataFrame(table).repartition(4)
    session = session_of(frame, unit, ledger)
    in_memory = session_of(table, unit, ledger)
    for statement in STATEMENTS if unit in ("row", "who") else STATEMENTS[:2]:
        plans = [of.plan(statement, epsilon=1).document for of in (session, in_memory)]
        assert plans[0] == plans[1]
        with recorded() as asked:
            session.query(statement, epsilon=1, again=True)
        [(question, _, by_unit, parts)] = asked
        assert by_unit == (unit != "row")
        require_kernels_numbers(question, by_unit, parts, table)


FEW = {"k": {"keys": TEXTS}, "y": {"lower": -12, "upper": 12}, "huge": {"lower": -1, "upper": 1}}
FEW_STATEMENTS = [
    "SELECT k, COUNT(*) AS people, SUM(y) AS a, MEDIAN(y) AS b, COUNT(y) AS c FROM people GROUP BY k",
    "SELECT AVG(y) AS a, SUM(huge) AS b, COUNT(*) FILTER (WHERE b) AS c FROM people WHERE k < 'm' OR y > 0",
    "SELECT COUNT(*) AS n FROM people",
]


@pytest.mark.parametrize("size", [0, 1, 700])
def test_rows_that_are_merged_give_the_same_integers(spark, ledger, monkeypatch, size):
    table = hard_table(random.Random(size), size)
    whole = [value and decimal.Decimal(value % 3 - 1) for value in table["n"].to_pylist()]
    table = table.append_column("huge", pyarrow.array(whole, pyarrow.decimal128(38, 0)))
    collated = spark.createDataFrame(table).selectExpr("*", "COLLATE(k, 'UNICODE_CI') AS loose").drop("k")
    frame = collated.withColumnRenamed("loose", "k").repartition(4)
    merged = []
    original = _spark_rows._Asker._merged
    monkeypatch.setattr(_spark_rows._Asker, "_merged", lambda *words: merged.append(1) or original(*words))
    for columns in (FEW, {name: what for name, what in FEW.items() if name != "huge"}):
        session = lastbit.Session(frame, unit="row", ledger=ledger, columns=columns, name="people")
        for statement in FEW_STATEMENTS if "huge" in columns else FEW_STATEMENTS[::2]:
            with recorded() as asked:
                session.query(statement, epsilon=1, again=True)
            [(question, _, by_unit, parts)] = asked
            require_kernels_numbers(question, by_unit, parts, table)
    assert len(merged) == len(FEW_STATEMENTS) + 2


def test_a_source_that_is_a_database_is_not_asked_to_group(spark, ledger, tmp_path):
    """For Derby `flu` and `flu ` are equal. Merged there, one row more could turn all of them into the other key."""
    url = f"jdbc:derby:memory:{tmp_path.name};create=true"
    settings = {"": "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog", ".url": url,
                ".driver": "org.apache.derby.jdbc.EmbeddedDriver"}
    java = spark.sparkContext._jvm.java
    java.lang.System.setProperty("derby.stream.error.file", str(tmp_path / "derby.log"))
    for name, value in settings.items():
        spark.conf.set("spark.sql.catalog.derby" + name, value)
    frame = spark.createDataFrame([("flu ",)] * 5 + [("flu",)] * 3, "k string")
    connection = java.sql.DriverManager.getConnection(url)
    try:
        connection.createStatement().execute("CREATE TABLE people (k VARCHAR(9))")
        for row in frame.collect():
            connection.createStatement().execute(f"INSERT INTO people VALUES ('{row.k}')")
    finally:
        connection.close()
    stored = spark.table("derby.APP.PEOPLE")
    assert stored.groupBy("K").count().count() == 1  # as Derby groups
    columns = {"K": {"keys": ["flu", "flu "]}}
    session = lastbit.Session(stored, unit="row", ledger=ledger, columns=columns, name="stored")
    answer = session.query("SELECT K, COUNT(*) AS n FROM stored GROUP BY K", epsilon=10**9)
    assert [row["n"] for row in answer] == [3, 5]


@pytest.mark.parametrize("size", [0, 1, 300])
def test_numbers_are_those_of_the_definition(spark, ledger, tmp_path, size):
    table = hard_table(random.Random(size), size)
    ids = pyarrow.array(range(size), pyarrow.int64())
    table = table.set_column(0, "id", ids)
    parquet.write_table(table, tmp_path / "people.parquet")
    rows = table.to_pylist()
    expected = []
    for key in COLUMNS["k"]["keys"]:
        own = [row for row in rows if row["k"] == key]
        numbers = [max(-1000, min(1000, row["n"])) for row in own if row["n"] is not None]
        reals = [row["x"] for row in own if row["x"] is not None and not math.isnan(row["x"])]
        days = [row["d"] for row in own if row["d"] is not None]
        expected.append((key, len(own), len(numbers), sum(numbers), len(reals), len(days)))
    for frame in (spark.createDataFrame(table, schema=None), spark.read.parquet(str(tmp_path / "people.parquet"))):
        for unit in ("row", "id"):
            session = session_of(frame, unit, lastbit.ledger.create(tmp_path / f"{unit}{id(frame)}", epsilon=10**15))
            answer = session.query(STATEMENTS[0], epsilon=10**10)
            assert [tuple(row.values()) for row in answer] == expected, unit


def test_empty_partitions_are_parts_too(spark, ledger):
    nobody, somebody = spark.range(40).where("1 > 2"), spark.range(40).where("id = 7").repartition(5)
    few = {"row": [(spark.range(0, 1, numPartitions=4), 1), (nobody, 0)], "id": [(somebody, 1), (nobody, 0)]}
    for unit, frames in few.items():
        limits = {} if unit == "row" else {"max_rows": 1}
        for frame, size in frames:
            ledger = lastbit.ledger.create(f"{ledger.path}+", epsilon=10**15)
            session = lastbit.Session(frame, unit=unit, ledger=ledger, name="few", **limits)
            assert session.query("SELECT COUNT(*) AS n FROM few", epsilon=10**9).rows == [{"n": size}]


MERGED = "SELECT k, COUNT(*) AS n FROM people GROUP BY k"
SETTINGS = [
    {"spark.sql.adaptive.enabled": "false"},
    {"spark.sql.adaptive.enabled": "false", "spark.sql.shuffle.partitions": "1"},
    {"spark.sql.adaptive.coalescePartitions.enabled": "false", "spark.sql.shuffle.partitions": "12"},
    {"spark.sql.shuffle.partitions": "2000"},
    {"spark.sql.execution.arrow.maxRecordsPerBatch": "1", "spark.sql.codegen.wholeStage": "false"},
    {"spark.sql.retainGroupColumns": "false", "spark.sql.groupByAliases": "false", "spark.sql.ansi.enabled": "false"},
]
# Where each row is a unit, Spark merges rows with the same key, and adds up two columns.
SUMS = "SELECT k, AVG(x) AS a, COUNT(n) AS b, SUM(n) AS c, COUNT(*) AS d FROM people GROUP BY k"


@pytest.mark.parametrize("unit", ["row", "who"])
@pytest.mark.parametrize("settings", SETTINGS, ids=range(len(SETTINGS)))
def test_settings_of_spark_change_nothing(spark, ledger, settings, unit):
    table = hard_table(random.Random(unit), 200)
    whole = spark.createDataFrame(table).repartition(4)
    lonely, first = whole.repartition(9).where("id = 7"), table.filter(pyarrow.compute.equal(table["id"], 7))
    nobody = spark.createDataFrame(spark.sparkContext.emptyRDD(), whole.schema)
    assert nobody.rdd.getNumPartitions() == 0 and 0 < len(first) < len(table)
    before = {name: spark.conf.get(name) for name in settings}
    try:
        for name, value in settings.items():
            spark.conf.set(name, value)
        for frame, rows in ((whole, table), (lonely, first), (nobody, table.slice(0, 0))):
            for statement in (STATEMENTS[0], MERGED, SUMS):
                with recorded() as asked:
                    session_of(frame, unit, ledger).query(statement, epsilon=1, again=True)
                [(question, columns, by_unit, parts)] = asked
                only_keys = unit == "row" and statement != STATEMENTS[0]
                assert (columns == ["k"]) == only_keys, "x and n are added up, or not"
                require_kernels_numbers(question, by_unit, parts, rows)
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)


def test_names_are_compared_exactly(spark, ledger):
    frame = spark.sql("SELECT id AS a, id + 1 AS `A`, id AS `b.c`, id AS `d``e`, id AS `ä \"x` FROM range(40)")
    columns = {name: {"lower": 0, "upper": 100} for name in frame.columns}
    session = lastbit.Session(frame, unit="row", ledger=ledger, columns=columns, name="names")
    statement = 'SELECT SUM(a) AS p, SUM("A") AS q, SUM("b.c") AS r, SUM("d`e") AS s FROM data'
    answer = session.query(statement, epsilon=10**9)
    assert answer.rows == [{"p": 780, "q": 820, "r": 780, "s": 780}]
    twice = spark.sql("SELECT id AS a, id AS a FROM range(4)")
    expect_code("bad input", lastbit.Session, twice, unit="row", ledger=ledger, name="twice")


def test_collations_change_nothing(spark, ledger):
    texts = [text for text in TEXTS for _ in range(3)] + [None]
    plain = spark.createDataFrame([(text, i % 7) for i, text in enumerate(texts)], "k string, n bigint").repartition(3)
    collated = plain.selectExpr("collate(k, 'UTF8_LCASE') AS k", "n")
    assert collated.groupBy("k").count().count() < plain.groupBy("k").count().count()  # as Spark compares
    columns = {"k": {"keys": TEXTS}}
    rows = lastbit.Session(collated, unit="row", ledger=ledger, columns=columns, name="a")
    answer = rows.query("SELECT k, COUNT(*) AS n FROM a GROUP BY k", epsilon=10**9)
    assert {row["k"]: row["n"] for row in answer} == dict.fromkeys(TEXTS, 3)
    units = lastbit.Session(collated, unit="k", max_rows=1, ledger=ledger, name="a")
    one = units.query("SELECT COUNT(*) AS n FROM a", epsilon=10**9, same_people=True)
    assert one[0]["n"] == len(TEXTS)


def test_types_that_no_release_can_use_are_named(spark, ledger):
    frame = spark.sql("SELECT id, array(id) AS `list`, cast('x' AS binary) AS bytes, named_struct('a', 1) AS pair, "
                      "map('a', 1) AS `map`, INTERVAL '1' DAY AS span, NULL AS nothing FROM range(10)")
    session = lastbit.Session(frame, unit="row", ledger=ledger, name="types")
    assert session.columns["list"] == "array<bigint>" and session.columns["pair"] == "struct<a:int>"
    for name in ("list", "bytes", "pair", "map", "span"):
        error = expect_code("bad input", session.query, f'SELECT COUNT("{name}") FROM types', epsilon=1)
        assert "binary" in str(error) or session.columns[name] in str(error)
    assert ledger.entries == ()
    answer = session.query("SELECT COUNT(*) AS n, COUNT(nothing) AS m FROM types", epsilon=10**9)
    assert answer.rows == [{"n": 10, "m": 0}]


def test_the_time_zone_of_the_session_changes_nothing(spark, ledger):
    frame = spark.createDataFrame(hard_table(random.Random(3), 200))
    session = session_of(frame, "row", ledger)
    before = spark.conf.get("spark.sql.session.timeZone")
    answers = []
    try:
        for zone in ("UTC", "Asia/Tokyo"):
            spark.conf.set("spark.sql.session.timeZone", zone)
            with recorded() as asked:
                session.query(STATEMENTS[2], epsilon=1, again=True)
            [(question, _, _, parts)] = asked
            answers.append(exact_numbers(question, 0, parts[0])[:8 * 5])
    finally:
        spark.conf.set("spark.sql.session.timeZone", before)
    assert answers[0] == answers[1]


def test_arrow_and_spark_have_the_same_schema(spark, ledger):
    table = hard_table(random.Random(1), 3)
    frame = spark.createDataFrame(table)
    assert [column.name for column in SCHEMA] == frame.columns
    ours, theirs = (lastbit.Session(data, unit="row", ledger=ledger, name="x").columns for data in (frame, table))
    assert ours == theirs and len(ours) == len(SCHEMA)
