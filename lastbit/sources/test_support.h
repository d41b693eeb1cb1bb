// What tests of readers share. For tests only.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
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

using TextRow = std::vector<std::optional<std::string>>;

// read_rows: all columns of all records, by one thread.
template <class File>
std::vector<TextRow> read_rows(File& file) {
  std::vector<std::size_t> all(file.columns().size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<TextRow> rows;
  Chunk chunk;
  RawTable table(all.size());
  while (file.next(chunk)) {
    table.clear();
    file.parse(chunk, all, table);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      TextRow& fields = rows.emplace_back();
      for (std::size_t column = 0; column < all.size(); ++column) {
        const RawField& field = table.column(column).at(row);
        fields.push_back(field ? std::optional(std::string(*field)) : std::nullopt);
      }
    }
  }
  return rows;
}

}  // namespace lastbit::source
