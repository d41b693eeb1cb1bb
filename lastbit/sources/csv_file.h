// CsvFile: a file of separated values, read by our own reader.
//
// Definition     The text of a file (byte_stream.h) is UTF-8, with or without a byte order mark. It
//                is a header, unless the format has names, followed by records, each ended by a
//                line feed, a carriage return with a line feed, or the end of the file. A record is
//                fields separated by the delimiter, as many as the header or the names. A field
//                that starts with the quote extends to the next quote that is not doubled, and a
//                field, record or file must end there; a doubled quote in it stands for one. Other
//                fields contain neither a quote nor a carriage return. If the format has an escape
//                character, the byte after it stands for itself, whether in quotes or not, and
//                there must be one. An empty line is not a record, unless there is only one column:
//                then it is one empty field. With names, no record starts with a byte order mark.
//                An unquoted field that is, as it is written, one of `null_texts` is missing.
//                Without a quote, no field is quoted.
// Guarantee      a record's fields depend only on the bytes of that record and on the header: not
//                on the records around it, the cuts, or the number of threads. A file that is not
//                of this form is refused as a whole.
//                Proof: proofs/reading.md#csv, proofs/reading.md#cutting
// Fails          Malformed, with the place; kBadInput if the file cannot be read.
// Source         [RFC4180]
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lastbit/sources/chunk_reader.h"
#include "lastbit/sources/records.h"

namespace lastbit::source {

struct CsvFormat {
  char delimiter = ',';  // one byte of ASCII; no quote, line feed or carriage return
  std::vector<std::string> null_texts = {""};
  char quote = '"';                     // the same, and not the delimiter; '\0': none
  char escape = '\0';                   // the same, and neither of the two; '\0': none
  std::vector<std::string> names = {};  // different ones; empty: the first record is the header
  TextForm form = {};
};

class CsvFile {
 public:
  // Reads the header, or the first bytes if there is none, and nothing after them.
  CsvFile(const std::filesystem::path& path, CsvFormat format,
          std::size_t block_bytes = ChunkReader::kBlockBytes);

  // columns: the names of the format, or those in the header. A repeated name gets a number, as in
  // a and a_1; an empty one gets its place, counted from 0, as in column2.
  const std::vector<std::string>& columns() const { return columns_; }

  // next: the next whole records; false at the end. Any thread may call it.
  bool next(Chunk& chunk) { return chunks_->next(chunk); }
  // parse_some: appends the fields of the `wanted` columns, by their numbers, each at most once, of
  // the records of the chunk from the byte `from` on, up to RawTable::kRowsAtOnce of them, and
  // returns where the next one starts: the end of the chunk where none is left. Any thread may
  // call it. After a failure the table holds nothing of use.
  // Requires  caller: `from` is 0 or what was returned before; the table was cleared.
  std::size_t parse_some(const Chunk& chunk, std::size_t from, std::span<const std::size_t> wanted,
                         RawTable& table) const;
  // done: the fraction of the file handed out so far, from 0 to 1.
  double done() const { return chunks_->done(); }

 private:
  CsvFormat format_;
  std::vector<std::string> columns_;
  std::unique_ptr<ChunkReader> chunks_;
};

}  // namespace lastbit::source
