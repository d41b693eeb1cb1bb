from columns import values
from pydp.algorithms.laplacian import BoundedSum


def prepare(data, epsilon):
    incomes = values(data / "people.parquet", "income")
    bounds = {"lower_bound": 0, "upper_bound": 200_000}
    return lambda: BoundedSum(epsilon=epsilon, dtype="int64", **bounds).quick_result(incomes)
