// Identity of values: two values are identical when no program can tell them apart.
//
// IEEE == is not identity: −0.0 == 0.0 although 1/x differs, and NaN ≠ NaN. Every count of
// occurrences, every set of categories and every distance here compares by identity, which for a
// double means its 64 bits. Only then is "equal rows give equal results" true of every function,
// and the row-transform lemma with it (proofs/core.md#identity).
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lastbit/numerics/rational.h"

namespace lastbit {

// identity_order: a total order whose "equal" is identity. −NaN < −∞ < … < −0.0 < 0.0 < … < NaN.
inline std::strong_ordering identity_order(double a, double b) { return std::strong_order(a, b); }
inline std::strong_ordering identity_order(bool a, bool b) { return a <=> b; }
inline std::strong_ordering identity_order(std::int64_t a, std::int64_t b) { return a <=> b; }
inline std::strong_ordering identity_order(const std::string& a, const std::string& b) {
  return a <=> b;
}
inline std::strong_ordering identity_order(const Rational& a, const Rational& b) { return a <=> b; }
template <class T>
std::strong_ordering identity_order(const std::optional<T>& a, const std::optional<T>& b);
template <class A, class B>
std::strong_ordering identity_order(const std::pair<A, B>& a, const std::pair<A, B>& b);
template <class T>
std::strong_ordering identity_order(const std::vector<T>& a, const std::vector<T>& b);

template <class T>
bool identical(const T& a, const T& b) {
  return identity_order(a, b) == 0;
}

// IdentityLess: identity_order as a comparator for std::map, std::set and std::sort.
struct IdentityLess {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return identity_order(a, b) < 0;
  }
};

template <class T>
std::strong_ordering identity_order(const std::optional<T>& a, const std::optional<T>& b) {
  if (!a || !b) return a.has_value() <=> b.has_value();
  return identity_order(*a, *b);
}

template <class A, class B>
std::strong_ordering identity_order(const std::pair<A, B>& a, const std::pair<A, B>& b) {
  const auto first = identity_order(a.first, b.first);
  return first != 0 ? first : identity_order(a.second, b.second);
}

template <class T>
std::strong_ordering identity_order(const std::vector<T>& a, const std::vector<T>& b) {
  const std::size_t shared = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < shared; ++i) {
    const auto order = identity_order(T(a[i]), T(b[i]));
    if (order != 0) return order;
  }
  return a.size() <=> b.size();
}

}  // namespace lastbit
