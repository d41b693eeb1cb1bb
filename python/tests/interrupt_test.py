"""Ctrl-C, threads and forks."""

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from fractions import Fraction

import pytest

import lastbit
from support import STATEMENT, interrupted, rows_of


def interrupted_query(session, **price):
    """Runs a query that takes much longer than the signal, whose handler is that of Ctrl-C."""
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


def test_interrupt_while_others_use_the_ledger_spends_nothing(folder, session, ledger):
    answers = lastbit.last_answers()
    holder = sqlite3.connect(ledger.path, isolation_level=None)
    for lock, works in (
        # Nobody else may read or write.
        ("BEGIN EXCLUSIVE", (
            lambda: session.query(STATEMENT, epsilon=1), lambda: session.plan(STATEMENT, epsilon=1),
            lambda: ledger.entries, lambda: lastbit.release(folder / "release.toml"),
        )),
        # The query counts its rows, and waits when it wants to book.
        ("BEGIN IMMEDIATE", (lambda: session.query(STATEMENT, epsilon=1),)),
    ):
        holder.execute(lock)
        for work in works:
            with interrupted(0.5):
                work()
        holder.execute("ROLLBACK")
    holder.close()
    assert ledger.entries == ()
    assert [str(answer) for answer in lastbit.last_answers()] == [str(answer) for answer in answers]
    session.query(STATEMENT, epsilon=1)
    assert len(ledger.entries) == 1


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


ENDLESS = """
import sys, threading, time, lastbit
session = lastbit.Session("people.csv", unit="row", ledger="people.ledger")
def work():
    while True:
        if sys.argv[1] == "query":
            session.query("SELECT COUNT(*) FROM people", epsilon="0.00001", again=True)
        else:
            session.left
threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""


@pytest.mark.parametrize("work", ["query", "ledger"])
def test_programs_end_while_a_thread_works(folder, ledger, work):
    package = os.path.dirname(os.path.dirname(lastbit.__file__))
    for _ in range(8):
        ended = subprocess.run([sys.executable, "-c", ENDLESS, work], cwd=folder, capture_output=True, timeout=60,
                               env={**os.environ, "PYTHONPATH": package})
        assert (ended.returncode, ended.stderr) == (0, b"")
    assert ledger.verify()
