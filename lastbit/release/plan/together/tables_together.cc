#include "lastbit/release/plan/together/tables_together.h"

#include <algorithm>
#include <optional>
#include <set>
#include <source_location>
#include <string>
#include <utility>
#include <variant>

#include "lastbit/base/error.h"
#include "lastbit/base/held.h"
#include "lastbit/release/plan/plan_statistic.h"
#include "lastbit/release/plan/together/publish.h"
#include "lastbit/release/plan/together/totals.h"

namespace lastbit::release_internal {
namespace {

using Complete = GroupKeys::Complete;

// More than this would take long to plan or to compute, and the last tables add little.
constexpr std::size_t kMostTables = 16;
constexpr std::size_t kMostPivotNoises = 8;    // in statistics that look at them very often
constexpr std::int64_t kMostTableNoises = 64;  // different ones in one number, about
constexpr std::int64_t kMostTableNumbers =
    1'000'000;  // numbers of all tables, for each set of factors

// KnownFactor: keys that make groups, and whether they are complete.
struct KnownFactor {
  GroupColumns keys;
  Complete complete = Complete::kNo;
};

// Candidate: statistics that count the same rows of one table, with the numbers of its factors.
struct Candidate {
  std::size_t counters = 0;
  std::vector<std::size_t> factors = {};  // increasing
};

std::int64_t keys_of_factor(const GroupColumns& keys) {
  if (const auto* range = std::get_if<RangeKeys>(&keys)) return range->last - range->first + 1;
  return static_cast<std::int64_t>(std::get<ListedKeys>(keys).tuples.size());
}

std::vector<std::string> columns_of_factor(const GroupColumns& keys) {
  Aggregation one;
  one.groups = {keys};
  std::vector<std::string> names;
  for (const KeyColumn& column : key_columns(one)) names.push_back(column.name);
  return names;
}

const GroupNumbers& group_numbers(const PlannedStatistic& planned) {
  invariant(planned.staged != nullptr, "a statistic that shares rows is drawn in steps");
  return held(planned.staged->numbers, "a statistic that shares rows has numbers");
}

// TableFinder: collects the factors of a release, and which tables belong together.
class TableFinder {
 public:
  TableFinder(const ReleaseFile& release, const std::vector<Aggregation>& aggregations,
              const std::vector<PlannedStatistic>& statistics,
              const std::vector<RowCounters>& counters)
      : release_(release),
        aggregations_(aggregations),
        statistics_(statistics),
        counters_(counters) {
    for (std::size_t i = 0; i < counters.size(); ++i) add(i);
    // The order of the file means nothing: coarse tables, which gain most, come first.
    std::ranges::sort(candidates_, {}, [&](const Candidate& one) { return place_of(one); });
  }

  // families: candidates that count the same rows and have the same incomplete factors.
  std::vector<std::vector<Candidate>> families() const {
    std::vector<std::vector<Candidate>> all;
    for (const Candidate& one : candidates_) {
      const auto known = std::ranges::find_if(
          all, [&](const auto& family) { return belong_together(family.front(), one); });
      if (known == all.end()) {
        all.push_back({one});
      } else if (fits(*known, one)) {
        known->push_back(one);
      }
    }
    std::erase_if(all, [](const auto& family) { return family.size() < 2; });
    return all;
  }

  TablesTogether together(const std::vector<Candidate>& family) const;

 private:
  // place_of: the number of groups, and the first name.
  std::pair<Integer, std::string> place_of(const Candidate& one) const {
    Integer groups = 1;
    for (const std::size_t i : one.factors) groups *= Integer(keys_of_factor(factors_[i].keys));
    std::set<std::string> names;
    for (const std::size_t i : counters_[one.counters].statistics) {
      names.insert(statistics_[i].statistic.name.value);
    }
    return {std::move(groups), *names.begin()};
  }

  void add(std::size_t number) {
    const RowCounters& counters = counters_[number];
    const Aggregation& aggregation = aggregations_[counters.aggregation];
    if (!std::holds_alternative<RowsAreUnits>(aggregation.unit)) return;
    const auto groups = public_groups(aggregation);
    if (!groups || *groups > kMostTableNumbers) return;
    // The parts of `by` are the groups of the aggregation, in the same order.
    const auto keys = group_keys(release_, statistics_[counters.statistics.front()].statistic);
    if (keys.size() != aggregation.groups.size()) return;
    Candidate candidate{number};
    for (std::size_t i = 0; i < keys.size(); ++i) {
      candidate.factors.push_back(number_of(aggregation.groups[i], keys[i].complete));
    }
    std::ranges::sort(candidate.factors);
    candidates_.push_back(std::move(candidate));
  }

