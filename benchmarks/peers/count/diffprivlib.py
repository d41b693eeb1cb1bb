import numpy
from columns import array
from diffprivlib import tools

NOTE = "the number of rows is public: no answer is above it"


def prepare(data, epsilon):
    present = numpy.ones_like(array(data / "people.parquet", "age"), dtype=bool)
    return lambda: tools.count_nonzero(present, epsilon=epsilon)
