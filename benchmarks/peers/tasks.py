"""What is compared: the tasks, how wrong an answer is, and what no right answer could be."""

import math
import typing

OCCUPATIONS = 500


class System(typing.NamedTuple):
    title: str
    environment: str  # the name of a file in requirements
    package: str
    program: str = ""  # what it needs besides Python


SYSTEMS = {
    "lastbit": System("Lastbit", "data", ""),
    "opendp": System("OpenDP", "opendp", "opendp"),
    "google": System("Google (python-dp)", "google", "python-dp"),
    "diffprivlib": System("diffprivlib", "diffprivlib", "diffprivlib"),
    "smartnoise": System("SmartNoise SQL", "smartnoise", "smartnoise-sql"),
    "pipelinedp": System("PipelineDP", "pipelinedp", "pipeline-dp"),
    "tumult": System("Tumult Analytics", "tumult", "tmlt.analytics", "java"),
    "dp_accounting": System("dp-accounting", "accounting", "dp-accounting"),
    "prv_accountant": System("prv-accountant", "accounting", "prv-accountant"),
    "numpy": System("NumPy (not private)", "data", "numpy"),
}


class Part(typing.NamedTuple):
    """One figure of a task."""

    title: str
    unit: str
    errors: typing.Callable  # of an answer and the truth: a list of numbers
    most: typing.Callable  # of the truth, epsilon and the rows: no right answer is as wrong as this
    shown: bool = True  # False for what is only checked
    random: bool = True  # False if every answer is the same
    sensitivity: float = 0  # if not 0, the usual answer is the exact one with Laplace noise of the scale sensitivity/ε


class Task(typing.NamedTuple):
    title: str
    parts: dict
    truth: typing.Any  # what is true, or its name in truth.json
    times: int = 1  # epsilon is this many times the usual
    runs: int = 1_000_000  # more answers would show nothing new
    folder: str = ""  # of its files, if not its name
    data: str = "."  # of its data, in the folder of all data
    timed: bool = True


def single(answer, truth):
    return [answer - truth]


def cell_by_cell(answer, truth):
    if len(answer) != len(truth):
        return [math.inf]
    return [ours - exact for ours, exact in zip(answer, truth)]


def rows_missed(answer, truth):
    """By how many rows the chosen categories fall short of the most frequent ones."""
    if len(set(answer)) != len(answer) or not all(0 <= choice < len(truth) for choice in answer):
        return [math.inf]
    return [sum(sorted(truth)[-len(answer):]) - sum(truth[choice] for choice in answer)]


def missed_by_chance(truth, _epsilon, _rows):
    return sum(sorted(truth)[-10:]) - 10 * sum(truth) / len(truth)


def times_noise(width, factor=40):
    """A generous multiple of the noise that hides a row of this width."""
    return lambda truth, epsilon, rows: factor * width / epsilon


def times_noise_of_mean(width, share=1.0):
    return lambda truth, epsilon, rows: 40 * width / (epsilon * rows * share)


def not_below(answer, truth):
    """An accountant that promises less than can be lost is wrong."""
    return [answer - truth if answer >= truth else math.inf]


def at_most(bound):
    return lambda truth, epsilon, rows: bound


def draws_of(deviation):
    """A million draws: what is right about their mean and standard deviation, to a few per cent."""
    parts = {"mean": Part("mean", "", single, at_most(0.2), shown=False),
             "deviation": Part("standard deviation", "", single, at_most(0.2), shown=False)}
    return parts, {"mean": 0, "deviation": deviation}


# A lower bound of the loss at a delta of 10⁻⁶, proved by `lastbit account`. prv-accountant's own is 4.8744, with an
# error of 0.001.
LOSS_OF_10_000 = 4.87619


def one(title, unit, errors, most, **more):
    return {"": Part(title, unit, errors, most, **more)}


def census(title):
    return {
        "educ": Part(f"{title}, people by education", "people", cell_by_cell, times_noise(3), sensitivity=3),
        "income": Part(f"{title}, mean income by sex", "dollars", cell_by_cell,
                       lambda truth, epsilon, rows: 3 * 40 * 200_000 / (epsilon * 10_000)),
        "age": Part(f"{title}, median age", "years", single, at_most(3)),
    }


TASKS = {
    "count": Task("Count", one("count", "rows", single, times_noise(1), sensitivity=1), "count"),
    "sum": Task("Sum of incomes", one("sum", "income", single, times_noise(200_000), sensitivity=200_000), "sum"),
    "mean": Task("Mean income", one("mean", "income", single, times_noise_of_mean(200_000)), "mean"),
    "variance": Task("Variance of ages", one("variance", "years²", single, times_noise_of_mean(10_000)), "variance"),
    "histogram": Task("Histogram of ages, 10 bins", one("histogram", "rows", cell_by_cell, times_noise(1),
                                                        sensitivity=1), "histogram"),
    "median": Task("Median income", one("median", "income", single, lambda truth, epsilon, rows: 0.05 * truth),
                   "median"),
    "top": Task("Top 10 of 500 occupations", one("top 10", "rows missed", rows_missed, missed_by_chance), "top"),
    "grouped": Task("Mean income by region", one("mean by region", "income", cell_by_cell,
                                                 times_noise_of_mean(200_000, 1 / 55)), "grouped"),
    "users": Task("User-level mean", one("user-level mean", "minutes", single,
                                         times_noise_of_mean(160 * 240, 1 / 10)), "users"),
    "users_large": Task("User-level mean, 100 times the visits", one("user-level mean, 100 times the visits", "minutes",
                                                                   single, times_noise_of_mean(160 * 240, 10)),
                        "users_large", folder="users", data="large"),
    "places_large": Task("The same by place", one("the same by place", "minutes", cell_by_cell,
                                                  times_noise_of_mean(160 * 240, 10 / 55)),
                         "places_large", folder="places", data="large"),
    "census": Task("Census: three statistics in one release", census("census"), "census", times=10),
    "census_plan": Task("Census, as our plan shares epsilon", census("census as planned"), "census", times=10,
                        timed=False),
    "laplace": Task("10⁶ draws of Laplace noise", *draws_of(14.136), runs=5),
    "gaussian": Task("10⁶ draws of Gaussian noise", *draws_of(10), runs=5),
    "composition": Task("Loss of 10,000 Laplace releases",
                        {"": Part("loss of 10,000 releases, excess", "epsilon", not_below, at_most(3), random=False)},
                        LOSS_OF_10_000, runs=3),
}


def has_errors(task):
    return any(part.shown for part in TASKS[task].parts.values())
