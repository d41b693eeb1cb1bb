"""lastbit inspect: what it says about the rows of a release, compared with counts made here."""

import collections
import fractions
import json
import pathlib
import random
import re
import unittest

from cli_test import lastbit
from release_case import LARGE, ReleaseCase

HEAD = """\
version = 1
source = {source}
unit = {unit}
budget = {{ epsilon = {epsilon}, ledger = "data.ledger" }}
"""
NOTICE = "PRIVATE: this describes the rows of data.csv without noise. Do not publish any of it."


class InspectCase(ReleaseCase):
    def describe(self, rows, text, source='"data.csv"', unit='"row"', epsilon=LARGE):
        """Writes the data, and a release file about it."""
        (self.folder / "data.csv").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
        self.write(HEAD.format(source=source, unit=unit, epsilon=epsilon) + text)

    def inspect(self, *options):
        run = lastbit("inspect", str(self.file), *options)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertFalse(self.ledger.exists())
        return run.stdout

    def document(self):
        return json.loads(self.inspect("--json"))

    def column(self, name, document=None):
        return next(c for c in (document or self.document())["columns"] if c["column"] == name)

    def problems(self, document=None):
        return [finding["problem"] for finding in (document or self.document())["findings"]]


class OutputTest(InspectCase):
    def test_says_first_and_last_that_it_is_private(self):
        lines = self.inspect().splitlines()
        self.assertEqual((lines[0], lines[-1]), (NOTICE, NOTICE))
        self.assertEqual(self.document()["private"], NOTICE)

    def test_says_in_one_line_that_nothing_is_wrong(self):
        self.describe(["age", *range(20, 90)],
                      '[columns]\nage = { type = "integer", lower = 0, upper = 100 }\n'
                      '[[statistics]]\nkind = "mean"\ncolumn = "age"\n')
        self.assertIn("\n  Nothing seems wrong.\n", self.inspect())
        self.assertEqual(self.document()["findings"], [])

    def test_fields_that_are_shown_cannot_garble_the_terminal(self):
        self.describe(["age", "\x1b[2Jgone", "7\u202e", "x" * 500],
                      '[columns]\nage = { type = "integer", lower = 0, upper = 100 }\n'
                      '[[statistics]]\nkind = "sum"\ncolumn = "age"\n')
        text = self.inspect()
        self.assertFalse(any(ord(c) < 32 and c != "\n" for c in text))
        self.assertNotIn("\u202e", text)
        self.assertNotIn("x" * 31, text)
        self.assertIn("line 2: '\\x1b[2Jgone'", text)

    def test_refusals(self):
        self.expect_refused(65, "inspect", str(self.folder / "none.toml"), mentions="none.toml")
        self.expect_refused(64, "inspect", str(self.file), "--memory", "1KB", mentions="16 MB")
        self.write(self.file.read_text(encoding="utf-8").replace('"age"', '"agee"'))
        self.expect_refused(65, "inspect", str(self.file), mentions="agee")
        self.write()
        with (self.folder / "data.csv").open("a", encoding="utf-8") as data:
            data.write("north,1\n")
        self.expect_refused(65, "inspect", str(self.file), mentions="line 7")
        (self.folder / "data.csv").unlink()
        self.expect_refused(65, "inspect", str(self.file), mentions="data.csv")
        self.expect_usage_error("inspect", mentions="FILE")

    def test_only_a_dry_run_shows_findings_too(self):
        self.make_ledger()
        self.describe(["age", *range(200)],
                      '[columns]\nage = { type = "integer", lower = 0, upper = 100 }\n'
                      '[[statistics]]\nname = "ages"\nkind = "mean"\ncolumn = "age"\n')
        found = "ages: 50 % of the values of `age` are above its `upper` bound and count as 100."
        text = " ".join(self.release("--dry-run").split())
        self.assertIn(NOTICE, text)
        self.assertIn(found, text)
        document = json.loads(self.release("--dry-run", "--json"))
        self.assertEqual(document["private"]["notice"], NOTICE)
        self.assertEqual(document["private"]["findings"][0]["statistics"], ["ages"])
        self.assertEqual(self.contents()["entries"], [])
        query = ("SELECT avg(age) FROM data",)
        for run in (lastbit("release", str(self.file)), lastbit("release", str(self.file), "--again", "--json"),
                    lastbit("query", str(self.file), *query, "--epsilon", "1")):
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertNotIn("PRIVATE", run.stdout)
            self.assertNotIn("findings", run.stdout)
            self.assertNotIn("50 %", run.stdout)


