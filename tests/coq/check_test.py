#!/usr/bin/env python3
"""The checker of the Coq proofs must notice what is not a proof. Skipped (77) without Coq."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

import check

PROOF = "Theorem fact : 1 + 1 = 2.\nProof. reflexivity. Qed.\n"


class CheckTest(unittest.TestCase):
    def found(self, readme="| `fact` | `File.v` |\n", **files):
        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()):
            folder = pathlib.Path(name)
            (folder / "README.md").write_text(readme, encoding="utf-8")
            for file, text in files.items():
                (folder / f"{file}.v").write_text(text, encoding="utf-8")
            return list(check.problems(folder))

    def expect(self, pattern, **arguments):
        self.assertRegex("\n".join(self.found(**arguments)), pattern)

    def test_proofs_pass_in_the_order_of_their_requirements(self):
        use = "From Lastbit Require Import File.\nTheorem again : 1 + 1 = 2.\nProof. exact fact. Qed.\n"
        self.assertEqual(self.found(File=PROOF, Again=use), [])

    def test_admitted_statements_are_noticed(self):
        admitted = "Theorem fact : 1 + 1 = 3.\nProof. Admitted.\n"
        self.expect("contains `Admitted`", File=admitted)
        self.expect("File.fact assumes .*fact", File=admitted)

    def test_assumptions_that_no_word_gives_away_are_noticed(self):
        self.expect(
            "fact assumes .*wish",
            File="Variable wish : 1 + 1 = 3.\nTheorem fact : 1 + 1 = 3.\nProof. exact wish. Qed.\n",
        )

    def test_assumptions_of_required_files_are_noticed(self):
        self.expect(
            "fact assumes .*wish",
            Wish="Variable wish : 1 + 1 = 3.\n",
            File="From Lastbit Require Import Wish.\nTheorem fact : 1 + 1 = 3.\nProof. exact Wish.wish. Qed.\n",
        )

    def test_wrong_proofs_are_noticed(self):
        self.expect("Unable to unify|Error", File="Theorem fact : 1 + 1 = 3.\nProof. reflexivity. Qed.\n")

    def test_theorems_that_do_not_exist_are_noticed(self):
        self.expect("lists other, which is no theorem of File.v", File=PROOF, readme="| `other` | `File.v` |\n")
        self.expect("lists no theorem", File=PROOF, readme="Proofs.\n")


if __name__ == "__main__":
    if packages := check.missing():
        print(f"skipped: not installed (Debian packages {', '.join(packages)})")
        sys.exit(check.SKIPPED)
    unittest.main()
