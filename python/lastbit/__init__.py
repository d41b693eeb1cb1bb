"""Differential privacy: what is proved is what runs, down to the last bit.

>>> import lastbit
>>> noisy = lastbit.laplace(120, epsilon="0.5", sensitivity=1)

Parameters are exact. "0.1" is 1/10; the float 0.1 is the binary fraction that it holds, which is another number.
"""

from ._errors import Error
from ._noise import discrete_gaussian, discrete_laplace, laplace
from ._numbers import exact

__all__ = ["Error", "discrete_gaussian", "discrete_laplace", "exact", "laplace"]
