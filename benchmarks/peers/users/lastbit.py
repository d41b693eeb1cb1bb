from tool import first, releases, version

UNIT = '{ id = "user", max_rows_per_group = 160 }'
TEXT = """
[[statistics]]
kind = "mean"
column = "minutes"
lower = 0
upper = 240
"""


def prepare(data, epsilon):
    return releases(data / "visits.parquet", TEXT, epsilon, first, UNIT)
