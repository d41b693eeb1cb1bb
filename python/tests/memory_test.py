"""Sessions over tables in memory, good and bad."""

import pytest

import lastbit
from support import COLUMNS, RELEASE, STATEMENT, STATISTICS, expect_code, rows_of


def tables():
    def arrow():
        return pytest.importorskip("pyarrow").table(rows_of())

    def batches():
        pyarrow = pytest.importorskip("pyarrow")
        return pyarrow.RecordBatchReader.from_batches(arrow().schema, arrow().to_batches(max_chunksize=7))

    def polars():
        return pytest.importorskip("polars").DataFrame(rows_of())

    def pandas():
        pytest.importorskip("pyarrow")
        return pytest.importorskip("pandas").DataFrame(rows_of())

    def duckdb():
        pytest.importorskip("pyarrow")
        database = pytest.importorskip("duckdb").connect()
        table = arrow()
        database.register("people", table)
        return database.sql("SELECT * FROM people")

    return [arrow, batches, polars, pandas, duckdb]


@pytest.mark.parametrize("make", tables(), ids=lambda make: make.__name__)
def test_tables_in_memory(ledger, make):
    table = make()
    if not hasattr(table, "__arrow_c_stream__"):
        pytest.skip(f"this {type(table).__module__} has no __arrow_c_stream__")
    columns = {name: {key: value for key, value in column.items() if key != "type"} for name, column in COLUMNS.items()}
    session = lastbit.Session(table, unit="row", ledger=ledger, name="people", columns=columns)
    assert list(session.columns) == ["person", "sex", "income"]
    answer = session.query(STATEMENT, epsilon=1)
    assert [row["sex"] for row in answer] == ["f", "m"]
    assert all(abs(row["n"] - 250) <= 120 for row in answer)
    again = session.query("SELECT COUNT(*) AS n FROM people WHERE income >= 1000", epsilon=1)  # read a second time
    assert abs(again[0]["n"] - sum(income >= 1000 for income in rows_of()["income"])) <= 40
    assert [entry.data for entry in ledger.entries] == ["people", "people"]
    assert session.left.epsilon == 0


def test_units_in_memory(ledger):
    pyarrow = pytest.importorskip("pyarrow")
    rows = {"person": [i % 50 for i in range(500)], "income": [1000] * 500}
    session = lastbit.Session(pyarrow.table(rows), unit="person", max_rows=2, ledger=ledger, name="people")
    answer = session.query("SELECT COUNT(*) AS n FROM people", epsilon=2)
    assert abs(answer[0]["n"] - 100) <= 40


def test_tables_outlive_their_names(ledger):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame(rows_of())
    session = lastbit.Session(frame, unit="row", ledger=ledger, name="people")
    session.query("SELECT COUNT(*) FROM people", epsilon="0.1")
    del frame
    answer = session.query("SELECT COUNT(*) AS n FROM people", epsilon=1)
    assert abs(answer[0]["n"] - 500) <= 40


def test_copies_are_safe_from_changes_in_place(ledger):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame(rows_of())
    session = lastbit.Session(frame.copy(), unit="row", ledger=ledger, name="people")
    frame.loc[:, "income"] = -1
    answer = session.query("SELECT COUNT(*) FILTER (WHERE income = -1) AS n FROM people", epsilon=1)
    assert abs(answer[0]["n"]) <= 40


def test_same_dataset_has_the_same_digest(folder, ledger):
    pyarrow = pytest.importorskip("pyarrow")
    plans = [
        lastbit.Session(pyarrow.table(rows_of(size)), unit="row", ledger=ledger, name=name).plan(
            "SELECT COUNT(*) FROM data", epsilon="0.1").document["digest"]
        for size, name in ((500, "people"), (3, "people"), (500, "others"))
    ]
    assert plans[0] == plans[1] != plans[2]


def test_data_in_memory_needs_a_name(ledger):
    pyarrow = pytest.importorskip("pyarrow")
    for name in (None, "", 5, b"x", "a\nb", "a\0b", "\x1b[31m", "\x7f", "\ud800", "x" * 201):
        expect_code("bad parameter", lastbit.Session, pyarrow.table(rows_of()), unit="row", ledger=ledger, name=name)
    expect_code("bad parameter", lastbit.Session, pyarrow.table(rows_of()), unit="row", ledger=ledger, name="x",
                source={"delimiter": ";"})


@pytest.mark.parametrize("name", ["..", ".", "a/b", "a\"b", "people; DROP", "Köln", "x" * 200])
def test_names_are_only_names(folder, ledger, monkeypatch, name):
    pyarrow = pytest.importorskip("pyarrow")
    monkeypatch.chdir(folder)
    (folder / "keys.csv").write_text("sex\nf\nm\n")  # keys are looked up in the working directory
    keys = {"sexes": {"columns": ["sex"], "file": "keys.csv"}}
    session = lastbit.Session(pyarrow.table(rows_of()), unit="row", ledger=ledger, name=name, keys=keys)
    answer = session.query("SELECT sex, COUNT(*) FROM data GROUP BY sex", epsilon=1)
    assert [row["sex"] for row in answer] == ["f", "m"] and ledger.entries[0].data == name


