#include "lastbit/release/plan/together/together.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <source_location>
#include <string>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/release/plan/plan_statistic.h"
#include "lastbit/release/plan/together/publish.h"

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

std::vector<std::string> quoted(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) all.push_back(quote(name, 80));
  return all;
}

// names_of_others: of the statistics with these numbers, without one of them.
std::vector<std::string> names_of_others(const std::vector<PlannedStatistic>& statistics,
                                         const Members& members, std::size_t one) {
  std::vector<std::string> names;
  for (const std::size_t i : members) {
    if (i != one) names.push_back(statistics[i].statistic.name.value);
  }
  return names;
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

void set_errors(PlannedStatistic& planned, const CorrectionPointer& correction) {
  auto [accuracy, bias] = planned.staged->errors(correction, 1, 1);
  planned.accuracy = std::move(accuracy);
  planned.bias = std::move(bias);
}

void share_rows(PlannedStatistic& planned, const CorrectionPointer& correction,
                std::vector<std::string> others) {
  set_errors(planned, correction);
  planned.total_errors = [errors = planned.staged->errors, correction](
                             const std::vector<std::size_t>& /*kept*/, std::int64_t fewest,
                             std::int64_t most) { return errors(correction, fewest, most); };
  planned.steps.push_back(
      fmt::format("{} {} the same rows. What {} say about their number is combined, which costs "
                  "nothing.",
                  joined(quoted(others), " and "), others.size() == 1 ? "counts" : "count",
                  others.size() == 1 ? "both" : "all of them"));
  planned.learns_from = std::move(others);
}

void share_tables(PlannedStatistic& planned, const TablesTogether& together,
                  const TablesTogether::Member& member, std::vector<std::string> others) {
  set_errors(planned, member.correction);
  planned.total_errors = [errors = planned.staged->errors, totals = member.totals](
                             const std::vector<std::size_t>& kept, std::int64_t fewest,
                             std::int64_t most) { return errors(totals.at(kept), fewest, most); };
  std::string why;
  if (!together.complete.empty()) {
    why = fmt::format(", as each row has one of the keys of {}",
                      joined(quoted(together.complete), " and "));
  }
  planned.steps.push_back(fmt::format(
      "Also learns from {}: {} the same rows{}. What all of them say about the numbers of rows is "
      "combined, which costs nothing.",
      joined(quoted(others), ", "), others.size() == 1 ? "it counts" : "they count", why));
  planned.learns_from = std::move(others);
  if (together.promised.empty()) return;
  const std::string columns = joined(quoted(together.promised), " and ");
  planned.caveats.push_back(fmt::format(
      "Complete keys: the release file promises that each row that counts has one of the keys of "
      "{}. Rows without one would make the answers wrong, and no interval shows that.",
      columns));
  planned.notes.push_back(fmt::format(
      "Relies on each row having one of the keys of {}; no interval shows what other rows change.",
      columns));
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

// same_counters: the statistics that count the same rows of the same groups.
std::vector<RowCounters> same_counters(const std::vector<PlannedStatistic>& statistics) {
  // What many more know adds little, and the law of all noises together takes long.
  constexpr std::size_t kMostTogether = 16;
  std::vector<RowCounters> counters;
  std::map<std::pair<std::size_t, std::string>, std::size_t> places;
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    const auto& staged = statistics[i].staged;
    if (!staged || staged->rows.empty()) continue;
    const std::pair same(statistics[i].aggregation, staged->rows);
    const auto [place, added] = places.emplace(same, counters.size());
    if (added) counters.push_back({same.first, same.second, {}});
    Members& members = counters[place->second].statistics;
    if (members.size() < kMostTogether) members.push_back(i);
  }
  return counters;
}

// share_with_tables: notes in each statistic what tables by other columns tell it.
void share_with_tables(const std::vector<std::shared_ptr<const TablesTogether>>& tables,
                       std::vector<PlannedStatistic>& statistics) {
  for (std::size_t number = 0; number < tables.size(); ++number) {
    const TablesTogether& together = *tables[number];
    Members members;
    for (const auto& member : together.members) members.push_back(member.statistic);
    for (const auto& member : together.members) {
      PlannedStatistic& one = statistics[member.statistic];
      one.shares_tables = number;
      if (!member.correction) continue;
      if (member.own_table) {
        Members same;
        for (const auto& other : together.members) {
          if (other.table == member.table) same.push_back(other.statistic);
        }
        share_rows(one, member.correction, names_of_others(statistics, same, member.statistic));
        continue;
      }
      share_tables(one, together, member, names_of_others(statistics, members, member.statistic));
    }
  }
}

// misses_target: whether the file gives a target error, and the stated one is larger.
bool misses_target(const PlannedStatistic& planned) {
  const Statistic& statistic = planned.statistic;
  if (statistic.share.kind != ShareKind::kAccuracy) return false;
  const Integer rows = statistic.expected_rows ? Integer(statistic.expected_rows->value) : 1;
  const auto error = planned.accuracy.at(rows);
  return !error || *error > statistic.share.value;
}

}  // namespace

