#include "lastbit/verify/floats/loss/witness.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <string_view>

#include "lastbit/base/error.h"

namespace lastbit::verify {
namespace {

constexpr int kDoublePrecision = 53;
constexpr int kNormalExponent = -1022;
constexpr int kSubnormalExponent = -1074;

bool has_smallest_double(const FloatModel& model) {
  return model.uniform == UniformModel::kDouble || model.uniform == UniformModel::kNormalDouble;
}

// smallest: the smallest value of u, if there is one.
std::optional<Rational> smallest(const FloatModel& model) {
  switch (model.uniform) {
    case UniformModel::kDouble:
      return Rational::two_to(kSubnormalExponent);
    case UniformModel::kNormalDouble:
      return Rational::two_to(kNormalExponent);
    case UniformModel::kGrid:
      return Rational::two_to(-model.precision);
    case UniformModel::kUnitFloat:
    case UniformModel::kFewerBits:
      break;
  }
  return std::nullopt;
}

int bits_of_u(const FloatModel& model) {
  if (has_smallest_double(model)) return kDoublePrecision;
  return model.uniform == UniformModel::kFewerBits ? model.uniform_bits.value_or(model.precision)
                                                   : model.precision;
}

// floor_exponent: ⌊log2 value⌋ of a positive number.
std::int64_t floor_exponent(const Rational& value) {
  auto exponent = static_cast<std::int64_t>(value.numerator().bit_length()) -
                  static_cast<std::int64_t>(value.denominator().bit_length());
  if (Rational::two_to(exponent) > value) --exponent;
  return exponent;
}

// spacing: the distance from the value 2^exponent of u to the next.
Rational spacing(const FloatModel& model, std::int64_t exponent) {
  if (model.uniform == UniformModel::kGrid) return Rational::two_to(-model.precision);
  const std::int64_t last = exponent - bits_of_u(model) + 1;
  return Rational::two_to(
      has_smallest_double(model) ? std::max<std::int64_t>(last, kSubnormalExponent) : last);
}

bool is_value(const FloatModel& model, const Rational& t) {
  if (t.sign() <= 0 || t >= uniform_end(model)) return false;
  if (const auto least = smallest(model); least && t < *least) return false;
  return (t / spacing(model, floor_exponent(t))).is_integer();
}

// before: the value of u before a positive threshold; none before the smallest.
std::optional<Rational> before(const FloatModel& model, const Rational& threshold) {
  if (const auto least = smallest(model); least && threshold == *least) return std::nullopt;
  std::int64_t exponent = floor_exponent(threshold);
  if (threshold == Rational::two_to(exponent)) --exponent;
  return threshold - spacing(model, exponent);
}

// last_value: the largest value of u.
Rational last_value(const FloatModel& model) {
  constexpr std::int64_t kBelowOne = -1;
  return uniform_end(model) - spacing(model, kBelowOne);
}

Float as_float(const Rational& u, int precision) {
  return Float::from(u, FloatFormat::unbounded(precision));
}

// Side: which values of u lie at or above a threshold, for one input and sign. Output moves away
// from −sign·B as u grows, so both questions turn from no to yes once.
struct Side {
  const FloatMechanism& mechanism;
  const Rational& x;
  const Rational& output;
  int sign;
  bool beyond;  // the threshold `to`: the output is passed, and not only reached

