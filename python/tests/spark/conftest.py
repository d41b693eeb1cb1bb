"""Sessions of Spark, one at a time: of this process, and with executors that are processes of their own."""

import os
import sys

import pytest

pyspark = pytest.importorskip("pyspark")
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
sys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))  # what all tests share


def started(master, folder, **more):
    from pyspark.sql import SparkSession

    (folder / "events").mkdir()
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.timestampType": "TIMESTAMP_NTZ",  # what timestamps of Arrow without a zone become
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
        "spark.driver.host": "127.0.0.1",
        "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": (folder / "events").as_uri(),
        "spark.eventLog.compress": "false",
        **more,
    }
    builder = SparkSession.builder.master(master).appName("lastbit")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    session.event_folder = folder / "events"
    return session


@pytest.fixture(scope="session")
def running():
    """The session that runs, by its master: files with the same one, which follow each other, share it."""
    sessions = {}
    yield sessions
    for session in sessions.values():
        session.stop()


@pytest.fixture(scope="module")
def spark(request, running, tmp_path_factory):
    """`MASTER` of the test file says which."""
    master = request.module.MASTER
    if master not in running:
        for session in running.values():
            session.stop()
        running.clear()
        running[master] = started(master, tmp_path_factory.mktemp("spark"))
    return running[master]


@pytest.fixture
def ledger(tmp_path):
    import lastbit

    return lastbit.ledger.create(tmp_path / "people.ledger", epsilon=10**15)
