from tool import every, releases, version

TEXT = """
[columns]
region = { keys = ["region A", "region B", "region C", "region D", "region E", "region F", "region G", "region H",
  "region I", "region J"] }

[[statistics]]
kind = "mean"
column = "income"
lower = 0
upper = 200_000
by = "region"
"""


def prepare(data, epsilon):
    return releases(data / "people.parquet", TEXT, epsilon, every)
