from sql import column, statements

NOTE = "counts of all categories, sorted; also loses a delta of about 1e-9"


def prepare(data, epsilon):
    frame = column(data / "people.parquet", "occupation")
    release = statements(frame, "SELECT occupation, COUNT(*) FROM main.people GROUP BY occupation", epsilon)
    return lambda: [job for job, _ in sorted(release(), key=lambda row: -row[1])[:10]]
