"""What plans, releases, queries and inspections give. All of them are values: they hold texts, and nothing else."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from fractions import Fraction
from functools import cached_property
from html import escape
from typing import Any, Iterator, Mapping, Optional, Union

from ._costs import Cost, cost_of
from ._folder import write_files
from ._numbers import float_down, float_up

Scalar = Union[None, bool, int, float, str]


@dataclass(frozen=True)
class Estimate:
    """A noisy answer. `exact` is the number that was released; `value` is an int, or the nearest float.

    The true answer is in [lower, upper] with the stated confidence; the floats are rounded outward.
    """

    exact: Optional[Fraction]
    lower: Optional[Fraction]
    upper: Optional[Fraction]
    reliability: Optional[str] = None
    suppressed: bool = False

    @property
    def value(self) -> Union[None, int, float]:
        return None if self.exact is None else _plain(self.exact)

    @property
    def interval(self) -> Optional[tuple[float, float]]:
        if self.lower is None or self.upper is None:
            return None
        return float_down(self.lower), float_up(self.upper)


class _Texts:
    """What the library wrote about something."""

    def __init__(self, texts: Mapping[str, Any]) -> None:
        self._texts = dict(texts)

    @property
    def json(self) -> str:
        """All of it, exactly, as JSON. docs/reports.md explains the keys."""
        return self._texts["json"]

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The same as a dict."""
        return json.loads(self.json)

    def __repr__(self) -> str:
        return self._texts["text"]

    def __getstate__(self) -> Mapping[str, Any]:
        return {"_texts": self._texts}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._texts == other._texts  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(self.json)


class Plan(_Texts):
    """What a release will cost and how accurate it will be. Nothing is spent, and no row is read."""

    def __repr__(self) -> str:
        return super().__repr__().replace("--rows sets another", "`rows` sets another")

    @property
    def cost(self) -> Cost:
        return cost_of(self.document["cost"])  # type: ignore[return-value]

    @property
    def left(self) -> Optional[Cost]:
        """What the ledger has left; None if there is no ledger yet."""
        return cost_of(self.document["ledger"]["left"])

    @property
    def pays(self) -> bool:
        """Whether the ledger would pay; one that is still to be made will."""
        return self._texts["pays"]

    @property
    def errors(self) -> dict[str, Optional[Fraction]]:
        """For each statistic how far an answer is from the truth at most, at its confidence. An error that depends on
        the number of rows is that for a guess (`rows`); it is None where it is not known in advance."""
        errors = {}
        for statistic in self.document["statistics"]:
            most = (statistic["accuracy"] or {}).get("at_most")
            errors[statistic["name"]] = None if most is None else Fraction(most)
        return errors