  std::size_t number_of(const GroupColumns& keys, Complete complete) {
    const auto known = std::ranges::find(factors_, keys, &KnownFactor::keys);
    const auto number = static_cast<std::size_t>(known - factors_.begin());
    if (known == factors_.end()) {
      factors_.push_back({keys, complete});
    } else {
      known->complete = std::max(known->complete, complete);
    }
    return number;
  }

  std::vector<std::size_t> incomplete(const Candidate& one) const {
    std::vector<std::size_t> factors = one.factors;
    std::erase_if(factors, [&](std::size_t i) { return factors_[i].complete != Complete::kNo; });
    return factors;
  }

  bool belong_together(const Candidate& a, const Candidate& b) const {
    const RowCounters& first = counters_[a.counters];
    const RowCounters& second = counters_[b.counters];
    return first.rows == second.rows && incomplete(a) == incomplete(b) &&
           aggregations_[first.aggregation].where == aggregations_[second.aggregation].where;
  }

  // fits: whether a family with one more is still quick to compute.
  bool fits(const std::vector<Candidate>& family, const Candidate& more) const {
    if (family.size() >= kMostTables) return false;
    std::set<std::size_t> complete;
    Integer noises = 0;
    Integer parts = 0;
    const auto add = [&](const Candidate& one) {
      Integer sets = 1;
      Integer numbers = 1;
      for (const std::size_t factor : one.factors) {
        numbers *= Integer(keys_of_factor(factors_[factor].keys));
        if (factors_[factor].complete == Complete::kNo) continue;
        complete.insert(factor);
        sets *= Integer(2);
      }
      noises += sets * Integer(counters_[one.counters].statistics.size());
      parts += sets * numbers;
    };
    std::ranges::for_each(family, add);
    add(more);
    return noises <= kMostTableNoises && parts <= kMostTableNumbers &&
           complete.size() <= CountedTables::kMostFactors;
  }

