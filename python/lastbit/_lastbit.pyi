"""The extension, which only this package calls. Numbers are texts such as "-1/3"."""

from collections import deque
from typing import Any, Optional, Sequence

def laplace_floats(
    values: Any, output: Any, scale: str, grid: Optional[int], lower: Optional[str], upper: Optional[str]
) -> None: ...
def laplace_integers(
    values: Any, output: Any, scale: str, grid: Optional[int], lower: Optional[str], upper: Optional[str]
) -> None: ...
def laplace_numbers(
    values: Sequence[str], scale: str, grid: Optional[int], lower: Optional[str], upper: Optional[str]
) -> list[str]: ...
def discrete_laplace_integers(values: Any, output: Any, scale: str) -> None: ...
def discrete_laplace_numbers(values: Sequence[str], scale: str) -> list[str]: ...
def discrete_gaussian_integers(values: Any, output: Any, variance: str) -> None: ...
def discrete_gaussian_numbers(values: Sequence[str], variance: str) -> list[str]: ...
def create_ledger(
    path: str, epsilon: Optional[str], delta: Optional[str], rho: Optional[str], description: str
) -> None: ...
def read_ledger(path: str, head: Optional[str], delta: str) -> dict[str, str]: ...

class HeldRows: ...

def read_rows(capsule: object, name: str) -> HeldRows: ...

class Terms:
    def __init__(
        self,
        *,
        ledger: Optional[str] = None,
        same_people: bool = False,
        again: bool = False,
        memory: Optional[int] = None,
        spill: Optional[str] = None,
        threads: Optional[int] = None,
    ) -> None: ...

# The answers that were paid for most recently.
paid: deque[dict[str, Any]]

def plan(file: str, rows: str, terms: Terms) -> dict[str, Any]: ...
def release(file: str, terms: Terms) -> dict[str, Any]: ...
def plan_query(
    dataset: Optional[str],
    file: str,
    statement: str,
    epsilon: Optional[str],
    rho: Optional[str],
    delta: Optional[str],
    rows: str,
    held: Optional[HeldRows],
    terms: Terms,
) -> dict[str, Any]: ...
def query(
    dataset: Optional[str],
    file: str,
    statement: str,
    epsilon: Optional[str],
    rho: Optional[str],
    delta: Optional[str],
    held: Optional[HeldRows],
    terms: Terms,
) -> dict[str, Any]: ...
def dataset_facts(dataset: Optional[str], file: str, held: Optional[HeldRows]) -> str: ...
def inspect(file: str, terms: Terms) -> dict[str, str]: ...
