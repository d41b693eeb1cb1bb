// Paths: from what a function does to neighbours to what it does to all pairs.
//
// On sized vectors the symmetric distance is even, and any two vectors are joined by exchanges of
// one row. More generally a finite space is δ-geodesic when any two of its points at distance k·δ
// are joined inside it by k steps of length δ; then neighbours decide, provided that points at
// distance 0 have outputs at distance 0. Both conditions are checked here, not assumed.
// Proofs: proofs/stability.md#paths.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/core/identity.h"
#include "lastbit/core/metric.h"
#include "lastbit/core/transformation.h"
#include "lastbit/verify/stability/show.h"

namespace lastbit::verify {

// unmatched_rows: the positions of `v` whose rows find no partner when rows of `v` and `w` are
// paired off by identity. Rows are marked, not deleted, so positions stay valid.
template <class T>
std::vector<std::size_t> unmatched_rows(const std::vector<T>& v, const std::vector<T>& w) {
  auto available = Multiset<T>(w).histogram();
  std::vector<std::size_t> unmatched;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const auto partner = available.find(v[i]);
    if (partner != available.end() && partner->second > 0) {
      --partner->second;
    } else {
      unmatched.push_back(i);
    }
  }
  return unmatched;
}

// exchange_path: v = u^0, u^1, …, u^k where k = d_Sym(v, w)/2, neighbours are at symmetric distance
// exactly 2, and u^k is w as a multiset. The vectors must have the same size.
template <class T>
std::vector<std::vector<T>> exchange_path(const std::vector<T>& v, const std::vector<T>& w) {
  require_equal_sizes(v.size(), w.size(), "exchange path");
  const auto leaving = unmatched_rows(v, w);
  const auto arriving = unmatched_rows(w, v);
  std::vector<std::vector<T>> path{v};
  for (std::size_t step = 0; step < leaving.size(); ++step) {
    path.push_back(path.back());
    path.back()[leaving[step]] = w[arriving[step]];
  }
  return path;
}

// distance_matrix: all distances of a finite list of points.
template <class M, class T>
std::vector<std::vector<ValueOf<M>>> distance_matrix(const M& metric,
                                                     const std::vector<T>& points) {
  std::vector<std::vector<ValueOf<M>>> distances(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const T& other : points) distances[i].push_back(metric.distance(points[i], other));
  }
  return distances;
}

// geodesic_failure: indices of two points that are not joined by steps of length `delta` inside the
// list adding up to their distance; nothing when the list is δ-geodesic. delta must be positive.
std::optional<std::pair<std::size_t, std::size_t>> geodesic_failure(
    const std::vector<std::vector<Distance>>& distances, const Distance& delta);

// PathArgument: what has been shown by looking only at neighbours. `constant` is c/δ, and the
// function is stable with this constant, exactly if `failed` is empty; otherwise `failed` names the
// missing hypothesis.
struct PathArgument {
  Distance constant;
  std::string failed;
};

// stability_by_paths: the stability constant of a deterministic transformation on a finite list of
// inputs, from pairs at distance `delta` alone, with both hypotheses of the argument checked.
template <AnyTransformation T>
  requires(!T::kRandomised && std::same_as<typename T::DistanceIn, Distance> &&
           std::same_as<typename T::DistanceOut, Distance>)
PathArgument stability_by_paths(const T& t, const std::vector<typename T::Input>& inputs,
                                const Distance& delta) {
  const auto distances = distance_matrix(t.input_metric(), inputs);
  if (const auto pair = geodesic_failure(distances, delta)) {
    return {Distance::infinity(), "no path of steps of length " + delta.to_string() + " joins " +
                                      show(inputs[pair->first]) + " and " +
                                      show(inputs[pair->second])};
  }
  Distance largest;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      const bool at_zero = distances[i][j] == Distance(0);
      if (!at_zero && distances[i][j] != delta) continue;
      const auto d_out = t.output_metric().distance(t(inputs[i]), t(inputs[j]));
      if (at_zero && d_out != Distance(0)) {
        return {Distance::infinity(), "inputs at distance 0 have outputs apart: " +
                                          show(inputs[i]) + " and " + show(inputs[j])};
      }
      largest = std::max(largest, d_out);
    }
  }
  return {largest / delta.value(), ""};
}

}  // namespace lastbit::verify
