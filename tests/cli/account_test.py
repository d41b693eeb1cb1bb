"""Runs lastbit account as its users do: account_test.py, arguments as cli_test.py."""

import json
import math
import resource
import subprocess
import sys
import time
import unittest

from cli_test import BINARY, CliCase, lastbit
from ledger_test import LedgerCase

PATIENCE = 60  # seconds for what takes a few; the machine may be busy
MEMORY = 1 << 30


def account(*arguments):
    run = lastbit("account", *arguments, "--json")
    assert (run.returncode, run.stderr) == (0, ""), run.stderr
    return json.loads(run.stdout)


def binomial_delta(epsilon, times, total):
    """The delta at `total` of so many randomised responses."""
    up = 1 / (1 + math.exp(-epsilon))
    return sum(
        math.comb(times, n) * up**n * (1 - up) ** (times - n) * -math.expm1(total - (2 * n - times) * epsilon)
        for n in range(times + 1)
        if (2 * n - times) * epsilon > total
    )


class AccountTest(CliCase):
    def test_randomised_responses_are_binomial(self):
        for epsilon, times, total in (("0.1", 100, 3), ("1", 10, 4), ("0.05", 400, 0.5)):
            delta = account("--pure", f"{epsilon}x{times}", "--epsilon", str(total))["delta"]
            exact = binomial_delta(float(epsilon), times, total)
            self.assertLessEqual(float(delta["at_least"]), exact * (1 + 1e-9))
            self.assertGreaterEqual(float(delta["at_most"]), exact * (1 - 1e-9))
            self.assertLess(float(delta["at_most"]), exact * (1 + 1e-6))

    def test_times_is_for_losses_without_their_own(self):
        one = account("--pure", "0.1", "--laplace", "0.2x3", "--times", "7")
        self.assertEqual([part["times"] for part in one["parts"]], [7, 3])
        self.assertEqual(one["losses"], account("--pure", "0.1x7", "--laplace", "0.2x3")["losses"])

    def test_every_kind_of_loss_is_read_exactly(self):
        parts = account("--pure", "1/3", "--approximate", "0.1,1e-9x2", "--laplace", "0.2", "--gaussian", "50",
                        "--rho", "0.01", "--delta", "1e-5")["parts"]
        self.assertEqual(parts, [
            {"loss": {"epsilon": "1/3"}, "times": 1},
            {"loss": {"epsilon": "0.1", "delta": "0.000000001"}, "times": 2},
            {"laplace": {"epsilon": "0.2"}, "times": 1},
            {"gaussian": {"sigma": "50"}, "times": 1},
            {"loss": {"rho": "0.01"}, "times": 1},
        ])

    def test_a_number_in_base_16_has_no_times(self):
        self.assertEqual(account("--pure", "0x1p-3")["parts"], [{"loss": {"epsilon": "0.125"}, "times": 1}])
        self.assertEqual(account("--pure", "0x1p-3x5")["parts"], [{"loss": {"epsilon": "0.125"}, "times": 5}])

    def test_words_say_what_is_proved_and_for_whom(self):
        text = lastbit("account", "--pure", "0.1x100").stdout
        self.assertIn("at most epsilon 4.77457 at delta 0.000001. This is proved.", text)
        self.assertIn("fixed in advance", text)
        self.assertIn("only plain sums hold", " ".join(text.split()))
        text = lastbit("account", "--approximate", "0.1,1e-6x100").stdout
        self.assertIn("No epsilon can be stated at delta 0.000001", text)

    def test_mistakes_are_explained(self):
        for arguments, mentions in (
            ((), "no losses are given"),
            (("--pure", "0"), "'0' cannot be the value of --pure"),
            (("--pure", "-1"), "cannot be the value of --pure"),
            (("--pure", "0.1x"), "--pure"),
            (("--pure", "0.1x0"), "--pure"),
            (("--pure", "0.1x2000000000"), "--pure"),
            (("--approximate", "0.1"), "give epsilon and delta"),
            (("--pure", "1", "--delta", "0"), "--delta (0)"),
            (("--pure", "1", "--delta", "1"), "--delta (1)"),
            (("--pure", "1", "--delta", "1e-6", "--epsilon", "1"), "both given"),
            (("--pure", "1", "--epsilon", "-1"), "--epsilon is negative"),
            (("a.ledger", "b.ledger"), "more than one ledger"),
            (("--pure", "1001"), "protects nobody"),
        ):
            self.expect_usage_error("account", *arguments, mentions=mentions)
        self.assertEqual(lastbit("account", "nowhere.ledger").returncode, 65)

    def test_time_and_memory_are_bounded(self):
        for arguments in (
            ("--pure", "0.01x1000000000"),
            ("--laplace", "0.001x1000000", "--gaussian", "7x1000000", "--rho", "0.1"),
            [f"--pure={i}/1009" for i in range(1, 300)],
        ):
            start = time.monotonic()
            run = subprocess.run(
                [BINARY, "account", *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)))
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertLess(time.monotonic() - start, PATIENCE)


class LedgerTest(LedgerCase):
    def test_all_entries_count_and_the_cap_stays(self):
        self.init("--epsilon", "2", "--delta", "1e-6")
        total = 0
        for entry in range(1, 11):
            total += 1
            self.spend(entry, "epsilon 0.1", f"epsilon {total / 10:g}, delta 0")
        answer = account(self.file, "--delta", "1e-6")
        self.assertEqual(answer["parts"], [{"loss": {"epsilon": "0.1"}, "times": 10}])
        self.assertEqual(answer["losses"], account("--pure", "0.1x10")["losses"])
        self.assertEqual(answer["ledger"]["spent"], {"epsilon": "1", "delta": "0"})
        text = " ".join(lastbit("account", self.file).stdout.split())
        self.assertIn("The ledger itself counts plain sums", text)
        self.assertIn("epsilon 1, delta 0 spent of epsilon 2, delta 0.000001", text)

    def test_an_empty_ledger_has_nothing_to_add(self):
        self.init("--epsilon", "2")
        self.expect_usage_error("account", self.file, mentions="no entries yet")

    def test_a_damaged_ledger_is_refused(self):
        self.init("--epsilon", "2")
        self.spend(1, "epsilon 0.1", "epsilon 0.2")
        run = lastbit("account", self.file)
        self.assertEqual((run.returncode, run.stdout), (65, ""))
        self.assertIn("is damaged", run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
