#include "lastbit/verify/floats/loss/exact_law.h"

#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/verify/floats/loss/dyadic_law.h"

namespace lastbit::verify {

namespace {

// A gigabyte of denominators.
constexpr std::int64_t kMaxLawBits = std::int64_t{1} << 33;

void check_size(const std::vector<Dyadic>& law) {
  std::int64_t bits = 0;
  for (const Dyadic& probability : law) bits -= probability.exponent();
  if (bits <= kMaxLawBits) return;
  throw Error(ErrorCode::kNotSupported, "output_law",
              "the probabilities need more than a gigabyte as fractions",
              "choose a smaller bound, or ask for one output");
}

}  // namespace

std::vector<Rational> possible_outputs(const FloatMechanism& mechanism) {
  if (!mechanism.has_grid()) {
    throw Error(ErrorCode::kNotSupported, "possible_outputs",
                "a mechanism without a grid has no list of outputs",
                "choose a coarser grid or a smaller bound, or ask for one output");
  }
  const Rational& bound = mechanism.half_width();
  const Integer last = mechanism.grid().ceil_index(bound) - 1;
  if (last > Integer((kMaxOutputs - 3) / 2)) {
    throw Error(ErrorCode::kNotSupported, "possible_outputs",
                "there are more than ten million outputs",
                "choose a coarser grid or a smaller bound, or ask for one output");
  }
  std::vector<Rational> outputs;
  const std::int64_t most = last.to_int64();
  outputs.reserve(static_cast<std::size_t>(2 * most + 3));
  outputs.push_back(-bound);
  for (std::int64_t i = -most; i <= most; ++i) outputs.push_back(mechanism.grid().point(i));
  outputs.push_back(bound);
  return outputs;
}

std::vector<Atom> output_law(const FloatMechanism& mechanism, const Rational& x) {
  std::vector<Rational> outputs = possible_outputs(mechanism);
  const std::vector<Dyadic> probabilities = dyadic_law(mechanism, outputs, x);
  check_size(probabilities);
  std::vector<Atom> law;
  law.reserve(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    law.push_back({std::move(outputs[i]), probabilities[i].to_rational()});
  }
  return law;
}

Rational output_probability(const FloatMechanism& mechanism, const Rational& x,
                            const Rational& output) {
  return dyadic_probability(mechanism, x, output).to_rational();
}

}  // namespace lastbit::verify
