"""Errors, losses and totals, against formulas and simulations. A false alarm has a probability of at most 1e-9."""

import math
import signal
import subprocess
import sys
import time
from fractions import Fraction

import numpy
import pytest

import lastbit
from lastbit import accuracy
from support import turns_during


def expect_code(code, function, *arguments, **named):
    with pytest.raises(lastbit.Error) as caught:
        function(*arguments, **named)
    assert caught.value.code == code, str(caught.value)


def slack(n):
    """How far a count of n independent events is from its mean at most, except with probability 1e-9 (Hoeffding)."""
    return math.sqrt(n * math.log(2e9) / 2)


def test_the_error_of_noise_is_what_noise_does():
    n = 100_000
    error = accuracy.laplace_error(7, alpha="0.1")
    assert 7 * math.log(10) < error < 7 * math.log(10) + 2.0**-10
    misses = numpy.count_nonzero(numpy.abs(lastbit.laplace(numpy.zeros(n), 7)) > error)
    assert abs(misses - n / 10) < slack(n)
    whole = accuracy.laplace_error(7, alpha="0.1", whole=True)
    assert whole == int(whole) and abs(whole - error) <= 1
    assert numpy.count_nonzero(numpy.abs(lastbit.laplace(numpy.zeros(n, int), 7)) > whole) < n / 10 + slack(n)
    gaussian = accuracy.gaussian_error(25, alpha="0.05")
    noisy = numpy.abs(lastbit.discrete_gaussian(numpy.zeros(n, int), 25))
    assert numpy.count_nonzero(noisy > gaussian) < n / 20 + slack(n)
    assert numpy.count_nonzero(noisy > gaussian - 1) > n / 20 - slack(n)


@pytest.mark.parametrize("error", ["0.001", 1, "2.5", 5, 8, 1000, 2**20, "1e9"])
def test_scales_for_errors_are_the_largest(error):
    wanted = lastbit.exact(error)
    scale = accuracy.laplace_scale(error, alpha="0.01")
    assert accuracy.laplace_error(scale, alpha="0.01") <= wanted
    assert accuracy.laplace_error(scale * (1 + Fraction(1, 2**18)), alpha="0.01") > wanted
    assert accuracy.laplace_epsilon(error, sensitivity="1/3", alpha="0.01") == Fraction(1, 3) / scale
    if wanted >= 1:
        whole = accuracy.laplace_scale(error, alpha="0.01", whole=True)
        assert accuracy.laplace_error(whole, alpha="0.01", whole=True) <= wanted
        variance = accuracy.gaussian_variance(error, alpha="0.01")
        assert accuracy.gaussian_error(variance, alpha="0.01") <= wanted
        assert accuracy.gaussian_error(variance * (1 + Fraction(1, 2**18)), alpha="0.01") > wanted - 1


def test_a_coarse_grid_costs_half_a_cell_at_most():
    fine = accuracy.laplace_error(1, grid=-30)
    coarse = accuracy.laplace_error(1, grid=0)
    assert fine < coarse <= fine + 0.5
    expect_code("bad parameter", accuracy.laplace_scale, "0.4", grid=0)


def test_floats_cost_more():
    bounds = {"lower": -1000, "upper": 1000}
    assert accuracy.snapping_error(epsilon=1, **bounds) > accuracy.laplace_error(epsilon=1)
    epsilon = accuracy.snapping_epsilon(5, **bounds)
    assert accuracy.snapping_error(epsilon=epsilon, **bounds) <= 5
    assert epsilon > accuracy.laplace_epsilon(5)
    expect_code("bad parameter", accuracy.snapping_error, epsilon=1, precision=1, **bounds)


def test_bias_points_inward_and_is_worst_at_a_bound():
    bounds = {"lower": -1000, "upper": 1000}
    low, high = accuracy.laplace_bias(990, 10, **bounds)
    assert low <= high < 0 and high - low < 1e-12
    # Clamping at a distance d of the bound moves the mean by scale/2 times exp(-d/scale).
    assert abs(low + 5 * math.exp(-1)) < 1e-6
    assert accuracy.laplace_bias(0, 10, **bounds)[1] < 1e-30
    assert abs(accuracy.laplace_bias(1000, 10, **bounds)[0]) <= accuracy.laplace_worst_bias(10, **bounds) < 5
    expect_code("bad parameter", accuracy.laplace_bias, 1001, 10, **bounds)


