// check_all_pairs: a stability relation checked against every pair of a finite list of inputs.
//
// For each pair the distances are computed and compared with what the relation promises. On a whole
// finite domain this decides soundness; on a sample it can only refute. What exactly is checked,
// and why that is the definition: proofs/stability.md#all-pairs.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lastbit/core/transformation.h"
#include "lastbit/verify/stability/report.h"
#include "lastbit/verify/stability/show.h"

namespace lastbit::verify {

// rows_in: how large a value appears to a reader; the smallest violation has the fewest rows.
template <class T>
std::size_t rows_in(const std::vector<T>& rows) {
  return rows.size();
}
template <class T>
std::size_t rows_in(const T&) {
  return 0;
}

// broken_promise: what the relation promises for d_in if that is less than d_out, otherwise
// nothing. With a map this is exact. Without one the relation is probed just below d_out: a
// monotone relation that accepts anything below the probe accepts the probe.
template <class In, class Out>
std::optional<std::string> broken_promise(const Relation<In, Out>& relation, const In& d_in,
                                          const Out& d_out) {
  if (relation.has_map()) {
    const Out promised = relation.map(d_in);
    if (d_out <= promised) return std::nullopt;
    return promised.to_string();
  }
  if (d_out == Out(0)) return std::nullopt;
  const Rational just_below = Rational(1) - Rational::two_to(-80);
  const Distance scale = d_out.is_infinite() ? Distance(0) : Distance(just_below);
  // There is no number next to infinity; a huge one stands in.
  const Out probe = d_out.is_infinite() ? Out(Rational::two_to(4000)) : scale * d_out;
  if (relation(d_in, probe)) return probe.to_string();
  return std::nullopt;
}

namespace check_internal {

template <AnyTransformation T>
Violation describe(const T& t, std::string kind, const typename T::Input& x,
                   const typename T::Input& y, const typename T::Output& fx,
                   const typename T::Output& fy, std::string d_out, std::string promised) {
  return Violation{.kind = std::move(kind),
                   .x = show(x),
                   .x_prime = show(y),
                   .output = show(fx),
                   .output_prime = show(fy),
                   .d_in = t.input_metric().distance(x, y).to_string(),
                   .d_out = std::move(d_out),
                   .promised = std::move(promised)};
}

}  // namespace check_internal

// violation_at: what the pair (x, y) shows against the transformation, or nothing.
template <AnyTransformation T>
  requires(!T::kRandomised)
std::optional<Violation> violation_at(const T& t, const typename T::Input& x,
                                      const typename T::Input& y) {
  const auto fx = t(x);
  const auto fy = t(y);
  const auto describe = [&](std::string kind, std::string d_out, std::string promised) {
    return check_internal::describe(t, std::move(kind), x, y, fx, fy, std::move(d_out),
                                    std::move(promised));
  };
  if (!t.output_domain().contains(fx) || !t.output_domain().contains(fy)) {
    return describe("an output is not a member of: " + t.output_domain().describe(), "unknown",
                    "membership");
  }
  const auto d_in = t.input_metric().distance(x, y);
  const auto d_out = t.output_metric().distance(fx, fy);
  const auto promised = broken_promise(t.stability(), d_in, d_out);
  if (!promised) return std::nullopt;
  return describe("the outputs are farther apart than promised", d_out.to_string(), *promised);
}

// monotonicity_violation: two of the distances between which the map decreases, or nothing. A
// promise must also hold for closer inputs, so a map that decreases contradicts itself.
template <AnyTransformation T>
std::optional<Violation> monotonicity_violation(const T& t,
                                                const std::set<typename T::DistanceIn>& distances) {
  if (!t.stability().has_map()) return std::nullopt;
  const typename T::DistanceIn* previous = nullptr;
  for (const auto& d_in : distances) {
    if (previous != nullptr && t.map(d_in) < t.map(*previous)) {
      return Violation{.kind = "the map decreases",
                       .x = "any pair at distance " + previous->to_string(),
                       .x_prime = "any pair at distance " + d_in.to_string(),
                       .output = t.map(*previous).to_string(),
                       .output_prime = t.map(d_in).to_string(),
                       .d_in = previous->to_string(),
                       .d_out = t.map(*previous).to_string(),
                       .promised = t.map(d_in).to_string()};
    }
    previous = &d_in;
  }
  return std::nullopt;
}

// check_all_pairs: the relation at every pair of `inputs` (which should be members of the input
// domain); reports the violation with the fewest rows, then the smallest d_in.
template <AnyTransformation T>
  requires(!T::kRandomised)
StabilityReport check_all_pairs(const T& t, const std::vector<typename T::Input>& inputs) {
  StabilityReport report{.name = t.name(), .method = "all pairs", .members = inputs.size()};
  std::optional<std::tuple<std::size_t, typename T::DistanceIn>> smallest;
  std::set<typename T::DistanceIn> distances;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t j = i; j < inputs.size(); ++j) {
      ++report.pairs;
      distances.insert(t.input_metric().distance(inputs[i], inputs[j]));
      const std::size_t rows = rows_in(inputs[i]) + rows_in(inputs[j]);
      if (smallest && std::get<0>(*smallest) < rows) continue;
      auto violation = violation_at(t, inputs[i], inputs[j]);
      if (!violation) continue;
      const std::tuple key{rows, t.input_metric().distance(inputs[i], inputs[j])};
      if (smallest && *smallest <= key) continue;
      smallest = key;
      report.violation = std::move(violation);
    }
  }
  if (report.holds()) report.violation = monotonicity_violation(t, distances);
  return report;
}

}  // namespace lastbit::verify
