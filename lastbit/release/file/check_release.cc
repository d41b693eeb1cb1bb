#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "lastbit/base/text.h"
#include "lastbit/release/file/parse_sections.h"
#include "lastbit/release/kinds/registry.h"

namespace lastbit::release_internal {
namespace {

void check_names(const ReleaseFile& release, Problems& problems) {
  std::map<std::string, FilePosition> seen;
  for (const Statistic& statistic : release.statistics) {
    const auto& [name, position] = statistic.name;
    if (name.size() > ReleaseFile::kMaxNameBytes) {
      problems.add(position, "the name made for this statistic is too long", "add a `name`");
    }
    const auto [first, added] = seen.emplace(name, position);
    if (added) continue;
    problems.add(position,
                 fmt::format("two statistics are called {}, the other in line {}", quote(name, 80),
                             first->second.line),
                 "give one of them another `name`");
  }
}

// The public groups of a statistic times its cells; a factor that is discovered counts once.
Integer answers_of(const ReleaseFile& release, const Statistic& statistic) {
  Integer count = 1;
  std::vector<std::string> covered;
  for (const auto& name : statistic.tables) {
    const KeyTable* table = release.find_table(name.value);
    if (table == nullptr) continue;
    count *= Integer(table->rows.size());
    for (const auto& column : table->columns) covered.push_back(column.value);
  }
  const auto size = [](const auto& keys) { return Integer(keys.size()); };
  for (const auto& column : statistic.by) {
    const ColumnDeclaration* declared = release.find_column(column.value);
    const bool by_table = std::ranges::find(covered, column.value) != covered.end();
    if (by_table || declared == nullptr || !declared->keys) continue;
    count *= std::visit(size, declared->keys->value);
  }
  return count * cell_count(statistic.kind);
}

void check_sizes(const ReleaseFile& release, Problems& problems) {
  for (const Statistic& statistic : release.statistics) {
    if (answers_of(release, statistic) <= Integer(ReleaseFile::kMaxGroups)) continue;
    problems.add(
        statistic.position, fmt::format("{} has too many groups", quote(statistic.name.value, 80)),
        fmt::format("a statistic gives at most {} answers; group by fewer columns, or list "
                    "the combinations that occur in a table of keys",
                    ReleaseFile::kMaxGroups));
  }
}

// A promise about keys needs keys.
void check_complete(const ReleaseFile& release, Problems& problems) {
  for (const ColumnDeclaration& column : release.columns) {
    if (!column.complete || column.keys) continue;
    problems.add(column.name.position,
                 fmt::format("{} is `complete` and has no `keys`", quote(column.name.value, 80)),
                 "list all its keys, or remove `complete`");
  }
}

constexpr auto kBudgetWithDelta = "add delta = 1e-6 to the budget";

void check_discovery(const ReleaseFile& release, Problems& problems) {
  const Cost& cap = release.budget.cap.value;
  Rational sum = 0;
  for (const Statistic& statistic : release.statistics) {
    if (!statistic.discover) continue;
    const Located<Rational>& delta = statistic.discover->delta;
    if (cap.delta().sign() == 0) {
      problems.add(delta.position, "discovering keys needs a delta, and the budget has none",
                   fmt::format("{}, or list the `keys` and remove `discover`", kBudgetWithDelta));
      continue;
    }
    sum += delta.value;
    const bool converted = cap.kind() == LossKind::kApproximate &&
                           release.budget.accounting == LossKind::kConcentrated;
    if (converted && sum == cap.delta()) {
      problems.add(delta.position,
                   "the deltas up to here leave nothing of the budget's, and rhos need some of it",
                   "discover with smaller deltas, raise the budget's, or write accounting = "
                   "\"approximate\" in the budget");
      return;
    }
    if (sum <= cap.delta()) continue;
    problems.add(delta.position,
                 fmt::format("the deltas up to here add up to {}, more than the budget's {}",
                             sum.to_string(), cap.delta().to_string()),
                 "discover with smaller deltas, or raise the budget's");
    return;
  }
}

// The given losses must fit the budget, and leave something for statistics without one. If rhos are
// counted against an epsilon and a delta, only the plan can tell.
void check_losses(const ReleaseFile& release, Problems& problems) {
  const Cost& cap = release.budget.cap.value;
  if (cap.kind() != release.budget.usual_accounting()) return;
  const bool concentrated = cap.kind() == LossKind::kConcentrated;
  const Rational& whole = concentrated ? cap.rho() : cap.epsilon();
  Rational sum = 0;
  for (const Statistic& statistic : release.statistics) {
    const BudgetShare& share = statistic.share;
    if (share.kind != ShareKind::kEpsilon && share.kind != ShareKind::kRho) continue;
    const bool squared = concentrated && share.kind == ShareKind::kEpsilon;
    sum += squared ? share.value * share.value / Rational(2) : share.value;
    if (sum <= whole) continue;
    problems.add(share.position,
                 fmt::format("the losses up to here add up to {}, more than the budget's {}",
                             sum.to_string(), whole.to_string()),
                 "ask for less, or raise the budget");
    return;
  }
  for (const Statistic& statistic : release.statistics) {
    const ShareKind kind = statistic.share.kind;
    const bool given = kind == ShareKind::kEpsilon || kind == ShareKind::kRho;
    if (given || sum < whole) continue;
    problems.add(statistic.position,
                 fmt::format("no budget is left for {}", quote(statistic.name.value, 80)),
                 "give the others less, or raise the budget");
  }
}

}  // namespace

std::string discovery_remedy(const ReleaseBudget& budget) {
  const std::string here = "add discover = { delta = 1e-8 }";
  if (budget.cap.value.delta().sign() > 0) return here;
  return fmt::format("{} here and {}", here, kBudgetWithDelta);
}

void check_release(const ReleaseFile& release, Problems& problems) {
  check_names(release, problems);
  check_sizes(release, problems);
  check_complete(release, problems);
  check_discovery(release, problems);
  check_losses(release, problems);
}

}  // namespace lastbit::release_internal