class FieldsTest(InspectCase):
    def test_numbers_that_cannot_be_read(self):
        """A census file with thousands that are separated, and with exponents, among whole numbers."""
        incomes = [str(1000 + i) for i in range(500)]
        incomes[37:40] = ["12 000", "", "1e+05"]
        for i in range(100, 500, 10):
            incomes[i] = random.Random(i).choice(["1e+05", "12 000", "13 500"])
        self.describe(["income,sex", *(f"{income},m" for income in incomes)],
                      '[columns]\nincome = { type = "integer", lower = 0, upper = 200_000 }\n'
                      '[[statistics]]\nname = "with income"\nkind = "count"\ncolumn = "income"\n')
        document = self.document()
        column = self.column("income", document)
        self.assertEqual((document["rows"], column["missing"]), (500, 1))
        self.assertEqual(column["first"][0], {"line": 39, "row": 38, "text": "12 000"})
        # A release counts the fields that it can read; the noise of so large a loss is less than 1.
        self.make_ledger()
        released = self.answers(json.loads(self.release("--json")))[("with income", "")]
        self.assertEqual(column["not_of_the_type"], 499 - round(float(fractions.Fraction(released))))
        self.assertGreaterEqual(column["not_of_the_type"], sum(" " in income for income in incomes))
        self.assertEqual(self.problems(document)[0],
                         f"{column['not_of_the_type']} of 500 fields of `income` are not whole numbers, first in "
                         "line 39: '12 000'. They count as missing.")

    def test_decimal_commas_and_german_dates(self):
        rows = [f"{150 + i % 40},5;31.12.{2000 + i % 25}" for i in range(200)]
        self.describe(["height;visited", *rows],
                      '[columns]\nheight = { type = "real", lower = 0, upper = 250 }\nvisited = { type = "date" }\n'
                      '[[statistics]]\nname = "heights"\nkind = "mean"\ncolumn = "height"\n'
                      "where = \"visited > DATE '2010-01-01'\"\n",
                      source='{ path = "data.csv", delimiter = ";" }')
        document = self.document()
        self.assertEqual(self.column("height", document)["not_of_the_type"], 200)
        self.assertEqual(self.column("visited", document)["not_of_the_type"], 200)
        self.assertEqual(document["statistics"][0]["with_condition"], 0)
        problems = self.problems(document)
        self.assertIn("200 of 200 fields of `height` are not numbers, first in line 2: '150,5'. They count as "
                      "missing.", problems)
        self.assertIn("200 of 200 fields of `visited` are not dates, first in line 2: '31.12.2000'. They count as "
                      "missing.", problems)
        self.assertIn("Nothing counts: no row meets the condition.", problems)
        remedies = " ".join(finding["remedy"] for finding in document["findings"])
        self.assertIn('decimal = ","', remedies)
        self.assertIn("date_format = ", remedies)
        self.make_ledger()
        dry_run = " ".join(self.release("--dry-run").split())
        self.assertIn("200 of 200 fields of `height` are not numbers", dry_run)

    def test_lines_of_records_with_line_breaks(self):
        rows = ["name,age", '"two\nlines",4', "plain,x", "", '"three\n\nlines","y""z"', "last,q"]
        self.describe(rows, '[columns]\nage = { type = "integer", lower = 0, upper = 9 }\n'
                            '[[statistics]]\nkind = "sum"\ncolumn = "age"\nwhere = "name <> \'a\'"\n')
        self.assertEqual(self.column("age")["first"],
                         [{"line": 4, "row": 2, "text": "x"}, {"line": None, "row": 3, "text": 'y"z'},
                          {"line": 9, "row": 4, "text": "q"}])
        self.assertIn("line 4: 'x'; row 3: 'y\"z'; line 9: 'q'", self.inspect())

    def test_json(self):
        records = [{"age": 5, "town": "a"}, {"age": "old", "town": "b"}, {"age": None, "town": "c"}, {"age": 7.5}]
        (self.folder / "data.json").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
        self.write(HEAD.format(source='"data.json"', unit='"row"', epsilon=1) +
                   '[columns]\nage = { type = "real", lower = 6, upper = 7 }\ntown = { keys = ["a"] }\n'
                   '[[statistics]]\nkind = "sum"\ncolumn = "age"\nby = "town"\n')
        document = self.document()
        column = self.column("age", document)
        self.assertEqual((column["missing"], column["not_of_the_type"], column["below"], column["above"]), (1, 1, 1, 1))
        self.assertEqual(column["first"], [{"line": 2, "row": 2, "text": "old"}])
        self.assertEqual(self.column("town", document)["missing"], 1)
        self.assertEqual(document["keys"], [{"columns": ["town"], "not_a_key": 2, "frequent": [
            {"key": ["b"], "rows": 1}, {"key": ["c"], "rows": 1}], "complete": False, "rows_without_key": None}])


