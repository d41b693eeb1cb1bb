// Problems: what is wrong with a release file, collected so that one run shows all of it. For this
// module only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/release/file/release_file.h"

namespace lastbit::release_internal {

class Problems {
 public:
  // The most that are shown; more would only hide the first ones.
  static constexpr std::size_t kMostShown = 20;

  explicit Problems(std::string filename) : filename_(std::move(filename)) {}

  const std::string& filename() const { return filename_; }
  void add(FilePosition position, std::string problem, std::string remedy);
  bool empty() const { return found_.empty(); }
  // full: there is no use in looking for more; this bounds the work on hostile files.
  bool full() const { return found_.size() >= 1000; }
  // throw_if_any: a kBadInput Error in the order of the file. Its place is that of the first problem;
  // the others follow in its text, one a line, each with its own place.
  void throw_if_any();

 private:
  struct Problem {
    FilePosition position;
    std::string problem;
    std::string remedy;
  };
  std::string place(FilePosition position) const;

  std::string filename_;
  std::vector<Problem> found_;
};

// meant_name: the one candidate that begins with `name`, else the nearest one, if any.
std::optional<std::string> meant_name(std::string_view name,
                                      const std::vector<std::string>& candidates);
// did_you_mean: a remedy that names it, or else lists the candidates.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);
// in_code: `name` in backquotes, whatever bytes it holds.
std::string in_code(std::string_view name);

}  // namespace lastbit::release_internal
