#include "lastbit/release/plan/shares/target_shares.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/held.h"
#include "lastbit/release/plan/together/together.h"

namespace lastbit::release_internal {
namespace {

// Losses are decimals with this many digits, as those for single targets are.
constexpr int kLossDigits = 4;
constexpr auto kHasTarget = "only losses of targets are searched for";

// TargetSet: statistics that count the same rows, some of them with target errors.
class TargetSet {
 public:
  struct Member {
    std::size_t number = 0;                  // in the release
    std::optional<TargetError> target = {};  // nothing if its loss is fixed
  };

  TargetSet(const Planner& planner, std::vector<Member> members,
            std::vector<PlannedStatistic> planned, int most_checks)
      : planner_(&planner),
        members_(std::move(members)),
        planned_(std::move(planned)),
        most_checks_(most_checks) {
    for (std::size_t k = 0; k < members_.size(); ++k) {
      if (members_[k].target) targets_.push_back(k);
    }
  }

  const std::vector<Member>& members() const { return members_; }
  const std::vector<PlannedStatistic>& planned() const { return planned_; }

  // lowered: with the smallest losses that some orders of lowering find. Who says nothing that
  // others do not say better is left with the least loss.
  TargetSet lowered() const {
    TargetSet start = *this;
    start.checks_ = 0;
    std::vector<std::size_t> kept;
    for (const std::size_t k : start.sorted(targets_, true)) {
      if (!start.try_losses({k}, 0)) kept.push_back(k);
    }
    if (kept.size() == 1) return start.lowered_by(kept, false);
    TargetSet best = start.lowered_by(kept, true);
    for (const bool ascending : {true, false}) {
      TargetSet other = start.lowered_by(start.sorted(kept, ascending), false);
      if (other.spent() < best.spent()) best = std::move(other);
    }
    return best;
  }

  // raise: until every target is met, or for so many steps that it is hopeless.
  void raise() {
    constexpr int kMostSteps = 60;
    for (int step = 0; step < kMostSteps; ++step) {
      const auto missed = first_missed();
      if (!missed) return;
      plan(*missed, loss(*missed) * Rational(21, 20));
    }
  }

  // first_missed: a target that is missed; `hint` is tried first.
  std::optional<std::size_t> first_missed(std::size_t hint = 0) const {
    ++checks_;
    std::vector<std::size_t> learning(planned_.size());
    std::iota(learning.begin(), learning.end(), std::size_t{0});
    const auto shared = learners(planned_, learning);
    const auto misses = [&](std::size_t k) {
      const TargetError& target = *members_[k].target;
      const auto place = std::ranges::find(learning, k);
      const bool learns = shared && place != learning.end() && planned_[k].staged->numbers->learns;
      const auto error =
          learns
              ? planned_[k]
                    .staged
                    ->errors(shared->correction(static_cast<std::size_t>(place - learning.begin())),
                             1, 1)
                    .accuracy.at(target.rows)
              : planned_[k].accuracy.at(target.rows);
      return !error || *error > target.accuracy;
    };
    if (members_[hint].target && misses(hint)) return hint;
    for (const std::size_t k : targets_) {
      if (k != hint && misses(k)) return k;
    }
    return std::nullopt;
  }

 private:
  const TargetError& target(std::size_t k) const { return held(members_[k].target, kHasTarget); }
  TargetError& target(std::size_t k) { return held(members_[k].target, kHasTarget); }
  const Rational& loss(std::size_t k) const { return target(k).loss.loss; }

  Rational spent() const {
    Rational sum = 0;
    for (const std::size_t k : targets_) sum += loss_in(planned_[k].cost);
    return sum;
  }

  bool plan(std::size_t k, const Rational& loss) {
    LossShare share = target(k).loss;
    share.loss = loss;
    try {
      planned_[k] = (*planner_)(members_[k].number, share);
    } catch (const Error& error) {
      // Noise that is too large to be drawn is too large for every target.
      if (error.code() != ErrorCode::kBadParameter) throw;
      return false;
    }
    target(k).loss = share;
    return true;
  }

