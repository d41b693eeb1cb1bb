"""A million draws of noise: how long they took, and what they look like."""

import time

import numpy

COUNT = 1_000_000


def timed(draw):
    """A function that draws again: the seconds that it took, the mean and the standard deviation."""

    def run():
        start = time.perf_counter()
        noise = draw()
        seconds = time.perf_counter() - start
        return {"seconds": seconds, "mean": float(numpy.mean(noise)), "deviation": float(numpy.std(noise))}

    return run
