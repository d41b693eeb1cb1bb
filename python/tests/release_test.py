"""The life of a release from Python: plans, ledgers, queries, sessions over files and tables in memory."""

import json
import multiprocessing
import os
import pickle
import signal
import threading
import time
from decimal import Decimal
from fractions import Fraction

import pytest

import lastbit

COLUMNS = {"income": {"type": "integer", "lower": 0, "upper": 2000}, "sex": {"keys": ["f", "m"]}}
STATEMENT = "SELECT sex, COUNT(*) AS n, AVG(income) AS mean FROM people GROUP BY sex"
RELEASE = """version = 1
source = "people.csv"
unit = "row"
budget = { epsilon = 1, ledger = "people.ledger" }
[columns]
income = { type = "integer", lower = 0, upper = 2000 }
sex = { keys = ["f", "m"] }
"""
STATISTICS = """[[statistics]]
name = "people"
kind = "count"
by = "sex"
[[statistics]]
name = "mean_income"
kind = "mean"
column = "income"
"""


def rows_of(size=500):
    return {
        "person": list(range(size)),
        "sex": ["fm"[i % 2] for i in range(size)],
        "income": [i * 37 % 2000 for i in range(size)],
    }


def expect_code(code, function, *arguments, **named):
    with pytest.raises(lastbit.Error) as caught:
        function(*arguments, **named)
    assert caught.value.code == code, str(caught.value)
    return caught.value


@pytest.fixture
def folder(tmp_path):
    data = rows_of()
    lines = [",".join(map(str, row)) for row in zip(*data.values())]
    (tmp_path / "people.csv").write_text("\n".join([",".join(data), *lines]) + "\n")
    (tmp_path / "release.toml").write_text(RELEASE + STATISTICS)
    (tmp_path / "dataset.toml").write_text(RELEASE)
    return tmp_path


@pytest.fixture
def ledger(folder):
    return lastbit.ledger.create(folder / "people.ledger", epsilon=2)


@pytest.fixture
def session(folder, ledger):
    return lastbit.Session(folder / "people.csv", unit="row", ledger=ledger, columns=COLUMNS)


# Ledgers


def test_ledger_has_exact_numbers(folder):
    made = lastbit.ledger.create(folder / "a.ledger", epsilon="1/3", delta="1e-6", description="survey")
    assert made.cap == made.left == lastbit.Cost(epsilon=Fraction(1, 3), delta=Fraction(1, 10**6))
    assert made.spent == lastbit.Cost(epsilon=Fraction(0), delta=Fraction(0))
    assert made.description == "survey" and made.entries == ()
    assert made.verify(made.verify()) == made.verify()
    assert lastbit.ledger.create(folder / "b.ledger", rho="0.5").cap == lastbit.Cost(rho=Fraction(1, 2))


def test_ledger_is_never_started_over(folder, ledger):
    expect_code("bad input", lastbit.ledger.create, ledger.path, epsilon=9)
    assert ledger.cap.epsilon == 2


@pytest.mark.parametrize("budget", [{}, {"epsilon": 1, "rho": 1}, {"delta": "0.1"}, {"epsilon": 0}, {"epsilon": -1},
                                    {"epsilon": 1, "delta": 1}, {"epsilon": "one"}])
def test_impossible_budgets_are_refused(folder, budget):
    expect_code("bad parameter", lastbit.ledger.create, folder / "a.ledger", **budget)
    assert not (folder / "a.ledger").exists()


def test_missing_and_foreign_files_are_no_ledgers(folder):
    for name in ("none.ledger", "people.csv"):
        with pytest.raises(lastbit.Error) as caught:
            lastbit.Ledger(folder / name)
        assert "lastbit ledger" not in str(caught.value)


def test_damage_is_seen(session, ledger):
    session.query(STATEMENT, epsilon="0.1")
    head = ledger.verify()
    data = bytearray(open(ledger.path, "rb").read())
    place = data.index(b"people.csv")
    data[place:place + 6] = b"peopl3"
    open(ledger.path, "wb").write(data)
    expect_code("bad input", ledger.verify, head)
    with pytest.raises(lastbit.Error):
        session.query(STATEMENT, epsilon="0.2")


