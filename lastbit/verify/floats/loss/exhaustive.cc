#include "lastbit/verify/floats/loss/exhaustive.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/verify/floats/loss/small_laws.h"

namespace lastbit::verify {

namespace {

constexpr std::string_view kExhaustiveLosses = "exhaustive_losses";
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kExcessBits = 192;  // of the balls that decide

// The pair with the largest excess over its distance at one output: positions of two inputs.
struct Extreme {
  double excess = -kInfinity;
  std::size_t first = 0;
  std::size_t second = 0;
};

// Logarithms of one output's probability for all inputs, in doubles.
using Logarithms = std::vector<double>;

// The worst pair among the inputs first … last: for x < x′ both ln P_x − ln P_x′ − (x′ − x)/λ and its
// mirror image are differences of two sequences, so running extremes see all pairs.
Extreme worst_at(const Logarithms& logs, const std::vector<double>& inputs_over_scale,
                 std::size_t first, std::size_t last) {
  Extreme worst;
  std::size_t highest = first;  // of ln P_x + x/λ so far
  std::size_t lowest = first;   // of ln P_x − x/λ so far
  double high = -kInfinity;
  double low = kInfinity;
  bool zero = false;
  std::size_t zero_at = first;
  std::size_t other_at = first;
  bool other = false;
  for (std::size_t i = first; i <= last; ++i) {
    if (logs[i] == -kInfinity) {
      zero = true;
      zero_at = i;
      continue;
    }
    other = true;
    other_at = i;
    const double up = logs[i] + inputs_over_scale[i];
    const double down = logs[i] - inputs_over_scale[i];
    if (high - up > worst.excess) worst = {high - up, highest, i};
    if (down - low > worst.excess) worst = {down - low, lowest, i};
    if (up > high) {
      high = up;
      highest = i;
    }
    if (down < low) {
      low = down;
      lowest = i;
    }
  }
  if (zero && other) return {kInfinity, zero_at, other_at};
  return worst;
}

// One λ: the logarithms of all outputs, for every B at once.
class OneScale {
 public:
  OneScale(const ExhaustiveOptions& options, const Rational& scale, const Rational& half_width)
      : options_(options),
        scale_(scale),
        laws_(options.precision, scale, half_width, options.finest) {
    const double whole = static_cast<double>(laws_.whole());
    const auto logarithms = [&](const auto& count_of) {
      Logarithms result(laws_.inputs().size());
      for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = std::log(static_cast<double>(count_of(i)) / whole);
      }
      return result;
    };
    for (std::int64_t edge = laws_.first_edge(); edge <= laws_.last_edge(); ++edge) {
      const std::vector<std::uint64_t>& from = laws_.from_edge(edge);
      above_.push_back(logarithms([&](std::size_t i) { return from[i]; }));
      below_.push_back(logarithms([&](std::size_t i) { return laws_.whole() - from[i]; }));
      if (edge == laws_.last_edge()) break;
      const std::vector<std::uint64_t>& next = laws_.from_edge(edge + 1);
      inner_.push_back(logarithms([&](std::size_t i) { return from[i] - next[i]; }));
    }
    for (const Rational& x : laws_.inputs()) over_scale_.push_back((x / scale).down());
  }

  // Adds what the setting shows about every bound.
  void add_setting(const Rational& half_width, ExhaustiveResult& result,
                   std::vector<double>& worst_ratios) const;

 private:
  struct Found {
    Extreme extreme;
    Rational output;
  };
  Found worst_of(const Rational& half_width, std::size_t first, std::size_t last) const;
  SettingWitness witness(const Rational& half_width, const Found& found) const;

