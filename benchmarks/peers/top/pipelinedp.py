from columns import values
from pipeline import METRICS, aggregates, one_per_row

NOTE = "counts of all categories, sorted"


def ten_most(found):
    return sorted(found, key=lambda job: -found[job].count)[:10]


def prepare(data, epsilon):
    jobs = values(data / "people.parquet", "occupation")
    return aggregates(one_per_row(jobs, jobs), epsilon, list(range(500)), ten_most, metrics=[METRICS.COUNT])
