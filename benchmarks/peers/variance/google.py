from columns import values
from pydp.algorithms.laplacian import BoundedVariance


def prepare(data, epsilon):
    ages = values(data / "people.parquet", "age")
    bounds = {"lower_bound": 0, "upper_bound": 100}
    return lambda: BoundedVariance(epsilon=epsilon, dtype="float", **bounds).quick_result(ages)
