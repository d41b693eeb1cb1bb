"""What a release of rows in Spark costs beside a plain GROUP BY on the same session, in the same run.

The session has two cores of this machine. Each question is asked in turn, so that a disturbance affects all; what
counts is the best time of each. Checked before anything is timed: without a limit that leaves out rows, and with noise
that rounds to nothing, both releases give the numbers of the plain statement.
Exit code: 0, 1 if an answer was wrong, 77 if the package or Spark is not there.
"""
# Builds: python_package spark

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

SKIPPED = 77
TOWNS = 16
STATEMENT = "SELECT town, COUNT(*) AS n, SUM(income) AS sum FROM people GROUP BY town"
# Of whole numbers from 0 to 1000 there are few different rows; of these there are not.
REAL_STATEMENT = STATEMENT.replace("income", "wealth")
# A plain statement, and the release beside it.
PAIRS = {"plain": "row", "plain_real": "row_real", "plain_by_unit": "unit"}
COLUMNS = {"town": {"keys": list(range(TOWNS))}, "income": {"lower": 0, "upper": 1000},
           "wealth": {"lower": 0, "upper": 2000}}


def parse(words):
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(prog="./run bench spark", description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows (10000000), ten for each unit")
    parser.add_argument("--generated", action="store_true", help="compute the rows each time, without files")
    parser.add_argument("--rows-only", action="store_true", help="without the questions about people")
    parser.add_argument("--repeat", type=int, default=3, help="times that each is asked (3)")
    parser.add_argument("--partitions", type=int, default=16, help="of a shuffle (16)")
    parser.add_argument("--heap", default="3g", help="memory of Spark's Java (3g)")
    parser.add_argument("--build", type=pathlib.Path, default=root / "build" / "release", help="our programs")
    parser.add_argument("--json", action="store_true", help="end with the results as one JSON object")
    return parser.parse_args(words)


class PeakMemory:
    """The most memory that this process and all below it had together, looked at five times a second."""

    def __init__(self):
        self.bytes = 0
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        while True:
            self.bytes = max(self.bytes, self._now())
            time.sleep(0.2)

    def _now(self):
        parents, pages = {}, {}
        for folder in pathlib.Path("/proc").iterdir():
            try:
                if folder.name.isdigit():
                    parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                    pages[int(folder.name)] = int((folder / "statm").read_text().split()[1])
            except OSError:
                continue  # it has ended
        total = 0
        for process in parents:
            ancestor = process
            while ancestor in parents and ancestor != os.getpid():
                ancestor = parents[ancestor]
            total += pages[process] if ancestor == os.getpid() else 0
        return total * os.sysconf("SC_PAGE_SIZE")


class Sides:
    """The questions, each a function that gives its rows."""

    def __init__(self, options, folder):
        import lastbit
        from pyspark.sql import SparkSession

        settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
                    "spark.sql.shuffle.partitions": str(options.partitions), "spark.driver.memory": options.heap,
                    "spark.local.dir": folder, "spark.driver.host": "127.0.0.1"}
        builder = SparkSession.builder.master("local[2]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.spark = builder.getOrCreate()
        self.spark.sparkContext.setLogLevel("ERROR")
        rows = self.spark.range(options.rows).selectExpr(
            f"pmod(xxhash64(id, 1), {max(options.rows // 10, 1)}) AS person",
            f"CAST(pmod(xxhash64(id, 2), {TOWNS}) AS int) AS town", "pmod(xxhash64(id, 3), 1001) AS income",
            "pmod(xxhash64(id, 4), 1048576) / 1024D AS wealth")
        if not options.generated:
            rows.write.parquet(f"{folder}/people")
            rows = self.spark.read.parquet(f"{folder}/people")
        self.rows = rows
        ledger = lastbit.ledger.create(f"{folder}/people.ledger", epsilon=10**15)
        common = {"ledger": ledger, "columns": COLUMNS, "name": "people"}
        self.by_row = lastbit.Session(rows, unit="row", **common)
        self.by_unit = lastbit.Session(rows, unit="person", max_rows=2, max_groups=4, **common)
        self.unlimited = lastbit.Session(rows, unit="person", max_rows=1000, max_groups=TOWNS, **common)

    def plain(self, statement=STATEMENT):
        self.rows.createOrReplaceTempView("people")
        answer = self.spark.sql(statement).collect()
        return sorted(tuple(row) for row in answer)

    def plain_by_unit(self):
        """The first thing that a limit per unit needs in SQL: the groups of each unit."""
        self.rows.createOrReplaceTempView("people")
        groups = "SELECT person, town, COUNT(*) AS n, SUM(income) AS sum FROM people GROUP BY person, town"
        answer = self.spark.sql(f"SELECT town, SUM(n), SUM(sum) FROM ({groups}) GROUP BY town").collect()
        return sorted(tuple(row) for row in answer)

    def released(self, session, epsilon=1, statement=STATEMENT):
        answer = session.query(statement, epsilon=epsilon, again=True, same_people=True)
        return [tuple(row.values()) for row in answer]

    def is_right(self, session, statement):
        """Sums of real numbers are on a grid in a release, and rounded by Spark."""
        pairs = zip(self.released(session, 10**12, statement), self.plain(statement))
        return all(abs(a - b) <= 1e-9 * abs(b) for one, other in pairs for a, b in zip(one, other))

    def shuffled(self):
        """The bytes that were written for shuffles so far."""
        executors = self.spark.sparkContext._jsc.sc().statusStore().executorList(True)
        return sum(executors.apply(place).totalShuffleWrite() for place in range(executors.size()))


def measured(options, folder):
    memory = PeakMemory()
    sides = Sides(options, folder)
    checks = [(sides.by_row, STATEMENT), (sides.by_row, REAL_STATEMENT), (sides.unlimited, STATEMENT)]
    for session, statement in checks[:2] if options.rows_only else checks:
        if not sides.is_right(session, statement):
            sys.exit("a release does not give the numbers of the plain statement")
    asked = {"plain": sides.plain, "row": lambda: sides.released(sides.by_row),
             "plain_real": lambda: sides.plain(REAL_STATEMENT),
             "row_real": lambda: sides.released(sides.by_row, statement=REAL_STATEMENT)}
    if not options.rows_only:
        asked |= {"plain_by_unit": sides.plain_by_unit, "unit": lambda: sides.released(sides.by_unit)}
    seconds = dict.fromkeys(asked, float("inf"))
    shuffled = {}
    for _ in range(options.repeat):
        for name, ask in asked.items():
            before, start = sides.shuffled(), time.perf_counter()
            ask()
            seconds[name] = min(seconds[name], time.perf_counter() - start)
            shuffled[name] = sides.shuffled() - before
    return {"rows": options.rows, "seconds": seconds, "shuffled_bytes": shuffled, "peak_bytes": memory.bytes,
            "ratios": {name: seconds[name] / seconds[plain] for plain, name in PAIRS.items() if name in seconds}}


def show(results):
    titles = {"plain": "plain GROUP BY", "row": "release, each row a unit",
              "plain_real": "plain GROUP BY, real numbers", "row_real": "release of real numbers",
              "plain_by_unit": "plain GROUP BY unit and group", "unit": "release, limited per unit"}
    print(f"{'of ' + format(results['rows'], ',') + ' rows':<36}{'seconds':>10}{'shuffled':>14}")
    for name in results["seconds"]:
        title = titles[name]
        print(f"{title:<36}{results['seconds'][name]:>10.2f}{results['shuffled_bytes'][name] / 1e6:>11.1f} MB")
    for name, ratio in results["ratios"].items():
        print(f"{titles[name] + ' / plain':<36}{ratio:>10.2f}")
    print(f"{'memory of all processes at most':<36}{results['peak_bytes'] / 1e9:>10.2f} GB")


def main(words):
    options = parse(words)
    interpreter = options.build.parent / "python" / "spark" / "bin" / "python"
    if not interpreter.exists() or not (options.build / "python" / "lastbit" / "_lastbit.pyi").exists():
        print("skipped: the Python package was not built, or Spark is not installed", file=sys.stderr)
        return SKIPPED
    if pathlib.Path(sys.prefix).resolve() != interpreter.parents[1].resolve():
        environment = os.environ | {"PYTHONPATH": str((options.build / "python").resolve()),
                                    "PYSPARK_PYTHON": str(interpreter)}
        return subprocess.run([str(interpreter), __file__, *words], env=environment, check=False).returncode
    with tempfile.TemporaryDirectory() as folder:
        results = measured(options, folder)
    show(results)
    if options.json:
        print(json.dumps(results))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
