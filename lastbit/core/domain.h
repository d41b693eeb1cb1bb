// Domains: the sets of values a transformation or measurement is proved for.
//
// A domain has a Carrier (the C++ type of its members), contains(x), includes(other) (is the other
// domain a subset?), equality and describe(). Domains of different kinds are different types, so
// joining them does not compile; domains of one kind that differ in value (another bound, another
// size) are compared when a chain is built. Definitions: proofs/core.md#domains.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lastbit/core/identity.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

template <class D>
concept Domain =
    std::equality_comparable<D> && requires(const D& domain, const typename D::Carrier& value) {
      { domain.contains(value) } -> std::same_as<bool>;
      { domain.includes(domain) } -> std::same_as<bool>;
      { domain.describe() } -> std::convertible_to<std::string>;
    };

template <class D>
using CarrierOf = typename D::Carrier;

// The types a single cell can have.
template <class T>
concept Atom = std::same_as<T, std::int64_t> || std::same_as<T, double> || std::same_as<T, bool> ||
               std::same_as<T, std::string> || std::same_as<T, Rational>;

template <class T>
concept Number =
    std::same_as<T, std::int64_t> || std::same_as<T, double> || std::same_as<T, Rational>;

// AllDomain<T>: every value of the type.
template <Atom T>
class AllDomain {
 public:
  using Carrier = T;
  bool contains(const T&) const { return true; }
  bool includes(const AllDomain&) const { return true; }
  std::string describe() const;
  friend bool operator==(const AllDomain&, const AllDomain&) { return true; }
};

// AllDomain<double>: every double; NaN is a member only when asked for. Infinities are members.
enum class Nan { kExcluded, kAllowed };
template <>
class AllDomain<double> {
 public:
  using Carrier = double;
  explicit AllDomain(Nan nan = Nan::kExcluded) : nan_(nan) {}
  Nan nan() const { return nan_; }
  bool contains(double value) const { return nan_ == Nan::kAllowed || !std::isnan(value); }
  bool includes(const AllDomain& other) const {
    return nan_ == Nan::kAllowed || other.nan_ == Nan::kExcluded;
  }
  std::string describe() const;
  friend bool operator==(const AllDomain&, const AllDomain&) = default;

 private:
  Nan nan_;
};

// IntervalDomain<T>: the values of the type from lower to upper, both included.
//
// Requires  lower ≤ upper, and some value of type T between them; else kBadParameter.
// Ensures   bounds given as rationals are narrowed to the outermost values of type T inside them,
//           which does not change the set, so equal sets have equal bounds.
template <Number T>
class IntervalDomain {
 public:
  using Carrier = T;
  IntervalDomain(const Rational& lower, const Rational& upper);
  const T& lower() const { return lower_; }
  const T& upper() const { return upper_; }
  // width: upper − lower, exact.
  Rational width() const;
  // magnitude: max(|lower|, |upper|), exact.
  Rational magnitude() const;
  bool contains(const T& value) const { return lower_ <= value && value <= upper_; }
  bool includes(const IntervalDomain& other) const {
    return lower_ <= other.lower_ && other.upper_ <= upper_;
  }
  std::string describe() const;
  friend bool operator==(const IntervalDomain& a, const IntervalDomain& b) {
    return a.lower_ == b.lower_ && a.upper_ == b.upper_;
  }

 private:
  T lower_;
  T upper_;
};

// GridDomain: the multiples of a power of two, as exact rationals. Exact sums live here.
class GridDomain {
 public:
  using Carrier = Rational;
  explicit GridDomain(Grid grid) : grid_(grid) {}
  const Grid& grid() const { return grid_; }
  bool contains(const Rational& value) const;
  bool includes(const GridDomain& other) const;
  std::string describe() const;
  friend bool operator==(const GridDomain& a, const GridDomain& b) {
    return a.grid_.exponent() == b.grid_.exponent();
  }

 private:
  Grid grid_;
};

// OptionalDomain<D>: a member of D, or null.
template <Domain D>
class OptionalDomain {
 public:
  using Carrier = std::optional<CarrierOf<D>>;
  explicit OptionalDomain(D element) : element_(std::move(element)) {}
  const D& element() const { return element_; }
  bool contains(const Carrier& value) const { return !value || element_.contains(*value); }
  bool includes(const OptionalDomain& other) const { return element_.includes(other.element_); }
  std::string describe() const { return element_.describe() + " or null"; }
  friend bool operator==(const OptionalDomain&, const OptionalDomain&) = default;

 private:
  D element_;
};

// PairDomain<A, B>: pairs of a member of A and a member of B, such as two columns of one row.
template <Domain A, Domain B>
class PairDomain {
 public:
  using Carrier = std::pair<CarrierOf<A>, CarrierOf<B>>;
  PairDomain(A first, B second) : first_(std::move(first)), second_(std::move(second)) {}
  const A& first() const { return first_; }
  const B& second() const { return second_; }
  bool contains(const Carrier& value) const {
    return first_.contains(value.first) && second_.contains(value.second);
  }
  bool includes(const PairDomain& other) const {
    return first_.includes(other.first_) && second_.includes(other.second_);
  }
  std::string describe() const {
    return "pairs of (" + first_.describe() + ") and (" + second_.describe() + ")";
  }
  friend bool operator==(const PairDomain&, const PairDomain&) = default;

 private:
  A first_;
  B second_;
};

