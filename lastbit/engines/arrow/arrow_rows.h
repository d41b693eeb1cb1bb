// read_arrow_stream: data that another library of the process holds in Arrow's columnar format, as
// a source of private rows.
//
// Guarantee      the rows are those of the stream, each field as proofs/engine.md#arrow says: a
//                function of that field and of its column's type. How a column is encoded, where
//                batches are cut and what offsets they have changes no row.
// Proof          proofs/engine.md#arrow
#pragma once

#include <memory>
#include <string>

#include "lastbit/engines/arrow/arrow_abi.h"
#include "lastbit/engines/kernel/row_source.h"

namespace lastbit::engine {

// read_arrow_stream
// Takes over the stream, reads all of its batches, and keeps them without a copy.
// Requires  checked: a stream that is not released yet, whose schema is a struct with one child per
//           column, all with different names; batches with these columns, whose lengths and offsets
//           are not negative and add up, with all buffers that their types need; offsets of texts
//           in ascending order, views inside of their buffers, dictionary codes inside of their
//           dictionaries; valid UTF-8. Columns that no release can use are only counted and
//           measured.
//           caller: buffers are as long as lengths and offsets say. The interface does not tell how
//           long they are, except for the buffers of views, so this cannot be checked; a library
//           that lies about it makes this one read memory that is not its own. Nobody changes a
//           buffer while the source lives.
// Ensures   stream.release is null afterwards, also after a failure, and every schema and array
//           that the stream gave is released exactly once: when the last owner of the source goes,
//           by the thread in which it goes. The rows stay the same, so that they can be read any
//           number of times, and require_unchanged has nothing to find out.
// Limits    all batches are in memory. Rows cannot be sorted.
// Fails     kBadInput, naming `name` and where it helps the column, never a field: what is checked
//           above does not hold, or the stream itself fails. Its own words are not repeated, since
//           they may hold fields; its error number is.
//           give_rows: kNotSupported for RowOrder::kByUnit; kBadInput for a column that is not
//           there, or whose type no release can use, or not as the release declares it.
// Proof     proofs/engine.md#arrow
std::shared_ptr<const RowSource> read_arrow_stream(ArrowArrayStream& stream, std::string name);

}  // namespace lastbit::engine
