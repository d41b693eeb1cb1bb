"""lastbit account against Google's dp-accounting and Microsoft's prv-accountant: account_outside_test.py BINARY.

Ends with 77, which ctest calls skipped, if neither is installed.
"""

import importlib.util
import json
import math
import subprocess
import sys

BINARY = sys.argv[1]
DELTA = 1e-6
# Laplace noise (epsilon, times) and Gaussian noise (sigma, times).
CASES = (
    ((("1", 1),), ()),
    ((("1", 100),), ()),
    ((("0.1", 1000),), ()),
    ((), (("1", 1),)),
    ((), (("50", 10000),)),
    ((("0.1", 100), ("0.5", 10)), (("10", 20),)),
)


def ours(laplace, gaussian):
    arguments = [f"--laplace={epsilon}x{times}" for epsilon, times in laplace]
    arguments += [f"--gaussian={sigma}x{times}" for sigma, times in gaussian]
    run = subprocess.run([BINARY, "account", *arguments, f"--delta={DELTA}", "--json"], capture_output=True,
                         text=True, check=True)
    ends = json.loads(run.stdout)["losses"][0]["epsilon"]
    return float(ends["at_least"]), float(ends["at_most"])


def google(laplace, gaussian):
    """An upper estimate; its error is that of its grid."""
    from dp_accounting.pld import privacy_loss_distribution as pld
    parts = [pld.from_laplace_mechanism(1 / float(epsilon)).self_compose(times) for epsilon, times in laplace]
    parts += [pld.from_gaussian_mechanism(float(sigma)).self_compose(times) for sigma, times in gaussian]
    total = parts[0]
    for part in parts[1:]:
        total = total.compose(part)
    epsilon = total.get_epsilon_for_delta(DELTA)
    return epsilon * (1 - 1e-3), epsilon * (1 + 1e-9)


def microsoft(laplace, gaussian):
    import prv_accountant
    prvs = [prv_accountant.LaplaceMechanism(float(epsilon)) for epsilon, _ in laplace]
    prvs += [prv_accountant.GaussianMechanism(float(sigma)) for sigma, _ in gaussian]
    times = [n for _, n in (*laplace, *gaussian)]
    accountant = prv_accountant.PRVAccountant(prvs=prvs, max_self_compositions=times, eps_error=0.02,
                                              delta_error=DELTA / 1000)
    low, _, high = accountant.compute_epsilon(DELTA, times)
    return low, high


def main():
    others = {"dp_accounting": google, "prv_accountant": microsoft}
    others = {name: other for name, other in others.items() if importlib.util.find_spec(name)}
    if not others:
        print("skipped: neither dp_accounting nor prv_accountant is installed")
        return 77
    wrong = 0
    for case in CASES:
        least, most = ours(*case)
        for name, other in others.items():
            low, high = other(*case)
            # Both intervals hold the truth, so they overlap.
            agrees = least <= high and low <= most and not math.isnan(low)
            wrong += not agrees
            print(f"{'agrees' if agrees else 'WRONG'}: {case}: ours [{least}, {most}], {name} [{low}, {high}]")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
