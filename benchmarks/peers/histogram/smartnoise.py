from sql import NOTE, column, statements


def prepare(data, epsilon):
    frame = column(data / "people.parquet", "age")
    frame["place"] = frame["age"].clip(0, 99) // 10
    release = statements(frame, "SELECT place, COUNT(*) FROM main.people GROUP BY place", epsilon)

    def counts():
        found = dict(release())
        return [found.get(place, 0) for place in range(10)]

    return counts