def test_other_heads_are_refused(ledger):
    with pytest.raises(lastbit.Error):
        ledger.verify("0" * 64)
    expect_code("bad parameter", ledger.verify, "short")


# Releases


def test_plan_spends_nothing(folder, ledger):
    plan = lastbit.plan(folder / "release.toml")
    assert plan.cost == lastbit.Cost(epsilon=Fraction(1)) and plan.left == ledger.cap and plan.pays
    assert set(plan.errors) == {"people", "mean_income"} and all(error > 0 for error in plan.errors.values())
    assert "mean_income" in repr(plan) and "--" not in repr(plan)
    assert ledger.entries == ()
    few = lastbit.plan(folder / "release.toml", rows=10)
    assert few.errors["mean_income"] > plan.errors["mean_income"]
    expect_code("bad parameter", lastbit.plan, folder / "release.toml", rows=0)


def test_release_books_and_answers(folder, ledger):
    released = lastbit.release(folder / "release.toml", out=folder / "report")
    assert released.cost == lastbit.Cost(epsilon=Fraction(1)) and released.left == ledger.left
    assert [entry.id for entry in ledger.entries] == [released.entry] == [1]
    assert [row["statistic"] for row in released] == ["people", "people", "mean_income"]
    assert [row["sex"] for row in released] == ["f", "m", None]
    for row, estimate in zip(released, released.estimates):
        exact = estimate["answer"].exact
        assert row["lower"] <= estimate["answer"].lower <= exact <= estimate["answer"].upper <= row["upper"]
        assert row["answer"] == (int(exact) if exact.denominator == 1 else float(exact))
    assert json.loads((folder / "report" / "release.json").read_text()) == released.document
    assert sorted(os.listdir(folder / "report")) == ["answers.csv", "release.json", "report.html"]
    assert "<html" in released.html and "iframe" in released._repr_html_()
    assert lastbit.last_answers()[-1] == released


def test_earlier_release_is_not_overwritten_and_nothing_is_spent(folder, ledger):
    (folder / "report").mkdir()
    (folder / "report" / "answers.csv").write_text("paid for")
    expect_code("bad input", lastbit.release, folder / "release.toml", out=folder / "report")
    assert ledger.entries == () and (folder / "report" / "answers.csv").read_text() == "paid for"


def test_same_plan_again_needs_a_word(folder, ledger):
    lastbit.release(folder / "release.toml")
    with pytest.raises(lastbit.RefusedError) as caught:
        lastbit.release(folder / "release.toml")
    assert "again=True" in str(caught.value) and "--" not in str(caught.value)
    assert not lastbit.plan(folder / "release.toml").pays
    lastbit.release(folder / "release.toml", again=True)
    with pytest.raises(lastbit.BudgetError):
        lastbit.release(folder / "release.toml", again=True)
    assert len(ledger.entries) == 2 and ledger.left.epsilon == 0


def test_missing_ledger_says_how_to_make_one(folder):
    error = expect_code("bad input", lastbit.release, folder / "release.toml")
    assert 'lastbit.ledger.create(path, epsilon="1")' in error.remedy
    assert lastbit.plan(folder / "release.toml").left is None


def test_another_ledger_pays(folder, ledger):
    other = lastbit.ledger.create(folder / "other.ledger", epsilon=5)
    lastbit.release(folder / "release.toml", ledger=other)
    assert ledger.entries == () and other.spent.epsilon == 1


def test_ledger_of_another_kind_is_refused_before_reading(folder):
    lastbit.ledger.create(folder / "people.ledger", epsilon=5)
    text = (RELEASE + STATISTICS).replace("epsilon = 1", "rho = 1")
    (folder / "release.toml").write_text(text)
    (folder / "people.csv").write_text("person,sex,income\n\"")  # reading it would fail
    error = expect_code("bad input", lastbit.release, folder / "release.toml")
    assert "people.ledger" in error.place


def test_inspection_is_private(folder):
    seen = lastbit.inspect(folder / "release.toml")
    assert repr(seen).startswith("PRIVATE") and seen.document["rows"] == 500
    with pytest.raises(TypeError):
        pickle.dumps(seen)


@pytest.mark.parametrize("limits", [{"memory": "much"}, {"memory": 0}, {"memory": True}, {"threads": 0},
                                    {"threads": "2"}])
