"""Chains: what they compute, what their maps say, and what does not fit."""

import math
import random
import threading
from decimal import Decimal
from fractions import Fraction

import numpy
import pytest

import lastbit as lb


def expect_code(code, function, *arguments, **named):
    with pytest.raises(lb.Error) as caught:
        function(*arguments, **named)
    assert caught.value.code == code, str(caught.value)
    return caught.value


def test_a_mean_from_end_to_end():
    chain = lb.rows(float) >> lb.clamp(0, 100) >> lb.resize(1000, 50) >> lb.mean() >> lb.laplace_noise(scale="1/2")
    assert repr(chain) == (
        "rows(float) >> clamp(0, 100) >> resize(1000, 50) >> mean() >> laplace_noise(scale=1/2)"
    )
    # A row added or removed is one row exchanged after resizing: the mean moves by 100/1000, twice less than the scale.
    assert chain.map(1) == Fraction(1, 5) and isinstance(chain.map(1), Fraction)
    assert chain.map(3) == Fraction(3, 5) and chain.map(0) == 0
    assert chain.map("1.5") == Fraction(1, 5)
    assert chain.check(1, "0.2") and not chain.check(1, "0.1999999999999999999999")
    assert chain.measure == "epsilon"
    released = chain([31.5, 40.25] * 500)
    assert isinstance(released, Fraction) and abs(released - Fraction("35.875")) < 20


def test_steps_join_in_any_order():
    one = (lb.rows(float) >> lb.clamp(0, 1)) >> lb.sum()
    other = lb.rows(float) >> (lb.clamp(0, 1) >> lb.sum())
    assert repr(one) == repr(other) and one([0.5, 2]) == other([0.5, 2]) == Fraction(3, 2)
    noise = lb.clamp(0, 1) >> lb.sum() >> lb.laplace_noise(2)
    assert (lb.rows(float) >> noise).map(1) == Fraction(1, 2)
    ended = lb.rows(float) >> noise
    for left, right in ((lb.rows(float), 3), (lb.clamp(0, 1), 3), (noise, lb.sum()), (ended, lb.sum())):
        with pytest.raises(TypeError):
            left >> right


def test_sums_are_exact_and_know_no_order():
    total = lb.rows(float) >> lb.clamp(0, 1) >> lb.sum()
    data = [0.1, 0.2, 0.3] * 50
    shuffled = random.Random(1).sample(data, len(data))
    assert total(data) == total(shuffled) and 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    assert abs(total(data) - 30) < Fraction(1, 2**30)
    coarse = lb.rows(float) >> lb.clamp(0, 1) >> lb.sum(grid=-1)
    assert coarse([0.3, 0.6]) == 1 and coarse([0.2]) == 0
    whole = lb.rows(int) >> lb.clamp(-5, 10) >> lb.sum()
    assert whole([100, -100, 3]) == 8 and whole.map(2) == 20
    assert lb.rows(int, size=3).map(2) == 2
    sized = lb.rows(int, size=3) >> lb.clamp(-5, 10) >> lb.sum()
    assert sized.map(2) == 15 and sized.map(1) == 0


def test_statistics_are_those_of_fractions():
    data = [3, 1, 4, 1, 5, 9, 2, 6]
    known = lb.rows(int, size=len(data)) >> lb.clamp(0, 10)
    mean = Fraction(sum(data), len(data))
    squares = sum((row - mean) ** 2 for row in data)
    assert (known >> lb.mean())(data) == mean
    assert (known >> lb.variance())(data) == squares / (len(data) - 1)
    assert (known >> lb.variance(ddof=0))(data) == squares / len(data)
    assert (known >> lb.count_distinct())(data) == 7
    assert (lb.rows(int) >> lb.count())(data) == 8 and (lb.rows(int) >> lb.count()).map(4) == 4
    assert (known >> lb.count()).map(4) == 0
    assert (known >> lb.mean()).map(2) == Fraction(10, 8)
    assert (known >> lb.variance()).map(2) == Fraction(7, 8) * 100 / 7


