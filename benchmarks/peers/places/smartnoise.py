from sql import column, statements

NOTE = "also loses a delta of about 1e-9"


def prepare(data, epsilon):
    frame = column(data / "visits.parquet", "user", "place", "minutes")
    table = {"max_ids": 160, "sample_max_ids": True, "rows": len(frame), "censor_dims": False, "clamp_counts": False,
             "user": {"type": "int", "private_id": True}, "minutes": {"type": "int", "lower": 0, "upper": 240}}
    release = statements(frame, "SELECT place, AVG(minutes) FROM main.people GROUP BY place", epsilon, table)

    def means():
        found = dict(release())
        return [found[place] for place in range(10)]

    return means
