#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "lastbit/verify/floats/rounding/formula.h"

namespace lastbit::verify {
namespace {

// How tightly a text binds: a sum, a product, something that needs no parentheses.
enum Level { kSum = 1, kProduct = 2, kAtom = 3 };

struct Text {
  std::string text;
  Level level;
};

// Notation: the four ways to write a formula.
struct Notation {
  bool is_float;
  bool is_latex;

  std::string_view sign(FormulaKind kind) const {
    switch (kind) {
      case FormulaKind::kAdd:
        return is_latex ? (is_float ? "\\oplus " : "+") : (is_float ? "⊕" : "+");
      case FormulaKind::kSubtract:
        return is_latex ? (is_float ? "\\ominus " : "-") : (is_float ? "⊖" : "-");
      case FormulaKind::kMultiply:
        return is_latex ? (is_float ? "\\otimes " : "\\times ") : (is_float ? "⊗" : "×");
      default:
        return is_latex ? (is_float ? "\\oslash " : "\\div ") : (is_float ? "⊘" : "÷");
    }
  }

  std::string function(std::string_view name) const {
    if (!is_latex) return std::string(name);
    if (name == "ln" || name == "min" || name == "max") return fmt::format("\\{}", name);
    return fmt::format("\\mathrm{{{}}}", name);
  }

  std::string eta(std::string_view factor) const {
    return fmt::format("(1+{}{})", factor, is_latex ? "\\eta" : "η");
  }
};

std::string latex_name(const std::string& name) {
  constexpr std::array<std::string_view, 8> kGreek = {"alpha",  "beta", "gamma", "delta",
                                                      "lambda", "mu",   "rho",   "sigma"};
  if (name == "epsilon" || name == "eps") return "\\varepsilon";
  if (std::ranges::find(kGreek, name) != kGreek.end()) return "\\" + name;
  std::string escaped;
  for (const char c : name) escaped += c == '_' ? std::string("\\_") : std::string(1, c);
  return name.size() == 1 ? name : fmt::format("\\mathit{{{}}}", escaped);
}

class Printer {
 public:
  explicit Printer(Notation notation) : notation_(notation) {}

  std::string run(const Formula& formula) const {
    if (formula.size() > kMaxShown) return notation_.is_latex ? "\\ldots" : "…";
    return text(formula).text;
  }

 private:
  // The formula, in parentheses unless it binds at least as tightly as asked.
  std::string at(const Formula& formula, Level level) const {
    Text shown = text(formula);
    if (shown.level >= level) return std::move(shown.text);
    return parenthesised(shown.text);
  }

  std::string parenthesised(const std::string& text) const {
    return notation_.is_latex ? fmt::format("\\left({}\\right)", text) : fmt::format("({})", text);
  }

  Text text(const Formula& formula) const {
    switch (formula.kind()) {
      case FormulaKind::kNumber:
        return number(formula.number());
      case FormulaKind::kVariable:
        return variable(formula);
      case FormulaKind::kUniform:
        return {notation_.is_float ? "u" : "U", kAtom};
      case FormulaKind::kAdd:
      case FormulaKind::kSubtract:
        return joined(formula, kSum, kProduct);
      case FormulaKind::kMultiply:
      case FormulaKind::kDivide:
        return joined(formula, kProduct, kAtom);
      case FormulaKind::kNegate:
        return {"-" + at(formula.operand(), kProduct), kSum};
      case FormulaKind::kScaled:
        return product(at(formula.operand(), kAtom), formula.error_power(), formula.grain_power());
      case FormulaKind::kLower:
      case FormulaKind::kUpper:
        return either(formula);
      case FormulaKind::kExp:
        if (notation_.is_latex) return {fmt::format("e^{{{}}}", inner(formula)), kAtom};
        [[fallthrough]];
      default:
        return call(formula);
    }
  }

  std::string inner(const Formula& formula) const { return text(formula.operand()).text; }

  Text number(const Rational& value) const {
    const std::string text =
        notation_.is_latex && !value.is_integer()
            ? fmt::format("{}\\frac{{{}}}{{{}}}", value.sign() < 0 ? "-" : "",
                          abs(value).numerator().to_string(), value.denominator().to_string())
            : value.to_string();
    if (value.sign() < 0) return {text, kSum};
    return {text, text.find('/') == std::string::npos ? kAtom : kProduct};
  }

  Text variable(const Formula& formula) const {
    const std::string name = notation_.is_latex ? latex_name(formula.name()) : formula.name();
    if (!notation_.is_float || formula.is_exact()) return {name, kAtom};
    return {fmt::format("{}({})", notation_.function("fl"), name), kAtom};
  }

  Text joined(const Formula& formula, Level level, Level right) const {
    const std::string_view gap = notation_.is_latex ? "" : " ";
    // A product at the right of a product keeps its parentheses: rounding is not associative.
    return {fmt::format("{}{}{}{}{}", at(formula.operand(0), level), gap,
                        notation_.sign(formula.kind()), gap, at(formula.operand(1), right)),
            level};
  }

  std::string power(std::string_view factor, int exponent) const {
    if (exponent == 1) return notation_.eta(factor);
    if (!notation_.is_latex) return fmt::format("{}^{}", notation_.eta(factor), exponent);
    return fmt::format("{}^{{{}}}", notation_.eta(factor), exponent);
  }

  // `text` times (1+η)^error_power times (1+2η)^grain_power.
  Text product(std::string text, int error_power, int grain_power) const {
    if (error_power > 0) text += power("", error_power);
    if (grain_power > 0) text += power("2", grain_power);
    if (error_power < 0) text += "/" + power("", -error_power);
    if (grain_power < 0) text += "/" + power("2", -grain_power);
    return {std::move(text), kProduct};
  }

  Text either(const Formula& formula) const {
    const std::string operand = at(formula.operand(), kAtom);
    const int exponent = formula.error_power();
    return {fmt::format("{}({}, {})",
                        notation_.function(formula.kind() == FormulaKind::kLower ? "min" : "max"),
                        product(operand, exponent, 0).text, product(operand, -exponent, 0).text),
            kAtom};
  }

  Text call(const Formula& formula) const {
    std::string arguments = inner(formula);
    if (formula.operands().size() == 2) arguments += ", " + text(formula.operand(1)).text;
    if (formula.kind() == FormulaKind::kRound || formula.kind() == FormulaKind::kClamp) {
      arguments += ", " + number(formula.number()).text;
    }
    return {notation_.function(name(formula.kind())) +
                (notation_.is_latex ? parenthesised(arguments) : fmt::format("({})", arguments)),
            kAtom};
  }

  std::string_view name(FormulaKind kind) const {
    switch (kind) {
      case FormulaKind::kLn:
        return notation_.is_float ? "LN" : "ln";
      case FormulaKind::kRound:
        return "round";
      case FormulaKind::kClamp:
        return "clamp";
      case FormulaKind::kMin:
        return "min";
      case FormulaKind::kMax:
        return "max";
      default:
        return "exp";
    }
  }

  Notation notation_;
};

}  // namespace

std::string real_text(const Formula& formula) { return Printer({false, false}).run(formula); }
std::string float_text(const Formula& formula) { return Printer({true, false}).run(formula); }
std::string latex_real(const Formula& formula) { return Printer({false, true}).run(formula); }
std::string latex_float(const Formula& formula) { return Printer({true, true}).run(formula); }

}  // namespace lastbit::verify
