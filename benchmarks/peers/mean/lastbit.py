from tool import numbers, releases, version

TEXT = """
[[statistics]]
kind = "mean"
column = "income"
lower = 0
upper = 200_000
"""


def prepare(data, epsilon):
    release = releases(data / "people.parquet", TEXT, epsilon)
    return lambda: numbers(release()[0])[0]
