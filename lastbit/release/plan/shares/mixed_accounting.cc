#include "lastbit/release/plan/shares/mixed_accounting.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "lastbit/accounting/lattice_gaussian.h"
#include "lastbit/release/plan/shares/gaussian_law.h"
#include "lastbit/release/plan/shares/target_shares.h"

namespace lastbit::release_internal {
namespace {

// Six digits are enough to compare, and keep numbers short.
Rational shortened(const Rational& value) { return value.sign() > 0 ? rounded_down(value, 6) : 0; }

// What the statistics that are given something, or share the rest, add to each side.
struct MixedItem {
  std::size_t statistic = 0;
  Rational in_epsilons;  // its epsilon, or c^(2/3) for the factor c of its error
  Rational in_rhos;      // its rho, or the factor d of its error
};

// gain_first: those that gain most by epsilons first.
void gain_first(std::vector<MixedItem>& items) {
  std::ranges::sort(items, [](const MixedItem& a, const MixedItem& b) {
    const Rational one = a.in_rhos * b.in_epsilons;
    const Rational other = b.in_rhos * a.in_epsilons;
    return one == other ? a.statistic < b.statistic : one > other;
  });
}

// prefix_sums: of the first k in epsilons, and of the others in rhos.
std::vector<std::pair<Rational, Rational>> prefix_sums(const std::vector<MixedItem>& items) {
  std::pair<Rational, Rational> sums = {0, 0};
  for (const MixedItem& item : items) sums.second += item.in_rhos;
  std::vector<std::pair<Rational, Rational>> all = {sums};
  for (const MixedItem& item : items) {
    sums.first += item.in_epsilons;
    sums.second -= item.in_rhos;
    all.push_back(sums);
  }
  return all;
}

class MixSearch {
 public:
  MixSearch(std::vector<MixedItem> given, std::vector<MixedItem> sharing, const Cost& cap,
            const Rational& delta, const RhoConversion& conversion)
      : given_(std::move(given)),
        sharing_(std::move(sharing)),
        cap_(cap),
        delta_(delta),
        epsilon_of_(conversion) {
    gain_first(given_);
    gain_first(sharing_);
    given_sums_ = prefix_sums(given_);
    sharing_sums_ = prefix_sums(sharing_);
  }

  std::optional<MixedBudget> run(const Rational& whole_rho) {
    if (sharing_.empty()) {
      compare_given();
    } else {
      constexpr int kSteps = 24;
      for (int step = 1; step < kSteps; ++step) compare(whole_rho * part(step, kSteps));
      if (!best_) return std::nullopt;
      // Closer to the best of these.
      const Rational rho = best_->rho;
      for (const int step : {86, 90, 94, 97, 103, 106, 110, 114}) {
        compare(rho * Rational(step, 100));
      }
    }
    if (!best_) return std::nullopt;
    return MixedBudget{chosen(), best_->epsilon, best_->rho, delta_};
  }

 private:
  struct Candidate {
    std::size_t given = 0;  // how many of each are paid in epsilons
    std::size_t sharing = 0;
    Rational epsilon;
    Rational rho;
    Rational objective;
  };

  // Epsilons grow about as roots of rhos.
  static Rational part(int step, int steps) {
    const Rational root(step, steps);
    return root * root;
  }

  bool is_mixed(std::size_t given, std::size_t sharing) const {
    const std::size_t epsilons = given + sharing;
    return epsilons > 0 && epsilons < given_.size() + sharing_.size();
  }

  void keep(const Candidate& candidate) {
    if (!best_ || candidate.objective < best_->objective) best_ = candidate;
  }

  // With given losses and targets only, the smallest epsilon is best.
  void compare_given() {
    for (std::size_t given = 0; given <= given_.size(); ++given) {
      if (!is_mixed(given, 0)) continue;
      const auto& [epsilon, rho] = given_sums_[given];
      const Rational converted = epsilon_of_(shortened(rho));
      // Nobody shares, so that nobody is limited: the plan compares the sum with the budget.
      keep({given, 0, cap_.epsilon(), Rational::two_to(20), epsilon + converted});
    }
  }

