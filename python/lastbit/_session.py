"""Questions about data in a notebook: a Session knows the data, the people and the ledger."""

from __future__ import annotations

import json
import os
import re
from typing import Any, Mapping, Optional, Union

from . import _lastbit
from ._costs import Cost
from ._errors import Error
from ._numbers import Exact
from ._release import LedgerPath, PathText, price_of, rows_text, terms_of
from ._results import Answer, Plan
from ._toml import require_unicode, toml_table, toml_value
from .ledger import Ledger


class Session:
    """Data, whose privacy is protected, and the ledger that pays: all that questions need.

    `data` is the path of a file (CSV, TSV, JSON, Parquet, DuckDB), the URL of a PostgreSQL database
    (docs/postgresql.md), the path of a dataset (.toml), or a table in memory: of pyarrow, polars, pandas or DuckDB, or
    anything else with `__arrow_c_stream__`. A table in memory is held as it is, without a copy: do not change its values in place while the session is in use, as `frame.loc[...] = 0` or
    a write into an array behind it does, or give a copy of it. It needs a `name`, which is all that the ledger knows
    of it: give the same people the same name, and other people another.

    A frame of Spark stays in the cluster: executors count, and exact parts of answers come back. It needs a `name` too.

    `unit` is "row" if each person has one row, otherwise the column that names people. Then `max_rows` is how many
    rows of a person count per group, and `max_groups` in how many groups a person counts.

    `columns` says what is publicly known: {"income": {"lower": 0, "upper": 200000}, "sex": {"keys": ["f", "m"]}}.
    `derive`, `where` and `keys` are those of release files, and `source` holds what else a file needs: a delimiter,
    null_text, the table of a DuckDB file or of a database. `epsilon` (with `delta`) or `rho` is the most that one statement may cost;
    without them it is the cap of the ledger.

    The text that is made of all this is in `dataset`; errors name its lines.
    """

    ledger: Ledger
    dataset: Optional[str]

    def __init__(
        self,
        data: Any,
        *,
        ledger: Optional[LedgerPath] = None,
        unit: Optional[str] = None,
        columns: Optional[Mapping[str, Mapping[str, Any]]] = None,
        name: Optional[str] = None,
        max_rows: Optional[int] = None,
        max_groups: Optional[int] = None,
        epsilon: Optional[Exact] = None,
        delta: Optional[Exact] = None,
        rho: Optional[Exact] = None,
        derive: Optional[Mapping[str, str]] = None,
        keys: Optional[Mapping[str, Mapping[str, Any]]] = None,
        where: Optional[str] = None,
        source: Optional[Mapping[str, Any]] = None,
        memory: Union[int, str, None] = None,
        spill: Optional[PathText] = None,
        threads: Optional[int] = None,
    ) -> None:
        self._limits = {"memory": memory, "spill": spill, "threads": threads}
        terms_of(**self._limits)  # wrong limits are refused before anything is read
        described = (unit, columns, name, max_rows, max_groups, epsilon, delta, rho, derive, keys, where, source)
        self._held = None
        self.dataset = None
        if _is_path(data):
            _lastbit.refuse_other_urls("`data`", os.fspath(data))
        if _is_path(data) and not _is_server(data) and os.fspath(data).endswith(".toml"):
            if any(value is not None for value in described):
                raise _wrong("data", "is a dataset, which says everything but the ledger", "change the file instead")
            self._file = os.path.abspath(os.fspath(data))
            facts = json.loads(_lastbit.dataset_facts(None, self._file, None))
            self._columns = facts["columns"]
            self.ledger = _opened(facts["ledger"] if ledger is None else ledger)
            return
        if ledger is None:
            remedy = "create one with lastbit.ledger.create, once for all data about these people"
            raise _wrong("ledger", "is missing", remedy)
        if unit is None:
            remedy = 'write unit="row" if each person has one row, otherwise name the column that names people'
            raise _wrong("unit", "is missing", remedy)
        self.ledger = _opened(ledger)
        head, self._file = self._source(data, name, source)
        budget = {**_budget(self.ledger, epsilon, delta, rho), "ledger": _ledger_name(self.ledger.path)}
        tables = {"source": head, "budget": budget, "columns": columns, "derive": derive, "keys": keys}
        condition = "" if where is None else f"where = {toml_value(where, 'where')}\n"
        self.dataset = f"version = 1\n{_unit_line(unit, max_rows, max_groups)}{condition}" + "".join(
            toml_table(part, entries) for part, entries in tables.items() if entries
        )
        self._columns = json.loads(_lastbit.dataset_facts(self.dataset, self._file, self._held))["columns"]

    def query(
        self,
        statement: str,
        *,
        epsilon: Optional[Exact] = None,
        rho: Optional[Exact] = None,
        discover_delta: Optional[Exact] = None,
        again: bool = False,
        same_people: bool = False,
    ) -> Answer:
        """Books the cost of a statement, and answers it with noise.

        What fails before the booking costs nothing, and neither does Ctrl-C.
        """
        require_unicode(statement, "the statement")
        price = price_of(epsilon, rho, discover_delta)
        terms = self._terms(again, same_people)
        return Answer(_lastbit.query(self.dataset, self._file, statement, *price, self._held, terms))

    def plan(
        self,
        statement: str,
        *,
        epsilon: Optional[Exact] = None,
        rho: Optional[Exact] = None,
        discover_delta: Optional[Exact] = None,
        rows: Optional[int] = None,
        again: bool = False,
        same_people: bool = False,
    ) -> Plan:
        """What a statement would cost, and how accurate its answer would be. Nothing is spent, and no row is read."""
        require_unicode(statement, "the statement")
        price = price_of(epsilon, rho, discover_delta)
        terms = self._terms(again, same_people)
        held = self._held
        return Plan(_lastbit.plan_query(self.dataset, self._file, statement, *price, rows_text(rows), held, terms))

    @property
    def left(self) -> Cost:
        """What the ledger has left."""
        return self.ledger.left

    @property
    def columns(self) -> dict[str, str]:
        """The columns of the data, and what it calls their types."""
        return dict(self._columns)

    def __repr__(self) -> str:
        listed = ", ".join(f"{name} ({kind})" for name, kind in self._columns.items())
        return f"Session of {os.path.basename(self._file)}: {listed}\n{self.left} is left in {self.ledger.path}"

    def __reduce__(self) -> Any:
        raise TypeError("a session holds private rows and is not written anywhere; make it again where it is needed")

    def _terms(self, again: bool, same_people: bool) -> Any:
        # The ledger that `left` shows pays, wherever the program works by now, and whatever the dataset names by now.
        return terms_of(ledger=self.ledger, again=again, same_people=same_people, **self._limits)

    def _source(
        self, data: Any, name: Optional[str], source: Optional[Mapping[str, Any]]
    ) -> tuple[dict[str, Any], str]:
        """What the dataset says about the data, and the path that messages call the dataset by."""
        head = dict(source or {})
        if name is not None:
            _require_name(name)
        if _is_server(data):
            head["url"] = data
            if name is not None:
                head["name"] = name
            return head, os.path.join(os.getcwd(), _file_name(name or "postgresql"))
        if _is_path(data):
            path = os.path.abspath(os.fspath(data))
            head["path"] = os.path.basename(path)
            if name is not None:
                head["name"] = name
            stem = name or os.path.basename(path).partition(".")[0]
            return head, os.path.join(os.path.dirname(path), _file_name(stem))
        if not _is_spark(data) and not hasattr(data, "__arrow_c_stream__"):
            raise _wrong("data", f"is a {type(data).__name__}", _advice(data))
        if name is None:
            raise _wrong("name", "is missing", 'give the data a name, by which the ledger will know it: name="survey"')
        if head:
            raise _wrong("source", "says how a file is written, and the data is in memory", "leave it out")
        if _is_spark(data):
            self._held = self._far_rows(data, name)
        else:
            self._held = _lastbit.read_rows(_stream_of(data, name), name)
        return {"format": "arrow", "name": name}, os.path.join(os.getcwd(), _file_name(name))

    def _far_rows(self, frame: Any, name: str) -> Any:
        if self._limits["spill"] is not None or self._limits["threads"] is not None:
            problem = "are settings of the cluster where the rows are in Spark"
            raise _wrong("spill` and `threads", problem, "leave them out; memory is what one task may use")
        from ._spark_rows import rows_of_frame

        return rows_of_frame(frame, name)


