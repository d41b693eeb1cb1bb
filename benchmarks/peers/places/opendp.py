import polars
from frames import answers, dp, keys


def prepare(data, epsilon):
    frame = polars.scan_parquet(data / "visits.parquet")
    minutes = polars.col("minutes").fill_null(0).dp.mean((0, 240))
    places, unit = keys(place=list(range(10))), dp.unit_of(contributions=1, identifier="user")

    def means(query):
        return query.truncate_per_group(160).group_by("place").agg(minutes).with_keys(places)

    release = answers(frame, means, epsilon, by=["place"], unit=unit, longest=20_000_000)
    return lambda: release().sort("place")["minutes"].to_list()
