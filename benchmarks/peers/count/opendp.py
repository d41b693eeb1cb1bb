import polars
from frames import answers, dp


def prepare(data, epsilon):
    frame = polars.scan_parquet(data / "people.parquet")
    release = answers(frame, lambda query: query.select(dp.len(signed=True)), epsilon)
    return lambda: release().item()
