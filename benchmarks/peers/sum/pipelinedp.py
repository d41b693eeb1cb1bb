from columns import values
from pipeline import METRICS, aggregates, one_per_row


def prepare(data, epsilon):
    rows = one_per_row(values(data / "people.parquet", "income"))
    return aggregates(rows, epsilon, [0], lambda found: found[0].sum, metrics=[METRICS.SUM], min_value=0,
                      max_value=200_000)
