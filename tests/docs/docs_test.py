"""Walks through README.md and all pages of docs: docs_test.py BINARY VERSION READS_FILES.

Every fenced block is run here (walk.py says how), or read by a test that READ_ELSEWHERE names, or marked in its page
as not run, with the reason. READS_FILES is 1 for a build with an engine; most pages need one.
"""

import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from walk import FILES, blocks_of, commands_of, pattern_of, walk

BINARY = str(pathlib.Path(sys.argv[1]).resolve())
READS_FILES = sys.argv[3] == "1"
ROOT = pathlib.Path(__file__).parents[2]
PAGES = ["README.md", *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))]

# Recipes are independent: each section of these pages gets a folder of its own, after what the page begins with.
IN_SECTIONS = ("docs/cookbook.md",)

# Which test reads the blocks of a kind on a page.
READ_ELSEWHERE = {
    ("*", "cpp"): "examples/check_documents.py",
    ("*", "text"): "examples/check_documents.py",
    ("docs/inspect.md", "toml"): "tests/cli/inspect_test.py",
    ("docs/inspect.md", "console"): "tests/cli/inspect_test.py",
    ("docs/language.md", "dp"): "lastbit/verify/lang/corpus_test.cc",
    ("docs/mistakes.md", "toml"): "tests/cli/mistakes_test.py",
    ("docs/postgresql.md", "sql"): "tests/postgres/source/page_test.py",
    ("docs/postgresql.md", "toml"): "tests/postgres/source/page_test.py",
    ("docs/postgresql.md", "console"): "tests/postgres/source/page_test.py",
    ("docs/python.md", "python"): "python/tests/page_test.py",
    ("docs/spark.md", "python"): "python/tests/spark/docs_page_test.py",
    ("docs/query.md", "toml"): "tests/cli/query_test.py",
    ("docs/release-file.md", "toml"): "lastbit/release/file/parse_release_test.cc",
    ("docs/release-file.md", "toml-wrong"): "lastbit/release/file/parse_release_test.cc",
    ("docs/release-file.md", "message"): "lastbit/release/file/parse_release_test.cc",
    ("docs/shared-ledger.md", "sql"): "tests/postgres/ledger_test.py",
}


def reader_of(page, kind):
    return READ_ELSEWHERE.get((page, kind), READ_ELSEWHERE.get(("*", kind)))


def problems_of(page, text):
    """The blocks of a page that nobody would notice going wrong."""
    for block in blocks_of(text):
        if block.runs and block.kind not in ("console", *FILES) and not reader_of(page, block.kind):
            yield (f"{page}:{block.line}: no test reads a block of kind '{block.kind}' here; run it as console, or "
                   "say above it <!-- not run: why -->")


def walkable(page, text):
    """The text without the blocks that only another test reads, line numbers kept."""
    lines = text.splitlines(keepends=True)
    for block in reversed(blocks_of(text)):
        if reader_of(page, block.kind) and not block.file_name():
            count = block.text.count("\n") + 2
            lines[block.line - 1 : block.line - 1 + count] = ["\n"] * count
    return "".join(lines)


def parts_of(page, text):
    """What is walked in one folder: the whole page, or each of its sections after its beginning."""
    if page not in IN_SECTIONS:
        return [text]
    beginning, *sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    lines = [section.count("\n") for section in sections]
    return [beginning + "\n" * sum(lines[:place]) + section for place, section in enumerate(sections)]


class PagesTest(unittest.TestCase):
    def test_every_block_has_somebody_who_reads_it(self):
        problems = [problem for page in PAGES for problem in problems_of(page, (ROOT / page).read_text("utf-8"))]
        self.assertEqual(problems, [])

    def test_the_tests_that_are_named_exist_and_name_the_page(self):
        for (page, kind), test in READ_ELSEWHERE.items():
            text = (ROOT / test).read_text("utf-8")
            name = kind if page == "*" else pathlib.Path(page).name
            self.assertIn(name, text, test)

    def test_commands_print_what_the_pages_show(self):
        if not READS_FILES:
            self.skipTest("this build has no engine")
        for page in PAGES:
            for part in parts_of(page, walkable(page, (ROOT / page).read_text("utf-8"))):
                with tempfile.TemporaryDirectory() as folder, self.subTest(page=page):
                    (pathlib.Path(folder) / "corpus").symlink_to(ROOT / "corpus")
                    walk(self, part, BINARY, folder)


