"""Asks ./run the things that need no build: its help, and what it says to a wrong word."""

import subprocess
import unittest

from tool_case import ROOT

COMMANDS = ("demo", "test", "build", "lastbit", "bench", "coverage", "format", "docs", "clean")


def run(*words):
    return subprocess.run([ROOT / "run", *words], capture_output=True, text=True, check=False)


class RunTest(unittest.TestCase):
    def test_without_arguments_it_lists_every_command(self):
        answer = run()
        self.assertEqual(answer.returncode, 0)
        for command in COMMANDS:
            self.assertRegex(answer.stdout, rf"(?m)^  {command}\b")

    def test_unknown_command_is_a_usage_error_with_the_nearest_name(self):
        for word, meant in (("tset", "test"), ("biuld", "build"), ("cov", "coverage"), ("fromat", "format")):
            with self.subTest(word):
                answer = run(word)
                self.assertEqual((answer.returncode, answer.stdout), (64, ""))
                self.assertIn(f"did you mean `{meant}`?", answer.stderr)

    def test_hopeless_word_gets_no_guess(self):
        answer = run("xyzzyplugh")
        self.assertEqual(answer.returncode, 64)
        self.assertNotIn("did you mean", answer.stderr)

    def test_arguments_to_a_command_without_any_are_refused(self):
        self.assertEqual(run("clean", "everything").returncode, 64)


if __name__ == "__main__":
    unittest.main()
