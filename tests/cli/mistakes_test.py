"""Typical mistakes and their messages, word for word: mistakes_test.py, arguments as release_test.py."""

import os
import pathlib
import re
import sys
import unittest

import mistakes
from cli_test import READS_FILES, CliCase, lastbit
from release_case import BINARY

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "mistakes.md"


@unittest.skipUnless(READS_FILES, "this build has no engine")
class MistakesTest(CliCase):
    def setUp(self):
        super().setUp()
        self.assertTrue(os.path.isabs(BINARY))
        self.folder = self.folder.resolve()
        self.ledger = self.folder / "survey.ledger"
        for name, text in mistakes.FILES.items():
            (self.folder / name).write_bytes(text)
        run = self.run_tool("ledger", "init", "survey.ledger", "--epsilon", "2")
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def run_tool(self, *words):
        return lastbit(*words, cwd=self.folder)

    def state(self):
        """The ledger to the byte, and the names of all files."""
        return self.ledger.read_bytes(), sorted(os.listdir(self.folder))

    def test_every_mistake_gets_its_message_and_costs_nothing(self):
        for section, rows in mistakes.MISTAKES.items():
            for row in rows:
                with self.subTest(section=section, mistake=row.what):
                    (self.folder / "survey.toml").write_bytes(row.text)
                    before = self.state()
                    run = self.run_tool(*row.command)
                    message = run.stderr.replace(f"{self.folder}/", "")
                    self.assertEqual((run.returncode, run.stdout), (row.code, ""), run.stderr)
                    self.assertEqual(message, f"lastbit: {row.message}; {row.remedy}\n")
                    self.assertEqual(self.state(), before)
                    for value in mistakes.PRIVATE:
                        self.assertNotRegex(message, rf"(?<!\w){re.escape(value)}(?!\w)")

    def test_the_same_without_a_mistake_is_released(self):
        """So a row fails where its mistake is accepted."""
        before = self.state()
        run = self.run_tool(*mistakes.RELEASE)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertNotEqual(self.state(), before)
        run = self.run_tool("query", "survey.toml", "SELECT count(*) FROM data;;", "--epsilon", "0.1")
        self.assertEqual((run.returncode, run.stderr), (0, ""))


class TableTest(unittest.TestCase):
    def test_table(self):
        rows = [row for section in mistakes.MISTAKES.values() for row in section]
        self.assertGreaterEqual(len(rows), 60)
        self.assertEqual(len({(row.command, row.text) for row in rows}), len(rows))
        for value in mistakes.PRIVATE:
            self.assertRegex(mistakes.ROWS, rf"(?<!\w){re.escape(value)}(?!\w)")

    def test_page_shows_the_table(self):
        self.assertEqual(PAGE.read_text(encoding="utf-8"), mistakes.page(),
                         "write it with: python3 tests/cli/mistakes.py > docs/mistakes.md")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
