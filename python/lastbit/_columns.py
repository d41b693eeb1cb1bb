"""Columns of data as the buffers that the extension reads.

Whether a column is taken depends on its type alone, never on a value: an error or a warning would say something about
the data. So rows that are missing, or too large, count as a number.
"""

from __future__ import annotations

import array
import math
import numbers
import operator
import sys
from collections.abc import Mapping
from typing import Any

from ._errors import Error

INT_ENDS = (-(2**63), 2**63 - 1)

_INTS = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "bool", "boolean", "null"}
_FLOATS = _INTS | {"uint64", "float16", "float32", "float64", "halffloat", "float", "double"}


def column(data: Any, kind: type) -> Any:
    """The data as a buffer of float64 or int64. A missing row is a NaN, among ints the lowest int."""
    module = type(data).__module__.partition(".")[0]
    if module in ("pandas", "polars", "pyarrow") and hasattr(data, "to_numpy"):
        data = getattr(_Tables, module)(data, kind)
    elif hasattr(data, "to_numpy"):
        data = data.to_numpy()
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(data, numpy.ndarray):
        return _array_column(numpy, data, kind)
    if isinstance(data, (str, bytes, bytearray, Mapping)) or getattr(data, "ndim", 1) != 1:
        raise _wrong_data(kind)
    make = _float_row if kind is float else _int_row
    try:
        return array.array("d" if kind is float else "q", map(make, data))
    except TypeError:
        raise _wrong_data(kind) from None


class _Tables:
    """Columns of other packages, whose types may have missing rows, as arrays of NumPy without any."""

    @staticmethod
    def pandas(data: Any, kind: type) -> Any:
        dtype = getattr(data, "dtype", None)
        if not hasattr(dtype, "na_value"):
            return data.to_numpy()  # a type of NumPy
        _require_taken(str(getattr(dtype, "numpy_dtype", dtype)), kind)
        return data.to_numpy(dtype=_target(kind), na_value=_missing(kind))

    @staticmethod
    def polars(data: Any, kind: type) -> Any:
        _require_taken(str(getattr(data, "dtype", "none")), kind)
        types = sys.modules["polars"]
        return data.cast(types.Float64 if kind is float else types.Int64).fill_null(_missing(kind)).to_numpy()

    @staticmethod
    def pyarrow(data: Any, kind: type) -> Any:
        _require_taken(str(getattr(data, "type", "none")), kind)
        filled = data.cast("float64" if kind is float else "int64", safe=False).fill_null(_missing(kind))
        return filled.to_numpy(zero_copy_only=False)


def _require_taken(name: str, kind: type) -> None:
    if name.lower() not in (_FLOATS if kind is float else _INTS):
        raise _wrong_data(kind)


def _target(kind: type) -> str:
    return "f8" if kind is float else "i8"


def _missing(kind: type) -> Any:
    return math.nan if kind is float else INT_ENDS[0]


def _array_column(numpy: Any, data: Any, kind: type) -> Any:
    target = _target(kind)
    takes = "iufb" if kind is float else "iub"
    is_taken = data.ndim == 1 and data.dtype.kind in takes and type(data).__name__ != "MaskedArray"
    if not is_taken or (kind is int and not numpy.can_cast(data.dtype, target)):
        raise _wrong_data(kind)
    with numpy.errstate(all="ignore"):  # a warning would say something about the data
        return numpy.ascontiguousarray(data, dtype=target)


def _is_missing(row: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return row is None or (pandas is not None and row is pandas.NA)


def _float_row(row: Any) -> float:
    if isinstance(row, numbers.Complex) and not isinstance(row, numbers.Real):
        raise TypeError  # NumPy would drop the imaginary part
    try:
        return math.ldexp(row, 0)  # unlike float(row) it takes no text
    except TypeError:
        if _is_missing(row):
            return math.nan
        raise
    except OverflowError:
        return math.inf if row > 0 else -math.inf
    except ValueError:
        return math.nan  # a signalling NaN of the decimal module


def _int_row(row: Any) -> int:
    if _is_missing(row):
        return INT_ENDS[0]
    return min(max(operator.index(row), INT_ENDS[0]), INT_ENDS[1])


def _wrong_data(kind: type) -> Error:
    return Error("bad parameter", "data", f"is not a column of {kind.__name__}s",
                 f"give a list or an array with one dimension whose rows are {kind.__name__}s")
