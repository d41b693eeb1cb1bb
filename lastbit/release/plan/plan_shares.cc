#include "lastbit/release/plan/plan_shares.h"

#include <fmt/core.h>

#include <cstdlib>
#include <map>

#include "lastbit/base/text.h"
#include "lastbit/release/kinds/registry.h"

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
  return Budget(Cost::concentrated(huge));
}

Rational power_of_ten(int exponent) {
  const Rational power = pow(Rational(10), static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? Rational(1) / power : power;
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
  int exponent = 0;
  while (low * power_of_ten(exponent) < Rational(100'000)) ++exponent;
  return Rational((low * power_of_ten(exponent)).floor()) / power_of_ten(exponent);
}

Rational loss_of(const Cost& cost) {
  return cost.kind() == LossKind::kConcentrated ? cost.rho() : cost.epsilon();
}

bool reaches(const Planner& planner, std::size_t statistic, const LossShare& share,
             const Rational& accuracy, const Integer& rows) {
  try {
    const auto error = planner(statistic, share).accuracy.at(rows);
    return error && *error <= accuracy;
  } catch (const Error& error) {
    // Noise that is too large to be drawn is too large for every accuracy.
    if (error.code() == ErrorCode::kBadParameter) return false;
    throw;
  }
}

class Sharing {
 public:
  Sharing(const ReleaseFile& release, const Planner& planner, Problems& problems)
      : release_(release),
        planner_(planner),
        problems_(problems),
        kind_(release.budget.accounting),
        whole_(whole_budget(release.budget)) {}

  std::vector<PlannedStatistic> run() {
    Rational weights = 0;
    for (std::size_t i = 0; i < release_.statistics.size(); ++i) {
      const BudgetShare& share = release_.statistics[i].share;
      if (share.kind == ShareKind::kWeight) {
        weights += share.value;
      } else if (const auto loss = given_loss(i)) {
        plan(i, *loss);
      }
    }
    if (!problems_.empty()) return {};
    const Rational left = loss_of(whole_) - loss_of(sum_of(kind_, costs_));
    if (left.sign() < 0 || (left.sign() == 0 && weights.sign() > 0)) {
      problems_.add(release_.budget.cap.position,
                    fmt::format("the statistics need {} of the budget before any weights",
                                sum_of(kind_, costs_).to_string()),
                    "ask for less, or raise the budget");
      return {};
    }
    for (std::size_t i = 0; i < release_.statistics.size(); ++i) {
      const BudgetShare& share = release_.statistics[i].share;
      if (share.kind != ShareKind::kWeight) continue;
      plan(i, {concentrated(), left * share.value / weights});
    }
    if (!problems_.empty()) return {};
    std::vector<PlannedStatistic> all;
    for (auto& [number, statistic] : planned_) all.push_back(std::move(statistic));
    return all;
  }

 private:
  bool concentrated() const { return kind_ == LossKind::kConcentrated; }

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
    const auto loss = loss_for_accuracy(planner_, i, concentrated(), share.value, rows);
    if (loss) return LossShare{concentrated(), *loss};
    problems_.add(share.position, "no loss up to a billion reaches this accuracy",
                  "ask for a larger error");
    return std::nullopt;
  }

  void plan(std::size_t i, const LossShare& share) {
    const Statistic& statistic = release_.statistics[i];
    try {
      PlannedStatistic planned = planner_(i, share);
      costs_.push_back(planned.cost);
      planned_.emplace(i, std::move(planned));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kBadParameter) throw;
      problems_.add(
          statistic.position,
          fmt::format("{} cannot be planned: {}", quote(statistic.name.value, 80), error.problem()),
          error.remedy());
    }
  }

  const ReleaseFile& release_;
  const Planner& planner_;
  Problems& problems_;
  LossKind kind_;
  Cost whole_;
  std::map<std::size_t, PlannedStatistic> planned_;  // by their numbers
  std::vector<Cost> costs_;
};

}  // namespace

Cost whole_budget(const ReleaseBudget& budget) {
  const Cost& cap = budget.cap.value;
  if (budget.accounting != LossKind::kConcentrated || cap.kind() == LossKind::kConcentrated) {
    return cap;
  }
  return Cost::concentrated(covered_rho(cap.epsilon(), cap.delta()));
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

std::optional<Rational> loss_for_accuracy(const Planner& planner, std::size_t statistic,
                                          bool concentrated, const Rational& accuracy,
                                          const Integer& rows) {
  const auto enough = [&](const Rational& loss) {
    return reaches(planner, statistic, {concentrated, loss}, accuracy, rows);
  };
  // The decade, then four digits in it.
  constexpr int kSmallest = -12;
  constexpr int kLargest = 9;
  int decade = kSmallest;
  while (decade < kLargest && !enough(power_of_ten(decade + 1))) ++decade;
  if (decade == kLargest) return std::nullopt;
  const Rational digit = power_of_ten(decade - 3);
  std::int64_t low = 999;
  std::int64_t high = 10'000;
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    (enough(Rational(middle) * digit) ? high : low) = middle;
  }
  return Rational(high) * digit;
}

std::vector<PlannedStatistic> share_out(const ReleaseFile& release, const Planner& planner,
                                        Problems& problems) {
  return Sharing(release, planner, problems).run();
}

}  // namespace lastbit::release_internal