def whole(text):
    return int(text) if re.fullmatch(r"-?[0-9]+", text) else None


class CountsTest(InspectCase):
    """Every count, on a table of random rows, against a count of a few lines."""

    TEXT = """\
where = "age >= 18"
[columns]
age = { type = "integer" }
income = { type = "integer", lower = 100, upper = 900 }
region = { keys = ["north", "south"] }
half = { lower = 0, upper = 200 }
[derive]
half = "income / 2"
[[statistics]]
name = "plain"
kind = "sum"
column = "income"
by = "region"
[[statistics]]
name = "derived"
kind = "mean"
column = "half"
where = "region = 'south'"
[[statistics]]
name = "people"
kind = "count_units"
by = "region"
[[statistics]]
name = "once"
kind = "count"
"""

    def setUp(self):
        super().setUp()
        draw = random.Random(7)
        self.rows = []
        for _ in range(3000):
            age = draw.choice(["", "x", *map(str, range(10, 40))])
            income = draw.choice(["", "n/a", *map(str, range(0, 2000, 100))])
            region = draw.choice(["north", "south", "south", "East", "West", "West", ""])
            person = draw.choice(["", *(f"p{int(draw.paretovariate(0.4))}" for _ in range(8))])
            self.rows.append((person, age, income, region))
        self.describe(["person,age,income,region", *(",".join(row) for row in self.rows)], self.TEXT,
                      unit='{ id = "person", max_rows_per_group = 3, max_groups = 1 }')
        self.found = self.document()

    def statistic(self, name):
        return next(s for s in self.found["statistics"] if s["name"] == name)

    def test_columns(self):
        self.assertEqual(self.found["rows"], len(self.rows))
        self.assertEqual(self.found["units"], len({person for person, *_ in self.rows if person}))
        incomes = [income for _, _, income, _ in self.rows]
        numbers = [whole(income) for income in incomes if whole(income) is not None]
        column = self.column("income", self.found)
        self.assertEqual(column["missing"], incomes.count(""))
        self.assertEqual(column["not_of_the_type"], incomes.count("n/a"))
        self.assertEqual(column["below"], sum(number < 100 for number in numbers))
        self.assertEqual(column["above"], sum(number > 900 for number in numbers))
        half = self.column("half", self.found)
        self.assertEqual((half["derived"], half["missing"]), (True, len(self.rows) - len(numbers)))
        self.assertEqual(half["above"], sum(number > 400 for number in numbers))
        regions = collections.Counter(region for *_, region in self.rows)
        keys = self.found["keys"][0]
        self.assertEqual(keys["not_a_key"], regions["East"] + regions["West"])
        self.assertEqual(keys["frequent"], [{"key": [name], "rows": regions[name]} for name in ("West", "East")])

    def rows_left(self, condition, key, value):
        adults = [row for row in self.rows if (whole(row[1]) or 0) >= 18 and condition(row)]
        named = [row for row in adults if row[0]]
        keyed = [row for row in named if key(row)]
        return adults, named, keyed, [row for row in keyed if value(row)]

    def test_rows_that_are_left(self):
        grouped = lambda row: row[3] in ("north", "south")
        number = lambda row: whole(row[2]) is not None
        every = lambda row: True
        for name, left in (("plain", self.rows_left(every, grouped, number)),
                           ("derived", self.rows_left(lambda row: row[3] == "south", every, number)),
                           ("people", self.rows_left(every, grouped, every)),
                           ("once", self.rows_left(every, every, every))):
            found = self.statistic(name)
            steps = tuple(found[key] for key in ("with_condition", "with_unit", "with_keys", "with_values"))
            self.assertEqual(steps, tuple(map(len, left)), name)
            self.assertEqual(found["units"], len({row[0] for row in left[-1]}), name)
        numbers = [int(row[2]) for row in self.rows_left(every, grouped, number)[3]]
        for choice in self.statistic("plain")["bounds"][0]["choices"]:
            lower, upper = (fractions.Fraction(choice[key]) for key in ("lower", "upper"))
            self.assertEqual(choice["below"], sum(number < lower for number in numbers))
            self.assertEqual(choice["above"], sum(number > upper for number in numbers))

    def test_limits(self):
        grouped = lambda row: row[3] in ("north", "south")
        number = lambda row: whole(row[2]) is not None
        rows = self.rows_left(lambda row: True, grouped, number)[3]
        by_person = collections.defaultdict(collections.Counter)
        for row in rows:
            by_person[row[0]][row[3]] += 1
        self.assertTrue(any(len(groups) == 2 for groups in by_person.values()))
        self.write(self.file.read_text(encoding="utf-8").replace(f"epsilon = {LARGE}", "epsilon = 1"))
        self.found = self.document()
        choices = self.statistic("plain")["limits"]["choices"]
        self.assertEqual((choices[0]["max_rows_per_group"], choices[0]["max_groups"]), (3, 1))
        self.assertGreater(len(choices), 4)
        for choice in choices:
            most, groups = choice["max_rows_per_group"], choice["max_groups"]
            kept = sum(fractions.Fraction(min(groups, len(counts)), len(counts)) *
                       sum(min(most, count) for count in counts.values()) for counts in by_person.values())
            self.assertAlmostEqual(choice["count"], float(kept), places=6)
            self.assertAlmostEqual(choice["noise"], most * groups / 3, delta=0.01 * most * groups)
        # Everything counts under the largest limits.
        self.assertAlmostEqual(choices[-1]["count"], len(rows))
        people = self.statistic("people")["limits"]
        pairs = {(row[0], row[3]) for row in self.rows_left(lambda row: True, grouped, lambda row: True)[3]}
        self.assertEqual((people["once_per_group"], people["countable"]), (True, len(pairs)))
        self.assertAlmostEqual(people["choices"][0]["count"], len({person for person, _ in pairs}))

    def test_a_release_counts_as_many_rows(self):
        """Limits leave out as many rows of a count without groups as inspect says."""
        self.make_ledger()
        released = self.answers(json.loads(self.release("--json")))
        once = self.statistic("once")["limits"]["choices"][0]["count"]
        self.assertEqual(round(float(fractions.Fraction(released[("once", "")]))), once)

    def test_memory_and_threads_change_nothing(self):
        limited = self.inspect("--json", "--threads", "1", "--memory", "64MB", "--spill", str(self.folder))
        self.assertEqual(json.loads(limited), self.found)


