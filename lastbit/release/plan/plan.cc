#include "lastbit/release/plan/plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/problems.h"
#include "lastbit/release/kinds/registry.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/plan_statistic.h"
#include "lastbit/release/plan/quantiles/order_quantiles.h"
#include "lastbit/release/plan/shares/choose_accounting.h"
#include "lastbit/release/plan/shares/error_shares.h"
#include "lastbit/release/plan/shares/loss_for_accuracy.h"
#include "lastbit/release/plan/shares/plan_shares.h"
#include "lastbit/release/plan/together/sum_notes.h"
#include "lastbit/release/plan/together/together.h"
#include "lastbit/release/plan/together/totals.h"

namespace lastbit {
namespace {

using release_internal::Problems;
using release_internal::StatisticPlace;

// The most numbers that one statistic may have.
constexpr std::int64_t kMaxNumbers = 20'000'000;

// Rows with missing group keys are left out, so a column that imputes them cannot be grouped by.
bool check_group_columns(const ReleaseFile& release, const Statistic& statistic,
                         Problems& problems) {
  for (const auto& name : statistic.by) {
    const ColumnDeclaration* column = release.find_column(name.value);
    if (column == nullptr || !column->impute) continue;
    problems.add(name.position,
                 fmt::format("{} has imputed values, and groups leave missing keys out",
                             quote(name.value, 80)),
                 "move `nulls` from the column to the statistics that need it");
    return false;
  }
  return true;
}

// Whether the statistic can be planned at all; any obstacle is noted as a problem.
bool check_statistic(const ReleaseFile& release, const Statistic& statistic, Problems& problems) {
  if (!check_group_columns(release, statistic, problems)) return false;
  return release_internal::check_kind(statistic, problems);
}

// Layout: which aggregations there are, and where each statistic finds its numbers.
class Layout {
 public:
  Layout(const ReleaseFile& release, Problems& problems) : release_(release), problems_(problems) {
    for (const Statistic& statistic : release.statistics) add(statistic);
  }

  std::vector<Aggregation> aggregations;
  std::vector<StatisticPlace> places;

 private:
  void add(const Statistic& statistic) {
    places.emplace_back();
    if (!check_statistic(release_, statistic, problems_)) return;
    try {
      place(statistic);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kBadParameter) throw;
      problems_.add(statistic.position,
                    fmt::format("{} cannot be computed: {}", quote(statistic.name.value, 80),
                                error.problem()),
                    error.remedy());
    }
  }

  void place(const Statistic& statistic) {
    Aggregation own = release_internal::aggregation_of(release_, statistic);
    const auto measure = release_internal::measure_of(release_, statistic);
    if (measure) own.measures.push_back(*measure);
    if (statistic.discover && measure != Tally(UnitCount{})) own.measures.emplace_back(UnitCount{});
    check_aggregation(own);
    require_size(statistic, own);
    const auto same = std::ranges::find_if(
        aggregations, [&](const Aggregation& other) { return share_rows(own, other); });
    StatisticPlace& place = places.back();
    place.aggregation = static_cast<std::size_t>(same - aggregations.begin());
    if (same == aggregations.end()) {
      aggregations.push_back(own);
      aggregations.back().measures.clear();
    } else {
      add_derived(own, *same);
    }
    if (measure) place.measure = index_of(*measure, place.aggregation);
    if (statistic.discover) place.units = index_of(UnitCount{}, place.aggregation);
  }

  // The columns that only this statistic uses.
  static void add_derived(const Aggregation& own, Aggregation& shared) {
    for (const DerivedColumn& column : own.derived) {
      if (find_derived(shared, column.name) == nullptr) shared.derived.push_back(column);
    }
  }

  // Whether one scan serves both. Which rows of a unit count must not depend on what else is asked:
  // a unit has places only for rows in which there is something to count.
  static bool share_rows(const Aggregation& own, const Aggregation& other) {
    if (other.unit != own.unit || other.groups != own.groups || other.where != own.where) {
      return false;
    }
    if (std::holds_alternative<RowsAreUnits>(own.unit)) return true;
    const Tally& mine = own.measures.front();
    const Tally& theirs = other.measures.front();
    const std::string rows = release_internal::rows_counted_by(mine);
    return mine == theirs || (!rows.empty() && rows == release_internal::rows_counted_by(theirs));
  }

