// Metrics: how far apart two members of a domain are, as a number that can be computed.
//
// Each metric has a Value type (its exact distances) and distance(x, y). Which metric goes with
// which domain is decided at compile time by `metric_fits`; substitute and Hamming distance exist
// on sized vectors only. On vectors the unordered metrics are pseudometrics: permutations are at
// distance 0, so a function that is stable under them must not look at the order
// (proofs/core.md#metrics).
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <map>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/core/domain.h"
#include "lastbit/core/edit_distance.h"
#include "lastbit/core/identity.h"
#include "lastbit/core/multiset.h"
#include "lastbit/numerics/distance.h"
#include "lastbit/numerics/integer.h"

namespace lastbit {

// absolute_difference: |x − y|, exact. Identical values are at distance 0; a NaN or an infinity is
// infinitely far from everything else.
Distance absolute_difference(double x, double y);
Distance absolute_difference(std::int64_t x, std::int64_t y);
Distance absolute_difference(const Rational& x, const Rational& y);

// SymmetricDistance: Σ_z |h_u(z) − h_v(z)|, the number of rows to add and remove; order is ignored.
struct SymmetricDistance {
  using Value = Distance;
  static constexpr std::string_view kName = "symmetric distance";
  template <class T>
  Distance distance(const std::vector<T>& u, const std::vector<T>& v) const {
    return symmetric_difference(Multiset<T>(u), Multiset<T>(v)).size();
  }
  friend bool operator==(const SymmetricDistance&, const SymmetricDistance&) = default;
};

// require_equal_sizes: the check shared by the metrics that are defined for equal sizes only.
inline void require_equal_sizes(std::size_t u, std::size_t v, std::string_view metric) {
  if (u == v) return;
  throw Error::bad_parameter(metric, "x'", "has another number of rows than x",
                             "compare vectors of one size, or use the symmetric distance");
}

// SubstituteDistance: |MultiSet(u) \ MultiSet(v)| for |u| = |v|, the number of rows to exchange;
// order is ignored. It is half the symmetric distance.
struct SubstituteDistance {
  using Value = Distance;
  static constexpr std::string_view kName = "substitute distance";
  template <class T>
  Distance distance(const std::vector<T>& u, const std::vector<T>& v) const {
    require_equal_sizes(u.size(), v.size(), kName);
    return SymmetricDistance{}.distance(u, v) / Rational(2);
  }
  friend bool operator==(const SubstituteDistance&, const SubstituteDistance&) = default;
};

// InsertDeleteDistance: the fewest insertions and deletions that turn u into v, order respected.
struct InsertDeleteDistance {
  using Value = Distance;
  static constexpr std::string_view kName = "insert-delete distance";
  template <class T>
  Distance distance(const std::vector<T>& u, const std::vector<T>& v) const {
    return insert_delete_distance(u, v);
  }
  friend bool operator==(const InsertDeleteDistance&, const InsertDeleteDistance&) = default;
};

// HammingDistance: the number of positions that differ, for |u| = |v|.
struct HammingDistance {
  using Value = Distance;
  static constexpr std::string_view kName = "Hamming distance";
  template <class T>
  Distance distance(const std::vector<T>& u, const std::vector<T>& v) const {
    require_equal_sizes(u.size(), v.size(), kName);
    std::int64_t differing = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      if (!identical(T(u[i]), T(v[i]))) ++differing;
    }
    return differing;
  }
  friend bool operator==(const HammingDistance&, const HammingDistance&) = default;
};

// DiscreteDistance: 0 between identical values, 1 between others: one cell, changed or not.
struct DiscreteDistance {
  using Value = Distance;
  static constexpr std::string_view kName = "discrete distance";
  template <class T>
  Distance distance(const T& x, const T& y) const {
    return identical(x, y) ? 0 : 1;
  }
  friend bool operator==(const DiscreteDistance&, const DiscreteDistance&) = default;
};

