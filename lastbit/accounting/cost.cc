#include "lastbit/accounting/cost.h"

#include <algorithm>
#include <utility>

namespace lastbit {
namespace {

constexpr std::string_view kEpsilon = "epsilon ";
constexpr std::string_view kDelta = ", delta ";
constexpr std::string_view kRho = "rho ";

void require_loss(const char* name, const Rational& value) {
  if (value.sign() < 0) {
    throw Error::bad_parameter("cost", name, "is negative", "give a number that is 0 or more");
  }
  const std::size_t bits =
      std::max(value.numerator().bit_length(), value.denominator().bit_length());
  if (bits > Cost::kMaxBits) {
    throw Error::bad_parameter("cost", name, "is a fraction of more than 65536 bits",
                               "use costs with few digits, such as decimals");
  }
}

const Rational& finite(const char* name, const Distance& loss) {
  if (loss.is_infinite()) {
    throw Error::bad_parameter("cost_of", name, "is infinite",
                               "only releases with a finite loss can be paid for");
  }
  return loss.value();
}

[[noreturn]] void refuse_kind(const char* problem, const char* remedy) {
  throw Error(ErrorCode::kMismatch, "budget", problem, remedy);
}

Error lacks(const char* number) {
  return Error(ErrorCode::kNotSupported, "cost", std::string("this kind of cost has no ") + number,
               "ask for kind() first");
}

}  // namespace

Cost::Cost(LossKind kind, const Rational& loss, const Rational& delta)
    : kind_(kind), loss_(loss), delta_(delta) {
  require_loss(kind == LossKind::kConcentrated ? "rho" : "epsilon", loss_);
  require_loss("delta", delta_);
  if (delta_ >= Rational(1)) {
    throw Error::bad_parameter("cost", "delta", "is 1 or more, which would allow anything",
                               "give a small probability");
  }
}

Cost Cost::pure(const Rational& epsilon) { return {LossKind::kPure, epsilon, 0}; }
Cost Cost::approximate(const Rational& epsilon, const Rational& delta) {
  return {LossKind::kApproximate, epsilon, delta};
}
Cost Cost::concentrated(const Rational& rho, const Rational& delta) {
  return {LossKind::kConcentrated, rho, delta};
}

Cost Cost::parse(std::string_view text) {
  const auto refuse = [] {
    throw Error(ErrorCode::kBadText, "cost", "is not an exact cost in the form of Cost::to_string",
                "write it as in `epsilon 0.5`, `epsilon 1, delta 0.001`, `rho 1/3` or `rho 1/3, "
                "delta 0.001`");
  };
  const auto read = [&]() -> Cost {
    const bool in_rho = text.starts_with(kRho);
    if (!in_rho && !text.starts_with(kEpsilon)) refuse();
    const std::string_view numbers = text.substr((in_rho ? kRho : kEpsilon).size());
    const std::size_t comma = numbers.find(kDelta);
    const Rational loss = Rational::parse(numbers.substr(0, comma));
    if (comma == std::string_view::npos) return in_rho ? concentrated(loss) : pure(loss);
    const Rational delta = Rational::parse(numbers.substr(comma + kDelta.size()));
    return in_rho ? concentrated(loss, delta) : approximate(loss, delta);
  };
  Cost cost = read();
  // Each cost has exactly one text; otherwise a hash of texts would not be a hash of costs.
  if (cost.to_string() != text) refuse();
  return cost;
}

const Rational& Cost::epsilon() const {
  if (kind_ == LossKind::kConcentrated) throw lacks("epsilon");
  return loss_;
}
const Rational& Cost::delta() const { return delta_; }
const Rational& Cost::rho() const {
  if (kind_ != LossKind::kConcentrated) throw lacks("rho");
  return loss_;
}

std::string Cost::to_string() const {
  std::string text(kind_ == LossKind::kConcentrated ? kRho : kEpsilon);
  text += loss_.to_string();
  const bool has_delta = kind_ == LossKind::kApproximate || delta_.sign() > 0;
  if (has_delta) text.append(kDelta).append(delta_.to_string());
  return text;
}

Cost cost_of(const MaxDivergence& /*measure*/, const Distance& epsilon) {
  return Cost::pure(finite("epsilon", epsilon));
}
Cost cost_of(const SmoothedMaxDivergence& /*measure*/, const PrivacyLoss& loss) {
  return Cost::approximate(finite("epsilon", loss.epsilon()), loss.delta());
}
Cost cost_of(const ZeroConcentratedDivergence& /*measure*/, const Distance& rho) {
  return Cost::concentrated(finite("rho", rho));
}

Cost cost_of(const ApproximateConcentratedDivergence& /*measure*/, const ConcentratedLoss& loss) {
  return Cost::concentrated(finite("rho", loss.rho()), loss.delta());
}

Budget::Budget(Cost cap) : cap_(std::move(cap)) {
  const bool in_rho = cap_.kind() == LossKind::kConcentrated;
  if ((in_rho ? cap_.rho() : cap_.epsilon()).sign() > 0) return;
  throw Error::bad_parameter("budget", in_rho ? "rho" : "epsilon",
                             "is 0, so nothing could be spent", "give a positive number");
}

Cost Budget::none() const {
  switch (kind()) {
    case LossKind::kPure:
      return Cost::pure(0);
    case LossKind::kApproximate:
      return Cost::approximate(0, 0);
    case LossKind::kConcentrated:
      break;
  }
  return Cost::concentrated(0);
}

Cost Budget::price(const Cost& cost) const {
  const bool in_rho = cost.kind() == LossKind::kConcentrated;
  switch (kind()) {
    case LossKind::kPure:
      if (in_rho) {
        refuse_kind("a cost in rho has no finite epsilon",
                    "use a budget in rho, or convert it and use a budget in epsilon and delta");
      }
      if (cost.delta().sign() > 0) {
        refuse_kind("a cost with a delta cannot be paid from a budget in epsilon alone",
                    "use a budget in epsilon and delta");
      }
      return Cost::pure(cost.epsilon());
    case LossKind::kApproximate:
      if (in_rho) {
        refuse_kind("a cost in rho cannot be paid from a budget in epsilon and delta as it is",
                    "convert it with approximate_epsilon for a delta of your choice");
      }
      return Cost::approximate(cost.epsilon(), cost.delta());
    case LossKind::kConcentrated:
      break;
  }
  if (cost.delta().sign() > 0 && cap_.delta().sign() == 0) {
    refuse_kind("a cost with a delta cannot be paid from a budget in rho alone",
                "use a budget in rho and delta, or in epsilon and delta");
  }
  if (in_rho) return cost;
  return Cost::concentrated(cost.epsilon() * cost.epsilon() / Rational(2), cost.delta());
}

std::optional<Cost> Budget::after(const Cost& spent, const Cost& cost) const {
  if (spent.kind() != kind()) {
    refuse_kind("what was spent is counted in another kind than the cap", "start from none()");
  }
  const Cost added = price(cost);
  const Rational delta = spent.delta() + added.delta();
  if (delta > cap_.delta()) return std::nullopt;
  if (kind() == LossKind::kConcentrated) {
    const Rational rho = spent.rho() + added.rho();
    return rho <= cap_.rho() ? std::optional(Cost::concentrated(rho, delta)) : std::nullopt;
  }
  const Rational epsilon = spent.epsilon() + added.epsilon();
  if (epsilon > cap_.epsilon()) return std::nullopt;
  return kind() == LossKind::kPure ? Cost::pure(epsilon) : Cost::approximate(epsilon, delta);
}

Cost Budget::left(const Cost& spent) const {
  invariant(spent.kind() == kind(), "what was spent is of the kind of the cap");
  invariant(spent.delta() <= cap_.delta(), "no more was spent than the cap");
  const Rational delta = cap_.delta() - spent.delta();
  if (kind() == LossKind::kConcentrated) {
    invariant(spent.rho() <= cap_.rho(), "no more was spent than the cap");
    return Cost::concentrated(cap_.rho() - spent.rho(), delta);
  }
  invariant(spent.epsilon() <= cap_.epsilon(), "no more was spent than the cap");
  const Rational epsilon = cap_.epsilon() - spent.epsilon();
  return kind() == LossKind::kPure ? Cost::pure(epsilon) : Cost::approximate(epsilon, delta);
}

}  // namespace lastbit
