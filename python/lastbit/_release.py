"""Release files and datasets on disk: plan, release, query, inspect."""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path
from typing import Any, Optional, Union

from . import _lastbit
from ._errors import Error
from ._folder import require_free
from ._numbers import Exact, optional_text_of
from ._results import Answer, Inspection, Plan, Release
from ._toml import require_unicode
from .ledger import Ledger, address_of

PathText = Union[str, "os.PathLike[str]"]
LedgerPath = Union[PathText, Ledger]
GUESSED_ROWS = 10_000

_UNITS = {"": 0, "B": 0, "KB": 1, "MB": 2, "GB": 3, "TB": 4, "KiB": 1, "MiB": 2, "GiB": 3, "TiB": 4}


def plan(
    file: PathText,
    *,
    rows: Optional[int] = None,
    ledger: Optional[LedgerPath] = None,
    again: bool = False,
    same_people: bool = False,
) -> Plan:
    """What the release of a file will cost, and how accurate it will be. Nothing is spent, and no row is read.

    `rows` is a guess of how many rows a group has, for errors that depend on it.
    """
    terms = terms_of(ledger=ledger, again=again, same_people=same_people)
    return Plan(_lastbit.plan(os.fspath(file), rows_text(rows), None, terms))


def release(
    file: PathText,
    *,
    ledger: Optional[LedgerPath] = None,
    out: Optional[PathText] = None,
    again: bool = False,
    same_people: bool = False,
    memory: Union[int, str, None] = None,
    spill: Optional[PathText] = None,
    threads: Optional[int] = None,
) -> Release:
    """Reads the data, books the cost in the ledger, and only then draws noise and answers.

    What fails before the booking costs nothing, and neither does Ctrl-C. `out` is a folder for report.html,
    release.json and answers.csv. `again` releases a plan that the ledger already holds, with fresh noise, at the same
    cost again. `same_people` says that other data is about the people of this ledger.
    """
    terms = terms_of(
        ledger=ledger, again=again, same_people=same_people, memory=memory, spill=spill, threads=threads
    )
    if out is not None:
        require_free(out)
    released = Release(_lastbit.release(os.fspath(file), None, terms))
    save_released(released, out)
    return released


def save_released(released: Release, out: Optional[PathText]) -> None:
    """Saves a release, if somewhere. It is paid for, so a failure does not lose it."""
    if out is None:
        return
    try:
        released.save(out)
    except Error as error:
        warnings.warn(f"the release was not saved: {error}", stacklevel=3)


def query(
    dataset: PathText,
    statement: str,
    *,
    epsilon: Optional[Exact] = None,
    rho: Optional[Exact] = None,
    discover_delta: Optional[Exact] = None,
    ledger: Optional[LedgerPath] = None,
    again: bool = False,
    same_people: bool = False,
    memory: Union[int, str, None] = None,
    spill: Optional[PathText] = None,
    threads: Optional[int] = None,
) -> Answer:
    """Answers one SQL statement about a dataset, which is a release file without statistics.

    `epsilon` or `rho` is the price of the whole statement. `discover_delta` is what finding groups whose keys are not
    public may cost. The rest is as in `release`.
    """
    terms = terms_of(
        ledger=ledger, again=again, same_people=same_people, memory=memory, spill=spill, threads=threads
    )
    require_unicode(statement, "the statement")
    price = price_of(epsilon, rho, discover_delta)
    return Answer(_lastbit.query(None, os.fspath(dataset), statement, *price, None, terms))


def inspect(
    file: PathText,
    *,
    memory: Union[int, str, None] = None,
    spill: Optional[PathText] = None,
    threads: Optional[int] = None,
) -> Inspection:
    """PRIVATE: what the rows of a release hold, and what the release does with them, without noise.

    It is for the custodian alone. Nothing is spent, and no ledger is opened.
    """
    return Inspection(_lastbit.inspect(os.fspath(file), terms_of(memory=memory, spill=spill, threads=threads)))


def last_answers() -> list[Union[Release, Answer]]:
    """The answers that this process paid for most recently, at most 4, the newest last.

    Ctrl-C ends a release before it is booked. One that comes in the instant after that cannot stop it, but makes
    Python forget what it returned. Here it is still.
    """
    kinds = {"release": Release, "answer": Answer}
    return [kinds[texts["kind"]](texts) for texts in list(_lastbit.paid)]


def terms_of(
    *,
    ledger: Optional[LedgerPath] = None,
    again: bool = False,
    same_people: bool = False,
    memory: Union[int, str, None] = None,
    spill: Optional[PathText] = None,
    threads: Optional[int] = None,
) -> Any:
    """Which ledger pays, what the caller intends, and what the engine may use."""
    if threads is not None and not (isinstance(threads, int) and 1 <= threads <= 1024):
        raise Error("bad parameter", "`threads`", "is not a number of threads", "give a whole number from 1 to 1024")
    return _lastbit.Terms(
        ledger=None if ledger is None else address_of(ledger),
        same_people=bool(same_people),
        again=bool(again),
        memory=None if memory is None else byte_count(memory),
        spill=None if spill is None else os.fspath(Path(spill)),
        threads=threads,
    )


def byte_count(size: Union[int, str]) -> int:
    """A size in bytes.

    >>> byte_count("4GB"), byte_count("1MiB"), byte_count(7)
    (4000000000, 1048576, 7)
    """
    match = re.fullmatch(r"(\d{1,19})([KMGT]i?B|B|)", str(size), re.ASCII) if not isinstance(size, bool) else None
    count = 0
    if match:
        count = int(match[1]) * (1024 if "i" in match[2] else 1000) ** _UNITS[match[2]]
    if not 0 < count <= 2**60:
        raise Error("bad parameter", "`memory`", "is not a size", 'give bytes, or a text such as "4GB" or "512MiB"')
    return count


def price_of(
    epsilon: Optional[Exact], rho: Optional[Exact], discover_delta: Optional[Exact]
) -> tuple[Optional[str], Optional[str], Optional[str]]:
    """What a statement may cost, as the extension reads it."""
    if (epsilon is None) == (rho is None):
        problem = "no price was given" if epsilon is None else "both epsilon and rho are given"
        remedy = 'say what the statement may cost: epsilon="0.2", or rho="0.01"'
        raise Error("bad parameter", "`epsilon`", problem, remedy)
    return (
        _positive(epsilon, "epsilon"),
        _positive(rho, "rho"),
        _positive(discover_delta, "discover_delta", below_one=True),
    )


def rows_text(rows: Optional[int]) -> str:
    """A guess of how many rows a group has."""
    if rows is None:
        return str(GUESSED_ROWS)
    if isinstance(rows, bool) or not isinstance(rows, int) or not 1 <= rows <= 10**12:
        raise Error("bad parameter", "`rows`", "is not a number of rows", "give a whole number from 1 to 10**12")
    return str(rows)


def _positive(value: Optional[Exact], name: str, below_one: bool = False) -> Optional[str]:
    text = optional_text_of(value, name)
    if text is None:
        return None
    above, below = text.split("/")
    if int(above) <= 0 or (below_one and int(above) >= int(below)):
        raise Error(
            "bad parameter", f"`{name}`", "is not possible",
            "give a number between 0 and 1" if below_one else "give a number above 0",
        )
    return text
