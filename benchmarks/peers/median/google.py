from columns import values
from pydp.algorithms.laplacian import Median


def prepare(data, epsilon):
    incomes = values(data / "people.parquet", "income")
    bounds = {"lower_bound": 0, "upper_bound": 100_000}
    return lambda: Median(epsilon=epsilon, dtype="int", **bounds).quick_result(incomes)
