"""Releases of rows that lie in Spark. The heavy work is done there; ledger, merging and noise are here.

`lastbit.Session` takes a frame of Spark as it takes a table in memory. This module adds release files.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _lastbit
from ._errors import Error
from ._release import LedgerPath, PathText, rows_text, save_released, terms_of
from ._results import Plan, Release
from ._folder import require_free
from ._spark_rows import rows_of_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["plan", "release"]

Data = Union[PathText, "DataFrame"]


def release(
    file: PathText,
    data: Data,
    *,
    spark: Optional["SparkSession"] = None,
    ledger: Optional[LedgerPath] = None,
    out: Optional[PathText] = None,
    again: bool = False,
    same_people: bool = False,
    memory: Union[int, str, None] = None,
) -> Release:
    """Releases a frame of Spark, or a folder of Parquet files, as a release file says.

    The file says `source = { format = "arrow", name = "…" }`, with the name by which the ledger knows the rows. A path
    is read by `spark`, or by the session that is active. `memory` is what one task may use for the rows of one unit.
    The rest is as in `lastbit.release`. Ctrl-C cancels the jobs, and nothing is booked.
    """
    terms = terms_of(ledger=ledger, again=again, same_people=same_people, memory=memory)
    if out is not None:
        require_free(out)
    held = rows_of_frame(_frame_of(data, spark), _name_of(file))
    released = Release(_lastbit.release(os.fspath(file), held, terms))
    save_released(released, out)
    return released


def plan(
    file: PathText,
    data: Data,
    *,
    spark: Optional["SparkSession"] = None,
    rows: Optional[int] = None,
    ledger: Optional[LedgerPath] = None,
    again: bool = False,
    same_people: bool = False,
) -> Plan:
    """What the release will cost, and how accurate it will be. Nothing is spent, and no row is read."""
    terms = terms_of(ledger=ledger, again=again, same_people=same_people)
    held = rows_of_frame(_frame_of(data, spark), _name_of(file))
    return Plan(_lastbit.plan(os.fspath(file), rows_text(rows), held, terms))


def _name_of(file: PathText) -> str:
    """What messages call the rows of a release file."""
    return f"the rows of {os.path.basename(os.fspath(file))}"


def _frame_of(data: Data, spark: Optional["SparkSession"]) -> Any:
    from pyspark.sql import SparkSession

    if not isinstance(data, (str, os.PathLike)):
        if hasattr(data, "sparkSession"):
            return data
        remedy = "give a frame of Spark, or the path of a folder of Parquet files"
        raise Error("bad parameter", "`data`", f"is a {type(data).__name__}", remedy)
    session = spark or SparkSession.getActiveSession()
    if session is None:
        raise Error("bad parameter", "`spark`", "is missing, and no session is active", "give the session: spark=…")
    kind = None
    try:
        return session.read.parquet(os.fspath(data))
    except Exception as error:
        kind = type(error).__name__
    raise Error("bad input", os.fspath(data), f"cannot be read by Spark ({kind})", "give a folder of Parquet files")