def test_files_in_memory_format_are_refused(folder, ledger):
    text = (RELEASE + STATISTICS).replace('"people.csv"', '{ format = "arrow", name = "people" }')
    (folder / "release.toml").write_text(text)
    expect_code("not supported", lastbit.release, folder / "release.toml")
    assert ledger.entries == ()


SECRET = "secret-salary"


def bad_tables():
    def mixed():
        return pytest.importorskip("pandas").DataFrame({"a": [1, SECRET, 2.5]})

    def huge():
        return pytest.importorskip("pandas").DataFrame({"a": [2**70, 1]})

    def twice():
        pyarrow = pytest.importorskip("pyarrow")
        return pyarrow.Table.from_arrays([pyarrow.array([1]), pyarrow.array([2])], names=["a", "a"])

    return [mixed, huge, twice]


@pytest.mark.parametrize("make", bad_tables(), ids=lambda make: make.__name__)
def test_bad_tables_are_refused_without_their_values(ledger, make):
    pytest.importorskip("pyarrow")
    error = expect_code("bad input", lastbit.Session, make(), unit="row", ledger=ledger, name="people")
    assert SECRET not in str(error) and error.__cause__ is None and error.__context__ is None


def odd_columns():
    pyarrow = pytest.importorskip("pyarrow")
    return {
        "nested": pyarrow.array([[1], [2]]),
        "bytes": pyarrow.array([b"a", b"b"]),
    }


@pytest.mark.parametrize("name", ["nested", "bytes"])
def test_columns_that_no_release_can_use(ledger, name):
    pyarrow = pytest.importorskip("pyarrow")
    session = lastbit.Session(pyarrow.table({**odd_columns(), "a": [1, 2]}), unit="row", ledger=ledger, name="people")
    expect_code("bad input", session.query, f'SELECT AVG(clamp("{name}", 0, 1)) FROM people', epsilon=1)
    session.query("SELECT AVG(clamp(a, 0, 1)) FROM people", epsilon=1)  # the others can be used


def test_times_with_a_zone_are_instants(ledger):
    pyarrow = pytest.importorskip("pyarrow")
    times = pyarrow.array([631_148_400_000_000] * 500, pyarrow.timestamp("us", tz="Europe/Berlin"))  # 1989 in UTC
    session = lastbit.Session(pyarrow.table({"t": times}), unit="row", ledger=ledger, name="people")
    answer = session.query("SELECT COUNT(*) FILTER (WHERE year(t) = 1989) AS n FROM people", epsilon=1)
    assert abs(answer[0]["n"] - 500) <= 40


def test_memory_and_parquet_differ_as_documented(folder, ledger):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({
        "t": pyarrow.array([-999] * 500, pyarrow.timestamp("ns", tz="UTC")),
        "d": pyarrow.array([2**64] * 500, pyarrow.decimal128(38, 0)),
    })
    parquet.write_table(table, folder / "people.parquet")
    statement = "SELECT COUNT(*) FILTER (WHERE {}) AS n FROM people"
    # Nanoseconds are cut off towards the past, and in a Parquet file towards 1970. Decimals are read alike.
    for data, sizes in ((table, (500, 500)), (folder / "people.parquet", (0, 500))):
        for condition, size in zip(("t < TIMESTAMP '1970-01-01 00:00'", "d > 9223372036854775807"), sizes):
            session = lastbit.Session(data, unit="row", ledger=ledger, name="people")
            answer = session.query(statement.format(condition), epsilon="0.5", again=True, same_people=True)
            assert abs(answer[0]["n"] - size) <= 80, condition


def test_what_is_no_table(folder, ledger):
    class Liar:
        def __init__(self, given):
            self.given = given

        def __arrow_c_stream__(self, requested_schema=None):
            return self.given

    class Failing:
        def __arrow_c_stream__(self, requested_schema=None):
            raise ValueError(SECRET)

    for data in ({"a": [1]}, [1, 2], None, 7):
        expect_code("bad parameter", lastbit.Session, data, unit="row", ledger=ledger, name="people")
    for data in (Liar("not a capsule"), Liar(None), Failing()):
        error = expect_code("bad input", lastbit.Session, data, unit="row", ledger=ledger, name="people")
        assert SECRET not in str(error) and error.__context__ is None


def test_lazy_frames_are_named(ledger):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(rows_of()).lazy()
    if hasattr(frame, "__arrow_c_stream__"):
        pytest.skip("this polars gives streams of lazy frames")
    error = expect_code("bad parameter", lastbit.Session, frame, unit="row", ledger=ledger, name="people")
    assert "collect()" in error.remedy
