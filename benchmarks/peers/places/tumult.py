from spark import answers
from tmlt.analytics import AddRowsWithID, KeySet, MaxGroupsPerID, MaxRowsPerGroupPerID, QueryBuilder


def prepare(data, epsilon):
    places = KeySet.from_dict({"place": list(range(10))})
    query = (QueryBuilder("rows").enforce(MaxGroupsPerID("place", 1)).enforce(MaxRowsPerGroupPerID("place", 160))
             .groupby(places).average("minutes", 0, 240))
    release = answers(data / "visits.parquet", query, epsilon, AddRowsWithID("user"))
    return lambda: [row[1] for row in sorted(release(), key=lambda row: row[0])]