// AbsoluteDistance: |x − y| of two numbers.
struct AbsoluteDistance {
  using Value = Distance;
  static constexpr std::string_view kName = "absolute distance";
  template <Number T>
  Distance distance(const T& x, const T& y) const {
    return absolute_difference(x, y);
  }
  friend bool operator==(const AbsoluteDistance&, const AbsoluteDistance&) = default;
};

// LpValue<P>: the type of Lp distances; roots for P ≥ 2, kept exact.
template <unsigned P>
struct LpValue {
  using type = Radical<P>;
};
template <>
struct LpValue<1> {
  using type = Distance;
};

// LpDistance<P>: (Σ_i |u_i − v_i|^P)^(1/P) for whole P ≥ 1, on vectors of numbers (different
// lengths are infinitely far apart) and on maps (a missing key is 0). Whole P only: for other P the
// terms are irrational and no exact comparison is known.
template <unsigned P>
  requires(P >= 1)
struct LpDistance {
  using Value = typename LpValue<P>::type;
  static constexpr std::string_view kName = P == 1   ? "L1 distance"
                                            : P == 2 ? "L2 distance"
                                                     : "Lp distance";
  template <Number T>
  Value distance(const std::vector<T>& u, const std::vector<T>& v) const {
    if (u.size() != v.size()) return value(Distance::infinity());
    Distance sum;
    for (std::size_t i = 0; i < u.size(); ++i) sum = sum + term(u[i], v[i]);
    return value(sum);
  }
  template <class K, Number T>
  Value distance(const std::map<K, T, IdentityLess>& u,
                 const std::map<K, T, IdentityLess>& v) const {
    Distance sum;
    for (const auto& [key, x] : u) {
      const auto other = v.find(key);
      sum = sum + term(x, other == v.end() ? T(0) : other->second);
    }
    for (const auto& [key, y] : v) {
      if (!u.contains(key)) sum = sum + term(T(0), y);
    }
    return value(sum);
  }
  friend bool operator==(const LpDistance&, const LpDistance&) = default;

 private:
  template <Number T>
  static Distance term(const T& x, const T& y) {
    return pow(absolute_difference(x, y), P);
  }
  static Value value(const Distance& sum) {
    if constexpr (P == 1) {
      return sum;
    } else {
      return Radical<P>::root_of(sum);
    }
  }
};
using L1Distance = LpDistance<1>;
using L2Distance = LpDistance<2>;

// LInfinityDistance: max_i |u_i − v_i|, on vectors of numbers (different lengths are infinitely far
// apart) and on maps (a missing key is 0).
struct LInfinityDistance {
  using Value = Distance;
  static constexpr std::string_view kName = "L-infinity distance";
  template <Number T>
  Distance distance(const std::vector<T>& u, const std::vector<T>& v) const {
    if (u.size() != v.size()) return Distance::infinity();
    Distance largest;
    for (std::size_t i = 0; i < u.size(); ++i) {
      largest = std::max(largest, absolute_difference(u[i], v[i]));
    }
    return largest;
  }
  template <class K, Number T>
  Distance distance(const std::map<K, T, IdentityLess>& u,
                    const std::map<K, T, IdentityLess>& v) const {
    Distance largest;
    for (const auto& [key, x] : u) {
      const auto other = v.find(key);
      largest = std::max(largest, absolute_difference(x, other == v.end() ? T(0) : other->second));
    }
    for (const auto& [key, y] : v) {
      if (!u.contains(key)) largest = std::max(largest, absolute_difference(T(0), y));
    }
    return largest;
  }
  friend bool operator==(const LInfinityDistance&, const LInfinityDistance&) = default;
};

// SpreadDistance: the fewest steps that turn one map of counts into another (a missing key is 0),
// where a step changes at most `keys` keys, each by at most 1: max(L∞, ⌈L1/keys⌉). A person who
// counts once in each of at most `keys` groups is one step.
// Requires  caller: keys ≥ 1.
// Proof     proofs/core.md#spread
struct SpreadDistance {
  using Value = Distance;
  static constexpr std::string_view kName = "steps over few keys";
  Integer keys = 1;

