"""Runs lastbit loss and prove --precision as their users do: arguments as cli_test.py, then the binary of
lastbit-check."""

import copy
import fractions
import json
import math
import pathlib
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from cli_test import CliCase, lastbit

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECKER = sys.argv[4]
SMALL = ("--epsilon", "1", "--bound", "16")
PAIR = ("--epsilon", "1", "--bound", "16", "--x", "2.37", "--x2", "3.37")


def number(text):
    return fractions.Fraction(text)


def canonical(document):
    """A certificate as lastbit writes it."""
    return json.dumps(document, indent=2) + "\n"


def answer(*arguments):
    run = lastbit("loss", *arguments, "--json")
    assert (run.returncode, run.stderr) == (0, ""), run.stderr
    return json.loads(run.stdout)


class BracketTest(CliCase):
    def test_the_found_loss_lies_between_the_ideal_one_and_the_proved_bound(self):
        found = answer(*SMALL)
        low, high = (number(end) for end in found["found"]["loss"])
        self.assertLess(number(found["ideal"]), low)
        self.assertLessEqual(low, high)
        self.assertLess(high, number(found["proved"]["loss"]))
        self.assertLess(number(found["proved"]["loss"]), number(found["simple"]["loss"]))
        eta = fractions.Fraction(1, 2**53)
        self.assertEqual(number(found["simple"]["loss"]), 1 + (18 * 16 + 14) * eta)
        self.assertEqual(number(found["mironov"]["loss"]), 1 + (12 * 16 + 2) * eta)

    def test_the_loss_is_the_logarithm_of_the_ratio_of_the_probabilities(self):
        found = answer(*PAIR)
        first, second = (number(found["witness"][key]) for key in ("probability", "probability2"))
        self.assertAlmostEqual(abs(math.log(first / second)), float(number(found["found"]["loss"][0])), 12)
        for probability in (first, second):
            self.assertEqual(probability.denominator & (probability.denominator - 1), 0)

    def test_inputs_are_no_farther_apart_than_the_bounds(self):
        wide = answer("--epsilon", "1", "--lower", "1", "--upper", "5", "--sensitivity", "100")
        self.assertEqual((number(wide["distance"]), number(wide["ideal"])), (4, fractions.Fraction(4, 100)))
        self.assertLess(number(wide["found"]["loss"][1]), number(wide["proved"]["loss"]))
        self.assertLess(number(wide["proved"]["loss"]), fractions.Fraction(4, 100) + fractions.Fraction(1, 2**40))

    def test_text_has_the_bracket_and_the_witness(self):
        run = lastbit("loss", *PAIR)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for part in ("proved bound", "simple bound", "Mironov's formula", "exact loss", "x  = 2.37",
                     "x' = 3.37", "P[output | x ]", "slack"):
            self.assertIn(part, run.stdout)
        for line in run.stdout.splitlines():
            self.assertLessEqual(len(line), 130, line)

    def test_the_same_seed_finds_the_same_pair(self):
        arguments = (*SMALL, "--precision", "20", "--search", "20", "--seed", "5")
        runs = [answer(*arguments) for _ in range(2)]
        for run in runs:
            del run["seconds"]
        self.assertEqual(runs[0], runs[1])

    def test_what_a_search_leaves_out_is_said(self):
        wide = ("--epsilon", "1", "--bound", "1e6")
        self.assertEqual(answer(*wide)["searched"], {"all_pairs": False, "reach_in_scales": 700000})
        self.assertIn("not searched: outputs farther than 700,000 λ", lastbit("loss", *wide).stdout)
        self.assertEqual(answer(*SMALL)["searched"], {"all_pairs": False, "reach_in_scales": None})
        self.assertNotIn("not searched", lastbit("loss", *SMALL).stdout)
        self.assertIsNone(answer(*PAIR)["searched"])

    def test_the_default_search_finds_where_the_distance_crosses_a_power_of_two(self):
        found = answer("--epsilon", "1/2", "--sensitivity", "0.75", "--bound", "40", "--precision", "12")
        self.assertGreater(number(found["found"]["excess_in_eta"][0]), 134)

    def test_bounds_that_are_not_symmetric_shift_inputs_and_outputs(self):
        shifted = answer("--epsilon", "1", "--lower", "58", "--upper", "90", "--x", "76.37", "--x2", "77.37")
        plain = answer(*PAIR)
        for key in ("x", "x2", "output"):
            self.assertEqual(number(shifted["witness"][key]), number(plain["witness"][key]) + 74)
        self.assertEqual(shifted["witness"]["probability"], plain["witness"]["probability"])
        self.assertEqual(shifted["proved"]["loss"], plain["proved"]["loss"])

    def test_what_ships_is_within_epsilon(self):
        found = answer("--epsilon", "1/3", "--lower", "-10", "--upper", "50", "--shipped", "--precision", "24")
        self.assertLessEqual(number(found["simple"]["loss"]), fractions.Fraction(1, 3))
        self.assertGreater(number(found["scale"]), 3)

    def test_the_scale_is_rounded_up(self):
        found = answer("--epsilon", "1/3", "--bound", "8", "--sensitivity", "7/10", "--precision", "9")
        scale = number(found["scale"])
        self.assertGreaterEqual(scale, fractions.Fraction(21, 10))
        self.assertLess(scale, fractions.Fraction(21, 10) * (1 + fractions.Fraction(1, 2**8)))
        self.assertEqual(number(found["ideal"]), fractions.Fraction(7, 10) / scale)


