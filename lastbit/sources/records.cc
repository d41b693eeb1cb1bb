#include "lastbit/sources/records.h"

#include <fmt/core.h>

#include <algorithm>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/sources/byte_stream.h"

namespace lastbit::source {
namespace {

// The line that a byte is on, counted from 1.
std::uint64_t line_of(const std::filesystem::path& path, std::uint64_t offset, TextForm form) {
  constexpr std::uint64_t kStep = 1 << 16;
  ByteStream stream(path, form);
  std::string block;
  std::uint64_t line = 1;
  while (offset > 0) {
    block.clear();
    stream.read(block, static_cast<std::size_t>(std::min(offset, kStep)));
    if (block.empty()) break;
    line += static_cast<std::uint64_t>(std::ranges::count(block, '\n'));
    offset -= block.size();
  }
  return line;
}

}  // namespace

void refuse_malformed(const std::filesystem::path& path, const Malformed& malformed,
                      TextForm form) {
  throw Error(ErrorCode::kBadInput, quote(path.string(), 200),
              fmt::format("line {}: {}", line_of(path, malformed.offset, form), malformed.problem),
              malformed.remedy);
}

}  // namespace lastbit::source
