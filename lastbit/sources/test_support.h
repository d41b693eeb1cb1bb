// What tests of readers share. For tests only.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "lastbit/sources/records.h"

namespace lastbit::source {

// TextScratch: a folder for small files, removed with everything in it.
class TextScratch {
 public:
  TextScratch() {
    std::string pattern = std::filesystem::temp_directory_path() / "lastbit_sources_XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
    folder_ = pattern;
  }
  TextScratch(const TextScratch&) = delete;
  TextScratch& operator=(const TextScratch&) = delete;
  ~TextScratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::filesystem::path write(const std::string& text) const {
    std::ofstream(folder_ / "file", std::ios::binary) << text;
    return folder_ / "file";
  }

 private:
  std::filesystem::path folder_;
};

// TemporaryFile: a file with this text, for as long as the object lives.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view text) : path_(scratch_.write(std::string(text))) {}
  const std::filesystem::path& path() const { return path_; }

 private:
  TextScratch scratch_;
  std::filesystem::path path_;
};

// Dice: the same numbers in every run (SplitMix64).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t word() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(word() % static_cast<std::uint64_t>(bound));
  }

 private:
  std::uint64_t state_;
};

// stored_gzip: a gzip file that holds the text, of less than 64 KiB, as it is.
inline std::string stored_gzip(std::string_view text) {
  std::string out("\x1f\x8b\x08\0\0\0\0\0\0\xff\x01", 11);
  const auto append = [&out](std::uint32_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xff);
  };
  const auto size = static_cast<std::uint32_t>(text.size());
  append(size, 2);
  append(~size, 2);
  out += text;
  std::uint32_t sum = ~std::uint32_t{0};
  for (const char c : text) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum % 2 == 0 ? 0 : 0xedb88320);
  }
  append(~sum, 4);
  append(size, 4);
  return out;
}

using TextRow = std::vector<std::optional<std::string>>;

// read_rows: all columns of all records, by one thread.
template <class File>
std::vector<TextRow> read_rows(File& file) {
  std::vector<std::size_t> all(file.columns().size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<TextRow> rows;
  Chunk chunk;
  const auto append = [&](const RawTable& table) {
    for (std::size_t row = 0; row < table.rows(); ++row) {
      TextRow& fields = rows.emplace_back();
      for (std::size_t column = 0; column < all.size(); ++column) {
        const RawField& field = table.column(column).at(row);
        fields.push_back(field ? std::optional(std::string(*field)) : std::nullopt);
      }
    }
  };
  while (file.next(chunk)) for_each_table(file, chunk, all, append);
  return rows;
}

}  // namespace lastbit::source
