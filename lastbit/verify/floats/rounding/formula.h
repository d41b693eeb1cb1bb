// Formulas: expressions over the reals, which are also read as floating-point programs, and the
// bounds that the semantics derives for them.
//
// The syntax of programs: numbers, variables, the uniform U, + − × ÷, negation, ln, rounding to the
// multiples of a power of two (ties up), clamping. Bounds use in addition exp, min, max and powers
// of (1 + η) and (1 + 2η), where η = 2^−p for p-bit floats.
//
// Guarantee      formulas are immutable values; copies share their nodes. The functions below may
//                simplify, only by identities of real numbers (proofs/rounding.md#formulas).
// Fails          a formula nested deeper than kMaxDepth is a kNotSupported Error.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "lastbit/numerics/rational.h"

namespace lastbit::verify {

enum class FormulaKind {
  kNumber,
  kVariable,
  kUniform,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kNegate,
  kLn,
  kRound,  // nearest multiple of `number`, a power of two; ties toward +∞
  kClamp,  // to [−number, number]
  // In bounds only.
  kExp,
  kMin,
  kMax,
  kScaled,  // operand · (1+η)^error_power · (1+2η)^grain_power
  kLower,   // min(operand·(1+η)^error_power, operand/(1+η)^error_power)
  kUpper,   // max of the same
};

class Formula {
 public:
  static constexpr int kMaxDepth = 2'000;
  // The largest value of size(): formulas that share nodes can be far larger than the memory they
  // take.
  static constexpr std::size_t kMaxSize = 1'000'000;

  struct Node {
    FormulaKind kind = FormulaKind::kNumber;
    Rational number = {};  // kNumber; the spacing of kRound; the bound of kClamp
    std::string name = {};
    bool is_exact = false;  // a variable whose float is the number itself
    int error_power = 0;
    int grain_power = 0;
    std::vector<Formula> operands = {};
    int depth = 1;
    std::size_t size = 1;
  };

  // number: in a program it stands for the nearest float.
  static Formula number(const Rational& value);
  // exact, real: a variable that is a float already, and one that is rounded to the nearest float
  // first. The name is an identifier other than U, u and eta, else a kBadParameter Error.
  static Formula exact(const std::string& name);
  static Formula real(const std::string& name);
  // uniform: the one U, uniform on (0, 1). Its float is U truncated to p bits.
  static Formula uniform();

  FormulaKind kind() const { return node_->kind; }
  const Rational& number() const { return node_->number; }
  const std::string& name() const { return node_->name; }
  bool is_exact() const { return node_->is_exact; }
  int error_power() const { return node_->error_power; }
  int grain_power() const { return node_->grain_power; }
  const std::vector<Formula>& operands() const { return node_->operands; }
  const Formula& operand(std::size_t index = 0) const { return node_->operands[index]; }
  int depth() const { return node_->depth; }
  // size: nodes when written out, at most kMaxSize.
  std::size_t size() const { return node_->size; }
  // identity: equal for copies of one formula; a key for remembering what was computed.
  const Node* identity() const { return node_.get(); }

  // Equal as written, not as functions.
  friend bool operator==(const Formula& a, const Formula& b);

  // of: the node itself, nothing simplified. Used by the functions below.
  static Formula of(Node node);

 private:
  explicit Formula(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  std::shared_ptr<const Node> node_;
};

Formula operator+(const Formula& a, const Formula& b);
Formula operator-(const Formula& a, const Formula& b);
// Products and quotients pull powers of (1 + η) to the front.
Formula operator*(const Formula& a, const Formula& b);
Formula operator/(const Formula& a, const Formula& b);
Formula operator-(const Formula& a);
Formula ln(const Formula& a);
Formula exp(const Formula& a);
// round_to: a spacing other than a power of two within 2^±Grid::kMaxExponent is a kBadParameter
// Error.
Formula round_to(const Formula& a, const Rational& spacing);
// clamp_to: to [−bound, bound]; a bound that is not positive is a kBadParameter Error.
Formula clamp_to(const Formula& a, const Rational& bound);
Formula min(const Formula& a, const Formula& b);
Formula max(const Formula& a, const Formula& b);
// scaled: a·(1+η)^error_power·(1+2η)^grain_power; lower, upper: see FormulaKind, error_power ≥ 0.
Formula scaled(const Formula& a, int error_power, int grain_power = 0);
Formula lower(const Formula& a, int error_power);
Formula upper(const Formula& a, int error_power);

// count_uniform: how often U occurs, counted up to 2.
int count_uniform(const Formula& formula);

// real_text, float_text: f + lambda × ln(U) and f ⊕ lambda ⊗ LN(u), in UTF-8. latex_real,
// latex_float: the same in LaTeX math. A formula of more than kMaxShown nodes is shown as an
// ellipsis: nobody would read it, and the rule and its premises say what it is.
inline constexpr std::size_t kMaxShown = 60;
std::string real_text(const Formula& formula);
std::string float_text(const Formula& formula);
std::string latex_real(const Formula& formula);
std::string latex_float(const Formula& formula);

// snapping_formula: f + sign × (lambda × ln(U)), the snapping mechanism before rounding to the grid
// and clamping; its float is f ⊕ sign ⊗ (lambda ⊗ LN(u)). f and lambda are floats. A sign other
// than ±1 is a kBadParameter Error.
Formula snapping_formula(int sign);

}  // namespace lastbit::verify
