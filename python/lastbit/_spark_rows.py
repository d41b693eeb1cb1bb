"""A frame of Spark as rows that lie elsewhere: what it takes to bring a question to them, and the parts back.

The key of a question travels in a broadcast, which is destroyed afterwards. No text that Spark gets from here holds a
field or the key. Its own records of a job hold numbers of rows, which are private (docs/spark.md).
"""

from __future__ import annotations

import contextlib
import functools
import json
import secrets
import threading
import time
from typing import Any, Callable, Optional, Sequence

from . import _lastbit
from ._errors import Error, error_of
from ._executor import (
    PART_SCHEMA, PROBLEM, UNIT_COLUMN, MergedNames, add_units, count_partition, merge_partitions,
)

BINARY = "UTF8_BINARY"
# Into how many groups parts are put that are merged before they reach the driver. Spark joins groups that are small.
MERGED_GROUPS = 64
# How long an interrupted query waits for Spark to end its jobs.
CANCEL_SECONDS = 10


def rows_of_frame(frame: Any, name: str) -> Any:
    """What a session keeps of a frame. No row is read."""
    _require_usable(frame, name)
    schema = _arrow_schema(frame.schema)
    empty = schema.empty_table()
    return _lastbit.far_rows(empty.__arrow_c_stream__(), name, _Asker(frame, name))


def _require_usable(frame: Any, name: str) -> None:
    if not hasattr(frame, "_jdf"):
        problem = "is a frame of Spark Connect, which has no broadcasts for the secret key"
        raise Error("not supported", name, problem, "use a session of Spark's classic kind")
    if frame.isStreaming:
        raise Error("not supported", name, "is a stream", "give a frame of rows that are there already")
    if any("\0" in column for column in frame.columns):
        raise Error("bad input", name, "has a column with a NUL in its name", "rename the column")
    if not frame._jdf.queryExecution().analyzed().deterministic():
        problem = "is made with a function such as rand() or uuid(), which gives other rows when a task is repeated"
        raise Error("bad input", name, problem, "write the frame into a table, and give that")


def _arrow_schema(schema: Any) -> Any:
    """The columns as the executors will see them. One that no release can use has only the name of its type."""
    import pyarrow
    from pyspark.sql import types

    plain = {
        types.BooleanType: pyarrow.bool_(), types.ByteType: pyarrow.int8(), types.ShortType: pyarrow.int16(),
        types.IntegerType: pyarrow.int32(), types.LongType: pyarrow.int64(), types.FloatType: pyarrow.float32(),
        types.DoubleType: pyarrow.float64(), types.DateType: pyarrow.date32(), types.NullType: pyarrow.null(),
        types.TimestampType: pyarrow.timestamp("us", "UTC"), types.TimestampNTZType: pyarrow.timestamp("us"),
        types.StringType: pyarrow.string(),
    }

    def field(column: Any) -> Any:
        kind = column.dataType
        if type(kind) in plain:
            return pyarrow.field(column.name, plain[type(kind)])
        if type(kind) is types.DecimalType:
            return pyarrow.field(column.name, pyarrow.decimal128(kind.precision, kind.scale))
        refused = {"ARROW:extension:name": kind.simpleString(), "ARROW:extension:metadata": ""}
        return pyarrow.field(column.name, pyarrow.null(), metadata=refused)

    return pyarrow.schema([field(column) for column in schema.fields])