def _require_name(name: Any) -> None:
    """It becomes part of messages and of a path, so it is checked before anything else."""
    fits = isinstance(name, str) and not re.search(r"[\x00-\x1f\x7f\ud800-\udfff]", name)
    if not fits or not 0 < len(name.encode()) <= 200:
        problem = "is not a short line of text"
        raise _wrong("name", problem, 'give the name by which the ledger will know the data: name="survey"')


def _opened(ledger: LedgerPath) -> Ledger:
    return ledger if isinstance(ledger, Ledger) else Ledger(ledger)


def _stream_of(data: Any, name: str) -> Any:
    """The stream of a table. What an error of its library says may quote the data, so it goes nowhere."""
    kind = None
    try:
        return data.__arrow_c_stream__()
    except Exception as error:
        kind = type(error).__name__
    raise Error(
        "bad input", name, f"the {type(data).__name__} cannot be read as Arrow ({kind})",
        "give every column one type: whole numbers within 64 bits, floats, texts, dates, or truth values",
    )


def _is_spark(data: Any) -> bool:
    """Frames of Spark give Arrow too, but all of it to the driver."""
    kind = type(data)
    return kind.__module__.startswith("pyspark.sql.") and kind.__name__ == "DataFrame"


def _is_path(data: Any) -> bool:
    return isinstance(data, (str, os.PathLike))


