"""What the tests of releases share: a small file of rows, a release file about it and its ledger."""

import json
import pathlib
import sys
import unittest

import cli_test
from cli_test import READS_FILES, CliCase, lastbit

# Some tests run it in other folders.
BINARY = cli_test.BINARY = str(pathlib.Path(cli_test.BINARY).resolve())

SANITIZED = len(sys.argv) > 4 and sys.argv[4] == "1"

ROWS = [("north", 30, "1000"), ("south", 40, "2500.5"), ("north", 50, ""), ("east", 20, "400"), ("south", 61, "7")]
RELEASE = """\
version = 1
source = "data.csv"
unit = "row"
budget = {{ epsilon = {epsilon}, ledger = "data.ledger" }}

[columns]
region = {{ keys = ["north", "south", "east", "west"] }}
age = {{ type = "integer", lower = 0, upper = 100 }}
income = {{ type = "real", lower = 0, upper = 10_000 }}

[[statistics]]
name = "people"
kind = "count"
by = "region"

[[statistics]]
name = "years"
kind = "sum"
column = "age"
"""
LARGE = 10**6


def as_csv(rows, separator=","):
    return "".join(separator.join(map(str, row)) + "\n" for row in [("region", "age", "income"), *rows])


@unittest.skipUnless(READS_FILES, "this build has no engine")
class ReleaseCase(CliCase):
    def setUp(self):
        super().setUp()
        self.ledger = self.folder / "data.ledger"
        self.file = self.folder / "release.toml"
        (self.folder / "data.csv").write_text(as_csv(ROWS), encoding="utf-8")
        self.write()

    def write(self, text=None, epsilon=LARGE):
        self.file.write_text(RELEASE.format(epsilon=epsilon) if text is None else text, encoding="utf-8")

    def make_ledger(self, *cap):
        run = lastbit("ledger", "init", str(self.ledger), *(cap or ("--epsilon", str(10 * LARGE))))
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def contents(self):
        run = lastbit("ledger", "show", str(self.ledger), "--json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return json.loads(run.stdout)

    def plan(self, *options):
        run = lastbit("plan", str(self.file), *options)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def release(self, *options):
        """A release that succeeds, though it may not be the first of its plan."""
        run = lastbit("release", str(self.file), "--again", *options)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def expect_refused(self, code, *arguments, mentions, **options):
        """One line on standard error, nothing on standard output, the ledger as it was to the byte."""
        before = self.ledger.read_bytes() if self.ledger.exists() else None
        run = lastbit(*arguments, **options)
        self.assertEqual((run.returncode, run.stdout), (code, ""), run.stderr)
        self.assertRegex(run.stderr, r"\Alastbit: [^\n]+\n\Z")
        self.assertIn(mentions, run.stderr)
        self.assertEqual(self.ledger.read_bytes() if self.ledger.exists() else None, before)

    def answers(self, document):
        """Statistic, group and cell of each answer, with its exact value."""
        return {(s["name"], *a["group"].values(), a.get("cell") or ""): a["answer"] for s in document["statistics"]
                for a in s["answers"]}
