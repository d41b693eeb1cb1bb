// What the tests of this module share. For tests only; not installed.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/release/file/parse_release.h"

namespace lastbit {

inline std::string text_of_file(const std::string& path) {
  std::ifstream file(std::string(LASTBIT_SOURCE_DIR) + "/" + path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline const std::vector<std::string>& example_files() {
  static const std::vector<std::string> kFiles = {
      "examples/releases/regions.toml", "examples/releases/fulton.toml",
      "examples/releases/visits.toml", "examples/releases/labour.toml",
      "examples/releases/survey.toml"};
  return kFiles;
}

// The first lines of a valid file, to which a statistic must be added. Statistics begin in line 10.
inline const std::string kHead =
    "version = 1\n"
    "source = 's.csv'\n"
    "unit = 'row'\n"
    "budget = { epsilon = 1, ledger = 'l' }\n"
    "[columns]\n"
    "income = { type = 'integer', lower = 0, upper = 100 }\n"
    "age = { type = 'real', lower = 0, upper = 120 }\n"
    "region = { keys = ['n', 's'] }\n"
    "\n";

// verdict: the messages about a release file called f.toml; "accepted" if nothing is wrong.
inline std::string verdict(const std::string& text, const ReadPublicTable& read = {}) {
  try {
    parse_release(text, "f.toml", read);
  } catch (const Error& error) {
    return error.code() == ErrorCode::kBadInput ? error.what() : "another code than kBadInput";
  }
  return "accepted";
}

}  // namespace lastbit
