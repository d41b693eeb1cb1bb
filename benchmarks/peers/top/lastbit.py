from tool import releases, version

TEXT = """
[[statistics]]
kind = "top"
column = "occupation"
categories = { from = 0, to = 499 }
k = 10
"""


def prepare(data, epsilon):
    release = releases(data / "people.parquet", TEXT, epsilon)
    return lambda: [answer["choice"] for answer in release()[0]]