// VectorDomain<D>: vectors of any length whose rows are members of D.
template <Domain D>
class VectorDomain {
 public:
  using Carrier = std::vector<CarrierOf<D>>;
  using Element = D;
  explicit VectorDomain(D element) : element_(std::move(element)) {}
  const D& element() const { return element_; }
  bool contains(const Carrier& rows) const {
    for (const auto& row : rows) {
      if (!element_.contains(row)) return false;
    }
    return true;
  }
  bool includes(const VectorDomain& other) const { return element_.includes(other.element_); }
  // with_element: vectors of the same shape with other rows.
  template <Domain E>
  VectorDomain<E> with_element(E element) const {
    return VectorDomain<E>(std::move(element));
  }
  std::string describe() const { return "vectors of " + element_.describe(); }
  friend bool operator==(const VectorDomain&, const VectorDomain&) = default;

 private:
  D element_;
};

// SizedVectorDomain<D>: vectors of exactly `size` rows; the size is public.
template <Domain D>
class SizedVectorDomain {
 public:
  using Carrier = std::vector<CarrierOf<D>>;
  using Element = D;
  SizedVectorDomain(D element, std::size_t size) : element_(std::move(element)), size_(size) {}
  const D& element() const { return element_; }
  std::size_t size() const { return size_; }
  bool contains(const Carrier& rows) const {
    return rows.size() == size_ && VectorDomain<D>(element_).contains(rows);
  }
  bool includes(const SizedVectorDomain& other) const {
    return size_ == other.size_ && element_.includes(other.element_);
  }
  template <Domain E>
  SizedVectorDomain<E> with_element(E element) const {
    return SizedVectorDomain<E>(std::move(element), size_);
  }
  std::string describe() const {
    return "vectors of exactly " + std::to_string(size_) + " " + element_.describe();
  }
  friend bool operator==(const SizedVectorDomain&, const SizedVectorDomain&) = default;

 private:
  D element_;
  std::size_t size_;
};

// MapDomain<K, V>: finite maps from members of K to members of V; a missing key counts as zero.
template <Domain K, Domain V>
class MapDomain {
 public:
  using Carrier = std::map<CarrierOf<K>, CarrierOf<V>, IdentityLess>;
  MapDomain(K key, V value) : key_(std::move(key)), value_(std::move(value)) {}
  const K& key() const { return key_; }
  const V& value() const { return value_; }
  bool contains(const Carrier& entries) const {
    for (const auto& [key, value] : entries) {
      if (!key_.contains(key) || !value_.contains(value)) return false;
    }
    return true;
  }
  bool includes(const MapDomain& other) const {
    return key_.includes(other.key_) && value_.includes(other.value_);
  }
  std::string describe() const {
    return "maps from " + key_.describe() + " to " + value_.describe();
  }
  friend bool operator==(const MapDomain&, const MapDomain&) = default;

 private:
  K key_;
  V value_;
};

// Short names for building domains: vector_of(interval(0, 200'000)).
inline AllDomain<std::int64_t> integers() { return {}; }
inline AllDomain<double> doubles() { return AllDomain<double>(Nan::kExcluded); }
inline AllDomain<double> doubles_or_nan() { return AllDomain<double>(Nan::kAllowed); }
inline AllDomain<bool> booleans() { return {}; }
inline AllDomain<std::string> strings() { return {}; }
inline AllDomain<Rational> rationals() { return {}; }

template <Number T>
IntervalDomain<T> interval(const Rational& lower, const Rational& upper) {
  return IntervalDomain<T>(lower, upper);
}
// Whole bounds make an interval of integers, doubles an interval of doubles (NaN and infinite
// bounds are refused).
template <std::integral T, std::integral U>
IntervalDomain<std::int64_t> interval(T lower, U upper) {
  return {Rational(lower), Rational(upper)};
}
IntervalDomain<double> interval(double lower, double upper);

template <Domain D>
OptionalDomain<D> optional_of(D element) {
  return OptionalDomain<D>(std::move(element));
}
template <Domain D>
VectorDomain<D> vector_of(D element) {
  return VectorDomain<D>(std::move(element));
}
template <Domain D>
SizedVectorDomain<D> vector_of(D element, std::size_t size) {
  return SizedVectorDomain<D>(std::move(element), size);
}
template <Domain A, Domain B>
PairDomain<A, B> pair_of(A first, B second) {
  return PairDomain<A, B>(std::move(first), std::move(second));
}

// DatasetDomain: a vector domain of either kind; SizedDomain: the kind with a public size.
template <class D>
inline constexpr bool is_sized_vector_domain = false;
template <class D>
inline constexpr bool is_sized_vector_domain<SizedVectorDomain<D>> = true;
template <class D>
inline constexpr bool is_vector_domain = is_sized_vector_domain<D>;
template <class D>
inline constexpr bool is_vector_domain<VectorDomain<D>> = true;
template <class D>
concept DatasetDomain = Domain<D> && is_vector_domain<D>;
template <class D>
concept SizedDomain = Domain<D> && is_sized_vector_domain<D>;

template <class D>
using ElementOf = typename D::Element;
template <class D>
using RowOf = CarrierOf<ElementOf<D>>;
// WithElement<D, E>: the vector domain of D's kind with rows in E.
template <DatasetDomain D, Domain E>
using WithElement = decltype(std::declval<const D&>().with_element(std::declval<E>()));

}  // namespace lastbit