  static void require_size(const Statistic& statistic, const Aggregation& aggregation) {
    const Integer groups = public_groups(aggregation).value_or(1);
    // Adding up more would take longer than the release itself.
    constexpr std::int64_t kMaxAdded = 4'000'000;
    const Integer tables = std::int64_t{1} << statistic.by.size();
    if (statistic.totals && groups * tables > kMaxAdded) {
      throw Error::bad_parameter(statistic.name.value, "totals", "asks for too many numbers",
                                 "group by fewer columns, or leave `totals` out");
    }
    for (const Tally& measure : aggregation.measures) {
      if (groups * Integer(entry_count(measure)) <= kMaxNumbers) continue;
      throw Error::bad_parameter(statistic.name.value, "groups",
                                 "times their cells or possible answers are too many",
                                 "group by fewer columns, or take wider bins or a larger step");
    }
  }

  // The number of the measure in the aggregation, which is new unless it exists already.
  std::size_t index_of(const Tally& measure, std::size_t aggregation) {
    std::vector<Tally>& measures = aggregations[aggregation].measures;
    const auto same = std::ranges::find(measures, measure);
    if (same == measures.end()) measures.push_back(measure);
    return static_cast<std::size_t>(std::ranges::find(measures, measure) - measures.begin());
  }

  const ReleaseFile& release_;
  Problems& problems_;
};

// plan_one: a statistic for this loss, with its cost in the kind of the accounting.
PlannedStatistic plan_one(const ReleaseFile& release, const Statistic& statistic,
                          const Aggregation& aggregation, const StatisticPlace& place,
                          const release_internal::LossShare& share, LossKind accounting) {
  PlannedStatistic planned =
      release_internal::plan_statistic(release, statistic, aggregation, place, share);
  std::vector<Cost> costs;
  for (const PlannedPart& part : planned.parts) costs.push_back(part.cost);
  planned.cost = release_internal::sum_of(accounting, costs);
  return planned;
}

// planner_of: plans statistics of a release whose aggregations are known.
release_internal::Planner planner_of(const ReleaseFile& release,
                                     const std::vector<Aggregation>& aggregations,
                                     const std::vector<StatisticPlace>& places,
                                     LossKind accounting) {
  return [&release, &aggregations, &places, accounting](std::size_t i,
                                                        const release_internal::LossShare& share) {
    return plan_one(release, release.statistics[i], aggregations[places[i].aggregation], places[i],
                    share, accounting);
  };
}

// place_in: where a planned statistic finds its numbers.
StatisticPlace place_in(const ReleasePlan& plan, const PlannedStatistic& planned) {
  StatisticPlace place{planned.aggregation, planned.measure, std::nullopt};
  if (!planned.statistic.discover) return place;
  const std::vector<Tally>& measures = plan.aggregations[planned.aggregation].measures;
  const auto units = std::ranges::find(measures, Tally(UnitCount{}));
  place.units = static_cast<std::size_t>(units - measures.begin());
  return place;
}

std::string mechanisms_of(const ReleasePlan& plan) {
  std::set<std::string> names;
  for (const PlannedStatistic& statistic : plan.statistics) {
    for (const PlannedPart& part : statistic.parts) names.emplace(name_of(part.mechanism));
  }
  return "lastbit " LASTBIT_VERSION ": " +
         joined(std::vector<std::string>(names.begin(), names.end()), ", ");
}

// A total is called after its statistic, and others may have that name.
void check_names_of_totals(const std::vector<PlannedStatistic>& statistics, Problems& problems) {
  std::set<std::string> names;
  for (const PlannedStatistic& planned : statistics) {
    const auto& [name, position] = planned.statistic.name;
    if (names.insert(name).second) continue;
    problems.add(position,
                 fmt::format("a total and another statistic are both called {}", quote(name, 80)),
                 "give the statistic another `name`");
  }
}

}  // namespace

std::string_view name_of(NoiseMechanism mechanism) {
  constexpr std::string_view kNames[] = {"snapped Laplace",
                                         "discrete Gaussian",
                                         "threshold histogram",
                                         "noisy max",
                                         "noisy max, in rounds",
                                         "exponential mechanism",
                                         "exponential mechanism, in rounds",
                                         "Gaussian threshold histogram"};
  return kNames[static_cast<std::size_t>(mechanism)];
}

std::optional<Rational> PlannedError::at(const Integer& rows) const {
  if (always) return always;
  return for_rows ? for_rows(rows) : std::nullopt;
}

Cost ReleasePlan::cost_for(LossKind kind) const {
  if (mixed && kind == LossKind::kConcentrated) {
    return release_internal::sum_of(kind, release_internal::costs_of(statistics));
  }
  if (accounting != LossKind::kConcentrated || kind == LossKind::kConcentrated) return cost;
  const auto payable = release_internal::cost_in_ledger(cost, converted, kind);
  if (payable) return *payable;
  throw Error(ErrorCode::kMismatch, release.filename, "counts in rho, which the ledger cannot pay",
              kind == LossKind::kApproximate
                  ? "write the budget as `epsilon` and `delta` with accounting = \"concentrated\""
                  : "use a ledger with a rho, or with an epsilon and a delta");
}

