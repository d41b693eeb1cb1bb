from columns import values
from pipeline import METRICS, aggregates, one_per_row


def prepare(data, epsilon):
    rows = one_per_row(values(data / "people.parquet", "age"))
    return aggregates(rows, epsilon, [0], lambda found: found[0].variance, metrics=[METRICS.VARIANCE], min_value=0,
                      max_value=100)
