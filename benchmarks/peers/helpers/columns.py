"""Columns of a Parquet file in memory."""

import numpy
from pyarrow import parquet


def array(path, name):
    """A column of numbers as a NumPy array."""
    return parquet.read_table(path, columns=[name])[name].to_numpy()


def values(path, name):
    """A column as a list of Python values."""
    return parquet.read_table(path, columns=[name])[name].to_pylist()


def groups(path, name, by, keys):
    """The values of a column of numbers, an array for each key of another column."""
    table = parquet.read_table(path, columns=[name, by])
    codes = table[by].combine_chunks().dictionary_encode()
    found, numbers = codes.dictionary.to_pylist(), table[name].to_numpy()
    order = numpy.argsort(codes.indices.to_numpy(), kind="stable")
    ends = numpy.cumsum(numpy.bincount(codes.indices.to_numpy(), minlength=len(found)))
    parts = dict(zip(found, numpy.split(numbers[order], ends[:-1])))
    return [parts.get(key, numbers[:0]) for key in keys]
