#include "lastbit/accounting/loss_distribution.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/work_limit.h"
#include "lastbit/numerics/convolution.h"

namespace lastbit::accounting_internal {
namespace {

Integer ceil_div(const Integer& a, const Integer& b) { return -floor_div(-a, b); }

// scaled: n / 2^bits as a whole number, in the direction of the end.
Integer scaled_down(const Integer& n, End end, const Integer& unit) {
  return end == End::kUpper ? ceil_div(n, unit) : floor_div(n, unit);
}

Integer sum_of(const std::vector<Integer>& numbers) {
  Integer sum = 0;
  for (const Integer& number : numbers) sum += number;
  return sum;
}

// vanishes: certainly below 2^−(bits + 2), even if it is too small for a fraction.
bool vanishes(const Ball& value, int bits) { return value.upper() < std::ldexp(1.0, -bits - 2); }

// How much longer than a step of a sum it takes to compute a Split.
constexpr std::size_t kSplitWork = 20;

// Split: how an atom at the distance r above a place is divided among that place and the next.
struct Split {
  Rational far;  // the part that goes up; exact at the ends, else rounded
  Rational near;
  Integer gain;  // 1 − e^−r, rounded down; in 2^−bits
  Integer lack;  // e^(H−r) − 1, rounded up; in 2^−bits
};

Split split_at(const Rational& r, const Rational& step, End end, int bits) {
  const int precision = 2 * bits + 64;
  const Ball below = -expm1(Ball(-r, precision));         // 1 − e^−r
  const Ball above = expm1(Ball(step - r, precision));    // e^(H−r) − 1
  const Ball whole = -expm1(Ball(-step, precision));      // 1 − e^−H
  const Ball rest = exp(Ball(-step, precision)) * above;  // e^−r − e^−H
  const Ball far = below / whole;
  if (end == End::kUpper) {
    return {std::min(far.upper_rational(), Rational(1)),
            std::min((rest / whole).upper_rational(), Rational(1)), 0, 0};
  }
  return {std::max(far.lower_rational(), Rational(0)), 0, units_down(below, bits),
          units_up(above, bits)};
}

// Regrid: walks over the atoms of a distribution with their places on the new step.
class Regrid {
 public:
  Regrid(const LossDistribution& from, const Rational& step) : from_(from), step_(step) {}

  LossDistribution run() {
    const std::int64_t low = place_of(from_.first).first;
    const std::int64_t high =
        place_of(from_.first + static_cast<std::int64_t>(from_.masses.size()) - 1).first + 1;
    LossDistribution to{from_.end, from_.bits, step_, low, {}, from_.infinity};
    const auto places = static_cast<std::size_t>(high - low + 1);
    if (from_.end == End::kUpper) {
      to.masses.resize(places);
      for_each_atom([&](std::int64_t place, const Integer& mass, const Split* split) {
        const auto i = static_cast<std::size_t>(place - low);
        to.masses[i] += split == nullptr ? mass : (Rational(mass) * split->near).ceil();
        if (split != nullptr) to.masses[i + 1] += (Rational(mass) * split->far).ceil();
      });
      return to;
    }
    Shares shares(low, places);
    for_each_atom([&](std::int64_t place, const Integer& mass, const Split* split) {
      const auto i = static_cast<std::size_t>(place - low);
      if (split == nullptr) {
        shares.near[i] += mass;
        return;
      }
      const Integer far = (Rational(mass) * split->far).floor();
      const Integer near = mass - far;
      shares.near[i] += near;
      shares.gain[i] += near * split->gain;
      shares.far[i + 1] += far;
      shares.lack[i + 1] += far * split->lack;
    });
    to.masses = settled(shares);
    to.first = low - 1;
    return to;
  }

 private:
  // place_of: the place below the loss index·step, and how far above it that is.
  std::pair<std::int64_t, Rational> place_of(std::int64_t index) const {
    const Rational loss = from_.step * Rational(index);
    const Integer place = (loss / step_).floor();
    return {place.to_int64(), loss - step_ * Rational(place)};
  }

  template <class Visit>
  void for_each_atom(const Visit& visit) {
    for (std::size_t i = 0; i < from_.masses.size(); ++i) {
      if (from_.masses[i].sign() == 0) continue;
      const auto [place, r] = place_of(from_.first + static_cast<std::int64_t>(i));
      visit(place, from_.masses[i], r.sign() == 0 ? nullptr : &split_for(r));
    }
  }

