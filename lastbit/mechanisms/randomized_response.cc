#include "lastbit/mechanisms/randomized_response.h"

#include <algorithm>

#include "lastbit/numerics/float.h"
#include "lastbit/random/bernoulli.h"
#include "lastbit/random/uniform.h"

namespace lastbit {
namespace {

constexpr const char* kRandomizedResponse = "make_randomized_response";
constexpr int kLossBits = 64;

}  // namespace

RandomizedResponse::RandomizedResponse(std::size_t categories, const Rational& truth)
    : categories_(categories),
      truth_(truth),
      ratio_(Distance::infinity()),
      loss_(Distance::infinity()) {
  if (categories < 2) {
    throw Error::bad_parameter(kRandomizedResponse, "categories", "are fewer than two",
                               "give at least two possible answers");
  }
  if (truth.sign() < 0 || truth > Rational(1)) {
    throw Error::bad_parameter(kRandomizedResponse, "truth",
                               "(" + truth.to_string() + ") is outside of [0, 1]",
                               "give a probability");
  }
  if (truth.sign() == 0 || truth == Rational(1)) return;
  const Rational odds = truth * Rational(categories - 1) / (Rational(1) - truth);
  const Rational ratio = std::max(odds, Rational(1) / odds);
  ratio_ = ratio;
  loss_ = ratio == Rational(1) ? Distance(0) : Distance(ln_up(ratio, kLossBits));
}

std::size_t RandomizedResponse::respond(std::size_t category, BitSource& bits) const {
  const std::size_t own = category < categories_ ? category : 0;
  const bool truthful = bernoulli(bits, truth_);
  const auto other = static_cast<std::size_t>(uniform_below(bits, std::uint64_t{categories_ - 1}));
  if (truthful) return own;
  return other < own ? other : other + 1;
}

}  // namespace lastbit