  bool reached(const Rational& other) const {
    const auto order = sign > 0 ? other <=> output : output <=> other;
    return beyond ? order > 0 : order >= 0;
  }
  bool at(const Rational& u) const {
    return reached(mechanism.output(x, sign, as_float(u, bits_of_u(mechanism.model()))));
  }
  // always: whether u may be arbitrarily small; then the output is the bound on its side, and
  // without a grid there is no bound.
  bool always() const {
    const Rational& bound = mechanism.half_width();
    return mechanism.has_grid() && reached(sign > 0 ? -bound : bound);
  }
};

// least_between: the least number in (low, high] at which `yes` holds, which changes from no to yes
// between them.
Integer least_between(Integer low, Integer high, const std::function<bool(const Integer&)>& yes) {
  while (high - low > Integer(1)) {
    const Integer middle = floor_div(low + high, Integer(2));
    (yes(middle) ? high : low) = middle;
  }
  return high;
}

// least_in_steps: the least threshold in (low, high], which are a whole number of steps apart.
Rational least_in_steps(const Side& side, const Rational& low, const Rational& high,
                        const Rational& step) {
  const auto value = [&](const Integer& k) { return low + Rational(k) * step; };
  const Integer steps = ((high - low) / step).floor();
  return value(
      least_between(Integer(0), steps, [&](const Integer& k) { return side.at(value(k)); }));
}

// threshold: the least value of u that is at or beyond the side.
Rational threshold(const Side& side) {
  const FloatModel& model = side.mechanism.model();
  const auto least = smallest(model);
  if (least && side.at(*least)) return *least;
  if (!least && side.always()) return 0;
  const Rational last = last_value(model);
  if (!side.at(last)) return uniform_end(model);
  if (model.uniform == UniformModel::kGrid) {
    const Rational step = Rational::two_to(-model.precision);
    return least_in_steps(side, step, last, step);
  }
  // Exponents first, doubling; then the values between two powers of two, which are evenly spaced.
  std::int64_t high = 0;
  std::int64_t low = -1;
  const std::int64_t bottom = least ? floor_exponent(*least) : -kMaxWitnessExponent;
  while (side.at(Rational::two_to(low))) {
    if (low == bottom) {
      throw Error(ErrorCode::kNotSupported, "find_witness", "a threshold of u is too small",
                  "choose a smaller bound, or a larger scale");
    }
    high = low;
    low = std::max(2 * low, bottom);
  }
  const Integer exponent = least_between(Integer(low), Integer(high), [&](const Integer& e) {
    return e.sign() == 0 || side.at(Rational::two_to(e.to_int64()));
  });
  const std::int64_t top = exponent.to_int64();
  return least_in_steps(side, Rational::two_to(top - 1), Rational::two_to(top),
                        spacing(model, top - 1));
}

void require_threshold(const Side& side, const Rational& t, const std::string& name) {
  const FloatModel& model = side.mechanism.model();
  const auto refuse = [&](std::string_view problem) {
    throw Error(ErrorCode::kBadInput, name, std::string(problem), "the witness proves nothing");
  };
  if (t.sign() == 0) {
    if (smallest(model) || !side.always()) refuse("small values of u do not give this output");
    return;
  }
  const bool is_end = t == uniform_end(model);
  if (!is_end && !is_value(model, t)) refuse("u cannot take this value");
  if (!is_end && !side.at(t)) refuse("the mechanism does not change sides at this value of u");
  const auto previous = before(model, t);
  if (previous && side.at(*previous)) refuse("the mechanism changes sides below this value of u");
}

}  // namespace

Rational uniform_end(const FloatModel& model) {
  if (model.uniform != UniformModel::kGrid) return 1;
  return Rational(1) + Rational::two_to(-model.precision);
}

Rational uniform_below(const FloatModel& model, const Rational& threshold) {
  if (model.uniform == UniformModel::kGrid) return threshold - Rational::two_to(-model.precision);
  const auto least = smallest(model);
  return least && threshold <= *least ? Rational(0) : threshold;
}

LossWitness find_witness(const FloatMechanism& mechanism, const Rational& x1, const Rational& x2,
                         const Rational& output) {
  LossWitness witness{mechanism.model(), x1, x2, output, {}};
  std::size_t index = 0;
  for (const Rational& x : {x1, x2}) {
    for (const int sign : {1, -1}) {
      witness.preimages.at(index++) = {threshold({mechanism, x, output, sign, false}),
                                       threshold({mechanism, x, output, sign, true})};
    }
  }
  return witness;
}

OutputLoss check_witness(const LossWitness& witness) {
  const FloatMechanism mechanism(witness.model);
  std::array<Rational, 2> probabilities;
  for (std::size_t input : {0U, 1U}) {
    const Rational& x = input == 0 ? witness.x1 : witness.x2;
    for (const int sign : {1, -1}) {
      const Preimage& preimage = witness.preimages.at(2 * input + (sign > 0 ? 0 : 1));
      const std::string name =
          "input " + std::to_string(input + 1) + ", sign " + std::to_string(sign) + ", ";
      require_threshold({mechanism, x, witness.output, sign, false}, preimage.from, name + "from");
      require_threshold({mechanism, x, witness.output, sign, true}, preimage.to, name + "to");
      probabilities.at(input) += (uniform_below(witness.model, preimage.to) -
                                  uniform_below(witness.model, preimage.from)) /
                                 Rational(2);
    }
  }
  return {witness.output, probabilities[0], probabilities[1]};
}

}  // namespace lastbit::verify
