#include "lastbit/verify/lang/expectation.h"

#include <fmt/core.h>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::verify {
namespace {

constexpr std::string_view kMark = "# EXPECT:";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

std::optional<Expectation> read_expectation(std::string_view text) {
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.starts_with(kMark)) continue;
    const std::string_view said = trimmed(line.substr(kMark.size()));
    for (const std::string_view verdict : {"refuted", "unknown", "not refuted"}) {
      if (said == verdict) return Expectation{.verdict = std::string(verdict), .epsilon = ""};
    }
    if (said.starts_with("proved ")) {
      return Expectation{.verdict = "proved", .epsilon = std::string(trimmed(said.substr(7)))};
    }
    throw Error(ErrorCode::kBadText, fmt::format("line {}", number),
                fmt::format("EXPECT says {}", quote(said)),
                "write `proved LOSS`, `refuted`, `unknown` or `not refuted`");
  }
  return std::nullopt;
}

}  // namespace lastbit::verify
