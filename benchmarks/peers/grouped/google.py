from columns import groups
from pydp.algorithms.laplacian import BoundedMean

NOTE = "each group by itself"


def prepare(data, epsilon):
    regions = [f"region {letter}" for letter in "ABCDEFGHIJ"]
    incomes = [part.tolist() for part in groups(data / "people.parquet", "income", "region", regions)]
    bounds = {"lower_bound": 0, "upper_bound": 200_000}
    return lambda: [BoundedMean(epsilon=epsilon, dtype="float", **bounds).quick_result(part) for part in incomes]
