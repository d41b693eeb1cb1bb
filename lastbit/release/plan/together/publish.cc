#include "lastbit/release/plan/together/publish.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <variant>

namespace lastbit::release_internal {
namespace {

// by_column: the numbers of a table by one of the keys of their groups.
Partition by_column(const NoisyTable& table, std::size_t column, std::size_t cells) {
  Partition partition;
  std::map<KeyValue, std::size_t> places;
  for (const KeyTuple& group : table.groups) {
    const auto place = places.emplace(group[column], places.size()).first->second;
    partition.block_of.insert(partition.block_of.end(), cells, place);
  }
  partition.blocks = places.size();
  return partition;
}
Partition by_group(std::size_t groups, std::size_t cells) {
  Partition partition{std::vector<std::size_t>(groups * cells), groups};
  for (std::size_t i = 0; i < partition.block_of.size(); ++i) partition.block_of[i] = i / cells;
  return partition;
}
Partition by_cell(std::size_t groups, std::size_t cells) {
  Partition partition{std::vector<std::size_t>(groups * cells), cells};
  for (std::size_t i = 0; i < partition.block_of.size(); ++i) partition.block_of[i] = i % cells;
  return partition;
}
// moves_far: whether a number of steps would move, from what it would be by itself, by more than
// the error that is stated for it. Then large numbers would pay for the noise of many small ones.
bool moves_far(const StagedRelease& staged, const CorrectionPointer& correction,
               const Rational& step, const std::vector<Rational>& drawn,
               const std::vector<Integer>& fitted) {
  const auto error = staged.errors(correction, 1, 1).accuracy.always;
  if (!error) return false;
  const Rational most = *error / step + Rational(1, 2);  // one half is rounding
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (abs(std::max(drawn[i], Rational(0)) - Rational(fitted[i])) > most) return true;
  }
  return false;
}

}  // namespace

std::vector<Partition> by_columns(const NoisyTable& table, std::size_t cells) {
  std::vector<Partition> partitions;
  const std::size_t columns = table.groups.empty() ? 0 : table.groups.front().size();
  for (std::size_t i = 0; i < columns; ++i) partitions.push_back(by_column(table, i, cells));
  return partitions;
}

bool publishes_counts(const StagedRelease& staged) {
  return staged.numbers && staged.numbers->limits.has_value();
}

void publish_cells(const StagedRelease& staged, const CorrectionPointer& correction,
                   const std::vector<Integer>& rows, NoisyTable& table) {
  if (!staged.numbers) return;
  const std::size_t cells = staged.numbers->rows.size();
  const std::vector<Rational>& numbers = table.parts.front();
  std::vector<Integer> fitted = rows;
  if (cells > 1 && !staged.totals) {
    fitted = fit_to_rows(numbers, by_group(rows.size(), cells), rows);
  } else if (cells > 1) {
    const Partition columns = by_cell(rows.size(), cells);
    const Integer all = std::accumulate(rows.begin(), rows.end(), Integer(0));
    fitted = fit_to_both(numbers, by_group(rows.size(), cells), rows, columns,
                         fit_to_total(columns.sums(numbers), all));
  }
  if (moves_far(staged, correction, 1, numbers, fitted)) return;
  table.published.assign(fitted.begin(), fitted.end());
}

void publish_alone(const StagedRelease& staged, NoisyTable& table) {
  if (!staged.totals || table.groups.empty()) return;
  if (!staged.numbers || !staged.numbers->limits) return;
  const AnswerLimits& limits = *staged.numbers->limits;
  if (limits.lower.has_value() == limits.upper.has_value()) return;
  const Grid grid = std::visit([](const auto& law) { return law.grid; }, staged.numbers->law);
  const Rational unit = limits.lower ? grid.spacing() : -grid.spacing();
  std::vector<Rational> steps;
  for (const Rational& number : table.parts.front()) steps.push_back(number / unit);
  const std::size_t cells = steps.size() / table.groups.size();
  std::vector<Partition> dimensions = by_columns(table, cells);
  if (cells > 1) dimensions.push_back(by_cell(table.groups.size(), cells));
  const std::vector<Integer> fitted = fit_table(steps, dimensions);
  if (moves_far(staged, nullptr, grid.spacing(), steps, fitted)) return;
  for (const Integer& number : fitted) table.published.push_back(Rational(number) * unit);
}

}  // namespace lastbit::release_internal
