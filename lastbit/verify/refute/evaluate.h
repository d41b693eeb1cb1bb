// Evaluates expressions where inputs are known and noise is not.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "lastbit/verify/logic/program.h"
#include "lastbit/verify/refute/linear_form.h"
#include "lastbit/verify/refute/real.h"

namespace lastbit::verify::refutation {

// The value of an expression: a linear form in noise, or a real number that is not a fraction.
struct Value {
  LinearForm form;
  std::optional<Real> irrational;

  static Value of(Rational number) { return {{std::move(number), {}}, std::nullopt}; }
  static Value of(LinearForm form) { return {std::move(form), std::nullopt}; }
  static Value of(const Real& real);
  // real: the number; noise in it is a kNotSupported Error.
  Real real() const;
  // rational: the number, if it is a fraction; anything else is a kNotSupported Error.
  const Rational& rational() const;
};

// Decisions: the code that evaluates an expression with noise in it decides here which branch is
// taken.
class Decisions {
 public:
  virtual ~Decisions() = default;
  // holds: whether the condition, which has noise in it, is true in this run.
  virtual bool holds(const HalfSpace& condition) = 0;
  // step: ⌊form⌋ as a new noise.
  virtual LinearForm step(const LinearForm& form) = 0;
  // logarithm: −ln of a form that is a uniform draw, as a new noise.
  virtual LinearForm minus_logarithm(const LinearForm& form) = 0;
  // has_density: the form takes every single value with probability 0.
  virtual bool has_density(const LinearForm& form) const = 0;
};

// Lookup: the value of a variable or of a list entry, given the expression and, for entries, the
// index.
using Lookup = std::function<Value(const Expression&, const std::optional<Rational>& index)>;

class Evaluator {
 public:
  // Without decisions, noise is a kNotSupported Error.
  explicit Evaluator(Lookup lookup, Decisions* decisions = nullptr)
      : lookup_(std::move(lookup)), decisions_(decisions) {}

  // Truth values are 0 and 1. An impossible operation is an ImpossibleOperation; one whose result
  // is not a linear form is another kNotSupported Error. Proof: proofs/refutation.md#paths
  Value value(const Expression& expression);
  bool truth(const Expression& expression);

 private:
  Value value_of(const Expression& expression);
  Value leaf(const Expression& expression);
  Value arithmetic(const Expression& expression);
  Value selection(const Expression& expression);
  Value rounded(const Expression& expression);
  Value transcendental(const Expression& expression);
  Value floor_of(const Value& value);
  bool truth_of(const Expression& expression);
  bool less(const Value& a, const Value& b, bool strict);
  bool equal(const Value& a, const Value& b);
  Decisions& decisions();

  Lookup lookup_;
  Decisions* decisions_;
  int depth_ = 0;
};

}  // namespace lastbit::verify::refutation
