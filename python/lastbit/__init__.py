"""Differential privacy: what is proved is what runs, down to the last bit.

>>> import lastbit
>>> noisy = lastbit.laplace(120, epsilon="0.5", sensitivity=1)

Parameters are exact. "0.1" is 1/10; the float 0.1 is the binary fraction that it holds, which is another number.
"""

from . import accuracy, ledger
from ._account import TotalLoss, account
from ._chain import (
    Measurement, Noise, Step, Transformation, bins, clamp, compose, count, count_distinct, discrete_gaussian_noise,
    discrete_laplace_noise, histogram, impute, laplace_noise, mean, resize, rows, variance,
)
from ._chain import sum as sum  # so written, type checkers know it as public
from ._costs import Cost
from ._errors import BudgetError, Error, RefusedError
from ._lastbit import version as __version__
from ._noise import discrete_gaussian, discrete_laplace, laplace
from ._numbers import exact
from ._release import inspect, last_answers, plan, query, release
from ._results import Answer, Estimate, Inspection, Plan, Release
from ._session import Session
from ._verifier import Decision, FloatLoss, Theorem, Witness, check, loss, prove
from .ledger import Ledger, LedgerEntry

# `sum` is left out, so that `from lastbit import *` does not hide Python's own.
__all__ = [
    "Answer", "BudgetError", "Cost", "Decision", "Error", "Estimate", "FloatLoss", "Inspection", "Ledger",
    "LedgerEntry", "Measurement", "Noise", "Plan", "RefusedError", "Release", "Session", "Step", "Theorem",
    "TotalLoss", "Transformation", "Witness", "account", "accuracy", "bins", "check", "clamp", "compose", "count",
    "count_distinct", "discrete_gaussian", "discrete_gaussian_noise", "discrete_laplace", "discrete_laplace_noise",
    "exact", "histogram", "impute", "inspect", "laplace", "laplace_noise", "last_answers", "ledger", "loss", "mean",
    "plan", "prove", "query", "release", "resize", "rows", "variance",
]
