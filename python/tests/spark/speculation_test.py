"""Tasks that Spark runs twice at a time, because the first attempt is slow, count once, whichever attempt ends first.

The cluster is a real one with two hosts, since Spark starts duplicates on another host only. In every step of a
question both attempts of one task have computed all they will give when one of them, or both, may go on. Without
duplicates nobody may go on, and the tests fail.
"""

import collections
import json
import os
import random
import re
import signal
import threading
import time

import pyarrow
import pytest
from pyarrow import parquet

import lastbit
from conftest import started
from hard_table import key_texts, recorded, require_kernels_numbers
from lastbit import _executor, _spark_rows
from standalone import SHORT_LIVED, WORKER_HOSTS, cluster, hosts_are_there, parent_of

SECRET = "secret-salary"
COLUMNS = {"region": {"keys": ["north", "south", "west"]}, "income": {"lower": 0, "upper": 100}}
STATEMENT = "SELECT region, COUNT(*) AS n, SUM(income) AS sum, MEDIAN(income) AS middle FROM people GROUP BY region"
SETTINGS = {
    "spark.executor.cores": "2",
    "spark.executor.memory": "512m",
    "spark.executor.extraJavaOptions": SHORT_LIVED,
    "spark.speculation": "true",
    "spark.speculation.interval": "50ms",
    "spark.speculation.minTaskRuntime": "100ms",
    "spark.speculation.multiplier": "1.1",
    "spark.speculation.quantile": "0.3",
    "spark.speculation.efficiency.enabled": "false",
    "spark.python.task.killTimeout": "100ms",
    "spark.locality.wait": "0",
    "spark.shuffle.io.retryWait": "200ms",
    "spark.sql.files.minPartitionNum": "4",
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
}
# Where a question computes something. The source is read twice if units are a column: first for a sample. If each row
# is a unit, source and count are one step.
PLACES = {"row": ["count", "merge"], "person": ["source", "count", "merge"]}
STEPS = {"row": ["count", "merge"], "person": ["count", "merge", "source", "source"]}
STEP_NAMES = {"count": "count_partition", "merge": "merge_partitions"}
ENDS = ["duplicate", "original", "both"]
LATE = "Finish but did not commit due to another attempt succeeded"

End = collections.namedtuple("End", "is_duplicate host reason why_killed")
Attempt = collections.namedtuple("Attempt", "place stage partition number task process")


def held(folder, place, given):
    """What is given, from a task whose partition 0 hands them on only when a file says that this attempt may."""
    where = str(folder)

    def hold(*arguments):
        import os
        import time

        from pyspark import TaskContext

        batches = list(given(*arguments))
        task = TaskContext.get()
        if task.partitionId() == 0:
            name = os.path.join(where, f"{place}-{task.stageId()}-0-{task.attemptNumber()}")
            open(f"{name}-{task.taskAttemptId()}-{os.getppid()}", "w").close()
            end = time.monotonic() + 30
            while not os.path.exists(f"{name}.go"):
                if time.monotonic() > end:
                    raise TimeoutError(f"nobody let {place} go on")
                time.sleep(0.01)
        yield from batches

    return hold


class Director(threading.Thread):
    """Lets attempts go on: `decide` is told which ones of a task wait, and how to let one go."""

    def __init__(self, folder, decide):
        super().__init__(daemon=True)
        self._folder, self._decide = folder, decide
        self._ended = threading.Event()

    def run(self):
        while not self._ended.wait(0.02):
            attempts = self.attempts()
            for step in {attempt[:3] for attempt in attempts}:
                waiting = [attempt for attempt in attempts if attempt[:3] == step and not self._file(attempt).exists()]
                self._decide(waiting, lambda attempt: self._file(attempt).touch())

    def attempts(self):
        names = [name.split("-") for name in os.listdir(self._folder) if not name.endswith(".go")]
        return sorted(Attempt(place, *map(int, numbers)) for place, *numbers in names)

    def end(self):
        self._ended.set()
        self.join()

    def _file(self, attempt):
        return self._folder / ("-".join(map(str, attempt[:4])) + ".go")


def one_first(number):
    """The other one waits until Spark kills it."""
    def decide(waiting, go):
        if len(waiting) == 2:
            go(waiting[number])

    return decide


def both_to_their_end(driver, standalone):
    """The driver is stopped meanwhile, so that it cannot kill one before both have sent their results."""
    def decide(waiting, go):
        if len(waiting) < 2:
            return
        os.kill(driver, signal.SIGSTOP)
        try:
            for attempt in waiting:
                go(attempt)
            end = time.monotonic() + 10
            while not all(is_finished(standalone, attempt) for attempt in waiting) and time.monotonic() < end:
                time.sleep(0.02)
            time.sleep(0.1)
        finally:
            os.kill(driver, signal.SIGCONT)

    return decide


def is_finished(standalone, attempt):
    words = re.compile(rb"Finished task .*\(TID %d\)" % attempt.task)
    return any(words.search(log.read_bytes()) for log in standalone.executor_logs())


def kills_a_host(killed):
    """The executor of the first attempt that waits, and its worker."""
    def decide(waiting, go):
        if waiting and not killed:
            executor = parent_of(waiting[0].process)  # of the daemon that starts Python
            for process in (parent_of(executor), executor):
                os.kill(process, signal.SIGKILL)
            killed.append(waiting[0])
        for attempt in waiting:
            go(attempt)

    return decide


