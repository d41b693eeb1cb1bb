"""Questions in SQL, as analysts ask them: query_test.py, arguments as release_test.py."""

import fractions
import json
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import unittest

from cli_test import lastbit
from release_case import BINARY, ReleaseCase

LARGE = 10**9  # a statistic of two rows is then off by 0.05 less than once in 10^9 runs
DATASET = """\
version = 1
source = {{ path = "visits.csv", name = "clinic visits" }}
unit = {{ id = "person", max_rows_per_group = 2, max_groups = 4 }}
budget = {{ epsilon = {epsilon}, ledger = "data.ledger" }}
where = "age < 200"

[columns]
region = {{ keys = ["north", "south", "east", "west"] }}
age = {{ type = "integer", lower = 0, upper = 100 }}
income = {{ type = "real", lower = 0, upper = 10_000 }}
day = {{ type = "date" }}

[derive]
adult = "age >= 18"
"""
VISITS = """\
person,region,age,income,day,job
a,north,30,1000,2026-01-05,cook
a,north,30,1000,2026-02-05,cook
b,south,40,2500.5,2026-02-06,nurse
c,north,50,,2026-02-07,cook
d,east,12,400,2026-03-05,
e,south,61,7,2026-03-06,clerk
f,west,999,1,2026-03-07,clerk
"""


class QueryCase(ReleaseCase):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "visits.toml"
        (self.folder / "visits.csv").write_text(VISITS, encoding="utf-8")
        self.write(DATASET.format(epsilon=LARGE))

    def ask(self, statement, *options, price=LARGE):
        """The rows of the answer, whose numbers are so accurate that rounding gives the exact ones."""
        run = lastbit("query", str(self.file), statement, "--epsilon", str(price), "--json", *options)
        self.assertEqual((run.returncode, run.stderr), (0, ""), statement)
        document = json.loads(run.stdout)
        return [tuple(round(cell["answer_double"], 1) if isinstance(cell, dict) else cell for cell in row)
                for row in document["rows"]]

    def expect_query_refused(self, statement, mentions, *options, code=65, price="0.1"):
        self.expect_refused(code, "query", str(self.file), statement, "--epsilon", price, *options, mentions=mentions)


