// What the engine may use, as options of a command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/terminal/arguments.h"
#include "lastbit/release/engine.h"

namespace lastbit::cli {

// byte_count: a size as in 4GB, 512MiB or 100000; nothing for any other text, or for more than
// 2^60.
std::optional<std::uint64_t> byte_count(std::string_view text);

// LimitOptions: --memory, --threads and --spill.
class LimitOptions {
 public:
  explicit LimitOptions(Arguments& parser);
  // limits: usage Failures for texts that make no sense.
  engine::EngineLimits limits() const;

 private:
  const Arguments& parser_;
  std::string memory_;
  std::string threads_;
  std::string spill_;
};

}  // namespace lastbit::cli
