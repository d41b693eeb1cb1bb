"""Feeds tools/check_includes.py a small good tree and its build, then the same with one mistake each time."""

import json
import os
import unittest

from tool_case import ToolCase

COMPILER = os.environ.get("CXX", "g++")
FIRST = '#include "lastbit/a/shape.h"\nint area(const Shape& shape) { return shape.sides; }\n'
SECOND = '#include "lastbit/a/shape.h"\nint twice(const Shape& shape) { return 2 * shape.sides; }\n'


class CheckIncludesTest(ToolCase):
    def setUp(self):
        super().setUp()
        self.tree = self.tree.resolve()
        self.build = self.tree / "build"
        self.write("lastbit/a/shape.h", "#pragma once\n#include <string>\nstruct Shape { int sides = 3; };\n")
        self.write("lastbit/a/first.cc", FIRST)
        self.write("lastbit/a/second.cc", SECOND)
        self.compile_together("lastbit_a", "lastbit/a/first.cc", "lastbit/a/second.cc")

    def compile_together(self, target, *sources):
        """Makes a build that compiles these files as one."""
        lines = [f'/* NOLINTNEXTLINE */\n#include "{self.tree / source}"\n' for source in sources]
        unity = self.write(f"build/CMakeFiles/{target}.dir/Unity/unity_0_cxx.cxx", "".join(lines))
        command = f"{COMPILER} -std=c++20 -I{self.tree} -o {unity}.o -c {unity}"
        entry = {"directory": str(self.build), "command": command, "file": str(unity)}
        self.write("build/compile_commands.json", json.dumps([entry]))

    def silence(self):
        self.expect_silence("check_includes.py", self.build, self.tree)

    def complaint(self, pattern):
        self.expect_complaint("check_includes.py", pattern, self.build, self.tree)

    def test_good_tree_passes(self):
        self.silence()

    def test_file_that_needs_the_include_of_one_before_it_is_refused(self):
        self.write("lastbit/a/second.cc", SECOND.split("\n", 1)[1])
        self.complaint(r"^lastbit/a/second\.cc: does not compile by itself; lastbit/a/second\.cc:1: .*Shape")

    def test_tests_are_not_compiled(self):
        self.write("lastbit/a/second_test.cc", SECOND.split("\n", 1)[1])
        self.compile_together("a_test", "lastbit/a/first.cc", "lastbit/a/second.cc", "lastbit/a/second_test.cc")
        self.silence()

    def test_missing_standard_header_is_refused_with_file_and_line(self):
        for use, header in (
            ("std::vector<int> v;", "<vector>"),
            ("int x = std::ranges::max(1, 2);", "<algorithm>"),
            ("std::int64_t x;", "<cstdint>"),
            ("std::filesystem::path x;", "<filesystem>"),
            ("auto x = fmt::format(1);", "<fmt/core.h> or"),
            ("mpz_class x;", "<gmpxx.h>"),
            ("auto x = errno;", "<cerrno>"),
        ):
            with self.subTest(use):
                self.write("lastbit/a/other.h", f"#pragma once\n{use}\n")
                self.complaint(rf"^lastbit/a/other\.h:2: uses `\w+` and does not include {header}")

    def test_tests_must_include_standard_headers_too(self):
        self.write("tests/a/b_test.cc", "std::set<int> s;\n")
        self.complaint(r"^tests/a/b_test\.cc:1: uses `set`")

    def test_headers_of_ours_may_include_them(self):
        self.write("lastbit/a/other.h", '#include "lastbit/a/shape.h"\nstd::string name;\n')
        self.silence()

    def test_comments_and_strings_use_nothing(self):
        self.write(
            "lastbit/a/other.h",
            "// std::map\n/* std::map\n std::map */\nint x = 1'000; // '\n"
            'const char* s = "std::map \\" std::map";\nconst char* t = R"(std::map " std::map)";\n',
        )
        self.silence()

    def test_lines_are_counted_through_comments_and_strings(self):
        self.write("lastbit/a/other.h", '/*\n*/\nconst char* t = R"(\n\n)";\nstd::map<int, int> m;\n')
        self.complaint(r"^lastbit/a/other\.h:6: uses `map`")

    def test_name_that_the_table_lacks_is_refused(self):
        self.write("lastbit/a/other.h", "#include <any>\nstd::any x;\n")
        self.complaint(r"^lastbit/a/other\.h:2: `any` is not in the table of tools/check_includes\.py; add it")

    def test_using_that_nothing_needs_is_refused(self):
        self.write("lastbit/a/first.cc", FIRST + "using std::string;\nstd::string name; // string\n")
        self.complaint(r"^lastbit/a/first\.cc:3: does not use `string`, for which it has a using")

    def test_using_that_is_needed_passes(self):
        self.write("lastbit/a/first.cc", FIRST + "using std::string;\nstring name;\n")
        self.silence()

    def test_build_that_compiles_nothing_together_is_refused(self):
        self.write("build/compile_commands.json", "[]")
        self.complaint("compiles no files of ours together")


if __name__ == "__main__":
    unittest.main()
