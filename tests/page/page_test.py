#!/usr/bin/env python3
"""The report in a browser: no violation of axe-core's rules, no scrolling sideways on a phone.

usage: page_test.py LASTBIT NODE_MODULES
"""

import base64
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
LASTBIT = pathlib.Path(sys.argv[1]).resolve()
MODULES = pathlib.Path(sys.argv[2]).resolve()
SKIPPED = 77

# Every kind of statistic, every kind of picture, and names that are hard to show.
RELEASE = """\
version = 1
title = "Everything <there> is & more"
source = "data.csv"
unit = { id = "person", max_rows_per_group = 1, max_groups = 3, noun = ["person", "people"] }
budget = { epsilon = 20, delta = 1e-6, ledger = "data.ledger" }

[publication]
publisher = "Amt für erfundene Zahlen"
period = "2024 bis 2025"
licence = "CC BY 4.0"
contact = "zahlen@amt.example"
notes = ["Alle Zahlen sind erfunden.", "Eine zweite Anmerkung."]
language = "de"
number_format = "1.234,5"

[columns]
sex = { type = "integer", keys = [0, 1], label = "Geschlecht", labels = { 0 = "Männer", 1 = "Frauen" } }
region = { keys = ["north", "south", "المنطقة الشمالية", "NAME", "'<b>&"] }
age = { type = "integer", lower = 0, upper = 100, unit = "Jahre" }
income = { type = "real", lower = 0, upper = 100_000, label = "Einkommen", unit = "€" }
day = { type = "date", keys = { from = 2024-01-01, to = 2025-12-31 } }
shop = { type = "integer", keys = { from = 1, to = 50 } }
town = { keys = [TOWNS] }
member = { type = "boolean" }

[[statistics]]
kind = "count"
title = "Menschen"
notes = "Eine Anmerkung zu dieser Zahl."
[[statistics]]
kind = "count"
by = ["region", "sex"]
totals = true
[[statistics]]
kind = "count_units"
[[statistics]]
kind = "count_distinct"
column = "town"
[[statistics]]
kind = "sum"
column = "income"
by = "region"
epsilon = 0.001
[[statistics]]
kind = "mean"
column = "income"
by = { age = [0, 18, 65, 100] }
[[statistics]]
kind = "sum"
column = "income"
name = "found"
bounds = "auto"
[[statistics]]
kind = "share"
column = "member"
by = { day = "weekday" }
[[statistics]]
kind = "variance"
column = "age"
[[statistics]]
kind = "standard_deviation"
column = "age"
[[statistics]]
kind = "covariance"
columns = ["age", "income"]
[[statistics]]
kind = "correlation"
columns = ["age", "income"]
[[statistics]]
kind = "ratio"
columns = ["income", "age"]
by = "sex"
[[statistics]]
kind = "histogram"
column = "region"
other = true
[[statistics]]
name = "ages"
kind = "histogram"
column = "age"
bins = { from = 0, to = 100, width = 10 }
by = "sex"
[[statistics]]
kind = "quantiles"
column = "income"
quantiles = [0.25, 0.5, 0.75]
[[statistics]]
kind = "quantiles"
column = "income"
quantiles = [0.25, 0.5, 0.75]
by = "region"
[[statistics]]
kind = "median"
column = "age"
by = { day = "quarter" }
[[statistics]]
kind = "min"
column = "age"
[[statistics]]
kind = "top"
column = "region"
k = 3
[[statistics]]
kind = "count"
by = { day = "month" }
[[statistics]]
kind = "count"
by = ["sex", { day = { every = "week", from = 2024-01-01, to = 2024-11-30 } }]
[[statistics]]
kind = "count"
by = "shop"
[[statistics]]
kind = "count"
by = "town"
[[statistics]]
name = "jobs"
kind = "count"
by = "job"
discover = { delta = 1e-7 }
"""

WRONG = """<!DOCTYPE html><html><head><title>x</title></head><body>
<p style="color: #aaaaaa; background: #ffffff">faint</p><div style="width: 900px">wide</div></body></html>"""


def make_rows():
    lines = ["person,sex,region,age,income,day,shop,town,member,job"]
    for i in range(4000):
        lines.append(f"{i},{i % 2},{'north' if i % 3 else 'south'},{i % 97},{i * 37 % 90_000},"
                     f"20{24 + i % 2}-{i % 12 + 1:02}-{i % 28 + 1:02},{i % 50 + 1},town {i % 45},"
                     f"{'true' if i % 5 else 'false'},job {i % 4}")
    return "\n".join(lines) + "\n"


def release_text():
    towns = ", ".join(f'"town {i}"' for i in range(45))
    return RELEASE.replace("TOWNS", towns).replace("NAME", "a very long name " * 10)


def run(*arguments, **options):
    done = subprocess.run([str(part) for part in arguments], capture_output=True, text=True, encoding="utf-8",
                          check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: {done.stdout}{done.stderr}")
    return done.stdout


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        folder = pathlib.Path(cls.temporary.name)
        (folder / "data.csv").write_text(make_rows(), encoding="utf-8")
        (folder / "release.toml").write_text(release_text(), encoding="utf-8")
        (folder / "wrong.html").write_text(WRONG, encoding="utf-8")
        run(LASTBIT, "ledger", "init", folder / "data.ledger", "--epsilon", "30", "--delta", "1e-5")
        run(LASTBIT, "release", folder / "release.toml", "--out", folder / "all")
        run(LASTBIT, "demo", "--out", folder / "demo")
        cls.all = folder / "all"
        cls.pages = {"demo": folder / "demo" / "report" / "report.html", "all": folder / "all" / "report.html",
                     "wrong": folder / "wrong.html"}
        found = json.loads(run("node", HERE / "check_page.js", MODULES, shutil.which("chromium"),
                               *cls.pages.values(), timeout=120))
        cls.found = {name: found[str(page)] for name, page in cls.pages.items()}

    def test_the_demo_has_no_barriers(self):
        self.assertEqual(self.found["demo"], [])

    def test_a_report_with_everything_has_no_barriers(self):
        self.assertEqual(self.found["all"], [])

    def test_the_check_sees_what_is_wrong(self):
        for rule in ("html-has-lang", "color-contrast", "phone: the page is"):
            self.assertTrue(any(rule in problem for problem in self.found["wrong"]), rule)

    def test_downloads_hold_the_files_beside_the_page(self):
        html = self.pages["all"].read_text(encoding="utf-8")
        links = dict(re.findall(r'<a download="([^"]+)" href="data:[^,"]*;base64,([^"]*)"', html))
        self.assertEqual(set(links), {"answers.csv", "release.json"})
        for name, content in links.items():
            self.assertEqual(base64.b64decode(content, validate=True), (self.all / name).read_bytes())


def missing():
    """What the test needs and this machine lacks."""
    if shutil.which("node") is None:
        return "node"
    if shutil.which("chromium") is None:
        return "chromium"
    if not (MODULES / "axe-core").is_dir() or not (MODULES / "playwright-core").is_dir():
        return "the packages of third_party/axe"
    return None


if __name__ == "__main__":
    if missing():
        print(f"skipped: {missing()} is not installed; `./run test` installs it")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1], verbosity=2)