def test_wrong_limits_are_refused(folder, ledger, limits):
    expect_code("bad parameter", lastbit.release, folder / "release.toml", **limits)
    assert ledger.entries == ()


def test_limits_are_used(folder, ledger):
    lastbit.release(folder / "release.toml", memory="500MB", threads=1, spill=folder)
    assert sorted(os.listdir(folder)) == sorted(
        ["dataset.toml", "people.csv", "people.ledger", "release.toml"])


def test_missing_file_is_an_error(folder):
    expect_code("bad input", lastbit.plan, folder / "none.toml")


# Queries


def test_query_of_a_dataset(folder, ledger):
    answer = lastbit.query(folder / "dataset.toml", STATEMENT.replace("people", "data"), epsilon="0.1")
    assert answer.columns == ("sex", "n", "mean") and [row["sex"] for row in answer] == ["f", "m"]
    assert answer.cost.epsilon == Fraction(1, 10) and ledger.spent.epsilon == Fraction(1, 10)
    session = lastbit.Session(folder / "dataset.toml")
    assert session.left == ledger.left and list(session.columns) == ["person", "sex", "income"]
    session.query("SELECT COUNT(*) FROM data", epsilon="0.1")
    assert ledger.spent.epsilon == Fraction(1, 5)
    expect_code("bad parameter", lastbit.Session, folder / "dataset.toml", unit="row")


@pytest.mark.parametrize("price", [{}, {"epsilon": 1, "rho": 1}, {"epsilon": 0}, {"epsilon": "-1"},
                                   {"epsilon": 1, "discover_delta": 1}, {"epsilon": "a"}])
def test_impossible_prices_are_refused(session, ledger, price):
    expect_code("bad parameter", session.query, STATEMENT, **price)
    expect_code("bad parameter", session.plan, STATEMENT, **price)
    assert ledger.entries == ()


def test_session_plans_and_answers(session, ledger):
    plan = session.plan(STATEMENT, epsilon="0.1")
    assert plan.cost.epsilon == Fraction(1, 10) and plan.left == session.left and ledger.entries == ()
    answer = session.query(STATEMENT, epsilon="0.1")
    assert answer.document["digest"] == plan.document["digest"]
    assert session.left.epsilon == Fraction(19, 10)
    assert "spent" in repr(answer).lower() and "\x1b" not in repr(answer)
    assert "<table>" in answer._repr_html_() and lastbit.last_answers()[-1] == answer
    assert ledger.entries[0].data == "people.csv" and ledger.entries[0].unit == "row"


def test_answers_have_the_right_size(session):
    # Noise of scale 1 is above 40 with probability e^-40.
    answer = session.query("SELECT sex, COUNT(*) AS n FROM people GROUP BY sex", epsilon=1)
    assert all(abs(row["n"] - 250) <= 40 for row in answer)


def test_markup_in_keys_is_harmless(folder, ledger):
    columns = {"sex": {"keys": ["<b>f", "m"]}}
    session = lastbit.Session(folder / "people.csv", unit="row", ledger=ledger, columns=columns)
    answer = session.query("SELECT sex, COUNT(*) FROM people GROUP BY sex", epsilon=1)
    assert "<b>" not in answer._repr_html_() and "&lt;b&gt;f" in answer._repr_html_()


def test_units_are_people(folder, ledger):
    session = lastbit.Session(folder / "people.csv", unit="person", max_rows=1, max_groups=1, ledger=ledger,
                              columns={**COLUMNS, "person": {"type": "integer"}})
    session.query(STATEMENT, epsilon="0.1")
    assert ledger.entries[0].unit == "column person"
    expect_code("bad parameter", lastbit.Session, folder / "people.csv", unit="person", ledger=ledger)
    expect_code("bad parameter", lastbit.Session, folder / "people.csv", unit="row", max_rows=1, ledger=ledger)


def test_other_data_needs_a_word(folder, session, ledger):
    session.query(STATEMENT, epsilon="0.1")
    (folder / "more.csv").write_text((folder / "people.csv").read_text())
    more = lastbit.Session(folder / "more.csv", unit="row", ledger=ledger, columns=COLUMNS, name="people")
    with pytest.raises(lastbit.RefusedError) as caught:
        more.query(STATEMENT, epsilon="0.1")
    assert "same_people=True" in str(caught.value)
    more.query(STATEMENT, epsilon="0.1", same_people=True)