class DerivationTest(CliCase):
    def test_whole_inputs_have_a_smaller_bound_where_floats_can_tell_them_apart(self):
        pair = ("--x", "3", "--x2", "4", "--json")
        whole = json.loads(lastbit("loss", "--epsilon", "1", "--bound", "64", *pair).stdout)
        self.assertTrue(whole["proved_whole"]["holds"])
        self.assertLess(number(whole["proved_whole"]["loss"]), number(whole["proved"]["loss"]))
        for bounds in (("--bound", "63.5"), ("--lower", "0", "--upper", "127"), ("--bound", "1e17")):
            run = lastbit("loss", "--epsilon", "1e-15", *bounds, *pair)
            self.assertFalse(json.loads(run.stdout)["proved_whole"]["holds"], bounds)

    def test_the_derivation_shows_rules_thresholds_and_cases(self):
        text = lastbit("loss", "--epsilon", "1", "--bound", "64", "--derivation").stdout
        for part in ("LN-OP 4", "U < T", "beyond both inputs", "at both inputs", "since λ is a power of two"):
            self.assertIn(part, text)

    def test_there_is_no_derivation_where_u_is_no_float_of_all_bits(self):
        for model in ("grid-uniform", "fewer-bits", "naive-laplace"):
            arguments = ("loss", *PAIR, "--model", model)
            text = lastbit(*arguments, "--derivation").stdout
            self.assertIn("There is no derivation: u has to be any float of p bits", text)
            self.assertNotIn("UNIF", text)
            path = self.folder / "sum.tex"
            self.assertEqual(lastbit(*arguments, "--latex", str(path)).returncode, 64)
            self.assertFalse(path.exists())
        self.assertIn("UNIF", lastbit("loss", *PAIR, "--model", "binary64", "--derivation").stdout)

    def test_equal_inputs_have_a_derivation_without_cases(self):
        for pair in (("5", "5"), ("100", "200")):
            path = self.folder / "equal.v"
            run = lastbit("loss", "--epsilon", "1", "--bound", "64", "--x", pair[0], "--x2", pair[1],
                          "--derivation", "--coq", str(path))
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertIn("so the loss is 0", run.stdout)
            self.assertIn("loss_is_within_the_proved_bound", path.read_text(encoding="utf-8"))

    def test_the_derivation_ends_before_the_cases_outside_the_theorem(self):
        text = lastbit("loss", "--epsilon", "1/144", "--bound", "4", "--precision", "5", "--x", "3", "--x2", "4",
                       "--anyway", "--derivation").stdout
        self.assertIn("U < T", text)
        self.assertNotIn("beyond both inputs", text)

    def test_latex_is_a_document(self):
        path = self.folder / "rounding.tex"
        lastbit("loss", *PAIR, "--latex", str(path))
        text = path.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("\\documentclass"), text[:40])
        self.assertIn("\\end{document}", text)


