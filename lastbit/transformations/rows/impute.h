// Imputing: rows without a value get one, or are dropped.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lastbit/numerics/grid.h"
#include "lastbit/random/uniform.h"
#include "lastbit/transformations/rows/row_transform.h"

namespace lastbit {

// OptionalRows: a vector domain whose rows may be null.
template <class E>
inline constexpr bool is_optional_domain = false;
template <class E>
inline constexpr bool is_optional_domain<OptionalDomain<E>> = true;
template <class D>
concept OptionalRows = DatasetDomain<D> && is_optional_domain<ElementOf<D>>;

// PresentOf<D>: the domain of the rows of D that are not null; PresentRow<D>: their type.
template <OptionalRows D>
using PresentOf = std::remove_cvref_t<decltype(std::declval<const D&>().element().element())>;
template <OptionalRows D>
using PresentRow = CarrierOf<PresentOf<D>>;

// make_impute_constant
// Replaces null rows by `value`.
// Requires  typed: vectors of optional rows, a dataset metric, a literal for the rows.  checked:
//           value is a member of the rows' domain, else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = d_in, for each of the four dataset metrics; the rows are no longer optional.
// Fails     never.
// Proof     proofs/transformations-rows.md#impute-constant
template <OptionalRows D, class M, RowValue<PresentRow<D>> V>
  requires DatasetSpace<D, M>
auto make_impute_constant(const D& domain, const M& metric, const V& value) {
  const PresentOf<D>& present = domain.element().element();
  return rows_internal::row_by_row(
      "impute constant", domain, metric, present,
      [constant = row_value_of(present, value, "make_impute_constant", "value")](
          const RowOf<D>& row) { return row.value_or(constant); });
}

// make_impute_constant, for NaN
// Replaces NaN rows by `value`.
// Requires  typed: vectors of all doubles, a dataset metric, a literal for a double.  checked: value
//           is not NaN, else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = d_in, for each of the four dataset metrics; the rows are doubles without NaN.
// Fails     never.
// Proof     proofs/transformations-rows.md#impute-constant
template <DatasetDomain D, class M, RowValue<double> V>
  requires(DatasetSpace<D, M> && std::same_as<ElementOf<D>, AllDomain<double>>)
auto make_impute_constant(const D& domain, const M& metric, const V& value) {
  return rows_internal::row_by_row(
      "impute constant", domain, metric, doubles(),
      [constant = row_value_of(doubles(), value, "make_impute_constant", "value")](
          const double& row) { return std::isnan(row) ? constant : row; });
}

// make_impute_constant, step form: for the rows it meets in a chain.
// Requires  as the full forms.
// Ensures   as the full forms.
// Proof     proofs/transformations-rows.md#impute-constant
template <class V>
auto make_impute_constant(const V& value) {
  return Step{[kept = kept_value(value)]<class D, class M>(const D& domain, const M& metric)
                requires requires {
                  make_impute_constant(domain, metric, kept_value(std::declval<const V&>()));
                }
              { return make_impute_constant(domain, metric, kept); }};
}

// make_drop_null
// Leaves out the null rows; the others keep their order.
// Requires  typed: vectors of optional rows of any size, the symmetric or the insert-delete
//           distance.  checked: nothing.  caller: nothing.
// Ensures   map(d_in) = d_in; the rows are no longer optional. The number of rows that are left is
//           private, so vectors of a public size are not taken.
// Fails     never.
// Proof     proofs/transformations-rows.md#drop-null
template <Domain E, class M>
  requires(DatasetSpace<VectorDomain<OptionalDomain<E>>, M>)
auto make_drop_null(const VectorDomain<OptionalDomain<E>>& domain, const M& metric) {
  using Input = VectorDomain<OptionalDomain<E>>;
  return Transformation<Input, M, VectorDomain<E>, M>(
      "drop null", domain, metric, vector_of(domain.element().element()), metric,
      [](const CarrierOf<Input>& rows) {
        std::vector<CarrierOf<E>> present;
        for (const auto& row : rows) {
          if (row) present.push_back(*row);
        }
        return present;
      },
      Relation<Distance, Distance>::linear(1));
}

// make_drop_null, step form: for the rows it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/transformations-rows.md#drop-null
inline auto make_drop_null() {
  return Step{[]<class D, class M>(const D& domain, const M& metric)
                requires requires { make_drop_null(domain, metric); }
              { return make_drop_null(domain, metric); }};
}

namespace rows_internal {

// UniformInteger: the integers of [lower, upper], each with the same probability.
class UniformInteger {
 public:
  UniformInteger(const Rational& lower, const Rational& upper) : range_(lower, upper) {}
  std::int64_t lowest() const { return range_.lower(); }
  std::int64_t highest() const { return range_.upper(); }
  std::int64_t operator()(BitSource& bits) const {
    return uniform_between(bits, range_.lower(), range_.upper());
  }