  // Steps of a simple ratio have few distances, so they are remembered.
  const Split& split_for(const Rational& r) {
    const auto [at, is_new] = splits_.try_emplace(r);
    if (!is_new) return at->second;
    WorkLimit::spend(kSplitWork);
    at->second = split_at(r, step_, from_.end, from_.bits);
    return at->second;
  }

  const LossDistribution& from_;
  const Rational& step_;
  std::map<Rational, Split> splits_;
};

// Line: on losses from one place to the next, h(ε) = mass − e^(ε−place)·weight, in units.
struct Line {
  Rational place;
  Integer mass;
  Ball weight;
};

// for_each_line: the lines of h from the largest losses down, until `visit` returns true.
template <class Visit>
void for_each_line(const LossDistribution& losses, const Visit& visit) {
  const int precision = losses.precision();
  const Ball factor = exp(Ball(-losses.step, precision));
  Line line{0, losses.infinity, Ball(0, precision)};
  for (std::size_t i = losses.masses.size(); i-- > 0;) {
    line.mass += losses.masses[i];
    line.weight = line.weight * factor + Ball(Rational(losses.masses[i]), precision);
    line.place = losses.step * Rational(losses.first + static_cast<std::int64_t>(i));
    if (visit(line, factor)) return;
  }
}

// crossing: where the line is at `delta`, in units.
Ball crossing(const Line& line, const Rational& delta) {
  const int precision = line.weight.precision();
  return Ball(line.place, precision) +
         ln(Ball(Rational(line.mass) - delta, precision) / line.weight);
}

Rational upper_epsilon(const LossDistribution& losses, const Rational& delta) {
  // h is at most delta at `proved`; each line may extend this one step further down.
  Rational proved =
      losses.step * Rational(losses.first + static_cast<std::int64_t>(losses.masses.size()) - 1);
  if (proved.sign() <= 0) return 0;
  for_each_line(losses, [&](const Line& line, const Ball& factor) {
    // Below the smallest loss the last line goes on.
    const bool is_last = line.place == losses.step * Rational(losses.first);
    const Rational next = is_last ? Rational(0) : std::max(line.place - losses.step, Rational(0));
    const Ball there = Ball(Rational(line.mass), losses.precision()) -
                       line.weight * (line.place - next == losses.step
                                          ? factor
                                          : exp(Ball(next - line.place, losses.precision())));
    if (certainly_less_or_equal(there, Ball(delta, losses.precision()))) {
      proved = next;
      return next.sign() == 0;
    }
    const Ball epsilon = crossing(line, delta);
    if (epsilon.is_finite()) {
      proved = std::min(proved, std::max(next, epsilon.upper_rational()));
    }
    return true;
  });
  return proved;
}

Rational lower_epsilon(const LossDistribution& losses, const Rational& delta) {
  Rational proved = 0;
  for_each_line(losses, [&](const Line& line, const Ball& /*factor*/) {
    if (line.place.sign() <= 0) return true;
    // Every line is a lower bound of h everywhere, so each crossing is one of the true epsilon.
    // They rise and then fall, so the first one within its own step is the best.
    if (Rational(line.mass) <= delta) return false;
    const Ball epsilon = crossing(line, delta);
    if (!epsilon.is_finite()) return false;
    const Rational found = epsilon.lower_rational();
    proved = std::max(proved, found);
    return found >= line.place - losses.step;
  });
  return proved;
}

}  // namespace

Integer units_up(const Ball& value, int bits) {
  if (vanishes(value, bits)) return value.upper() > 0 ? 1 : 0;
  return std::max((value.upper_rational() * Rational::two_to(bits)).ceil(), Integer(0));
}

Integer units_down(const Ball& value, int bits) {
  if (vanishes(value, bits)) return 0;
  return std::max((value.lower_rational() * Rational::two_to(bits)).floor(), Integer(0));
}

Shares::Shares(std::int64_t first_place, std::size_t places)
    : first(first_place), near(places), far(places), gain(places), lack(places) {}

std::vector<Integer> settled(const Shares& shares) {
  std::vector<Integer> masses(shares.near.size() + 1);
  for (std::size_t i = 0; i < shares.near.size(); ++i) {
    masses[i + 1] += shares.near[i];
    const bool all_may_stay = shares.gain[i] >= shares.lack[i];
    const Integer stays =
        all_may_stay ? shares.far[i] : floor_div(shares.far[i] * shares.gain[i], shares.lack[i]);
    masses[i + 1] += stays;
    masses[i] += shares.far[i] - stays;
  }
  return masses;
}

LossDistribution compose(const LossDistribution& a, const LossDistribution& b) {
  invariant(a.end == b.end && a.bits == b.bits && a.step == b.step,
            "losses that are composed have one end, one step and one unit");
  WorkLimit::spend(a.masses.size() + b.masses.size());
  const Integer unit = Integer::two_to(static_cast<std::uint64_t>(a.bits));
  LossDistribution sum{a.end, a.bits, a.step, a.first + b.first, convolve(a.masses, b.masses), 0};
  for (Integer& mass : sum.masses) mass = scaled_down(mass, a.end, unit);
  const Integer finite_a = sum_of(a.masses);
  const Integer all_b = sum_of(b.masses) + b.infinity;
  sum.infinity = scaled_down(a.infinity * all_b + finite_a * b.infinity, a.end, unit);
  return sum;
}

void cut_tails(LossDistribution& losses, const Integer& most) {
  std::size_t low = 0;
  std::size_t high = losses.masses.size();
  Integer below = 0;
  Integer above = 0;
  while (low + 1 < high && below + losses.masses[low] <= most) below += losses.masses[low++];
  while (low + 1 < high && above + losses.masses[high - 1] <= most) {
    above += losses.masses[--high];
  }
  if (losses.end == End::kUpper) {
    losses.masses[low] += below;
    losses.infinity += above;
  } else {
    losses.masses[high - 1] += above;
  }
  losses.masses.resize(high);
  losses.masses.erase(losses.masses.begin(),
                      losses.masses.begin() + static_cast<std::ptrdiff_t>(low));
  losses.first += static_cast<std::int64_t>(low);
}

LossDistribution regridded(const LossDistribution& losses, const Rational& step) {
  if (step == losses.step) return losses;
  WorkLimit::spend(losses.masses.size());
  return Regrid(losses, step).run();
}

void CutRule::apply(LossDistribution& losses, std::uint64_t uses) const {
  cut_tails(losses, (most_per_use * Rational(uses) * Rational::two_to(losses.bits)).floor());
  while (losses.masses.size() > places) {
    losses = regridded(losses, losses.step * Rational(2));
  }
}

LossDistribution power(const LossDistribution& losses, std::uint64_t times, const CutRule& rule) {
  invariant(times >= 1, "something is composed at least once");
  LossDistribution result = losses;
  rule.apply(result, 1);
  std::uint64_t uses = 1;
  for (std::uint64_t bit = std::bit_floor(times) >> 1; bit != 0; bit >>= 1) {
    result = compose(result, result);
    uses *= 2;
    rule.apply(result, uses);
    if ((times & bit) == 0) continue;
    result = compose(result, regridded(losses, result.step));
    ++uses;
    rule.apply(result, uses);
  }
  return result;
}

std::optional<Rational> epsilon_at(const LossDistribution& losses, const Rational& delta) {
  const Rational units = delta * Rational::two_to(losses.bits);
  if (Rational(losses.infinity) > units) return std::nullopt;
  return losses.end == End::kUpper ? upper_epsilon(losses, units) : lower_epsilon(losses, units);
}

Rational delta_at(const LossDistribution& losses, const Rational& epsilon) {
  Ball delta(Rational(losses.infinity), losses.precision());
  for_each_line(losses, [&](const Line& line, const Ball& /*factor*/) {
    if (line.place <= epsilon) return true;
    delta = Ball(Rational(line.mass), losses.precision()) -
            line.weight * exp(Ball(epsilon - line.place, losses.precision()));
    return false;
  });
  const Integer units =
      losses.end == End::kUpper ? delta.upper_rational().ceil() : delta.lower_rational().floor();
  const Rational result = Rational(units) * Rational::two_to(-losses.bits);
  return std::clamp(result, Rational(0), Rational(1));
}

}  // namespace lastbit::accounting_internal
