// Small text helpers shared by every room.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lastbit {

// quoted: `text` in single quotes, control and non-ASCII bytes as \xNN, cut after `limit` bytes,
// so that hostile input cannot garble a terminal or flood a log.
std::string quoted(std::string_view text, std::size_t limit = 40);

// joined: the parts with `separator` between them.
std::string joined(std::span<const std::string> parts, std::string_view separator);

}  // namespace lastbit
