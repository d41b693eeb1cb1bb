// The data that chains from Python start with, and the kinds of chains that there are.
//
// In C++ the kind of a chain is its type. Python has one type of chain, so a chain here is one of a
// list of C++ chains. They are joined by the operators of lastbit/core/chain.h, which also join the
// maps: nothing is derived again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lastbit/core/domain.h"
#include "lastbit/core/measure.h"
#include "lastbit/core/measurement.h"
#include "lastbit/core/metric.h"
#include "lastbit/core/transformation.h"
#include "lastbit/numerics/distance.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::python {

// Rows: a column of whole numbers, or one of floats.
using Rows = std::variant<std::vector<std::int64_t>, std::vector<double>>;

// RowsDomain: one of the datasets below, as a domain whose type does not say which.
class RowsDomain {
 public:
  using Carrier = Rows;
  using Dataset =
      std::variant<VectorDomain<AllDomain<std::int64_t>>,
                   SizedVectorDomain<AllDomain<std::int64_t>>, VectorDomain<AllDomain<double>>,
                   SizedVectorDomain<AllDomain<double>>>;

  explicit RowsDomain(Dataset dataset) : dataset_(std::move(dataset)) {}

  bool contains(const Rows& rows) const {
    return std::visit(
        [&]<class D>(const D& domain) {
          const auto* const own = std::get_if<CarrierOf<D>>(&rows);
          return own != nullptr && domain.contains(*own);
        },
        dataset_);
  }
  bool includes(const RowsDomain& other) const {
    return std::visit(
        [&]<class D>(const D& domain) {
          const auto* const same = std::get_if<D>(&other.dataset_);
          return same != nullptr && domain.includes(*same);
        },
        dataset_);
  }
  // size: the number of rows, where it is public.
  std::optional<std::size_t> size() const {
    return std::visit(
        []<class D>(const D& domain) -> std::optional<std::size_t> {
          if constexpr (SizedDomain<D>) return domain.size();
          return std::nullopt;
        },
        dataset_);
  }
  std::string describe() const {
    return std::visit([](const auto& domain) { return domain.describe(); }, dataset_);
  }
  friend bool operator==(const RowsDomain&, const RowsDomain&) = default;

 private:
  Dataset dataset_;
};

// RowsDistance: how many rows to add and remove; rows of different kinds are infinitely far apart.
struct RowsDistance {
  using Value = Distance;
  static constexpr std::string_view kName = SymmetricDistance::kName;
  Distance distance(const Rows& u, const Rows& v) const {
    return std::visit(
        [&]<class T>(const T& rows) {
          const auto* const same = std::get_if<T>(&v);
          return same == nullptr ? Distance::infinity() : SymmetricDistance{}.distance(rows, *same);
        },
        u);
  }
  friend bool operator==(const RowsDistance&, const RowsDistance&) = default;
};

}  // namespace lastbit::python

namespace lastbit {
template <>
inline constexpr bool metric_fits<python::RowsDistance, python::RowsDomain> = true;
}  // namespace lastbit

namespace lastbit::python {

// ChainTo<D, M>: rows to members of D. Every chain may draw bits; most do not.
template <class D, class M>
using ChainTo = RandomTransformation<RowsDomain, RowsDistance, D, M>;

template <class D>
using DatasetChain = ChainTo<D, SymmetricDistance>;
template <class D>
using NumberChain = ChainTo<D, AbsoluteDistance>;
using Counts = SizedVectorDomain<AllDomain<std::int64_t>>;

using Chain =
    std::variant<DatasetChain<VectorDomain<AllDomain<std::int64_t>>>,
                 DatasetChain<VectorDomain<IntervalDomain<std::int64_t>>>,
                 DatasetChain<SizedVectorDomain<AllDomain<std::int64_t>>>,
                 DatasetChain<SizedVectorDomain<IntervalDomain<std::int64_t>>>,
                 DatasetChain<VectorDomain<AllDomain<double>>>,
                 DatasetChain<VectorDomain<IntervalDomain<double>>>,
                 DatasetChain<SizedVectorDomain<AllDomain<double>>>,
                 DatasetChain<SizedVectorDomain<IntervalDomain<double>>>,
                 NumberChain<AllDomain<std::int64_t>>, NumberChain<IntervalDomain<std::int64_t>>,
                 NumberChain<GridDomain>, NumberChain<IntervalDomain<Rational>>,
                 ChainTo<Counts, L1Distance>, ChainTo<Counts, L2Distance>>;

// Answer: what a measurement releases; several where measurements are composed.
using Answer =
    std::variant<std::int64_t, Rational, std::vector<std::int64_t>, std::vector<Rational>>;
using Answers = std::vector<Answer>;
template <class Measure>
using Release = Measurement<RowsDomain, RowsDistance, Answers, Measure>;
using Measured = std::variant<Release<MaxDivergence>, Release<ZeroConcentratedDivergence>>;

// rows_chain: the start of a chain, the rows themselves. A NaN that `inside` does not have counts
// as -infinity.
// Requires  caller: `outside` holds rows of the type that `inside` has, and as many.
// Ensures   map(d_in) = d_in: each row stays or is replaced, whatever the others are.
// Fails     never.
// Proof     proofs/transformations-rows.md#row-transform
template <class D>
DatasetChain<D> rows_chain(const RowsDomain& outside, const D& inside) {
  return DatasetChain<D>(
      "rows", outside, {}, inside, {},
      [inside](const Rows& rows, BitSource&) {
        CarrierOf<D> own = std::get<CarrierOf<D>>(rows);
        if constexpr (std::same_as<RowOf<D>, double>) {
          for (double& row : own) {
            if (!inside.element().contains(row)) row = -std::numeric_limits<double>::infinity();
          }
        }
        return own;
      },
      Relation<Distance, Distance>::linear(1));
}

}  // namespace lastbit::python
