// Requests: what an analyst says about a statistic. All of it is public, and all of it is exact:
// bounds, sizes and losses are rationals, so 0.1 written as rational("0.1") is 1/10.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lastbit/numerics/rational.h"
#include "lastbit/transformations/aggregates/histogram.h"

namespace lastbit {

// PrivateSize: nobody knows how many rows there are. PublicSize: everybody does; a column of
// another length is silently cut to a random subset or filled up with the middle of the bounds.
struct PrivateSize {};
struct PublicSize {
  Integer rows;
};
using Size = std::variant<PrivateSize, PublicSize>;

// Nulls: what happens to missing values, including NaN: they are left out, or replaced by a
// constant.
class Nulls {
 public:
  static Nulls dropped() { return Nulls(std::nullopt); }
  static Nulls imputed(Rational value) { return Nulls(std::move(value)); }
  // value: the constant; nothing if nulls are left out.
  const std::optional<Rational>& value() const { return value_; }

 private:
  explicit Nulls(std::optional<Rational> value) : value_(std::move(value)) {}
  std::optional<Rational> value_;
};

// A request whose epsilon or bounds are not set is refused. `confidence` is the probability that
// the stated interval holds the statistic.
struct CountRequest {
  Rational epsilon = 0;
  Rational confidence = Rational(19, 20);
  Nulls nulls = Nulls::dropped();  // with imputed(…) every row counts
};

// ColumnRequest: a statistic of one column; rows outside [lower, upper] count as the nearer bound.
struct ColumnRequest {
  Rational lower = 0;
  Rational upper = 0;
  Size rows = PrivateSize{};
  Rational epsilon = 0;
  Rational confidence = Rational(19, 20);
  Nulls nulls = Nulls::dropped();
};
using SumRequest = ColumnRequest;
using MeanRequest = ColumnRequest;
using VarianceRequest = ColumnRequest;

// Bounds: of one column.
struct Bounds {
  Rational lower = 0;
  Rational upper = 0;
};

// CovarianceRequest: of pairs; a pair with a missing value is left out.
struct CovarianceRequest {
  Bounds first;
  Bounds second;
  Size rows = PrivateSize{};
  Rational epsilon = 0;
  Rational confidence = Rational(19, 20);
};

// HistogramRequest: how often each category occurs; missing values are in none. With the given
// confidence, the intervals of all cells hold at once.
template <class T>
struct HistogramRequest {
  std::vector<T> categories;
  Other other = Other::kDropped;
  Rational epsilon = 0;
  Rational confidence = Rational(19, 20);
};
// BinsRequest: how many rows lie in [e0, e1), [e1, e2), …, [e(m−1), em].
struct BinsRequest {
  std::vector<Rational> edges;
  Rational epsilon = 0;
  Rational confidence = Rational(19, 20);
};

namespace statistics_internal {

// The checks; each throws a kBadParameter Error that names `place` and the parameter.
void require_loss(std::string_view place, const Rational& epsilon, const Rational& confidence);
void require_bounds(std::string_view place, const Rational& lower, const Rational& upper);
// require_width: the bounds hold at least two values of the column's type.
void require_width(std::string_view place, const Rational& width);
// public_rows: the declared size, nothing when it is private; fewer than `least` are refused.
std::optional<std::size_t> public_rows(std::string_view place, const Size& size, std::size_t least);
// require_imputed: the constant, if there is one, lies within the bounds.
void require_imputed(std::string_view place, const Nulls& nulls, const Rational& lower,
                     const Rational& upper);

}  // namespace statistics_internal
}  // namespace lastbit
