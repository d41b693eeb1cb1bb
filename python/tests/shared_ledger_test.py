"""A ledger in a PostgreSQL database, named wherever a path could be."""

import os
import pathlib
import pickle
import subprocess
import sys
import time

import pytest

import lastbit
from support import COLUMNS, STATEMENT, expect_code, interrupted

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests/postgres"))
server = pytest.importorskip("server")
pytestmark = pytest.mark.skipif(not server.BINARIES, reason="no PostgreSQL server (apt-get install postgresql-15)")


@pytest.fixture(scope="module")
def database():
    with server.Server() as running:
        yield running


@pytest.fixture
def address(database, request):
    return database.address(ledger=request.node.name)


def test_a_session_pays_from_a_ledger_on_a_server(folder, address, monkeypatch):
    ledger = lastbit.ledger.create(address, epsilon=2, description="shared")
    assert ledger.path == address and ledger.description == "shared"
    session = lastbit.Session(folder / "people.csv", unit="row", ledger=address, columns=COLUMNS)
    monkeypatch.chdir("/")
    session.query(STATEMENT, epsilon=1)
    assert str(ledger.left) == "epsilon 1"
    assert ledger.verify(ledger.entries[0].hash) == pickle.loads(pickle.dumps(ledger)).verify()
    expect_code("bad input", lastbit.ledger.create, address, epsilon=9)


def test_a_release_pays_from_the_ledger_that_is_named(folder, address):
    lastbit.ledger.create(address, epsilon=1)
    released = lastbit.release(folder / "release.toml", ledger=lastbit.Ledger(address))
    assert released is not None
    assert not os.path.exists(folder / "people.ledger")
    expect_code("over budget", lastbit.release, folder / "release.toml", ledger=address, again=True)


def test_what_is_wrong_with_an_address_is_said_without_repeating_it(database):
    error = expect_code("bad text", lastbit.Ledger, "postgresql://me:hush@host/db")
    assert "hush" not in str(error) and "PGPASSFILE" in str(error)
    expect_code("bad input", lastbit.Ledger, database.address(ledger="none"))
    expect_code("storage failure", lastbit.Ledger, "postgresql://127.0.0.1:1/d")


def test_a_ledger_moves_from_a_file_to_a_server(folder, session, ledger, address, monkeypatch):
    session.query(STATEMENT, epsilon=1)
    head, left = ledger.verify(), ledger.left
    monkeypatch.chdir("/")
    moved = lastbit.ledger.move(ledger, address)
    assert moved.path == address and moved.verify(head) == head
    assert (moved.left, moved.description, moved.entries) == (left, ledger.description, ledger.entries)
    error = expect_code("refused", session.query, STATEMENT, epsilon="0.5", again=True)
    assert "was moved to" in str(error)
    assert lastbit.ledger.move(ledger, address).entries == moved.entries
    expect_code("refused", lastbit.ledger.move, ledger, address + "_2")
    redirected = lastbit.Session(folder / "people.csv", unit="row", ledger=moved, columns=COLUMNS)
    redirected.query(STATEMENT, epsilon="0.5", again=True)
    assert len(moved.entries) == 2 and len(ledger.entries) == 1


def test_what_cannot_be_moved_stays_open(folder, ledger, address):
    lastbit.ledger.create(address, epsilon=1)
    assert "exists already" in str(expect_code("bad input", lastbit.ledger.move, ledger, address))
    expect_code("bad input", lastbit.ledger.move, ledger, folder / "other.ledger")
    expect_code("bad input", lastbit.ledger.move, folder / "none.ledger", address)
    expect_code("storage failure", lastbit.ledger.move, ledger, "postgresql://127.0.0.1:1/d")
    released = lastbit.release(folder / "release.toml", ledger=ledger)
    assert released is not None and len(ledger.entries) == 1


def test_a_session_asks_about_a_table_by_its_name(database, ledger):
    database.sql("CREATE SCHEMA clinic")
    database.sql("CREATE TABLE clinic.visits AS SELECT i AS person FROM generate_series(1, 50) AS i")
    table = {"table": "clinic.visits"}
    session = lastbit.Session(database.address(), unit="person", max_rows=1, ledger=ledger, source=table)
    for name in ("visits", "clinic.visits"):
        answer = session.query(f"SELECT count(*) AS n_{len(name)} FROM {name}", epsilon=1)
        assert abs(answer.rows[0][f"n_{len(name)}"] - 50) < 40
    expect_code("bad input", session.plan, "SELECT count(*) FROM clinic", epsilon=1)


def test_interrupt_while_others_spend_books_nothing(folder, database, address):
    ledger = lastbit.ledger.create(address, epsilon=2)
    session = lastbit.Session(folder / "people.csv", unit="row", ledger=ledger, columns=COLUMNS)
    command = [database.bin + "/psql", "-X", "-q", "-h", database.folder, "-p", str(database.port), "-U", "postgres"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as holder:
        holder.stdin.write("BEGIN;\nSELECT 1 FROM lastbit.ledger FOR UPDATE;\n")
        holder.stdin.flush()
        idle = "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'"
        while database.sql(idle) == "0":
            time.sleep(0.05)
        with interrupted(1):
            session.query(STATEMENT, epsilon=1)
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        assert database.sql(waiting) == "0"  # it was cancelled there, too
        holder.stdin.write("ROLLBACK;\n")
        holder.stdin.close()
    assert ledger.entries == ()
    session.query(STATEMENT, epsilon=1)
    assert len(ledger.entries) == 1