def test_numbers_of_a_session_are_exact(folder, ledger):
    columns = {"income": {"type": "real", "lower": Decimal("0.1"), "upper": Fraction(1, 3)}}
    session = lastbit.Session(folder / "people.csv", unit="row", ledger=ledger, columns=columns, epsilon="0.7")
    assert '"lower" = "0.1", "upper" = "1/3"' in session.dataset
    with pytest.raises(lastbit.Error):
        session.plan("SELECT AVG(income) FROM people", epsilon="0.8")


def test_texts_cannot_leave_their_quotes(folder, ledger):
    evil = 'f"]\n[budget]\nepsilon = 1000 #\\'
    session = lastbit.Session(folder / "people.csv", unit="row", ledger=ledger, columns={"sex": {"keys": [evil, "m"]}})
    answer = session.query("SELECT sex, COUNT(*) FROM people GROUP BY sex", epsilon="0.1")
    assert [row["sex"] for row in answer] == sorted([evil, "m"])
    assert answer.document["budget"] == {"epsilon": "2"}


@pytest.mark.parametrize("wrong", [
    {"columns": {"incom": {"lower": 0, "upper": 1}}},
    {"columns": {"income": {"lower": 1, "upper": 0}}},
    {"columns": {"income": {"low": 1}}},
    {"where": "income >"},
    {"derive": {"x": "nothing + 1"}},
    {"source": {"table": "t"}},
])
def test_ordinary_checks_apply(folder, ledger, wrong):
    expect_code("bad input", lastbit.Session, folder / "people.csv", unit="row", ledger=ledger, **wrong)


@pytest.mark.parametrize("wrong", [{"columns": {"income": {"lower": object(), "upper": 1}}}, {"columns": {1: {}}},
                                   {"columns": {"income": {"lower": float("nan")}}}])
def test_values_that_no_file_can_hold_are_refused(folder, ledger, wrong):
    expect_code("bad parameter", lastbit.Session, folder / "people.csv", unit="row", ledger=ledger, **wrong)


def test_derived_columns_and_conditions(folder, ledger):
    session = lastbit.Session(folder / "people.csv", unit="row", ledger=ledger, columns=COLUMNS, where="income >= 1000",
                              derive={"half": "income / 2"})
    answer = session.query("SELECT COUNT(*) AS n, AVG(clamp(half, 0, 1000)) FROM people", epsilon=2)
    true = sum(income >= 1000 for income in rows_of()["income"])
    assert abs(answer[0]["n"] - true) <= 40


# Tables in memory


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


def test_later_changes_change_nothing(ledger):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame(rows_of())
    session = lastbit.Session(frame, unit="row", ledger=ledger, name="people")
    session.query("SELECT COUNT(*) FROM people", epsilon="0.1")
    del frame
    answer = session.query("SELECT COUNT(*) AS n FROM people", epsilon=1)
    assert abs(answer[0]["n"] - 500) <= 40


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
    for name in (None, ""):
        expect_code("bad parameter", lastbit.Session, pyarrow.table(rows_of()), unit="row", ledger=ledger, name=name)
    expect_code("bad parameter", lastbit.Session, pyarrow.table(rows_of()), unit="row", ledger=ledger, name="x",
                source={"delimiter": ";"})


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
        "zoned": pyarrow.array([0, 1], pyarrow.timestamp("us", tz="Europe/Berlin")),
        "bytes": pyarrow.array([b"a", b"b"]),
    }


@pytest.mark.parametrize("name", ["nested", "bytes"])
def test_columns_that_no_release_can_use(ledger, name):
    pyarrow = pytest.importorskip("pyarrow")
    session = lastbit.Session(pyarrow.table({**odd_columns(), "a": [1, 2]}), unit="row", ledger=ledger, name="people")
    expect_code("bad input", session.query, f'SELECT AVG(clamp("{name}", 0, 1)) FROM people', epsilon=1)
    session.query("SELECT AVG(clamp(a, 0, 1)) FROM people", epsilon=1)  # the others can be used


