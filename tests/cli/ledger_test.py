"""Runs lastbit ledger as its users do: ledger_test.py, arguments as cli_test.py.

The entries are written here, by hashes of their own, so that the format is known to two programs.
"""

import csv
import fractions
import hashlib
import io
import json
import os
import sqlite3
import sys
import unittest

from cli_test import CliCase, lastbit

FIELDS = ("id", "kind", "entry", "time", "plan", "data", "description", "mechanisms", "cost", "total", "previous")


def hashed(title, fields):
    """The SHA-256 of fields, each with its name and its length in bytes before it."""
    text = title.encode() + b"\n"
    for name, value in fields:
        value = str(value).encode()
        text += f"{name} {len(value)}:".encode() + value + b"\n"
    return hashlib.sha256(text).hexdigest()


def header_hash(database):
    names = ("cap", "description", "created", "nonce")
    row = database.execute(f"SELECT {', '.join(names)} FROM header").fetchone()
    return hashed("lastbit ledger 1", zip(names, row))


def add_record(path, **fields):
    """Appends a record the way a release would; `total` is given by the caller."""
    database = sqlite3.connect(path)
    last = database.execute("SELECT id, hash FROM record ORDER BY id DESC LIMIT 1").fetchone()
    number, previous = last or (0, header_hash(database))
    record = {**dict.fromkeys(FIELDS, ""), "time": "2026-11-15T12:00:00Z", **fields,
              "id": number + 1, "previous": previous}
    unit = record.pop("unit", "")
    values = [record[name] for name in FIELDS]
    # A record without a unit has the hash that it had before there were units.
    digest = hashed("lastbit ledger record 1", [*zip(FIELDS, values), *([("unit", unit)] if unit else [])])
    with database:
        database.execute(f"INSERT INTO record VALUES ({', '.join('?' * 13)})", [*values, digest, unit])
    database.close()
    return digest


def edit(path, sql):
    database = sqlite3.connect(path)
    with database:
        database.execute(sql)
    database.close()


