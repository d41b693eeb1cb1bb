#include "lastbit/release/plan/shares/plan_shares.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/release/kinds/registry.h"
#include "lastbit/release/plan/shares/gaussian_law.h"
#include "lastbit/release/plan/shares/loss_for_accuracy.h"
#include "lastbit/release/plan/shares/mixed_accounting.h"
#include "lastbit/release/plan/shares/target_shares.h"

namespace lastbit::release_internal {
namespace {

// A cap that is never reached, for adding up costs.
Budget without_end(LossKind kind) {
  const Rational huge = Rational::two_to(200);
  switch (kind) {
    case LossKind::kPure:
      return Budget(Cost::pure(huge));
    case LossKind::kApproximate:
      return Budget(Cost::approximate(huge, Rational(1) - Rational::two_to(-200)));
    case LossKind::kConcentrated:
      break;
  }
  return Budget(Cost::concentrated(huge, Rational(1) - Rational::two_to(-200)));
}

// The largest rho, to about six digits, that approximate_epsilon turns into at most epsilon.
Rational covered_rho(const Rational& epsilon, const Rational& delta) {
  const auto covers = [&](const Rational& rho) {
    return approximate_epsilon(rho, delta) <= epsilon;
  };
  // A pure loss of epsilon is a rho of epsilon²/2, which is less than what is covered.
  Rational low = 0;
  Rational high = epsilon;
  for (int step = 0; step < 48; ++step) {
    const Rational middle = (low + high) / Rational(2);
    (covers(middle) ? low : high) = middle;
  }
  // Short decimals, so that people can read what was spent.
  return rounded_down(low, 6);
}

bool counts_against_delta(const ReleaseFile& release) {
  return release.budget.cap.value.kind() == LossKind::kApproximate;
}

// shares_rest: whether a larger budget would make answers better, and not only possible.
bool shares_rest(const ReleaseFile& release) {
  return std::ranges::any_of(release.statistics, [](const Statistic& statistic) {
    const ShareKind kind = statistic.share.kind;
    return kind == ShareKind::kWeight || kind == ShareKind::kPlanned;
  });
}

// LossPot: statistics whose losses add up, as epsilons or as rhos.
struct LossPot {
  bool rhos = false;
  Rational whole;                    // what they may lose
  std::vector<std::size_t> sharing;  // those that share what the others leave
};

class Sharing {
 public:
  Sharing(const ReleaseFile& release, LossKind accounting, const Rational& delta,
          const Planner& planner, const std::vector<Integer>& rows, Problems& problems,
          const std::optional<MixedBudget>& mix, const Rational& whole)
      : release_(release),
        kind_(accounting),
        delta_(delta),
        planner_(planner),
        rows_(rows),
        problems_(problems),
        mix_(mix) {
    if (mix_) {
      pots_ = {{false, mix_->epsilon, {}}, {true, mix_->rho, {}}};
      return;
    }
    pots_.push_back({accounting == LossKind::kConcentrated, whole, {}});
  }

  SharedBudget run() {
    plan_given();
    if (!problems_.empty()) return {};
    meet_targets(planner_, planned_, targets_);
    share_rest();
    if (!problems_.empty()) return {};
    return result();
  }

 private:
  LossPot& pot_of(std::size_t statistic) {
    return mix_ && mix_->in_rhos[statistic] ? pots_.back() : pots_.front();
  }
  bool in_rhos(std::size_t statistic) { return pot_of(statistic).rhos; }

  // The statistics whose losses or errors the file gives; the others are noted.
  void plan_given() {
    for (std::size_t i = 0; i < release_.statistics.size(); ++i) {
      const ShareKind kind = release_.statistics[i].share.kind;
      if (kind == ShareKind::kWeight || kind == ShareKind::kPlanned) {
        pot_of(i).sharing.push_back(i);
      } else if (const auto loss = given_loss(i)) {
        // A rho buys what it buys best; an epsilon is meant as it is.
        const bool open = kind == ShareKind::kRho;
        plan(i, [&] { return open ? with_better_noise(i, *loss) : planner_(i, *loss); });
      }
    }
  }