def test_histograms_know_their_norm():
    counts = lb.rows(int) >> lb.histogram([1, 2, 3])
    assert counts([3, 3, 1, 8]) == [1, 0, 2] and counts.map(2) == 2
    known = lb.rows(int, size=4)
    assert (known >> lb.histogram([1, 2], other=True)).map(2) == 2
    euclidean = known >> lb.histogram([1, 2], norm=2)
    error = expect_code("not supported", euclidean.map, 2)
    assert "2^(1/2)" in error.problem or "(2)^(1/2)" in error.problem
    assert euclidean.check(2, "1.41422") and not euclidean.check(2, "1.41421")
    assert (euclidean >> lb.discrete_gaussian_noise(25)).map(2) == Fraction(2, 50)
    assert (lb.rows(float) >> lb.bins([0, "0.1", 1]))([0.1, 0.05, 1.0, -1, math.nan]) == [1, 2]
    released = (counts >> lb.discrete_laplace_noise(epsilon=1, sensitivity=1))([1, 2, 3])
    assert len(released) == 3 and all(type(number) is int for number in released)


def test_losses_add_up_in_compositions():
    start = lb.rows(int)
    parts = [start >> lb.count() >> lb.laplace_noise(scale) for scale in (1, 2, 4)]
    together = lb.compose(*parts)
    assert together.map(1) == Fraction(7, 4) and together.check(1, "1.75") and not together.check(1, "1.74")
    assert repr(together).startswith("compose(rows(int) >> count()")
    answers = together([1, 2, 3])
    assert isinstance(answers, tuple) and len(answers) == 3 and all(type(one) is int for one in answers)
    gaussian = start >> lb.count() >> lb.discrete_gaussian_noise(1)
    expect_code("mismatch", lb.compose, parts[0], gaussian)
    assert lb.compose(gaussian, gaussian).map(1) == 1
    of_known_size = lb.rows(int, size=3) >> lb.clamp(0, 1) >> lb.sum() >> lb.laplace_noise(1)
    expect_code("mismatch", lb.compose, parts[0], of_known_size)
    expect_code("mismatch", lb.compose, parts[0], lb.rows(float) >> lb.count() >> lb.laplace_noise(1))
    expect_code("bad parameter", lb.compose, parts[0], start)