def test_what_is_no_table(folder, ledger):
    class Liar:
        def __arrow_c_stream__(self, requested_schema=None):
            return "not a capsule"

    class Failing:
        def __arrow_c_stream__(self, requested_schema=None):
            raise ValueError(SECRET)

    for data in ({"a": [1]}, [1, 2], None, 7):
        expect_code("bad parameter", lastbit.Session, data, unit="row", ledger=ledger, name="people")
    for data in (Liar(), Failing()):
        error = expect_code("bad input", lastbit.Session, data, unit="row", ledger=ledger, name="people")
        assert SECRET not in str(error) and error.__context__ is None


def test_lazy_frames_are_named(ledger):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(rows_of()).lazy()
    if hasattr(frame, "__arrow_c_stream__"):
        pytest.skip("this polars gives streams of lazy frames")
    error = expect_code("bad parameter", lastbit.Session, frame, unit="row", ledger=ledger, name="people")
    assert "collect()" in error.remedy


# Answers as tables, and as values


def test_answers_become_tables(session):
    answer = session.query(STATEMENT, epsilon=1)
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    assert isinstance(answer.to_pandas(), pandas.DataFrame)
    assert answer.to_polars().to_dicts() == answer.to_arrow().to_pylist() == answer.to_pandas().to_dict("records")
    assert [row["n"] for row in answer] == answer.to_arrow()["n"].to_pylist()


def test_every_kind_of_row_becomes_a_table(folder, ledger):
    text = RELEASE.replace("epsilon = 1,", "epsilon = 1, delta = 1e-6,") + STATISTICS + """[[statistics]]
name = "bands"
kind = "histogram"
column = "income"
bins = [0, 500, 1000, 2000]
[[statistics]]
name = "found"
kind = "count"
by = "person"
discover = { delta = 1e-7 }
"""
    (folder / "release.toml").write_text(text)
    paying = lastbit.ledger.create(folder / "a", epsilon=2, delta="1e-5")
    released = lastbit.release(folder / "release.toml", ledger=paying)
    assert released.columns == ("statistic", "sex", "cell", "answer", "lower", "upper", "reliability", "suppressed")
    assert sum(row["statistic"] == "bands" for row in released) >= 3
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    assert len(released.to_pandas()) == len(released.to_polars()) == len(released.to_arrow()) == len(released)


def test_groups_that_are_not_shown_are_missing(folder):
    ledger = lastbit.ledger.create(folder / "a", epsilon=2, delta="1e-5")
    session = lastbit.Session(folder / "people.csv", unit="row", ledger=ledger)
    # Each key has one row, so it is shown with a probability of at most 500 times the delta.
    answer = session.query("SELECT person, COUNT(*) FROM people GROUP BY person", epsilon=1, discover_delta="1e-12")
    assert answer.rows == [] and len(answer) == 0 and "<table>" in answer._repr_html_()


def test_values_can_be_pickled(folder, session, ledger):
    answer = session.query(STATEMENT, epsilon="0.1")
    plan = session.plan(STATEMENT, epsilon="0.1")
    for value in (answer, plan, answer.cost, ledger.entries[0], answer.estimates[0]["n"]):
        assert pickle.loads(pickle.dumps(value)) == value
    assert pickle.loads(pickle.dumps(ledger)).left == ledger.left
    with pytest.raises(TypeError):
        pickle.dumps(session)
    with pytest.raises(lastbit.BudgetError) as caught:
        session.query("SELECT COUNT(*) FROM people", epsilon="1.95")
    assert type(pickle.loads(pickle.dumps(caught.value))) is lastbit.BudgetError


# Interrupts, threads, processes