  // All sets, with this rho for those in rhos.
  void compare(const Rational& exact_rho) {
    const Rational rho = shortened(exact_rho);
    const Rational epsilon = cap_.epsilon() - epsilon_of_(rho);
    if (epsilon.sign() <= 0) return;
    for (std::size_t given = 0; given <= given_.size(); ++given) {
      const Rational epsilon_left = shortened(epsilon - given_sums_[given].first);
      const Rational rho_left = shortened(rho - given_sums_[given].second);
      if (epsilon_left.sign() == 0 || rho_left.sign() == 0) continue;
      for (std::size_t sharing = 0; sharing <= sharing_.size(); ++sharing) {
        if (!is_mixed(given, sharing)) continue;
        const auto& [powers, factors] = sharing_sums_[sharing];
        const Rational ratio = powers / epsilon_left;
        keep({given, sharing, epsilon, rho, ratio * ratio * powers + factors * factors / rho_left});
      }
    }
  }

  std::vector<bool> chosen() const {
    std::vector<bool> in_rhos(given_.size() + sharing_.size(), true);
    if (!best_) return in_rhos;
    for (std::size_t i = 0; i < best_->given; ++i) in_rhos[given_[i].statistic] = false;
    for (std::size_t i = 0; i < best_->sharing; ++i) in_rhos[sharing_[i].statistic] = false;
    return in_rhos;
  }

  std::vector<MixedItem> given_;
  std::vector<MixedItem> sharing_;
  Cost cap_;
  Rational delta_;
  const RhoConversion& epsilon_of_;
  std::vector<std::pair<Rational, Rational>> given_sums_;
  std::vector<std::pair<Rational, Rational>> sharing_sums_;
  std::optional<Candidate> best_;
};

}  // namespace

RhoConversion general_conversion(const Rational& delta) {
  return [delta](const Rational& rho) { return approximate_epsilon(rho, delta); };
}

RhoConversion gaussian_conversion(const Rational& delta) {
  return [delta](const Rational& rho) {
    // As if the noise were real, with a little more rho: real noise is never that of a plan.
    const LatticeGaussian fine{rho * Rational(201, 200), Rational::two_to(60)};
    return lattice_gaussian_epsilon({&fine, 1}, delta).value_or(approximate_epsilon(rho, delta));
  };
}

Cost mixed_total(std::span<const PlannedStatistic> statistics, const Rational& delta) {
  std::vector<PlannedStatistic> in_epsilons;
  std::vector<PlannedStatistic> in_rhos;
  for (const PlannedStatistic& statistic : statistics) {
    const bool rho = statistic.cost.kind() == LossKind::kConcentrated;
    (rho ? in_rhos : in_epsilons).push_back(statistic);
  }
  const Cost added = sum_of(LossKind::kApproximate, costs_of(in_epsilons));
  const Cost rho = sum_of(LossKind::kConcentrated, costs_of(in_rhos));
  const Cost converted = convert_rho(rho, parts_of(in_rhos), delta).cost;
  return Cost::approximate(added.epsilon() + converted.epsilon(), added.delta() + delta);
}

std::optional<MixedBudget> find_mix(const ReleaseFile& release, const SharedBudget& epsilons,
                                    const SharedBudget& rhos, const Planner& in_epsilons,
                                    const Planner& in_rhos, const std::vector<Integer>& rows,
                                    const RhoConversion& conversion) {
  const std::size_t count = release.statistics.size();
  if (count < 2 || epsilons.statistics.size() != count || rhos.statistics.size() != count) {
    return std::nullopt;
  }
  std::vector<MixedItem> given;
  std::vector<MixedItem> sharing;
  const Cost& cap = release.budget.cap.value;
  const Rational whole = loss_in(rhos.cost);
  for (std::size_t i = 0; i < count; ++i) {
    const Statistic& statistic = release.statistics[i];
    if (statistic.discover || statistic.share.kind == ShareKind::kWeight) return std::nullopt;
    if (statistic.share.kind != ShareKind::kPlanned) {
      given.push_back({i, loss_in(epsilons.statistics[i].cost), loss_in(rhos.statistics[i].cost)});
      continue;
    }
    const Rational equal(static_cast<std::int64_t>(count));
    const auto law = squared_factor(in_epsilons, i, rows[i], {false, cap.epsilon() / equal});
    const auto rho_law = squared_factor(in_rhos, i, rows[i], {true, whole / equal});
    if (!law || !rho_law) return std::nullopt;
    sharing.push_back({i, shortened(root_of(*law, 3)), shortened(root_of(*rho_law, 2))});
  }
  return MixSearch(std::move(given), std::move(sharing), cap, rhos.delta, conversion).run(whole);
}

}  // namespace lastbit::release_internal