@pytest.mark.parametrize(
    "left, step, word",
    [
        (lb.rows(float), lb.sum(), "clamp"),
        (lb.rows(float) >> lb.clamp(0, 1), lb.mean(), "resize"),
        (lb.rows(float) >> lb.clamp(0, 1), lb.variance(), "resize"),
        (lb.rows(float) >> lb.clamp(0, 1), lb.laplace_noise(1), "statistic"),
        (lb.rows(float) >> lb.count(), lb.mean(), "resize"),
        (lb.rows(float), lb.histogram([1]), "bins"),
        (lb.rows(int), lb.impute(0), "floats"),
        (lb.rows(int) >> lb.histogram([1]), lb.discrete_gaussian_noise(1), "norm=2"),
        (lb.rows(int) >> lb.histogram([1], norm=2), lb.laplace_noise(1), "norm=1"),
        (lb.rows(int, size=2) >> lb.clamp(0, 1) >> lb.mean(), lb.discrete_laplace_noise(1), "laplace_noise"),
        (lb.rows(int, size=2), lb.resize(3, 0), "public"),
        (lb.rows(int) >> lb.clamp(0, 1), lb.sum(grid=-1), "clamp"),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused_when_it_is_joined(left, step, word):
    error = expect_code("mismatch", lambda: left >> step)
    assert word in error.remedy and error.problem.startswith("the left side gives ")


@pytest.mark.parametrize(
    "build",
    [
        lambda: lb.rows(str), lambda: lb.rows(int, nan=True), lambda: lb.rows(int, size=-1),
        lambda: lb.rows(int, size=True),
        lambda: lb.rows(int) >> lb.clamp(2, 1), lambda: lb.rows(int) >> lb.clamp("0.1", "0.2"),
        lambda: lb.rows(float, nan=True) >> lb.clamp(0, 1), lambda: lb.clamp("x", 1), lambda: lb.resize(0, 1),
        lambda: lb.rows(int) >> lb.clamp(0, 1) >> lb.resize(3, 7), lambda: lb.rows(int) >> lb.resize(3, "0.5"),
        lambda: lb.rows(int) >> lb.count() >> lb.laplace_noise(0), lambda: lb.laplace_noise(),
        lambda: lb.rows(int) >> lb.count() >> lb.laplace_noise(1, grid=-1), lambda: lb.rows(int) >> lb.histogram([]),
        lambda: lb.rows(int) >> lb.histogram([1, 1]), lambda: lb.histogram([1], norm=3),
        lambda: lb.histogram([1], norm=Decimal("sNaN")),
        lambda: lb.rows(int, size=numpy.arange(2)), lambda: lb.histogram(["a"]),
        lambda: lb.rows(int) >> lb.bins([1]), lambda: lb.rows(int, size=1) >> lb.clamp(0, 1) >> lb.variance(),
        lambda: lb.rows(int).map(-1), lambda: lb.rows(int).check(1, -1), lambda: lb.histogram([2**63]),
    ],
)
def test_parameters_that_make_no_sense(build):
    expect_code("bad parameter", build)


def test_columns_of_all_kinds():
    total = lb.rows(float) >> lb.clamp(0, 10) >> lb.sum()
    column = numpy.arange(6.0)
    for data in (column, list(column), tuple(column), column.astype("f4"), column.astype("i4"), column[::-1],
                 [Fraction(n) for n in range(6)], (Decimal(n) for n in range(6)), [0, 1.0, 2, 3, 4, numpy.float32(5)]):
        assert total(data) == 15
    whole = lb.rows(int) >> lb.clamp(0, 10) >> lb.sum()
    for data in (range(6), numpy.arange(6), numpy.arange(6, dtype="u2"), [True, 2, 3, 4, numpy.int8(5)]):
        assert whole(data) == 15
    read_only = numpy.arange(6)
    read_only.flags.writeable = False
    assert whole(read_only) == 15
    assert whole([]) == 0 and total([]) == 0 and total(numpy.array([])) == 0
    for chain, data in ((whole, [1.0]), (whole, ["1"]), (whole, numpy.arange(2.0)), (whole, 5),
                        (whole, numpy.arange(2, dtype="u8")), (total, ["1"]), (total, "12"),
                        (total, numpy.zeros((2, 2))), (total, numpy.array([None])), (total, [1j]),
                        (total, [numpy.complex64(1)])):
        assert expect_code("bad parameter", chain, data).place == "data"


def test_rows_that_are_out_of_range_are_no_errors():
    total = lb.rows(float) >> lb.clamp(-1, 1) >> lb.sum()
    assert total([math.inf, 10**400, -(10**400), math.nan]) == 0
    assert total([Decimal("sNaN"), Decimal("1e999"), Fraction(10**400)]) == 1
    assert (lb.rows(int) >> lb.clamp(-(2**62), 2**62) >> lb.sum(grid=None))([]) == 0
    assert (lb.rows(int) >> lb.clamp(-7, 5) >> lb.sum())([2**70, -(2**70)]) == -2
    imputed = lb.rows(float, nan=True) >> lb.impute(5) >> lb.clamp(0, 10) >> lb.sum()
    assert imputed([math.nan, 1.0]) == 6


def test_data_of_another_size_is_refused():
    # The price holds for data of the public size only: for a count it is 0.
    known = lb.rows(int, size=4) >> lb.clamp(0, 10)
    for chain in (known >> lb.mean(), known >> lb.count() >> lb.laplace_noise(1), lb.rows(int, size=4)):
        chain([1, 2, 3, 4])
        for data in ([], [1] * 3, numpy.arange(5)):
            error = expect_code("bad input", chain, data)
            assert error.place == "data" and "4 rows" in error.problem and "5" not in error.problem
    assert (lb.rows(int) >> lb.resize(4, 0) >> lb.count())([1]) == 4


def test_many_measurements_are_composed_quickly():
    one = lb.rows(int) >> lb.count() >> lb.laplace_noise(2)
    together = lb.compose(*[one] * 500)
    assert together.map(1) == 250 and len(together([1])) == 500
    for _ in range(100):  # each is one of the parts, not one level more
        together = lb.compose(one, together)
    assert together.map(1) == 300 and len(together([1])) == 600
    longest = lb.rows(int)
    for _ in range(99):
        longest = longest >> lb.clamp(0, 5)
    assert (longest >> lb.count())([1, 2]) == 2
    expect_code("bad parameter", lambda: longest >> lb.clamp(0, 5) >> lb.count())


def test_a_missing_row_is_no_error():
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    least, big = -(2**63), 2**53 + 1
    whole, number = lb.rows(int), lb.rows(float, nan=True) >> lb.impute(-1)
    for gap in (False, True):
        rows = [big, None if gap else 7]
        columns = [rows, pandas.Series(rows, dtype="Int64"), pandas.Series(rows, dtype="int64[pyarrow]"),
                   list(pandas.Series(rows, dtype="Int64")), polars.Series(rows, dtype=polars.Int64),
                   pyarrow.array(rows, pyarrow.int64()), pyarrow.chunked_array([rows], pyarrow.int64())]
        for column in columns:
            assert whole(column) == [big, least if gap else 7]
            assert number(column) == [float(big), -1.0 if gap else 7.0]
        floats = [0.5, None if gap else 1.5]
        for column in (floats, pandas.Series(floats, dtype="Float64"), polars.Series(floats), pyarrow.array(floats)):
            assert number(column) == [0.5, -1.0 if gap else 1.5]
            if column is not floats:
                expect_code("bad parameter", whole, column)
        for column in (pandas.Series([True, None if gap else False], dtype="boolean"),
                       polars.Series([True, None if gap else False]), pyarrow.array([True, None if gap else False])):
            assert whole(column) == [1, least if gap else 0] and number(column) == [1.0, -1.0 if gap else 0.0]
        big_ones = [1, None if gap else 2]
        for column in (polars.Series(big_ones, dtype=polars.UInt64), pandas.Series(big_ones, dtype="UInt64"),
                       pyarrow.array(big_ones, pyarrow.uint64()), pandas.Series(big_ones, dtype="category")):
            expect_code("bad parameter", whole, column)


@pytest.mark.filterwarnings("error")
def test_columns_are_judged_by_type_alone():
    total = lb.rows(float) >> lb.clamp(-1, 1) >> lb.sum()
    signalling = numpy.array([0x7F800001], dtype="u4").view("f4")
    assert total(signalling) == -1 and total(numpy.array([numpy.longdouble("1e400")])) == 1
    for data in (numpy.ma.array([1.0, 2.0], mask=[0, 1]), memoryview(numpy.zeros((2, 2))), "", b"12", {1: 2}):
        for chain in (total, lb.rows(int)):
            expect_code("bad parameter", chain, data)


def test_long_numbers_come_back():
    fine = lb.rows(int) >> lb.count() >> lb.laplace_noise(Fraction(1, 10**3900))
    assert fine.map(10**3900) == 10**7800
    released = (lb.rows(float) >> lb.clamp(0, 1) >> lb.sum() >> lb.laplace_noise(1, grid=-14400))([1])
    assert (released * 2**14400).denominator == 1


def test_custodians_may_ask_for_members():
    known = lb.rows(int, size=2)
    known.require_member([1, 2])
    error = expect_code("bad input", known.require_member, [1, 2, 3])
    assert "1" not in error.problem.replace("vectors of exactly 2 integers", "")
    (known >> lb.clamp(0, 1) >> lb.sum() >> lb.laplace_noise(1)).require_member([5, 6])


def test_resizing_takes_a_random_subset():
    chain = lb.rows(int) >> lb.resize(2, 0)
    seen = {tuple(sorted(chain([1, 2, 3]))) for _ in range(200)}
    assert seen == {(1, 2), (1, 3), (2, 3)}  # each is missed with probability (2/3)^200 < 1e-35
    assert chain.map(1) == 2 and chain.map(9) == 4 and chain([5]) == [5, 0]


def test_noise_is_drawn_anew():
    chain = lb.rows(int) >> lb.count() >> lb.laplace_noise(scale=10**6)
    assert len({chain([1]) for _ in range(20)}) > 1
    n = 20_000
    answers = [abs(chain([])) <= 10**6 * math.log(2) for _ in range(n)]
    assert abs(sum(answers) - n / 2) < math.sqrt(n * math.log(2e9) / 2)  # false alarms: at most 1e-9


def test_others_run_while_a_chain_runs():
    chain = lb.rows(float) >> lb.clamp(0, 1) >> lb.sum()
    data = numpy.random.default_rng(1).random(3_000_000)
    seen, stop = [], threading.Event()

    def count():
        while not stop.wait(0.0005):
            seen.append(None)

    counter = threading.Thread(target=count, daemon=True)
    counter.start()
    for _ in range(3):
        chain(data)
    stop.set()
    counter.join()
    assert len(seen) > 5
