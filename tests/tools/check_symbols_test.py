"""Builds tiny static libraries and expects tools/check_symbols.py to tell the clean ones apart."""

import os
import subprocess
import unittest

from tool_case import ToolCase

COMPILER = os.environ.get("CXX", "g++")
CLEAN = "namespace lastbit { long pow(long a) { return a * a; } double log(double x) { return x; } }"


class CheckSymbolsTest(ToolCase):
    def build(self, source):
        file = self.write("a.cc", source)
        subprocess.run([COMPILER, "-std=c++20", "-O1", "-c", file, "-o", self.tree / "a.o"], check=True)
        library = self.tree / "build" / "liblastbit_random.a"
        library.parent.mkdir(exist_ok=True)
        library.unlink(missing_ok=True)
        subprocess.run(["ar", "rcs", library, self.tree / "a.o"], check=True)

    def test_functions_of_ours_with_such_names_pass(self):
        self.build(CLEAN)
        self.expect_silence("check_symbols.py", self.tree / "build")

    def test_mathematics_of_the_c_library_is_refused(self):
        for name in ("log", "exp", "sin", "log1p"):
            with self.subTest(name):
                self.build(f"#include <cmath>\ndouble f(double x) {{ return std::{name}(x); }}")
                self.expect_complaint("check_symbols.py", f"refers to `{name}`", self.tree / "build")

    def test_c_generator_is_refused(self):
        self.build("#include <cstdlib>\nint f() { return std::rand(); }")
        self.expect_complaint("check_symbols.py", "refers to `rand`", self.tree / "build")

    def test_standard_generators_are_refused(self):
        self.build(
            "#include <random>\ndouble f(std::mt19937& g) { return std::normal_distribution<double>()(g); }"
        )
        run = self.run_tool("check_symbols.py", self.tree / "build")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertRegex(run.stdout, "mersenne_twister|normal_distribution")

    def test_build_without_libraries_is_refused(self):
        (self.tree / "build").mkdir()
        self.expect_complaint("check_symbols.py", "build first", self.tree / "build")


if __name__ == "__main__":
    unittest.main()
