import numpy
from columns import array
from diffprivlib import tools

NOTE = "counts of all categories, sorted"


def prepare(data, epsilon):
    jobs = array(data / "people.parquet", "occupation")

    def release():
        counts = tools.histogram(jobs, epsilon=epsilon, bins=500, range=(0, 500))[0]
        return numpy.argsort(-counts, kind="stable")[:10]

    return release
