"""Ledgers: privacy budgets that outlive a program.

>>> import os, tempfile
>>> path = os.path.join(tempfile.mkdtemp(), "survey.ledger")
>>> ledger = create(path, epsilon=2, description="survey 2026")
>>> ledger.left
epsilon 2
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Union

from . import _lastbit
from ._costs import Cost, cost_of
from ._errors import Error
from ._numbers import Exact, optional_text_of

PathText = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class LedgerEntry:
    """One spending. `price` is what it took from the budget, `total` what was spent after it."""

    id: int
    time: str
    description: str
    data: str
    unit: str
    plan: str
    cost: Cost
    price: Cost
    total: Cost
    completed: Optional[str]
    hash: str


class Ledger:
    """A ledger: a file, or postgresql://host/database?ledger=NAME, which a team shares.

    It is read anew for every question, so that it shows what others spent as well. It can be pickled, and used in
    threads and after a fork: it is a path or a URL, and holds nothing open.
    """

    path: str

    def __init__(self, path: PathText) -> None:
        self.path = address_of(path)
        self._document()

    @property
    def cap(self) -> Cost:
        """The most that may ever be spent."""
        return _known(cost_of(self._document()["budget"]))

    @property
    def spent(self) -> Cost:
        return _known(cost_of(self._whole()["spent"]))

    @property
    def left(self) -> Cost:
        return _known(cost_of(self._whole()["left"]))

    @property
    def description(self) -> str:
        return self._document()["description"]

    @property
    def entries(self) -> tuple[LedgerEntry, ...]:
        """What was spent, in order."""
        return tuple(_entry(entry) for entry in self._whole()["entries"])

    def verify(self, head: Optional[str] = None) -> str:
        """Checks every record, the chain of hashes and the sums, and gives the head of the chain.

        Note the head where nobody can change it, and give it later: only so can it be seen that records were cut off
        at the end, or that the whole file was replaced.
        """
        if head is not None and not (len(head) == 64 and set(head) <= set("0123456789abcdef")):
            raise Error("bad parameter", "`head`", "is not a head", "give the 64 digits that verify() returned")
        return self._whole(head)["head"]

    def __repr__(self) -> str:
        return self._read()["text"]

    def __fspath__(self) -> str:
        return self.path

    def _read(self, head: Optional[str] = None) -> Mapping[str, str]:
        return _lastbit.read_ledger(self.path, head, "1/1000000")

    def _document(self, head: Optional[str] = None) -> Mapping[str, Any]:
        return json.loads(self._read(head)["json"])

    def _whole(self, head: Optional[str] = None) -> Mapping[str, Any]:
        document = self._document(head)
        if document["damage"] is not None:
            raise Error(
                "bad input", self.path, "the ledger is damaged: " + document["damage"]["problem"],
                "put back a copy that is whole; nothing can be spent from this one",
            )
        return document


def address_of(path: PathText) -> str:
    """What stays the same when the program changes its folder.

    >>> address_of("postgresql://db.example/office?ledger=survey")
    'postgresql://db.example/office?ledger=survey'
    >>> os.path.isabs(address_of("survey.ledger"))
    True
    """
    text = os.fspath(path)
    return text if text.startswith(("postgresql://", "postgres://")) else os.path.abspath(text)


def create(
    path: PathText,
    *,
    epsilon: Optional[Exact] = None,
    delta: Optional[Exact] = None,
    rho: Optional[Exact] = None,
    description: str = "",
) -> Ledger:
    """A new ledger with a budget that never changes: `epsilon` or `rho`, each with a `delta` or without.

    `path` is a file or postgresql://host/database?ledger=NAME. What exists is refused: starting over would forget what
    was spent.
    """
    if (epsilon is None) == (rho is None):
        remedy = "give epsilon or rho, each may have a delta"
        raise Error("bad parameter", "`epsilon`", "the budget is not said once", remedy)
    _lastbit.create_ledger(
        os.fspath(path),
        optional_text_of(epsilon, "epsilon"),
        optional_text_of(delta, "delta"),
        optional_text_of(rho, "rho"),
        description,
    )
    return Ledger(path)


def move(file: PathText, address: str) -> Ledger:
    """Carries a ledger from a file to a PostgreSQL database, record by record, and gives the ledger that is there.

    `address` is postgresql://host/database?ledger=NAME, a name that the database does not have yet. Heads that were
    noted stay in the chain. The file is closed: it keeps its records, says where the ledger is, and pays for nothing
    more. After an interruption, call this again with the same arguments.
    """
    _lastbit.move_ledger(os.fspath(file), os.fspath(address))
    return Ledger(address)


def _entry(entry: Mapping[str, Any]) -> LedgerEntry:
    costs = {name: _known(cost_of(entry[name])) for name in ("cost", "price", "total")}
    names = ("id", "time", "description", "data", "unit", "plan", "completed", "hash")
    return LedgerEntry(**{name: entry[name] for name in names}, **costs)


def _known(cost: Optional[Cost]) -> Cost:
    assert cost is not None
    return cost