class _Asker:
    """Brings questions to a frame. Columns are known by their places, so that no name is ambiguous."""

    def __init__(self, frame: Any, name: str) -> None:
        self._name = name
        self._places = {column.name: place for place, column in enumerate(frame.schema.fields)}
        self._kinds = [column.dataType for column in frame.schema.fields]
        self._frame = frame.toDF(*(_place_name(place) for place in range(len(self._kinds))))

    def __call__(
        self, question: bytes, columns: list[str], by_unit: bool, unit: str, sums: Optional[list[Any]] = None
    ) -> list[list[bytes]]:
        """Waits while another thread asks: what Spark's gateway makes of Ctrl-C is not always an interrupt."""
        from pyspark import InheritableThread

        tag = f"lastbit-{secrets.token_hex(8)}"
        answers: list[Any] = []
        done = threading.Event()  # a thread whose join() is interrupted counts as ended

        def ask() -> None:
            answers.append(self._ended(question, tag, lambda asked: self._parts(asked, columns, by_unit, unit, sums)))
            done.set()

        try:
            asking = InheritableThread(target=ask)
            asking.daemon = True
            asking.start()
        except Exception:
            raise _stopped(self._name) from None
        try:
            while not done.wait(0.2) and asking.is_alive():
                pass
        except BaseException:
            self._cancel(done, tag)
            raise
        if not answers:  # it was stopped before the thread could ask
            raise _stopped(self._name)
        if isinstance(answers[0], Error):
            raise answers[0]
        return _by_number(answers[0], self._name)

    def _cancel(self, done: threading.Event, tag: str) -> None:
        """Cancels again and again, as a job may be about to start."""
        end = time.monotonic() + CANCEL_SECONDS
        while not done.is_set() and time.monotonic() < end:
            with contextlib.suppress(Exception):  # Spark may be gone already
                self._frame.sparkSession.sparkContext.cancelJobsWithTag(tag)
            done.wait(0.2)

    def _ended(self, question: bytes, tag: str, parts: Callable[[Any], Any]) -> Any:
        """The rows that come back, or an error without the words of Spark, which may quote a row."""
        try:
            context = self._frame.sparkSession.sparkContext
            context.addJobTag(tag)  # of this thread
            broadcast = context.broadcast(question)
            try:
                return parts(broadcast).collect()
            finally:
                broadcast.destroy()
                context.removeJobTag(tag)
        except Error as error:
            return Error(error.code, error.place, error.problem, error.remedy)
        except BaseException as problem:
            return _spark_error(problem, self._name)

    def _parts(
        self, broadcast: Any, columns: list[str], by_unit: bool, unit: str, sums: Optional[list[Any]]
    ) -> Any:
        from pyspark.sql import functions

        version = _lastbit.version
        names: list[str] = columns
        merged = None
        if sums is not None:
            frame, names, merged = self._merged(columns, sums)
        elif columns:
            frame = self._frame.select(*(self._column(name) for name in columns))
        else:  # rows whose fields nobody needs
            frame, names = self._frame.select(functions.lit(True).alias("rows")), ["rows"]
        if by_unit:
            frame = self._sorted(frame, broadcast, columns, unit)
        count = functools.partial(count_partition, broadcast, version, names, merged)
        parts = frame.mapInArrow(count, PART_SCHEMA)
        group = functions.element_at("tasks", 1) % MERGED_GROUPS
        merge = functools.partial(merge_partitions, broadcast, version)
        return parts.repartition("number", group).mapInArrow(merge, PART_SCHEMA)

    def _column(self, name: str) -> Any:
        from pyspark.sql import functions, types

        place = self._places[name]
        column = functions.col(_place_name(place))
        kind = self._kinds[place]
        if isinstance(kind, types.StringType) and getattr(kind, "collation", BINARY) != BINARY:
            return functions.collate(column, BINARY).alias(_place_name(place))
        return column

    def _merged(self, columns: list[str], sums: list[Any]) -> tuple[Any, list[str], MergedNames]:
        """Rows with the same columns once, with their number and with sums; and what all of that is called.

        Spark compares the fields of these columns as the kernel does, and adds up exactly.
        """
        from pyspark.sql import functions

        start = _free_start([*columns, *(column for column, *_ in sums)])
        names = [start + "times"]
        found = [functions.count(functions.lit(1)).alias(start + "times")]
        merged: MergedNames = (start + "times", [])
        for number, (column, *bounds) in enumerate(sums):
            present, total = f"{start}present{number}", f"{start}total{number}"
            there, steps = _steps(self._column(column), *bounds)
            # Sums of decimals have room for 10 digits more.
            steps = functions.when(there, steps).cast("decimal(20, 0)")
            found += [functions.count(functions.when(there, 1)).alias(present), functions.sum(steps).alias(total)]
            names += [present, total]
            merged[1].append((column, present, total))
        keys = [self._column(name) for name in columns] or [functions.lit(True).alias("rows")]
        grouped = self._frame.groupBy(*keys).agg(*keys, *found)
        # A setting of the session says whether the keys come before what is asked for, once more.
        grouped = grouped.toDF(*(_place_name(place) for place in range(len(grouped.columns))))
        asked = grouped.columns[-len(keys) - len(found) :]
        return grouped.select(*asked), [*(columns or ["rows"]), *names], merged

    def _sorted(self, frame: Any, broadcast: Any, columns: list[str], unit: str) -> Any:
        """The rows that have a unit, in partitions of disjoint ranges of units, sorted. It is the only shuffle of rows.

        The kernel refuses rows in another order, and parts whose ranges overlap: that the order of Spark is that of
        the kernel is checked, not trusted.
        """
        from pyspark.sql import functions, types

        key = UNIT_COLUMN
        if unit:
            key = _place_name(self._places[unit])
        else:
            is_text = _lastbit.UnitKeys(broadcast.value, self._name).is_text()
            units = types.StructField(UNIT_COLUMN, types.BinaryType() if is_text else types.LongType())
            schema = types.StructType([*frame.schema.fields, units])
            frame = frame.mapInArrow(functools.partial(add_units, broadcast, _lastbit.version, columns), schema)
        column = functions.col(key)
        ranges = frame.where(column.isNotNull()).repartitionByRange(column).sortWithinPartitions(column)
        return ranges.select(*(_place_name(self._places[name]) for name in columns))


