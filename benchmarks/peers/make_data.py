"""Writes the invented tables of the comparison as Parquet files, and what is true of them as JSON:
make_data.py FOLDER ROWS [CENSUS.csv].

The same arguments give the same tables. `people` has ROWS rows, one per person. There are two tables of `visits`, with
100 visits per user on average: a small one of ROWS/10 visits, and a large one of 10·ROWS. At most `MOST_ROWS` visits of
each user count, and nobody has more, so that limits do not bias the truth.
"""

import csv
import json
import pathlib
import shutil
import sys

import numpy
import pyarrow
from pyarrow import parquet

SEED = 20261118
INCOME = (0, 200_000)
AGE = (0, 100)
MINUTES = (0, 240)
REGIONS = [f"region {letter}" for letter in "ABCDEFGHIJ"]
OCCUPATIONS = 500
PLACES = 10
MOST_ROWS = 160


def people(rows):
    """One row per person. Some incomes and ages are beyond the bounds, so that clamping matters."""
    random = numpy.random.Generator(numpy.random.PCG64(SEED))
    age = numpy.rint(random.gamma(5.0, 8.5, rows)).astype(numpy.int64)
    income = numpy.rint(random.lognormal(10.5, 0.8, rows)).astype(numpy.int64)
    region = random.choice(len(REGIONS), rows, p=numpy.arange(1, 11) / 55)
    # Nearly equally frequent, so that finding the most frequent ones is not trivial.
    frequency = 1 + 0.3 * (1 - numpy.arange(OCCUPATIONS) / OCCUPATIONS) ** 4
    occupation = random.choice(OCCUPATIONS, rows, p=frequency / frequency.sum())
    return age, income, region, occupation


def visits(rows):
    """100 visits per user on average, all of them in the user's own place."""
    random = numpy.random.Generator(numpy.random.PCG64(SEED + 1))
    user = random.integers(0, rows // 100, rows)
    habit = random.integers(20, 180, rows // 100)
    minutes = numpy.rint(habit[user] * random.gamma(4.0, 0.25, rows)).astype(numpy.int64)
    place = random.choice(PLACES, rows // 100, p=numpy.arange(1, 11) / 55)
    return user, place[user], minutes


def write_visits(folder, rows):
    """Writes a table of visits; the mean of its minutes, and in each place."""
    user, place, minutes = visits(rows)
    if numpy.bincount(user).max() > MOST_ROWS:
        raise SystemExit(f"somebody has more than {MOST_ROWS} visits; choose another seed")
    folder.mkdir(exist_ok=True)
    parquet.write_table(pyarrow.table({"user": user, "place": place, "minutes": minutes}), folder / "visits.parquet")
    minutes = numpy.clip(minutes, *MINUTES)
    return float(minutes.mean()), [float(minutes[place == here].mean()) for here in range(PLACES)]


def middle(values):
    """The median: of an even number of values, the mean of the two in the middle."""
    return float(numpy.median(values))


def truth_of_people(age, income, region, occupation):
    age, income = numpy.clip(age, *AGE), numpy.clip(income, *INCOME)
    frequencies = numpy.bincount(occupation, minlength=OCCUPATIONS)
    return {
        "count": len(age),
        "sum": int(income.sum()),
        "mean": float(income.mean()),
        "variance": float(age.var(ddof=1)),
        "histogram": numpy.histogram(age, bins=range(0, 101, 10))[0].tolist(),
        "median": middle(income),
        "top": frequencies.tolist(),
        "grouped": [float(income[region == place].mean()) for place in range(len(REGIONS))],
    }


def truth_of_census(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    income = numpy.clip([float(row["income"] or 0) for row in rows], *INCOME)
    age = numpy.clip([int(row["age"]) for row in rows], *AGE)
    sex = numpy.array([int(row["sex"]) for row in rows])
    educ = numpy.array([int(row["educ"]) for row in rows])
    return {
        "educ": numpy.bincount(educ, minlength=17)[1:17].tolist(),
        "income": [float(income[sex == 0].mean()), float(income[sex == 1].mean())],
        "age": middle(age),
    }


def main():
    folder, rows = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    age, income, region, occupation = people(rows)
    table = {"age": age, "income": income, "region": numpy.array(REGIONS)[region], "occupation": occupation}
    parquet.write_table(pyarrow.table(table), folder / "people.parquet")
    truth = truth_of_people(age, income, region, occupation)
    truth["users"], _ = write_visits(folder, rows // 10)
    truth["users_large"], truth["places_large"] = write_visits(folder / "large", 10 * rows)
    if len(sys.argv) > 3:
        shutil.copy(sys.argv[3], folder / "census.csv")
        truth["census"] = truth_of_census(sys.argv[3])
    (folder / "truth.json").write_text(json.dumps(truth), "utf-8")


if __name__ == "__main__":
    main()
