from tool import every, releases, version

TEXT = """
[[statistics]]
kind = "top"
column = "occupation"
categories = { from = 0, to = 499 }
k = 10
"""


def prepare(data, epsilon):
    return releases(data / "people.parquet", TEXT, epsilon, every)