 private:
  IntervalDomain<std::int64_t> range_;
};

// UniformGridPoint: the points of a grid in [lower, upper], each with the same probability. Each of
// them is a double, which is checked when it is built.
class UniformGridPoint {
 public:
  UniformGridPoint(const Rational& lower, const Rational& upper, const Grid& grid);
  double lowest() const { return point(first_); }
  double highest() const { return point(last_); }
  double operator()(BitSource& bits) const { return point(uniform_between(bits, first_, last_)); }

 private:
  // index · spacing is a double, so the product is not rounded.
  double point(std::int64_t index) const { return static_cast<double>(index) * spacing_; }

  std::int64_t first_;
  std::int64_t last_;
  double spacing_;
};

template <OptionalRows D, class M, class Draw>
auto impute_draws(const D& domain, const M& metric, const Draw& draw) {
  const PresentOf<D>& present = domain.element().element();
  // The rows' domain has no gaps, so it also holds what lies between the two ends.
  if (!present.contains(draw.lowest()) || !present.contains(draw.highest())) {
    throw Error::bad_parameter("make_impute_uniform", "lower",
                               "and upper reach outside the " + present.describe(),
                               "draw from an interval inside the rows' domain");
  }
  using Output = WithElement<D, PresentOf<D>>;
  return RandomTransformation<D, M, Output, M>(
      "impute uniform", domain, metric, domain.with_element(present), metric,
      [draw](const CarrierOf<D>& rows, BitSource& bits) {
        CarrierOf<Output> results;
        results.reserve(rows.size());
        for (const auto& row : rows) results.push_back(row ? *row : draw(bits));
        return results;
      },
      Relation<Distance, Distance>::linear(1));
}

}  // namespace rows_internal

// make_impute_uniform
// Replaces each null row by its own draw from the integers in [lower, upper], all equally likely.
// Rows that are not null stay as they are, even outside [lower, upper].
// Requires  typed: vectors of optional integers (all of them or an interval), a dataset metric.
//           checked: an integer lies in [lower, upper], and all of those are in the rows' domain,
//           else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = d_in, for each of the four dataset metrics, by coupling.
// Limits    the number of bits drawn grows with the number of null rows, and so does the time.
// Fails     kEntropy or kTapeEnded, with the source.
// Proof     proofs/transformations-rows.md#impute-uniform
template <OptionalRows D, class M>
  requires(DatasetSpace<D, M> && NumberDomain<PresentOf<D>> &&
           std::same_as<PresentRow<D>, std::int64_t>)
auto make_impute_uniform(const D& domain, const M& metric, const Rational& lower,
                         const Rational& upper) {
  return rows_internal::impute_draws(domain, metric, rows_internal::UniformInteger(lower, upper));
}

// make_impute_uniform, for doubles
// Replaces each null row by its own draw from the points of `grid` in [lower, upper], all equally
// likely. Rows that are not null stay as they are.
// Requires  typed: vectors of optional doubles (all of them or an interval), a dataset metric.
//           checked: some point of the grid lies in [lower, upper], all of those are doubles, and
//           all are in the rows' domain, else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = d_in, for each of the four dataset metrics, by coupling.
// Limits    the number of bits drawn grows with the number of null rows, and so does the time.
// Fails     kEntropy or kTapeEnded, with the source.
// Proof     proofs/transformations-rows.md#impute-uniform
template <OptionalRows D, class M>
  requires(DatasetSpace<D, M> && NumberDomain<PresentOf<D>> && std::same_as<PresentRow<D>, double>)
auto make_impute_uniform(const D& domain, const M& metric, const Rational& lower,
                         const Rational& upper, const Grid& grid) {
  return rows_internal::impute_draws(domain, metric,
                                     rows_internal::UniformGridPoint(lower, upper, grid));
}

// make_impute_uniform, step forms: for the rows it meets in a chain, without a grid for integers
// and with one for doubles.
// Requires  as the full forms.
// Ensures   as the full forms.
// Proof     proofs/transformations-rows.md#impute-uniform
inline auto make_impute_uniform(const Rational& lower, const Rational& upper) {
  return Step{[lower, upper]<class D, class M>(const D& domain, const M& metric)
                requires requires { make_impute_uniform(domain, metric, Rational(), Rational()); }
              { return make_impute_uniform(domain, metric, lower, upper); }};
}
inline auto make_impute_uniform(const Rational& lower, const Rational& upper, const Grid& grid) {
  return Step{
      [lower, upper, grid]<class D, class M>(const D& domain, const M& metric)
        requires requires { make_impute_uniform(domain, metric, Rational(), Rational(), Grid(0)); }
      { return make_impute_uniform(domain, metric, lower, upper, grid); }};
}

}  // namespace lastbit