class _Paid(_Texts):
    """Answers that were paid for: a table of rows, and reports."""

    columns: tuple[str, ...]

    @property
    def cost(self) -> Cost:
        """What the ledger booked."""
        return cost_of(self.document["ledger"]["price"])  # type: ignore[return-value]

    @property
    def left(self) -> Cost:
        """What the ledger had left afterwards."""
        return cost_of(self.document["ledger"]["left"])  # type: ignore[return-value]

    @property
    def entry(self) -> int:
        """The number of its entry in the ledger."""
        return self.document["ledger"]["entry"]

    @property
    def completed(self) -> bool:
        """Whether the ledger could note that the release ended. It counts the spending in either case."""
        return self._texts["completed"]

    @property
    def html(self) -> str:
        """The report, as one page for everybody."""
        return self._texts["html"]

    @property
    def csv(self) -> str:
        return self._texts["csv"]

    @property
    def rows(self) -> list[dict[str, Scalar]]:
        raise NotImplementedError

    def __iter__(self) -> Iterator[dict[str, Scalar]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> dict[str, Scalar]:
        return self.rows[index]

    def to_pandas(self) -> Any:
        """The rows as a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self._lists())

    def to_polars(self) -> Any:
        """The rows as a polars DataFrame."""
        import polars

        return polars.DataFrame(self._lists())

    def to_arrow(self) -> Any:
        """The rows as a pyarrow Table."""
        import pyarrow

        return pyarrow.table(self._lists())

    def save(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        """Writes report.html, release.json and answers.csv. An earlier release there is never overwritten."""
        write_files(folder, {"report.html": self.html, "release.json": self.json, "answers.csv": self.csv})

    def _lists(self) -> dict[str, list[Scalar]]:
        rows = self.rows
        return {name: _one_type([row[name] for row in rows]) for name in self.columns}


class Answer(_Paid):
    """The answer to a statement: one row per group, in the order that the statement asks for.

    `rows` has plain numbers, `estimates` the exact ones with their intervals.
    """

    @property
    def statement(self) -> str:
        return self.document["statement"]

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(column["name"] for column in self.document["columns"])

    @cached_property
    def estimates(self) -> list[dict[str, Any]]:
        """The rows, with an Estimate for each answer."""
        return [
            {name: _estimate(cell) if isinstance(cell, dict) else cell for name, cell in zip(self.columns, row)}
            for row in self.document["rows"]
        ]

    @property
    def rows(self) -> list[dict[str, Scalar]]:
        return [
            {name: cell.value if isinstance(cell, Estimate) else cell for name, cell in row.items()}
            for row in self.estimates
        ]

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            f"<tr>{''.join(_cell_html(cell) for cell in row.values())}</tr>" for row in self.estimates
        )
        notes = "<br>".join(escape(line.strip()) for line in _below_table(repr(self)))
        return (
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{notes}</p>"
            f"<details><summary>Report with charts</summary>{_page_html(self.html)}</details>"
        )


class Release(_Paid):
    """The answers of a release, one row per number that was published."""

    @cached_property
    def estimates(self) -> list[dict[str, Any]]:
        """The rows, with an Estimate as `answer`."""
        rows = []
        for statistic in self.document["statistics"]:
            for line in statistic["answers"]:
                row = {"statistic": statistic["name"]}
                row.update({_group_name(name): key for name, key in line["group"].items()})
                row.update({"cell": line["cell"], "choice": line["choice"], "answer": _estimate(line)})
                rows.append(row)
        return rows

    @cached_property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        names = ["statistic"]
        for row in self.estimates:
            for name, value in row.items():
                if name not in names and name != "answer" and (value is not None or name not in ("cell", "choice")):
                    names.append(name)
        return (*names, "answer", "lower", "upper", "reliability", "suppressed")

    @property
    def rows(self) -> list[dict[str, Scalar]]:
        rows = []
        for row in self.estimates:
            answer = row["answer"]
            lower, upper = answer.interval or (None, None)
            whole = {
                **row, "answer": answer.value, "lower": lower, "upper": upper,
                "reliability": answer.reliability, "suppressed": answer.suppressed,
            }
            rows.append({name: whole.get(name) for name in self.columns})
        return rows

    def _repr_html_(self) -> str:
        return _page_html(self.html)


class Inspection(_Texts):
    """PRIVATE: what the rows of a release hold, without noise. It is for the custodian alone; do not publish it.

    It cannot be pickled.
    """

    def __getstate__(self) -> Mapping[str, Any]:
        raise TypeError("an inspection is private and is not written anywhere; make it again where it is needed")


_RESERVED = ("statistic", "cell", "choice", "answer", "lower", "upper", "reliability", "suppressed")


def _group_name(name: str) -> str:
    return f"by {name}" if name in _RESERVED else name


def _estimate(cell: Mapping[str, Any]) -> Estimate:
    numbers = (None if cell[name] is None else Fraction(cell[name]) for name in ("answer", "lower", "upper"))
    return Estimate(*numbers, reliability=cell["reliability"], suppressed=cell["suppressed"])


def _plain(number: Fraction) -> Union[int, float]:
    if number.denominator == 1:
        return number.numerator
    try:
        return float(number)
    except OverflowError:
        return number.numerator // number.denominator


def _one_type(values: list[Scalar]) -> list[Scalar]:
    """Ints beside floats, or too large for 64 bits, become floats, as in any table."""
    if not any(isinstance(value, float) or (isinstance(value, int) and abs(value) >= 2**63) for value in values):
        return values
    return [float(value) if isinstance(value, int) and not isinstance(value, bool) else value for value in values]


def _page_html(page: str) -> str:
    """A page has styles for a whole document, so it gets one of its own."""
    return f'<iframe srcdoc="{escape(page)}" style="width:100%;height:40em;border:0"></iframe>'


def _number_text(number: Union[int, float]) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:,.6g}"


def _end_text(number: float, rounding: str) -> str:
    """An end of an interval, rounded outward."""
    return f"{Context(prec=6, rounding=rounding).create_decimal_from_float(number).normalize():,f}"


def _cell_html(cell: Any) -> str:
    if not isinstance(cell, Estimate):
        return f"<td>{'' if cell is None else escape(str(cell))}</td>"
    if cell.value is None:
        return "<td>not shown</td>"
    text = _number_text(cell.value)
    if cell.interval is not None:
        lower, upper = cell.interval
        text += f" <small>({_end_text(lower, ROUND_FLOOR)} to {_end_text(upper, ROUND_CEILING)})</small>"
    return f'<td style="text-align:right">{text}</td>'


def _below_table(text: str) -> list[str]:
    """The notes of a table for a terminal, which stand below its second empty line."""
    return [line for line in text.strip("\n").partition("\n\n")[2].splitlines() if line.strip()]
