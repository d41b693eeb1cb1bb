// Text files that the tool reads whole.
#pragma once

#include <cstddef>
#include <string>

namespace lastbit::cli {

// read_text_file: the bytes of the file.
// Fails     a file that is missing, unreadable, a folder, empty or longer than `limit` bytes is a
//           kBadInput Error that names it. No more than `limit` bytes of a large file are read.
std::string read_text_file(const std::string& path, std::size_t limit);

}  // namespace lastbit::cli
