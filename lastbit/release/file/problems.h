// Problems: what is wrong with a release file, collected so that one run shows all of it. For this
// module only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
  // add_about: the same, where the name of this column may be what is wrong.
  void add_about(const Located<std::string>& column, std::string problem, std::string remedy);
  // reword: gives the problems about columns the words that `better` finds for them, if any.
  struct Words {
    std::string problem;
    std::string remedy;
  };
  void reword(const std::function<std::optional<Words>(const std::string& column,
                                                       const Words& words)>& better);
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
    Words words;
    std::string column = {};  // that it is about; empty if about none
  };
  void keep(Problem problem);
  std::string place(FilePosition position) const;

  std::string filename_;
  std::vector<Problem> found_;
};

// meant_name: the candidate that other systems call `name`, otherwise the one that begins with it,
// otherwise the nearest one, if any.
std::optional<std::string> meant_name(std::string_view name,
                                      const std::vector<std::string>& candidates);
// did_you_mean: a remedy that suggests this candidate, or otherwise lists all of them.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);
// no_column, did_you_mean_column: the words for a column that is not there, among those that are.
std::string no_column(std::string_view name);
std::string did_you_mean_column(std::string_view name, const std::vector<std::string>& columns);
// key_in_file: the name of a column as a key of a release file: in quotes where it needs them.
std::string key_in_file(const std::string& name);
// in_code: `name` in backquotes, whatever bytes it contains.
std::string in_code(std::string_view name);

}  // namespace lastbit::release_internal
