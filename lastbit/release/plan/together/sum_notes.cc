#include "lastbit/release/plan/together/sum_notes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "lastbit/base/text.h"
#include "lastbit/release/kinds/registry.h"
#include "lastbit/release/plan/plan_aggregation.h"

namespace lastbit::release_internal {
namespace {

// AddedTable: a table of counts or sums of the plan, and what it is about.
struct AddedTable {
  std::size_t statistic = 0;
  const PlannedStatistic* planned = nullptr;
  const Aggregation* aggregation = nullptr;
  std::string rows;  // which rows its numbers count together; empty if they count other things
  bool cells = false;
};

bool is_histogram(const StatisticKind& kind) {
  return std::holds_alternative<CategoryStatistic>(kind) ||
         std::holds_alternative<BinStatistic>(kind);
}

// added_table: nothing for statistics that do not add up, or whose groups depend on the data.
std::optional<AddedTable> added_table(const ReleasePlan& plan, std::size_t number) {
  const PlannedStatistic& planned = plan.statistics[number];
  const StatisticKind& kind = planned.statistic.kind;
  const bool cells = is_histogram(kind);
  const bool counts = std::holds_alternative<CountStatistic>(kind);
  if (!counts && !cells && !std::holds_alternative<SumStatistic>(kind)) return std::nullopt;
  if (planned.statistic.discover || discovers_categories(kind)) return std::nullopt;
  const Aggregation& aggregation = plan.aggregations[planned.aggregation];
  AddedTable table{number, &planned, &aggregation, "", cells};
  if (counts || cells) table.rows = rows_in_number(aggregation.measures[planned.measure]);
  return table;
}

bool same_units(const ContributionUnit& a, const ContributionUnit& b) {
  const auto* first = std::get_if<UnitColumn>(&a);
  const auto* second = std::get_if<UnitColumn>(&b);
  return first == nullptr || second == nullptr ? first == second : first->name == second->name;
}

// kept_columns: where the columns of the coarser table are in `by` of the finer one; nothing if it
// has others.
std::optional<std::vector<std::size_t>> kept_columns(const Statistic& finer,
                                                     const Statistic& coarser) {
  std::vector<std::size_t> kept;
  for (const auto& column : coarser.by) {
    const auto found = std::ranges::find(finer.by, column);
    if (found == finer.by.end()) return std::nullopt;
    kept.push_back(static_cast<std::size_t>(found - finer.by.begin()));
  }
  return kept;
}

// should_add_up: whether readers expect the numbers of one table to add up to those of the other.
// The cells of a histogram stay apart if both have them.
bool should_add_up(const AddedTable& finer, const AddedTable& coarser) {
  const bool same_rows = !finer.rows.empty() && finer.rows == coarser.rows && !coarser.cells;
  if (!same_rows && finer.planned->statistic.kind != coarser.planned->statistic.kind) return false;
  const std::size_t columns = finer.planned->statistic.by.size();
  const std::size_t fewer = coarser.planned->statistic.by.size();
  const bool is_finer = columns > fewer || (columns == fewer && finer.cells && !coarser.cells);
  return is_finer && finer.aggregation->where == coarser.aggregation->where &&
         same_units(finer.aggregation->unit, coarser.aggregation->unit);
}

using CellKey = std::pair<KeyTuple, std::string>;

// differs: whether some number of the coarser table is not the sum of those in the finer one.
bool differs(const std::vector<AnswerLine>& finer, const std::vector<AnswerLine>& coarser,
             const std::vector<std::size_t>& kept, bool cells) {
  std::map<CellKey, std::optional<Rational>> sums;
  for (const AnswerLine& line : finer) {
    KeyTuple group;
    for (const std::size_t column : kept) group.push_back(line.group[column]);
    auto& sum =
        sums.try_emplace({std::move(group), cells ? line.cell : ""}, Rational(0)).first->second;
    if (!line.value) sum.reset();
    if (sum) *sum += *line.value;
  }
  return std::ranges::any_of(coarser, [&](const AnswerLine& line) {
    const auto sum = sums.find({line.group, cells ? line.cell : ""});
    return line.value && sum != sums.end() && sum->second && *sum->second != *line.value;
  });
}

std::string names_in_note(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 4;
  if (names.size() <= kMost) return joined(names, ", ");
  const std::vector<std::string> first(names.begin(), names.begin() + kMost);
  return fmt::format("{} and {} more", joined(first, ", "), names.size() - kMost);
}

}  // namespace

void add_sum_notes(const ReleasePlan& plan, std::vector<StatisticAnswers>& answers) {
  std::vector<AddedTable> tables;
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    if (auto table = added_table(plan, i)) tables.push_back(*std::move(table));
  }
  std::int64_t work = 5'000'000;  // answers to compare
  for (const AddedTable& finer : tables) {
    std::vector<std::string> unequal;
    std::vector<std::string> unknown;
    for (const AddedTable& coarser : tables) {
      if (!should_add_up(finer, coarser)) continue;
      const auto kept = kept_columns(finer.planned->statistic, coarser.planned->statistic);
      if (!kept) continue;
      const auto& lines = answers[finer.statistic].lines;
      work -= std::ssize(lines);
      const std::string name = quote(coarser.planned->statistic.name.value, 80);
      if (work < 0) {
        unknown.push_back(name);
      } else if (differs(lines, answers[coarser.statistic].lines, *kept, coarser.cells)) {
        unequal.push_back(name);
      }
    }
    auto& notes = answers[finer.statistic].notes;
    if (!unequal.empty()) {
      notes.push_back(fmt::format(
          "Added up, these numbers are not exactly those of {}: noise and rounding differ.",
          names_in_note(unequal)));
    }
    if (!unknown.empty()) {
      notes.push_back(fmt::format(
          "Added up, these numbers need not be exactly those of {}: noise and rounding differ.",
          names_in_note(unknown)));
    }
  }
}

}  // namespace lastbit::release_internal