class PromiseTest(InspectCase):
    TEXT = """\
where = "age >= 18"
[columns]
age = { type = "integer" }
region = { keys = ["north", "south"], complete = true }
sex = { keys = ["f", "m"] }
[[statistics]]
name = "both"
kind = "count"
by = ["region", "sex"]
[[statistics]]
name = "sexes"
kind = "count"
by = "sex"
"""

    def test_rows_that_break_a_promise(self):
        """Missing keys count, rows that the condition leaves out do not; the price is the same."""
        rows = ["region,sex,age", "north,f,20", "south,m,30", ",f,20", "West,m,5", "West,f,40"]
        self.describe(rows, self.TEXT, epsilon="0.1")
        found = self.document()
        keys = {keys["columns"][0]: keys for keys in found["keys"]}
        self.assertEqual((keys["region"]["complete"], keys["region"]["rows_without_key"]), (True, 2))
        self.assertEqual((keys["sex"]["complete"], keys["sex"]["rows_without_key"]), (False, None))
        self.assertIn("2 rows that count", found["findings"][0]["problem"])
        self.assertEqual(found["findings"][0]["level"], "serious")
        plan = json.loads(lastbit("plan", str(self.file), "--json").stdout)
        self.describe(rows, self.TEXT.replace(", complete = true", ""), epsilon="0.1")
        alone = json.loads(lastbit("plan", str(self.file), "--json").stdout)
        self.assertEqual(plan["cost"], alone["cost"])
        self.assertEqual(plan["statistics"][1]["learns_from"], ["both"])
        self.assertEqual(alone["statistics"][1]["learns_from"], [])
        self.assertEqual([one["parts"] for one in plan["statistics"]],
                         [one["parts"] for one in alone["statistics"]])


