"""What tests share: data about people, a release file about it, and what they expect."""

import contextlib
import signal
import threading
import time

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


@contextlib.contextmanager
def interrupted(after):
    """Ctrl-C after so many seconds: what runs here must end with it, and within a second."""
    def handler(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, handler)
    start = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, after)
        with pytest.raises(KeyboardInterrupt):
            yield
        assert after <= time.monotonic() - start < after + 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def turns_during(work):
    """How often another thread had its turn while this ran."""
    turns = []
    stop = threading.Event()

    def take_turns():
        while not stop.wait(0.001):
            turns.append(None)

    other = threading.Thread(target=take_turns, daemon=True)
    other.start()
    work()
    stop.set()
    other.join()
    return len(turns)
