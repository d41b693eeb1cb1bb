"""Feeds tools/check_layers.py a small good tree, then the same tree with one mistake each time."""

import unittest

from tool_case import ToolCase

BLOCK = """# Modules

```layers
base
numerics -> base
random -> numerics
core -> random
checks -> core
checks [tests] -> shapes
shapes -> core
engines/duckdb -> base
benchmarks -> core
```
"""


class CheckLayersTest(ToolCase):
    def setUp(self):
        super().setUp()
        self.write("ARCHITECTURE.md", BLOCK)
        self.write("lastbit/base/error.h", "#include <string>\n")
        self.write("lastbit/numerics/rational.h", '#include <gmpxx.h>\n#include "lastbit/base/error.h"\n')
        self.write(
            "lastbit/random/bits.cc", '#include <openssl/evp.h>\n#include "lastbit/numerics/rational.h"\n'
        )
        self.write("lastbit/core/domain.h", '#include "lastbit/base/error.h"\n')
        self.write("lastbit/checks/b.cc", '#include "lastbit/core/domain.h"\n')
        self.write("lastbit/checks/b_test.cc", '#include "lastbit/shapes/b.h"\n')
        self.write("lastbit/shapes/b.h", '#include "lastbit/core/domain.h"\n')
        self.write("lastbit/engines/duckdb/database.cc", '#include <duckdb.h>\n#include "lastbit/base/error.h"\n')
        self.write("benchmarks/naive.cc", "#include <random>\n#include <openssl/evp.h>\n")
        self.write("benchmarks/ours.cc", '#include "lastbit/base/error.h"\n')
        self.write("CMakeLists.txt", "# -ffast-math would be wrong here\n")

    def complaint(self, pattern):
        self.expect_complaint("check_layers.py", pattern)

    def test_good_tree_passes(self):
        self.expect_silence("check_layers.py")

    def test_edge_upwards_is_refused_with_file_and_line(self):
        self.write("lastbit/base/error.h", '#include <string>\n#include "lastbit/core/domain.h"\n')
        self.complaint(r"^lastbit/base/error\.h:2: the module `base` may not include `core`")

    def test_edge_sideways_is_refused(self):
        self.write("lastbit/engines/duckdb/x.cc", '#include "lastbit/core/domain.h"\n')
        self.complaint(r"`engines/duckdb` may not include `core`")

    def test_edge_to_a_module_further_down_is_allowed(self):
        self.write("lastbit/shapes/a.cc", '#include "lastbit/numerics/rational.h"\n')
        self.expect_silence("check_layers.py")

    def test_tests_edge_is_for_tests_only(self):
        self.write("lastbit/checks/a_test.cc", '#include "lastbit/shapes/a.h"\n')
        self.expect_silence("check_layers.py")
        self.write("lastbit/checks/a.cc", '#include "lastbit/shapes/a.h"\n')
        self.complaint(r"^lastbit/checks/a\.cc:1: ")

    def test_edge_that_nothing_needs_is_refused(self):
        self.write("lastbit/shapes/b.h", "#include <string>\n")
        self.complaint(r"^ARCHITECTURE\.md: no file needs the edge `shapes -> core`; remove it$")

    def test_edge_that_only_leads_further_is_needed(self):
        # Nothing of benchmarks includes core, but without the edge to it base is out of reach.
        self.expect_silence("check_layers.py")
        self.write("ARCHITECTURE.md", BLOCK.replace("benchmarks -> core", "benchmarks -> core, base"))
        self.complaint(r"no file needs the edge `benchmarks -> core`")

    def test_edge_that_another_one_implies_is_needed_only_if_its_module_is_included(self):
        self.write("ARCHITECTURE.md", BLOCK.replace("shapes -> core", "shapes -> core, random"))
        self.complaint(r"no file needs the edge `shapes -> random`")
        self.write("lastbit/shapes/c.cc", '#include "lastbit/random/bits.h"\n')
        self.expect_silence("check_layers.py")

    def test_edge_of_tests_that_no_test_needs_is_refused(self):
        self.write("lastbit/checks/b_test.cc", '#include "lastbit/core/domain.h"\n')
        self.complaint(r"no file needs the edge `checks \[tests\] -> shapes`")

    def test_edge_of_tests_that_the_module_has_anyway_is_refused(self):
        self.write(
            "ARCHITECTURE.md",
            BLOCK.replace("checks [tests] -> shapes", "checks [tests] -> shapes, random"),
        )
        self.write("lastbit/checks/c_test.cc", '#include "lastbit/random/bits.h"\n')
        self.complaint(r"no file needs the edge `checks \[tests\] -> random`")

    def test_relative_include_is_refused(self):
        self.write("lastbit/core/a.cc", '#include "domain.h"\n')
        self.complaint("path from the root")

    def test_source_file_is_not_included(self):
        self.write("lastbit/shapes/a.cc", '#include "lastbit/core/domain.cc"\n')
        self.complaint(r'"lastbit/core/domain\.cc" is not a header')

    def test_unlisted_module_is_refused(self):
        self.write("lastbit/cellar/a.cc", "\n")
        self.complaint(r"^lastbit/cellar/a\.cc: lies in no module")

    def test_cycle_in_the_block_is_refused(self):
        self.write("ARCHITECTURE.md", BLOCK.replace("base\nnumerics", "base -> base\nnumerics"))
        self.complaint("`base` stands on itself")

    def test_missing_block_is_refused(self):
        self.write("ARCHITECTURE.md", "# Modules\n")
        run = self.run_tool("check_layers.py")
        self.assertEqual(run.returncode, 1)
        self.assertIn("no block fenced", run.stdout)

    def test_outside_libraries_stay_in_their_modules(self):
        for header in ("gmp.h", "gmpxx.h", "mpfr.h", "arb.h", "flint/arb.h", "openssl/rand.h", "duckdb.h", "sqlite3.h"):
            with self.subTest(header):
                self.write("lastbit/core/a.cc", f"#include <{header}>\n")
                self.complaint(rf"^lastbit/core/a\.cc:1: only .* may include <{header}>")

    def test_database_header_stays_out_of_headers(self):
        self.write("lastbit/engines/duckdb/database.h", "#include <duckdb.h>\n")
        self.complaint(r"by \.cc files only")

    def test_standard_random_is_refused(self):
        self.write("lastbit/random/a_test.cc", "#include <random>\n")
        self.complaint("not exact and not secure")

    def test_fast_math_is_refused_in_build_files_and_pragmas(self):
        self.write("cmake/Flags.cmake", "add_compile_options(-ffast-math)\n")
        self.complaint(r"^cmake/Flags\.cmake:1: fast-math")
        self.write("cmake/Flags.cmake", "")
        self.write("lastbit/core/a.cc", '#pragma GCC optimize("fast-math")\n')
        self.complaint(r"^lastbit/core/a\.cc:1: fast-math")


if __name__ == "__main__":
    unittest.main()
