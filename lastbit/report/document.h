// JSON documents as the tool prints them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lastbit::report {

// dumped: the document as text that ends in a line feed; bytes that are not UTF-8 are replaced.
std::string dumped(const nlohmann::ordered_json& document);

}  // namespace lastbit::report