def interrupted_query(session, **price):
    """Runs a query in which Ctrl-C is pending from the start: the handler runs at the first look."""
    def handler(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            session.query("SELECT COUNT(*), AVG(clamp(a, 0, 1)), MEDIAN(clamp(b, 0, 100)) FROM big", **price)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_interrupt_before_booking_spends_nothing_in_memory(ledger):
    pyarrow = pytest.importorskip("pyarrow")
    numpy = pytest.importorskip("numpy")
    size = 3_000_000
    table = pyarrow.table({"a": numpy.arange(size), "b": numpy.arange(size) % 100})
    session = lastbit.Session(table, unit="a", max_rows=1, ledger=ledger, name="big")
    start = time.monotonic()
    interrupted_query(session, epsilon=1)
    assert time.monotonic() - start < 30
    assert ledger.entries == ()
    assert abs(session.query("SELECT COUNT(*) AS n FROM big", epsilon=2)[0]["n"] - size) <= 40


def test_interrupt_before_booking_spends_nothing_in_a_file(folder, ledger):
    with open(folder / "big.csv", "w") as file:
        file.write("a,b\n" + "".join(f"{i},{i % 100}\n" for i in range(600_000)))
    columns = {"a": {"type": "integer"}, "b": {"type": "integer"}}
    session = lastbit.Session(
        folder / "big.csv", unit="a", max_rows=1, ledger=ledger, name="big", columns=columns, threads=1)
    interrupted_query(session, epsilon=1)
    assert ledger.entries == ()
    session.query("SELECT COUNT(*) AS n FROM big", epsilon=2)
    assert len(ledger.entries) == 1


def test_interrupt_after_booking_loses_no_answer(folder, session, ledger):
    def handler(number, frame):
        raise KeyboardInterrupt

    done = threading.Event()

    def interrupt_when_booked():
        while not ledger.entries and not done.is_set():
            pass
        signal.pthread_kill(threading.main_thread().ident, signal.SIGALRM)

    before = signal.signal(signal.SIGALRM, handler)
    thread = threading.Thread(target=interrupt_when_booked)
    try:
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            session.query(STATEMENT, epsilon=1)
            done.set()
            time.sleep(60)  # the signal comes at the latest now
    finally:
        done.set()
        thread.join()
        signal.signal(signal.SIGALRM, before)
    assert len(ledger.entries) == 1
    kept = lastbit.last_answers()[-1]
    assert kept.document["ledger"]["hash"] == ledger.entries[0].hash and len(kept) == 2


def test_other_threads_run_meanwhile(ledger):
    pyarrow = pytest.importorskip("pyarrow")
    numpy = pytest.importorskip("numpy")
    table = pyarrow.table({"a": numpy.arange(3_000_000)})
    session = lastbit.Session(table, unit="a", max_rows=1, ledger=ledger, name="big")
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    session.query("SELECT COUNT(*) FROM big", epsilon=1)
    stop = time.monotonic()
    done.set()
    thread.join()
    inside = [moment for moment in ticks if start < moment < stop]
    assert len(inside) >= min(3, (stop - start) / 0.05)


@pytest.mark.parametrize("memory", [False, True])
def test_two_threads_are_both_counted(session, ledger, memory):
    failures = []
    if memory:
        pyarrow = pytest.importorskip("pyarrow")
        session = lastbit.Session(pyarrow.table(rows_of()), unit="row", ledger=ledger, name="people")

    def ask(number):
        try:
            for part in range(5):
                session.query(f"SELECT COUNT(*) AS n{number}_{part} FROM people", epsilon="0.1")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == [] and len(ledger.entries) == 10
    assert ledger.spent.epsilon == 1 and ledger.verify()


def in_child(session, pipe):
    statement = "SELECT COUNT(*) AS n, AVG(clamp(income, 0, 2000)) AS mean FROM people"
    answer = session.query(statement, epsilon="0.1", again=True)
    pipe.send(str(answer.estimates[0]["mean"].exact))
    pipe.close()


@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_children_after_a_fork_draw_fresh_noise(folder, session, ledger, memory):
    if memory:
        pyarrow = pytest.importorskip("pyarrow")
        session = lastbit.Session(pyarrow.table(rows_of()), unit="row", ledger=ledger, name="people")
    session.query("SELECT COUNT(*) FROM people", epsilon="0.1")  # the random bits of the parent are in use
    context = multiprocessing.get_context("fork")
    seen = []
    for _ in range(2):
        ours, theirs = context.Pipe()
        child = context.Process(target=in_child, args=(session, theirs))
        child.start()
        assert ours.poll(60), "the child gave no answer"
        seen.append(ours.recv())
        child.join(60)
        assert child.exitcode == 0
    # Equal answers of independent draws are about as likely as two noises of scale 10^4 that agree to 2^-7.
    assert seen[0] != seen[1]
    assert len(ledger.entries) == 3 and ledger.spent.epsilon == Fraction(3, 10)