def _is_server(data: Any) -> bool:
    return isinstance(data, str) and data.startswith(("postgresql://", "postgres://"))


def _file_name(name: str) -> str:
    return name.replace("/", "_").replace("\0", "_")


def _advice(data: Any) -> str:
    if type(data).__name__ == "LazyFrame":
        return "collect() it first"
    return "give the path of a file, or a table of pyarrow, polars, pandas (2.2 or newer) or DuckDB"


def _unit_line(unit: str, max_rows: Optional[int], max_groups: Optional[int]) -> str:
    if unit == "row":
        if max_rows is not None or max_groups is not None:
            problem = "limits the rows of a person, and each row is a person"
            raise _wrong("max_rows", problem, "leave it out, or name the column of people in unit")
        return 'unit = "row"\n'
    if max_rows is None:
        raise _wrong("max_rows", "is missing", "say how many rows of a person count per group: max_rows=1")
    limits = {"id": unit, "max_rows_per_group": max_rows}
    if max_groups is not None:
        limits["max_groups"] = max_groups
    return f"unit = {toml_value(limits, 'unit')}\n"


def _ledger_name(path: str) -> str:
    return path if "://" in path else os.path.basename(path)


def _budget(
    ledger: Ledger, epsilon: Optional[Exact], delta: Optional[Exact], rho: Optional[Exact]
) -> dict[str, Exact]:
    given = {"epsilon": epsilon, "delta": delta, "rho": rho}
    if all(value is None for value in given.values()):
        cap = ledger.cap
        given = {"epsilon": cap.epsilon, "delta": cap.delta, "rho": cap.rho}
    return {name: value for name, value in given.items() if value is not None}


def _wrong(parameter: str, problem: str, remedy: str) -> Error:
    return Error("bad parameter", f"`{parameter}`", problem, remedy)
