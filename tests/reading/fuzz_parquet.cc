// Any bytes as the inside of a Parquet file. The first two bytes of the input say how many of the
// others are pages; the rest is the footer. What is around them is put there, since a fuzzer would
// hardly find it.
//
// Checked        a footer that is accepted has all that parquet_footer.h ensures; nothing but
//                kBadInput is thrown; pages are walked through in every flat column.
#include <algorithm>
#include <set>

#include "lastbit/base/error.h"
#include "lastbit/sources/parquet_footer.h"
#include "tests/reading/fuzz_support.h"

namespace lastbit::source_testing {
namespace {

constexpr std::string_view kMagic = "PAR1";

struct Inside {
  std::string_view pages;
  std::string_view footer;
};

Inside split(std::string_view input) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(input[i]); };
  const std::size_t length = byte(0) + std::size_t{256} * byte(1);
  input.remove_prefix(2);
  return {input.substr(0, length), input.substr(std::min(length, input.size()))};
}

std::string make_file(const Inside& inside) {
  std::string file(kMagic);
  file.append(inside.pages).append(inside.footer);
  for (std::size_t i = 0; i < 4; ++i) file += static_cast<char>(inside.footer.size() >> (8 * i));
  return file.append(kMagic);
}

// or_refused: what `read` returns; nothing where it refuses the file.
auto or_refused(const auto& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error& error) {
    require(error.code() == ErrorCode::kBadInput, "a file is refused as bad input");
    return std::nullopt;
  }
}

void check_columns(const source::ParquetFooter& footer) {
  std::set<std::string> names;
  for (const source::ParquetColumn& column : footer.columns) {
    require(!column.name.empty() && !column.type.empty(), "a column has a name and a type");
    std::string lower = column.name;
    std::ranges::transform(lower, lower.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
    require(names.insert(lower).second, "names differ in more than their case");
  }
}

void check_groups(const source::ParquetFooter& footer, std::uint64_t data_end) {
  using Place = std::pair<std::uint64_t, std::uint64_t>;
  std::vector<Place> places;
  // Wide enough for any footer that a fuzzer can write.
  double rows = 0;
  for (const source::ParquetRowGroup& group : footer.row_groups) {
    require(group.rows >= 0, "no group has fewer rows than none");
    require(group.chunks.size() == footer.row_groups.front().chunks.size(), "groups are alike");
    rows += static_cast<double>(group.rows);
    for (const source::ParquetChunk& chunk : group.chunks) {
      require(chunk.values >= 0, "no chunk has fewer values than none");
      if (chunk.bytes == 0) continue;
      require(chunk.start >= kMagic.size() && chunk.bytes <= data_end &&
                  chunk.start <= data_end - chunk.bytes,
              "chunks are between the first four bytes and the footer");
      places.emplace_back(chunk.start, chunk.start + chunk.bytes);
    }
    for (const source::ParquetColumn& column : footer.columns) {
      if (!column.flat_leaf) continue;
      require(*column.flat_leaf < group.chunks.size(), "a flat column has a chunk");
      require(group.chunks[*column.flat_leaf].values == group.rows, "with a value for each row");
    }
  }
  require(rows == static_cast<double>(footer.rows), "the groups' rows add up");
  for (const Place& one : places) {
    require(std::ranges::count_if(places,
                                  [&](const Place& other) {
                                    return one.first < other.second && other.first < one.second;
                                  }) == 1,
            "a chunk overlaps with itself only");
  }
}

void check_input(std::string_view input) {
  static MemoryFile memory;
  if (input.size() < 2) return;
  const Inside inside = split(input);
  const std::string file = make_file(inside);
  const std::filesystem::path& path = memory.write(file);
  const auto footer = or_refused([&] { return source::read_parquet_footer(path); });
  if (!footer) return;
  require(footer->file_bytes == file.size(), "the file's size is known");
  check_columns(*footer);
  check_groups(*footer, kMagic.size() + inside.pages.size());
  for (const source::ParquetColumn& column : footer->columns) {
    or_refused([&] {
      source::check_parquet_pages(path, *footer, std::span(&column.name, 1));
      return column.flat_leaf.has_value();
    });
  }
}

}  // namespace
}  // namespace lastbit::source_testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lastbit::source_testing::check_input({reinterpret_cast<const char*>(data), size});
  return 0;
}
