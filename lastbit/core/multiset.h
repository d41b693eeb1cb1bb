// Data as vectors, seen as multisets and histograms.
//
// A dataset is a std::vector: an ordered list of rows. MultiSet(v) forgets the order and keeps how
// often each value occurs; the histogram h_v is the same information as a function from values to
// counts with finite support. One class holds both views (proofs/core.md#multisets).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/core/identity.h"

namespace lastbit {

template <class T>
class Multiset {
 public:
  using Histogram = std::map<T, std::int64_t, IdentityLess>;

  Multiset() = default;
  // MultiSet(v): the rows of `rows` without their order.
  explicit Multiset(const std::vector<T>& rows) {
    for (const T& row : rows) ++histogram_[row];
  }
  // from_histogram: the inverse view; counts must not be negative, zeros are dropped.
  static Multiset from_histogram(const Histogram& histogram) {
    Multiset multiset;
    for (const auto& [value, count] : histogram) {
      if (count < 0) {
        throw Error::bad_parameter("multiset", "histogram", "holds a negative count",
                                   "a value occurs zero or more times");
      }
      if (count > 0) multiset.histogram_.emplace(value, count);
    }
    return multiset;
  }

  // histogram: h_v, on its support.
  const Histogram& histogram() const { return histogram_; }
  // multiplicity: h_v(value).
  std::int64_t multiplicity(const T& value) const {
    const auto found = histogram_.find(value);
    return found == histogram_.end() ? 0 : found->second;
  }
  std::int64_t size() const {
    std::int64_t total = 0;
    for (const auto& [value, count] : histogram_) total += count;
    return total;
  }
  // distinct: the set of values that occur, each once.
  std::vector<T> distinct() const {
    std::vector<T> values;
    for (const auto& [value, count] : histogram_) values.push_back(value);
    return values;
  }
  // elements: a vector with this multiset, in identity order.
  std::vector<T> elements() const {
    std::vector<T> rows;
    for (const auto& [value, count] : histogram_) {
      rows.insert(rows.end(), static_cast<std::size_t>(count), value);
    }
    return rows;
  }

  friend bool operator==(const Multiset& a, const Multiset& b) {
    return symmetric_difference(a, b).histogram_.empty();
  }

 private:
  Histogram histogram_;
};

// symmetric_difference: a Δ b; each value occurs |h_a − h_b| times.
template <class T>
Multiset<T> symmetric_difference(const Multiset<T>& a, const Multiset<T>& b) {
  typename Multiset<T>::Histogram difference = a.histogram();
  for (const auto& [value, count] : b.histogram()) difference[value] -= count;
  for (auto& [value, count] : difference) count = count < 0 ? -count : count;
  return Multiset<T>::from_histogram(difference);
}

}  // namespace lastbit
