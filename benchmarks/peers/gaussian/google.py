from draws import COUNT, timed
from pydp.algorithms.numerical_mechanisms import GaussianMechanism


def prepare(_data, _epsilon):
    sensitivity = 10 / GaussianMechanism(1, 1e-5, 1).std
    add_noise = GaussianMechanism(1, 1e-5, sensitivity).add_noise
    return timed(lambda: [add_noise(0) for _ in range(COUNT)])
