"""Ledgers, plans and releases of files."""

import json
import os
import pickle
from fractions import Fraction

import pytest

import lastbit
from support import RELEASE, STATEMENT, STATISTICS, expect_code


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
