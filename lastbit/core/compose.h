// Sequential composition: several measurements of the same data, released together. The losses add
// up as the measure says (proofs/core.md#composition).
#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/core/measurement.h"

namespace lastbit {

// Composable: the measurements look at one kind of data through one metric, under one measure.
template <class First, class... Rest>
concept Composable =
    AnyMeasurement<First> && (AnyMeasurement<Rest> && ...) &&
    (std::same_as<typename First::InputDomain, typename Rest::InputDomain> && ...) &&
    (std::same_as<typename First::InputMetric, typename Rest::InputMetric> && ...) &&
    (std::same_as<typename First::PrivacyMeasure, typename Rest::PrivacyMeasure> && ...);

namespace compose_internal {

template <class First, class Other>
void require_same_input(const First& first, const Other& other) {
  if (first.input_domain() == other.input_domain()) return;
  throw Error(ErrorCode::kMismatch, "compose",
              "one measurement takes " + first.input_domain().describe() + ", another takes " +
                  other.input_domain().describe(),
              "compose measurements of one domain");
}

template <class Part>
void require_map(const Part& part) {
  if (part.privacy().has_map()) return;
  throw Error(ErrorCode::kNotSupported, "compose", part.name() + " has no privacy map",
              "only measurements with a map can be added up");
}

}  // namespace compose_internal

// compose: all of them, in order, on fresh bits; the output is a tuple.
//
// Requires  typed: one domain kind, metric and measure.  checked: equal input domains, else
//           kMismatch; every part has a map, else kNotSupported.
// Ensures   map(d_in) = the measure's sum of the parts' maps.
// Proof     proofs/core.md#composition
template <class First, class... Rest>
  requires Composable<First, Rest...>
auto compose(const First& first, const Rest&... rest) {
  compose_internal::require_map(first);
  (compose_internal::require_map(rest), ...);
  (compose_internal::require_same_input(first, rest), ...);
  using Output = std::tuple<typename First::Output, typename Rest::Output...>;
  using Result = Measurement<typename First::InputDomain, typename First::InputMetric, Output,
                             typename First::PrivacyMeasure>;
  std::string name = "compose(" + first.name();
  ((name += ", " + rest.name()), ...);
  return Result(
      name + ")", first.input_domain(), first.input_metric(), first.measure(),
      [first, rest...](const typename First::Input& input, BitSource& bits) {
        return Output{first(input, bits), rest(input, bits)...};  // braces evaluate in order
      },
      Result::PrivacyRelation::from_map([first, rest...](const typename First::DistanceIn& d_in) {
        auto total = first.map(d_in);
        ((total = First::PrivacyMeasure::sum(total, rest.map(d_in))), ...);
        return total;
      }));
}

// compose: any number of measurements of one type; the output is a vector. An empty list is a
// kBadParameter Error, since it has no domain.
template <AnyMeasurement Part>
auto compose(const std::vector<Part>& parts) {
  if (parts.empty()) {
    throw Error::bad_parameter("compose", "parts", "is empty", "compose at least one measurement");
  }
  for (const Part& part : parts) {
    compose_internal::require_map(part);
    compose_internal::require_same_input(parts.front(), part);
  }
  using Output = std::vector<typename Part::Output>;
  using Result = Measurement<typename Part::InputDomain, typename Part::InputMetric, Output,
                             typename Part::PrivacyMeasure>;
  const Part& first = parts.front();
  return Result(
      "compose(" + std::to_string(parts.size()) + " × " + first.name() + ")", first.input_domain(),
      first.input_metric(), first.measure(),
      [parts](const typename Part::Input& input, BitSource& bits) {
        Output outputs;
        for (const Part& part : parts) outputs.push_back(part(input, bits));
        return outputs;
      },
      Result::PrivacyRelation::from_map([parts](const typename Part::DistanceIn& d_in) {
        auto total = parts.front().map(d_in);
        for (std::size_t i = 1; i < parts.size(); ++i) {
          total = Part::PrivacyMeasure::sum(total, parts[i].map(d_in));
        }
        return total;
      }));
}

}  // namespace lastbit
