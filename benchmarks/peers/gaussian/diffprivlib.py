import math

from diffprivlib.mechanisms import Gaussian
from draws import COUNT, timed


def prepare(_data, _epsilon):
    sensitivity = 10 / math.sqrt(2 * math.log(1.25 / 1e-5))  # so that the deviation is 10
    randomise = Gaussian(epsilon=1, delta=1e-5, sensitivity=sensitivity).randomise
    return timed(lambda: [randomise(0) for _ in range(COUNT)])
