"""A cluster of Spark on this machine whose workers have host names of their own.

Spark starts a second copy of a task on another host only, and all executors of `local-cluster` have one.
"""

import contextlib
import ctypes
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

MASTER_HOST = "127.0.0.1"
WORKER_HOSTS = ("127.0.0.1", "127.0.0.2")
START_SECONDS = 60
# For Java that runs for less than a minute.
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
ADDRESS = re.compile(r"spark://127\.0\.0\.1:[0-9]+")


def hosts_are_there():
    """Linux has all of 127.0.0.0/8; other systems have one address."""
    for host in WORKER_HOSTS:
        with socket.socket() as probe:
            try:
                probe.bind((host, 0))
            except OSError:
                return False
    return True


class Cluster:
    """A master and a worker for each host. All that they write is in `folder`."""

    def __init__(self, folder):
        self.folder = folder
        self.url = None
        self._children = []

    def start(self):
        master = self._start("master", "Master", MASTER_HOST, "--port", "0")
        self.url = _first(master, ADDRESS).group()
        workers = [
            self._start(f"worker-{host}", "Worker", host, "--cores", "2", "--memory", "600M",
                        "--work-dir", str(self.folder / "work" / host), self.url)
            for host in WORKER_HOSTS
        ]
        for log in workers:
            _first(log, re.compile("Successfully registered with master"))

    def executor_logs(self):
        return list((self.folder / "work").rglob("stderr"))

    def logs(self):
        return [*self.folder.glob("*.log"), *(self.folder / "work").rglob("std*")]

    def end(self):
        """Executors end with their worker."""
        for child in self._children:
            child.terminate()
        for child in self._children:
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def _start(self, name, kind, host, *arguments):
        home = os.environ["SPARK_HOME"]
        environment = {
            **os.environ,
            "SPARK_LOCAL_IP": host,
            "SPARK_LOCAL_DIRS": str(self.folder / "local"),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": SHORT_LIVED,
            "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",
        }
        command = [f"{home}/bin/spark-class", f"org.apache.spark.deploy.{kind.lower()}.{kind}", "--host", host,
                   "--webui-port", "0", *arguments]
        log = self.folder / f"{name}.log"
        with log.open("wb") as output:
            child = subprocess.Popen(command, preexec_fn=_end_with_parent, env=environment, cwd=self.folder,
                                     stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        self._children.append(child)
        return log


@contextlib.contextmanager
def cluster(folder):
    made = Cluster(folder)
    try:
        made.start()
        yield made
    finally:
        made.end()


def _end_with_parent():
    """Also if the tests are killed."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _first(log, pattern):
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        found = pattern.search(log.read_text("utf-8"))
        if found:
            return found
        time.sleep(0.05)
    raise RuntimeError(f"{log.name}:\n{log.read_text('utf-8')}")


def parent_of(process):
    return int(pathlib.Path("/proc", str(process), "stat").read_text().rpartition(")")[2].split()[1])
