from sql import NOTE, column, statements


def prepare(data, epsilon):
    frame = column(data / "people.parquet", "age")
    release = statements(frame, "SELECT VAR(age) FROM main.people", epsilon)
    return lambda: release()[0][0]
