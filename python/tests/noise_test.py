"""Noise on numbers and arrays. Statistical tests state how likely a false alarm is: at most 1e-9."""

import math
import os
import threading
import time
from decimal import Decimal
from fractions import Fraction

import numpy
import pytest

import lastbit


def slack(n):
    """How far a count of n independent events is from its mean at most, except with probability 1e-9 (Hoeffding)."""
    return math.sqrt(n * math.log(2e9) / 2)


def expect_code(code, function, *arguments, **named):
    with pytest.raises(lastbit.Error) as caught:
        function(*arguments, **named)
    assert caught.value.code == code, str(caught.value)
    return caught.value


def test_numbers_are_exact():
    assert lastbit.exact("0.1") == Fraction(1, 10)
    assert lastbit.exact(Decimal("0.1")) == Fraction(1, 10)
    assert lastbit.exact("1/3") == Fraction(1, 3)
    assert lastbit.exact(" 1e-3 ") == Fraction(1, 1000)
    assert lastbit.exact(2**200 + 1) == 2**200 + 1
    assert lastbit.exact(0.1) == Fraction(3602879701896397, 36028797018963968) != Fraction(1, 10)
    assert lastbit.exact(numpy.int64(7)) == 7


@pytest.mark.parametrize(
    "value",
    [True, math.nan, math.inf, Decimal("NaN"), Decimal("Infinity"), Decimal("1e999999"), "", "x", "1/0", "1e99999", "nan",
     "١", "1_0", None, 1j, [1], numpy.bool_(True), 10**5000, "9" * 5000],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_number_is_refused(value):
    expect_code("bad parameter", lastbit.exact, value)
    expect_code("bad parameter", lastbit.discrete_gaussian, 1, value)


def test_kinds_of_numbers_stay():
    assert type(lastbit.laplace(5, 1)) is int
    assert type(lastbit.laplace(5.0, 1)) is float
    assert type(lastbit.laplace("0.1", 1)) is Fraction
    assert type(lastbit.laplace(Fraction(1, 3), 1)) is Fraction
    assert type(lastbit.discrete_laplace(5, 1)) is int
    assert [type(x) for x in lastbit.laplace([1, "2", 0.5], 1)] == [int, Fraction, float]


def test_tiny_noise_leaves_whole_numbers_alone():
    # Noise of scale 1/1000 reaches 1/2 with probability e^-500.
    tiny = "1/1000"
    big = 10**40 + 1
    assert lastbit.discrete_laplace(big, tiny) == big
    assert lastbit.laplace(big, tiny) == big
    assert lastbit.discrete_gaussian(big, Fraction(1, 10**6)) == big
    values = numpy.array([[1, -2], [2**63 - 1, -(2**63)]])
    for noisy in (lastbit.laplace(values, tiny), lastbit.discrete_laplace(values, tiny),
                  lastbit.discrete_gaussian(values, Decimal("1e-6"))):
        assert noisy.dtype == numpy.int64 and noisy.shape == (2, 2) and (noisy == values).all()
    assert (lastbit.laplace(numpy.array([0.25, -1.75]), tiny, grid=0) == [0.0, -2.0]).all()


def test_epsilon_and_sensitivity_make_the_scale():
    # On the grid of 2^10 a scale of 1/3 cannot reach the next multiple; one of 1000 does not stay for long.
    assert lastbit.laplace(0, epsilon=3, sensitivity=1, grid=10) == 0
    assert any(lastbit.laplace(0, epsilon="0.001", grid=10) for _ in range(200))
    for wrong in ({}, {"scale": 1, "epsilon": 1}, {"scale": 1, "sensitivity": 1}, {"sensitivity": 1}, {"epsilon": 0},
                  {"epsilon": 1, "sensitivity": -1}, {"scale": 0}, {"scale": -1}):
        expect_code("bad parameter", lastbit.laplace, 0, **wrong)
        expect_code("bad parameter", lastbit.discrete_laplace, 0, **wrong)


def test_answers_lie_on_the_grid_and_within_the_bounds():
    values = numpy.linspace(-5, 5, 1001)
    noisy = lastbit.laplace(values, 2, grid=-4, lower=-3, upper="2.5")
    assert noisy.shape == values.shape and (noisy * 16 == numpy.round(noisy * 16)).all()
    assert noisy.min() == -3 and noisy.max() == 2.5
    assert (lastbit.laplace("1/3", 1, grid=-7) * 128).denominator == 1
    expect_code("bad parameter", lastbit.laplace, 1, 1, lower=2, upper=1)
    expect_code("bad parameter", lastbit.laplace, numpy.array([1]), 1, grid=-1)
    for grid in (True, 0.5, 30_000, "1"):
        expect_code("bad parameter", lastbit.laplace, 1.0, 1, grid=grid)


def test_floats_are_never_taken_for_whole_numbers():
    floats = numpy.array([1.5, 2.5])
    for noise in (lastbit.discrete_laplace, lastbit.discrete_gaussian):
        for values in (floats, 1.5, "1", [Fraction(1, 2)]):
            expect_code("bad parameter", noise, values, 1)
    integers, output = numpy.array([1, 2]), numpy.zeros(2)
    with pytest.raises(TypeError):
        lastbit._lastbit.discrete_laplace_integers(floats, integers, "1/1")
    with pytest.raises(TypeError):
        lastbit._lastbit.discrete_laplace_integers(integers, output, "1/1")
    with pytest.raises(TypeError):
        lastbit._lastbit.laplace_floats(integers, output, "1/1", None, None, None)


def test_arrays_of_other_types():
    small = numpy.arange(6, dtype=numpy.int16)[::2]
    assert (lastbit.discrete_laplace(small, "1/1000") == [0, 2, 4]).all()
    assert lastbit.laplace(numpy.float32(0.5), 1).dtype == numpy.float64
    assert lastbit.laplace(numpy.zeros((0, 3)), 1).shape == (0, 3)
    for values in (numpy.array([True]), numpy.array([1], dtype=numpy.uint64), numpy.array(["1"]), numpy.array([1j]),
                   numpy.array([Fraction(1)], dtype=object)):
        expect_code("bad parameter", lastbit.laplace, values, 1)


def test_odd_floats_do_not_fail():
    most = numpy.finfo(float).max
    noisy = lastbit.laplace(numpy.array([math.inf, -math.inf, math.nan, most]), 1)
    assert (noisy == [most, -most, -most, most]).all()
    assert lastbit.laplace(math.inf, 1) == most


LAWS = {  # a draw of noise of size 3, and the probability that it lies within [-3, 3]
    "laplace": (lambda zeros: lastbit.laplace(zeros.astype(float), 3), 1 - math.exp(-1)),
    "discrete_laplace": (lambda zeros: lastbit.discrete_laplace(zeros, 3), 1 - 2 * math.exp(-4 / 3) / (1 + math.exp(-1 / 3))),
    "discrete_gaussian": (
        lambda zeros: lastbit.discrete_gaussian(zeros, 9),
        sum(math.exp(-k * k / 18) for k in range(-3, 4)) / sum(math.exp(-k * k / 18) for k in range(-99, 100)),
    ),
}


@pytest.mark.parametrize("law", LAWS)
def test_noise_is_symmetric_and_of_its_size(law):
    draw, probability = LAWS[law]
    noise = draw(numpy.zeros(40_000, dtype=numpy.int64))
    moved = noise[noise != 0]
    assert abs((moved > 0).sum() - len(moved) / 2) < slack(len(moved))
    # The snapped law has a grid of 3/2^20 at most, which moves its probability by less than one draw in 40,000.
    assert abs((abs(noise) <= 3).sum() - probability * len(noise)) < slack(len(noise)) + 1


def wide_noise(count):
    """Draws that are equal with probability 1/(4·10^15)."""
    return lastbit.discrete_laplace(numpy.zeros(count, dtype=numpy.int64), 10**15)


def test_a_child_does_not_repeat_the_noise_of_its_parent():
    lastbit.laplace(0, 1)  # the parent's source has bits in store
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, repr(wide_noise(8).tolist()).encode())
        os._exit(0)
    ours = wide_noise(8).tolist()
    os.waitpid(child, 0)
    theirs = os.read(read, 10_000).decode()
    os.close(read)
    os.close(write)
    assert theirs.startswith("[") and set(map(str, ours)).isdisjoint(theirs.strip("[]").split(", "))


