#include "lastbit/verify/floats/rounding/gappa.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/verify/floats/rounding/semantics.h"

namespace lastbit::verify {
namespace {

// Far below every range in question, so that Gappa's floats have practically all exponents.
constexpr int kLeastExponent = -10'000;
constexpr int kRangeBits = 256;
constexpr int kClaimBits = 64;

Error not_supported(const std::string& problem) {
  return Error(ErrorCode::kNotSupported, "gappa_script", problem,
               "give finite ranges, away from 0 under a logarithm, and no grid or clamp");
}

// A number as Gappa reads it, rounded in the safe direction.
std::string gappa_number(const Rational& value, Rounding rounding, int bits = kClaimBits) {
  return Float::from(value, FloatFormat::unbounded(bits), rounding).to_string();
}

Rational range_end(const Rational& value, Rounding rounding) {
  return Float::from(value, FloatFormat::unbounded(kRangeBits), rounding).to_rational();
}

Extent rounded_outward(const std::string& name, const Extent& range) {
  if (!range.is_finite()) throw not_supported(fmt::format("the range of {} is not finite", name));
  return Extent::between(range_end(range.low.value, Rounding::kDown),
                         range_end(range.high.value, Rounding::kUp));
}

// The largest and the smallest magnitude of an extent.
Rational largest(const Extent& extent) {
  return std::max(abs(extent.low.value), abs(extent.high.value));
}
Rational smallest(const Extent& extent) {
  return std::min(abs(extent.low.value), abs(extent.high.value));
}

// Replaces logarithms by real variables ln1, ln2, … that range over what the logarithm may be.
class LogarithmRemover {
 public:
  LogarithmRemover(Ranges ranges, const FloatFormat& format)
      : ranges_(std::move(ranges)), format_(format) {}

  Formula without(const Formula& formula) {
    if (formula.kind() == FormulaKind::kLn) return variable_for(formula);
    if (formula.operands().empty()) return formula;
    Formula::Node node = *formula.identity();
    for (Formula& operand : node.operands) operand = without(operand);
    return Formula::of(std::move(node));
  }

  const Ranges& ranges() const { return ranges_; }

 private:
  Formula variable_for(const Formula& logarithm) {
    const RoundingDerivation argument = derive_rounding(logarithm.operand(), ranges_, format_);
    Extents extents(ranges_, format_);
    const Extent range = {extents.of(ln(argument.root.bounds.low)).low,
                          extents.of(ln(argument.root.bounds.high)).high};
    std::string name;
    do {
      name = fmt::format("ln{}", ++count_);
    } while (ranges_.contains(name));
    ranges_[name] = rounded_outward(real_text(logarithm), range);
    return Formula::real(name);
  }

  Ranges ranges_;
  FloatFormat format_;
  int count_ = 0;
};

class Writer {
 public:
  Writer(const FloatFormat& format, const Rational& share)
      : format_(format), eta_(Rational::two_to(-format.precision())), share_(share) {}

  std::string run(const RoundingDerivation& derivation) {
    const Written root = write(derivation.root);
    const Extent& extent = derivation.root.extent;
    if (!is_relative(derivation.root)) {
      claim(fmt::format("{} - {}", root.computed, root.real), root.distance);
    }
    claims_.push_back(fmt::format("{} in [{}, {}]", root.computed,
                                  gappa_number(extent.low.value, Rounding::kDown),
                                  gappa_number(extent.high.value, Rounding::kUp)));
    constexpr std::string_view kAnd = "\n  /\\ ";
    const std::vector<std::string> known = hypotheses(derivation.ranges);
    return fmt::format(
        "# What rounding does to {}: x is computed, r is exact.\n"
        "@rnd = float<{}, {}, ne>;\n@trunc = float<{}, {}, zr>;\n\n{}\n{{ {}{}{} }}\n",
        real_text(derivation.root.real), format_.precision(), kLeastExponent, format_.precision(),
        kLeastExponent, definitions_, fmt::join(known, kAnd), known.empty() ? "" : "\n  -> ",
        fmt::join(claims_, kAnd));
  }

 private:
  // A step in the script: the names of its float and its real value, and how far apart they are.
  struct Written {
    std::string computed;
    std::string real;
    Rational distance;
  };

  struct Known {
    Formula formula;
    Written written;
  };

  // Where the variables of the expression lie; Gappa would warn about others.
  std::vector<std::string> hypotheses(const Ranges& ranges) const {
    std::vector<std::string> result;
    for (const auto& [name, range] : ranges) {
      if (!used_.contains(name)) continue;
      result.push_back(fmt::format("{} in [{}, {}]", variable(name),
                                   gappa_number(range.low.value, Rounding::kDown, kRangeBits),
                                   gappa_number(range.high.value, Rounding::kUp, kRangeBits)));
    }
    return result;
  }

  static std::string variable(const std::string& name) { return "v_" + name; }

  // A part that occurs twice is computed once: Gappa should know that both are equal.
  Written write(const RoundingStep& step) {
    const auto known = std::ranges::find(written_, step.real, &Known::formula);
    if (known != written_.end()) return known->written;
    std::vector<Written> operands;
    operands.reserve(step.premises.size());
    for (const RoundingStep& premise : step.premises) operands.push_back(write(premise));
    if (!step.extent.is_finite()) {
      throw not_supported(fmt::format("the bounds of {} are not finite", real_text(step.real)));
    }
    const Texts texts = expressions(step, operands);
    const Written written = {defined("x", texts.computed), defined("r", texts.real),
                             distance(step, operands)};
    if (const std::optional<int> power = relative_power(step)) {
      const Rational bound = signed_power(Rational(1) + eta_, *power) - Rational(1);
      claim(fmt::format("{} -/ {}", written.computed, written.real), bound);
    }
    written_.push_back({step.real, written});
    return written;
  }