class LimitsTest(InspectCase):
    def test_payments(self):
        """Customers with many payments in each of several months, of which few count."""
        rows = ["customer,month,amount"]
        rows += [f"c{c},{m},{10 + p}" for c in range(50) for m in range(1, 7) for p in range(5 if c % 5 else 1)]
        self.describe(rows, '[columns]\nmonth = { type = "integer", keys = { from = 1, to = 12 } }\n'
                            'amount = { type = "integer", lower = 0, upper = 100 }\n'
                            '[[statistics]]\nname = "paid"\nkind = "sum"\ncolumn = "amount"\nby = "month"\n',
                      unit='{ id = "customer", max_rows_per_group = 2, max_groups = 3 }', epsilon=1)
        document = self.document()
        limits = document["statistics"][0]["limits"]
        self.assertEqual(limits["countable"], 40 * 30 + 10 * 6)
        self.assertAlmostEqual(limits["choices"][0]["count"], 40 * 6 + 10 * 3)
        self.assertIn("Only 21 % of the rows count: at most 2 rows per group, in at most 3 groups, of each "
                      "`customer`.", self.problems(document))
        by_limits = {(c["max_rows_per_group"], c["max_groups"]): c for c in limits["choices"]}
        self.assertAlmostEqual(by_limits[(5, 6)]["count"], 1260)
        self.assertAlmostEqual(by_limits[(5, 6)]["noise"], 5, delta=0.05)
        self.assertIn("paid: Only 21 % of the rows count", " ".join(self.inspect().split()))

    def test_no_limits_where_rows_are_units(self):
        self.describe(["age", "5", "6"], '[[statistics]]\nkind = "count"\n')
        self.assertIsNone(self.document()["statistics"][0]["limits"])


def invented_payments():
    """The payments of docs/inspect.md."""
    state = 1

    def draw(values):
        nonlocal state
        state = (state * 1103515245 + 12345) % 2**31
        return values[(state >> 12) % len(values)]

    yield "customer,month,channel,amount"
    for customer in range(900):
        for month in range(1, draw([2, 4, 7, 13])):
            for _ in range(draw([1, 1, 2, 4, 9])):
                amount = f"{draw(range(1000)) ** 4 / 2.5e9:.2f}" if draw(range(250)) else '"1.250,00"'
                yield f"c{customer},{month},{draw(['card'] * 5 + ['cash'] * 4 + ['Card'])},{amount}"


class DocsTest(InspectCase):
    def test_the_example(self):
        page = (pathlib.Path(__file__).parents[2] / "docs" / "inspect.md").read_text(encoding="utf-8")
        toml, console = (re.search(rf"^```{fence}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1]
                         for fence in ("toml", "console"))
        (self.folder / "payments.csv").write_text("".join(f"{row}\n" for row in invented_payments()), encoding="utf-8")
        (self.folder / "payments.toml").write_text(toml, encoding="utf-8")
        command, _, output = console.partition("\n")
        run = lastbit(*command.removeprefix("$ lastbit ").split(), cwd=self.folder)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(run.stdout, output)


if __name__ == "__main__":
    unittest.main(argv=["inspect_test.py"])
