// The numbers that noise is added to, and how a mechanism that treats them one by one becomes a
// measurement of a single number or of a vector.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/core/measurement.h"
#include "lastbit/core/metric.h"
#include "lastbit/numerics/distance.h"

namespace lastbit {

// NoiseDomain: single numbers: all of a type, those of an interval, or those of a grid.
template <class D>
inline constexpr bool is_noise_domain = false;
template <Number T>
inline constexpr bool is_noise_domain<AllDomain<T>> = true;
template <Number T>
inline constexpr bool is_noise_domain<IntervalDomain<T>> = true;
template <>
inline constexpr bool is_noise_domain<GridDomain> = true;
template <class D>
concept NoiseDomain = Domain<D> && is_noise_domain<D>;

// LatticeDomain: those of them that lie on a grid of their own: integers and grids.
template <class D>
concept LatticeDomain =
    NoiseDomain<D> && (std::same_as<D, GridDomain> || std::same_as<CarrierOf<D>, std::int64_t>);

// NoiseSpace<D, M, V>: a single number with the absolute distance, or a vector with the metric V.
template <class D>
struct NoiseElement {
  using type = D;
};
template <DatasetDomain D>
struct NoiseElement<D> {
  using type = ElementOf<D>;
};
template <class D>
using NoiseElementOf = typename NoiseElement<D>::type;
template <class D, class M, class V>
concept NoiseSpace = NoiseDomain<NoiseElementOf<D>> && MetricOn<M, D> &&
                     (DatasetDomain<D> ? std::same_as<M, V> : std::same_as<M, AbsoluteDistance>);
template <class D, class M, class V>
concept LatticeSpace = NoiseSpace<D, M, V> && LatticeDomain<NoiseElementOf<D>>;

// Noisy<T>: what a number of type T is released as. An integer stays one and is cut at the ends of
// its type, which depends on the released sum alone; other numbers become exact rationals.
template <Number T>
using Noisy = std::conditional_t<std::same_as<T, std::int64_t>, std::int64_t, Rational>;
template <class T>
struct NoisyOutput {
  using type = Noisy<T>;
};
template <class T>
struct NoisyOutput<std::vector<T>> {
  using type = std::vector<Noisy<T>>;
};

namespace mechanism_internal {

template <class D>
const auto& element_of(const D& domain) {
  if constexpr (DatasetDomain<D>) {
    return domain.element();
  } else {
    return domain;
  }
}

// require_no_nan: noise does not hide whether a number is NaN.
template <class D>
void require_no_nan(std::string_view place, const D& domain) {
  if constexpr (std::same_as<NoiseElementOf<D>, AllDomain<double>>) {
    if (element_of(domain).nan() == Nan::kExcluded) return;
    throw Error::bad_parameter(place, "domain", "admits NaN, which noise does not hide",
                               "impute NaN first (make_impute_constant)");
  }
}

// finite: a number for each double, so that no value makes a release fail. Infinities become the
// largest finite doubles; NaN, which no domain here holds, counts as −∞.
inline double finite(double x) {
  constexpr double kMost = std::numeric_limits<double>::max();
  if (x >= -kMost) return x <= kMost ? x : kMost;
  return -kMost;
}

// release_one_by_one: `noise.release(span, bits)` as a function of one number or of a vector.
template <class Input, class Noise>
auto release_one_by_one(const Noise& noise) {
  return [noise](const Input& input, BitSource& bits) {
    if constexpr (Number<Input>) {
      return noise.release(std::span(&input, 1), bits).front();
    } else {
      return noise.release(std::span(input), bits);
    }
  };
}

// noise_measurement: the measurement that releases every number with `noise`.
template <class Measure, class D, class M, class Noise, class Map>
auto noise_measurement(std::string name, const D& domain, const M& metric, const Noise& noise,
                       Map map) {
  using Input = CarrierOf<D>;
  using Result = Measurement<D, M, typename NoisyOutput<Input>::type, Measure>;
  return Result(std::move(name), domain, metric, {}, release_one_by_one<Input>(noise),
                Result::PrivacyRelation::from_map(std::move(map)));
}

// scale_for: the scale that makes a loss of `range`/scale equal to epsilon, exactly.
Rational scale_for(std::string_view place, const Rational& epsilon, const Rational& sensitivity);

// require_scale: a kBadParameter Error unless scale > 0.
void require_scale(std::string_view place, const Rational& scale);

}  // namespace mechanism_internal
}  // namespace lastbit
