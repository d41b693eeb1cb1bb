"""Asks tools/repair_wheel.py what it would write about the libraries in a wheel."""

import doctest
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

from tool_case import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import repair_wheel  # noqa: E402


class RepairWheelTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(mock.patch.object(repair_wheel, "DOCUMENTS", self.folder))
        self.enterContext(mock.patch.object(repair_wheel, "COMMON", self.folder / "common-licenses"))

    def write(self, name, text):
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text, "utf-8")

    def owned_by(self, *packages):
        """Lets dpkg-query say that these own whatever it is asked for."""
        said = "".join(f"{package}:amd64: /usr/lib/libx.so.1\n" for package in packages)
        return mock.patch.object(repair_wheel, "run", lambda *words: said if "--search" in words else "x=1.2-3\n")

    def test_its_examples_hold(self):
        self.assertEqual(doctest.testmod(repair_wheel).failed, 0)
        self.assertGreater(doctest.testmod(repair_wheel).attempted, 0)

    def test_the_licence_is_that_of_most_files(self):
        several = ("Files: debian/*\nLicense: GPL-3\n\nFiles: *\nCopyright: A\n           B\nLicense: MIT\n\n"
                   "Files: x\nLicense: BSD\n")
        self.assertEqual(repair_wheel.licence_of(several), "MIT")
        self.assertEqual(repair_wheel.licence_of("Files: *\nCopyright: A\n\nLicense: GPL\n"), "see below")
        self.assertEqual(repair_wheel.licence_of("This is free software."), "see below")

    def test_a_library_without_a_licence_is_refused(self):
        with self.owned_by("libx1"), self.assertRaisesRegex(SystemExit, "libx.so.1: found no copyright file"):
            repair_wheel.debian_package("libx.so.1")

    def test_the_owner_with_a_licence_is_named(self):
        self.write("libx1/copyright", "free")
        with self.owned_by("diverted", "libx1"):
            self.assertEqual(repair_wheel.debian_package("libx.so.1")[:2], ("libx1", "x=1.2-3"))

    def test_every_part_is_listed_and_every_text_stands_there_once(self):
        self.write("common-licenses/LGPL-2.1", "the long text")
        text = f"The licence is in `{self.folder}/common-licenses/LGPL-2.1'.\n"
        written = repair_wheel.notices([("libx.so.1", "x 1", "LGPL-2.1", text), ("liby.so.1", "x 1", "LGPL-2.1", text)])
        for library in ("libx.so.1", "liby.so.1"):
            self.assertIn(f"  {library}\n    x 1; LGPL-2.1", written)
        self.assertEqual(written.count(text), 1)
        self.assertEqual(written.count("the long text"), 1)


if __name__ == "__main__":
    unittest.main()
