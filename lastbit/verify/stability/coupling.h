// Couplings: whether two finite laws can be drawn together so that the pair is always close.
//
// A coupling of P and Q supported on the close pairs exists exactly if mass can be moved from P to
// Q along close pairs only, which is a maximum-flow question and is decided in rationals
// (proofs/stability.md#couplings).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/core/identity.h"
#include "lastbit/core/transformation.h"
#include "lastbit/random/tape.h"
#include "lastbit/verify/semantics/max_flow.h"
#include "lastbit/verify/stability/check.h"
#include "lastbit/verify/stability/report.h"
#include "lastbit/verify/stability/show.h"

namespace lastbit::verify {

template <class T>
using Law = testing::TapeLaw<T, IdentityLess>;

// show_law: each outcome with its probability, as text.
template <class T>
std::string show_law(const Law<T>& law) {
  std::string text;
  for (const auto& [outcome, mass] : law.probability) {
    text += (text.empty() ? "" : ", ") + show(outcome) + " with " + mass.to_string();
  }
  return text;
}

// is_coupled: no set of outcomes of `p` outweighs its close neighbours under `q`. Exact if both
// laws are fully known; undecided mass is counted in favour of the claim, so a "no" is always
// right.
template <class T, class Close>
bool is_coupled(const Law<T>& p, const Law<T>& q, const Close& close) {
  std::vector<Rational> left;
  std::vector<Rational> right;
  std::vector<std::vector<bool>> allowed;
  for (const auto& [outcome, mass] : q.probability) right.push_back(mass);
  for (const auto& [x, mass] : p.probability) {
    left.push_back(mass);
    allowed.emplace_back();
    for (const auto& [y, other_mass] : q.probability) allowed.back().push_back(close(x, y));
  }
  return greatest_shared_mass(left, right, allowed) >= Rational(1) - p.undecided - q.undecided;
}

// check_couplings: a randomised transformation's relation at every pair of `inputs`, by enumerating
// the bit tapes of both runs up to `max_bits` bits and deciding whether a coupling exists.
// Requires  caller: the transformation draws by bit() and bits() only.
template <AnyTransformation T>
  requires T::kRandomised
StabilityReport check_couplings(const T& t, const std::vector<typename T::Input>& inputs,
                                unsigned max_bits) {
  using Output = typename T::Output;
  StabilityReport report{.name = t.name(), .method = "couplings", .members = inputs.size()};
  std::vector<Law<Output>> laws;
  for (const auto& input : inputs) {
    laws.push_back(testing::enumerate_tapes<Output, IdentityLess>(
        [&](BitSource& bits) { return t(input, bits); }, max_bits));
    report.undecided = std::max(report.undecided, laws.back().undecided);
  }
  std::optional<std::size_t> fewest_rows;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t j = i; j < inputs.size(); ++j) {
      ++report.pairs;
      const std::size_t rows = rows_in(inputs[i]) + rows_in(inputs[j]);
      if (fewest_rows && *fewest_rows <= rows) continue;
      const auto d_in = t.input_metric().distance(inputs[i], inputs[j]);
      const auto promised = t.map(d_in);
      const auto close = [&](const Output& x, const Output& y) {
        return t.output_metric().distance(x, y) <= promised;
      };
      if (is_coupled(laws[i], laws[j], close)) continue;
      fewest_rows = rows;
      report.violation = Violation{.kind = "no coupling keeps the outputs as close as promised",
                                   .x = show(inputs[i]),
                                   .x_prime = show(inputs[j]),
                                   .output = show_law(laws[i]),
                                   .output_prime = show_law(laws[j]),
                                   .d_in = d_in.to_string(),
                                   .d_out = "farther",
                                   .promised = promised.to_string()};
    }
  }
  return report;
}

}  // namespace lastbit::verify
