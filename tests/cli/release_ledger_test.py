"""Which ledger pays for a release, whom it is about, and plans that are released twice: release_ledger_test.py,
arguments as release_test.py.
"""

import json
import sys
import unittest

from cli_test import lastbit
from release_case import LARGE, RELEASE, ReleaseCase

BY_AGE = 'unit = { id = "age", max_rows_per_group = 2, max_groups = 2 }'


class PeopleTest(ReleaseCase):
    def setUp(self):
        super().setUp()
        self.make_ledger()

    def write_other(self, *changes):
        text = RELEASE.format(epsilon=1)
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.write(text)

    def expect_stopped(self, *mentions, options=()):
        """Release, rehearsal and plan tell the same."""
        for command in (("release",), ("release", "--dry-run")):
            for mention in mentions:
                self.expect_refused(1, command[0], str(self.file), *command[1:], *options, mentions=mention)
        run = lastbit("plan", str(self.file), *options)
        self.assertEqual((run.returncode, run.stderr), (1, ""))
        words = " ".join(run.stdout.split())
        for mention in ("REFUSED", *mentions):
            self.assertIn(mention, words)
        document = json.loads(lastbit("plan", str(self.file), *options, "--json").stdout)
        self.assertIn(mentions[0], document["ledger"]["refusal"])

    def test_another_unit_is_refused_unless_it_is_meant(self):
        self.release()
        self.write_other(('unit = "row"', BY_AGE))
        self.expect_stopped("the ledger is about 'data.csv' (unit: row), and this release is about "
                            "'data.csv' (unit: column age)", "--same-people", options=("--again",))
        self.assertIsNone(json.loads(self.plan("--same-people", "--json"))["ledger"]["refusal"])
        self.assertEqual(lastbit("release", str(self.file), "--same-people").returncode, 0)
        self.write_other(('unit = "row"', BY_AGE), ('name = "people"', 'name = "persons"'))
        self.assertEqual(lastbit("release", str(self.file)).returncode, 0)
        contents = self.contents()
        self.assertEqual([entry["unit"] for entry in contents["entries"]], ["row", "column age", "column age"])
        self.assertEqual([one["first_entry"] for one in contents["about"]], [1, 2])

    def test_other_data_is_refused_unless_it_is_meant(self):
        self.release()
        (self.folder / "data.csv").rename(self.folder / "june.csv")
        self.write_other(('"data.csv"', '"june.csv"'))
        self.expect_refused(1, "release", str(self.file), mentions="'june.csv' (unit: row)")
        self.write_other(('"data.csv"', '{ path = "june.csv", name = "data.csv" }'))
        self.assertEqual(lastbit("release", str(self.file)).returncode, 0)
        self.write_other(('"data.csv"', '"june.csv"'))
        self.assertEqual(lastbit("release", str(self.file), "--same-people").returncode, 0)
        self.assertEqual([entry["data"] for entry in self.contents()["entries"]], ["data.csv", "data.csv", "june.csv"])

    def test_data_that_moves_is_the_same(self):
        self.release()
        (self.folder / "new").mkdir()
        (self.folder / "data.csv").rename(self.folder / "new" / "data.csv")
        self.write_other(('"data.csv"', '"new/data.csv"'))
        self.assertEqual(lastbit("release", str(self.file)).returncode, 0)

    def test_column_that_is_called_row_is_another_unit(self):
        (self.folder / "data.csv").write_text("row\n1\n2\n", encoding="utf-8")
        head = 'version = 1\nsource = "data.csv"\nbudget = { epsilon = 1, ledger = "data.ledger" }\n'
        statistics = 'statistics = [{ kind = "count" }]\n'
        self.write(head + 'unit = "row"\n' + statistics)
        self.release()
        self.write(head + 'unit = { id = "row", max_rows_per_group = 1 }\n' + statistics)
        self.expect_refused(1, "release", str(self.file), mentions="(unit: column row)")

    def test_same_plan_is_refused_unless_it_is_meant(self):
        self.assertEqual(lastbit("release", str(self.file)).returncode, 0)
        (entry,) = self.contents()["entries"]
        self.expect_stopped(f"this plan was spent before, as entry 1 at {entry['time']}",
                            f"--again would spend epsilon {LARGE} again", options=("--same-people",))
        # A comment is no other plan.
        self.write("# once more\n" + RELEASE.format(epsilon=LARGE))
        self.expect_refused(1, "release", str(self.file), mentions="as entry 1")
        self.assertIsNone(json.loads(self.plan("--again", "--json"))["ledger"]["refusal"])
        self.assertEqual(lastbit("release", str(self.file), "--again").returncode, 0)
        self.expect_refused(1, "release", str(self.file), mentions="as entry 2")
        run = lastbit("release", str(self.file), "--json")
        error = json.loads(run.stderr)["error"]
        self.assertEqual((error["kind"], error["exit_code"]), ("refused", 1))


class LedgerOptionTest(ReleaseCase):
    def init(self, name):
        self.assertEqual(lastbit("ledger", "init", name, "--epsilon", str(5 * LARGE), cwd=self.folder).returncode, 0)

    def spendings(self, name):
        return json.loads(lastbit("ledger", "show", str(self.folder / name), "--json").stdout)["spendings"]

    def test_command_line_overrides_the_file(self):
        (self.folder / "elsewhere").mkdir()
        self.make_ledger()
        self.init("elsewhere/other.ledger")
        place = self.folder / "elsewhere"
        options = ("--ledger", "other.ledger")  # in the current folder, not in that of the file
        plan = json.loads(lastbit("plan", str(self.file), *options, "--json", cwd=place).stdout)
        self.assertEqual((plan["ledger"]["left"], plan["ledger"]["file"]),
                         ({"epsilon": str(5 * LARGE)}, str(place / "other.ledger")))
        run = lastbit("release", str(self.file), *options, "--json", "--out", "out", cwd=place)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        document = json.loads(run.stdout)
        self.assertEqual(document["ledger"]["file"], str(place / "other.ledger"))
        # A page for everyone names the ledger, and not where it is on this machine.
        page = (place / "out" / "report.html").read_text(encoding="utf-8")
        self.assertIn("other.ledger", page)
        self.assertNotIn(str(place), page)
        self.assertEqual((self.spendings("data.ledger"), self.spendings("elsewhere/other.ledger")), (0, 1))
        # Each ledger remembers for itself, whichever way it was named.
        self.assertEqual(document["digest"], json.loads(self.plan("--json"))["digest"])
        self.assertEqual(lastbit("release", str(self.file)).returncode, 0)
        self.expect_refused(1, "release", str(self.file), "--ledger", str(self.ledger), mentions="spent before")
        self.expect_refused(1, "release", str(self.file), *options, cwd=place, mentions="spent before")

    def test_it_need_not_be_there_in_the_file(self):
        self.init("other.ledger")
        run = lastbit("release", str(self.file), "--ledger", "other.ledger", cwd=self.folder)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertFalse(self.ledger.exists())

    def test_missing_one_is_named_with_the_command_that_makes_it(self):
        self.make_ledger()
        command = f"lastbit ledger init {self.folder / 'other.ledger'} --epsilon {LARGE}"
        self.expect_refused(65, "release", str(self.file), "--ledger", "other.ledger", cwd=self.folder, mentions=command)
        self.assertIn(command, lastbit("plan", str(self.file), "--ledger", "other.ledger", cwd=self.folder).stdout)
        for name in ("plan", "release"):
            self.expect_refused(64, name, str(self.file), "--ledger", "", mentions="--ledger has no name")
        self.expect_refused(65, "release", str(self.file), "--ledger", str(self.file), mentions="release.toml")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
