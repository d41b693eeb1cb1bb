"""What runs on the executors of Spark: counts the rows of a partition, and merges parts of answers.

An error of the library travels back as a row, since it says all there is to say: raised, it would be tried again and
written into logs. What else fails is raised without its words, which may quote a row.
"""

from __future__ import annotations

import json
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence

from . import _lastbit
from ._errors import Error

# A row is a part of the answer to one question, of the partitions with these numbers; or a problem.
PART_SCHEMA = "tasks array<int>, number int, part binary"
PROBLEM = -1
UNIT_COLUMN = "unit"

PartRow = tuple[list[int], int, bytes]
# The column with the number of rows; and of each sum the column that was added up, and those with how many of its
# fields are present and with their sum.
MergedNames = tuple[str, list[tuple[str, str, str]]]


def count_partition(
    question: Any, version: str, names: Sequence[str], merged: Optional[MergedNames], batches: Iterable[Any]
) -> Iterator[Any]:
    """The parts of a partition, whose columns are known by these names. `question` is a broadcast.

    Merged rows say in columns how many rows each of them is, and what the sums of other columns are.
    """
    yield _batch_of(_without_words(lambda: _counted(question.value, version, names, merged, batches)))


def merge_partitions(question: Any, version: str, batches: Iterable[Any]) -> Iterator[Any]:
    """Parts of several partitions as one for each number."""
    yield _batch_of(_without_words(lambda: _merged(question.value, version, batches)))


def add_units(question: Any, version: str, names: Sequence[str], batches: Iterable[Any]) -> Iterator[Any]:
    """The same rows with a column of what their units are to the kernel."""
    import pyarrow

    keys = _lastbit.UnitKeys(question.value, "frame")
    kind = pyarrow.binary() if keys.is_text() else pyarrow.int64()
    for batch in batches:
        named = pyarrow.RecordBatch.from_arrays(batch.columns, names=list(names))
        values, offsets, validity = _without_words(lambda: keys.of(named.__arrow_c_stream__()))
        parts = [validity, offsets, values] if keys.is_text() else [validity, values]
        buffers = [pyarrow.py_buffer(part) for part in parts]
        units = pyarrow.Array.from_buffers(kind, batch.num_rows, buffers)
        yield pyarrow.RecordBatch.from_arrays([*batch.columns, units], names=[*batch.schema.names, UNIT_COLUMN])


def _counted(
    question: bytes, version: str, names: Sequence[str], merged: Optional[MergedNames], batches: Iterable[Any]
) -> list[PartRow]:
    import pyarrow
    from pyspark import TaskContext

    task = [TaskContext.get().partitionId()]
    try:
        _require_version(version)
        maker = _lastbit.PartMaker(question, "frame")
        for batch in batches:
            named = pyarrow.RecordBatch.from_arrays(batch.columns, names=list(names))
            if merged is not None:
                maker.add_merged(named.__arrow_c_stream__(), *merged)
            else:
                maker.add(named.__arrow_c_stream__())
        return [(task, number, part) for number, part in enumerate(maker.finish())]
    except Error as error:
        return [_problem_row(task, error)]


def _merged(question: bytes, version: str, batches: Iterable[Any]) -> list[PartRow]:
    found: dict[int, list[PartRow]] = {}
    for batch in batches:
        for row in zip(*(column.to_pylist() for column in batch.columns)):
            found.setdefault(row[1], []).append(row)
    if PROBLEM in found:
        return found[PROBLEM][:1]
    merged = []
    try:
        _require_version(version)
        for number, rows in found.items():
            part = _lastbit.merge_parts(question, number, [part for _, _, part in rows])
            merged.append((sorted(task for tasks, _, _ in rows for task in tasks), number, part))
    except Error as error:
        return [_problem_row([], error)]
    return merged


def _problem_row(tasks: list[int], error: Error) -> PartRow:
    words = {"code": error.code, "place": error.place, "problem": error.problem, "remedy": error.remedy}
    return tasks, PROBLEM, json.dumps(words).encode()


def _batch_of(rows: list[PartRow]) -> Any:
    import pyarrow

    columns = list(zip(*rows)) or [(), (), ()]
    kinds = [pyarrow.list_(pyarrow.int32()), pyarrow.int32(), pyarrow.binary()]
    arrays = [pyarrow.array(column, kind) for column, kind in zip(columns, kinds)]
    return pyarrow.RecordBatch.from_arrays(arrays, names=["tasks", "number", "part"])


def _require_version(version: str) -> None:
    if version != _lastbit.version:
        problem = f"have version {_lastbit.version} of lastbit, and the driver has {version}"
        raise Error("mismatch", "the executors", problem, "install the same version on all of them")


def _without_words(work: Callable[[], Any]) -> Any:
    """The result of work, whose errors have only a class."""
    try:
        return work()
    except Error as error:
        kind = error.code
    except Exception as error:
        kind = type(error).__name__
    raise RuntimeError(f"lastbit: {kind} on an executor")
