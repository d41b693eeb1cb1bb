from census import table
from pipeline import METRICS, aggregates, one_per_row

LEVELS = list(range(1, 17))


class Census:
    """Three aggregations of the same rows."""

    def __init__(self, **parts):
        self.parts = parts

    def __call__(self):
        return {name: part() for name, part in self.parts.items()}

    def many(self, count, seconds):
        answers = [part.many(count, seconds) for part in self.parts.values()]
        return [dict(zip(self.parts, answer)) for answer in zip(*answers)]


def prepare(data, epsilon):
    rows = {name: column.tolist() for name, column in table(data / "census.csv").items()}
    each, bounds = epsilon / 3, {"min_value": 0, "max_value": 200_000}
    return Census(
        educ=aggregates(one_per_row(rows["educ"], rows["educ"]), each, LEVELS,
                        lambda found: [found[level].count for level in LEVELS], metrics=[METRICS.COUNT]),
        income=aggregates(one_per_row(rows["income"], rows["sex"]), each, [0, 1],
                          lambda found: [found[sex].mean for sex in (0, 1)], metrics=[METRICS.MEAN], **bounds),
        age=aggregates(one_per_row(rows["age"]), each, [0], lambda found: found[0].percentile_50,
                       metrics=[METRICS.PERCENTILE(50)], min_value=0, max_value=100))