  // Who shares the rest may know something about the rows of a target, which then takes less, and
  // leaves more to share. Each round starts from what the last one found.
  void share_rest() {
    const bool nobody =
        std::ranges::all_of(pots_, [](const auto& pot) { return pot.sharing.empty(); });
    constexpr int kMostRounds = 3;
    for (int round = 0; round < kMostRounds; ++round) {
      for (const LossPot& pot : pots_) plan_rest(pot);
      if (!problems_.empty() || targets_.empty() || nobody) return;
      const Rational before = lost_for_targets();
      meet_targets(planner_, planned_, targets_);
      const Rational after = lost_for_targets();
      if (after == before) return;
    }
    // What the last round has saved is shared too, if no target needs what was.
    const PlannedNumbers met = planned_;
    for (const LossPot& pot : pots_) plan_rest(pot);
    if (!problems_.empty() || first_missed(planned_, targets_)) planned_ = met;
  }

  Rational lost_for_targets() const {
    Rational sum = 0;
    for (const auto& [number, target] : targets_) sum += loss_in(planned_.at(number).cost);
    return sum;
  }

  void plan_rest(const LossPot& pot) {
    const Rational left = left_in(pot);
    if (left.sign() < 0 || (left.sign() == 0 && !pot.sharing.empty())) {
      problems_.add(release_.budget.cap.position,
                    fmt::format("the statistics need {} of the budget before any weights",
                                total().to_string()),
                    "ask for less, or raise the budget");
      return;
    }
    if (pot.sharing.empty()) return;
    const std::vector<Rational> parts = divide(pot, left);
    for (std::size_t j = 0; j < pot.sharing.size(); ++j) {
      const std::size_t i = pot.sharing[j];
      plan(i, [&] { return with_better_noise(i, {pot.rhos, parts[j]}); });
    }
  }

  // What those with given losses and targets leave.
  Rational left_in(const LossPot& pot) {
    Rational left = pot.whole;
    for (const auto& [number, statistic] : planned_) {
      const bool shares = std::ranges::find(pot.sharing, number) != pot.sharing.end();
      if (&pot_of(number) == &pot && !shares) left -= loss_in(statistic.cost);
    }
    return left;
  }

  // What each of the others gets of what is left. A file has either weights or none.
  std::vector<Rational> divide(const LossPot& pot, const Rational& left) const {
    const BudgetShare& first = release_.statistics[pot.sharing.front()].share;
    if (first.kind == ShareKind::kPlanned) {
      // A single one gets everything, whatever its error.
      if (pot.sharing.size() == 1) return {left};
      const LossShare usual{pot.rhos, left / Rational(pot.sharing.size())};
      return divide_by_weights(left, error_weights(planner_, pot.sharing, rows_, usual));
    }
    Rational weights = 0;
    for (const std::size_t i : pot.sharing) weights += release_.statistics[i].share.value;
    std::vector<Rational> parts;
    for (const std::size_t i : pot.sharing) {
      parts.push_back(left * release_.statistics[i].share.value / weights);
    }
    return parts;
  }

  // Laplace noise for epsilon costs a rho of epsilon²/2. It rarely pays: at the confidences that
  // people use, Gaussian noise of the same rho has the shorter tails.
  PlannedStatistic with_better_noise(std::size_t i, const LossShare& share) const {
    PlannedStatistic planned = planner_(i, share);
    const auto error = planned.accuracy.at(rows_[i]);
    // Keys are found with the lower threshold, which Gaussian noise has at every useful delta.
    if (!share.concentrated || !error || release_.statistics[i].discover) return planned;
    const Rational epsilon = sqrt(Ball(Rational(2) * share.loss, 60)).lower_rational();
    const LossShare laplace{false, rounded_down(epsilon, 6)};
    const auto other = error_for(planner_, i, laplace, rows_[i]);
    return other && *other < *error ? planner_(i, laplace) : planned;
  }

