// ByteStream: the text of a file from front to back: decompressed, and in UTF-8 whatever encoding
// is declared. Places in it are those of this text.
//
// Guarantee      the text is a function of the bytes of the file and of the form. Memory is
//                bounded, whatever the file holds. A compressed file is read to its end, so that
//                damage anywhere is found. Definition: proofs/reading.md#bytes
// Fails          Malformed for bytes that the encoding does not have; kBadInput if the file cannot
//                be read, or is not compressed as its name says, cut off, damaged, followed by
//                something else, or decompresses to more than kMostExpansion allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "lastbit/release/fields/text_form.h"

namespace lastbit::source {

class ByteStream {
 public:
  // A compressed file of n bytes may hold kMostExpansion · n + kFreeBytes bytes. No gzip file can
  // hold more than 1032 times its size.
  static constexpr std::uint64_t kMostExpansion = 1'100;
  static constexpr std::uint64_t kFreeBytes = std::uint64_t{64} << 20;

  ByteStream(const std::filesystem::path& path, TextForm form);
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  ~ByteStream();

  // read: appends the next `size` bytes to `out`; fewer only at the end.
  void read(std::string& out, std::size_t size);
  // skip: passes over the next bytes, at most so many as there are.
  void skip(std::uint64_t count);
  // done: the fraction of the file read so far, from 0 to 1.
  double done() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// read_front: the first bytes of the text, at most so many.
std::string read_front(const std::filesystem::path& path, TextForm form, std::size_t size);

// refuse_other_format: a Malformed for the front of a file that is no text: a workbook, an archive,
// a PDF, a compressed file without the end of its name; and UTF-16 that is not declared.
// refuse_no_utf8: only for those fronts that are not UTF-8, and would be refused anyway. Where the
// first record is data, no more may depend on its being the first.
void refuse_other_format(std::string_view front);
void refuse_no_utf8(std::string_view front);

}  // namespace lastbit::source
