from spark import answers, counts_by, functions


def prepare(data, epsilon):
    place = (functions.least("age", functions.lit(99)) / 10).cast("int").cast("bigint")
    release = answers(data / "people.parquet", counts_by("place", range(10)), epsilon,
                      derive=lambda frame: frame.select(place.alias("place")))
    return lambda: [row["count"] for row in sorted(release(), key=lambda row: row["place"])]
