from tool import numbers, releases, version

TEXT = """
[columns]
age = { type = "integer", lower = 0, upper = 100 }
income = { type = "real", lower = 0, upper = 200_000, nulls = { impute = 0 } }
sex = { type = "integer", keys = [0, 1] }
educ = { type = "integer", keys = { from = 1, to = 16 } }

[[statistics]]
kind = "count"
by = "educ"

[[statistics]]
kind = "mean"
column = "income"
by = "sex"

[[statistics]]
kind = "median"
column = "age"
"""


def prepare(data, epsilon):
    release = releases(data / "census.csv", TEXT, epsilon)

    def answers():
        educ, income, age = map(numbers, release())
        return {"educ": educ, "income": income, "age": age[0]}

    return answers
