"""Executors that are processes of their own: killed ones, repeated tasks, secrets, interrupts and refusals."""

import os
import pathlib
import random
import signal
import threading
import time

import pyarrow
import pytest

import lastbit
from hard_table import exact_numbers, hard_table, key_texts, recorded, unit_order
from lastbit import _lastbit, _spark_rows
from standalone import parent_of
from support import expect_code

MASTER = "local-cluster[2,1,1024]"
SECRET = "secret-salary"
COUNT = "SELECT COUNT(*) AS n, SUM(income) AS sum FROM people"
COLUMNS = {"income": {"lower": 0, "upper": 100}}


def people(spark, rows=4000):
    return spark.range(rows, numPartitions=4).selectExpr("id % 250 AS person", "id % 101 AS income")


def session_of(frame, ledger, unit="person", **more):
    limits = {} if unit == "row" else {"max_rows": 3}
    return lastbit.Session(frame, unit=unit, ledger=ledger, columns=COLUMNS, name="people", **limits, **more)


def slowed(frame, folder, seconds):
    """The same rows, and a file for each attempt of a task, with the process that makes it in the name."""
    where = str(folder)

    def slow(batches):
        import os
        import time

        from pyspark import TaskContext

        task = TaskContext.get()
        for batch in batches:
            name = f"{task.stageId()}-{task.partitionId()}-{task.taskAttemptId()}-{os.getpid()}-{os.getppid()}"
            open(os.path.join(where, name), "w").close()
            time.sleep(seconds if task.partitionId() % 2 == 0 else 0.05)
            yield batch

    return frame.mapInArrow(slow, frame.schema)


def attempts(folder):
    os.makedirs(folder, exist_ok=True)
    return [tuple(map(int, name.split("-"))) for name in os.listdir(folder)]


def killer(folder, begun, victim_of):
    """Kills the process of the newest of the slow attempts as soon as so many have begun."""
    def kill():
        slow = []
        while len(slow) < begun:
            time.sleep(0.02)
            slow = [attempt for attempt in attempts(folder) if attempt[1] % 2 == 0]
        os.kill(victim_of(max(slow, key=lambda attempt: attempt[2])), signal.SIGKILL)

    return threading.Thread(target=kill, daemon=True)


VICTIMS = {
    "Python worker": lambda attempt: attempt[3],
    "executor": lambda attempt: parent_of(attempt[4]),  # the daemon that starts workers belongs to the executor
}


@pytest.mark.parametrize("unit, victim, sums", [
    ("row", "executor", None), ("row", "executor", []), ("person", "Python worker", None),
    ("person", "executor", None),
])
def test_killed_processes_change_nothing(spark, ledger, tmp_path, unit, victim, sums):
    folder = tmp_path / "attempts"
    frame = slowed(people(spark), folder, 0.8)
    with recorded() as asked:
        session_of(people(spark), ledger, unit).query(COUNT, epsilon=1)
    [(question, columns, by_unit, undisturbed)] = asked
    assert attempts(folder) == []
    # Rows that are sorted are read twice: first a sample, which says where the ranges of units end.
    kill = killer(folder, 3 if by_unit else 1, VICTIMS[victim])
    kill.start()
    parts = _spark_rows._Asker(frame, "people")(question, columns, by_unit, "person" if by_unit else "", sums)
    kill.join(60)
    assert not kill.is_alive()
    tried = [(stage, partition) for stage, partition, *_ in attempts(folder)]
    assert len(tried) > len(set(tried))  # something was done again
    for number in range(len(undisturbed)):
        assert exact_numbers(question, number, parts[number]) == exact_numbers(question, number, undisturbed[number])


