#include "lastbit/sources/records.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::source {
namespace {

// The line that a byte is on, counted from 1.
std::uint64_t line_of(const std::filesystem::path& path, std::uint64_t offset) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 1 << 16> block;
  std::uint64_t line = 1;
  while (offset > 0 && file) {
    file.read(block.data(),
              static_cast<std::streamsize>(std::min<std::uint64_t>(offset, std::size(block))));
    const std::streamsize got = file.gcount();
    if (got <= 0) break;
    line += static_cast<std::uint64_t>(std::count(block.begin(), block.begin() + got, '\n'));
    offset -= static_cast<std::uint64_t>(got);
  }
  return line;
}

}  // namespace

void refuse_malformed(const std::filesystem::path& path, const Malformed& malformed) {
  throw Error(ErrorCode::kBadInput, quote(path.string(), 200),
              fmt::format("line {}: {}", line_of(path, malformed.offset), malformed.problem),
              malformed.remedy);
}

}  // namespace lastbit::source
