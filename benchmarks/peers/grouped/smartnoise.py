from sql import NOTE, column, statements


def prepare(data, epsilon):
    frame = column(data / "people.parquet", "income", "region")
    release = statements(frame, "SELECT region, AVG(income) FROM main.people GROUP BY region", epsilon)

    def means():
        found = dict(release())
        return [found[f"region {letter}"] for letter in "ABCDEFGHIJ"]

    return means
