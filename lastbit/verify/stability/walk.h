// check_walks: a stability relation on large data, by walking.
//
// From a random dataset the check takes elementary steps of the input metric (insert, delete,
// exchange a row, and permute where order does not matter). It compares neighbours on the path, and
// each new end with the start, always by their computed distances. A violation is shrunk before it
// is reported. This can refute; it cannot prove. Which moves generate which metric:
// proofs/stability.md#walks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/core/transformation.h"
#include "lastbit/random/shuffle.h"
#include "lastbit/random/uniform.h"
#include "lastbit/verify/stability/check.h"
#include "lastbit/verify/stability/random_members.h"
#include "lastbit/verify/stability/report.h"

namespace lastbit::verify {

struct WalkOptions {
  std::size_t walks = 100;
  std::size_t rows = 40;  // at the start, if the domain does not fix the size
  std::size_t steps = 6;
};

namespace walk_internal {

// Uses a copy, because std::vector<bool> has no spans.
template <class T>
std::vector<T> permuted(const std::vector<T>& rows, BitSource& bits) {
  const auto order = [&] {
    std::vector<std::size_t> positions(rows.size());
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = i;
    shuffle(bits, std::span(positions));
    return positions;
  }();
  std::vector<T> result;
  for (const std::size_t position : order) result.push_back(rows[position]);
  return result;
}

// One elementary step of the metric, plus a free permutation now and then where order is ignored.
template <DatasetDomain D, DatasetMetric M>
CarrierOf<D> step(const D& domain, const M&, CarrierOf<D> rows, BitSource& bits) {
  const auto position = [&](std::size_t below) {
    return static_cast<std::ptrdiff_t>(uniform_below(bits, below));
  };
  const auto insert = [&] {
    rows.insert(rows.begin() + position(rows.size() + 1), random_member(domain.element(), bits));
  };
  const auto erase = [&] { rows.erase(rows.begin() + position(rows.size())); };
  if constexpr (std::same_as<M, HammingDistance>) {
    if (!rows.empty()) {
      rows[static_cast<std::size_t>(position(rows.size()))] = random_member(domain.element(), bits);
    }
  } else if constexpr (SizedDomain<D>) {
    if (!rows.empty()) {
      erase();
      insert();
    }
  } else if (rows.empty() || bits.bit()) {
    insert();
  } else {
    erase();
  }
  if constexpr (UnorderedMetric<M>) {
    if (bits.bits(2) == 0) return permuted(rows, bits);
  }
  return rows;
}

template <class T>
std::vector<T> without(std::vector<T> rows, std::size_t position) {
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(position));
  return rows;
}

// smaller_pair: a pair with fewer rows that still violates, or nothing.
template <AnyTransformation T>
std::optional<std::pair<typename T::Input, typename T::Input>> smaller_pair(
    const T& t, const typename T::Input& x, const typename T::Input& y) {
  using Pair = std::pair<typename T::Input, typename T::Input>;
  if constexpr (SizedDomain<typename T::InputDomain>) {
    return std::nullopt;
  } else {
    std::vector<Pair> candidates;
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < y.size(); ++j) {
        using Row = RowOf<typename T::InputDomain>;
        if (identical(Row(x[i]), Row(y[j]))) candidates.emplace_back(without(x, i), without(y, j));
      }
    }
    for (std::size_t i = 0; i < x.size(); ++i) candidates.emplace_back(without(x, i), y);
    for (std::size_t j = 0; j < y.size(); ++j) candidates.emplace_back(x, without(y, j));
    for (const Pair& candidate : candidates) {
      if (violation_at(t, candidate.first, candidate.second)) return candidate;
    }
    return std::nullopt;
  }
}

}  // namespace walk_internal

// shrunk: the violation at (x, y) after removing rows for as long as it persists.
template <AnyTransformation T>
std::optional<Violation> shrunk(const T& t, typename T::Input x, typename T::Input y) {
  for (auto smaller = walk_internal::smaller_pair(t, x, y); smaller;
       smaller = walk_internal::smaller_pair(t, x, y)) {
    std::tie(x, y) = std::move(*smaller);
  }
  return violation_at(t, x, y);
}

template <AnyTransformation T>
  requires(!T::kRandomised && DatasetDomain<typename T::InputDomain> &&
           DatasetMetric<typename T::InputMetric>)
StabilityReport check_walks(const T& t, BitSource& bits, WalkOptions options = {}) {
  StabilityReport report{.name = t.name(), .method = "paths"};
  const auto& domain = t.input_domain();
  for (std::size_t walk = 0; walk < options.walks && report.holds(); ++walk) {
    std::size_t rows = options.rows;
    if constexpr (SizedDomain<typename T::InputDomain>) {
      rows = domain.size();
    } else {
      rows = uniform_below(bits, options.rows + 1);
    }
    const auto start = random_vector(domain.element(), rows, bits);
    auto here = start;
    ++report.members;
    for (std::size_t step = 0; step < options.steps && report.holds(); ++step) {
      auto next = walk_internal::step(domain, t.input_metric(), here, bits);
      ++report.members;
      report.pairs += 2;
      if (violation_at(t, here, next)) {
        report.violation = shrunk(t, here, next);
      } else if (violation_at(t, start, next)) {
        report.violation = shrunk(t, start, next);
      }
      here = std::move(next);
    }
  }
  return report;
}

}  // namespace lastbit::verify