class ChoosingTest(unittest.TestCase):
    """The tables of docs/choosing.md."""

    TEXT = (ROOT / "docs" / "choosing.md").read_text("utf-8")

    def row(self, label):
        """The cells of the row of a table that starts with this cell."""
        (row,) = re.findall(rf"^\| {re.escape(label)} \|(.*)\|$", self.TEXT, re.MULTILINE)
        return [cell.strip() for cell in row.split("|")]

    def error_of_a_count(self, epsilon, confidence):
        text = (f'version = 1\nsource = "x.csv"\nunit = "row"\nconfidence = {confidence}\nbudget = {{ epsilon = '
                f'{epsilon}, ledger = "x.ledger" }}\n[[statistics]]\nkind = "count"\n')
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "x.csv").write_text("a\n", "utf-8")
            (pathlib.Path(folder) / "x.toml").write_text(text, "utf-8")
            run = subprocess.run([BINARY, "plan", "x.toml", "--json"], cwd=folder, capture_output=True, check=True)
        return "± " + json.loads(run.stdout)["statistics"][0]["accuracy"]["at_most"]

    def test_odds(self):
        rows = re.findall(r"^\| ([\d.]+) \| ([\d,.]+) times \| ([\d.]+) % \| ([\d.]+) % \|$", self.TEXT, re.MULTILINE)
        self.assertEqual(len(rows), 7)
        for epsilon, *cells in rows:
            factor = math.exp(float(epsilon))
            exact = (factor, 100 * factor / (factor + 1), 100 * factor / (factor + 99))
            for cell, number in zip(cells, exact):
                digits = len(cell.partition(".")[2])
                self.assertEqual(cell, f"{number:,.{digits}f}", epsilon)

    @unittest.skipUnless(READS_FILES, "this build has no engine")
    def test_errors_of_counts(self):
        for epsilon, error in zip(self.row("epsilon of the count"), self.row("error"), strict=True):
            self.assertEqual(self.error_of_a_count(epsilon, "0.95"), error)
        for confidence, error in zip(self.row("confidence"), self.row("interval"), strict=True):
            self.assertEqual(self.error_of_a_count("0.2", confidence), error)


class WalkTest(unittest.TestCase):
    """That a walk stumbles where it should."""

    def walk(self, text):
        with tempfile.TemporaryDirectory() as folder:
            return walk(unittest.TestCase(), text, BINARY, folder)

    def test_what_differs_is_noticed(self):
        self.assertEqual(self.walk("```console\n$ printf 'a\\nb 12\\n'\na\nb …\n$ true\n```\n"), 2)
        for shown in ("a\n", "a\nb\n", "a\nb 13\n", "b …\n", "a\nb 12\n…\nc\n", ""):
            with self.assertRaises(AssertionError):
                self.walk(f"```console\n$ printf 'a\\nb 12\\n'\n{shown}```\n")

    def test_what_fails_is_noticed(self):
        with self.assertRaises(AssertionError):
            self.walk("```console\n$ false\n```\n")
        with self.assertRaises(AssertionError):
            self.walk("```console\n$ echo 'lastbit: no'\nlastbit: no\n```\n")
        self.walk("```console\n$ echo 'lastbit: no'; exit 65\nlastbit: no\n```\n")

    def test_lastbit_is_the_built_one(self):
        self.walk(f"```console\n$ lastbit --version\nlastbit {sys.argv[2]}\n```\n")

    def test_files_are_written_where_the_paragraph_says(self):
        page = "Beside `a.csv`, this\nis `b.toml`:\n\n```toml\nx = 1\n```\n\n```console\n$ cat b.toml\nx = 1\n```\n"
        self.assertEqual(self.walk(page), 1)
        with self.assertRaises(ValueError):
            self.walk("This is it:\n\n```toml\nx = 1\n```\n")

    def test_marked_blocks_are_left_alone(self):
        self.assertEqual(self.walk("<!-- not run: it takes a day -->\n```console\n$ false\n```\n"), 0)
        self.assertEqual(list(problems_of("docs/x.md", "<!-- not run: a sketch -->\n\n```sh\nfalse\n```\n")), [])

    def test_blocks_that_nobody_reads_are_named(self):
        (problem,) = problems_of("docs/x.md", "text\n\n```sh\nfalse\n```\n")
        self.assertIn("docs/x.md:3: ", problem)
        self.assertEqual(len(list(problems_of("docs/x.md", "<!-- not run: -->\n```\nfalse\n```\n"))), 1)

    def test_long_commands_go_on(self):
        self.assertEqual(commands_of("$ a \\\n> b\nc\n> d\n$ e\n"), [["a \\\nb", ["c", "> d"]], ["e", []]])

    def test_dots_stand_for_text_and_lines(self):
        self.assertEqual(pattern_of(["a…", "…"]), r"\Aa.*\n(?:.*\n)*\Z")

    def test_numbers_that_change_are_numbers(self):
        pattern = pattern_of(["  north  ≈1,234.5   ± 15"])
        for line in ("  north    -7  ± 15", "  north    7 ?? ± 15", "  north  0 to 7  ± 15"):
            self.assertRegex(line + "\n", pattern)
        for line in ("  north  x  ± 15", "  north    ± 15", "  north  7  ± 16", "  south  7  ± 15"):
            self.assertNotRegex(line + "\n", pattern)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
