#include "lastbit/release/plan/plan_shares.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/numerics/ball.h"
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
  return rounded_down(low, 6);
}

Rational loss_of(const Cost& cost) {
  return cost.kind() == LossKind::kConcentrated ? cost.rho() : cost.epsilon();
}

// The error for a loss; nothing if it is not known, or if noise is too large to be drawn, which is
// too large for every accuracy.
std::optional<Rational> error_for(const Planner& planner, std::size_t statistic,
                                  const LossShare& share, const Integer& rows) {
  try {
    return planner(statistic, share).accuracy.at(rows);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kBadParameter) return std::nullopt;
    throw;
  }
}

// ShortDecimals: all decimals with four digits between two powers of ten, in order.
struct ShortDecimals {
  static constexpr int kSmallest = -12;
  static constexpr int kLargest = 9;
  static constexpr std::int64_t kPerDecade = 9000;
  static constexpr std::int64_t kLast = (kLargest - kSmallest) * kPerDecade;

  static Rational at(std::int64_t number) {
    const auto decade = static_cast<int>(number / kPerDecade);
    return Rational(1000 + number % kPerDecade) * power_of_ten(kSmallest - 3 + decade);
  }
  // The number of the first decimal that is at least the value, or of the last one.
  static std::int64_t first_from(const Rational& value) {
    std::int64_t low = -1;
    std::int64_t high = kLast;
    while (high - low > 1) {
      const std::int64_t middle = (low + high) / 2;
      (at(middle) >= value ? high : low) = middle;
    }
    return high;
  }
  // The number of a decimal that is enough, while the one before it is not; nothing if none is
  // enough. The search starts at `guess`, with steps that double. Whatever `enough` does in
  // between, it held for the result.
  template <class Enough>
  static std::optional<std::int64_t> first_enough(std::int64_t guess, const Enough& enough) {
    std::int64_t low = guess;
    std::int64_t high = guess;
    if (enough(guess)) {
      for (std::int64_t step = 1; low >= 0 && (low == guess || enough(low)); step *= 2) {
        high = low;
        low = std::max<std::int64_t>(guess - step, -1);
      }
    } else {
      for (std::int64_t step = 1; high == guess || !enough(high); step *= 2) {
        if (high == kLast) return std::nullopt;
        low = high;
        high = std::min(guess + step, kLast);
      }
    }
    while (high - low > 1) {
      const std::int64_t middle = (low + high) / 2;
      (enough(middle) ? high : low) = middle;
    }
    return high;
  }
};

class Sharing {
 public:
  Sharing(const ReleaseFile& release, LossKind accounting, const Planner& planner,
          const std::vector<Integer>& rows, Problems& problems)
      : release_(release),
        kind_(accounting),
        planner_(planner),
        rows_(rows),
        problems_(problems),
        whole_(whole_budget(release.budget, accounting)) {}

  SharedBudget run() {
    plan_given();
    if (!problems_.empty()) return {};
    const Rational left = loss_of(whole_) - loss_of(sum_of(kind_, costs_));
    if (left.sign() < 0 || (left.sign() == 0 && !sharing_.empty())) {
      problems_.add(release_.budget.cap.position,
                    fmt::format("the statistics need {} of the budget before any weights",
                                sum_of(kind_, costs_).to_string()),
                    "ask for less, or raise the budget");
      return {};
    }
    if (!sharing_.empty()) plan_rest(left);
    if (!problems_.empty()) return {};
    return result();
  }

 private:
  bool concentrated() const { return kind_ == LossKind::kConcentrated; }

  // The statistics whose losses or errors the file gives; the others are noted.
  void plan_given() {
    for (std::size_t i = 0; i < release_.statistics.size(); ++i) {
      const ShareKind kind = release_.statistics[i].share.kind;
      if (kind == ShareKind::kWeight || kind == ShareKind::kPlanned) {
        sharing_.push_back(i);
      } else if (const auto loss = given_loss(i)) {
        plan(i, [&] { return planner_(i, *loss); });
      }
    }
  }

  void plan_rest(const Rational& left) {
    const std::vector<Rational> parts = parts_of(left);
    for (std::size_t j = 0; j < sharing_.size(); ++j) {
      const std::size_t i = sharing_[j];
      plan(i, [&] { return with_better_noise(i, {concentrated(), parts[j]}); });
    }
  }

