#include "lastbit/release/plan/together.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <source_location>
#include <string>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/release/plan/fit_totals.h"
#include "lastbit/release/plan/plan_statistic.h"

namespace lastbit::release_internal {
namespace {

using Members = std::vector<std::size_t>;

// numbers_of: those of a statistic that shares its rows; others need not have any.
const GroupNumbers& numbers_of(const StagedRelease& staged) {
  if (!staged.numbers) {
    broken_invariant("a statistic that shares rows has numbers", std::source_location::current());
  }
  return *staged.numbers;
}

std::shared_ptr<const SharedRows> shared_rows_of(const std::vector<PlannedStatistic>& statistics,
                                                 const Members& members) {
  std::vector<RowEstimate> estimates;
  for (const std::size_t i : members) {
    const GroupNumbers& numbers = numbers_of(*statistics[i].staged);
    estimates.push_back({numbers.law, numbers.rows, numbers.learns});
  }
  return std::make_shared<const SharedRows>(std::move(estimates));
}

// loses: whether the statistic states an error for all data, and learning would make it larger. The
// mean of two noises has a smaller variance, but not at every confidence a smaller error, and
// averages of counts are rounded.
bool loses(const PlannedStatistic& planned, const CorrectionPointer& correction) {
  if (!numbers_of(*planned.staged).learns || !planned.accuracy.always) return false;
  const auto after = planned.staged->errors(correction, 1, 1).accuracy.always;
  return !after || *after > *planned.accuracy.always;
}

// learners: those that gain, or lose nothing; the others go their own way.
std::shared_ptr<const SharedRows> learners(const std::vector<PlannedStatistic>& statistics,
                                           Members& members) {
  while (members.size() > 1) {
    auto shared = shared_rows_of(statistics, members);
    Members left;
    for (std::size_t k = 0; k < members.size(); ++k) {
      if (!loses(statistics[members[k]], shared->correction(k))) left.push_back(members[k]);
    }
    if (left.size() == members.size()) return shared;
    members = std::move(left);
  }
  return nullptr;
}

void set_errors(PlannedStatistic& planned, const CorrectionPointer& correction,
                const std::vector<std::string>& others) {
  const auto& errors = planned.staged->errors;
  auto [accuracy, bias] = errors(correction, 1, 1);
  planned.accuracy = std::move(accuracy);
  planned.bias = std::move(bias);
  planned.total_errors = [errors, correction](std::int64_t fewest, std::int64_t most) {
    return errors(correction, fewest, most);
  };
  planned.steps.push_back(
      fmt::format("{} {} the same rows. What {} say about their number is combined, which costs "
                  "nothing.",
                  joined(others, " and "), others.size() == 1 ? "counts" : "count",
                  others.size() == 1 ? "both" : "all of them"));
}

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
std::vector<Partition> by_columns(const NoisyTable& table, std::size_t cells) {
  std::vector<Partition> partitions;
  const std::size_t columns = table.groups.empty() ? 0 : table.groups.front().size();
  for (std::size_t i = 0; i < columns; ++i) partitions.push_back(by_column(table, i, cells));
  return partitions;
}

bool publishes_counts(const StagedRelease& staged) {
  return staged.numbers && staged.numbers->limits.has_value();
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

// rows_to_publish: of each group, possible and adding up if a statistic adds groups up.
std::vector<Integer> rows_to_publish(const std::vector<Rational>& rows,
                                     const std::vector<const StagedRelease*>& members,
                                     const NoisyTable& table) {
  const bool totals = std::ranges::any_of(
      members, [](const auto* one) { return one->totals && publishes_counts(*one); });
  // How far this moves them is judged by each statistic for itself.
  if (totals) return fit_table(rows, by_columns(table, 1));
  std::vector<Integer> whole;
  for (const Rational& number : rows) whole.push_back(nearest_possible(number));
  return whole;
}

// publish_cells: the cells of each group add up to its rows, unless one would move too far.
void publish_cells(const StagedRelease& staged, const CorrectionPointer& correction,
                   const std::vector<Integer>& rows, NoisyTable& table) {
  const std::size_t cells = numbers_of(staged).rows.size();
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

// publish_alone: a statistic with totals, of numbers that all have one sign.
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

}  // namespace

std::vector<std::shared_ptr<const SharedRows>> plan_together(
    std::vector<PlannedStatistic>& statistics) {
  std::map<std::pair<std::size_t, std::string>, Members> same_rows;
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    const auto& staged = statistics[i].staged;
    if (!staged || staged->rows.empty()) continue;
    same_rows[{statistics[i].aggregation, staged->rows}].push_back(i);
  }
  std::vector<std::shared_ptr<const SharedRows>> all;
  // What many more know adds little, and the law of all noises together takes long.
  constexpr std::size_t kMostTogether = 16;
  for (auto& [rows, members] : same_rows) {
    if (members.size() > kMostTogether) members.resize(kMostTogether);
    const auto shared = learners(statistics, members);
    if (!shared) continue;
    for (std::size_t k = 0; k < members.size(); ++k) {
      std::vector<std::string> others;
      for (const std::size_t i : members) {
        if (i != members[k]) others.push_back(quote(statistics[i].statistic.name.value, 80));
      }
      PlannedStatistic& one = statistics[members[k]];
      one.shares_rows = all.size();
      if (numbers_of(*one.staged).learns) set_errors(one, shared->correction(k), others);
    }
    all.push_back(shared);
  }
  return all;
}

void reconcile_drawn(const ReleasePlan& plan, std::vector<NoisyTable>& drawn) {
  std::vector<std::vector<NoisyTable*>> tables(plan.shared_rows.size());
  std::vector<std::vector<const StagedRelease*>> members(plan.shared_rows.size());
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    const PlannedStatistic& statistic = plan.statistics[i];
    if (!statistic.staged) continue;
    if (!statistic.shares_rows) {
      publish_alone(*statistic.staged, drawn[i]);
      continue;
    }
    tables[*statistic.shares_rows].push_back(&drawn[i]);
    members[*statistic.shares_rows].push_back(statistic.staged.get());
  }
  for (std::size_t number = 0; number < tables.size(); ++number) {
    const std::vector<Rational> rows = plan.shared_rows[number]->reconcile(tables[number]);
    const std::vector<Integer> whole =
        rows_to_publish(rows, members[number], *tables[number].front());
    for (std::size_t k = 0; k < tables[number].size(); ++k) {
      const StagedRelease& one = *members[number][k];
      if (!publishes_counts(one)) continue;
      publish_cells(one, plan.shared_rows[number]->correction(k), whole, *tables[number][k]);
    }
  }
}

}  // namespace lastbit::release_internal
