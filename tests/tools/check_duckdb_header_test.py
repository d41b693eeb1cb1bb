"""Breaks our header of DuckDB in several ways; check_duckdb_header.py must see each."""

import shutil
import unittest

from tool_case import ROOT, ToolCase

TOOL = "check_duckdb_header.py"
DUCKDB = ROOT / "third_party/duckdb"


class CheckDuckdbHeaderTest(ToolCase):
    def setUp(self):
        super().setUp()
        for name in ("package.json", "include/duckdb.h"):
            self.write(name, (DUCKDB / name).read_text())
        (self.tree / "node_modules").symlink_to((DUCKDB / "node_modules").resolve())

    def change(self, name, before, after):
        text = (self.tree / name).read_text()
        self.assertEqual(text.count(before), 1)
        self.write(name, text.replace(before, after))

    def test_ours_is_right(self):
        self.expect_silence(TOOL)

    def test_another_parameter_is_seen(self):
        self.change("include/duckdb.h", "duckdb_create_int64(int64_t val)", "duckdb_create_int64(int32_t val)")
        self.expect_complaint(TOOL, "duckdb_create_int64 is not declared as")

    def test_another_result_is_seen(self):
        self.change("include/duckdb.h", "uint8_t duckdb_decimal_width(", "uint16_t duckdb_decimal_width(")
        self.expect_complaint(TOOL, "duckdb_decimal_width is not declared as")

    def test_a_function_that_does_not_exist_is_seen(self):
        self.change("include/duckdb.h", "void duckdb_free(void* ptr);", "void duckdb_release(void* ptr);")
        self.expect_complaint(TOOL, "duckdb_release is not declared as")

    def test_another_number_is_seen(self):
        self.change("include/duckdb.h", "DUCKDB_TYPE_BLOB = 18", "DUCKDB_TYPE_BLOB = 81")
        self.expect_complaint(TOOL, "the numbers of DUCKDB_TYPE_")

    def test_packages_of_two_versions_are_seen(self):
        self.change("package.json", '"@duckdb/node-bindings": "1', '"@duckdb/node-bindings": "0')
        self.expect_complaint(TOOL, "different versions")


if __name__ == "__main__":
    unittest.main()
