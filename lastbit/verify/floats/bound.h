// A proved bound on the privacy loss of the snapping mechanism in floating point, computed for the
// parameters at hand.
//
// The linear bound (|x − x′| + 18·B·η)/λ + 14·η holds for all parameters and is what a release
// charges. This one looks closer: at the floats' actual spacing at the largest distance, at the
// actual width of a cell in units of λ, and at whether the inputs lie on a grid, as counts do. It
// gives a bound for each place an output can have relative to the two inputs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/float_mechanism.h"

namespace lastbit::verify {

struct BoundParameters {
  Rational scale = 1;        // λ, a float of p bits
  Rational half_width = 0;   // B
  Rational sensitivity = 1;  // Δ: inputs are at most this far apart
  int precision = 53;        // p
  // Inputs are multiples of this number, as counts are of 1; B must be one too. A rounded product
  // then moves by what the input moves, which leaves less to charge.
  std::optional<Rational> input_grid = std::nullopt;
};

// bound_parameters: those of a mechanism, for inputs at most `sensitivity` apart.
BoundParameters bound_parameters(const FloatModel& model, const Rational& sensitivity);

// OutputCase: where an output lies, seen from the two inputs.
enum class OutputCase {
  kBound,       // the output is −B or B
  kBeyondBoth,  // its cell lies below both inputs, or above both
  kBetween,     // strictly between them
  kAtOne,       // one input lies in it: the output is that input, rounded
  kAtBoth,      // both do
};
std::string_view name_of(OutputCase output_case);

// CaseBound: an upper bound on how much the loss may exceed |x − x′|/λ at such outputs.
struct CaseBound {
  OutputCase output_case;
  Ball excess;
};

// The quantities of the proof, for readers who follow it; distances and widths are in units of λ
// where it says so.
struct BoundQuantities {
  Rational largest_distance;    // D: between an input and an end of a cell
  Rational product_half_gap;    // H: half the gap between floats at D
  Rational logarithm_half_gap;  // H′: the same at D/λ; 0 when λ is a power of two
  Rational threshold_error;     // R, in λ: how far a threshold may be off
  Rational near_error;          // the same for ends of cells at or between the inputs
  Rational between_error;       // for the two far ends of a cell between the inputs together
  Rational spread;              // min(Δ, 2B): how far apart clamped inputs may be
  Rational cell_width;          // c₀, in λ: least width of a cell
  Rational least_width;         // g = c₀ − 2R
  // What the rounding of a product costs beyond both inputs is H/λ times this many v and w.
  Rational near_products;
  Rational far_products;
  Ball near_weight;  // v = 1/(1 − e^−g)
  Ball far_weight;   // w = v − 1
};

struct LossBound {
  BoundParameters parameters;
  Rational ideal;          // Δ/λ: the loss with real noise
  Rational linear_excess;  // (18·B/λ + 14)·η
  // The lines of the table that Coq checks. The one of cells between the inputs is there only where
  // some may be: c₀·λ < min(Δ, 2B).
  std::vector<CaseBound> cases;
  BoundQuantities quantities;
  Rational excess;  // the smaller of linear_excess and the largest case

  // total: no two inputs at most Δ apart lose more than this.
  Rational total() const { return ideal + excess; }
  // at: the bound for inputs at the given distance ≤ Δ.
  Rational at(const Rational& distance) const { return distance / parameters.scale + excess; }
};

// loss_bound
// Requires  checked: 7 ≤ precision ≤ 4096; λ a positive float of that precision; 0 < B ≤ 2^(p−7)·λ;
//           Δ > 0; an input grid, if any, that divides B and is a multiple of the floats' gap at the
//           largest distance; else kBadParameter with the reason.
// Ensures   for all real inputs x, x′ in [−B, B] (on the input grid, if there is one) at most Δ
//           apart, and every output, |ln(P_x/P_x′)| ≤ at(|x − x′|).
// Proof     proofs/snapping.md#sharp
LossBound loss_bound(const BoundParameters& parameters);

// published_bound: (Δ + 12·B·η)/λ + 2·η, Mironov's formula, and whether λ < B < 2^(p−7)·λ as it
// asks. It is not a theorem for all inputs that the mechanism here takes: proofs/snapping.md#mironov
// Source    [Mironov2012]
struct PublishedBound {
  Rational total;
  bool hypotheses_hold;
};
PublishedBound published_bound(const BoundParameters& parameters);

}  // namespace lastbit::verify
