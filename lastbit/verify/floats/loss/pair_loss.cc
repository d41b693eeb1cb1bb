#include "lastbit/verify/floats/loss/pair_loss.h"

#include <algorithm>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/verify/floats/loss/dyadic_law.h"

namespace lastbit::verify {

namespace {

// Two probabilities, of any exact kind, as a loss: the larger over the smaller.
template <class Number>
class Ratio {
 public:
  Ratio(const Number& a, const Number& b) : more_(std::max(a, b)), less_(std::min(a, b)) {}

  // Cross-multiplication also works for quotients by 0, but not for 0/0, which is no loss.
  friend bool operator>(const Ratio& a, const Ratio& b) {
    if (b.more_.sign() == 0) return a.more_ > a.less_;
    return a.more_ * b.less_ > b.more_ * a.less_;
  }

 private:
  Number more_;
  Number less_;
};

}  // namespace

Ball OutputLoss::loss(int precision) const {
  if (infinite()) {
    throw Error(ErrorCode::kNotSupported, "loss", "the loss is infinite",
                "ask infinite() before asking for a number");
  }
  if (first == second) return {0, precision};
  return ln(Ball(std::max(first, second), precision) / Ball(std::min(first, second), precision));
}

bool worse(const OutputLoss& a, const OutputLoss& b) {
  return Ratio<Rational>(a.first, a.second) > Ratio<Rational>(b.first, b.second);
}

OutputLoss output_loss(const FloatMechanism& mechanism, const Rational& x1, const Rational& x2,
                       const Rational& output) {
  return {output, output_probability(mechanism, x1, output),
          output_probability(mechanism, x2, output)};
}

Rational clamped_distance(const FloatModel& model, const Rational& x1, const Rational& x2) {
  const Rational& bound = model.half_width;
  return abs(std::clamp(x1, -bound, bound) - std::clamp(x2, -bound, bound));
}

std::vector<OutputLoss> output_losses(const FloatMechanism& mechanism, const Rational& x1,
                                      const Rational& x2) {
  std::vector<Atom> law1 = output_law(mechanism, x1);
  std::vector<Atom> law2 = output_law(mechanism, x2);
  std::vector<OutputLoss> losses;
  for (std::size_t i = 0; i < law1.size(); ++i) {
    if (law1[i].probability.sign() == 0 && law2[i].probability.sign() == 0) continue;
    losses.push_back({std::move(law1[i].output), std::move(law1[i].probability),
                      std::move(law2[i].probability)});
  }
  return losses;
}

PairLoss pair_loss(const FloatMechanism& mechanism, const Rational& x1, const Rational& x2) {
  const std::vector<Rational> outputs = possible_outputs(mechanism);
  const std::vector<Dyadic> law1 = dyadic_law(mechanism, outputs, x1);
  const std::vector<Dyadic> law2 = dyadic_law(mechanism, outputs, x2);
  PairLoss pair{x1, x2, {}, 0};
  std::size_t worst = 0;
  Ratio<Dyadic> worst_ratio(Dyadic{}, Dyadic{});
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (law1[i].is_zero() && law2[i].is_zero()) continue;
    Ratio<Dyadic> ratio(law1[i], law2[i]);
    if (pair.outputs == 0 || ratio > worst_ratio) {
      worst = i;
      worst_ratio = std::move(ratio);
    }
    ++pair.outputs;
  }
  pair.worst = {outputs[worst], law1[worst].to_rational(), law2[worst].to_rational()};
  return pair;
}

Ball excess_in_eta(const FloatMechanism& mechanism, const PairLoss& pair, int precision) {
  const Rational distance = abs(pair.x1 - pair.x2);
  const Ball ideal(distance / mechanism.scale(), precision);
  const Ball units(Rational::two_to(mechanism.model().precision), precision);
  return (pair.worst.loss(precision) - ideal) * units;
}

}  // namespace lastbit::verify
