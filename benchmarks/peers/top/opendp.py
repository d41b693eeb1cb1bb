import polars
from frames import answers, dp, keys

NOTE = "counts of all categories, sorted"


def prepare(data, epsilon):
    frame = polars.scan_parquet(data / "people.parquet")
    jobs = keys(occupation=list(range(500)))

    def count(query):
        return query.group_by("occupation").agg(dp.len(signed=True)).with_keys(jobs)

    release = answers(frame, count, epsilon, by=["occupation"])
    return lambda: release().sort("len", descending=True)["occupation"].to_list()[:10]
