// Public tables: files beside a release file that hold keys, or what codes mean.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lastbit {

struct Source;

// PublicTable: fields as texts; nothing where one is missing.
struct PublicTable {
  static constexpr std::size_t kMaxRows = 1'000'000;
  static constexpr std::size_t kMaxBytes = std::size_t{256} << 20;  // of all fields
  std::vector<std::vector<std::optional<std::string>>> rows;
};

// ReadPublicTable: the fields of these columns. The path of the source is one that can be opened.
// Fails  kBadInput if the file cannot be read, lacks a column, or is beyond the limits.
using ReadPublicTable =
    std::function<PublicTable(const Source& source, const std::vector<std::string>& columns)>;

}  // namespace lastbit