  template <class K>
  Distance distance(const std::map<K, std::int64_t, IdentityLess>& u,
                    const std::map<K, std::int64_t, IdentityLess>& v) const {
    const Rational sum = L1Distance{}.distance(u, v).value();
    const Rational steps((sum / Rational(keys)).ceil());
    return std::max(LInfinityDistance{}.distance(u, v), Distance(steps));
  }
  friend bool operator==(const SpreadDistance&, const SpreadDistance&) = default;
};

// RangeDistance: max_i (u_i − v_i) − min_i (u_i − v_i), on vectors of numbers; different lengths
// are infinitely far apart. Moving all scores by the same amount costs nothing, so this is what
// choosing among scores depends on. Scores that all move in one direction, by at most Δ, are Δ
// apart; scores that move in both directions are up to 2Δ apart.
struct RangeDistance {
  using Value = Distance;
  static constexpr std::string_view kName = "range distance";
  template <Number T>
  Distance distance(const std::vector<T>& u, const std::vector<T>& v) const {
    if (u.size() != v.size()) return Distance::infinity();
    if (u.empty()) return 0;
    std::vector<Rational> differences;
    for (std::size_t i = 0; i < u.size(); ++i) {
      const Distance magnitude = absolute_difference(u[i], v[i]);
      if (magnitude.is_infinite()) return magnitude;
      differences.push_back(u[i] < v[i] ? -magnitude.value() : magnitude.value());
    }
    const auto [least, most] = std::minmax_element(differences.begin(), differences.end());
    return *most - *least;
  }
  friend bool operator==(const RangeDistance&, const RangeDistance&) = default;
};

template <class M>
using ValueOf = typename M::Value;

// BlockDistance<M, P>: (Σ_b d_M(u_b, v_b)^P)^(1/P) for P = 1 or 2, on vectors of blocks, each block
// a vector of numbers; different numbers of blocks are infinitely far apart. It is what choosing
// once in every block depends on: one unit that changes few blocks, each by little, moves the data
// by the sum (P = 1, for losses that add up) or by the root of the sum of squares (P = 2, for
// losses that grow with the square).
template <class M, unsigned P = 1>
  requires std::same_as<ValueOf<M>, Distance> && (P == 1 || P == 2)
struct BlockDistance {
  using Value = typename LpValue<P>::type;
  using Inner = M;
  static constexpr std::string_view kName =
      P == 1 ? "sum of the distances of blocks" : "root of the sum of squared distances of blocks";
  template <Number T>
  Value distance(const std::vector<std::vector<T>>& u, const std::vector<std::vector<T>>& v) const {
    if (u.size() != v.size()) return value(Distance::infinity());
    Distance sum;
    for (std::size_t b = 0; b < u.size(); ++b) sum = sum + pow(M{}.distance(u[b], v[b]), P);
    return value(sum);
  }
  friend bool operator==(const BlockDistance&, const BlockDistance&) = default;

 private:
  static Value value(const Distance& sum) {
    if constexpr (P == 1) {
      return sum;
    } else {
      return Value::root_of(sum);
    }
  }
};

