from columns import values
from pydp.algorithms.laplacian import Count


def prepare(data, epsilon):
    ages = values(data / "people.parquet", "age")
    return lambda: Count(epsilon=epsilon, dtype="int").quick_result(ages)
