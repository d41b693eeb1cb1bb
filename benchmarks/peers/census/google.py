import numpy
from census import table
from pydp.algorithms.laplacian import BoundedMean, Median
from pydp.algorithms.numerical_mechanisms import LaplaceMechanism

NOTE = "each group by itself; counts by NumPy"


def prepare(data, epsilon):
    rows, each = table(data / "census.csv"), epsilon / 3
    educ = numpy.bincount(rows["educ"], minlength=17)[1:17].tolist()
    incomes = [rows["income"][rows["sex"] == sex].tolist() for sex in (0, 1)]
    ages, noise = rows["age"].tolist(), LaplaceMechanism(each, 1)

    def mean(part):
        return BoundedMean(epsilon=each, lower_bound=0, upper_bound=200_000, dtype="float").quick_result(part)

    def median():
        return Median(epsilon=each, lower_bound=0, upper_bound=100, dtype="int").quick_result(ages)

    return lambda: {"educ": [noise.add_noise(count) for count in educ], "income": list(map(mean, incomes)),
                    "age": median()}