// metric_fits<M, D>: M is defined on D. Specialise it for a metric or domain of your own.
template <class M, class D>
inline constexpr bool metric_fits = false;
template <class D>
inline constexpr bool metric_fits<SymmetricDistance, VectorDomain<D>> = true;
template <class D>
inline constexpr bool metric_fits<SymmetricDistance, SizedVectorDomain<D>> = true;
template <class D>
inline constexpr bool metric_fits<InsertDeleteDistance, VectorDomain<D>> = true;
template <class D>
inline constexpr bool metric_fits<InsertDeleteDistance, SizedVectorDomain<D>> = true;
template <class D>
inline constexpr bool metric_fits<SubstituteDistance, SizedVectorDomain<D>> = true;
template <class D>
inline constexpr bool metric_fits<HammingDistance, SizedVectorDomain<D>> = true;
template <class T>
inline constexpr bool metric_fits<AbsoluteDistance, IntervalDomain<T>> = true;
template <Number T>
inline constexpr bool metric_fits<AbsoluteDistance, AllDomain<T>> = true;
template <>
inline constexpr bool metric_fits<AbsoluteDistance, GridDomain> = true;
template <unsigned P, class D>
inline constexpr bool metric_fits<LpDistance<P>, VectorDomain<D>> = Number<CarrierOf<D>>;
template <unsigned P, class D>
inline constexpr bool metric_fits<LpDistance<P>, SizedVectorDomain<D>> = Number<CarrierOf<D>>;
template <unsigned P, class K, class V>
inline constexpr bool metric_fits<LpDistance<P>, MapDomain<K, V>> = Number<CarrierOf<V>>;
template <class D>
inline constexpr bool metric_fits<LInfinityDistance, VectorDomain<D>> = Number<CarrierOf<D>>;
template <class D>
inline constexpr bool metric_fits<LInfinityDistance, SizedVectorDomain<D>> = Number<CarrierOf<D>>;
template <class K, class V>
inline constexpr bool metric_fits<LInfinityDistance, MapDomain<K, V>> = Number<CarrierOf<V>>;
template <class K>
inline constexpr bool metric_fits<SpreadDistance, MapDomain<K, AllDomain<std::int64_t>>> = true;
template <class D>
inline constexpr bool metric_fits<RangeDistance, VectorDomain<D>> = Number<CarrierOf<D>>;
template <class D>
inline constexpr bool metric_fits<RangeDistance, SizedVectorDomain<D>> = Number<CarrierOf<D>>;
template <class M, unsigned P, class D>
inline constexpr bool metric_fits<BlockDistance<M, P>, SizedVectorDomain<SizedVectorDomain<D>>> =
    Number<CarrierOf<D>> && metric_fits<M, SizedVectorDomain<D>>;
template <class T>
inline constexpr bool metric_fits<DiscreteDistance, AllDomain<T>> = true;
template <class T>
inline constexpr bool metric_fits<DiscreteDistance, IntervalDomain<T>> = true;
template <class D>
inline constexpr bool metric_fits<DiscreteDistance, OptionalDomain<D>> = true;
template <class A, class B>
inline constexpr bool metric_fits<DiscreteDistance, PairDomain<A, B>> = true;

template <class M, class D>
concept MetricOn =
    Domain<D> && metric_fits<M, D> && requires(const M& metric, const CarrierOf<D>& x) {
      { metric.distance(x, x) } -> std::convertible_to<ValueOf<M>>;
    };

// The four metrics between datasets; the unordered ones ignore row order.
template <class M>
concept UnorderedMetric = std::same_as<M, SymmetricDistance> || std::same_as<M, SubstituteDistance>;
template <class M>
concept DatasetMetric =
    UnorderedMetric<M> || std::same_as<M, InsertDeleteDistance> || std::same_as<M, HammingDistance>;

// close: x and y are k-close under the metric, distance(x, y) ≤ k.
template <class M, class T>
bool close(const M& metric, const T& x, const T& y, const ValueOf<M>& k) {
  return metric.distance(x, y) <= k;
}

// rows_changed: the most rows in which two d-close datasets of the domain can differ: rows added or
// removed where the size is free, rows exchanged where it is fixed (two unequal datasets of one
// size are an even number of additions and removals apart, so ⌊d/2⌋ exchanges). Proof:
// proofs/core.md#rows-changed.
template <DatasetDomain D, DatasetMetric M>
  requires MetricOn<M, D>
Distance rows_changed(const D& domain, const M&, const Distance& d) {
  if constexpr (SizedDomain<D>) {
    const Distance size = domain.size();
    if constexpr (std::same_as<M, SubstituteDistance> || std::same_as<M, HammingDistance>) {
      return std::min(d.floor(), size);
    } else {
      return std::min((d / Rational(2)).floor(), size);
    }
  } else {
    return d.floor();
  }
}

}  // namespace lastbit
