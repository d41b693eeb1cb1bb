"""Runs init, plan, release and demo as custodians do: release_test.py, arguments as cli_test.py, and 1 after
them for a build with sanitizers, where everything takes many times as long.

Where a test compares answers, epsilon is so large that noise is 0 but for a probability below e^-1000.
"""

import csv
import io
import json
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import unittest

import cli_test
from cli_test import READS_FILES, CliCase, lastbit, on_terminal

# Some tests run it in other folders.
BINARY = cli_test.BINARY = str(pathlib.Path(cli_test.BINARY).resolve())

SANITIZED = len(sys.argv) > 4 and sys.argv[4] == "1"
KILLS = 25 if SANITIZED else 200
CROWD = 25 if SANITIZED else 200
NOBODY = 65534

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


def uncommented(text):
    """What a custodian makes of a starter file: every example without its #."""
    return re.sub(r"^#(?=[^ \n])", "", text, flags=re.MULTILINE)


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
        run = lastbit("release", str(self.file), *options)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def expect_refused(self, code, *arguments, mentions, **options):
        """One line on standard error, nothing on standard output, nothing spent."""
        before = self.contents()["head"] if self.ledger.exists() else None
        run = lastbit(*arguments, **options)
        self.assertEqual((run.returncode, run.stdout), (code, ""), run.stderr)
        self.assertRegex(run.stderr, r"\Alastbit: [^\n]+\n\Z")
        self.assertIn(mentions, run.stderr)
        self.assertEqual(self.contents()["head"] if self.ledger.exists() else None, before)

    def answers(self, document):
        """Statistic, group and cell of each answer, with its exact value."""
        return {(s["name"], *a["group"].values(), a.get("cell") or ""): a["answer"] for s in document["statistics"]
                for a in s["answers"]}