  std::optional<LossShare> given_loss(std::size_t i) {
    const Statistic& statistic = release_.statistics[i];
    const BudgetShare& share = statistic.share;
    if (share.kind == ShareKind::kEpsilon) return LossShare{false, share.value};
    if (share.kind == ShareKind::kRho) return LossShare{true, share.value};
    const bool guess_missing = !statistic.expected_rows && error_needs_rows(statistic.kind);
    if (guess_missing) {
      problems_.add(share.position,
                    fmt::format("the error of a {} depends on how many rows a group has",
                                name_of(statistic.kind)),
                    "add `expected_rows`, a public guess, or write `epsilon` or `weight`");
      return std::nullopt;
    }
    const Integer rows = statistic.expected_rows ? Integer(statistic.expected_rows->value) : 1;
    const auto loss = loss_of_target(i, share.value, rows);
    if (loss) {
      targets_.emplace(i, TargetError{share.value, rows, *loss, loss->loss / Rational(1000)});
      return loss;
    }
    problems_.add(share.position, "no loss up to a billion reaches this accuracy",
                  "ask for a larger error");
    return std::nullopt;
  }

  // What the target takes alone, with the noise that costs less.
  std::optional<LossShare> loss_of_target(std::size_t i, const Rational& accuracy,
                                          const Integer& rows) {
    const auto epsilon_for = [&] { return loss_for_accuracy(planner_, i, false, accuracy, rows); };
    if (!in_rhos(i)) {
      const auto epsilon = epsilon_for();
      return epsilon ? std::optional(LossShare{false, *epsilon}) : std::nullopt;
    }
    const auto rho = loss_for_accuracy(planner_, i, true, accuracy, rows);
    // At the confidences that people use, the Gaussian noise is known to be smaller.
    if (rho && release_.statistics[i].confidence.value > kLaplaceBelow) {
      return LossShare{true, *rho};
    }
    const auto epsilon = epsilon_for();
    if (!epsilon) return rho ? std::optional(LossShare{true, *rho}) : std::nullopt;
    const bool laplace = !rho || *epsilon * *epsilon < Rational(2) * *rho;
    return laplace ? LossShare{false, *epsilon} : LossShare{true, *rho};
  }

  template <class Make>
  void plan(std::size_t i, const Make& make) {
    const Statistic& statistic = release_.statistics[i];
    try {
      planned_.insert_or_assign(i, make());
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kBadParameter) throw;
      problems_.add(
          statistic.position,
          fmt::format("{} cannot be planned: {}", quote(statistic.name.value, 80), error.problem()),
          error.remedy());
    }
  }

  std::vector<PlannedStatistic> all() const {
    std::vector<PlannedStatistic> statistics;
    for (const auto& [number, statistic] : planned_) statistics.push_back(statistic);
    return statistics;
  }

  SharedBudget result() {
    SharedBudget shared{.accounting = kind_,
                        .mixed = mix_.has_value(),
                        .delta = delta_,
                        .cost = total(),
                        .converted = converted(),
                        .statistics = {},
                        .needed = 0,
                        .squared_error = std::nullopt};
    const Cost& cap = release_.budget.cap.value;
    shared.needed = loss_in(shared.converted ? shared.converted->cost : shared.cost) / loss_in(cap);
    Rational squares = 0;
    std::int64_t known = 0;
    for (auto& [number, statistic] : planned_) {
      statistic.relative = {rows_[number], relative_error(statistic, rows_[number])};
      const ShareKind kind = release_.statistics[number].share.kind;
      const auto& error = statistic.relative.error;
      if (!error || (kind != ShareKind::kWeight && kind != ShareKind::kPlanned)) continue;
      squares += *error * *error;
      ++known;
    }
    if (known > 0) shared.squared_error = squares / Rational(known);
    for (auto& [number, statistic] : planned_) shared.statistics.push_back(std::move(statistic));
    return shared;
  }

