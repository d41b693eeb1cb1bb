"""Runs init, plan, release and demo as custodians do: release_test.py, arguments as cli_test.py, and 1 after
them for a build with sanitizers, where everything takes many times as long.

Where a test compares answers, epsilon is so large that noise is 0 but for a probability below e^-1000.
"""

import csv
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

from cli_test import lastbit, on_terminal
from release_case import BINARY, LARGE, RELEASE, ROWS, ReleaseCase, as_csv


def uncommented(text):
    """What a custodian makes of a starter file: every example without its #."""
    return re.sub(r"^#(?=[^ \n])", "", text, flags=re.MULTILINE)


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

    def test_no_message_repeats_what_may_be_a_password(self):
        other = "jdbc:postgresql://u:hush@host/db"
        own = "postgresql://u:hush@host/db"
        for url in (other, own, "POSTGRES://u:hush@h/a.csv"):
            self.write(f'version = 1\nunit = "row"\nsource = "{url}"\nbudget = {{ epsilon = 1, ledger = "{url}" }}\n')
            for arguments in (["init", url], ["plan", url], ["plan", self.file],
                              ["release", "release.toml", "--ledger", url],
                              ["query", url, "SELECT count(*) FROM data", "--epsilon", "1"], ["inspect", url],
                              ["ledger", "init", url, "--epsilon", "1"], ["ledger", "show", url], ["ledger", url],
                              ["ledger", "move", url, own], ["ledger", "move", "data.ledger", url], ["check", url],
                              [url], ["plan", self.file, url], ["generate", url]):
                run = lastbit(*map(str, arguments), cwd=self.folder)
                self.assertGreater(run.returncode, 0, arguments)
                self.assertNotIn("hush", run.stdout + run.stderr, arguments)
        run = lastbit("init", other)
        self.assertEqual(run.returncode, 65)
        self.assertIn("jdbc:postgresql://… is neither a file nor", run.stderr)
        self.assertIn("postgresql://user@host:port/database", run.stderr)

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
        for name, mentions in (("missing.csv", "missing.csv"), ("empty.csv", "empty"), ("data.xls", "save the sheet as CSV"),
                               (".", "is a folder"), ("z*.csv", "pattern"), ("https://x.org/a.csv", "https://…")):
            run = lastbit("init", name, cwd=self.folder)
            self.assertEqual((run.returncode, run.stdout), (65, ""), run.stderr)
            self.assertIn(mentions, run.stderr)


    def test_what_the_front_of_a_file_tells_is_written(self):
        (self.folder / "tabs.csv").write_text("age\tsex\n1\t2\n", encoding="utf-8")
        (self.folder / "wide.csv").write_text("age;größe\n1;2\n", encoding="utf-16")
        (self.folder / "latin.csv").write_text("age,größe\n1,2\n", encoding="latin-1")
        (self.folder / "day-1.csv.gz").write_bytes(gzip.compress(b"age,sex\n1,2\n"))
        (self.folder / "day-2.csv.gz").write_bytes(gzip.compress(b"age,sex\n3,4\n"))
        for arguments, line in (
            (["tabs.csv"], '{ path = "tabs.csv", format = "csv", delimiter = "\\t" }'),
            (["wide.csv"], '{ path = "wide.csv", format = "csv", delimiter = ";", encoding = "utf-16" }'),
            (["latin.csv", "--encoding", "latin-1"], '{ path = "latin.csv", format = "csv", encoding = "latin-1" }'),
            (["day-1.csv.gz"], '"day-1.csv.gz"'),
            (["day-*.csv.gz"], '"day-*.csv.gz"'),
        ):
            text = self.init(*arguments)
            self.assertIn(f"source = {line}\n", text)
            self.assertIn("#age = ", text)
            self.expect_plans(text)
        run = lastbit("init", "latin.csv", cwd=self.folder)
        self.assertEqual((run.returncode, run.stdout), (65, ""))
        self.assertIn("encoding", run.stderr)

    def test_other_delimiters_are_found_and_taken(self):
        (self.folder / "semicolons.csv").write_text("age;sex\n1;2\n", encoding="utf-8")
        self.assertEqual(self.init("semicolons.csv"), self.init("semicolons.csv", "--delimiter", ";"))
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
        self.assertEqual((run.returncode, run.stderr), (65, ""))
        self.assertIn("NOT POSSIBLE", run.stdout)
        self.expect_refused(65, "release", str(self.file), mentions="rho")
        self.expect_refused(65, "release", str(self.file), "--dry-run", mentions="rho")

    def test_costs_are_exact_and_nothing_is_spent(self):
        self.write(epsilon="0.3")
        self.make_ledger("--epsilon", "1")
        head = self.contents()["head"]
        document = json.loads(self.plan("--json"))
        # Shared by errors: the sum is one number, the counts are four of a quarter of the rows.
        self.assertEqual([s["cost"] for s in document["statistics"]],
                         [{"epsilon": "0.21478"}, {"epsilon": "0.08522"}])
        self.assertEqual([s["share"] for s in document["statistics"]], ["planned"] * 2)
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

    def test_ledger_of_epsilons_gets_a_plan_that_it_can_pay(self):
        many = "".join(f'[[statistics]]\nname = "more{i}"\nkind = "count"\n' for i in range(40))
        self.write(RELEASE.format(epsilon=1).replace("epsilon = 1", "epsilon = 1, delta = 1e-6") + many)
        plan = json.loads(self.plan("--json"))
        self.assertEqual(plan["accounting"], "concentrated")
        self.assertIn("Losses add up as rhos", self.plan())
        self.make_ledger("--epsilon", "1")
        paid = json.loads(self.plan("--json"))
        self.assertEqual((paid["accounting"], paid["digest"]), ("approximate", plan["digest"]))
        self.assertEqual(paid["accounting_ways"][1]["obstacle"], "the ledger counts epsilons only")
        self.assertIs(paid["ledger"]["enough"], True)
        self.assertEqual(lastbit("release", str(self.file)).returncode, 0)

    def test_ledger_that_counts_otherwise_has_the_exit_code_of_release(self):
        self.write(RELEASE.format(epsilon=1).replace("epsilon = 1", "rho = 1"))
        self.make_ledger("--epsilon", "100")
        self.assertEqual(lastbit("plan", str(self.file)).returncode, 65)
        run = lastbit("release", str(self.file))
        self.assertEqual(run.returncode, 65)
        self.assertEqual((run.stdout, self.contents()["spendings"]), ("", 0))

    def test_accuracy_tells_its_price(self):
        self.write(epsilon="1")
        text = self.plan("--accuracy", "people=10", "--accuracy", "years=1/2")
        self.assertRegex(text, r"An error of 10 for people takes epsilon 0\.\d+ instead of epsilon 0\.716\.")
        self.assertRegex(text, r"for years takes epsilon [\d.,]+ instead of epsilon 0\.284\.")
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
            self.assertIn(f"{self.file}:19:10: there is no column 'aeg'", run.stderr)
            self.assertIn("did you mean 'age'?", run.stderr)

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
                document = json.loads(self.release("--json", "--same-people", *options))
                self.assertEqual(self.answers(document), self.EXACT, name)

    def test_folder_holds_the_same_as_standard_output(self):
        document = json.loads(self.release("--json", "--out", str(self.folder / "out")))
        out = self.folder / "out"
        self.assertEqual(sorted(os.listdir(out)), ["answers.csv", "release.json", "report.html"])
        self.assertEqual(json.loads((out / "release.json").read_text(encoding="utf-8")), document)
        with open(out / "answers.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["answer"] for row in rows], list(self.EXACT.values()))
        self.assertEqual(list(rows[0]), ["statistic", "region", "cell", "choice", "answer", "lower", "upper", "confidence",
                                         "reliability", "suppressed"])
        self.assertEqual([row["region"] for row in rows], ["north", "south", "east", "west", ""])
        self.assertEqual({(row["reliability"], row["suppressed"]) for row in rows}, {("reliable", "false")})
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

    def test_the_table_says_what_no_interval_shows(self):
        unit = 'unit = { id = "age", max_rows_per_group = 3, max_groups = 1 }'
        text = RELEASE.format(epsilon=1).replace('unit = "row"', unit)
        self.write(text.replace('name = "years"', 'name = "years"\nmax_rows_per_group = 2'))
        table = self.release()
        self.assertIn("  ! At most 3 rows per group and 1 group of each 'age' count; the rest is left out, and no interval "
                      "shows that.\n", table)
        self.assertIn("  ! Values of 'age' outside [0, 100] count as the nearer bound, and no interval shows that.\n", table)
        self.assertIn("  ! At most 2 rows of each 'age' count; the rest", table)
        # A sum of five ages with noise of scale 400.
        self.assertIn("?? unreliable: ± is more than two thirds of the answer.", table)

    def test_what_several_statistics_share_is_said_once(self):
        self.write(RELEASE.format(epsilon=1).replace('"row"', '{ id = "age", max_rows_per_group = 1, max_groups = 1 }')
                   + '\n[[statistics]]\nname = "rows"\nkind = "count"\n')
        table = self.release()
        self.assertEqual(table.count("At most 1 row of each 'age' counts"), 1)
        self.assertIn("  ! years, rows: At most 1 row of each 'age' counts; the rest", table)

    def test_suppressed_answers_are_nowhere(self):
        self.write("suppress_above = 0.5\n" + RELEASE.format(epsilon=1))
        document = json.loads(self.release("--json", "--out", str(self.folder / "out")))
        self.assertEqual([one["suppress_above"] for one in document["statistics"]], ["0.5", "0.5"])
        answers = document["statistics"][0]["answers"]
        # Nobody lives in the west; noise of scale 2 does not make that 4 or more 50 times over.
        self.assertEqual([answers[3][key] for key in ("answer", "lower", "upper", "reliability", "suppressed")],
                         [None, None, None, None, True])
        with open(self.folder / "out" / "answers.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual((rows[3]["answer"], rows[3]["lower"], rows[3]["suppressed"]), ("", "", "true"))
        self.assertRegex(self.release(), r"west +suppressed\n")

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
        report = re.search(r"in a browser: (\S+)\n\Z", text)[1]
        self.assertTrue(report.startswith(str(self.folder)))
        self.assertIn("<html", pathlib.Path(report).read_text(encoding="utf-8"))
        for command in ("ledger init", "plan", "release"):
            self.assertIn(f"$ lastbit {command} ", text)
        self.assertIn("As it should", text)
        self.assertNotIn("\x1b", text)

    def test_files_of_others_are_not_touched(self):
        self.make_ledger()
        self.ledger.rename(self.folder / "survey.ledger")
        before = (self.folder / "survey.ledger").read_bytes()
        run = lastbit("demo", "--rows", "10", "--out", str(self.folder))
        self.assertEqual((run.returncode, run.stdout), (74, ""))
        self.assertIn("survey.ledger", run.stderr)
        self.assertEqual((self.folder / "survey.ledger").read_bytes(), before)

    def test_it_uses_the_example(self):
        example = pathlib.Path(__file__).parents[2] / "examples" / "releases" / "survey.toml"
        lastbit("demo", "--rows", "10", "--out", str(self.folder / "demo"))
        self.assertEqual((self.folder / "demo" / "survey.toml").read_text(encoding="utf-8"),
                         example.read_text(encoding="utf-8"))

    def test_one_row_is_enough(self):
        self.assertEqual(lastbit("demo", "--rows", "1", "--out", str(self.folder / "demo")).returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