class LedgerCase(CliCase):
    def setUp(self):
        super().setUp()
        self.file = str(self.folder / "survey.ledger")

    def init(self, *options):
        run = lastbit("ledger", "init", self.file, *options, "--json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return json.loads(run.stdout)

    def spend(self, entry, cost, total, **fields):
        return add_record(self.file, kind="spending", entry=entry, cost=cost, total=total,
                          **{"description": f"release {entry}", "data": "survey 2026", "unit": "row", **fields})

    def filled(self):
        """A ledger of two releases, the first of them finished; returns its head."""
        self.init("--epsilon", "2", "--description", "survey of 2026")
        self.spend(1, "epsilon 1/3", "epsilon 1/3", plan="abc", mechanisms="laplace 1")
        add_record(self.file, kind="completion", entry=1, total="epsilon 1/3")
        return self.spend(2, "epsilon 0.25", "epsilon 7/12")

    def verify(self, *options):
        run = lastbit("ledger", "verify", self.file, *options)
        self.assertEqual(run.stderr, "")
        return run

    def expect_refused(self, code, *arguments, mentions):
        run = lastbit("ledger", *arguments)
        self.assertEqual((run.returncode, run.stdout), (code, ""), run.stderr)
        self.assertRegex(run.stderr, r"\Alastbit: [^\n]+\n\Z")
        self.assertIn(mentions, run.stderr)


class InitTest(LedgerCase):
    def test_four_kinds_of_budget(self):
        for options, budget in (
            (("--epsilon", "2"), {"epsilon": "2"}),
            (("--epsilon", "0.1", "--delta", "1e-6"), {"epsilon": "0.1", "delta": "0.000001"}),
            (("--rho", "1/3"), {"rho": "1/3"}),
            (("--rho", "1/3", "--delta", "1e-6"), {"rho": "1/3", "delta": "0.000001"}),
        ):
            made = self.init(*options)
            self.assertEqual((made["budget"], made["left"], made["spendings"]), (budget, budget, 0))
            self.assertEqual(json.loads(self.verify("--json").stdout)["head"], made["head"])
            os.remove(self.file)

    def test_text_names_the_budget_and_the_head(self):
        run = lastbit("ledger", "init", self.file, "--epsilon", "2")
        self.assertRegex(run.stdout, r"\A'.*survey.ledger': epsilon 2 to spend\nhead: [0-9a-f]{64}\n\Z")

    def test_nothing_is_overwritten(self):
        self.filled()
        before = (self.folder / "survey.ledger").read_bytes()
        self.expect_refused(65, "init", self.file, "--epsilon", "9", mentions="exists already")
        self.assertEqual((self.folder / "survey.ledger").read_bytes(), before)

    def test_wrong_budgets_are_usage_errors_and_leave_nothing(self):
        for options, mentions in (
            ((), "no budget"), (("--delta", "1e-6"), "no budget"), (("--epsilon", "0"), "not positive"),
            (("--epsilon", "-1"), "not positive"), (("--epsilon", "two"), "--epsilon"),
            (("--epsilon", "1", "--delta", "1"), "not between"), (("--rho", "0"), "not positive"),
            (("--rho", "1", "--delta", "1"), "not between"),
            (("--rho", "1", "--epsilon", "1"), "--rho"), (("--epsilom", "1"), "--epsilon"),
            (("--epsilon", "1", "--description", "a\nb"), "description"),
        ):
            self.expect_refused(64, "init", self.file, *options, mentions=mentions)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_missing_folder_is_named(self):
        self.expect_refused(74, "init", str(self.folder / "no/l"), "--epsilon", "1", mentions="no/l")


class ShowTest(LedgerCase):
    def test_table_has_costs_totals_and_states(self):
        self.filled()
        run = lastbit("ledger", "show", self.file)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("survey of 2026", run.stdout)
        self.assertRegex(run.stdout, r"1  2026-11-15T12:00:00Z  release 1  survey 2026  row +1/3 +1/3  finished\n")
        self.assertRegex(run.stdout, r"2  2026-11-15T12:00:00Z  release 2  survey 2026  row +0.25 +7/12  not finished\n")
        self.assertIn("Spent 7/12 of 2 epsilon; 17/12 is left.\n", run.stdout)
        self.assertIn("Not finished: 1. This release is", run.stdout)
        self.spend(3, "epsilon 0.25", "epsilon 5/6")
        self.assertIn("Not finished: 2. These releases are", lastbit("ledger", "show", self.file).stdout)

    def test_json_is_exact(self):
        head = self.filled()
        shown = json.loads(lastbit("ledger", "show", self.file, "--json").stdout)
        self.assertEqual((shown["spent"], shown["left"], shown["head"], shown["damage"]),
                         ({"epsilon": "7/12"}, {"epsilon": "17/12"}, head, None))
        first, second = shown["entries"]
        self.assertEqual((first["state"], first["plan"], first["mechanisms"]), ("finished", "abc", "laplace 1"))
        self.assertEqual((second["state"], second["completed"], second["total"]),
                         ("not finished", None, {"epsilon": "7/12"}))

    def test_it_says_what_the_entries_are_about(self):
        self.init("--epsilon", "2")
        self.spend(1, "epsilon 0.1", "epsilon 0.1", unit="", data="")
        self.spend(2, "epsilon 0.1", "epsilon 0.2")
        self.spend(3, "epsilon 0.1", "epsilon 0.3", unit="column person")
        self.spend(4, "epsilon 0.1", "epsilon 0.4")
        lines = ("about: data without a name (unit: not recorded)\n",
                 "and:   'survey 2026' (unit: row), said to be about the same people by entry 2\n",
                 "and:   'survey 2026' (unit: column person), said to be about the same people by entry 3\n")
        for topic, indent in (("show", "  "), ("verify", "")):
            self.assertIn("".join(indent + line for line in lines), lastbit("ledger", topic, self.file).stdout)
            about = json.loads(lastbit("ledger", topic, self.file, "--json").stdout)["about"]
            self.assertEqual([(one["data"], one["unit"], one["first_entry"]) for one in about],
                             [("", "", 1), ("survey 2026", "row", 2), ("survey 2026", "column person", 3)])

    def test_long_numbers_are_rounded_in_the_direction_that_stays_true(self):
        self.init("--epsilon", "1")
        cost = fractions.Fraction(1, 3**30)
        self.spend(1, f"epsilon {cost}", f"epsilon {cost}")
        words = lastbit("ledger", "show", self.file).stdout.split("Spent ")[1].split()
        self.assertGreaterEqual(fractions.Fraction(words[0]), cost)
        self.assertLessEqual(fractions.Fraction(words[4]), 1 - cost)

    def test_rho_is_also_shown_as_epsilon_and_delta(self):
        self.init("--rho", "0.5")
        self.spend(1, "epsilon 1", "rho 0.5")
        run = lastbit("ledger", "show", self.file, "--delta", "1e-5")
        self.assertIn("Spent 0.5 of 0.5 rho; 0 is left.", run.stdout)
        self.assertRegex(run.stdout, r"With delta 0.00001 that is epsilon 4\.\d+ spent, of 4\.\d+\.")

    def test_rho_and_delta_are_both_shown(self):
        self.init("--rho", "0.5", "--delta", "1e-6")
        self.spend(1, "rho 0.125, delta 0.0000001", "rho 0.125, delta 0.0000001")
        run = lastbit("ledger", "show", self.file, "--delta", "1e-6")
        self.assertIn("Spent (0.125, 0.0000001) of (0.5, 0.000001) (rho, delta); (0.375, 0.0000009) is left.",
                      run.stdout)
        self.assertRegex(run.stdout, r"With a further delta of 0.000001 that is \(epsilon, delta\) "
                                     r"\(2\.\d+, 0.0000011\) spent, of \(5\.\d+, 0.000002\)\.")
        whole = json.loads(self.verify("--json").stdout)
        self.assertEqual(whole["spent"], {"rho": "0.125", "delta": "0.0000001"})
        self.assertTrue(whole["whole"])

    def test_empty_ledger_has_no_table(self):
        self.init("--epsilon", "1", "--delta", "0.001")
        run = lastbit("ledger", "show", self.file)
        self.assertIn("Spent (0, 0) of (1, 0.001) (epsilon, delta); (1, 0.001) is left.", run.stdout)
        self.assertNotIn("state", run.stdout)

    def test_damage_is_shown_and_exits_with_1(self):
        self.filled()
        edit(self.file, "UPDATE record SET description = 'other' WHERE id = 3")
        run = lastbit("ledger", "show", self.file)
        self.assertEqual(run.returncode, 1)
        self.assertIn("DAMAGED: record 3: it does not fit its hash", run.stdout)
        self.assertIn("cannot be known: at least 1/3 is spent", run.stdout)
        self.assertNotIn("5/3", run.stdout)
        self.assertIsNone(json.loads(lastbit("ledger", "show", self.file, "--json").stdout)["left"])


class VerifyTest(LedgerCase):
    def test_whole_ledger(self):
        head = self.filled()
        run = self.verify()
        self.assertEqual(run.returncode, 0)
        self.assertTrue(run.stdout.startswith("whole: 2 spendings, 1 of them finished;"), run.stdout)
        self.assertIn(f"spent: epsilon 7/12 of epsilon 2\nhead:  {head}\n", run.stdout)
        self.assertIn("--head", run.stdout)

    def test_one_is_not_several(self):
        self.init("--epsilon", "2")
        self.assertTrue(self.verify().stdout.startswith("whole: 0 spendings, 0 of them finished;"))
        self.spend(1, "epsilon 1/3", "epsilon 1/3")
        self.assertTrue(self.verify().stdout.startswith("whole: 1 spending, not finished; every"))
        self.spend(2, "epsilon 0.25", "epsilon 7/12")
        self.assertTrue(self.verify().stdout.startswith("whole: 2 spendings, 0 of them finished;"))
        edit(self.file, "UPDATE record SET description = 'other' WHERE id = 2")
        self.assertIn("\n1 record before that is intact; it spends epsilon 1/3\n", self.verify().stdout)
        edit(self.file, "UPDATE record SET description = 'other' WHERE id = 1")
        self.assertIn("\n0 records before that are intact; they spend epsilon 0\n", self.verify().stdout)

    def test_noted_head_shows_a_cut_end(self):
        head = self.filled()
        self.assertEqual(self.verify("--head", head).returncode, 0)
        edit(self.file, "DELETE FROM record WHERE id = 3")
        self.assertEqual(self.verify().returncode, 0)
        run = self.verify("--head", head)
        self.assertEqual(run.returncode, 1)
        self.assertIn("DAMAGED: the noted head is not in the chain", run.stdout)
        self.assertFalse(json.loads(self.verify("--head", head, "--json").stdout)["whole"])

    def test_unit_is_part_of_the_hash(self):
        self.filled()
        for unit in ("column person", ""):
            edit(self.file, f"UPDATE record SET unit = '{unit}' WHERE id = 3")
            self.assertIn("record 3: it does not fit its hash", self.verify().stdout)

    def test_ledger_from_before_there_were_units_is_whole(self):
        self.init("--epsilon", "2")
        self.spend(1, "epsilon 1/3", "epsilon 1/3", unit="")
        edit(self.file, "ALTER TABLE record DROP COLUMN unit")
        edit(self.file, "PRAGMA user_version = 1")
        self.assertEqual(self.verify().returncode, 0)
        self.assertIn("'survey 2026' (unit: not recorded)", lastbit("ledger", "show", self.file).stdout)
        self.assertEqual(lastbit("ledger", "export", self.file).returncode, 0)

    def test_head_that_is_no_hash_is_a_usage_error(self):
        self.filled()
        self.expect_refused(64, "verify", self.file, "--head", "abc", mentions="--head")

    def test_sums_are_computed_again(self):
        self.init("--epsilon", "1")
        self.spend(1, "epsilon 0.75", "epsilon 0.5")
        self.assertIn("its total is not the sum", self.verify().stdout)

    def test_more_than_the_budget_is_damage(self):
        self.init("--epsilon", "1")
        self.spend(1, "epsilon 0.75", "epsilon 0.75")
        self.spend(2, "epsilon 0.75", "epsilon 1.5")
        run = self.verify()
        self.assertEqual(run.returncode, 1)
        self.assertIn("record 2: it exceeds the budget", run.stdout)

    def test_records_that_make_no_sense_are_damage(self):
        for fields, problem in (
            ({"kind": "spending", "entry": 7, "cost": "epsilon 1", "total": "epsilon 1"}, "spending 7 instead of 1"),
            ({"kind": "spending", "entry": 1, "cost": "epsilon 2/2", "total": "epsilon 1"}, "cannot be read"),
            ({"kind": "spending", "entry": 1, "cost": "rho 1", "total": "epsilon 1"}, "does not fit the budget"),
            ({"kind": "completion", "entry": 1, "total": "epsilon 0"}, "does not exist"),
            ({"kind": "gift", "entry": 1, "total": "epsilon 0"}, "unknown kind"),
            ({"kind": "spending", "entry": 1, "cost": "epsilon 1", "total": "epsilon 1", "data": "\x1b[2J"}, "UTF-8"),
        ):
            self.init("--epsilon", "1")
            add_record(self.file, **fields)
            run = self.verify()
            self.assertEqual(run.returncode, 1)
            self.assertIn(problem, run.stdout)
            self.assertNotIn("\x1b", lastbit("ledger", "show", self.file).stdout)
            os.remove(self.file)

    def test_file_itself_keeps_a_second_completion_out(self):
        self.filled()
        with self.assertRaises(sqlite3.IntegrityError):
            add_record(self.file, kind="completion", entry=1, total="epsilon 7/12")
        self.assertEqual(self.verify().returncode, 0)


class ExportTest(LedgerCase):
    def test_csv_reads_back(self):
        self.init("--epsilon", "2")
        self.spend(1, "epsilon 1/3", "epsilon 1/3", plan='a "quoted", plan')
        for options in ((), ("--csv",)):
            run = lastbit("ledger", "export", self.file, *options)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            (row,) = csv.DictReader(io.StringIO(run.stdout))
            self.assertEqual((row["id"], row["unit"], row["plan"], row["cost"], row["state"]),
                             ("1", "row", 'a "quoted", plan', "epsilon 1/3", "not finished"))

    def test_spreadsheets_find_no_formula(self):
        self.init("--epsilon", "2")
        for number, plan in enumerate(("=1+1", "+1", "-2+3", "@SUM(A1)", "-12.5", "a=1"), start=1):
            self.spend(number, "epsilon 0.01", f"epsilon 0.0{number}", plan=plan)
        run = lastbit("ledger", "export", self.file)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        plans = [row["plan"] for row in csv.DictReader(io.StringIO(run.stdout))]
        self.assertEqual(plans, ["'=1+1", "'+1", "'-2+3", "'@SUM(A1)", "-12.5", "a=1"])

    def test_json_is_that_of_show(self):
        self.filled()
        self.assertEqual(lastbit("ledger", "export", self.file, "--json").stdout,
                         lastbit("ledger", "show", self.file, "--json").stdout)

    def test_damaged_ledger_is_not_exported(self):
        self.filled()
        edit(self.file, "DELETE FROM record WHERE id = 1")
        self.expect_refused(65, "export", self.file, mentions="record 1 is missing")

    def test_one_format_at_a_time(self):
        self.filled()
        run = lastbit("ledger", "export", self.file, "--csv", "--json")
        self.assertEqual(run.returncode, 64)


class BadFileTest(LedgerCase):
    def test_what_is_no_ledger_is_refused_by_every_topic(self):
        text = self.folder / "text"
        text.write_text("not a database, " * 99, encoding="utf-8")
        (self.folder / "empty").write_bytes(b"")
        sqlite3.connect(self.folder / "other").execute("CREATE TABLE t (x)").connection.close()
        self.filled()
        os.symlink(self.file, self.folder / "link")
        for topic in ("show", "verify", "export"):
            for name in ("text", "empty", "other", "missing", "link", "."):
                self.expect_refused(65, topic, str(self.folder / name), mentions=str(self.folder / name))

    def test_errors_are_json_where_that_was_asked_for(self):
        run = lastbit("ledger", "verify", str(self.folder / "missing"), "--json")
        self.assertEqual(json.loads(run.stderr)["error"]["exit_code"], 65)


class TopicTest(LedgerCase):
    def test_mistyped_topic_is_suggested(self):
        self.expect_refused(64, "shwo", mentions="did you mean show?")
        self.expect_refused(64, mentions="no topic")

    def test_every_topic_has_help_with_examples_that_fits_a_terminal(self):
        for topic in ("init", "show", "verify", "export", "move"):
            run = lastbit("ledger", topic, "--help")
            self.assertRegex(run.stdout, rf"Examples:\n  lastbit ledger {topic}")
            for line in run.stdout.splitlines():
                self.assertLessEqual(len(line), 100, line)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
