from tool import every, releases, version

TEXT = """
[derive]
at_most_100 = "least(age, 100)"

[[statistics]]
kind = "histogram"
column = "at_most_100"
bins = { from = 0, to = 100, width = 10 }
"""


def prepare(data, epsilon):
    return releases(data / "people.parquet", TEXT, epsilon, every)
