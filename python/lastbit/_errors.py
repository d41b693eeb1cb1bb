"""The exception of the package."""

import re

from . import _lastbit

# The library speaks of the options of its tool.
_OPTIONS = (
    (re.compile(r"`lastbit ledger init`( makes a new ledger)?"), "lastbit.ledger.create makes a new ledger"),
    (re.compile(r"`lastbit ledger verify`"), "lastbit.Ledger(path).verify()"),
    (re.compile(r"`lastbit ledger show`"), "lastbit.Ledger(path)"),
    (re.compile(r"--(again|same-people)\b"), lambda found: f"{found[1].replace('-', '_')}=True"),
    (
        re.compile(r"--(epsilon|rho|delta|discover-delta) (\d[\d.e/-]*)"),
        lambda found: f'{found[1].replace("-", "_")}="{found[2]}"',
    ),
    (re.compile(r"--([a-z]+(?:-[a-z]+)*)\b"), lambda found: found[1].replace("-", "_")),
)


class Error(Exception):
    """What is wrong, where, and what to do about it. No message contains private data, or a password in a URL.

    `code` is a word for programs: `bad parameter`, `bad text`, `over budget`, `refused`, …

    >>> import lastbit
    >>> try:
    ...     lastbit.laplace(5, scale=0)
    ... except lastbit.Error as error:
    ...     error.code
    'bad parameter'
    """

    code: str
    place: str
    problem: str
    remedy: str

    def __init__(self, code: str, place: str, problem: str, remedy: str) -> None:
        place, problem, remedy = map(_lastbit.without_passwords, (place, problem, remedy))
        super().__init__(f"{place}: {problem}\n  {remedy}")
        self.code = code
        self.place = place
        self.problem = problem
        self.remedy = remedy

    def __reduce__(self):
        return (type(self), (self.code, self.place, self.problem, self.remedy))


class BudgetError(Error):
    """The ledger has too little left. Nothing was spent, and no row was read."""


class RefusedError(Error):
    """The ledger takes it for a mistake: other people, the same plan again, or it was moved. Nothing was spent."""


def error_of(code: str, place: str, problem: str, remedy: str) -> Error:
    """The error with this code, in the class that fits it."""
    for option, argument in _OPTIONS:
        remedy = option.sub(argument, remedy)
    kinds = {"over budget": BudgetError, "refused": RefusedError}
    return kinds.get(code, Error)(code, place, problem, remedy)


# Tracebacks name them as users do.
for kind in (Error, BudgetError, RefusedError):
    kind.__module__ = "lastbit"
