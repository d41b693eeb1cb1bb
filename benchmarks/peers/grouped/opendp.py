import polars
from frames import answers, keys


def prepare(data, epsilon):
    frame = polars.scan_parquet(data / "people.parquet")
    places = keys(region=[f"region {letter}" for letter in "ABCDEFGHIJ"])
    income = polars.col("income").fill_null(0).dp.mean((0, 200_000))
    release = answers(frame, lambda query: query.group_by("region").agg(income).with_keys(places), epsilon,
                      by=["region"])
    return lambda: release().sort("region")["income"].to_list()