std::vector<std::vector<std::size_t>> sharing_rows(
    const std::vector<PlannedStatistic>& statistics) {
  std::vector<Members> sets;
  for (RowCounters& counters : same_counters(statistics)) {
    sets.push_back(std::move(counters.statistics));
  }
  return sets;
}

std::shared_ptr<const SharedRows> learners(const std::vector<PlannedStatistic>& statistics,
                                           Members& members) {
  while (members.size() > 1) {
    auto shared = shared_rows_of(statistics, members);
    Members left;
    for (std::size_t k = 0; k < members.size(); ++k) {
      if (!learning_loses(statistics[members[k]], shared->correction(k)))
        left.push_back(members[k]);
    }
    if (left.size() == members.size()) return shared;
    members = std::move(left);
  }
  return nullptr;
}

SharedKnowledge plan_together(const ReleaseFile& release,
                              const std::vector<Aggregation>& aggregations,
                              std::vector<PlannedStatistic>& statistics) {
  std::vector<RowCounters> counters = same_counters(statistics);
  SharedKnowledge all;
  std::vector<PlannedStatistic> alone = statistics;
  all.tables = find_tables(release, aggregations, statistics, counters);
  share_with_tables(all.tables, statistics);
  // Targets were met by what statistics of the same groups know.
  if (!all.tables.empty() && std::ranges::any_of(statistics, misses_target)) {
    statistics = std::move(alone);
    counters = same_counters(statistics);
    all.tables.clear();
  }
  for (auto& [aggregation, rows, members] : counters) {
    const auto shared = learners(statistics, members);
    if (!shared) continue;
    for (std::size_t k = 0; k < members.size(); ++k) {
      PlannedStatistic& one = statistics[members[k]];
      one.shares_rows = all.rows.size();
      if (!numbers_of(*one.staged).learns) continue;
      share_rows(one, shared->correction(k), names_of_others(statistics, members, members[k]));
    }
    all.rows.push_back(shared);
  }
  return all;
}

void reconcile_drawn(const ReleasePlan& plan, std::vector<NoisyTable>& drawn) {
  std::vector<std::vector<NoisyTable*>> tables(plan.shared_rows.size());
  std::vector<std::vector<const StagedRelease*>> members(plan.shared_rows.size());
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    const PlannedStatistic& statistic = plan.statistics[i];
    if (!statistic.staged || statistic.shares_tables) continue;
    if (!statistic.shares_rows) {
      publish_alone(*statistic.staged, drawn[i]);
      continue;
    }
    tables[*statistic.shares_rows].push_back(&drawn[i]);
    members[*statistic.shares_rows].push_back(statistic.staged.get());
  }
  // Totals come after the statistics that they belong to, and have no numbers of their own.
  std::vector<DrawnStatistic> in_file;
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    if (plan.statistics[i].release) in_file.push_back({&plan.statistics[i], &drawn[i]});
  }
  for (const auto& together : plan.tables_together) reconcile_tables(*together, in_file);
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
