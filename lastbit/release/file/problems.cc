#include "lastbit/release/file/problems.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/release/expressions/other_words.h"
#include "lastbit/release/file/canonical.h"

namespace lastbit::release_internal {

void Problems::add(FilePosition position, std::string problem, std::string remedy) {
  keep({position, {std::move(problem), std::move(remedy)}});
}

void Problems::add_about(const Located<std::string>& column, std::string problem,
                         std::string remedy) {
  keep({column.position, {std::move(problem), std::move(remedy)}, column.value});
}

void Problems::keep(Problem problem) {
  // A column that is used twice has the same problem twice.
  const bool known = std::ranges::any_of(found_, [&](const Problem& other) {
    return other.position.line == problem.position.line &&
           other.position.column == problem.position.column &&
           other.words.problem == problem.words.problem;
  });
  if (!known) found_.push_back(std::move(problem));
}

void Problems::reword(const std::function<std::optional<Words>(const std::string& column,
                                                               const Words& words)>& better) {
  std::vector<Problem> before = std::exchange(found_, {});
  for (Problem& problem : before) {
    const auto words =
        problem.column.empty() ? std::nullopt : better(problem.column, problem.words);
    if (words) problem.words = *words;
    keep(std::move(problem));
  }
}

std::string Problems::place(FilePosition position) const {
  if (position.in_statement()) return fmt::format("query:1:{}", position.column);
  return fmt::format("{}:{}:{}", filename_, position.line, position.column);
}

void Problems::throw_if_any() {
  if (found_.empty()) return;
  // Two problems at one place stay in the order in which they were found.
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> order;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    order.emplace_back(found_[i].position.line, found_[i].position.column, i);
  }
  std::ranges::sort(order);
  const Problem& first = found_[std::get<2>(order.front())];
  std::string remedy = first.words.remedy;
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (i == kMostShown) {
      remedy += fmt::format("\n{}: there are {} more problems; solve these first", filename_,
                            order.size() - kMostShown);
      break;
    }
    const Problem& next = found_[std::get<2>(order[i])];
    remedy +=
        fmt::format("\n{}: {}; {}", place(next.position), next.words.problem, next.words.remedy);
  }
  throw Error(ErrorCode::kBadInput, place(first.position), first.words.problem, remedy);
}

std::string in_code(std::string_view name) {
  const std::string safe = quote(name, 60);
  const std::size_t last = safe.rfind('\'');
  return fmt::format("`{}`{}", safe.substr(1, last - 1), safe.substr(last + 1));
}

std::optional<std::string> meant_name(std::string_view name,
                                      const std::vector<std::string>& candidates) {
  constexpr std::size_t kTelling = 3;
  if (auto ours = other_word(name, candidates)) return ours;
  const auto longer = [&](const std::string& candidate) { return candidate.starts_with(name); };
  if (name.size() >= kTelling && std::ranges::count_if(candidates, longer) == 1) {
    return *std::ranges::find_if(candidates, longer);
  }
  return nearest_name(name, candidates);
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t kMostListed = 12;
  if (const auto meant = meant_name(name, candidates)) {
    return fmt::format("did you mean {}?", in_code(*meant));
  }
  if (candidates.empty()) return "remove it";
  std::vector<std::string> listed;
  for (const std::string& candidate : candidates) {
    if (listed.size() == kMostListed) {
      listed.emplace_back("…");
      break;
    }
    listed.push_back(in_code(candidate));
  }
  return "use one of " + joined(listed, ", ");
}

std::string key_in_file(const std::string& name) {
  const bool plain = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || is_digit(c);
  });
  return plain ? name : toml_string(name);
}

std::string no_column(std::string_view name) {
  return fmt::format("there is no column {}", quote(name));
}

std::string did_you_mean_column(std::string_view name, const std::vector<std::string>& columns) {
  constexpr std::size_t kMostListed = 12;
  if (const auto meant = meant_name(name, columns)) {
    return fmt::format("did you mean {}?", quote(*meant));
  }
  std::vector<std::string> listed;
  for (const std::string& column : columns) {
    if (listed.size() < kMostListed) listed.push_back(quote(column));
  }
  if (columns.size() > kMostListed) listed.emplace_back("…");
  return "the columns are " + joined(listed, ", ");
}

}  // namespace lastbit::release_internal
