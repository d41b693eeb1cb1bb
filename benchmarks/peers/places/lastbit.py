from tool import every, releases, version

UNIT = '{ id = "user", max_rows_per_group = 160, max_groups = 1 }'
TEXT = """
[columns]
place = { type = "integer", keys = { from = 0, to = 9 } }

[[statistics]]
kind = "mean"
column = "minutes"
lower = 0
upper = 240
by = "place"
"""


def prepare(data, epsilon):
    return releases(data / "visits.parquet", TEXT, epsilon, every, UNIT)
