"""Runs lastbit snap and lastbit accuracy as their users do: noise_test.py, arguments as cli_test.py."""

import fractions
import json
import math
import sys
import unittest

from cli_test import CliCase, lastbit, on_terminal

COMMANDS = (("snap",), ("accuracy",), ("accuracy", "error"), ("accuracy", "epsilon"),
            ("accuracy", "bias"), ("accuracy", "bounds"))


def released(run):
    return [fractions.Fraction(line) for line in run.stdout.splitlines()]


class NoiseCase(CliCase):
    def expect_bad_value(self, *arguments, mentions, **options):
        run = lastbit(*arguments, **options)
        self.assertEqual((run.returncode, run.stdout), (65, ""), run.stderr)
        self.assertRegex(run.stderr, r"\Alastbit: [^\n]+\n\Z")
        self.assertIn(mentions, run.stderr)
        return run


class HelpTest(NoiseCase):
    def test_every_help_has_examples_that_name_the_command_and_fits_a_terminal(self):
        for command in COMMANDS:
            run = lastbit(*command, "--help")
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertRegex(run.stdout, rf"Examples:\n  lastbit {' '.join(command)}")
            self.assertIn("--json", run.stdout)
            self.assertLessEqual(max(map(len, run.stdout.splitlines())), 100)

    def test_examples_run(self):
        for command in COMMANDS:
            examples = lastbit(*command, "--help").stdout.split("Examples:\n")[1]
            for line in examples.strip().splitlines():
                if "|" not in line:
                    run = lastbit(*line.split()[1:])
                    self.assertEqual(run.returncode, 0, (line, run.stderr))