  // What each of the others gets of what is left. A file has either weights or none.
  std::vector<Rational> parts_of(const Rational& left) const {
    const BudgetShare& first = release_.statistics[sharing_.front()].share;
    if (first.kind == ShareKind::kPlanned) {
      // A single one gets everything, whatever its error.
      if (sharing_.size() == 1) return {left};
      const LossShare usual{concentrated(), left / Rational(sharing_.size())};
      return divide_by_weights(left, error_weights(planner_, sharing_, rows_, usual));
    }
    Rational weights = 0;
    for (const std::size_t i : sharing_) weights += release_.statistics[i].share.value;
    std::vector<Rational> parts;
    for (const std::size_t i : sharing_) {
      parts.push_back(left * release_.statistics[i].share.value / weights);
    }
    return parts;
  }

  // Laplace noise for epsilon costs a rho of epsilon²/2. It rarely pays: at the confidences that
  // people use, Gaussian noise of the same rho has the shorter tails.
  PlannedStatistic with_better_noise(std::size_t i, const LossShare& share) const {
    PlannedStatistic planned = planner_(i, share);
    const auto error = planned.accuracy.at(rows_[i]);
    if (!share.concentrated || !error) return planned;
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
    const auto loss = loss_for_accuracy(planner_, i, concentrated(), share.value, rows);
    if (loss) return LossShare{concentrated(), *loss};
    problems_.add(share.position, "no loss up to a billion reaches this accuracy",
                  "ask for a larger error");
    return std::nullopt;
  }

  template <class Make>
  void plan(std::size_t i, const Make& make) {
    const Statistic& statistic = release_.statistics[i];
    try {
      PlannedStatistic planned = make();
      planned.relative = {rows_[i], relative_error(planned, rows_[i])};
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

  SharedBudget result() {
    SharedBudget shared{kind_, {}, needed(), std::nullopt};
    Rational squares = 0;
    std::int64_t known = 0;
    for (const std::size_t i : sharing_) {
      const auto& error = planned_.at(i).relative.error;
      if (!error) continue;
      squares += *error * *error;
      ++known;
    }
    if (known > 0) shared.squared_error = squares / Rational(known);
    for (auto& [number, statistic] : planned_) shared.statistics.push_back(std::move(statistic));
    return shared;
  }

  // A rho counts as the epsilon that it is with the delta of the cap, if there is one: rhos are
  // squares of losses, and parts of them would be compared with parts of epsilons.
  Rational needed() const {
    const Cost& cap = release_.budget.cap.value;
    const Rational loss = loss_of(sum_of(kind_, costs_));
    if (!concentrated() || cap.kind() == LossKind::kConcentrated) return loss / loss_of(cap);
    return approximate_epsilon(loss, cap.delta()) / cap.epsilon();
  }

  const ReleaseFile& release_;
  LossKind kind_;
  const Planner& planner_;
  const std::vector<Integer>& rows_;
  Problems& problems_;
  Cost whole_;
  std::map<std::size_t, PlannedStatistic> planned_;  // by their numbers
  std::vector<Cost> costs_;
  std::vector<std::size_t> sharing_;  // those that share what the others leave
};

}  // namespace

Cost whole_budget(const ReleaseBudget& budget, LossKind accounting) {
  const Cost& cap = budget.cap.value;
  if (accounting != LossKind::kConcentrated || cap.kind() == LossKind::kConcentrated) {
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
  const auto error_at = [&](std::int64_t number) {
    return error_for(planner, statistic, {concentrated, ShortDecimals::at(number)}, rows);
  };
  // Errors fall as 1/epsilon or 1/√rho, nearly, so this tells where to look. The second guess is
  // made nearby, where the law is closer.
  std::int64_t guess = ShortDecimals::first_from(1);
  for (int i = 0; i < 2; ++i) {
    const auto error = error_at(guess);
    if (!error || error->sign() <= 0 || accuracy.sign() <= 0) continue;
    const Rational factor = *error / accuracy;
    guess = ShortDecimals::first_from(ShortDecimals::at(guess) *
                                      (concentrated ? factor * factor : factor));
  }
  const auto number = ShortDecimals::first_enough(guess, [&](std::int64_t tried) {
    const auto error = error_at(tried);
    return error && *error <= accuracy;
  });
  return number ? std::optional(ShortDecimals::at(*number)) : std::nullopt;
}

SharedBudget share_out(const ReleaseFile& release, LossKind accounting, const Planner& planner,
                       const std::vector<Integer>& rows, Problems& problems) {
  return Sharing(release, accounting, planner, rows, problems).run();
}

}  // namespace lastbit::release_internal