class CounterexampleTest(CliCase):
    def test_published_fractions_come_out(self):
        found = answer("--epsilon", "1/144", "--bound", "4", "--precision", "5", "--x", "3", "--x2", "4", "--anyway")
        self.assertEqual([found["witness"][key] for key in ("output", "probability", "probability2")],
                         ["-4", "0.203125", "0.1875"])  # 13/64 and 3/16
        self.assertTrue(found["found"]["loss"][0].startswith("0.080042707"), found["found"])

    def test_infinite_losses_are_called_infinite(self):
        arguments = ("--epsilon", "16/7", "--bound", "3.75", "--precision", "4", "--x", "2.75", "--x2", "3.75",
                     "--anyway")
        found = answer(*arguments)
        self.assertEqual(found["found"], {"loss": "infinity"})
        self.assertEqual(found["proved"]["loss"], None)
        self.assertIn("infinite", lastbit("loss", *arguments).stdout)

    def test_models_that_are_wrong_lose_infinitely(self):
        for model in ("grid-uniform", "naive-laplace"):
            run = lastbit("loss", "--epsilon", "1", "--bound", "64", "--model", model, "--claim", "100", "--json")
            self.assertEqual(run.returncode, 1, run.stderr)
            document = json.loads(run.stdout)
            self.assertEqual((document["found"]["loss"], document["violates_claim"]), ("infinity", True))

    def test_doubles_end_where_bounds_are_wide(self):
        self.assertEqual(answer("--epsilon", "1", "--bound", "400", "--model", "binary64")["found"]["loss"],
                         "infinity")
        near = answer("--epsilon", "1", "--bound", "350", "--model", "binary64", "--x", "-350", "--x2", "-349")
        self.assertTrue(near["proved"]["holds"])

    def test_harmless_roundings_stay_small(self):
        for model in ("half-even", "toward-zero", "half-added"):
            found = answer(*PAIR, "--model", model)
            self.assertLess(number(found["found"]["excess_in_eta"][1]), 64, model)

    def test_claims_decide_the_exit_code(self):
        self.assertEqual(lastbit("loss", *PAIR, "--claim", "1").returncode, 1)
        within = lastbit("loss", *PAIR, "--claim", "1.00001")
        self.assertEqual(within.returncode, 0)
        self.assertIn("within the claim", within.stdout)


class RefusalTest(CliCase):
    def test_numbers_that_make_no_sense(self):
        for arguments, mentions in (
                (("--epsilon", "0", "--bound", "4"), "epsilon"),
                (("--epsilon", "-1", "--bound", "4"), "epsilon"),
                (("--epsilon", "nan", "--bound", "4"), "'nan'"),
                (("--epsilon", "1", "--bound", "0"), "bound"),
                (("--epsilon", "1", "--bound", "-4"), "bound"),
                (("--epsilon", "1"), "--bound"),
                (("--bound", "4"), "--epsilon"),
                (("--epsilon", "1", "--bound", "4", "--lower", "0"), "--bound"),
                (("--epsilon", "1", "--lower", "5", "--upper", "5"), "room"),
                ((*SMALL, "--sensitivity", "0"), "sensitivity"),
                ((*SMALL, "--precision", "1"), "precision"),
                ((*SMALL, "--precision", "x"), "precision"),
                ((*SMALL, "--precision", "1", "--anyway"), "whole number from 2"),
                ((*SMALL, "--x", "1"), "--x2"),
                ((*PAIR, "--search", "5"), "--search"),
                ((*SMALL, "--search", "-5"), "--search"),
                ((*SMALL, "--model", "grid-unifrom"), "did you mean grid-uniform?"),
                ((*SMALL, "--model", "fine-grid"), "--grid"),
                ((*SMALL, "--grid", "2^-8"), "fine-grid"),
                ((*SMALL, "--model", "fine-grid", "--grid", "1/3"), "power of two"),
                ((*SMALL, "--uniform-bits", "9"), "fewer-bits"),
                ((*SMALL, "--model", "binary64", "--precision", "24"), "53")):
            with self.subTest(arguments):
                self.expect_usage_error("loss", *arguments, mentions=mentions)

    def test_scales_that_no_double_has(self):
        for epsilon in ("1e-400", "1e400"):
            self.expect_usage_error("loss", "--epsilon", epsilon, "--bound", "4", mentions="for a double")

    def test_parameters_outside_the_domain_of_the_theorem_need_a_wish(self):
        for arguments in (("--epsilon", "1", "--bound", "4", "--precision", "6"),
                          ("--epsilon", "1", "--bound", "1e14")):
            self.expect_usage_error("loss", *arguments, mentions="outside the domain of the theorem")
        found = answer("--epsilon", "1", "--bound", "4", "--precision", "6", "--anyway")
        self.assertFalse(found["proved"]["holds"])
        self.assertIn("at least 7 bits", found["proved"]["why_not"])

    def test_errors_are_json_where_that_is_wanted(self):
        run = lastbit("loss", "--epsilon", "1", "--bound", "0", "--json")
        self.assertEqual((run.returncode, run.stdout), (64, ""))
        self.assertEqual(json.loads(run.stderr)["error"]["exit_code"], 64)


