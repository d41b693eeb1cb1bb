// JsonFile: a file of JSON records, read by our own reader.
//
// Definition     A file is strict UTF-8, with or without a byte order mark. If its first byte that
//                is not white space (space, tab, carriage return, line feed) is `[`, it is one
//                array, with only white space around it, and each element is a record. Otherwise it
//                consists of lines, each ended by a line feed or by the end of the file, and each
//                line that is not just white space is one record with white space around it.
//                A record is an object of strict JSON (json_text.h). A key that occurs twice in it
//                is malformed, as compared byte for byte after unescaping; objects inside values
//                are not checked for that. A field that is a string is its unescaped text, a number
//                is its text as written, true and false are these words. A field is missing if its
//                key is absent or its value is null, an array or an object.
//                A line with its line feed, an element with the comma or bracket before it and the
//                white space between them, and the white space after it have at most
//                kMaxRecordBytes each.
// Guarantee      A record's fields depend only on the bytes of that record and on the columns: not
//                on the records around it, the cuts, or the number of threads. A file that is not
//                of this form is refused as a whole.
//                Proof: proofs/reading.md#json, proofs/reading.md#cutting
// Fails          Malformed, with the place; kBadInput if the file cannot be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/sources/chunk_reader.h"
#include "lastbit/sources/records.h"

namespace lastbit::source {

// JsonColumns: the keys of a file's first record, in their order, and where to find each.
class JsonColumns {
 public:
  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);

  // Requires  names that all differ.
  explicit JsonColumns(std::vector<std::string> names = {});

  const std::vector<std::string>& names() const { return names_; }
  // find: the number of the column with that name, or kUnknown. It is fast if the guess is right.
  std::size_t find(std::string_view name, std::size_t guess) const;

 private:
  std::vector<std::string> names_;
  // The numbers in the order of the names. Sorted, because names chosen to collide in a hash table
  // could make lookups slow.
  std::vector<std::size_t> by_name_;
};

class JsonFile {
 public:
  // Reads the first record, and nothing after the block of the file that it ends in.
  explicit JsonFile(const std::filesystem::path& path,
                    std::size_t block_bytes = ChunkReader::kBlockBytes,
                    Compression compression = Compression::kNone);

  // columns: the keys of the first record; none if it has none or there is no record.
  const std::vector<std::string>& columns() const { return columns_.names(); }

  // next: the next whole records; false at the end. Any thread may call it. The chunks of an array
  // start with its bracket or with the comma before their first element.
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
  bool is_array_ = false;
  JsonColumns columns_;
  std::unique_ptr<ChunkReader> chunks_;
};

}  // namespace lastbit::source
