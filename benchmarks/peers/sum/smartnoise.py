from sql import NOTE, column, statements


def prepare(data, epsilon):
    frame = column(data / "people.parquet", "income")
    release = statements(frame, "SELECT SUM(income) FROM main.people", epsilon)
    return lambda: release()[0][0]