  const ReleaseFile& release_;
  const std::vector<Aggregation>& aggregations_;
  const std::vector<PlannedStatistic>& statistics_;
  const std::vector<RowCounters>& counters_;
  std::vector<KnownFactor> factors_;
  std::vector<Candidate> candidates_;
};

// kept_factors: those with all their columns among the kept ones of `by`; nothing if one of them
// would be cut in two.
std::optional<std::vector<std::size_t>> kept_factors(const TablesTogether& together,
                                                     std::size_t table, const Statistic& statistic,
                                                     const std::vector<std::size_t>& kept) {
  std::set<std::string> names;
  for (const std::size_t i : kept) names.insert(statistic.by[i].value);
  std::vector<std::size_t> factors;
  for (const std::size_t factor : together.counted.tables()[table].factors) {
    const auto columns = columns_of_factor(together.keys[factor]);
    const auto in = std::ranges::count_if(
        columns, [&](const std::string& name) { return names.contains(name); });
    if (in == std::ssize(columns)) {
      factors.push_back(factor);
    } else if (in != 0) {
      return std::nullopt;
    }
  }
  return factors;
}

// set_corrections: of a statistic that gains, or loses nothing; others keep their numbers.
void set_corrections(const TablesTogether& together, const PlannedStatistic& planned,
                     TablesTogether::Member& member) {
  if (!group_numbers(planned).learns) return;
  const CountedTables& counted = together.counted;
  const auto own =
      counted.correction(member.table, member.place, counted.tables()[member.table].factors);
  if (!planned.accuracy.always && own->others.size() > kMostPivotNoises) {
    const std::vector<RowEstimate>& estimates = counted.tables()[member.table].estimates;
    if (estimates.size() < 2) return;
    member.correction = SharedRows(estimates).correction(member.place);
    member.own_table = true;
    return;
  }
  if (learning_loses(planned, own)) return;
  std::map<std::vector<std::size_t>, CorrectionPointer> totals;
  const Statistic& statistic = planned.statistic;
  if (statistic.totals) {
    for (const auto& kept : total_columns(statistic.by.size())) {
      const auto factors = kept_factors(together, member.table, statistic, kept);
      if (!factors) return;
      totals[kept] = counted.correction(member.table, member.place, *factors);
    }
  }
  member.correction = own;
  member.totals = std::move(totals);
}

TablesTogether TableFinder::together(const std::vector<Candidate>& family) const {
  std::set<std::size_t> used;
  for (const Candidate& one : family) used.insert(one.factors.begin(), one.factors.end());
  std::vector<TableFactor> factors;
  std::map<std::size_t, std::size_t> renumbered;
  std::vector<GroupColumns> keys;
  std::vector<std::string> complete;
  std::vector<std::string> promised;
  for (const std::size_t number : used) {
    const KnownFactor& factor = factors_[number];
    renumbered[number] = factors.size();
    factors.push_back({keys_of_factor(factor.keys), factor.complete != Complete::kNo});
    keys.push_back(factor.keys);
    const bool everywhere = std::ranges::all_of(family, [&](const Candidate& one) {
      return std::ranges::binary_search(one.factors, number);
    });
    if (everywhere) continue;
    for (const std::string& name : columns_of_factor(factor.keys)) {
      complete.push_back(name);
      if (factor.complete == Complete::kPromised) promised.push_back(name);
    }
  }
  std::vector<CountedTable> tables;
  std::vector<TablesTogether::Member> members;
  for (const Candidate& one : family) {
    CountedTable table;
    for (const std::size_t factor : one.factors) table.factors.push_back(renumbered.at(factor));
    for (const std::size_t i : counters_[one.counters].statistics) {
      const GroupNumbers& numbers = group_numbers(statistics_[i]);
      members.push_back({i, tables.size(), table.estimates.size()});
      table.estimates.push_back({numbers.law, numbers.rows, numbers.learns});
    }
    tables.push_back(std::move(table));
  }
  TablesTogether result{CountedTables(std::move(factors), std::move(tables)), std::move(keys),
                        std::move(complete), std::move(promised), std::move(members)};
  for (auto& member : result.members) {
    set_corrections(result, statistics_[member.statistic], member);
  }
  return result;
}

// places_of: where the groups of a drawn table are in the order of its factors.
std::vector<std::size_t> places_of(const TablesTogether& together, std::size_t table,
                                   const Statistic& statistic, const NoisyTable& drawn) {
  std::vector<std::size_t> places(drawn.groups.size(), 0);
  for (const std::size_t factor : together.counted.tables()[table].factors) {
    std::vector<std::size_t> columns;
    for (const std::string& name : columns_of_factor(together.keys[factor])) {
      const auto found = std::ranges::find(statistic.by, name, &Located<std::string>::value);
      columns.push_back(static_cast<std::size_t>(found - statistic.by.begin()));
    }
    const auto* range = std::get_if<RangeKeys>(&together.keys[factor]);
    std::map<KeyTuple, std::size_t> listed;
    if (range == nullptr) {
      for (const KeyTuple& tuple : std::get<ListedKeys>(together.keys[factor]).tuples) {
        listed.emplace(tuple, listed.size());
      }
    }
    const auto keys = static_cast<std::size_t>(together.counted.factors()[factor].keys);
    for (std::size_t group = 0; group < places.size(); ++group) {
      KeyTuple tuple;
      for (const std::size_t column : columns) tuple.push_back(drawn.groups[group][column]);
      const std::size_t place =
          range == nullptr
              ? listed.at(tuple)
              : static_cast<std::size_t>(std::get<std::int64_t>(tuple.front()) - range->first);
      places[group] = places[group] * keys + place;
    }
  }
  return places;
}

// by_factors: the numbers of a table by each of its factors.
std::vector<Partition> by_factors(const CountedTables& counted, const CountedTable& table,
                                  std::size_t numbers) {
  std::vector<Partition> partitions;
  std::size_t inner = numbers;
  for (const std::size_t factor : table.factors) {
    const auto keys = static_cast<std::size_t>(counted.factors()[factor].keys);
    inner /= keys;
    Partition& partition = partitions.emplace_back();
    partition.blocks = keys;
    for (std::size_t i = 0; i < numbers; ++i) partition.block_of.push_back(i / inner % keys);
  }
  return partitions;
}

// added_up: the whole numbers of a table over the factors that a coarser one lacks.
std::vector<Integer> added_up(const CountedTables& counted, const CountedTable& from,
                              const CountedTable& to, const std::vector<Integer>& numbers) {
  const auto dimensions = by_factors(counted, from, numbers.size());
  std::vector<std::size_t> places(numbers.size(), 0);
  std::size_t size = 1;
  for (std::size_t i = 0; i < from.factors.size(); ++i) {
    if (!std::ranges::binary_search(to.factors, from.factors[i])) continue;
    size *= dimensions[i].blocks;
    for (std::size_t cell = 0; cell < places.size(); ++cell) {
      places[cell] = places[cell] * dimensions[i].blocks + dimensions[i].block_of[cell];
    }
  }
  std::vector<Integer> sums(size, Integer(0));
  for (std::size_t cell = 0; cell < places.size(); ++cell) sums[places[cell]] += numbers[cell];
  return sums;
}

// rows_of_tables: numbers to publish that add up. A table within another is the sum of that; the
// sums by single factors are the same in all tables that have them, as fit_table promises.
std::vector<std::vector<Integer>> rows_of_tables(const CountedTables& counted,
                                                 const std::vector<std::vector<Rational>>& rows) {
  const std::vector<CountedTable>& tables = counted.tables();
  std::map<std::size_t, std::vector<Integer>> fitted;
  std::vector<std::vector<Integer>> all;
  for (const CountedTable& table : tables) {
    std::optional<std::size_t> largest;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (!std::ranges::includes(tables[i].factors, table.factors)) continue;
      if (!largest || tables[i].factors.size() > tables[*largest].factors.size()) largest = i;
    }
    const std::size_t finest = held(largest, "a table includes itself");
    auto known = fitted.find(finest);
    if (known == fitted.end()) {
      const auto dimensions = by_factors(counted, tables[finest], rows[finest].size());
      known = fitted.emplace(finest, fit_table(rows[finest], dimensions)).first;
    }
    all.push_back(added_up(counted, tables[finest], table, known->second));
  }
  return all;
}

// move_to: moves the numbers of a statistic so that they say what all tables agree on.
void move_to(const std::vector<Rational>& rows, const std::vector<std::size_t>& places,
             const RowEstimate& estimate, const TablesTogether::Member& member, NoisyTable& drawn) {
  const std::vector<Rational>& gains = member.correction->gains;
  for (std::size_t group = 0; group < places.size(); ++group) {
    const Rational step = rows[places[group]] - rows_of_group(estimate, drawn, group);
    for (std::size_t i = 0; i < gains.size(); ++i) {
      drawn.parts.front()[group * gains.size() + i] += gains[i] * step;
    }
  }
  drawn.correction = member.correction;
  drawn.total_corrections = member.totals;
}

}  // namespace