def test_ranges():
    assert accuracy.statistic_range("count", rows=9) == (0, 9)
    assert accuracy.statistic_range("histogram", rows=9) == (0, 9)
    assert accuracy.statistic_range("sum", rows=9, lower=-1, upper=2) == (-9, 18)
    assert accuracy.statistic_range("mean", lower="1/3", upper=2) == (Fraction(1, 3), 2)
    assert accuracy.statistic_range("variance", rows=4, lower=0, upper=3) == (0, 3)
    low, high = accuracy.statistic_range("covariance", rows=4, lower=0, upper=3, second_lower=0, second_upper=2)
    assert -low == high == 2
    for wrong in ({"rows": 0}, {"rows": "1.5"}, {}):
        expect_code("bad parameter", accuracy.statistic_range, "count", **wrong)
    expect_code("bad parameter", accuracy.statistic_range, "median", rows=3)
    expect_code("bad parameter", accuracy.statistic_range, "sum", rows=3, lower=0)


def test_bounds_that_are_rarely_reached():
    low, high = accuracy.rarely_reached(0, 100, 1, gamma="0.01", grid=-20)
    assert 0 < float(-low) - math.log(100) < 2e-6 and high == 100 - low
    n = 100_000
    reached = numpy.count_nonzero(lastbit.laplace(numpy.full(n, 100.0), 1) >= float(high))
    assert reached < n / 100 + slack(n)


@pytest.mark.parametrize("alpha", [0, 1, -1, 2, "x"])
def test_probabilities_that_are_none(alpha):
    expect_code("bad parameter", accuracy.laplace_error, 1, alpha=alpha)
    expect_code("bad parameter", accuracy.gaussian_error, 1, alpha=alpha)
    expect_code("bad parameter", accuracy.laplace_scale, 1, alpha=alpha)


def test_options_that_contradict_each_other():
    expect_code("bad parameter", accuracy.laplace_error)
    expect_code("bad parameter", accuracy.laplace_error, 1, lower=0)
    expect_code("bad parameter", accuracy.laplace_error, 1, whole=True, grid=0)
    expect_code("bad parameter", accuracy.laplace_error, 1, grid="0")
    expect_code("bad parameter", accuracy.laplace_error, 0)
    expect_code("bad parameter", accuracy.laplace_epsilon, 1, sensitivity=0)


def test_one_release_loses_what_it_says():
    total = lastbit.account(pure="0.5", delta="1e-12")
    assert Fraction(total.at_least) <= Fraction(1, 2) <= Fraction(total.plain_sum) and total.epsilon <= 0.5001
    assert total.delta == Fraction(1, 10**12)


def test_many_small_losses_add_up_to_little():
    total = lastbit.account(pure={"0.1": 100}, delta="1e-6")
    assert total.plain_sum == 10 and total.at_least <= total.epsilon < total.at_least + 1e-3 and total.epsilon < 5
    back = lastbit.account(pure={"0.1": 100}, epsilon=lastbit.exact(total.epsilon))
    assert back.at_least <= 1e-6 <= back.delta * 1.001 and back.plain_sum is None


def test_gaussian_noise_follows_its_formula():
    # 25 releases of deviation 5 lose as much as one of deviation 1: delta = Phi(1/2 - e) - e^e Phi(-1/2 - e).
    total = lastbit.account(gaussian={5: 25}, epsilon=1)
    phi = lambda x: math.erfc(-x / math.sqrt(2)) / 2
    assert total.at_least - 1e-6 <= phi(-0.5) - math.e * phi(-1.5) <= total.delta + 1e-6
    assert total.delta - total.at_least < 1e-3


def test_losses_of_all_kinds_add_up():
    total = lastbit.account(
        pure={"0.1": 3}, approximate={("0.1", "1e-9"): 2}, laplace="0.1", gaussian=50,
        rho={"0.001": 2, ("0.001", "1e-9"): 1},
    )
    assert 0.1 < total.at_least <= total.epsilon <= total.plain_sum
    assert lastbit.account(approximate={("0.1", "0.5"): 2}, delta="1e-6").epsilon == math.inf


@pytest.mark.parametrize(
    "wrong",
    [{}, {"pure": -1}, {"pure": 1, "delta": 0}, {"pure": 1, "delta": 1}, {"pure": 1, "delta": "0.1", "epsilon": 1},
     {"pure": {1: 0}}, {"pure": {1: True}}, {"pure": {1: 1.0}}, {"pure": (1, 2)}, {"approximate": 1}, {"gaussian": 0},
     {"approximate": ("0.1", 1)}, {"rho": (1, 2, 3)}, {"pure": 1, "epsilon": -1}, {"pure": 10**6}],
    ids=str,
)
def test_losses_that_make_no_sense(wrong):
    expect_code("bad parameter", lastbit.account, **wrong)


def test_signals_end_the_work():
    code = (
        "import lastbit, sys\n"
        "print('go', flush=True)\n"
        "try:\n"
        "    for k in range(1000):\n"
        "        lastbit.account(laplace={f'0.{i + 1000}': 1000 for i in range(300)}, delta='1e-9')\n"
        "except KeyboardInterrupt:\n"
        "    sys.exit(42)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "go\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 42


def test_others_run_during_an_account():
    assert turns_during(lambda: lastbit.account(laplace={"0.1": 1000}, delta="1e-12")) > 5
