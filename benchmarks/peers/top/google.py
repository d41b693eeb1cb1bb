import numpy
from columns import array
from pydp.algorithms.numerical_mechanisms import LaplaceMechanism

NOTE = "the Laplace mechanism on counts by NumPy, sorted"


def prepare(data, epsilon):
    counts = numpy.bincount(array(data / "people.parquet", "occupation"), minlength=500).tolist()
    noise = LaplaceMechanism(epsilon, 1)
    return lambda: numpy.argsort([-noise.add_noise(count) for count in counts], kind="stable")[:10]
