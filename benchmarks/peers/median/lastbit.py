from tool import numbers, releases, version

TEXT = """
[[statistics]]
kind = "median"
column = "income"
lower = 0
upper = 200_000
step = 2
"""


def prepare(data, epsilon):
    release = releases(data / "people.parquet", TEXT, epsilon)
    return lambda: numbers(release()[0])[0]
