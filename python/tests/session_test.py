"""Questions about files, and their answers as tables and as values."""

import enum
import pickle
from decimal import Decimal
from fractions import Fraction

import pytest

import lastbit
from support import COLUMNS, RELEASE, STATEMENT, STATISTICS, expect_code, rows_of


def test_query_of_a_dataset(folder, ledger):
    answer = lastbit.query(folder / "dataset.toml", STATEMENT.replace("people", "data"), epsilon="0.1")
    assert answer.columns == ("sex", "n", "mean") and [row["sex"] for row in answer] == ["f", "m"]
    assert answer.cost.epsilon == Fraction(1, 10) and ledger.spent.epsilon == Fraction(1, 10)
    session = lastbit.Session(folder / "dataset.toml")
    assert session.left == ledger.left and list(session.columns) == ["person", "sex", "income"]
    session.query("SELECT COUNT(*) FROM data", epsilon="0.1")
    assert ledger.spent.epsilon == Fraction(1, 5)
    expect_code("bad parameter", lastbit.Session, folder / "dataset.toml", unit="row")


def test_ledger_of_a_session_stays_the_same(folder, ledger, monkeypatch):
    monkeypatch.chdir(folder)
    named = lastbit.Session("dataset.toml")
    given = lastbit.Session("dataset.toml", ledger="people.ledger")
    (folder / "elsewhere").mkdir()
    other = lastbit.ledger.create(folder / "elsewhere" / "people.ledger", epsilon=2)
    (folder / "dataset.toml").write_text(RELEASE.replace('"people.ledger"', '"elsewhere/people.ledger"'))
    monkeypatch.chdir(folder / "elsewhere")
    named.query("SELECT COUNT(*) AS a FROM data", epsilon="0.1")
    given.query("SELECT COUNT(*) AS b FROM data", epsilon="0.1")
    assert other.entries == () and len(ledger.entries) == 2
    assert named.left == given.left == ledger.left
    plan = given.plan("SELECT COUNT(*) AS c FROM data", epsilon="0.1")
    assert plan.left == ledger.left


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
    shown = answer._repr_html_()
    assert "<table>" in shown and "<small>(" in shown and "srcdoc" in shown
    assert lastbit.last_answers()[-1] == answer
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


def test_halves_of_characters_are_refused(folder, session, ledger):
    for ask in (session.query, session.plan):
        expect_code("bad text", ask, "SELECT COUNT(*) AS \"\ud800\" FROM people", epsilon=1)
    expect_code("bad text", lastbit.query, folder / "dataset.toml", "SELECT '\udfff'", epsilon=1)
    assert ledger.entries == ()


def test_numbers_of_an_enumeration_are_numbers(folder, ledger):
    class Limit(int, enum.Enum):
        ROWS = 3

    columns = {**COLUMNS, "person": {"type": "integer"}}
    session = lastbit.Session(
        folder / "people.csv", unit="person", max_rows=Limit.ROWS, ledger=ledger, columns=columns)
    assert '"max_rows_per_group" = 3' in session.dataset


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
                                   {"columns": ["income"]}, {"derive": "income + 1"}, {"keys": [["f"]]},
                                   {"columns": {"income": {"lower": float("nan")}}}])
def test_values_that_no_file_can_hold_are_refused(folder, ledger, wrong):
    expect_code("bad parameter", lastbit.Session, folder / "people.csv", unit="row", ledger=ledger, **wrong)


def test_derived_columns_and_conditions(folder, ledger):
    session = lastbit.Session(folder / "people.csv", unit="row", ledger=ledger, columns=COLUMNS, where="income >= 1000",
                              derive={"half": "income / 2"})
    answer = session.query("SELECT COUNT(*) AS n, AVG(clamp(half, 0, 1000)) FROM people", epsilon=2)
    true = sum(income >= 1000 for income in rows_of()["income"])
    assert abs(answer[0]["n"] - true) <= 40


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


URLS = (
    "jdbc:postgresql://u:hush@host/db", "POSTGRES://u:hush@h/x.toml", "postgresql://u:hush@h/x.toml",
    "http://u:hush@h/a.csv",
)


@pytest.mark.parametrize("url", URLS)
def test_no_message_repeats_what_may_be_a_password(folder, ledger, url):
    """Where a file or a ledger is expected, and in what follows from it."""
    makers = (
        lambda: lastbit.Session(url, unit="row", ledger=ledger, source={"table": "t"}),
        lambda: lastbit.Session(folder / "people.csv", unit="row", ledger=url),
        lambda: lastbit.Ledger(url),
        lambda: lastbit.ledger.create(url, epsilon=1),
        lambda: lastbit.ledger.move(ledger, url),
        lambda: lastbit.ledger.move(url, "postgresql:///x"),
        lambda: lastbit.plan(url),
        lambda: lastbit.plan(folder / "release.toml", ledger=url),
        lambda: lastbit.query(url, STATEMENT, epsilon=1),
        lambda: lastbit.check(url),
    )
    for make in makers:
        with pytest.raises(lastbit.Error) as caught:
            make()
        assert "hush" not in str(caught.value) and "hush" not in caught.value.place
    with pytest.raises(lastbit.Error, match=r"jdbc:x://… is neither"):
        lastbit.Session("jdbc:x://hush", unit="row", ledger=ledger)
