"""What the tests of tables on a server share: a server with a table, and the tool."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from server import Server  # noqa: E402

TOOL, EXACT = sys.argv[1:3] if len(sys.argv) > 2 else (None, None)

TABLE = """
CREATE SCHEMA clinic;
CREATE TABLE clinic.visits (person integer, region text, age smallint, price numeric(8,2), note text);
INSERT INTO clinic.visits
SELECT i / 3, (ARRAY['north', 'south'])[1 + i % 2], 20 + i % 50, (i % 1000) / 7.0, 'planted-' || md5(i::text)
FROM generate_series(1, 6000) AS i;
"""

RELEASE = """
version = 1
source = {source}
unit = {{ id = "person", max_rows_per_group = 2, max_groups = 2 }}
budget = {{ epsilon = 1, ledger = "visits.ledger" }}
{more}
[columns]
region = {{ keys = ["north", "south"] }}
age = {{ lower = 0, upper = 100 }}

[[statistics]]
kind = "count"
by = "region"

[[statistics]]
kind = "mean"
column = "age"
"""


class SourceCase(unittest.TestCase):
    """A test with a server of its own for all its cases, and a folder for each."""

    settings = {}
    prepared = TABLE

    @classmethod
    def setUpClass(cls):
        cls.server = Server(**cls.settings)
        cls.addClassCleanup(cls.server.__exit__)
        cls.server.sql(cls.prepared)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def url(self, table="clinic.visits", **parameters):
        return self.server.address(table=table, **parameters)

    def write(self, source, name="visits.toml", more=""):
        text = source if source.startswith("{") else f'"{source}"'
        path = self.folder / name
        path.write_text(RELEASE.format(source=text, more=more), encoding="utf-8")
        return str(path)

    def run_tool(self, *arguments, environment=None, timeout=60):
        return subprocess.run(
            [TOOL, *arguments], cwd=self.folder, capture_output=True, text=True, check=False, timeout=timeout,
            env=os.environ | (environment or {}),
        )

    def start_tool(self, *arguments):
        process = subprocess.Popen(
            [TOOL, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def succeed(self, *arguments, **options):
        done = self.run_tool(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def refuse(self, words, *arguments, **options):
        done = self.run_tool(*arguments, **options)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(words, done.stderr)
        return done.stderr

    def make_ledger(self):
        self.succeed("ledger", "init", "visits.ledger", "--epsilon", "10")

    def spent(self):
        return self.succeed("ledger", "show", "visits.ledger")

    def exact(self, *files):
        """What the engines compute for release files, before any noise, under one key."""
        jobs = self.folder / "jobs"
        jobs.write_text("".join(f"{file}\t7\t2\n" for file in files), encoding="utf-8")
        done = subprocess.run([EXACT, str(jobs)], capture_output=True, text=True, check=True)
        return done.stdout.splitlines()


def main():
    del sys.argv[1:]
    unittest.main()
