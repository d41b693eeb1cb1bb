"""What the tests of the tools share: a scratch tree, and a tool run on it."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class ToolCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def run_tool(self, name, *arguments):
        command = [sys.executable, str(ROOT / "tools" / name), *map(str, arguments or [self.tree])]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def expect_silence(self, name, *arguments):
        run = self.run_tool(name, *arguments)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))

    def expect_complaint(self, name, pattern, *arguments):
        run = self.run_tool(name, *arguments)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertRegex(run.stdout, pattern)
        self.assertEqual(len(run.stdout.splitlines()), 1, run.stdout)
