from spark import answers
from tmlt.analytics import KeySet, QueryBuilder


def prepare(data, epsilon):
    regions = KeySet.from_dict({"region": [f"region {letter}" for letter in "ABCDEFGHIJ"]})
    query = QueryBuilder("rows").groupby(regions).average("income", 0, 200_000)
    release = answers(data / "people.parquet", query, epsilon)
    return lambda: [row[1] for row in sorted(release(), key=lambda row: row[0])]