ReleasePlan plan_release(const ReleaseFile& release, const std::optional<Cost>& left) {
  Problems problems(release.filename);
  Layout layout(release, problems);
  problems.throw_if_any();
  ReleasePlan plan;
  plan.release = release;
  plan.digest = release_digest(release);
  plan.ledger = release.budget.ledger.value;
  plan.aggregations = layout.aggregations;
  std::vector<const Aggregation*> tables;
  for (const StatisticPlace& place : layout.places) {
    tables.push_back(&plan.aggregations[place.aggregation]);
  }
  const release_internal::RowGuess guess = release_internal::guess_rows(release, tables);
  auto [shared, ways] = release_internal::choose_accounting(
      release, left,
      [&](LossKind kind) { return planner_of(release, plan.aggregations, layout.places, kind); },
      guess.per_group, problems);
  problems.throw_if_any();
  plan.accounting = shared.accounting;
  plan.mixed = shared.mixed;
  plan.converted = shared.converted;
  plan.cost = shared.cost;
  plan.ways = std::move(ways);
  plan.guessed_rows = guess.all;
  auto together = release_internal::plan_together(release, plan.aggregations, shared.statistics);
  plan.shared_rows = std::move(together.rows);
  plan.tables_together = std::move(together.tables);
  for (PlannedStatistic& statistic : shared.statistics) {
    auto totals = release_internal::totals_of(statistic, plan.aggregations[statistic.aggregation],
                                              statistic.cost.kind());
    plan.statistics.push_back(std::move(statistic));
    std::ranges::move(totals, std::back_inserter(plan.statistics));
  }
  check_names_of_totals(plan.statistics, problems);
  problems.throw_if_any();
  const Budget budget(release.budget.cap.value);
  const Cost cost = plan.converted ? plan.converted->cost : plan.cost;
  if (!budget.after(budget.none(), cost)) {
    problems.add(release.budget.cap.position,
                 fmt::format("the statistics need {} and the budget is {}", cost.to_string(),
                             budget.cap().to_string()),
                 "ask for less, or raise the budget");
    problems.throw_if_any();
  }
  plan.mechanisms = mechanisms_of(plan);
  return plan;
}

std::vector<StatisticAnswers> release_answers(const ReleasePlan& plan,
                                              const std::vector<std::vector<GroupAnswer>>& exact,
                                              BitSource& bits) {
  // Those of a total come with the statistic before it.
  std::vector<PlannedStatistic::Answers> made(plan.statistics.size());
  std::vector<release_internal::NoisyTable> drawn(plan.statistics.size());
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    const PlannedStatistic& statistic = plan.statistics[i];
    if (!statistic.release) continue;
    const std::vector<GroupAnswer>& table = exact[statistic.aggregation];
    if (statistic.staged) {
      drawn[i] = statistic.staged->draw(table, bits);
    } else {
      made[i] = statistic.release(table, bits);
    }
  }
  release_internal::order_quantiles(plan, made);
  release_internal::reconcile_drawn(plan, drawn);
  std::vector<StatisticAnswers> answers;
  answers.reserve(plan.statistics.size());
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    if (plan.statistics[i].staged) made[i] = plan.statistics[i].staged->answer(drawn[i]);
    drawn[i] = {};
    for (auto& lines : made[i]) {
      answers.push_back({plan.statistics[answers.size()].statistic.name.value, std::move(lines)});
    }
  }
  release_internal::add_sum_notes(plan, answers);
  return answers;
}

std::optional<Cost> cost_for_accuracy(const ReleasePlan& plan, std::size_t statistic,
                                      const Rational& accuracy, const Integer& rows) {
  const PlannedStatistic& planned = plan.statistics[statistic];
  if (!planned.release) return std::nullopt;
  const StatisticPlace place = place_in(plan, planned);
  const release_internal::Planner planner = [&](std::size_t /*number*/,
                                                const release_internal::LossShare& share) {
    return plan_one(plan.release, planned.statistic, plan.aggregations[planned.aggregation], place,
                    share, planned.cost.kind());
  };
  const bool concentrated = planned.cost.kind() == LossKind::kConcentrated;
  const auto loss =
      release_internal::loss_for_accuracy(planner, statistic, concentrated, accuracy, rows);
  if (!loss) return std::nullopt;
  return planner(statistic, {concentrated, *loss}).cost;
}

}  // namespace lastbit
