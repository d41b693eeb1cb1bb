// The release file of the demo.
#pragma once

#include <cstdint>
#include <string>

namespace lastbit::cli {

// kDemoMark: the first line, by which a later demo recognises a folder as its own.
inline constexpr const char* kDemoMark = "# Made by `lastbit demo`.";

// demo_file: its text, with comments for newcomers.
std::string demo_file(std::uint64_t seed);

}  // namespace lastbit::cli