def test_attempts_that_fail_at_their_end_count_nothing(spark, ledger):
    """Attempts that have given all of their rows before they fail, as one that loses against its duplicate."""
    def failing(batches):
        from pyspark import TaskContext

        yield from batches
        if TaskContext.get().attemptNumber() == 0:
            raise ValueError("the first attempt fails")

    frame = people(spark).coalesce(2)
    with recorded() as asked:
        session_of(frame.mapInArrow(failing, frame.schema), ledger).query(COUNT, epsilon=1)
    [(question, columns, by_unit, parts)] = asked
    undisturbed = _spark_rows._Asker(frame, "x")(question, columns, by_unit, "person")
    assert exact_numbers(question, 0, parts[0]) == exact_numbers(question, 0, undisturbed[0])


def test_partitions_that_come_twice_are_refused():
    from pyspark.sql import Row

    def row(tasks, number=0):
        return Row(tasks=tasks, number=number, part=b"part")

    assert _spark_rows._by_number([row([1]), row([0, 2])], "x") == [[b"part", b"part"]]
    for rows in ([row([0]), row([0])], [row([0, 1]), row([1, 2])], [row([1])], [row([0]), row([0, 1], 1)]):
        expect_code("internal error", _spark_rows._by_number, rows, "x")


@pytest.mark.parametrize("wrong", ["unsorted", "hashed", "backwards"])
def test_another_order_of_units_is_refused(spark, ledger, monkeypatch, wrong):
    from pyspark.sql import functions

    def badly_sorted(self, frame, broadcast, columns, unit):
        key = functions.col(columns and f"c{self._places[unit]}")
        if wrong == "unsorted":
            return frame
        if wrong == "hashed":
            return frame.repartition(3, key).sortWithinPartitions(key)
        return frame.repartitionByRange(3, key).sortWithinPartitions(key.desc())

    monkeypatch.setattr(_spark_rows._Asker, "_sorted", badly_sorted)
    with pytest.raises(lastbit.Error) as caught:
        session_of(people(spark), ledger).query(COUNT, epsilon=1)
    assert caught.value.code in ("bad input", "mismatch") and ledger.entries == ()


def test_frames_that_change_are_refused(spark, ledger):
    from pyspark.sql import functions

    for column in (functions.rand(), functions.rand(7), functions.uuid()):
        error = expect_code("bad input", session_of, people(spark).withColumn("x", column), ledger)
        assert "rand()" in str(error)
    stream = spark.readStream.format("rate").load().selectExpr("value AS person", "value AS income")
    expect_code("not supported", session_of, stream, ledger)
    Connect = type("DataFrame", (), {"__module__": "pyspark.sql.connect.dataframe"})
    expect_code("not supported", session_of, Connect(), ledger)
    expect_code("bad parameter", session_of, people(spark), ledger, threads=2)


def test_failures_tell_nothing_and_cost_nothing(spark, ledger, monkeypatch):
    quoted = "quoted-salary"  # Spark's own logs quote it
    failing = people(spark).selectExpr("person", f"if(person = 77, raise_error('{quoted}'), income) AS income")
    with pytest.raises(lastbit.Error) as caught:
        session_of(failing, ledger, "row").query(COUNT, epsilon=1)
    error = caught.value
    assert quoted not in str(error) and error.__cause__ is None and error.__context__ is None
    no_texts = people(spark).selectExpr("cast(X'ff' AS string) AS person", "income")
    assert "UTF-8" in str(expect_code("bad input", session_of(no_texts, ledger).query, COUNT, epsilon=1))
    monkeypatch.setattr(_lastbit, "version", "0.0.0")  # of the driver alone
    expect_code("mismatch", session_of(people(spark), ledger).query, COUNT, epsilon=1)
    assert ledger.entries == ()


def test_missing_packages_are_named():
    for module in ("lastbit", "pyarrow"):
        error = _spark_rows._spark_error(ValueError(f"ModuleNotFoundError: No module named '{module}'"), "people")
        assert module in error.problem and "PYSPARK_PYTHON" in error.remedy
    assert SECRET not in str(_spark_rows._spark_error(ValueError(SECRET), "people"))