  // try_losses: plans these for a part of their losses, and keeps that if all targets are met.
  bool try_losses(const std::vector<std::size_t>& lowered, const Rational& part) {
    if (checks_ >= most_checks_) return false;
    const auto members = members_;
    const auto planned = planned_;
    bool possible = true;
    bool changed = false;
    for (const std::size_t k : lowered) {
      const Rational tried = rounded_down(std::max(loss(k) * part, target(k).least), kLossDigits);
      if (tried >= loss(k)) continue;
      changed = true;
      possible = possible && plan(k, tried);
    }
    if (changed && possible && !first_missed(lowered.front())) return true;
    members_ = members;
    planned_ = planned;
    return false;
  }

  // lower: by the largest common part of their losses that the targets allow, to about a
  // hundredth, with steps that double while they succeed.
  void lower(const std::vector<std::size_t>& lowered) {
    if (lowered.empty()) return;
    Rational step(1, 100);
    while (try_losses(lowered, Rational(1) - step)) step = std::min(step * Rational(2), kLargest);
    // A step that failed is halved: what is left to find is shorter.
    for (step /= Rational(2); step > Rational(1, 400); step /= Rational(2)) {
      static_cast<void>(try_losses(lowered, Rational(1) - step));
    }
  }

  // sorted: by what they lose.
  std::vector<std::size_t> sorted(std::vector<std::size_t> order, bool ascending) const {
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      const auto one = std::pair(loss_in(planned_[a].cost), a);
      const auto other = std::pair(loss_in(planned_[b].cost), b);
      return ascending ? one < other : other < one;
    });
    return order;
  }

  TargetSet lowered_by(const std::vector<std::size_t>& order, bool together) const {
    TargetSet set = *this;
    if (together) set.lower(order);
    for (const std::size_t k : order) set.lower({k});
    return set;
  }

  inline static const Rational kLargest = Rational(3, 4);

  const Planner* planner_;
  std::vector<Member> members_;
  std::vector<PlannedStatistic> planned_;  // as many
  std::vector<std::size_t> targets_;       // the members with targets
  int most_checks_;                        // a search that takes more is stopped
  mutable int checks_ = 0;
};

// target_sets: the statistics with targets beside those that they learn from.
std::vector<TargetSet> target_sets(const Planner& planner, const PlannedNumbers& planned,
                                   const TargetErrors& targets) {
  std::vector<std::size_t> numbers;
  std::vector<PlannedStatistic> statistics;
  for (const auto& [number, statistic] : planned) {
    numbers.push_back(number);
    statistics.push_back(statistic);
  }
  // A few for each statistic of the largest set, and fewer where there may be many sets.
  const auto most_checks =
      static_cast<int>(6000 / std::clamp<std::size_t>(numbers.size(), 20, 200));
  std::vector<TargetSet> sets;
  for (const auto& same_rows : sharing_rows(statistics)) {
    std::vector<TargetSet::Member> members;
    std::vector<PlannedStatistic> own;
    for (const std::size_t i : same_rows) {
      const auto target = targets.find(numbers[i]);
      members.push_back({numbers[i], std::nullopt});
      own.push_back(statistics[i]);
      if (target != targets.end()) members.back().target = target->second;
    }
    const bool any = std::ranges::any_of(
        members, [](const TargetSet::Member& one) { return one.target.has_value(); });
    if (any && members.size() > 1) {
      sets.emplace_back(planner, std::move(members), std::move(own), most_checks);
    }
  }
  return sets;
}

}  // namespace

Rational loss_in(const Cost& cost) {
  return cost.kind() == LossKind::kConcentrated ? cost.rho() : cost.epsilon();
}

void meet_targets(const Planner& planner, PlannedNumbers& planned, TargetErrors& targets) {
  for (TargetSet& set : target_sets(planner, planned, targets)) {
    set.raise();
    const TargetSet found = set.lowered();
    for (std::size_t k = 0; k < found.members().size(); ++k) {
      const auto& [number, target] = found.members()[k];
      if (!target) continue;
      targets.at(number) = *target;
      planned.at(number) = found.planned()[k];
    }
  }
}

std::optional<std::size_t> first_missed(const PlannedNumbers& planned,
                                        const TargetErrors& targets) {
  const Planner none;
  for (const TargetSet& set : target_sets(none, planned, targets)) {
    if (const auto missed = set.first_missed()) return set.members()[*missed].number;
  }
  return std::nullopt;
}

}  // namespace lastbit::release_internal
