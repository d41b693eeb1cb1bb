#!/usr/bin/env python3
"""Walks through docs/postgresql.md (kinds: sql, toml, console) with a server of its own, as the service `office`."""

import os
import pathlib
import sys
import tempfile
import unittest

from source_case import TOOL, Server

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "docs"))
from walk import blocks_of, walk  # noqa: E402


class PageTest(unittest.TestCase):
    def test_the_page(self):
        page = (ROOT / "docs" / "postgresql.md").read_text(encoding="utf-8")
        with Server() as server, tempfile.TemporaryDirectory() as folder:
            server.sql("CREATE DATABASE office")
            for block in blocks_of(page):
                if block.kind == "sql" and block.runs:
                    server.sql(block.text, database="office")
            services = pathlib.Path(folder) / "services"
            services.write_text(
                f"[office]\nhost={server.folder}\nport={server.port}\ndbname=office\nuser=publisher\n", encoding="utf-8"
            )
            os.environ["PGSERVICEFILE"] = str(services)
            self.assertEqual(walk(self, page, TOOL, folder), 3)


if __name__ == "__main__":
    del sys.argv[1:]
    unittest.main()