  // Rhos as the epsilon that they are with the delta of the cap, if there is one.
  std::optional<ConvertedCost> converted() const {
    const bool rhos = kind_ == LossKind::kConcentrated;
    if (!rhos || !counts_against_delta(release_)) return std::nullopt;
    return convert_rho(total(), parts_of(all()), delta_);
  }

  Cost total() const {
    const std::vector<PlannedStatistic> statistics = all();
    return mix_ ? mixed_total(statistics, delta_) : sum_of(kind_, costs_of(statistics));
  }

  // Up to this confidence, Laplace noise of a rho may have the smaller error.
  inline static const Rational kLaplaceBelow = Rational(3, 4);

  const ReleaseFile& release_;
  LossKind kind_;
  Rational delta_;
  const Planner& planner_;
  const std::vector<Integer>& rows_;
  Problems& problems_;
  const std::optional<MixedBudget>& mix_;
  std::vector<LossPot> pots_;
  PlannedNumbers planned_;
  TargetErrors targets_;
};

}  // namespace

Rational conversion_delta(const ReleaseFile& release) {
  return release.budget.cap.value.delta() - discovery_delta(release);
}

Cost whole_budget(const ReleaseFile& release, LossKind accounting, const Rational& delta) {
  const Cost& cap = release.budget.cap.value;
  if (accounting != LossKind::kConcentrated || cap.kind() == LossKind::kConcentrated) {
    return cap;
  }
  return Cost::concentrated(covered_rho(cap.epsilon(), delta), discovery_delta(release));
}

Cost sum_of(LossKind kind, const std::vector<Cost>& costs) {
  const Budget budget = without_end(kind);
  Cost sum = budget.none();
  for (const Cost& cost : costs) {
    const auto next = budget.after(sum, cost);
    if (!next) {
      throw Error::bad_parameter("release", "statistics", "lose more than can be counted",
                                 "ask for less");
    }
    sum = *next;
  }
  return sum;
}

std::vector<PlannedPart> parts_of(std::span<const PlannedStatistic> statistics) {
  std::vector<PlannedPart> parts;
  for (const PlannedStatistic& statistic : statistics) {
    parts.insert(parts.end(), statistic.parts.begin(), statistic.parts.end());
  }
  return parts;
}

std::vector<Cost> costs_of(std::span<const PlannedStatistic> statistics) {
  std::vector<Cost> costs;
  for (const PlannedStatistic& statistic : statistics) costs.push_back(statistic.cost);
  return costs;
}

SharedBudget share_out(const ReleaseFile& release, LossKind accounting, const Rational& delta,
                       const Planner& planner, const std::vector<Integer>& rows, Problems& problems,
                       const std::optional<MixedBudget>& mix) {
  const auto share = [&](const Rational& whole, Problems& found) {
    return Sharing(release, accounting, delta, planner, rows, found, mix, whole).run();
  };
  const Rational whole = loss_in(whole_budget(release, accounting, delta));
  SharedBudget shared = share(whole, problems);
  if (accounting != LossKind::kConcentrated || !counts_against_delta(release)) return shared;
  const bool by_gaussian_law = shared.converted && shared.converted->by_gaussian_law;
  if (problems.empty() && !(by_gaussian_law && shares_rest(release))) return shared;
  auto more = share_by_gaussian_law(release.budget.cap.value.epsilon(), delta, whole,
                                    [&](const Rational& rho) {
                                      Problems found(release.filename);
                                      SharedBudget one = share(rho, found);
                                      return found.empty() ? std::optional(one) : std::nullopt;
                                    });
  if (!more) return shared;
  problems = Problems(release.filename);
  return *std::move(more);
}

}  // namespace lastbit::release_internal
