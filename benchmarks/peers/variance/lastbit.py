from tool import numbers, releases, version

TEXT = """
[[statistics]]
kind = "variance"
column = "age"
lower = 0
upper = 100
"""


def prepare(data, epsilon):
    release = releases(data / "people.parquet", TEXT, epsilon)
    return lambda: numbers(release()[0])[0]
