from census import table
from diffprivlib import tools

NOTE = "protects the change of a row; the number of rows of each group is public"


def prepare(data, epsilon):
    rows, each = table(data / "census.csv"), epsilon / 3
    incomes = [rows["income"][rows["sex"] == sex] for sex in (0, 1)]
    return lambda: {"educ": tools.histogram(rows["educ"], epsilon=each, bins=16, range=(1, 17))[0],
                    "income": [tools.mean(part, epsilon=each, bounds=(0, 200_000)) for part in incomes],
                    "age": tools.median(rows["age"], epsilon=each, bounds=(0, 100))}
