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
  std::size_t count() const { return found_.size(); }
  // full: looking for more is pointless; this bounds the work on hostile files.
  bool full() const { return found_.size() >= 1000; }
  // throw_if_any: throws a kBadInput Error with the problems in the order of the file. Its place is
  // that of the first problem; the others follow in its text, one per line, each with its own
  // place.
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

// meant_name: the one candidate that begins with `name`, otherwise the nearest one, if any.
std::optional<std::string> meant_name(std::string_view name,
                                      const std::vector<std::string>& candidates);
// did_you_mean: a remedy that suggests this candidate, or otherwise lists all of them.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);
// in_code: `name` in backquotes, whatever bytes it contains.
std::string in_code(std::string_view name);

}  // namespace lastbit::release_internal
