import numpy
import opendp.prelude as dp
from draws import COUNT, timed

dp.enable_features("contrib")


def prepare(_data, _epsilon):
    measurement = (dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T=float)) >> dp.m.then_gaussian(10.0)
    zeros = numpy.zeros(COUNT, dtype=numpy.int64)
    return timed(lambda: measurement(zeros))
