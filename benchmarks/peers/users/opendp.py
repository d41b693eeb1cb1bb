import polars
from frames import answers, dp


def prepare(data, epsilon):
    frame = polars.scan_parquet(data / "visits.parquet")
    minutes = polars.col("minutes").fill_null(0).dp.mean((0, 240))
    unit = dp.unit_of(contributions=1, identifier="user")
    release = answers(frame, lambda query: query.truncate_per_group(160).select(minutes), epsilon, unit=unit,
                      longest=20_000_000)
    return lambda: release().item()