  // A name for a computed value; variables and numbers need none.
  std::string defined(std::string_view letter, const std::string& text) {
    const bool is_leaf = text.find_first_of("( ") == std::string::npos;
    if (is_leaf) return text.starts_with('-') ? fmt::format("({})", text) : text;
    std::string name = fmt::format("{}{}", letter, ++count_);
    definitions_ += fmt::format("{} = {};\n", name, text);
    return name;
  }

  void claim(const std::string& what, const Rational& bound) {
    const std::string number = gappa_number(bound * share_, Rounding::kUp);
    claims_.push_back(fmt::format("{} in [-{}, {}]", what, number, number));
  }

  struct Texts {
    std::string computed;
    std::string real;
  };

  Texts expressions(const RoundingStep& step, const std::vector<Written>& operands) {
    const auto joined = [&](char sign) {
      const std::string computed =
          fmt::format("{} {} {}", operands[0].computed, sign, operands[1].computed);
      return Texts{step.rule == RoundingRule::kOp ? fmt::format("rnd({})", computed) : computed,
                   fmt::format("{} {} {}", operands[0].real, sign, operands[1].real)};
    };
    switch (step.real.kind()) {
      case FormulaKind::kNumber: {
        const Rational& number = step.real.number();
        const std::string text = number.is_integer()
                                     ? number.to_string()
                                     : fmt::format("{} / {}", number.numerator().to_string(),
                                                   number.denominator().to_string());
        return {step.rule == RoundingRule::kExact ? text : fmt::format("rnd({})", text), text};
      }
      case FormulaKind::kVariable: {
        used_.insert(step.real.name());
        const std::string name = variable(step.real.name());
        return {step.rule == RoundingRule::kExact ? name : fmt::format("rnd({})", name), name};
      }
      case FormulaKind::kUniform:
        used_.insert("U");
        return {fmt::format("trunc({})", variable("U")), variable("U")};
      case FormulaKind::kAdd:
        return joined('+');
      case FormulaKind::kSubtract:
        return joined('-');
      case FormulaKind::kMultiply:
        return joined('*');
      case FormulaKind::kDivide:
        return joined('/');
      case FormulaKind::kNegate:
        return {"-" + operands[0].computed, "-" + operands[0].real};
      default:
        throw not_supported(fmt::format("Gappa is not told about {}", real_text(step.real)));
    }
  }

  // How far the float may lie from the real value. Proof: proofs/rounding.md#gappa
  Rational distance(const RoundingStep& step, const std::vector<Written>& operands) const {
    const auto magnitude = [&](std::size_t i) { return largest(step.premises[i].extent); };
    const auto far = [&](std::size_t i) { return operands[i].distance; };
    const Rational rounding = eta_ * largest(step.extent);
    const bool is_rounded = step.rule == RoundingRule::kOp || step.rule == RoundingRule::kConst ||
                            step.rule == RoundingRule::kVar;
    Rational result = is_rounded ? rounding : Rational(0);
    switch (step.real.kind()) {
      case FormulaKind::kUniform:
        return Rational(2) * rounding;
      case FormulaKind::kAdd:
      case FormulaKind::kSubtract:
        return result + far(0) + far(1);
      case FormulaKind::kMultiply:
        return result + magnitude(0) * far(1) + magnitude(1) * far(0);
      case FormulaKind::kDivide: {
        const Rational divisor = smallest(step.premises[1].extent);
        return result + far(0) / divisor + magnitude(0) * far(1) / (divisor * divisor);
      }
      case FormulaKind::kNegate:
        return far(0);
      default:
        return result;
    }
  }

  // k, if the step is rounded and its bounds are its real value times (1+η)^±k, which is not 0.
  static std::optional<int> relative_power(const RoundingStep& step) {
    const Formula& low = step.bounds.low;
    const Formula& high = step.bounds.high;
    const bool is_scaled = low.kind() == FormulaKind::kScaled &&
                           high.kind() == FormulaKind::kScaled && low.operand() == step.real &&
                           high.operand() == step.real && low.grain_power() == 0 &&
                           high.grain_power() == 0;
    const bool is_away_from_zero = step.extent.is_positive() || step.extent.is_negative();
    if (!is_scaled || !is_away_from_zero) return std::nullopt;
    return std::max(low.error_power(), high.error_power());
  }
  static bool is_relative(const RoundingStep& step) { return relative_power(step).has_value(); }

  FloatFormat format_;
  Rational eta_;
  Rational share_;
  int count_ = 0;
  std::string definitions_;
  std::vector<std::string> claims_;
  std::set<std::string> used_;
  std::vector<Known> written_;
};

}  // namespace

std::string gappa_script(const Formula& formula, const Ranges& ranges, const FloatFormat& format,
                         const Rational& share) {
  if (share.sign() <= 0) {
    throw Error::bad_parameter("gappa_script", "share", "is not positive",
                               "give 1, or a share of it");
  }
  check_derivable_size(formula);
  Ranges outward;
  for (const auto& [name, range] : ranges) outward[name] = rounded_outward(name, range);
  LogarithmRemover remover(outward, format);
  const Formula algebraic = remover.without(formula);
  return Writer(format, share).run(derive_rounding(algebraic, remover.ranges(), format));
}

}  // namespace lastbit::verify