def _free_start(names: Sequence[str]) -> str:
    """What no name starts with, nor is called as the rows without fields are."""
    start = "_"
    while any(name.startswith(start) for name in names):
        start += "_"
    return start


def _steps(column: Any, lower: Any, upper: Any, parts: Any) -> tuple[Any, Any]:
    """Whether there is a number, and its steps: clamped, and put on the nearest step, ties upward. All is exact:
    proofs/engine.md#summed."""
    from pyspark.sql import functions

    if isinstance(lower, int):
        whole = column.cast("bigint")
        return whole.isNotNull(), functions.least(functions.greatest(whole, functions.lit(lower)), functions.lit(upper))
    real = column.cast("double")
    there = real.isNotNull() & ~functions.isnan(real)
    clamped = functions.least(functions.greatest(real, functions.lit(lower)), functions.lit(upper))
    halves = functions.floor(clamped * functions.lit(2.0 * parts))
    return there, functions.shiftright(halves + functions.lit(1), 1)


def _place_name(place: int) -> str:
    return f"c{place}"


def _by_number(rows: Sequence[Any], name: str) -> list[list[bytes]]:
    """The parts of each aggregation, none of which comes from a partition that was counted already."""
    parts: dict[int, list[bytes]] = {}
    tasks: dict[int, list[int]] = {}
    for row in rows:
        if row.number == PROBLEM:
            words = json.loads(bytes(row.part))
            place = name if words["place"] == "frame" else words["place"]
            raise error_of(words["code"], place, words["problem"], words["remedy"])
        parts.setdefault(row.number, []).append(bytes(row.part))
        tasks.setdefault(row.number, []).extend(row.tasks)
    counted = [sorted(numbers) for _, numbers in sorted(tasks.items())]
    once = all(numbers == list(range(len(numbers))) for numbers in counted)
    if not once or any(numbers != counted[0] for numbers in counted):
        raise Error("internal error", name, "a partition was counted twice or not at all", "report this")
    return [parts[number] for number in sorted(parts)]


def _stopped(name: str) -> Error:
    return Error("bad input", name, "belongs to a session of Spark that was stopped", "make the frame again")


def _spark_error(problem: BaseException, name: str) -> Error:
    for module in ("lastbit", "pyarrow"):
        if f"No module named '{module}" in str(problem):
            return Error(
                "bad input", "the executors", f"have a Python without {module}",
                "install it there, and let PYSPARK_PYTHON name that Python before the session is made",
            )
    return Error(
        "bad input", name, f"Spark could not compute the parts ({type(problem).__name__})",
        "look into Spark's log, which may quote private rows, and make the frame one that can be computed",
    )
