from tool import first, releases, version

TEXT = """
[[statistics]]
kind = "variance"
column = "age"
lower = 0
upper = 100
"""


def prepare(data, epsilon):
    return releases(data / "people.parquet", TEXT, epsilon, first)