class InitTest(ReleaseCase):
    def init(self, *arguments):
        run = lastbit("init", *map(str, arguments), cwd=self.folder)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def expect_plans(self, text):
        self.write(text)
        self.plan()
        self.write(uncommented(text))
        self.plan()

    def test_starter_plans_at_once_and_with_its_examples(self):
        (self.folder / "data.tsv").write_text(as_csv(ROWS, "\t"), encoding="utf-8")
        (self.folder / "data.txt").write_text(as_csv(ROWS), encoding="utf-8")
        (self.folder / "data.ndjson").write_text('{"region": "north", "age": 3}\n', encoding="utf-8")
        (self.folder / "data.json").write_text('[{"region": "north", "age": 3}]', encoding="utf-8")
        for arguments in (["data.csv"], ["data.tsv"], ["data.json"], ["data.ndjson"], ["./data.csv"],
                          [self.folder / "data.csv"], ["data.txt", "--format", "csv"]):
            self.expect_plans(self.init(*arguments))

    def test_starter_is_a_release_of_a_count(self):
        self.write(self.init("data.csv").replace("epsilon = 1,", f"epsilon = {LARGE},"))
        self.make_ledger()
        self.assertEqual(self.answers(json.loads(self.release("--json"))), {("count", ""): "5"})

    def test_starter_holds_names_and_no_value(self):
        secret = as_csv([("zebra", 9173, "55.25"), ("quagga", 8264, "66.75")])
        (self.folder / "data.csv").write_text(secret, encoding="utf-8")
        for text in (self.init("data.csv"), self.init("data.csv", "--json")):
            for value in ("zebra", "quagga", "9173", "8264", "55.25", "66.75"):
                self.assertNotIn(value, text)
            for name in ("region", "age", "income"):
                self.assertIn(name, text)

    def test_rows_do_not_change_it(self):
        text = self.init("data.csv")
        (self.folder / "data.csv").write_text(as_csv(ROWS * 100 + [("x", "not a number", "?")]), encoding="utf-8")
        self.assertEqual(self.init("data.csv"), text)

    def test_hostile_names_stay_names(self):
        names = ["a\"b", "x' OR 1=1; DROP TABLE t; --", "größe", "a.b", "[t]", "# c", "back\\slash", "=1+2", "日本", "-"]
        with open(self.folder / "data.csv", "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([names, ["1"] * len(names)])
        text = self.init("data.csv")
        self.expect_plans(text)
        self.write("".join(f'[[statistics]]\nkind = "count"\ncolumn = {json.dumps(n)}\nname = "{i}"\n'
                           for i, n in enumerate(names)))
        self.write(text.replace("epsilon = 1,", f"epsilon = {LARGE},") + self.file.read_text(encoding="utf-8"))
        self.make_ledger()
        found = self.answers(json.loads(self.release("--json")))
        self.assertEqual(set(found.values()), {"1"})
        self.assertEqual(len(found), 1 + len(names))

    def test_names_that_no_release_file_can_hold_are_left_out(self):
        with open(self.folder / "data.csv", "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["good", "tab\tbed", "x" * 300], ["1", "2", "3"]])
        text = self.init("data.csv")
        self.assertIn("Left out: 2 columns", text)
        self.expect_plans(text)

    def test_file_is_not_overwritten_unless_asked_for(self):
        self.init("data.csv", "--out", "new.toml")
        starter = (self.folder / "new.toml").read_text(encoding="utf-8")
        (self.folder / "new.toml").write_text("mine", encoding="utf-8")
        run = lastbit("init", "data.csv", "--out", "new.toml", cwd=self.folder)
        self.assertEqual(run.returncode, 74)
        self.assertIn("--force", run.stderr)
        self.assertEqual((self.folder / "new.toml").read_text(encoding="utf-8"), "mine")
        self.init("data.csv", "--out", "new.toml", "--force")
        self.assertEqual((self.folder / "new.toml").read_text(encoding="utf-8"), starter)

    def test_file_elsewhere_finds_its_data(self):
        (self.folder / "sub dir").mkdir()
        self.init("data.csv", "--out", "sub dir/new.toml")
        run = lastbit("plan", str(self.folder / "sub dir" / "new.toml"))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn('"../data.csv"', (self.folder / "sub dir" / "new.toml").read_text(encoding="utf-8"))

    def test_json_lists_the_columns(self):
        document = json.loads(self.init("data.csv", "--json"))
        self.assertEqual([column["name"] for column in document["columns"]], ["region", "age", "income"])
        self.assertEqual((document["format"], document["file"]), ("csv", None))

    def test_data_that_cannot_be_used_is_named(self):
        (self.folder / "empty.csv").write_text("", encoding="utf-8")
        (self.folder / "data.xls").write_text("a,b\n", encoding="utf-8")
        for name, mentions in (("missing.csv", "missing.csv"), ("empty.csv", "empty"), ("data.xls", "add --format:"),
                               (".", "--format"), ("*.csv", "pattern"), ("https://x.org/a.csv", "URL")):
            run = lastbit("init", name, cwd=self.folder)
            self.assertEqual((run.returncode, run.stdout), (65, ""), run.stderr)
            self.assertIn(mentions, run.stderr)


    def test_other_delimiters_are_hinted_at_and_taken(self):
        (self.folder / "semicolons.csv").write_text("age;sex\n1;2\n", encoding="utf-8")
        self.assertIn('delimiter = ";"', self.init("semicolons.csv"))
        text = self.init("semicolons.csv", "--delimiter", ";")
        self.assertIn('source = { path = "semicolons.csv", format = "csv", delimiter = ";" }\n', text)
        self.assertIn("#sex = ", text)
        self.expect_plans(text)

    def test_a_column_of_identifiers_is_the_unit(self):
        (self.folder / "people.csv").write_text("person_id,age\n1,2\n", encoding="utf-8")
        text = self.init("people.csv")
        self.assertIn('\nunit = { id = "person_id", max_rows_per_group = 1, max_groups = 1 }\n', text)
        self.expect_plans(text)

    def test_an_empty_name_is_refused(self):
        self.expect_refused(64, "init", str(self.folder / "data.csv"), "--out", "", mentions="--out has no name")


class PlanTest(ReleaseCase):
    def test_large_losses_are_warned_of(self):
        self.write(epsilon="11")
        self.assertIn("WARNING: Above epsilon 10", self.plan())
        self.write(epsilon="10")
        self.assertNotIn("WARNING", self.plan())

    def test_a_ledger_that_counts_otherwise_is_told(self):
        self.write(RELEASE.format(epsilon=1).replace("epsilon = 1", "rho = 1"))
        self.make_ledger("--epsilon", "1")
        run = lastbit("plan", str(self.file))
        self.assertEqual((run.returncode, run.stderr), (1, ""))
        self.assertIn("NOT POSSIBLE", run.stdout)
        self.expect_refused(65, "release", str(self.file), mentions="rho")
        self.expect_refused(65, "release", str(self.file), "--dry-run", mentions="rho")

    def test_costs_are_exact_and_nothing_is_spent(self):
        self.write(epsilon="0.3")
        self.make_ledger("--epsilon", "1")
        head = self.contents()["head"]
        document = json.loads(self.plan("--json"))
        self.assertEqual([s["cost"] for s in document["statistics"]], [{"epsilon": "0.15"}] * 2)
        self.assertEqual((document["cost"], document["ledger"]["left"]), ({"epsilon": "0.3"}, {"epsilon": "1"}))
        text = self.plan()
        self.assertIn("people", text)
        self.assertIn("epsilon 0.7 after this release", text)
        self.assertEqual(self.contents()["head"], head)

    def test_command_that_makes_a_missing_ledger_is_exact(self):
        folder = self.folder / "it's $(touch pwned) & more"
        folder.mkdir()
        (folder / "data.csv").write_text(as_csv(ROWS), encoding="utf-8")
        self.file = folder / "release.toml"
        for budget, left in (("epsilon = 0.1", {"epsilon": "0.1"}),
                             ("epsilon = 2, delta = 1e-6", {"epsilon": "2", "delta": "0.000001"}),
                             ('rho = "1/3"', {"rho": "1/3"}),
                             ('epsilon = 1, delta = 1e-9, accounting = "concentrated"',
                              {"epsilon": "1", "delta": "0.000000001"})):
            self.write(RELEASE.format(epsilon=1).replace("epsilon = 1", budget))
            (line,) = [line for line in self.plan().splitlines() if "no ledger yet" in line]
            command = line.split(": ", 1)[1]
            refused = lastbit("release", str(self.file))
            self.assertEqual(refused.returncode, 65)
            self.assertIn(command, refused.stderr)
            subprocess.run(["bash", "-c", f'lastbit() {{ "{BINARY}" "$@"; }}; {command}'], check=True,
                           cwd=self.folder, capture_output=True)
            self.assertEqual(json.loads(self.plan("--json"))["ledger"]["left"], left)
            (folder / "data.ledger").unlink()
        self.assertEqual(sorted(os.listdir(folder)), ["data.csv", "release.toml"])

    def test_too_little_left_is_exit_code_1_and_still_a_plan(self):
        self.write(epsilon="1")
        self.make_ledger("--epsilon", "0.5")
        run = lastbit("plan", str(self.file))
        self.assertEqual((run.returncode, run.stderr), (1, ""))
        self.assertIn("people", run.stdout)
        self.assertIs(json.loads(lastbit("plan", str(self.file), "--json").stdout)["ledger"]["enough"], False)

    def test_ledger_that_counts_otherwise_is_exit_code_1(self):
        self.write(RELEASE.format(epsilon=1).replace("epsilon = 1", "rho = 1"))
        self.make_ledger("--epsilon", "100")
        self.assertEqual(lastbit("plan", str(self.file)).returncode, 1)
        run = lastbit("release", str(self.file))
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual((run.stdout, self.contents()["spendings"]), ("", 0))

    def test_accuracy_tells_its_price(self):
        self.write(epsilon="1")
        text = self.plan("--accuracy", "people=10", "--accuracy", "years=1/2")
        self.assertRegex(text, r"An error of 10 for people takes epsilon 0\.\d+ instead of epsilon 0\.5\.")
        self.assertRegex(text, r"for years takes epsilon [\d.,]+ instead of epsilon 0\.5\.")
        (wish,) = json.loads(self.plan("--accuracy", "people=10", "--json"))["accuracies"]
        self.assertEqual((wish["statistic"], wish["accuracy"]), ("people", "10"))
        self.write(RELEASE.format(epsilon=wish["cost"]["epsilon"]).split('[[statistics]]\nname = "years"')[0])
        error = json.loads(self.plan("--json"))["statistics"][0]["accuracy"]["at_most"]
        self.assertLessEqual(int(error), 10)

    def test_accuracy_of_a_name_with_a_sign_in_it(self):
        self.write(RELEASE.format(epsilon=1).replace('"people"', '"a=b"'))
        self.assertIn("for a=b takes", self.plan("--accuracy", "a=b=7"))

    def test_wrong_options_are_usage_errors(self):
        for options, mentions in ((("--accuracy", "poeple=1"), "did you mean 'people'?"),
                                  (("--accuracy", "people"), "--accuracy"), (("--accuracy", "people=-1"), "--accuracy"),
                                  (("--accuracy", "people=x"), "--accuracy"), (("--accuracy",), "--accuracy"),
                                  (("--rows", "0"), "--rows"), (("--rowz", "1"), "did you mean --rows?")):
            self.expect_refused(64, "plan", str(self.file), *options, mentions=mentions)

    def test_misspelt_columns_have_their_place_and_the_nearest_name(self):
        self.write(RELEASE.format(epsilon=1).replace('kind = "sum"\ncolumn = "age"', 'kind = "count"\ncolumn = "aeg"'))
        for command in ("plan", "release"):
            run = lastbit(command, str(self.file))
            self.assertEqual((run.returncode, run.stdout), (65, ""))
            self.assertIn(f"{self.file}:19:10: the data has no column 'aeg'", run.stderr)
            self.assertIn("did you mean `age`?", run.stderr)

    def test_files_that_cannot_be_read_are_named(self):
        for name in ("missing.toml", ".", "data.csv"):
            for command in ("plan", "release"):
                run = lastbit(command, str(self.folder / name))
                self.assertEqual((run.returncode, run.stdout), (65, ""), run.stderr)
                self.assertIn(str(self.folder / name), run.stderr)


class AnswersTest(ReleaseCase):
    def setUp(self):
        super().setUp()
        self.make_ledger()

    EXACT = {("people", "north", ""): "2", ("people", "south", ""): "2", ("people", "east", ""): "1",
             ("people", "west", ""): "0", ("years", ""): "201"}

    def test_formats_threads_and_memory_give_the_same_answers(self):
        (self.folder / "data.tsv").write_text(as_csv(ROWS, "\t"), encoding="utf-8")
        objects = [{"region": r, "age": a, "income": float(i) if i else None} for r, a, i in ROWS]
        (self.folder / "data.json").write_text(json.dumps(objects), encoding="utf-8")
        (self.folder / "data.ndjson").write_text("\n".join(map(json.dumps, objects)), encoding="utf-8")
        for name in ("data.csv", "data.tsv", "data.json", "data.ndjson"):
            self.write(RELEASE.format(epsilon=LARGE // 10).replace("data.csv", name))
            for options in ((), ("--threads", "1"), ("--memory", "512MB", "--spill", str(self.folder))):
                self.assertEqual(self.answers(json.loads(self.release("--json", *options))), self.EXACT, name)

    def test_folder_holds_the_same_as_standard_output(self):
        document = json.loads(self.release("--json", "--out", str(self.folder / "out")))
        out = self.folder / "out"
        self.assertEqual(sorted(os.listdir(out)), ["answers.csv", "release.json", "report.html"])
        self.assertEqual(json.loads((out / "release.json").read_text(encoding="utf-8")), document)
        with open(out / "answers.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["answer"] for row in rows], list(self.EXACT.values()))
        page = (out / "report.html").read_text(encoding="utf-8")
        self.assertIn(document["ledger"]["hash"], page)
        self.assertNotIn("<script", page)

    def test_text_names_the_entry_and_the_report(self):
        text = self.release("--out", str(self.folder / "out"))
        (entry,) = self.contents()["entries"]
        self.assertEqual((entry["state"], entry["id"]), ("finished", 1))
        self.assertIn(entry["hash"], text)
        self.assertIn(str(self.folder / "out" / "report.html"), text)
        self.assertRegex(text, r"north +2 ")
        self.assertNotIn("\x1b", text)

    def test_every_answer_is_shown_where_there_are_no_files(self):
        keys = RELEASE.format(epsilon=LARGE).replace('["north", "south", "east", "west"]', "{ from = 1, to = 57 }")
        self.write(keys)
        text = self.release()
        for number in range(1, 58):
            self.assertRegex(text, rf"\n +{number} +0 ")
        self.assertIn("37 more in answers.csv", self.release("--out", str(self.folder / "out")))

    def test_hostile_keys_reach_neither_the_terminal_nor_the_page(self):
        keys = json.dumps(["<script>alert(1)</script>", "=1+2", "a'b", "‮evil"])
        self.write(RELEASE.format(epsilon=LARGE).replace('["north", "south", "east", "west"]', keys))
        text = self.release("--out", str(self.folder / "out"))
        self.assertNotIn("‮", text)
        page = (self.folder / "out" / "report.html").read_text(encoding="utf-8")
        self.assertNotIn("<script>alert", page)
        self.assertNotIn(",\"=1+2", (self.folder / "out" / "answers.csv").read_text(encoding="utf-8"))

    def test_units_with_several_rows_count_as_they_may(self):
        (self.folder / "data.csv").write_text(as_csv(ROWS * 7), encoding="utf-8")
        unit = 'unit = { id = "age", max_rows_per_group = 3, max_groups = 1 }'
        self.write(RELEASE.format(epsilon=LARGE).replace('unit = "row"', unit).split("[[statistics]]")[0] +
                   '[[statistics]]\nkind = "count"\n[[statistics]]\nkind = "count_units"\n')
        self.assertEqual(self.answers(json.loads(self.release("--json"))), {("count", ""): "15", ("count_units", ""): "5"})

    def test_colours_on_a_terminal_only(self):
        self.assertIn("\x1b[1m", on_terminal(["release", str(self.file)]))


class NothingSpentTest(ReleaseCase):
    def test_dry_run_spends_nothing_and_leaves_nothing(self):
        self.make_ledger()
        head, names = self.contents()["head"], sorted(os.listdir(self.folder))
        text = self.release("--dry-run", "--out", str(self.folder / "out"))
        self.assertIn("Nothing was spent", text)
        self.assertNotIn("north", text)
        self.expect_refused(64, "release", str(self.file), "--out", "", mentions="--out has no name")
        document = json.loads(self.release("--dry-run", "--json"))
        self.assertEqual((document["dry_run"], document["cost"]), (True, {"epsilon": str(LARGE)}))
        self.assertEqual((self.contents()["head"], sorted(os.listdir(self.folder))), (head, names))

    def test_dry_run_finds_what_a_release_would(self):
        self.expect_refused(65, "release", str(self.file), "--dry-run", mentions="there is no ledger yet")
        self.make_ledger("--epsilon", "1")
        self.expect_refused(1, "release", str(self.file), "--dry-run", mentions="is left")
        self.write(epsilon=1)
        self.expect_refused(74, "release", str(self.file), "--dry-run", "--out", str(self.file), mentions="release.toml")
        (self.folder / "data.csv").write_text("region,age,income\n1,2,3,4\n", encoding="utf-8")
        self.expect_refused(65, "release", str(self.file), "--dry-run", mentions="data.csv")

    def test_budget_that_does_not_suffice_is_exit_code_1(self):
        self.write(epsilon="0.75")
        self.make_ledger("--epsilon", "1")
        self.release()
        self.expect_refused(1, "release", str(self.file), "--out", str(self.folder / "out"), mentions="epsilon 0.25 is left")
        self.assertFalse((self.folder / "out").exists())
        run = lastbit("release", str(self.file), "--json")
        error = json.loads(run.stderr)["error"]
        self.assertEqual((run.returncode, run.stdout, error["exit_code"], error["kind"]), (1, "", 1, "over budget"))

    def test_folder_that_cannot_be_used_costs_nothing(self):
        self.make_ledger()
        self.release("--out", str(self.folder / "out"))
        before = {path: path.read_bytes() for path in (self.folder / "out").iterdir()}
        for place, mentions in ((self.folder / "out", "paid for"), (self.file, "release.toml"),
                                (self.file / "below", "below"), (pathlib.Path("/proc/none"), "/proc/none")):
            self.expect_refused(74, "release", str(self.file), "--out", str(place), mentions=mentions)
        self.assertEqual({path: path.read_bytes() for path in (self.folder / "out").iterdir()}, before)

    def test_wrong_options_are_usage_errors(self):
        self.make_ledger()
        for options, mentions in ((("--memory", "4"), "memory"), (("--memory", "4 GB"), "--memory"),
                                  (("--threads", "0"), "--threads"), (("--dry-rum",), "did you mean --dry-run?")):
            run = lastbit("release", str(self.file), *options)
            self.assertIn(run.returncode, (64, 65), options)
            self.assertIn(mentions, run.stderr)
        self.assertEqual(self.contents()["spendings"], 0)

    def test_data_that_cannot_be_read_costs_nothing(self):
        self.make_ledger()
        os.remove(self.folder / "data.csv")
        self.expect_refused(65, "release", str(self.file), mentions="data.csv")
        (self.folder / "data.csv").mkdir()
        self.expect_refused(65, "release", str(self.file), mentions="data.csv")

    def test_damaged_ledger_pays_nothing(self):
        self.make_ledger()
        self.release()
        database = sqlite3.connect(self.ledger)
        with database:
            database.execute("UPDATE record SET total = 'epsilon 0'")
        database.close()
        run = lastbit("release", str(self.file))
        self.assertEqual((run.returncode, run.stdout), (65, ""), run.stderr)

    def as_nobody(self, *arguments):
        """The tool run by somebody who owns nothing here; root may write everywhere."""
        os.chmod(self.folder, 0o755)
        options = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
        try:
            return lastbit(*arguments, **options)
        except PermissionError as problem:
            raise unittest.SkipTest("others may not run the tool where it was built") from problem

    def test_ledger_that_may_only_be_read_pays_nothing(self):
        self.make_ledger()
        os.chmod(self.ledger, 0o444)
        for options in ((), ("--dry-run",)):
            run = self.as_nobody("release", str(self.file), *options)
            self.assertEqual((run.returncode, run.stdout), (74, ""), run.stderr)
            self.assertIn("data.ledger", run.stderr)
        plan = self.as_nobody("plan", str(self.file))
        self.assertEqual((plan.returncode, plan.stderr), (0, ""))
        self.assertEqual(self.contents()["spendings"], 0)

    def test_folder_that_may_only_be_read_costs_nothing(self):
        self.make_ledger()
        os.chmod(self.ledger, 0o666)
        (self.folder / "out").mkdir(mode=0o555)
        run = self.as_nobody("release", str(self.file), "--out", str(self.folder / "out"))
        self.assertEqual((run.returncode, run.stdout), (74, ""), run.stderr)
        self.assertEqual(self.contents()["spendings"], 0)

    def test_interrupted_while_reading_it_leaves_nothing(self):
        lastbit("generate", "survey", "--rows", "400000", "--out", str(self.folder / "survey.csv"))
        unit = 'unit = { id = "person_id", max_rows_per_group = 1, max_groups = 1 }'
        self.write(self.file.read_text(encoding="utf-8").replace("data.csv", "survey.csv").replace('unit = "row"', unit))
        self.make_ledger()
        (self.folder / "spill").mkdir()
        names = sorted(os.listdir(self.folder))
        for wish in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with subprocess.Popen(
                    [BINARY, "release", str(self.file), "--threads", "1", "--memory", "100MB", "--spill",
                     str(self.folder / "spill"), "--out", str(self.folder / "out")], stdout=subprocess.PIPE) as process:
                while not list(self.folder.glob("spill/*")):
                    self.assertIsNone(process.poll())
                process.send_signal(wish)
                self.assertEqual(process.stdout.read(), b"")
                self.assertEqual(process.wait(timeout=60), -wish)
            self.assertEqual(sorted(os.listdir(self.folder)), names)
            self.assertEqual(os.listdir(self.folder / "spill"), [])
            self.assertEqual(self.contents()["spendings"], 0)


class FullDiskTest(ReleaseCase):
    def limited(self, kibibytes, *arguments):
        """The tool where no file can be larger than this, which stands in for a full disk."""
        command = f'trap "" XFSZ; ulimit -f {kibibytes}; exec "$@"'
        return subprocess.run(["bash", "-c", command, "bash", BINARY, *arguments], capture_output=True, text=True,
                              check=False, timeout=300)

    def setUp(self):
        super().setUp()
        self.make_ledger()

    def test_full_disk_behind_the_files_shows_all_answers(self):
        self.write(RELEASE.format(epsilon=LARGE).replace('["north", "south", "east", "west"]', "{ from = 1, to = 400 }"))
        run = self.limited(20, "release", str(self.file), "--out", str(self.folder / "out"))
        self.assertEqual(run.returncode, 74, run.stderr)
        self.assertIn("entry 1 of the ledger stays spent, all its answers are on standard output", run.stderr)
        table = run.stdout[run.stdout.index("statistic,group"):]
        self.assertEqual(len(list(csv.DictReader(io.StringIO(table)))), 401)
        self.assertEqual(self.contents()["spendings"], 1)
        for path in (self.folder / "out").iterdir():
            self.assertNotIn(".part", path.name)

    def test_full_disk_behind_standard_output_leaves_the_files(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            run = lastbit("release", str(self.file), "--out", str(self.folder / "out"), capture_output=False, stdout=full,
                          stderr=subprocess.PIPE)
            lost = lastbit("release", str(self.file), capture_output=False, stdout=full, stderr=subprocess.PIPE)
        self.assertEqual((run.returncode, lost.returncode), (74, 74))
        self.assertIn("its answers are in the files", run.stderr)
        self.assertIn("answers are lost", lost.stderr)
        document = json.loads((self.folder / "out" / "release.json").read_text(encoding="utf-8"))
        self.assertEqual(document["ledger"]["entry"], 1)

    def test_full_disk_behind_the_ledger_releases_nothing(self):
        run = self.limited(4, "release", str(self.file))
        self.assertEqual((run.returncode, run.stdout), (74, ""), run.stderr)
        self.assertEqual(self.contents()["spendings"], 0)
        self.release()


class KilledTest(ReleaseCase):
    """Killed at whatever moment, no answer came out that the ledger does not know of."""

    def answers_of(self, stdout, out):
        """The entries whose answers, or a part of them, came out anywhere."""
        found = set()
        texts = [stdout.read_text(encoding="utf-8")]
        texts += [path.read_text(encoding="utf-8") for path in out.glob("*")] if out.exists() else []
        texts += [path.read_text(encoding="utf-8") for path in out.glob(".*")] if out.exists() else []
        for text in filter(None, texts):
            entry = re.search(r'"entry": (\d+),', text)
            found.add(int(entry[1]) if entry else None)
        return found

    def test_kills_at_random_moments_lose_nothing(self):
        self.write(epsilon='"1/3"')
        self.make_ledger("--epsilon", "1000000")
        start = time.monotonic()
        self.release("--json", "--out", str(self.folder / "first"))
        usual = time.monotonic() - start
        numbers = random.Random(6)
        spent = 1
        outcomes = {"before": 0, "between": 0, "after": 0}
        for kill in range(KILLS):
            stdout, out = self.folder / f"stdout{kill}", self.folder / f"out{kill}"
            with open(stdout, "wb") as file, subprocess.Popen(
                    [BINARY, "release", str(self.file), "--json", "--threads", "1", "--out", str(out)],
                    stdout=file, stderr=subprocess.DEVNULL) as process:
                self.wait(process, kill, usual, numbers)
                process.kill()
            verified = lastbit("ledger", "verify", str(self.ledger), "--json")
            contents = json.loads(verified.stdout)
            self.assertEqual((verified.returncode, contents["whole"]), (0, True), verified.stdout)
            # One release ran: it is booked, or no part of it came out.
            came_out = self.answers_of(stdout, out)
            booked = contents["spendings"] - spent
            self.assertIn(booked, (0, 1))
            self.assertLessEqual(len(came_out - {None}), booked)
            self.assertTrue(came_out <= {None, spent + 1})
            self.assertTrue(booked or not came_out)
            outcomes["before" if not booked else "after" if came_out else "between"] += 1
            spent += booked
        self.assertEqual(contents["spent"], {"epsilon": str(spent // 3) if spent % 3 == 0 else f"{spent}/3"})
        # The moments were spread over the whole release.
        self.assertGreaterEqual(outcomes["before"], KILLS // 10, outcomes)
        self.assertGreaterEqual(outcomes["between"] + outcomes["after"], KILLS // 10, outcomes)
        self.release()

    def wait(self, process, kill, usual, numbers):
        """Until a random moment: of the whole release, or shortly after it begins to book."""
        if kill % 2 == 0:
            try:
                process.wait(numbers.uniform(0, 1.2 * usual))
            except subprocess.TimeoutExpired:
                pass
            return
        journal = self.folder / "data.ledger-journal"
        while process.poll() is None and not journal.exists():
            pass
        time.sleep(numbers.uniform(0, 0.005))


class CrowdTest(ReleaseCase):
    def test_many_at_once_never_exceed_the_cap(self):
        self.write(epsilon='"1/3"')
        room = CROWD * 3 // 10 - CROWD * 3 // 10 % 3
        self.make_ledger("--epsilon", str(room // 3))
        command = [BINARY, "release", str(self.file), "--json", "--threads", "1", "--memory", "100MB"]
        crowd = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                 for _ in range(CROWD)]
        results = [None] * CROWD

        def collect(number):
            stdout, stderr = crowd[number].communicate(timeout=600)
            results[number] = (crowd[number].returncode, stdout, stderr)

        readers = [threading.Thread(target=collect, args=(number,)) for number in range(CROWD)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        entries = set()
        for code, stdout, stderr in results:
            self.assertIn(code, (0, 1), stderr)
            if code == 0:
                entries.add(json.loads(stdout)["ledger"]["entry"])
            else:
                self.assertEqual((stdout, json.loads(stderr)["error"]["kind"]), ("", "over budget"))
        self.assertEqual(entries, set(range(1, room + 1)))
        contents = self.contents()
        self.assertEqual((contents["spendings"], contents["left"], contents["damage"]), (room, {"epsilon": "0"}, None))
        self.assertTrue(all(entry["state"] == "finished" for entry in contents["entries"]))


class DemoTest(ReleaseCase):
    def demo(self, *options, **more):
        run = lastbit("demo", "--rows", "5000", *options, **more)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def test_it_releases_once_and_is_refused_once(self):
        place = self.folder / "demo"
        for _ in range(2):  # the second clears away the first
            document = json.loads(self.demo("--out", str(place), "--json", "--seed", "5"))
            self.assertTrue(document["as_expected"])
            self.assertIn("epsilon 0.5 is left", document["refused"])
            self.assertEqual((document["rows"], document["seed"]), (5000, 5))
            self.assertEqual(document["release"]["ledger"]["entry"], 1)
            self.assertTrue(pathlib.Path(document["report"]).is_file())
            self.assertEqual(document["plan"]["cost"], {"epsilon": "1"})
            self.assertEqual(sorted(os.listdir(place)), ["report", "survey.csv", "survey.ledger", "survey.toml"])
        self.assertEqual(len((place / "survey.csv").read_text(encoding="utf-8").splitlines()), 5001)
        self.assertEqual(lastbit("ledger", "verify", str(place / "survey.ledger")).returncode, 0)
        self.assertEqual(lastbit("plan", str(place / "survey.toml")).returncode, 1)

    def test_text_shows_the_commands_and_where_the_report_is(self):
        text = self.demo(env={**os.environ, "TMPDIR": str(self.folder)})
        report = re.search(r"for a browser: (\S+)\n\Z", text)[1]
        self.assertTrue(report.startswith(str(self.folder)))
        self.assertIn("<html", pathlib.Path(report).read_text(encoding="utf-8"))
        for command in ("ledger init", "plan", "release"):
            self.assertIn(f"$ lastbit {command} ", text)
        self.assertIn("So it should be", text)
        self.assertNotIn("\x1b", text)

    def test_files_of_others_are_not_touched(self):
        self.make_ledger()
        self.ledger.rename(self.folder / "survey.ledger")
        before = (self.folder / "survey.ledger").read_bytes()
        run = lastbit("demo", "--rows", "10", "--out", str(self.folder))
        self.assertEqual((run.returncode, run.stdout), (74, ""))
        self.assertIn("survey.ledger", run.stderr)
        self.assertEqual((self.folder / "survey.ledger").read_bytes(), before)

    def test_one_row_is_enough(self):
        self.assertEqual(lastbit("demo", "--rows", "1", "--out", str(self.folder / "demo")).returncode, 0)


class TourTest(ReleaseCase):
    """The custodian's path in docs/tour.md, command by command; … stands for whatever the noise makes of it."""

    TOUR = pathlib.Path(__file__).parents[2] / "docs" / "tour.md"

    def blocks(self, fence):
        section = self.TOUR.read_text(encoding="utf-8").split("## Releases from a file\n")[1].split("\n## ")[0]
        return re.findall(rf"^```{fence}\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)

    def expect_output(self, command, expected):
        run = lastbit(*command.split()[1:], cwd=self.folder)
        self.assertEqual((run.returncode, run.stderr), (0, ""), command)
        lines = [r"(.*\n)*" if line == "…" else re.escape(line).replace("…", ".*") + r"\n"
                 for line in expected.splitlines()]
        self.assertRegex(run.stdout, r"\A" + "".join(lines) + r"\Z", command)

    def test_commands_print_what_the_tour_shows(self):
        lastbit("generate", "survey", "--rows", "20000", "--out", str(self.folder / "survey.csv"))
        (text,) = self.blocks("toml")
        commands = 0
        for block in self.blocks("console"):
            for part in block.split("$ ")[1:]:
                command, _, expected = part.partition("\n")
                self.expect_output(command, expected)
                commands += 1
                if command.startswith("lastbit init"):
                    (self.folder / "survey.toml").write_text(text, encoding="utf-8")
        self.assertEqual(commands, 6)

    def test_demo_uses_the_example(self):
        example = self.TOUR.parents[1] / "examples" / "releases" / "survey.toml"
        lastbit("demo", "--rows", "10", "--out", str(self.folder / "demo"))
        self.assertEqual((self.folder / "demo" / "survey.toml").read_text(encoding="utf-8"),
                         example.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