class AnswersTest(QueryCase):
    def setUp(self):
        super().setUp()
        self.make_ledger("--epsilon", str(100 * LARGE))

    def test_many_statements(self):
        for statement, rows in [
            ("SELECT count(*) FROM data", [(6,)]),
            ("select count(*) as visits from visits;", [(6,)]),
            ('SELECT count(*) AS n FROM "clinic visits"', [(6,)]),
            ("SELECT count(income) FROM data", [(5,)]),
            ("SELECT count(DISTINCT person) FROM data", [(5,)]),
            ("SELECT count(DISTINCT region) FROM data", [(3,)]),
            ("SELECT count(*) FILTER (WHERE age > 20) FROM data WHERE region = 'north'", [(3,)]),
            ("SELECT avg(adult) FROM data", [(0.8,)]),
            ("SELECT sum(age) FROM data", [(223,)]),
            ("SELECT count(*) FROM data WHERE region = 'north' AND age > 20", [(3,)]),
            ("SELECT avg(income) FROM data WHERE region = 'north'", [(1000,)]),
            ("SELECT mean(clamp(age, 0, 40)) FROM data", [(32,)]),
            ("SELECT avg(clamp(income / 10, 0, 1000)) FROM data WHERE age = 61", [(0.7,)]),
            ("SELECT var_samp(age) FROM data WHERE region = 'south'", [(220.5,)]),
            ("SELECT stddev(age) FROM data WHERE region = 'south'", [(14.8,)]),
            ("SELECT covar_samp(age, clamp(age * 2, 0, 200)) FROM data WHERE region = 'south'", [(441,)]),
            ("SELECT region, count(*) FROM data GROUP BY region",
             [("north", 3), ("south", 2), ("east", 1), ("west", 0)]),
            ("SELECT count(*) AS n, region AS r FROM data GROUP BY r ORDER BY r",
             [(1, "east"), (3, "north"), (2, "south"), (0, "west")]),
            ("SELECT region, sum(age) AS s FROM data GROUP BY 1 ORDER BY s DESC LIMIT 2",
             [("north", 110), ("south", 101)]),
            ("SELECT adult, count(*) FROM data GROUP BY adult", [(False, 1), (True, 5)]),
            ("SELECT month(day) AS m, count(*) FROM data GROUP BY m LIMIT 4", [(1, 1), (2, 3), (3, 2), (4, 0)]),
            ("SELECT CASE WHEN age < 40 THEN 'young' ELSE 'old' END AS who, count(*) FROM data GROUP BY who",
             [("young", 3), ("old", 3)]),
            ("SELECT age >= 40 AS forty, region, count(*) FROM data GROUP BY forty, region ORDER BY 3 DESC, 2 LIMIT 2",
             [(False, "north", 2), (True, "south", 2)]),
        ]:
            self.assertEqual(self.ask(statement), rows, statement)
        contents = self.contents()
        self.assertEqual(contents["spendings"], 23)

    def test_medians_and_quantiles(self):
        ((median, high),) = self.ask("SELECT median(age), quantile(age, 1) FROM data")
        self.assertTrue(30 <= median <= 40 and 61 <= high <= 100, (median, high))

    def test_table_spending_and_what_is_left(self):
        self.ledger.unlink()
        self.make_ledger("--epsilon", "100")
        statement = "SELECT region, count(*) AS n FROM data GROUP BY region"
        run = lastbit("query", str(self.file), statement, "--epsilon", "0.5")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        lines = run.stdout.splitlines()
        self.assertEqual(lines[1].split(), ["region", "n", "±", "95", "%"])
        self.assertEqual([line.split()[0] for line in lines[2:6]], ["north", "south", "east", "west"])
        self.assertIn("Spent epsilon 0.5; epsilon 99.5 is left in data.ledger.", run.stdout)
        (entry,) = self.contents()["entries"]
        self.assertEqual((entry["cost"], entry["unit"], entry["data"]),
                         ({"epsilon": "0.5"}, "column person", "clinic visits"))

    def test_the_same_query_again_must_be_meant(self):
        self.ask("SELECT count(*) FROM data", price="0.1")
        self.expect_query_refused("SELECT count(*) FROM data", "--again would spend epsilon 0.1 again", code=1)
        # The order of the answer is no other query.
        self.expect_query_refused("SELECT count(*) FROM data LIMIT 1", "use the answers of that release", code=1)
        self.ask("SELECT count(*) FROM data", "--again", price="0.1")

    def test_the_digest_is_that_of_a_release_file(self):
        statement = "SELECT avg(age) AS years FROM data"
        run = lastbit("query", str(self.file), statement, "--epsilon", "1", "--plan", "--json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.write(DATASET.format(epsilon=LARGE) +
                   '[[statistics]]\nkind = "mean"\ncolumn = "age"\nname = "years"\nepsilon = 1\n')
        self.assertEqual(json.loads(run.stdout)["digest"], json.loads(self.plan("--json"))["digest"])

    def test_discovered_groups(self):
        budget = f"epsilon = {LARGE}, "
        self.write(DATASET.format(epsilon=LARGE).replace(budget, budget + "delta = 0.5, "))
        self.ledger.unlink()
        self.make_ledger("--epsilon", str(5 * LARGE), "--delta", "0.5")
        cooks = "".join(f"p{i},north,30,,2026-01-05,cook\n" for i in range(97))
        (self.folder / "visits.csv").write_text(VISITS + cooks, encoding="utf-8")
        rows = self.ask("SELECT job, count(*) FROM data GROUP BY job ORDER BY job", "--discover-delta", "0.4")
        self.assertLessEqual({row[0] for row in rows}, {"cook", "nurse", "clerk"})
        self.assertIn(("cook", 100), rows)
        (entry,) = self.contents()["entries"]
        self.assertLessEqual(fractions.Fraction(entry["cost"]["delta"]), fractions.Fraction("0.4"))

    def test_discovered_groups_in_rho(self):
        self.write(DATASET.format(epsilon=LARGE).replace(f"epsilon = {LARGE}, ", f"rho = {LARGE}, delta = 0.5, "))
        cooks = "".join(f"p{i},north,30,,2026-01-05,cook\n" for i in range(97))
        (self.folder / "visits.csv").write_text(VISITS + cooks, encoding="utf-8")
        query = ("query", str(self.file), "SELECT job, count(*) FROM data GROUP BY job ORDER BY job", "--rho", str(LARGE),
                 "--discover-delta", "0.4")
        self.ledger.unlink()
        self.make_ledger("--rho", str(5 * LARGE))
        self.expect_refused(65, *query, mentions="use a budget in rho and delta")
        self.assertEqual(self.contents()["entries"], [])
        self.ledger.unlink()
        self.make_ledger("--rho", str(5 * LARGE), "--delta", "0.5")
        run = lastbit(*query, "--json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        rows = {row[0]: round(row[1]["answer_double"]) for row in json.loads(run.stdout)["rows"]}
        self.assertLessEqual(rows.keys(), {"cook", "nurse", "clerk"})
        self.assertEqual(rows["cook"], 100)
        (entry,) = self.contents()["entries"]
        self.assertEqual(entry["cost"].keys(), {"rho", "delta"})
        self.assertEqual(entry["cost"], entry["price"])
        self.assertLessEqual(fractions.Fraction(entry["cost"]["rho"]), LARGE)
        self.assertLessEqual(fractions.Fraction(entry["cost"]["delta"]), fractions.Fraction("0.4"))


class RefusalTest(QueryCase):
    def test_nothing_is_read_or_spent(self):
        self.make_ledger()
        (self.folder / "visits.csv").unlink()  # whoever reads it fails in another way
        for statement, mentions in [
            ("SELECT * FROM data", "query:1:8: SELECT * shows rows of people"),
            ("SELECT age FROM data", "query:1:8: this asks for 'age' of every row"),
            ("SELECT count(*) FROM '/etc/passwd'", "FROM can be \"clinic visits\", visits, data"),
            ("SELECT count(*) FROM read_csv('/etc/passwd')", "query:1:22: FROM calls a function"),
            ("SELECT count(*) FROM data, other", "query:1:26: a second table is a join"),
            ("SELECT count(*) FROM data WHERE age = (SELECT 1)", "query:1:40: a query inside"),
            ("SELECT mode(age) FROM data", "count rows by value"),
            ("SELECT sum(DISTINCT age) FROM data", "only count takes DISTINCT"),
            ("SELECT avg(income / 12) FROM data", "avg(clamp(income / 12, LOWER, UPPER))"),
            ("SELECT job, count(*) FROM data GROUP BY job", "--discover-delta 1e-7"),
            ("SELECT count(*) FROM data GROUP BY region HAVING count(*) > 3", "filter the released answers"),
            ("DELETE FROM data", "query:1:1: 'DELETE' is not SELECT"),
            ("SELECT count(*) FROM data; DROP TABLE data", "query:1:26: a second statement"),
        ]:
            self.expect_query_refused(statement, mentions)

    def test_columns_and_types(self):
        self.make_ledger()
        self.expect_query_refused("SELECT count(*) FROM data WHERE salary > 3", "query:1:33: ")
        self.expect_query_refused("SELECT count(*) FROM data WHERE region > 3", "query:1:")

    def test_too_little_left(self):
        self.make_ledger("--epsilon", "0.25")
        self.ask("SELECT count(*) FROM data", price="0.2")
        self.expect_query_refused("SELECT sum(age) FROM data", "0.05", code=1)
        plan = lastbit("query", str(self.file), "SELECT sum(age) FROM data", "--epsilon", "0.1", "--plan")
        self.assertEqual((plan.returncode, plan.stderr), (1, ""))
        self.assertEqual(self.contents()["spendings"], 1)

    def test_price(self):
        self.make_ledger()
        self.write(DATASET.format(epsilon=1))
        self.expect_query_refused("SELECT count(*) FROM data", "more than the dataset's budget of 1", price="1.5")
        statement = "SELECT count(*) FROM data"
        self.expect_refused(65, "query", str(self.file), statement, "--rho", "0.1", mentions="counts epsilons")
        self.expect_usage_error("query", str(self.file), statement, mentions="no price was given")
        self.expect_usage_error("query", str(self.file), statement, "--epsilon", "0", mentions="--epsilon")

    def test_rho(self):
        self.make_ledger("--rho", "1")
        self.write(DATASET.format(epsilon=1).replace("epsilon = 1", "rho = 1"))
        self.expect_query_refused("SELECT count(*) FROM data", "counts rhos")
        run = lastbit("query", str(self.file), "SELECT count(*), sum(age) FROM data", "--rho", "0.5")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("Spent rho 0.5", run.stdout)

    def test_there_is_no_ledger(self):
        self.expect_query_refused("SELECT count(*) FROM data", "lastbit ledger init")
        plan = lastbit("query", str(self.file), "SELECT count(*) FROM data", "--epsilon", "0.1", "--plan")
        self.assertEqual((plan.returncode, plan.stderr), (0, ""))
        self.assertIn("lastbit ledger init", plan.stdout)
        self.assertFalse(self.ledger.exists())

    def test_dataset_has_the_problem(self):
        self.make_ledger()
        self.write(DATASET.format(epsilon=1).replace("upper = 100 ", "upper = -5 "))
        self.expect_query_refused("SELECT count(*) FROM data", "visits.toml:9:")
        self.write(DATASET.format(epsilon=1).replace("day = ", "dya = "))
        self.expect_query_refused("SELECT count(*) FROM data", "visits.toml:11:1: there is no column 'dya'")
        # A dataset has no statistics, so there is nothing to release.
        self.write(DATASET.format(epsilon=1))
        self.expect_refused(65, "release", str(self.file), mentions="the file lacks `statistics`")


class ShellTest(QueryCase):
    def talk(self, *lines, price="0.5"):
        run = lastbit("shell", str(self.file), "--epsilon", price, input="".join(line + "\n" for line in lines))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def test_spends_only_after_yes(self):
        self.make_ledger("--epsilon", "2")
        question = "Spend epsilon 0.5? [y/N]"
        for answer, spendings in (("n", 0), ("", 0), ("y", 1)):
            text = self.talk("SELECT count(*)", "FROM data;", answer, "\\quit", "SELECT sum(age) FROM data;", "y")
            self.assertIn(question, text)
            self.assertEqual("Nothing was spent." in text, spendings == 0)
            self.assertEqual(self.contents()["spendings"], spendings)
        # At the end of the input nobody said yes.
        self.assertIn(question, self.talk("SELECT sum(age) FROM data;"))
        self.assertEqual(self.contents()["spendings"], 1)

    def test_mistakes_do_not_end_it(self):
        self.make_ledger("--epsilon", "2")
        text = self.talk("SELECT mode(age) FROM data;", "SELECT age FROM data;", "\\nothing", "\\price 0", "\\price x",
                         "\\price 3", "SELECT count(*) FROM data;", "\\price 0.25", "SELECT count(*) FROM data", "y")
        for words in ("count rows by value", "rows of people cannot be released", "no command '\\nothing'",
                      "A price is above 0", "NOT ENOUGH"):
            self.assertIn(words, text)
        self.assertNotIn("Spend epsilon 3?", text)
        # A statement at the end needs no semicolon, but an answer.
        self.assertEqual(self.contents()["spendings"], 0)

    def test_columns_and_budget(self):
        text = self.talk("\\columns", "\\help")
        self.assertIn("There is no ledger yet: lastbit ledger init", text)
        self.assertRegex(text, r"income +real +0 to 10000\n")
        self.assertRegex(text, r"region +text +north, south, east, west\n")
        self.assertRegex(text, r"adult +boolean +false, true +age >= 18\n")
        self.make_ledger("--epsilon", "2")
        self.assertIn("epsilon 2 is left in data.ledger; each statement costs epsilon 0.5", self.talk("\\budget"))

    def type(self, *keys):
        """What the shell shows somebody who types these keys, each after the prompt before it."""
        try:
            leader, follower = pty.openpty()
        except OSError as problem:  # a container without /dev/pts
            raise unittest.SkipTest(f"this machine lends no terminal: {problem}") from problem
        variables = {**os.environ, "TERM": "xterm", "XDG_STATE_HOME": str(self.folder / "state")}
        shell = [BINARY, "shell", str(self.file), "--epsilon", "0.5"]
        text = ""
        with subprocess.Popen(shell, stdin=follower, stdout=follower, stderr=follower, env=variables) as process:
            os.close(follower)
            for key in (*keys, None):
                shown = ""
                while not (key is not None and shown.rstrip().endswith((">", "[y/N]"))):
                    self.assertTrue(select.select([leader], [], [], 60)[0], text + shown)
                    try:
                        part = os.read(leader, 65536)
                    except OSError:  # how Linux says that the other end is closed
                        break
                    shown += part.decode(errors="replace")
                text += shown
                if key is not None:
                    os.write(leader, key.encode())
            self.assertEqual(process.wait(60), 0)
        os.close(leader)
        return text

    def test_lines_are_edited_and_remembered(self):
        self.make_ledger("--epsilon", "2")
        # A typing mistake, corrected with backspace; then the history of this shell and of the one before.
        text = self.type("SELECT counx\x7ft(*) FROM data;\r", "n\r", "\\quit\r")
        self.assertIn("Spend epsilon 0.5? [y/N]", text)
        text = self.type("\x1b[A\r", "y\r", "\\quit\r")
        self.assertIn("Spent epsilon 0.5", text)
        self.assertEqual(self.contents()["spendings"], 1)
        history = self.folder / "state" / "lastbit" / "history"
        self.assertEqual(history.stat().st_mode & 0o777, 0o600)

    def test_letters_beyond_ascii_are_kept(self):
        self.make_ledger("--epsilon", "2")
        text = self.type("SELECT count(*) AS \"für\" FROM data WHERE region = 'nörth';\r", "y\r", "\\quit\r")
        # The title of the answer, after the question.
        self.assertIn("für", text.split("[y/N]")[1])
        history = self.folder / "state" / "lastbit" / "history"
        self.assertEqual(history.read_text(encoding="utf-8").count("nörth"), 1)

    def test_pasted_statements_are_asked_one_after_the_other(self):
        self.make_ledger("--epsilon", "2")
        text = self.talk("SELECT count(*) FROM data;", "SELECT sum(age) FROM data;", "y")
        self.assertEqual(text.count("Spend epsilon 0.5?"), 2)
        self.assertEqual(text.count("Nothing was spent: that is not an answer"), 1)
        self.assertEqual(self.contents()["spendings"], 1)
        # In one line, each waits for its own answer.
        text = self.talk("SELECT count(*) FROM data; SELECT min(age) FROM data;;", "n", "y")
        self.assertEqual((text.count("Spend epsilon 0.5?"), text.count("Nothing was spent.")), (2, 1))
        self.assertIn("min(age)", text.split("Nothing was spent.")[1])
        self.assertEqual(self.contents()["spendings"], 2)

    def test_semicolons_in_quotes_end_nothing(self):
        self.make_ledger("--epsilon", "2")
        text = self.talk("SELECT count(*) FROM data WHERE job = 'a;", "b';", "n")
        self.assertEqual(text.count("Spend epsilon 0.5?"), 1)
        # A quote that is never closed does not lock anybody in.
        text = self.talk("SELECT count(*) FROM data WHERE job = 'a;", "\\quit", "y", "y")
        self.assertNotIn("Spend", text)

    def test_programs_use_query(self):
        run = lastbit("shell", str(self.file), "--epsilon", "1", "--json")
        self.assertEqual((run.returncode, run.stdout), (64, ""))
        self.assertIn("lastbit query --json", run.stderr)
        self.assertNotRegex(lastbit("shell", "--help").stdout, r"(?m)^ +--json")
        self.assertRegex(lastbit("query", "--help").stdout, r"(?m)^ +--json")


class DocumentTest(ReleaseCase):
    """The dataset and the twenty questions of docs/query.md."""

    TEXT = (pathlib.Path(__file__).parents[2] / "docs" / "query.md").read_text(encoding="utf-8")

    def test_twenty_questions(self):
        dataset = self.folder / "people.toml"
        dataset.write_text(re.search(r"```toml\n(.*?)```", self.TEXT, re.S)[1], encoding="utf-8")
        header = "person,age,sex,educ,income,hours,married,day,money,zip,job\n"
        (self.folder / "people.csv").write_text(header, encoding="utf-8")
        questions = re.findall(r"^\| [STPO] \| [^|]+ \| `([^`]+)` \| (.*) \|$", self.TEXT, re.M)
        self.assertEqual(len(questions), 20)
        for statement, verdict in questions:
            options = ("--discover-delta", "1e-7") if "--discover-delta" in verdict else ()
            run = lastbit("query", str(dataset), statement, "--epsilon", "0.2", "--plan", *options)
            if verdict.startswith("answered"):
                self.assertEqual((run.returncode, run.stderr), (0, ""), statement)
            else:
                self.assertEqual((run.returncode, run.stdout), (65, ""), statement)
                self.assertIn(verdict.removeprefix("refused: "), run.stderr)

    def test_message(self):
        self.assertIn("'first' cannot be answered: it shows what single rows hold; count rows by value: count(*) with "
                      "GROUP BY income", self.TEXT)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
