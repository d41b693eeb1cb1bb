from columns import values
from pydp.algorithms.laplacian import BoundedMean

NOTE = "as floats: the mean of integers overflows 32 bits here"


def prepare(data, epsilon):
    incomes = values(data / "people.parquet", "income")
    bounds = {"lower_bound": 0, "upper_bound": 200_000}
    return lambda: BoundedMean(epsilon=epsilon, dtype="float", **bounds).quick_result(incomes)