class SnapTest(NoiseCase):
    def test_values_come_out_one_a_line_on_the_grid_and_the_price_apart(self):
        run = lastbit("snap", "42", "-3.5", "--epsilon", "1/2", "--grid", "-3", "--count", "4")
        self.assertEqual(run.returncode, 0)
        values = released(run)
        self.assertEqual(len(values), 8)
        self.assertTrue(all((value * 8).denominator == 1 for value in values))
        self.assertRegex(run.stderr, r"\Aspent: 8 values × 0.5 = 4 epsilon")

    def test_lines_of_standard_input_and_negative_arguments_are_the_same_values(self):
        # The probability that noise of scale 10^-9 reaches 10^-3 is e^(-10^6).
        options = ("--epsilon", "1e9")
        for run in (lastbit("snap", *options, input="-1\n 0.1 \r\n2e3"),
                    lastbit("snap", "-1", *options, "0.1", "2e3"),
                    lastbit("snap", *options, "--", "-1", "1/10", "2000")):
            for value, expected in zip(released(run), (-1, 0.1, 2000), strict=True):
                self.assertAlmostEqual(float(value), expected, places=3)

    def test_bounds_cut_values_and_answers(self):
        run = lastbit("snap", "1e300", "-1e300", "--epsilon", "0.1", "--lower", "-1/3", "--upper", "5",
                      "--count", "50")
        values = released(run)
        self.assertTrue(all(fractions.Fraction(-1, 3) <= value <= 5 for value in values))
        # Each of the 50 is the bound with probability above 1/2.
        self.assertIn(5, values)
        self.assertIn(fractions.Fraction(-1, 3), values)

    def test_mean_is_the_value(self):
        # 20000 draws of variance 2 have a mean within 0.09 of 42 but for probability 10^-15, by
        # Bernstein's bound 2·exp(-n·t²/(2·(2 + t))).
        for mechanism in ((), ("--precision", "118", "--lower", "0", "--upper", "84")):
            values = released(lastbit("snap", "42", "--epsilon", "1", "--count", "20000", *mechanism))
            self.assertLess(abs(sum(values) / 20000 - 42), 0.09)

    def test_floats_lie_on_the_coarse_grid(self):
        run = lastbit("snap", "500", "--epsilon", "0.3", "--precision", "53", "--lower", "0", "--upper",
                      "1000", "--count", "20")
        # The grid of 4 lies beside the midpoint, 500.
        self.assertTrue(all((value - 500) % 4 == 0 for value in released(run)), run.stdout)

    def test_json_describes_mechanism_and_price(self):
        run = lastbit("snap", "--epsilon", "0.1", "--sensitivity", "2", "--json", input="1\n2\n3\n")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        document = json.loads(run.stdout)
        self.assertEqual(len(document["values"]), 3)
        self.assertEqual((document["epsilon_spent"], document["scale"]), ("0.3", "20"))
        self.assertEqual(document["grid_exponent"], -15)

    def test_lines_that_are_no_numbers_are_refused_by_their_number_and_not_quoted(self):
        for line in ("nan", "inf", "-Infinity", "secret", "1,5", "", "1 2"):
            run = self.expect_bad_value("snap", "--epsilon", "1", mentions="line 2",
                                        input=f"1\n{line}\n3\n")
            self.assertNotIn("secret", run.stderr)
        self.expect_bad_value("snap", "1", "x", "--epsilon", "1", mentions="value 2")

    def test_empty_input_releases_nothing(self):
        run = lastbit("snap", "--epsilon", "1", input="")
        self.assertEqual((run.returncode, run.stdout), (0, ""))
        self.assertIn("0 values", run.stderr)

    def test_impossible_parameters_are_named_with_a_remedy(self):
        self.expect_usage_error("snap", "1", "--epsilon", "0", mentions="`epsilon`")
        self.expect_usage_error("snap", "1", "--epsilon", "-1", mentions="`epsilon`")
        self.expect_usage_error("snap", "1", "--epsilon", "1", "--sensitivity", "0", mentions="`sensitivity`")
        self.expect_usage_error("snap", "1", "--epsilon", "1", "--lower", "5", "--upper", "5", mentions="`lower`")
        floats = ("snap", "1", "--epsilon", "1", "--lower", "0", "--upper", "1e9", "--precision")
        self.expect_usage_error(*floats, "20", mentions="give precision 36 or more")
        self.expect_usage_error(*floats, "3", mentions="`precision`")

    def test_wrong_command_lines(self):
        self.expect_usage_error("snap", "1", mentions="--epsilon")
        self.expect_usage_error("snap", "1", "--epsiln", "1", mentions="did you mean --epsilon?")
        self.expect_usage_error("snap", "1", "--epsilon", "one", mentions="'one'")
        self.expect_usage_error("snap", "1", "--epsilon", "1", "--grid", "fine", mentions="--grid")
        self.expect_usage_error("snap", "1", "--epsilon", "1", "--count", "0", mentions="--count")
        self.expect_usage_error("snap", "1", "--epsilon", "1", "--precision", "53", mentions="--lower")
        self.expect_usage_error("snap", "1", "--epsilon", "1", "--precision", "double", mentions="--precision")


