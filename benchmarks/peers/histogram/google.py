import numpy
from columns import array
from pydp.algorithms.numerical_mechanisms import LaplaceMechanism

NOTE = "the Laplace mechanism on counts by NumPy"


def prepare(data, epsilon):
    ages = numpy.clip(array(data / "people.parquet", "age"), 0, 100)
    counts = numpy.histogram(ages, bins=range(0, 101, 10))[0].tolist()
    noise = LaplaceMechanism(epsilon, 1)
    return lambda: [noise.add_noise(count) for count in counts]
