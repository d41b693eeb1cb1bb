// Files of text that the tool reads whole.
#pragma once

#include <cstddef>
#include <string>

namespace lastbit::cli {

// read_text_file: the bytes of the file.
// Fails     a file that is not there, cannot be read, is a folder, is empty or has more than `limit`
//           bytes is a kBadInput Error that names it. Of a large file no more than `limit` is read.
std::string read_text_file(const std::string& path, std::size_t limit);

}  // namespace lastbit::cli
