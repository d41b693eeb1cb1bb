"""Feeds tools/check_docs.py a small good tree, then the same tree with one mistake each time."""

import unittest

from tool_case import ToolCase

HEADER = """// make_clamp
// Requires  nothing.
// Ensures   the map is the identity; proofs/core.md#clamp-is-stable
// Proof     proofs/core.md#second
template <typename T>
Transformation<T>
make_clamp(Domain<T> domain);
Transformation<int> make_clamp(Domain<int> domain);
"""


class CheckDocsTest(ToolCase):
    def setUp(self):
        super().setUp()
        self.write("lastbit/core/clamp.h", HEADER)
        self.write("lastbit/core/README.md", "# core\n\nSee [the proof](../../proofs/core.md#clamp-is-stable).\n")
        self.write("proofs/core.md", '# Core\n\n## Clamp is stable!\n\n<a id="second"></a>\n')

    def complaint(self, pattern):
        self.expect_complaint("check_docs.py", pattern)

    def test_good_tree_passes(self):
        self.expect_silence("check_docs.py")

    def test_missing_readme_is_refused(self):
        self.write("lastbit/base/error.h", "\n")
        self.complaint(r"^lastbit/base: holds code but no README\.md")

    def test_long_readme_is_refused(self):
        self.write("lastbit/core/README.md", "line\n" * 25)
        self.expect_silence("check_docs.py")
        self.write("lastbit/core/README.md", "line\n" * 26)
        self.complaint("has 26 lines")

    def test_dead_link_is_refused(self):
        self.write("NOTES.md", "first\n[here](docs/none.md)\n")
        self.complaint(r"^NOTES\.md:2: the link to docs/none\.md leads nowhere")

    def test_dead_image_is_refused(self):
        self.write("NOTES.md", "![plot](docs/none.svg)\n")
        self.complaint("docs/none.svg leads nowhere")

    def test_link_to_a_missing_anchor_is_refused(self):
        self.write("NOTES.md", "[here](proofs/core.md#no-such)\n")
        # The same mistake is also a wrong name of a proof.
        run = self.run_tool("check_docs.py")
        self.assertEqual(run.returncode, 1)
        self.assertIn("NOTES.md:1: proofs/core.md#no-such has no such anchor", run.stdout)

    def test_web_links_and_code_are_left_alone(self):
        self.write("NOTES.md", "[web](https://example.org/x) `[a](b)`\n\n```\n[c](d)\n```\n")
        self.expect_silence("check_docs.py")

    def test_names_in_links_to_code_must_stand_there(self):
        self.write("lastbit/core/clamp_test.cc", "TEST(ClampTest, Cuts) {}\n")
        good = "[`make_clamp`](lastbit/core/clamp.h), [`ClampTest.Cuts`](lastbit/core/clamp_test.cc)"
        self.write("NOTES.md", f"{good}, [`clamp.h`](lastbit/core/clamp.h), [`a b`](lastbit/core/clamp.h)\n")
        self.expect_silence("check_docs.py")
        self.write("NOTES.md", f"{good}\n[`ClampTest.Cut`](lastbit/core/clamp_test.cc)\n")
        self.complaint(r"^NOTES\.md:2: lastbit/core/clamp_test\.cc does not mention ClampTest\.Cut$")
        self.write("NOTES.md", "[`Domain::clamped`](lastbit/core/clamp.h)\n")
        self.complaint(r"^NOTES\.md:1: lastbit/core/clamp\.h does not mention Domain::clamped$")

    def test_source_must_be_in_the_bibliography(self):
        self.write("docs/bibliography.md", "- **[Mironov2012]** Ilya Mironov.\n- **[Warner1965]** S. Warner.\n")
        self.write("lastbit/core/a.h", "// Source    [Mironov2012], section 5; [Warner1965]\n// Source: a type.\n")
        self.expect_silence("check_docs.py")
        self.write("lastbit/core/a.h", "\n  // Source    [Warner1965]; [Mironov2021]\n")
        self.complaint(r"^lastbit/core/a\.h:2: docs/bibliography\.md has no \[Mironov2021\]$")
        self.write("lastbit/core/a.h", "// Source    somebody, once\n")
        self.complaint(r"^lastbit/core/a\.h:1: a Source names a \[Key\]")

    def test_citation_in_a_document_must_be_in_the_bibliography(self):
        self.write("docs/bibliography.md", "- **[Mironov2012]** Ilya Mironov.\n")
        self.write("NOTES.md", "first\n(after [Mironov2012]); `[Roth2011]`, [a link](NOTES.md), [2012]\n")
        self.expect_silence("check_docs.py")
        self.write("NOTES.md", "first\n(after [Mironov2021])\n")
        self.complaint(r"^NOTES\.md:2: docs/bibliography\.md has no \[Mironov2021\]$")

    def test_wrong_proof_anchor_in_code_is_refused(self):
        self.write("lastbit/core/a.cc", "// Proof: proofs/core.md#gone\n")
        self.complaint(r"^lastbit/core/a\.cc:1: proofs/core\.md has no anchor #gone")

    def test_missing_proof_file_is_refused(self):
        self.write("lastbit/core/a.cc", "\n// proofs/none.md#x\n")
        self.complaint(r"^lastbit/core/a\.cc:2: there is no proofs/none\.md")

    def test_each_slot_of_a_constructor_is_required(self):
        for slot in ("Requires", "Ensures", "Proof"):
            with self.subTest(slot):
                self.write("lastbit/core/clamp.h", "\n" + HEADER.replace(f"// {slot} ", "// "))
                run = self.run_tool("check_docs.py")
                self.assertEqual(run.returncode, 1)
                self.assertIn(f"the comment of make_clamp lacks {slot}", run.stdout)

    def test_constructor_after_a_blank_line_needs_its_own_comment(self):
        self.write("lastbit/core/clamp.h", HEADER + "\nauto make_cast(int x);\n")
        self.complaint(r"clamp\.h:10: the comment of make_cast lacks Requires, Ensures, Proof")

    def test_calls_members_and_internal_helpers_are_not_constructors(self):
        self.write(
            "lastbit/core/clamp.h",
            HEADER + "\nstruct A {\n  void make_room();\n};\n\nnamespace internal {\nint make_x();\n}  // namespace internal\n",
        )
        self.expect_silence("check_docs.py")


if __name__ == "__main__":
    unittest.main()
