"""What a release of a table in PostgreSQL costs beside a plain GROUP BY of the same table on the same server.

A server of its own holds invented rows of people in groups. Each question is asked in turn, in one run, so that a
disturbance affects all; what counts is the best time of each. Checked before anything is timed: with next to no noise,
and limits that leave nothing out, releases give the counts and means of the GROUP BY.
Exit code: 0, 1 if an answer was wrong, 77 without Debian's package postgresql-15.
"""
# Builds: lastbit

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "postgres"))
from server import Server  # noqa: E402

TABLE = """
CREATE UNLOGGED TABLE visits (person bigint, region text, x double precision, minutes smallint);
INSERT INTO visits SELECT 7919 * i % {units}, 'region ' || (hashint8(i) & 15), (hashint8extended(i, 1) & 65535) / 64.0,
  hashint8extended(i, 2) & 255
FROM generate_series(1::bigint, {rows}) AS i;
VACUUM ANALYZE visits;
"""
GROUPED = "SELECT region, count(*), sum({column}) FROM visits GROUP BY region ORDER BY region"
# The least that SQL would have to do for the same mean of real numbers: within the bounds, and exact on a grid.
STEPS = "floor(least(greatest(x, 0.0), 1024.0) * 1048576.0 + 0.5)::bigint"
# What the server sends for the same statistics; in the order of the people it would be what other engines sort.
SENT = "SELECT person, region, x FROM visits"

RELEASE = """
version = 1
source = "{url}"
unit = {unit}
budget = {{ epsilon = {epsilon}, ledger = "{ledger}" }}
[columns]
region = {{ keys = [{keys}] }}
x = {{ lower = 0, upper = 1024 }}
minutes = {{ lower = 0, upper = 255 }}
[[statistics]]
kind = "count"
by = "region"
[[statistics]]
kind = "mean"
column = "{column}"
by = "region"
"""
# So large an epsilon that noise is far below what is compared, even with few rows.
NO_NOISE = 10**12
RELEASES = {
    "row-level, real numbers": ('"row"', "x"),
    "row-level, few different rows": ('"row"', "minutes"),
    "unit-level": ('{ id = "person", max_rows_per_group = 3, max_groups = 2 }', "x"),
    "unit-level, nothing left out": ('{ id = "person", max_rows_per_group = 1000, max_groups = 16 }', "x"),
}


def parse(words):
    parser = argparse.ArgumentParser(prog="./run bench postgres", description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of the table (10000000)")
    parser.add_argument("--units", type=int, default=1_000_000, help="people in it (1000000)")
    parser.add_argument("--repeat", type=int, default=3, help="times that each is asked (3)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release", help="our programs")
    parser.add_argument("--json", action="store_true", help="end with the results as one JSON object")
    return parser.parse_args(words)


class Bench:
    def __init__(self, options, server, folder):
        self.options, self.server, self.folder = options, server, pathlib.Path(folder)
        self.tool = options.build.resolve() / "cli" / "lastbit"

    def write(self, name, epsilon):
        keys = ", ".join(f'"region {i}"' for i in range(16))
        file = self.folder / f"{name.replace(' ', '_').replace(',', '')}.toml"
        url = self.server.address(table="visits")
        unit, column = RELEASES[name]
        words = {"url": url, "unit": unit, "column": column, "epsilon": epsilon, "keys": keys}
        text = RELEASE.format(**words, ledger=f"{file.stem}.ledger")
        file.write_text(text, encoding="utf-8")
        ledger = file.with_suffix(".ledger")
        ledger.unlink(missing_ok=True)
        self.run(self.tool, "ledger", "init", ledger, "--epsilon", str(100 * epsilon))
        return file

    def run(self, *words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout

    def release(self, file):
        return json.loads(self.run(self.tool, "release", file, "--again", "--json"))

    def psql(self, statement):
        """Runs a statement whose rows are thrown away."""
        words = [f"{self.server.bin}/psql", "-X", "-q", "-h", self.server.folder, "-p", self.server.port]
        self.run(*words, "-U", "postgres", "-d", "postgres", "-o", "/dev/null", "-c", statement)

    def check(self):
        """The problem with an answer, or nothing."""
        for name in RELEASES.keys() - {"unit-level"}:
            expected = {}
            for line in self.server.sql(GROUPED.format(column=RELEASES[name][1])).splitlines():
                region, count, total = line.split("|")
                expected[region] = (int(count), float(total) / int(count))
            counts, means = self.release(self.write(name, NO_NOISE))["statistics"]
            for region, (count, mean) in expected.items():
                shown = [answer_of(statistic, region) for statistic in (counts, means)]
                if shown[0] != count or abs(shown[1] - mean) > 0.01:
                    return f"{name}: {region} has {shown} and not {[count, mean]}"
        return None

    def sides(self):
        names = [name for name in RELEASES if name != "unit-level, nothing left out"]
        files = {name: self.write(name, 1) for name in names}
        return {
            "GROUP BY": lambda: self.psql(GROUPED.format(column="x")),
            "GROUP BY, whole numbers": lambda: self.psql(GROUPED.format(column="minutes")),
            "GROUP BY, exact steps": lambda: self.psql(GROUPED.format(column=STEPS)),
            "COPY alone": lambda: self.psql(f"COPY ({SENT}) TO STDOUT (FORMAT binary)"),
            "COPY, ordered by person": lambda: self.psql(f"COPY ({SENT} ORDER BY person) TO STDOUT (FORMAT binary)"),
        } | {name: lambda file=file: self.release(file) for name, file in files.items()}


def answer_of(statistic, region):
    for answer in statistic["answers"]:
        if answer["group"]["region"] == region:
            return answer["answer_double"]
    raise RuntimeError(f"there is no answer for {region}")


def measure(bench, repeat):
    best = {}
    for _ in range(repeat):
        for name, ask in bench.sides().items():
            start = time.perf_counter()
            ask()
            best[name] = min(best.get(name, float("inf")), time.perf_counter() - start)
    return best


def show(best, options):
    base = best["GROUP BY"]
    print(f"{options.rows:,} rows, {options.units:,} people, 16 groups; load {os.getloadavg()[0]:.1f}")
    print(f"  {'':<32}{'seconds':>9}  {'of GROUP BY':>11}")
    for name, seconds in best.items():
        print(f"  {name:<32}{seconds:>9.2f}  {seconds / base:>11.1f}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"  most memory of one process of ours: {peak:.0f} MiB")
    if options.json:
        ratios = {name: round(seconds / base, 3) for name, seconds in best.items()}
        print(json.dumps({"benchmark": "postgres", "ratios": ratios, "peak_mib": round(peak)}))


def main():
    options = parse(sys.argv[1:])
    with Server(shared_buffers="1GB", work_mem="256MB", fsync="off") as server, tempfile.TemporaryDirectory() as folder:
        server.sql(TABLE.format(rows=options.rows, units=options.units))
        bench = Bench(options, server, folder)
        problem = bench.check()
        if problem:
            print(problem, file=sys.stderr)
            return 1
        show(measure(bench, options.repeat), options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
