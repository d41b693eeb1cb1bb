from spark import answers
from tmlt.analytics import QueryBuilder


def prepare(data, epsilon):
    release = answers(data / "people.parquet", QueryBuilder("rows").variance("age", 0, 100), epsilon)
    return lambda: release()[0][0]