class FileTest(CliCase):
    def test_the_plot_is_one_file_without_scripts(self):
        path = self.folder / "loss.svg"
        run = lastbit("loss", *PAIR, "--plot", str(path))
        self.assertIn(str(path), run.stdout)
        text = path.read_text(encoding="utf-8")
        xml.etree.ElementTree.fromstring(text)
        self.assertIn("proved bound", text)
        self.assertNotIn("<script", text)
        self.assertNotIn("href", text)
        self.assertGreaterEqual(text.count("<circle"), 29)

    def test_infinite_losses_have_a_mark_of_their_own(self):
        path = self.folder / "loss.svg"
        lastbit("loss", "--epsilon", "1", "--bound", "64", "--model", "grid-uniform", "--plot", str(path))
        text = path.read_text(encoding="utf-8")
        self.assertIn("infinite: only one input", text)
        self.assertIn('class="alarm"', text)

    def test_two_files_need_two_names(self):
        self.expect_usage_error("loss", *PAIR, "--plot", "a", "--coq", "a", mentions="written twice")

    def test_a_plot_that_cannot_be_written_is_an_error(self):
        run = lastbit("loss", *PAIR, "--plot", str(self.folder / "none" / "loss.svg"))
        self.assertEqual((run.returncode, run.stdout), (74, ""))

    def test_no_number_bounds_an_infinite_loss_in_coq(self):
        path = self.folder / "loss.v"
        run = lastbit("loss", "--epsilon", "1", "--bound", "64", "--model", "grid-uniform", "--coq", str(path))
        self.assertEqual(run.returncode, 64)
        self.assertIn("infinite", run.stderr)
        self.assertFalse(path.exists())