class AccuracyTest(NoiseCase):
    def mechanisms(self, *arguments):
        run = lastbit("accuracy", *arguments, "--json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return {row["mechanism"]: row for row in json.loads(run.stdout)["mechanisms"]}

    def test_fine_grid_costs_nothing_and_the_coarse_one_half_a_cell(self):
        rows = self.mechanisms("error", "--epsilon", "1", "--bound", "1000")
        laplace = rows["Laplace on real numbers"]["accuracy"]
        self.assertAlmostEqual(laplace, math.log(20), places=12)
        self.assertAlmostEqual(rows["exact, coarse grid"]["accuracy"], laplace + 0.5, places=9)
        self.assertAlmostEqual(rows["snapping, 53 bits"]["accuracy"], laplace + 1, places=9)
        self.assertLess(rows["exact, fine grid"]["ratio_to_laplace"], 1.000001)

    def test_loss_for_an_accuracy_gives_that_accuracy_back(self):
        rows = self.mechanisms("epsilon", "--accuracy", "7.5", "--bound", "1000")
        coarse = rows["exact, coarse grid"]
        self.assertEqual(coarse["epsilon"], 0.5)
        self.assertAlmostEqual(coarse["accuracy"], 6.991464547, places=8)
        for name, row in rows.items():
            back = self.mechanisms("error", f"--epsilon={row['epsilon']!r}", "--bound", "1000")
            self.assertAlmostEqual(back[name]["accuracy"], row["accuracy"], places=9)

    def test_bias_is_that_of_the_formula_and_below_the_worst(self):
        rows = self.mechanisms("bias", "--value", "990", "--epsilon", "0.1", "--bound", "1000")
        clamped = rows["Laplace on real numbers, clamped"]
        expected = -10 * math.exp(-100) * math.sinh(99)
        self.assertAlmostEqual(clamped["bias_lower"], expected, places=9)
        for row in rows.values():
            self.assertLessEqual(row["bias_lower"], row["bias_upper"])
            self.assertLessEqual(-row["bias_lower"], row["worst_bias_at_most"])

    def test_range_of_an_odd_variance_is_not_the_even_formula(self):
        run = lastbit("accuracy", "bounds", "variance", "--n", "3", "--lower", "0", "--upper", "1", "--json")
        self.assertEqual(json.loads(run.stdout)["range"]["upper"], "1/3")

    def test_bounds_widen_by_the_noise(self):
        rows = self.mechanisms("bounds", "count", "--n", "1000", "--gamma", "0.001", "--epsilon", "0.1")
        upper = float(fractions.Fraction(rows["exact, fine grid"]["upper"]))
        self.assertAlmostEqual(upper, 1000 + 10 * math.log(1000), places=3)

    def test_mechanisms_that_cannot_be_are_explained_beside_the_others(self):
        rows = self.mechanisms("error", "--epsilon", "1", "--bound", "1e20")
        self.assertIn("precision 7", rows["snapping, 53 bits"]["refusal"])
        text = lastbit("accuracy", "error", "--epsilon", "1", "--bound", "1e20")
        self.assertEqual(text.returncode, 0)
        self.assertIn("bring the bounds closer together", " ".join(text.stdout.split()))

    def test_the_former_name_leads_to_the_new_one(self):
        for arguments in (("utility",), ("utility", "accuracy", "--epsilon", "1", "--bound", "9")):
            self.expect_usage_error(*arguments, mentions="lastbit accuracy")

    def test_wrong_command_lines(self):
        self.expect_usage_error("accuracy", mentions="lastbit accuracy --help")
        self.expect_usage_error("accuracy", "eror", mentions="did you mean error?")
        self.expect_usage_error("accuracy", "error", "--epsilon", "1", mentions="--bound")
        self.expect_usage_error("accuracy", "error", "--epsilon", "0", "--bound", "1", mentions="--epsilon")
        self.expect_usage_error("accuracy", "epsilon", "--accuracy", "1", "--alpha", "1", mentions="--alpha")
        self.expect_usage_error("accuracy", "bias", "--value", "2", "--epsilon", "1", "--bound", "1", mentions="--value")
        self.expect_usage_error("accuracy", "bounds", "men", "--n", "1", mentions="did you mean mean?")
        self.expect_usage_error("accuracy", "bounds", "count", "--n", "1.5", mentions="--n")
        self.expect_usage_error("accuracy", "bounds", "variance", "--n", "1", "--lower", "0", "--upper", "1", mentions="`n`")

    def test_tables_are_aligned_and_coloured_on_a_terminal_only(self):
        arguments = ("accuracy", "error", "--epsilon", "1", "--bound", "1000")
        plain = lastbit(*arguments).stdout
        self.assertNotIn("\x1b", plain)
        self.assertIn("\x1b[1m", on_terminal(arguments))
        rows = [line for line in plain.splitlines() if "grid" in line or "bits" in line][:4]
        self.assertEqual(len({len(row) for row in rows}), 1, rows)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
