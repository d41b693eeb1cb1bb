// From a transformation to a noisy number, whose price comes from the chain. For this module only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lastbit/accuracy/accuracy.h"
#include "lastbit/core/chain.h"
#include "lastbit/mechanisms/snapped_laplace.h"
#include "lastbit/statistics/plan.h"

namespace lastbit::statistics_internal {

template <class Row>
using Chain = typename Plan<Row, Released>::Chain;

template <class Row>
struct NoisyPart {
  Chain<Row> chain;
  Part part;
};

// as_rationals: what a mechanism releases, in a common form.
inline std::vector<Rational> as_rationals(const Rational& value) { return {value}; }
inline std::vector<Rational> as_rationals(std::int64_t value) { return {value}; }
inline std::vector<Rational> as_rationals(const std::vector<std::int64_t>& values) {
  return {values.begin(), values.end()};
}

// error_bound: with probability at most alpha, the error of any of `numbers` released numbers
// exceeds this. Whole numbers differ by whole numbers.
// Proof: proofs/statistics.md#parts
Rational error_bound(const Rational& scale, const Grid& grid, const Rational& alpha,
                     std::size_t numbers, bool whole);

// noisy_part: `exact`, then snapped Laplace noise with the scale that makes its price epsilon.
template <class Row, class T>
NoisyPart<Row> noisy_part(std::string name, const T& exact, const Rational& epsilon,
                          const Rational& alpha, std::size_t numbers = 1) {
  const Rational sensitivity = exact.map(1).value();
  const Rational scale = sensitivity / epsilon;
  const auto& element = mechanism_internal::element_of(exact.output_domain());
  const Grid grid = default_noise_grid(element, scale);
  constexpr bool kWhole =
      std::same_as<CarrierOf<NoiseElementOf<typename T::OutputDomain>>, std::int64_t>;
  const auto chain = exact >>
                     make_snapped_laplace(scale, {.grid = grid, .lower = {}, .upper = {}}) >>
                     postprocess([](const auto& released) { return as_rationals(released); });
  return {chain,
          {std::move(name), sensitivity, chain.map(1).value(), scale, grid, alpha,
           error_bound(scale, grid, alpha, numbers, kWhole)}};
}

// The sentences of descriptions.
std::string nulls_in_words(const Nulls& nulls);
std::string bounds_in_words(const Rational& lower, const Rational& upper);
std::string resize_in_words(std::size_t rows);
std::string noise_in_words(const std::vector<Part>& parts);

}  // namespace lastbit::statistics_internal