bool learning_loses(const PlannedStatistic& planned, const CorrectionPointer& correction) {
  if (!group_numbers(planned).learns || !planned.accuracy.always) return false;
  const auto after = planned.staged->errors(correction, 1, 1).accuracy.always;
  return !after || *after > *planned.accuracy.always;
}

std::vector<std::shared_ptr<const TablesTogether>> find_tables(
    const ReleaseFile& release, const std::vector<Aggregation>& aggregations,
    const std::vector<PlannedStatistic>& statistics, std::vector<RowCounters>& counters) {
  const TableFinder finder(release, aggregations, statistics, counters);
  std::vector<std::shared_ptr<const TablesTogether>> all;
  std::set<std::size_t> taken;
  for (const std::vector<Candidate>& family : finder.families()) {
    auto together = std::make_shared<const TablesTogether>(finder.together(family));
    const bool learns = std::ranges::any_of(together->members, [](const auto& member) {
      return member.correction != nullptr && !member.own_table;
    });
    if (!learns) continue;
    all.push_back(std::move(together));
    for (const Candidate& one : family) taken.insert(one.counters);
  }
  for (const std::size_t number : taken) counters[number].statistics.clear();
  return all;
}

void reconcile_tables(const TablesTogether& together,
                      const std::vector<DrawnStatistic>& statistics) {
  const CountedTables& counted = together.counted;
  const std::vector<CountedTable>& tables = counted.tables();
  std::vector<std::vector<const NoisyTable*>> own(tables.size());
  std::vector<std::vector<std::size_t>> places(tables.size());
  for (const auto& member : together.members) {
    const auto& [planned, drawn] = statistics[member.statistic];
    if (own[member.table].empty()) {
      places[member.table] = places_of(together, member.table, planned->statistic, *drawn);
    }
    own[member.table].push_back(drawn);
  }
  std::vector<std::vector<Rational>> means;
  for (std::size_t table = 0; table < tables.size(); ++table) {
    std::vector<Rational>& mean = means.emplace_back(places[table].size());
    for (std::size_t group = 0; group < places[table].size(); ++group) {
      std::vector<Rational> each;
      for (std::size_t k = 0; k < own[table].size(); ++k) {
        each.push_back(rows_of_group(tables[table].estimates[k], *own[table][k], group));
      }
      mean[places[table][group]] = counted.mean_of(table, each);
    }
  }
  const std::vector<std::vector<Rational>> rows = counted.combine(means);
  const std::vector<std::vector<Integer>> whole = rows_of_tables(counted, rows);
  for (const auto& member : together.members) {
    const StagedRelease& staged = *statistics[member.statistic].planned->staged;
    NoisyTable& table = *statistics[member.statistic].drawn;
    if (!member.correction) {
      publish_alone(staged, table);
      continue;
    }
    const RowEstimate& estimate = tables[member.table].estimates[member.place];
    const auto& known = member.own_table ? means : rows;
    move_to(known[member.table], places[member.table], estimate, member, table);
    if (!publishes_counts(staged)) continue;
    std::vector<Integer> groups;
    for (const std::size_t place : places[member.table]) {
      groups.push_back(whole[member.table][place]);
    }
    publish_cells(staged, member.correction, groups, table);
  }
}

}  // namespace lastbit::release_internal
