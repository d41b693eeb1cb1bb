#!/usr/bin/env python3
"""Tests of check_documents.py: it must find what it is there for."""

import pathlib
import tempfile
import unittest

import check_documents

SOURCE = "int main() {\n  first();\n\n  second();\n}\n"


class CheckDocumentsTest(unittest.TestCase):
    def problems(self, document):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "examples" / "01_one").mkdir(parents=True)
            (root / "examples" / "01_one" / "main.cc").write_text(SOURCE, encoding="utf-8")
            (root / "examples" / "01_one" / "output.txt").write_text("one\ntwo\n", encoding="utf-8")
            (root / "lastbit" / "core").mkdir(parents=True)
            (root / "lastbit" / "core" / "x_test.cc").write_text("TEST(XTest, Holds) {\n", encoding="utf-8")
            (root / "README.md").write_text("no code\n", encoding="utf-8")
            (root / "docs" / "tour.md").write_text(document, encoding="utf-8")
            return check_documents.check(root)

    def test_accepts_code_and_output_of_an_example_at_any_depth(self):
        self.assertEqual(self.problems("```cpp\nfirst();\n\nsecond();\n```\n"), [])
        self.assertEqual(self.problems("```cpp\n" + SOURCE + "```\n"), [])
        self.assertEqual(self.problems("```text\ntwo\n```\n"), [])

    def test_names_the_line_of_a_block_that_no_example_has(self):
        found = self.problems("text\n\n```cpp\nthird();\n```\n")
        self.assertEqual(found, ["docs/tour.md:3: no examples/*/main.cc has this block"])
        self.assertEqual(len(self.problems("```text\ntwo\none\n```\n")), 1)

    def test_refuses_a_part_of_a_line_and_a_gap_between_lines(self):
        self.assertEqual(len(self.problems("```cpp\nfirst()\n```\n")), 1)
        self.assertEqual(len(self.problems("```cpp\nfirst();\nsecond();\n```\n")), 1)

    def test_leaves_other_fences_alone(self):
        self.assertEqual(self.problems("```sh\n./run anything\n```\n"), [])

    def test_looks_up_the_tests_that_are_named(self):
        self.assertEqual(self.problems("refuted by `XTest.Holds`\n"), [])
        self.assertEqual(self.problems("`XTest.Gone`\n"), ["docs/tour.md:1: there is no test XTest.Gone"])


if __name__ == "__main__":
    unittest.main()