@pytest.mark.parametrize("moment", [0.1, 1.5])
def test_interrupts_cancel_the_jobs_and_book_nothing(spark, ledger, tmp_path, moment):
    def handler(number, frame):
        raise KeyboardInterrupt

    (tmp_path / "attempts").mkdir()
    session = session_of(slowed(people(spark), tmp_path / "attempts", 20), ledger)
    before = signal.signal(signal.SIGALRM, handler)
    start = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, moment)
        with pytest.raises(KeyboardInterrupt):
            session.query(COUNT, epsilon=1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - start < 15 and ledger.entries == ()
    tracker = spark.sparkContext.statusTracker()
    while tracker.getActiveJobsIds() and time.monotonic() - start < 15:
        time.sleep(0.1)
    assert tracker.getActiveJobsIds() == []


RELEASE = """version = 1
source = { format = "arrow", name = "people" }
unit = { id = "person", max_rows_per_group = 20 }
budget = { epsilon = 1000000, ledger = "people.ledger" }
[columns]
income = { lower = 0, upper = 100 }
[[statistics]]
name = "rows"
kind = "count"
[[statistics]]
name = "income"
kind = "sum"
column = "income"
"""


def test_release_files_and_folders_of_parquet(spark, ledger, tmp_path):
    import lastbit.spark

    people(spark).write.parquet(str(tmp_path / "people"))
    (tmp_path / "release.toml").write_text(RELEASE)
    plan = lastbit.spark.plan(tmp_path / "release.toml", tmp_path / "people", spark=spark)
    assert ledger.entries == () and plan.cost.epsilon == 1000000
    released = lastbit.spark.release(tmp_path / "release.toml", tmp_path / "people", spark=spark, out=tmp_path / "out")
    assert [row["answer"] for row in released] == [4000, sum(i % 101 for i in range(4000))]
    assert [(entry.data, entry.unit) for entry in ledger.entries] == [("people", "column person")]
    assert (tmp_path / "out" / "report.html").exists()
    again = {"again": True, "spark": spark}
    frame = spark.read.parquet(str(tmp_path / "people"))
    assert lastbit.spark.release(tmp_path / "release.toml", frame, **again).rows == released.rows
    (tmp_path / "file.toml").write_text(RELEASE.replace('{ format = "arrow", name = "people" }', '"people.parquet"'))
    expect_code("bad input", lastbit.spark.release, tmp_path / "file.toml", frame)
    expect_code("bad input", lastbit.spark.release, tmp_path / "release.toml", tmp_path / "nothing", spark=spark)
    expect_code("bad parameter", lastbit.spark.release, tmp_path / "release.toml", pyarrow.table({"a": [1]}))
    assert len(ledger.entries) == 2


def test_nothing_private_is_logged(spark, ledger):
    """The last test, since the log is complete when the session ends."""
    table = hard_table(random.Random(5), 200)
    salaries = pyarrow.array([f"{SECRET}-{place}" for place in range(200)])
    frame = spark.createDataFrame(table.set_column(1, "who", salaries)).cache()
    frame = frame.where("n IS NULL OR n > -10000000000000000000").selectExpr("who", "n AS income")
    with recorded() as asked:
        session_of(frame, ledger, "row").query("SELECT COUNT(*) FROM people", epsilon=1)
        lastbit.Session(frame, unit="who", max_rows=1, ledger=ledger, columns=COLUMNS, name="people").query(
            COUNT, epsilon=1, same_people=True)
    assert unit_order(asked[1][0], table.select(["n"]).add_column(0, "who", salaries)).num_rows == 200
    application, home = spark.sparkContext.applicationId, os.environ["SPARK_HOME"]
    spark.stop()
    logs = [path for path in [*spark.event_folder.rglob("*"), *pathlib.Path(home, "work", application).rglob("std*")]
            if path.is_file()]
    assert len(logs) >= 3
    texts = [path.read_bytes() for path in logs]
    assert any(b"mapInArrow" in text or b"MapInArrow" in text for text in texts)
    for question, *_ in asked:
        shown = [*key_texts(question), SECRET.encode()]
        found = [(place, path.name) for path, text in zip(logs, texts) for place, secret in enumerate(shown)
                 if secret in text]
        assert found == []
