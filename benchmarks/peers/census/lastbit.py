from tool import releases, version

TEXT = """
[columns]
age = { type = "integer", lower = 0, upper = 100 }
income = { type = "real", lower = 0, upper = 200_000, nulls = { impute = 0 } }
sex = { type = "integer", keys = [0, 1] }
educ = { type = "integer", keys = { from = 1, to = 16 } }

[[statistics]]
kind = "count"
by = "educ"
weight = 1

[[statistics]]
kind = "mean"
column = "income"
by = "sex"
weight = 1

[[statistics]]
kind = "median"
column = "age"
weight = 1
"""


def by_name(statistics):
    educ, income, age = statistics
    return {"educ": educ, "income": income, "age": age[0]}


def prepare(data, epsilon):
    return releases(data / "census.csv", TEXT, epsilon, by_name)
