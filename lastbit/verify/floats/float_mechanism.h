// FloatMechanism: a Laplace mechanism in floating point as an object of study.
//
// The default is the mechanism that ships: it calls SnappingFunction, as `lastbit snap --precision`
// does, and differs from a release only in where u comes from. Each of the other models changes one
// thing: how u is drawn, how the sum is put on the grid, how fine the grid is, or whether there is
// one at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lastbit/mechanisms/snapping_function.h"
#include "lastbit/numerics/float.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::verify {

// UniformModel: where u comes from. Pr[u < t] = t for every value t that u can take, except the
// smallest; only for a grid value is it smaller, by 2^−p.
enum class UniformModel {
  kUnitFloat,  // 1.m · 2^−e with p − 1 fair bits m and geometric e ≥ 1; no smallest value
  kDouble,     // the same as binary64 holds it, p = 53: spacing 2^−1074 below 2^−1022; what would
               // be 0 is the smallest double
  kNormalDouble,  // the same without subnormal numbers: anything below 2^−1022 is 2^−1022
  kFewerBits,     // a unit float of fewer bits than the arithmetic has
  kGrid,          // a multiple of 2^−p: k/2^p for k = 1 … 2^p, equally likely
};

// GridRounding: how the rounded sum is put on the grid.
enum class GridRounding {
  kHalfUp,      // to nearest, ties toward +∞: what ships
  kHalfEven,    // to nearest, ties to the even multiple
  kTowardZero,  // truncation
  kHalfAdded,   // ⌊sum/Λ ⊕ ½⌋ with a rounded sum
  kNone,        // no grid and no final clamp: the sum itself, the naive Laplace mechanism
};

struct FloatModel {
  Rational scale = 1;       // λ, a float of p bits
  Rational half_width = 0;  // B
  int precision = 53;       // p
  UniformModel uniform = UniformModel::kUnitFloat;
  std::optional<int> uniform_bits = std::nullopt;  // kFewerBits only
  GridRounding rounding = GridRounding::kHalfUp;
  std::optional<Grid> grid = std::nullopt;  // the smallest power of two ≥ λ unless given
};

// Requires  checked: 2 ≤ precision ≤ kMaxPrecision; λ a positive float of that many bits; B > 0;
//           kDouble and kNormalDouble only with precision 53; uniform_bits in [2, precision], with
//           kFewerBits and only then; else kBadParameter.
// Proof     proofs/loss.md#models
class FloatMechanism {
 public:
  static constexpr int kMaxPrecision = 4096;

  explicit FloatMechanism(FloatModel model);
  // The mechanism that runs this function, such as Snapping::function(): u is a unit float.
  explicit FloatMechanism(const SnappingFunction& function);

  const FloatModel& model() const { return model_; }
  const SnappingFunction& function() const { return function_; }
  Rational scale() const { return model_.scale; }
  const Rational& half_width() const { return model_.half_width; }
  const Grid& grid() const { return function_.grid(); }
  // has_grid: whether there are finitely many outputs.
  bool has_grid() const { return model_.rounding != GridRounding::kNone; }

  // output: what a release gives for the input x, the sign and u. Increasing in x; for sign = 1
  // increasing in u, for sign = −1 decreasing. Fails as SnappingFunction::noise.
  Rational output(const Rational& x, int sign, const Float& u) const;
  // finished: what happens to the exact sum of clamped input and noise; increasing.
  Rational finished(const Rational& sum) const;

 private:
  FloatModel model_;
  SnappingFunction function_;
};

// name_of, from_name: the names used on the command line, such as "unit-float" and "half-up"; an
// unknown one is a kBadParameter Error that lists the known ones.
std::string_view name_of(UniformModel model);
std::string_view name_of(GridRounding rounding);
UniformModel uniform_model(std::string_view name);
GridRounding grid_rounding(std::string_view name);

}  // namespace lastbit::verify
