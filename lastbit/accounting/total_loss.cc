#include "lastbit/accounting/total_loss.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "lastbit/accounting/loss_elements.h"
#include "lastbit/base/error.h"
#include "lastbit/base/work_limit.h"
#include "lastbit/numerics/decimal.h"

namespace lastbit {
namespace {

using accounting_internal::approximate_losses;
using accounting_internal::compose;
using accounting_internal::concentrated_losses;
using accounting_internal::CutRule;
using accounting_internal::delta_at;
using accounting_internal::End;
using accounting_internal::epsilon_at;
using accounting_internal::gaussian_losses;
using accounting_internal::gaussian_reach;
using accounting_internal::laplace_losses;
using accounting_internal::LossDistribution;
using accounting_internal::power;
using accounting_internal::Reach;
using accounting_internal::regridded;

// How many places distributions may have, from one attempt to the next. The ends are apart by about
// the square of what one place is worth.
constexpr std::size_t kFewPlaces = std::size_t{1} << 11;
constexpr int kAttempts = 3;
// The most work that an attempt may take, in the units of WorkLimit: a few seconds.
constexpr std::uint64_t kMostWork = 10'000'000;
// When the ends are this close, relative to the upper one, nothing is refined any more.
const Rational& close_enough() {
  static const Rational value(1, 10'000);
  return value;
}

void require(bool holds, std::string_view parameter, std::string_view problem,
             std::string_view remedy) {
  require_parameter(holds, "total loss", parameter, problem, remedy);
}

void require_moderate(std::string_view name, const Rational& value) {
  require(value <= Rational(1000), name, "is above 1,000, which protects nobody",
          "leave this loss out; nothing is left to compose");
}

// few_digits: the number itself, or for one of many digits the nearest one of 20 on that side.
Rational few_digits(const Rational& value, Rounding rounding) {
  const bool is_short =
      std::max(value.numerator().bit_length(), value.denominator().bit_length()) <= 128;
  return is_short ? value : to_decimal(value, 20, rounding);
}

// Atoms: a mechanism with its own natural step. Equal ones are composed together.
struct AtomKey {
  bool laplace = false;
  Rational epsilon = 0;
  Rational delta = 0;
  friend auto operator<=>(const AtomKey& a, const AtomKey& b) {
    return std::tie(a.laplace, a.epsilon, a.delta) <=> std::tie(b.laplace, b.epsilon, b.delta);
  }
};

// Summary: the parts as one end sees them.
struct Summary {
  std::map<AtomKey, std::uint64_t> atoms = {};
  Rational square = 0;  // of all Gaussian noise together
  Rational rho = 0;     // of all losses in rho; 0 at a lower end, where they are Gaussian noise
  std::uint64_t uses = 0;
};

class Summarise {
 public:
  explicit Summarise(End end)
      : end_(end), rounding_(end == End::kUpper ? Rounding::kUp : Rounding::kDown) {}

  Summary run(std::span<const LossPart> parts) {
    for (const LossPart& part : parts) {
      times_ = part.times;
      std::visit([this](const auto& loss) { add(loss); }, part.loss);
    }
    summary_.square = few_digits(summary_.square, rounding_);
    summary_.rho = few_digits(summary_.rho, rounding_);
    return std::move(summary_);
  }

 private:
  void add(const Cost& cost) {
    if (cost.kind() != LossKind::kConcentrated) {
      add_atom({false, cost.epsilon(), cost.delta()});
      return;
    }
    // An event of probability delta in which everything may be told, and a rho otherwise.
    if (cost.delta().sign() > 0) add_atom({false, 0, cost.delta()});
    const Rational rho = cost.rho() * Rational(times_);
    if (end_ == End::kUpper) {
      summary_.rho += rho;
    } else {
      summary_.square += Rational(2) * rho;
    }
    ++summary_.uses;
  }
  void add(const LaplaceLoss& loss) { add_atom({true, loss.epsilon, 0}); }
  void add(const GaussianLoss& loss) {
    summary_.square += Rational(times_) / (loss.sigma * loss.sigma);
    ++summary_.uses;
  }
  void add_atom(const AtomKey& key) {
    const AtomKey rounded_key{key.laplace, few_digits(key.epsilon, rounding_),
                              few_digits(key.delta, rounding_)};
    summary_.uses += times_;
    if (rounded_key.epsilon.sign() > 0 || rounded_key.delta.sign() > 0) {
      summary_.atoms[rounded_key] += times_;
    }
  }

  End end_;
  Rounding rounding_;
  std::uint64_t times_ = 1;
  Summary summary_ = {};
};

// common_measure: the largest number of which both are whole multiples.
Rational common_measure(const Rational& a, const Rational& b) {
  Integer x = a.numerator() * b.denominator();
  Integer y = b.numerator() * a.denominator();
  while (y.sign() != 0) x = std::exchange(y, floor_mod(x, y));
  return Rational(x, a.denominator() * b.denominator());
}

// Composer: one end, at one resolution.
class Composer {
 public:
  Composer(const Summary& summary, const Rational& least_delta, End end, std::size_t places)
      : summary_(summary), end_(end), places_(places) {
    const int log_uses = static_cast<int>(Integer(summary.uses + 1).bit_length());
    const int log_delta = static_cast<int>((Rational(1) / least_delta).ceil().bit_length());
    // 2^−30 of the least delta for cut tails, as much for rounding at every place of every step.
    bits_ = log_delta + 30 + log_uses + 24;
    tail_ = least_delta * Rational::two_to(-30);
    rule_ = {tail_ / Rational(summary.uses + 1), places_};
  }

  LossDistribution run(const std::function<void()>& on_step) {
    for (const auto& [key, times] : summary_.atoms) {
      pool_.push_back(power(atom_losses(key), times, rule_));
      on_step();
    }
    const Rational finest = choose_finest();
    for (LossDistribution& losses : pool_) {
      losses = regridded(losses, step_for(finest, losses.width().up()));
    }
    const auto step_of = [&](const Rational& square) {
      const Reach reach = gaussian_reach(square.up(), tail_.up());
      return step_for(finest, reach.high - reach.low);
    };
    if (summary_.square.sign() > 0) {
      pool_.push_back(
          gaussian_losses(summary_.square, step_of(summary_.square), tail_, end_, bits_));
    }
    if (summary_.rho.sign() > 0) {
      const Rational step = step_of(Rational(2) * summary_.rho);
      pool_.push_back(concentrated_losses(summary_.rho, step, tail_, bits_));
    }
    on_step();
    return composed();
  }

 private:
  LossDistribution atom_losses(const AtomKey& key) const {
    if (key.laplace) {
      // Many different ones share the places.
      const std::size_t parts =
          std::clamp(4 * places_ / summary_.atoms.size(), std::size_t{4}, places_ / 8);
      return laplace_losses(key.epsilon, static_cast<std::int64_t>(parts), end_, bits_);
    }
    if (key.epsilon.sign() > 0) return approximate_losses(key.epsilon, key.delta, end_, bits_);
    // Only a delta: any step will do, since the finite loss is 0.
    LossDistribution losses = approximate_losses(1, key.delta, end_, bits_);
    const Integer finite = Integer::two_to(static_cast<std::uint64_t>(bits_)) - losses.infinity;
    losses.masses = {0, end_ == End::kUpper ? finite + Integer(1) : finite - Integer(1), 0};
    return losses;
  }

  // guess_width: about how wide the losses of all parts are together: no wider than the sum of the
  // widths, and hardly wider than so many standard deviations.
  double guess_width() const {
    double sum = 0;
    double variance = 0;
    double widest = 0;
    const auto add = [&](double width, double one_variance) {
      sum += width;
      variance += one_variance;
      widest = std::max(widest, width);
    };
    for (const LossDistribution& losses : pool_) {
      add(losses.width().up(), guess_variance(losses));
    }
    for (const Rational& square : {summary_.square, Rational(2) * summary_.rho}) {
      if (square.sign() == 0) continue;
      const Reach reach = gaussian_reach(square.up(), tail_.up());
      add(reach.high - reach.low, square.up());
    }
    const Reach reach = gaussian_reach(variance, tail_.up());
    return std::max(widest, std::min(sum, reach.high - reach.low));
  }

  static double guess_variance(const LossDistribution& losses) {
    const double unit = std::ldexp(1.0, -losses.bits);
    double mass = 0;
    double mean = 0;
    double square = 0;
    for (std::size_t i = 0; i < losses.masses.size(); ++i) {
      const double weight = Rational(losses.masses[i]).up() * unit;
      const double place = static_cast<double>(i);
      mass += weight;
      mean += weight * place;
      square += weight * place * place;
    }
    if (mass == 0) return 0;
    const double step = losses.step.up();
    return std::max(square / mass - mean / mass * (mean / mass), 0.0) * step * step;
  }

  // choose_finest: all steps are this one, doubled some times. If all epsilons are multiples of one
  // number that is not too small, it is a part of that number, and nothing has to be moved as long
  // as it is not doubled too often.
  Rational choose_finest() const {
    const Rational wanted = to_decimal(
        Rational::exactly(guess_width() / static_cast<double>(places_)), 3, Rounding::kNearestEven);
    Rational measure = 0;
    for (const auto& [key, times] : summary_.atoms) {
      measure = common_measure(measure, key.epsilon);
    }
    if (measure * Rational(256) < wanted) return wanted / Rational(32);
    while (measure > wanted) measure /= Rational(2);
    return measure;
  }

  // step_for: the largest step that gives losses of this width at least half of the places.
  Rational step_for(const Rational& finest, double width) const {
    const double ratio = width / finest.up() / static_cast<double>(places_);
    return finest * Rational::two_to(std::max(std::ilogb(std::max(ratio, 1.0)), 0));
  }

  // composed: the narrowest two first, so that most sums are short, and narrow losses are on wide
  // steps only when they are many.
  LossDistribution composed() {
    invariant(!pool_.empty(), "there is something to compose");
    const auto wider = [](const LossDistribution& a, const LossDistribution& b) {
      return a.width() > b.width();
    };
    std::ranges::make_heap(pool_, wider);
    const auto take = [&] {
      std::ranges::pop_heap(pool_, wider);
      LossDistribution narrowest = std::move(pool_.back());
      pool_.pop_back();
      return narrowest;
    };
    const CutRule rule{tail_ / Rational(summary_.atoms.size() + 2), places_};
    while (pool_.size() > 1) {
      const LossDistribution a = take();
      const LossDistribution b = take();
      const Rational step = std::max(a.step, b.step);
      LossDistribution sum = compose(regridded(a, step), regridded(b, step));
      rule.apply(sum, 1);
      pool_.push_back(std::move(sum));
      std::ranges::push_heap(pool_, wider);
    }
    return std::move(pool_.front());
  }

  const Summary& summary_;
  End end_;
  std::size_t places_;
  int bits_ = 0;
  Rational tail_;
  CutRule rule_;
  std::vector<LossDistribution> pool_;
};

}  // namespace

TotalLoss::TotalLoss(std::span<const LossPart> parts, const Rational& least_delta,
                     const OnProgress& on_progress)
    : parts_(parts.begin(), parts.end()), least_delta_(least_delta) {
  require(!parts.empty(), "parts", "are missing", "give at least one loss");
  require(parts.size() <= kMaxParts, "parts", "are more than 10,000",
          "put equal losses together, with the number of times that each occurs");
  require(least_delta < Rational(1), "delta", "is 1 or more, which would allow anything",
          "give a small probability");
  require(least_delta >= Rational::two_to(-300), "delta", "is below 2^-300",
          "give a small positive probability; without one, epsilons simply add up");
  for (const LossPart& part : parts_) {
    require(part.times >= 1 && part.times <= kMaxTimes, "times", "is not between 1 and 10^9",
            "give a whole number in that range");
    const Rational times(part.times);
    if (const auto* cost = std::get_if<Cost>(&part.loss)) {
      if (cost->kind() == LossKind::kConcentrated) {
        require_moderate("rho", cost->rho());
        sum_rho_ += times * cost->rho();
        sum_delta_ += times * cost->delta();
        continue;
      }
      require_moderate("epsilon", cost->epsilon());
      sum_epsilon_ += times * cost->epsilon();
      sum_delta_ += times * cost->delta();
    } else if (const auto* laplace = std::get_if<LaplaceLoss>(&part.loss)) {
      require(laplace->epsilon.sign() >= 0, "epsilon", "is negative", "give a positive number");
      require_moderate("epsilon", laplace->epsilon);
      sum_epsilon_ += times * laplace->epsilon;
    } else {
      const Rational& sigma = std::get<GaussianLoss>(part.loss).sigma;
      require(sigma >= Rational(1, 100), "sigma", "is below 1/100, which protects nobody",
              "give the standard deviation of the noise, divided by the sensitivity");
      sum_rho_ += times / (Rational(2) * sigma * sigma);
    }
  }
  refine(on_progress);
}

void TotalLoss::refine(const OnProgress& on_progress) {
  const Summary above = Summarise(End::kUpper).run(parts_);
  const Summary below = Summarise(End::kLower).run(parts_);
  const std::uint64_t total = kAttempts * (above.atoms.size() + below.atoms.size() + 2);
  std::uint64_t done = 0;
  const auto on_step = [&] {
    if (on_progress) on_progress(std::min(++done, total), total);
  };
  const auto attempt = [&](const Summary& summary, End end, std::size_t places) {
    const bool is_empty =
        summary.atoms.empty() && summary.square.sign() == 0 && summary.rho.sign() == 0;
    return is_empty ? std::nullopt
                    : std::optional(Composer(summary, least_delta_, end, places).run(on_step));
  };
  std::optional<Rational> previous_gap;
  std::uint64_t work = 0;
  for (int i = 0; i < kAttempts; ++i) {
    try {
      const WorkLimit limit(kMostWork);
      const std::size_t places = kFewPlaces << (2 * i);
      auto upper = attempt(above, End::kUpper, places);
      lower_ = attempt(below, End::kLower, places);
      upper_ = std::move(upper);
      work = limit.spent();
    } catch (const WorkLimit::Exceeded&) {
      require(i > 0, "parts", "are too many different ones to compose",
              "put equal losses together, or round epsilons to few digits");
      return;  // the ends of the last attempt hold as well
    }
    const LossRange range = epsilon(least_delta_);
    if (!range.upper || !range.lower) return;
    const Rational gap = *range.upper - *range.lower;
    if (gap <= *range.upper * close_enough()) return;
    // A gap that hardly shrinks is not one of resolution, as with losses in rho.
    if (previous_gap && gap * Rational(2) > *previous_gap) return;
    if (work > kMostWork / 4) return;  // the next attempt would take four times as much
    previous_gap = gap;
  }
}

LossRange TotalLoss::epsilon(const Rational& delta) const {
  require(delta >= least_delta_ && delta < Rational(1), "delta",
          "is not between the least delta and 1", "compute the total for this delta");
  LossRange range{Rational(0), Rational(0)};
  if (lower_) range.lower = epsilon_at(*lower_, delta);
  if (upper_) range.upper = epsilon_at(*upper_, delta);
  const auto simple = simple_epsilon(delta);
  if (simple && (!range.upper || *simple < *range.upper)) range.upper = simple;
  return range;
}

LossRange TotalLoss::delta(const Rational& epsilon) const {
  require(epsilon.sign() >= 0, "epsilon", "is negative", "give a number that is 0 or more");
  LossRange range{Rational(0), Rational(0)};
  if (lower_) range.lower = delta_at(*lower_, epsilon);
  if (upper_) range.upper = delta_at(*upper_, epsilon);
  if (sum_rho_.sign() == 0 && epsilon >= sum_epsilon_) {
    range.upper = std::min(*range.upper, sum_delta_);
  }
  return range;
}

std::optional<Rational> TotalLoss::simple_epsilon(const Rational& delta) const {
  const Rational left = delta - sum_delta_;
  if (left.sign() < 0) return std::nullopt;
  if (sum_rho_.sign() == 0) return sum_epsilon_;
  if (left.sign() == 0) return std::nullopt;
  return sum_epsilon_ + approximate_epsilon(sum_rho_, std::min(left, Rational(1, 2)));
}

}  // namespace lastbit