def test_threads_draw_different_noise_at_the_same_time():
    results = [None] * 4

    def draw(place):
        results[place] = wide_noise(2000)

    threads = [threading.Thread(target=draw, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Of 3.2·10^7 pairs of draws each is equal with probability 1/(4·10^15). Two equal pairs: below 1e-15.
    assert len(set(numpy.concatenate(results).tolist())) >= 7999


def test_other_threads_run_meanwhile():
    done = threading.Event()

    def draw():
        lastbit.laplace(numpy.zeros(1_000_000), 1)
        done.set()

    thread = threading.Thread(target=draw)
    thread.start()
    ticks = 0
    while not done.is_set():
        time.sleep(0.001)
        ticks += 1
    thread.join()
    assert ticks >= 10


def test_errors_carry_their_parts():
    error = expect_code("bad parameter", lastbit.laplace, 1, scale=-1)
    assert error.place and error.problem and error.remedy and error.problem in str(error)


def test_ints_stay_ints_whatever_the_grid_and_the_bounds():
    for values in (3, [3], numpy.array([3])):
        for options in ({"grid": -2}, {"lower": "0.3", "upper": "0.4"}):
            with pytest.raises(lastbit.Error):
                lastbit.laplace(values, 1, **options)
    assert lastbit.laplace(3, 1, lower="1/2", upper="3/2") == 1


@pytest.mark.filterwarnings("error")
def test_values_are_no_errors():
    scalars = [numpy.float32("nan"), numpy.float16("inf"), numpy.longdouble("1e400"), 10**5000, -(10**5000)]
    scalars.append(numpy.int8(3))
    answers = lastbit.laplace(scalars, 1)
    assert [type(answer) for answer in answers] == [float] * 3 + [int] * 3
    assert answers[0] < -1e300 and answers[1] > 1e300 and answers[2] > 1e300
    assert answers[3] > 10**3899 and answers[4] < -(10**3899)
    assert type(lastbit.discrete_laplace([numpy.int8(3)], 1)[0]) is int
    lastbit.laplace(numpy.array([0x7F800001], dtype="u4").view("f4"), 1)
    for wrong in (lambda: lastbit.laplace(1, numpy.longdouble(1)),
                  lambda: lastbit.laplace(numpy.ma.array([1.0, 2.0], mask=[0, 1]), 1)):
        with pytest.raises(lastbit.Error):
            wrong()


def test_fine_grids_give_all_their_digits():
    assert (lastbit.laplace(Fraction(1, 2), 1, grid=-14400) * 2**14400).denominator == 1
