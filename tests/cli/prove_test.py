"""Runs lastbit prove, check and explain as their users do: prove_test.py, arguments as cli_test.py,
then the binary of lastbit-check."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

from cli_test import CliCase, lastbit

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECKER = sys.argv[4]
LAPLACE = str(ROOT / "corpus/correct/laplace.dp")
BROKEN = str(ROOT / "corpus/broken/laplace_half_noise.dp")
# Randomised response twice loses ln(5/3) only, because the first answer stays hidden; couplings, which
# follow single runs, see ln(3).
TWICE = """mechanism twice(b: bool)
  adjacent |b.1 - b.2| <= 1
  claims ln(2)
{
  keep <- bernoulli(3/4);
  a := b;
  if not keep {
    a := not b;
  }
  again <- bernoulli(3/4);
  if again {
    output a;
  } else {
    output not a;
  }
}
"""


class ProveCase(CliCase):
    def certificate(self, mechanism=LAPLACE):
        path = self.folder / "proof.cert"
        run = lastbit("prove", mechanism, "--certificate", str(path))
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        return path

    def expect_bad_input(self, *arguments, mentions):
        run = lastbit(*arguments)
        self.assertEqual((run.returncode, run.stdout), (65, ""), run.stderr)
        self.assertTrue(run.stderr.startswith("lastbit: "), run.stderr)
        self.assertIn(mentions, run.stderr)

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)


class VerdictTest(ProveCase):
    def test_proved_says_for_which_parameters_and_exits_with_0(self):
        run = lastbit("prove", LAPLACE)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertTrue(run.stdout.startswith(
            "proved: laplace is eps-DP for all eps > 0 and inputs with |f.1 - f.2| <= 1\n"), run.stdout)
        self.assertIn("least epsilon of this proof: eps\n", run.stdout)
        self.assertRegex(run.stdout, r"the kernel checked 3 steps and 2 side conditions in ")

    def test_refuted_shows_a_witness_and_exits_with_1(self):
        run = lastbit("prove", BROKEN)
        self.assertEqual((run.returncode, run.stderr), (1, ""))
        self.assertTrue(run.stdout.startswith("refuted: laplace_half_noise is not eps-DP\n"), run.stdout)
        for part in ("run 1", "run 2", "event", "P1", "P2"):
            self.assertIn(part, run.stdout)

    def test_nothing_is_written_without_a_proof(self):
        path = self.folder / "none.cert"
        self.assertEqual(lastbit("prove", BROKEN, "--certificate", str(path)).returncode, 1)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_json_has_the_same(self):
        proved = json.loads(lastbit("prove", LAPLACE, "--json").stdout)
        self.assertEqual((proved["verdict"], proved["least_epsilon"], proved["obligations"]),
                         ("proved", "eps", 2))
        refuted = json.loads(lastbit("prove", BROKEN, "--json").stdout)
        self.assertEqual(refuted["verdict"], "refuted")
        self.assertTrue(refuted["as_expected"])
        self.assertIn("event", refuted["witness"])

    def test_unknown_exits_with_2_and_says_why(self):
        run = lastbit("prove", self.write("twice.dp", TWICE), "--timeout", "2")
        self.assertEqual((run.returncode, run.stderr), (2, ""))
        self.assertRegex(run.stdout, r"\Aunknown: neither a proof nor a violation .*\n  no proof: ")
        self.assertEqual(json.loads(lastbit("prove", str(self.folder / "twice.dp"), "--json").stdout)["verdict"],
                         "unknown")


class ManyTest(ProveCase):
    def test_several_files_are_a_table_with_counts(self):
        run = lastbit("prove", LAPLACE, BROKEN)
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        self.assertRegex(run.stdout, r"laplace +proved +eps +eps ")
        self.assertRegex(run.stdout, r"laplace_half_noise +refuted ")
        self.assertRegex(run.stdout, r"1 proved, 1 refuted, 0 unknown in .*; 2 of 2 as expected")

    def test_what_is_not_expected_is_marked_and_exits_with_1(self):
        text = pathlib.Path(BROKEN).read_text(encoding="utf-8")
        self.write("lie.dp", text.replace("# EXPECT: refuted", "# EXPECT: proved eps"))
        run = lastbit("prove", str(self.folder))
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stdout, r"refuted .*EXPECTED proved eps\n")
        self.assertIn("0 of 1 as expected", run.stdout)

    def test_another_loss_than_expected_is_marked(self):
        text = pathlib.Path(LAPLACE).read_text(encoding="utf-8")
        self.write("other.dp", text.replace("# EXPECT: proved eps", "# EXPECT: proved eps / 2"))
        self.assertEqual(lastbit("prove", str(self.folder)).returncode, 1)

    def test_folders_are_walked_in_order(self):
        (self.folder / "b").mkdir()
        for place in ("b/x.dp", "a.dp"):
            self.write(place, pathlib.Path(LAPLACE).read_text(encoding="utf-8"))
        run = json.loads(lastbit("prove", str(self.folder), "--json").stdout)
        self.assertEqual([pathlib.Path(one["file"]).name for one in run["mechanisms"]], ["a.dp", "x.dp"])
        self.assertTrue(run["as_expected"])

    def test_outputs_are_for_one_mechanism(self):
        for option in ("--certificate", "--latex", "--html", "--smtlib"):
            self.expect_usage_error("prove", LAPLACE, BROKEN, option, str(self.folder / "out"),
                                    mentions="one mechanism")


class BadInputTest(ProveCase):
    def test_syntax_errors_show_the_place(self):
        path = self.write("bad.dp", "mechanism m(f: real, eps: real)\n  requires eps > 0\n"
                                    "  adjacent |f.1 - f.2| <= 1\n{\n  return g;\n}\n")
        run = lastbit("prove", path)
        self.assertEqual((run.returncode, run.stdout), (65, ""))
        self.assertIn(f"{path}:5:10: ", run.stderr)
        self.assertIn("  5 |   return g;\n    |          ^\n", run.stderr)

    def test_files_that_hold_no_mechanism(self):
        self.expect_bad_input("prove", self.write("empty.dp", ""), mentions="empty")
        self.expect_bad_input("prove", str(self.folder / "none.dp"), mentions="none.dp")
        self.expect_bad_input("prove", self.write("big.dp", b"#" * (10 << 20)), mentions="more than")
        self.expect_bad_input("prove", self.write("binary.dp", bytes(range(256))), mentions="binary.dp:1:")
        (self.folder / "folder").mkdir()
        self.expect_bad_input("prove", str(self.folder / "folder"), mentions="no .dp file")

    def test_files_that_hold_no_certificate(self):
        for command in ("check", "explain"):
            self.expect_bad_input(command, self.write("empty", ""), mentions="empty")
            self.expect_bad_input(command, str(self.folder / "none"), mentions="none")
            self.expect_bad_input(command, str(self.folder), mentions="directory")
            self.expect_bad_input(command, self.write("binary", bytes(range(256))), mentions="JSON")
            self.expect_bad_input(command, self.write("other", "{}"), mentions="certificate")
            self.expect_bad_input(command, self.write("deep", "[" * 100000), mentions="deep")

    def test_impossible_options(self):
        self.expect_usage_error("prove", mentions="FILE")
        for value in ("0", "-1", "x", "1e3", "86401"):
            self.expect_usage_error("prove", LAPLACE, f"--timeout={value}", mentions="--timeout")
        run = lastbit("prove", LAPLACE, "--certificate", str(self.folder / "no" / "where"))
        self.assertEqual(run.returncode, 74, run.stderr)


class CheckTest(ProveCase):
    def test_an_accepted_certificate_shows_its_theorem_and_program(self):
        path = str(self.certificate())
        alone = subprocess.run([CHECKER, path], capture_output=True, text=True, check=False)
        for run in (lastbit("check", path), alone):
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertTrue(run.stdout.startswith("accepted: 3 steps, 2 side conditions"), run.stdout)
            self.assertIn("theorem:  laplace is eps-DP for all eps > 0", run.stdout)
            self.assertIn("eta <- laplace(1 / eps);", run.stdout)

    def test_the_program_must_be_the_one_that_is_named(self):
        path = str(self.certificate())
        self.assertEqual(lastbit("check", path, "--program", LAPLACE).returncode, 0)
        self.expect_bad_input("check", path, "--program", BROKEN, mentions="not about the program")

    def test_a_certificate_that_proves_nothing_names_the_step(self):
        path = self.certificate()
        text = path.read_text(encoding="utf-8")
        claims_nothing = text.replace('"epsilon":{"name":"eps","op":"variable"}', '"epsilon":{"number":"0","op":"number"}')
        self.assertNotEqual(claims_nothing, text)
        path.write_text(claims_nothing, encoding="utf-8")
        self.expect_bad_input("check", str(path), mentions="step 1")
        self.expect_bad_input("explain", str(path), mentions="step 1")

    def test_no_change_of_a_byte_makes_another_theorem(self):
        path = self.certificate()
        text = path.read_bytes()
        theorem = json.loads(lastbit("check", str(path), "--json").stdout)["program"]
        for place in range(0, len(text), 37):
            path.write_bytes(text[:place] + bytes([text[place] ^ 1]) + text[place + 1:])
            run = lastbit("check", str(path), "--json")
            self.assertIn(run.returncode, (0, 65), run.stderr)
            if run.returncode == 0:  # the mechanism's own name, which nothing refers to
                changed = json.loads(run.stdout)["program"]
                self.assertEqual(changed.splitlines()[1:], theorem.splitlines()[1:])

    def test_the_checker_has_no_prover_in_it(self):
        names = subprocess.run(["ldd", CHECKER], capture_output=True, text=True, check=False).stdout
        self.assertNotIn("z3", names)
        run = subprocess.run([CHECKER, "--help"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0)

    def test_json(self):
        run = json.loads(lastbit("check", str(self.certificate()), "--json").stdout)
        self.assertEqual((run["accepted"], run["steps"], run["obligations"]), (True, 3, 2))


class ExplainTest(ProveCase):
    def test_text_shows_rules_couplings_and_reasons(self):
        run = lastbit("explain", str(self.certificate()))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for part in ("Theorem. laplace is eps-DP", "LAPGEN", "eta.2 = eta.1 + f.1 - f.2 at cost eps",
                     "= eps times (f.1 - f.2 <= 1)"):
            self.assertIn(part, run.stdout)
        self.assertLessEqual(max(map(len, run.stdout.splitlines())), 100)

    def test_files_are_written_and_named(self):
        names = {option: str(self.folder / f"out{option}") for option in ("--html", "--latex", "--smtlib")}
        run = lastbit("explain", str(self.certificate()), *(x for pair in names.items() for x in pair))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for option, start in (("--html", "<!doctype html>"), ("--latex", "\\documentclass"), ("--smtlib", ";")):
            self.assertIn(names[option], run.stdout)
            self.assertTrue(pathlib.Path(names[option]).read_text(encoding="utf-8").startswith(start))

    def test_json_is_the_tree(self):
        run = json.loads(lastbit("explain", str(self.certificate()), "--json").stdout)
        first = run["proofs"][0]["derivation"]
        self.assertEqual((first["rule"], len(first["obligations"]), first["then"][0]["rule"]),
                         ("LAPGEN", 2, "OUT"))


class HelpTest(ProveCase):
    def test_examples_run_one_after_the_other(self):
        os.symlink(ROOT / "corpus", self.folder / "corpus")
        os.symlink(ROOT / "corpus/correct/svt.dp", self.folder / "svt.dp")
        for command in ("loss", "prove", "check", "explain"):
            examples = lastbit(command, "--help").stdout.split("Examples:\n")[1]
            for line in examples.strip().splitlines():
                run = lastbit(*line.split()[1:], cwd=self.folder)
                expected = 1 if "--claim" in line else 0  # the claim is there to be refuted
                self.assertEqual(run.returncode, expected, (line, run.stdout, run.stderr))
                self.assertFalse(re.search(r"\x1b", run.stdout))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
