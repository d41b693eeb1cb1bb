"""Feeds tools/count_kernel.py small trees whose lines can be counted by hand."""

import unittest

from tool_case import ToolCase

CODE = """// A comment.
#include <string>

/* Another,
   of two lines. */
int f() {  // not counted twice
  return g("// not a comment, \\" /* nor this */");
}
"""


class CountKernelTest(ToolCase):
    def setUp(self):
        super().setUp()
        self.write("lastbit/verify/kernel/check.cc", CODE)
        self.write("lastbit/verify/kernel/check_test.cc", CODE * 1000)
        self.write("lastbit/verify/kernel/test_support.h", CODE * 1000)
        self.write("lastbit/verify/kernel/README.md", CODE * 1000)
        self.write("lastbit/verify/logic/calculus.cc", CODE)
        self.write("lastbit/verify/logic/rules.cc", CODE * 1000)
        self.write("lastbit/verify/logic/program.h", CODE * 1000)
        self.write("lastbit/verify/certificate/fields.h", CODE * 1000)
        for name in ("loss_certificate.cc", "witness.h", "bound.cc"):
            self.write(f"lastbit/verify/floats/{name}", CODE)
        for name in ("loss_certificate_test.cc", "worst_pair.cc", "bounds.cc", "bound_coq.cc"):
            self.write(f"lastbit/verify/floats/{name}", CODE * 1000)
        self.write("lastbit/mechanisms/snapping_function.cc", CODE)
        self.write("lastbit/mechanisms/snapping.cc", CODE * 1000)
        self.write("lastbit/verify/kernel/example.cc", CODE * 1000)
        self.write("lastbit/numerics/rational.h", CODE * 1000)
        self.write("lastbit/base/work_limit.h", CODE * 1000)
        self.write("lastbit/verify/lang/printer.cc", CODE * 1000)
        self.write("lastbit/verify/lang/expectation.cc", CODE * 1000)
        self.write("lastbit/verify/report/theorem.cc", CODE * 1000)

    def run_on(self, lines):
        self.write("lastbit/verify/logic/draw.cc", "int x;\n" * lines)
        return self.run_tool("count_kernel.py")

    def test_counts_neither_blanks_nor_comments_nor_tests(self):
        run = self.run_on(0)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("     4 the kernel", run.stdout)
        self.assertIn("     4 the calculus", run.stdout)
        self.assertIn("  4000 the syntax of programs", run.stdout)
        self.assertIn("  4000 reading certificates", run.stdout)
        self.assertIn("    12 checking losses", run.stdout)
        self.assertIn("     4 the mechanism that is run", run.stdout)
        self.assertIn("  4000 whether a claim says anything", run.stdout)
        self.assertIn("  4000 exact numbers", run.stdout)
        self.assertIn("  4000 showing the program", run.stdout)
        self.assertIn("     8 kernel and calculus, at most 2000", run.stdout)

    def test_fails_above_the_limit(self):
        self.assertEqual(self.run_on(1992).returncode, 0)
        run = self.run_on(1993)
        self.assertEqual(run.returncode, 1)
        self.assertIn("2001 kernel and calculus, at most 2000", run.stdout)

    def test_fails_where_there_is_nothing_to_count(self):
        (self.tree / "lastbit/verify/kernel/check.cc").unlink()
        run = self.run_on(0)
        self.assertEqual(run.returncode, 1)
        self.assertIn("there is no code to count", run.stdout)


if __name__ == "__main__":
    unittest.main()