class Run:
    """One question about the rows, asked while a director decides."""

    def __init__(self, spark, folder, unit, places, decide):
        folder.mkdir()
        (folder / "attempts").mkdir()
        director = Director(folder / "attempts", decide)
        frame = spark.read.parquet(str(folder.parent / "rows"))
        if "source" in places:
            frame = frame.mapInArrow(held(director._folder, "source", iter), frame.schema)
        ledger = lastbit.ledger.create(folder / "people.ledger", epsilon=10)
        limits = {} if unit == "row" else {"max_rows": 2, "max_groups": 2}
        session = lastbit.Session(frame, unit=unit, ledger=ledger, columns=COLUMNS, name="people", **limits)
        with pytest.MonkeyPatch.context() as patch, recorded() as asked:
            for place in ("count", "merge"):
                if place in places:
                    name = STEP_NAMES[place]
                    patch.setattr(_spark_rows, name, held(director._folder, place, getattr(_executor, name)))
            director.start()
            try:
                session.query(STATEMENT, epsilon=1)
            finally:
                director.end()
        [(self.question, _, self.by_unit, self.parts)] = asked
        self.attempts = director.attempts()
        self.booked = len(ledger.entries)


def people():
    dice = random.Random(17)
    return pyarrow.table({
        "person": [f"{SECRET}-{dice.randrange(90)}" for _ in range(800)],
        "region": [dice.choice(["north", "south", "west", None]) for _ in range(800)],
        "income": pyarrow.array([dice.choice([None, dice.randrange(-20, 130)]) for _ in range(800)], pyarrow.int64()),
    })


class Experiment:
    """All questions, and the logs of an application that has ended."""

    def __init__(self, folder, running):
        self.table = people()
        (folder / "rows").mkdir()
        for place in range(4):
            parquet.write_table(self.table.slice(200 * place, 200), folder / "rows" / f"{place}.parquet")
        with cluster(folder) as standalone:
            spark = running[standalone.url] = started(standalone.url, folder, **SETTINGS)
            driver = spark._jvm.java.lang.ProcessHandle.current().pid()
            decisions = {"duplicate": one_first(1), "original": one_first(0),
                         "both": both_to_their_end(driver, standalone)}
            self.runs = {
                (unit, ends): Run(spark, folder / f"{unit}-{ends}", unit, PLACES[unit], decisions[ends])
                for unit in PLACES for ends in ENDS
            }
            self.killed = []
            self.after_kill = Run(spark, folder / "kill", "person", ["count"], kills_a_host(self.killed))
            spark.stop()
        self.logs = [path for path in [*spark.event_folder.rglob("*"), *standalone.logs()] if path.is_file()]
        events = [path for path in self.logs if path.name.startswith("events_")]
        self.events = [json.loads(line) for path in events for line in path.read_text("utf-8").splitlines()]

    def of_kind(self, name):
        return [event for event in self.events if event["Event"].endswith(f"SparkListener{name}")]

    def ends(self, run):
        """How the attempts that waited ended, for each of their tasks."""
        tasks = {attempt.task: attempt[:3] for attempt in run.attempts}
        found = {}
        for event in self.of_kind("TaskEnd"):
            info, reason = event["Task Info"], event["Task End Reason"]
            if info["Task ID"] in tasks:
                end = End(info["Speculative"], info["Host"], reason["Reason"], reason.get("Kill Reason"))
                found.setdefault(tasks[info["Task ID"]], []).append(end)
        return found


@pytest.fixture(scope="module")
def experiment(running, tmp_path_factory):
    if not hosts_are_there():
        pytest.skip("this test needs the address 127.0.0.2 beside 127.0.0.1")
    for session in running.values():
        session.stop()
    running.clear()
    return Experiment(tmp_path_factory.mktemp("standalone"), running)


def require_same_numbers(run, table):
    require_kernels_numbers(run.question, run.by_unit, run.parts, table)
    assert run.booked == 1


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("unit", PLACES)
def test_duplicates_count_once(experiment, unit, ends):
    run = experiment.runs[unit, ends]
    require_same_numbers(run, experiment.table)
    found = experiment.ends(run)
    assert sorted(place for place, *_ in found) == STEPS[unit]
    for original, duplicate in map(sorted, found.values()):
        assert (original.is_duplicate, duplicate.is_duplicate) == (False, True)
        assert {original.host, duplicate.host} == set(WORKER_HOSTS)
        assert sorted([original.reason, duplicate.reason]) == ["Success", "TaskKilled"]
        winner, loser = (original, duplicate) if original.reason == "Success" else (duplicate, original)
        if ends == "both":
            assert loser.why_killed == LATE
        else:
            assert winner.is_duplicate == (ends == "duplicate") and loser.why_killed != LATE


def test_a_killed_host_changes_nothing(experiment):
    """A worker and its executor, which has rows that were shuffled already, die while partitions are counted."""
    run = experiment.after_kill
    require_same_numbers(run, experiment.table)
    [victim] = experiment.killed
    ends = [end.reason for end in experiment.ends(run)[victim[:3]]]
    assert "ExecutorLostFailure" in ends and len(ends) > 1
    assert experiment.of_kind("ExecutorRemoved")


def test_nothing_private_is_logged(experiment):
    texts = {str(path): path.read_bytes() for path in experiment.logs}
    assert len(texts) >= 8 and any(b"MapInArrow" in text for text in texts.values())
    for run in [*experiment.runs.values(), experiment.after_kill]:
        secrets = [*key_texts(run.question), SECRET.encode()]
        found = [(name, place) for name, text in texts.items() for place, word in enumerate(secrets) if word in text]
        assert found == []
