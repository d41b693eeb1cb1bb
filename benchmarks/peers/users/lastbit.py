from tool import numbers, releases, version

UNIT = '{ id = "user", max_rows_per_group = 160 }'
TEXT = """
[[statistics]]
kind = "mean"
column = "minutes"
lower = 0
upper = 240
"""


def prepare(data, epsilon):
    release = releases(data / "visits.parquet", TEXT, epsilon, UNIT)
    return lambda: numbers(release()[0])[0]
