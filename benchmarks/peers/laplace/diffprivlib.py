from diffprivlib.mechanisms import Laplace
from draws import COUNT, timed


def prepare(_data, _epsilon):
    randomise = Laplace(epsilon=0.1, sensitivity=1).randomise
    return timed(lambda: [randomise(0) for _ in range(COUNT)])