  const ExhaustiveOptions& options_;
  Rational scale_;
  SmallLaws laws_;
  std::vector<Logarithms> above_;  // for each edge: outputs from it on
  std::vector<Logarithms> below_;  // for each edge: outputs before it
  std::vector<Logarithms> inner_;  // from each edge to the next
  std::vector<double> over_scale_;
};

OneScale::Found OneScale::worst_of(const Rational& half_width, std::size_t first,
                                   std::size_t last) const {
  Found found;
  const auto look = [&](const Logarithms& logs, const Rational& output) {
    const Extreme extreme = worst_at(logs, over_scale_, first, last);
    if (extreme.excess > found.extreme.excess) found = {extreme, output};
  };
  const std::int64_t most = (laws_.grid().ceil_index(half_width) - 1).to_int64();
  const auto place = [&](std::int64_t edge) {
    return static_cast<std::size_t>(edge - laws_.first_edge());
  };
  look(below_[place(-most)], -half_width);
  look(above_[place(most + 1)], half_width);
  for (std::int64_t i = -most; i <= most; ++i) look(inner_[place(i)], laws_.grid().point(i));
  return found;
}

SettingWitness OneScale::witness(const Rational& half_width, const Found& found) const {
  const FloatMechanism mechanism(
      {.scale = scale_, .half_width = half_width, .precision = options_.precision});
  const Rational& x1 = laws_.inputs()[found.extreme.first];
  const Rational& x2 = laws_.inputs()[found.extreme.second];
  return {scale_, half_width, {x1, x2, output_loss(mechanism, x1, x2, found.output), 1}};
}

// The excess of a finite loss over the distance.
Ball excess_of(const SettingWitness& witness) {
  const Rational distance = abs(witness.pair.x1 - witness.pair.x2);
  return witness.pair.worst.loss(kExcessBits) - Ball(distance / witness.scale, kExcessBits);
}

void OneScale::add_setting(const Rational& half_width, ExhaustiveResult& result,
                           std::vector<double>& worst_ratios) const {
  const std::vector<Rational>& inputs = laws_.inputs();
  const auto first =
      static_cast<std::size_t>(std::ranges::lower_bound(inputs, -half_width) - inputs.begin());
  const auto last =
      static_cast<std::size_t>(std::ranges::upper_bound(inputs, half_width) - inputs.begin()) - 1;
  const std::uint64_t count = last - first + 1;
  ++result.settings;
  result.pairs += count * (count - 1) / 2;
  const Found found = worst_of(half_width, first, last);
  for (std::size_t i = 0; i < options_.bounds.size(); ++i) {
    const auto bound = options_.bounds[i].excess(scale_, half_width);
    if (!bound) continue;
    BoundOutcome& outcome = result.bounds[i];
    ++outcome.settings;
    const double ratio = found.extreme.excess / bound->up();
    if (ratio > worst_ratios[i]) {
      worst_ratios[i] = ratio;
      outcome.worst = witness(half_width, found);
      outcome.worst_ratio = outcome.worst->pair.worst.infinite()
                                ? kInfinity
                                : (excess_of(*outcome.worst) / Ball(*bound, kExcessBits)).lower();
    }
    if (ratio < 1 - 1e-6) continue;
    const SettingWitness here = witness(half_width, found);
    if (!here.pair.worst.infinite() &&
        !certainly_greater(excess_of(here), Ball(*bound, kExcessBits))) {
      continue;
    }
    ++outcome.violations;
    if (!outcome.first_violation) outcome.first_violation = here;
  }
}

void check_options(const ExhaustiveOptions& options) {
  require_parameter(options.precision >= 2 && options.precision <= 12, kExhaustiveLosses,
                    "precision", "is outside [2, 12]", "study larger precisions by search");
  require_parameter(options.least_ratio.sign() > 0 && options.least_ratio <= options.most_ratio &&
                        options.most_ratio <= Rational(4),
                    kExhaustiveLosses, "least_ratio, most_ratio", "are not a range inside (0, 4]",
                    "study larger half-widths by search");
  require_parameter(options.finest >= -20 && options.finest <= -4 &&
                        Rational::two_to(options.finest) <= options.least_ratio,
                    kExhaustiveLosses, "finest",
                    "is outside [-20, -4], or above the least half-width",
                    "give the exponent of the smallest input");
}

}  // namespace

ExcessBound linear_bound(std::string name, int precision, const Rational& per_bound,
                         const Rational& fixed, const Rational& least, const Rational& most) {
  const Rational eta = Rational::two_to(-precision);
  return {std::move(name),
          [=](const Rational& scale, const Rational& half_width) -> std::optional<Rational> {
            const Rational ratio = half_width / scale;
            if (ratio <= least || ratio > most) return std::nullopt;
            return (per_bound * ratio + fixed) * eta;
          }};
}

ExhaustiveResult exhaustive_losses(const ExhaustiveOptions& options) {
  check_options(options);
  const FloatFormat format = FloatFormat::unbounded(options.precision);
  ExhaustiveResult result;
  for (const ExcessBound& bound : options.bounds) result.bounds.emplace_back().name = bound.name;
  std::vector<double> worst_ratios(options.bounds.size(), -kInfinity);
  const std::vector<Float> scales = positive_floats(format, 0, 0);
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const Rational scale = scales[i].to_rational();
    const Rational least = options.least_ratio * scale;
    const Rational most = options.most_ratio * scale;
    const OneScale study(options, scale, most);
    const auto exponent_of = [&](const Rational& value) {
      return Float::from(value, format, Rounding::kDown).exponent();
    };
    for (const Float& b : positive_floats(format, exponent_of(least), exponent_of(most))) {
      const Rational half_width = b.to_rational();
      if (half_width < least || half_width > most) continue;
      study.add_setting(half_width, result, worst_ratios);
    }
    if (options.progress) {
      options.progress(static_cast<double>(i + 1) / static_cast<double>(scales.size()));
    }
  }
  return result;
}

}  // namespace lastbit::verify
