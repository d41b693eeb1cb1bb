// The columns of a survey file that the demo of chains uses.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lastbit::cli {

struct SurveyTable {
  std::vector<std::optional<std::int64_t>> age;
  std::vector<std::optional<double>> hours;
  std::vector<std::optional<double>> income;
  std::vector<std::optional<std::string>> region;
  std::vector<std::optional<std::string>> sex;
};

// read_survey: the file's columns; kBadInput where it is no survey of `lastbit generate`.
SurveyTable read_survey(const std::filesystem::path& file);

}  // namespace lastbit::cli
