// The command line of a benchmark: --json, and named whole numbers, each with its default.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "lastbit/base/error.h"
#include "lastbit/numerics/integer.h"

namespace lastbit {

struct BenchmarkOptions {
  std::map<std::string, std::int64_t, std::less<>> numbers;
  bool json = false;

  std::int64_t at(std::string_view name) const { return numbers.find(name)->second; }
};

// parse_options: the defaults, replaced by what the command line says; numbers are at least 1.
// Anything else is a kBadParameter Error that lists the options.
inline BenchmarkOptions parse_options(int argc, char** argv, BenchmarkOptions options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto number = options.numbers.find(argument);
    if (argument == "--json") {
      options.json = true;
    } else if (number != options.numbers.end() && i + 1 < argc) {
      number->second = std::max<std::int64_t>(1, Integer::parse(argv[++i]).to_int64());
    } else {
      std::string known = "use --json";
      for (const auto& [name, value] : options.numbers) known += fmt::format(", {} N", name);
      throw Error::bad_parameter("benchmark", argument, "is not known or lacks its value", known);
    }
  }
  return options;
}

}  // namespace lastbit
