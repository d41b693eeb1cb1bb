// What the fuzzers share: files in memory, their records, and neighbouring files. For tests only.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lastbit/sources/records.h"

namespace lastbit::source_testing {

// require: ends the process, which is how a fuzzer reports a finding.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

// MemoryFile: a file that the readers can open, on no disk. Making one takes longer than writing
// it, so that it is used again and again.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    require(descriptor_ >= 0, "a file in memory can be made");
    path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }

  const std::filesystem::path& write(std::string_view content) {
    const auto size = static_cast<ssize_t>(content.size());
    require(ftruncate(descriptor_, 0) == 0, "the file can be emptied");
    require(pwrite(descriptor_, content.data(), content.size(), 0) == size, "it can be written");
    return path_;
  }

 private:
  int descriptor_;
  std::filesystem::path path_;
};

using Record = std::vector<std::optional<std::string>>;

// Found: what is in a file.
struct Found {
  std::vector<std::string> columns;
  std::vector<Record> records;
  bool operator==(const Found&) const = default;
};

// Cut: where a chunk starts in the file, and how many records are before it.
struct Cut {
  std::size_t offset;
  std::size_t records;
};

// read_records: all records, chunk by chunk, and the cuts; nothing where the file is malformed.
template <class OpenFile>
std::optional<Found> read_records(const OpenFile& open_file, std::vector<Cut>* cuts = nullptr) {
  try {
    auto file = open_file();
    Found found{file->columns(), {}};
    const std::size_t columns = found.columns.size();
    std::vector<std::size_t> wanted(columns);
    std::iota(wanted.begin(), wanted.end(), std::size_t{0});
    const auto append = [&](const source::RawTable& table) {
      for (std::size_t row = 0; row < table.rows(); ++row) {
        Record& record = found.records.emplace_back();
        for (std::size_t i = 0; i < columns; ++i) record.emplace_back(table.column(i)[row]);
      }
    };
    source::Chunk chunk;
    while (file->next(chunk)) {
      if (cuts != nullptr) cuts->push_back({chunk.offset, found.records.size()});
      source::for_each_table(*file, chunk, wanted, append);
    }
    return found;
  } catch (const source::Malformed&) {
    return std::nullopt;
  }
}

// insert_record: what must be found after a record was put in at that place.
inline Found insert_record(Found found, const Record& record, std::size_t place) {
  found.records.insert(found.records.begin() + static_cast<std::ptrdiff_t>(place), record);
  return found;
}

// replace_part: the text with other bytes from `begin` to `end`.
inline std::string replace_part(std::string_view text, std::size_t begin, std::size_t end,
                                std::string_view with) {
  return std::string(text.substr(0, begin)).append(with).append(text.substr(end));
}

// Choices: numbers that depend on the input and on nothing else, so that a finding can be repeated,
// and that no byte of the input is spent on.
class Choices {
 public:
  explicit Choices(std::string_view input) {
    for (const char c : input) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  // below: a number from 0 to limit - 1.
  std::size_t below(std::size_t limit) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33) % limit;
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

// split_last: what is before and after the last such byte; the second is missing where there is
// none.
inline std::pair<std::string_view, std::optional<std::string_view>> split_last(
    std::string_view text, char separator) {
  const std::size_t at = text.rfind(separator);
  if (at == std::string_view::npos) return {text, std::nullopt};
  return {text.substr(0, at), text.substr(at + 1)};
}

}  // namespace lastbit::source_testing
