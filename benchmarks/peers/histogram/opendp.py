import polars
from frames import answers, dp, keys


def prepare(data, epsilon):
    frame = polars.scan_parquet(data / "people.parquet")
    place = (polars.col("age").clip(0, 99) // 10).alias("place")

    def count(query):
        places = keys(place=list(range(10)))
        return query.with_columns(place).group_by("place").agg(dp.len(signed=True)).with_keys(places)

    release = answers(frame, count, epsilon)
    return lambda: release().sort("place")["len"].to_list()
