#include "cli/commands/release_limits.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <utility>

#include "lastbit/base/text.h"

namespace lastbit::cli {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 60U;
constexpr std::uint64_t kMostThreads = 1024;

}  // namespace

std::optional<std::uint64_t> byte_count(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 10> kUnits{
      {{"", 1},
       {"B", 1},
       {"KB", 1'000},
       {"MB", 1'000'000},
       {"GB", 1'000'000'000},
       {"TB", 1'000'000'000'000},
       {"KiB", std::uint64_t{1} << 10U},
       {"MiB", std::uint64_t{1} << 20U},
       {"GiB", std::uint64_t{1} << 30U},
       {"TiB", std::uint64_t{1} << 40U}}};
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(stop - text.data()));
  for (const auto& [name, bytes] : kUnits) {
    if (unit == name && number <= kMostBytes / bytes) return number * bytes;
  }
  return std::nullopt;
}

LimitOptions::LimitOptions(Arguments& parser) : parser_(parser) {
  parser.add_option("--memory", memory_,
                    "The most memory for the data, such as 4GB (most of the machine)", "SIZE");
  parser.add_option("--threads", threads_, "How many threads (one per core)", "N");
  parser.add_option("--spill", spill_,
                    "Folder for what does not fit in memory; it holds private rows meanwhile",
                    "DIR");
}

engine::EngineLimits LimitOptions::limits() const {
  engine::EngineLimits limits;
  if (!memory_.empty()) {
    limits.memory_bytes = byte_count(memory_);
    if (!limits.memory_bytes || *limits.memory_bytes == 0) {
      throw parser_.wrong(
          fmt::format("{} cannot be the value of --memory", lastbit::quote(memory_)),
          "give a size, as in 4GB or 512MiB");
    }
  }
  if (!threads_.empty()) {
    limits.threads =
        static_cast<unsigned>(parser_.whole_number("--threads", threads_, 1, kMostThreads));
  }
  if (!spill_.empty()) limits.spill_directory = spill_;
  return limits;
}

}  // namespace lastbit::cli