class CertificateTest(CliCase):
    def certificate(self, *arguments):
        path = self.folder / "loss.json"
        run = lastbit("loss", *arguments, "--certificate", str(path))
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        return path

    def test_both_checkers_accept_it(self):
        path = self.certificate(*PAIR)
        for run in (lastbit("check", str(path)),
                    subprocess.run([CHECKER, str(path)], check=False, capture_output=True, text=True)):
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertTrue(run.stdout.startswith("accepted:"), run.stdout)
            self.assertIn("within the proved bound", run.stdout)
        self.assertTrue(json.loads(lastbit("check", str(path), "--json").stdout)["accepted"])

    def test_models_and_infinite_losses_have_certificates(self):
        for arguments in (("--epsilon", "1", "--bound", "64", "--model", "grid-uniform"),
                          ("--epsilon", "1", "--bound", "64", "--model", "naive-laplace"),
                          ("--epsilon", "1", "--bound", "400", "--model", "binary64"),
                          (*PAIR, "--model", "half-even"),
                          (*PAIR, "--model", "fine-grid", "--grid", "2^-3"),
                          (*PAIR, "--model", "fewer-bits", "--uniform-bits", "40"),
                          ("--epsilon", "1", "--lower", "0", "--upper", "9", "--precision", "12")):
            with self.subTest(arguments):
                run = lastbit("check", str(self.certificate(*arguments)))
                self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)

    def changed(self, document, path):
        """The document with the leaf at `path` changed to another value of its kind."""
        document = copy.deepcopy(document)
        *way, last = path
        place = document
        for key in way:
            place = place[key]
        old = place[last]
        if isinstance(old, int):
            place[last] = old + 1
        elif old == "infinity" or old is None:
            place[last] = "1"
        elif old in ("unit-float", "half-up"):
            place[last] = {"unit-float": "grid", "half-up": "toward-zero"}[old]
        elif way + [last] in (["format"], ["bound", "theorem"]):
            place[last] = old + "x"
        else:
            place[last] = str(number(old) + 1)
        return document

    def leaves(self, node, way=()):
        if isinstance(node, dict):
            for key, value in node.items():
                yield from self.leaves(value, (*way, key))
        elif isinstance(node, list):
            for index, value in enumerate(node):
                yield from self.leaves(value, (*way, index))
        else:
            yield way

    def test_every_changed_number_is_noticed(self):
        path = self.certificate(*PAIR)
        document = json.loads(path.read_text(encoding="utf-8"))
        # A larger upper end and a larger bound say less, which is still true; a midpoint that moves by a
        # cell of the grid says the same of another cell.
        free = {("loss", "at_most"), ("bound", "loss"), ("midpoint",)}
        tried = 0
        for way in self.leaves(document):
            if way in free:
                continue
            path.write_text(canonical(self.changed(document, way)), encoding="utf-8")
            run = lastbit("check", str(path))
            self.assertEqual((run.returncode, run.stdout), (65, ""), (way, run.stderr))
            self.assertRegex(run.stderr, r"\Alastbit: [^\n]+\n\Z")
            tried += 1
        self.assertGreater(tried, 30)

    def test_claims_that_are_too_strong_are_refused(self):
        path = self.certificate(*PAIR)
        document = json.loads(path.read_text(encoding="utf-8"))
        for way, value in ((("loss", "at_most"), "1"), (("bound", "loss"), "1"), (("loss", "at_least"), "2")):
            wrong = copy.deepcopy(document)
            wrong[way[0]][way[1]] = value
            path.write_text(canonical(wrong), encoding="utf-8")
            self.assertEqual(lastbit("check", str(path)).returncode, 65, way)

    def test_an_answer_says_what_was_computed_and_not_what_was_claimed(self):
        path = self.certificate(*PAIR)
        document = json.loads(path.read_text(encoding="utf-8"))
        honest = lastbit("check", str(path))
        for way, value in ((("loss", "at_least"), "-1"), (("loss", "at_least"), "0.5"),
                           (("bound", "loss"), "1000")):
            modest = copy.deepcopy(document)
            modest[way[0]][way[1]] = value
            path.write_text(canonical(modest), encoding="utf-8")
            run = lastbit("check", str(path))
            self.assertEqual((run.returncode, run.stdout), (0, honest.stdout), run.stderr)

    def test_text_that_nobody_reads_is_refused(self):
        path = self.certificate(*PAIR)
        text = path.read_text(encoding="utf-8")
        document = json.loads(text)
        self.assertEqual(canonical(document), text)
        canonical_form = "not in its canonical form"
        for other, problem in ((canonical({**document, "comment": "the loss is 0"}), "does not belong here"),
                               (json.dumps(document), canonical_form),
                               (text.replace('"version": 1', '"version": 1,\n  "version": 1'), canonical_form)):
            self.assertNotEqual(other, text)
            path.write_text(other, encoding="utf-8")
            run = lastbit("check", str(path))
            self.assertEqual((run.returncode, run.stdout), (65, ""))
            self.assertIn(problem, run.stderr)

    def test_an_output_that_neither_input_gives_has_no_loss(self):
        path = self.certificate(*PAIR)
        document = json.loads(path.read_text(encoding="utf-8"))
        for run in document["thresholds"].values():
            run["to"] = run["from"]
        document["probability"] = document["probability2"] = ["0", 0]
        document["loss"] = {"at_least": "0", "at_most": "0"}
        document["bound"] = None
        # Beside the output, on the side where the thresholds of the output itself begin.
        output = number(document["output"])
        refusals = ""
        for beside in (output - fractions.Fraction(1, 4), output + fractions.Fraction(1, 4)):
            document["output"] = str(float(beside))
            path.write_text(canonical(document), encoding="utf-8")
            run = lastbit("check", str(path))
            self.assertEqual((run.returncode, run.stdout), (65, ""))
            refusals += run.stderr
        self.assertIn("neither input gives it", refusals)

    def test_missing_fields_and_broken_text_are_refused(self):
        path = self.certificate(*PAIR)
        text = path.read_text(encoding="utf-8")
        document = json.loads(text)
        for key in document:
            if key == "format":
                continue
            path.write_text(canonical({k: v for k, v in document.items() if k != key}), encoding="utf-8")
            self.assertEqual(lastbit("check", str(path)).returncode, 65, key)
        for end in range(60, len(text) - 3, len(text) // 20):
            path.write_text(text[:end], encoding="utf-8")
            self.assertEqual(lastbit("check", str(path)).returncode, 65, end)

    def test_hostile_numbers_end_quickly(self):
        path = self.certificate(*PAIR)
        document = json.loads(path.read_text(encoding="utf-8"))
        for way, value in ((("x",), "1e999999999"), (("mechanism", "precision"), 10**30),
                           (("mechanism", "scale"), ["1", -10**15]), (("probability",), ["1", 10**18]),
                           (("thresholds",), [])):
            wrong = copy.deepcopy(document)
            place = wrong
            for key in way[:-1]:
                place = place[key]
            place[way[-1]] = value
            path.write_text(canonical(wrong), encoding="utf-8")
            run = lastbit("check", str(path), timeout=20)
            self.assertEqual((run.returncode, run.stdout), (65, ""), (way, run.stderr))

    def test_programs_are_not_what_it_is_about(self):
        path = self.certificate(*PAIR)
        self.expect_usage_error("check", str(path), "--program", "x.dp", mentions="exact loss")


class ListTest(CliCase):
    def test_models_are_listed(self):
        run = lastbit("loss", "--models")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for name in ("unit-float", "binary64-normal", "naive-laplace"):
            self.assertIn(name, run.stdout)
        self.assertEqual(len(json.loads(lastbit("loss", "--models", "--json").stdout)["models"]), 10)

    def test_the_gallery_comes_out_as_it_must(self):
        run = lastbit("loss", "--gallery", "--json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        document = json.loads(run.stdout)
        self.assertTrue(document["as_expected"])
        verdicts = {entry["refuted"] for entry in document["mechanisms"]}
        self.assertEqual(verdicts, {True, False})


class ProvePrecisionTest(CliCase):
    SNAPPING = str(ROOT / "corpus/correct/snapping.dp")

    def test_the_coupling_proof_is_joined_with_what_floats_add(self):
        run = lastbit("prove", self.SNAPPING, "--precision", "53")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("proved: snapping is eps-DP", run.stdout)
        self.assertIn("in floats of 53 bits: (eps + 18*B*eta*eps + 14*eta)-DP for 0 < B <= 2^46/eps",
                      run.stdout)
        floats = json.loads(lastbit("prove", self.SNAPPING, "--precision", "24", "--json").stdout)["floats"]
        self.assertEqual((floats["known"], floats["condition"]), (True, "0 < B <= 2^17/eps"))

    def test_other_programs_are_unknown_in_floats(self):
        for name in ("laplace", "snapping_any_grid"):
            run = lastbit("prove", str(ROOT / f"corpus/correct/{name}.dp"), "--precision", "53")
            self.assertEqual((run.returncode, run.stderr), (2, ""))
            self.assertIn("proved: ", run.stdout)
            self.assertIn("in floats of 53 bits: unknown", run.stdout)

    def test_refutations_stay_refutations(self):
        run = lastbit("prove", str(ROOT / "corpus/broken/snapping_half_noise.dp"), "--precision", "53")
        self.assertEqual(run.returncode, 1)
        self.assertNotIn("floats", run.stdout)

    def test_precisions_the_theorem_does_not_cover(self):
        for precision in ("6", "0", "x", "5000"):
            self.expect_usage_error("prove", self.SNAPPING, "--precision", precision, mentions="--precision")
        self.expect_usage_error("prove", self.SNAPPING, self.SNAPPING, "--precision", "53",
                                mentions="one mechanism")

    def test_names_of_parameters_are_not_confused(self):
        text = pathlib.Path(self.SNAPPING).read_text(encoding="utf-8")
        text = text.replace("eps", "eta").replace("<= 1\n", "<= 1\n  claims eta\n")
        path = self.folder / "eta.dp"
        path.write_text(text, encoding="utf-8")
        run = lastbit("prove", str(path), "--precision", "53")
        self.assertIn("(eta + 18*B*eta_*eta + 14*eta_)-DP", run.stdout)
        self.assertIn("where eta_ = 2^-53", run.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
