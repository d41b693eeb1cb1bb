// Chaining: left >> right feeds the output of one piece to the next.
//
//   transformation >> transformation    is a transformation
//   transformation >> measurement       is a measurement
//   measurement    >> postprocess(f)    is a measurement with the same privacy relation
//   transformation >> step              where step builds the next piece for the domain it meets
//
// Pieces with different kinds of domain or metric do not compile together. Pieces that differ only
// in a value (a bound, a size) are compared here; metrics that differ, and a left output domain
// that is not within the right input domain, are kMismatch Errors. Proof: proofs/core.md#chaining.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/core/measurement.h"
#include "lastbit/core/transformation.h"

namespace lastbit {

// Chainable: what Left puts out is of the kind that Right takes.
template <class Left, class Right>
concept Chainable =
    AnyTransformation<Left> && (AnyTransformation<Right> || AnyMeasurement<Right>) &&
    std::same_as<typename Left::OutputDomain, typename Right::InputDomain> &&
    std::same_as<typename Left::OutputMetric, typename Right::InputMetric>;

// Step: a constructor that still waits for the domain and metric it will be applied to.
template <class F>
struct Step {
  F build;  // (domain, metric) -> transformation or measurement
};
template <class F>
Step(F) -> Step<F>;

// Postprocess: a function of a measurement's output alone; it costs no privacy.
template <class F>
struct Postprocess {
  F function;
};
template <class F>
Postprocess<F> postprocess(F function) {
  return {std::move(function)};
}

namespace chain_internal {

template <class Left, class Right>
void require_fit(const Left& left, const Right& right) {
  if (!(left.output_metric() == right.input_metric())) {
    throw Error(ErrorCode::kMismatch, left.name() + " >> " + right.name(),
                "the two sides measure distances differently",
                "make the right side for the metric that the left side gives");
  }
  if (right.input_domain().includes(left.output_domain())) return;
  throw Error(ErrorCode::kMismatch, left.name() + " >> " + right.name(),
              "the left side gives " + left.output_domain().describe() +
                  " but the right side takes " + right.input_domain().describe(),
              "make the two domains agree (the left may give a subset of what the right takes)");
}

template <class Left, class Right>
auto join(
    const Left& left, const Right& right,
    Relation<typename Left::DistanceIn,
             std::remove_cvref_t<decltype(right.map(std::declval<typename Right::DistanceIn>()))>>
        relation) {
  using Input = typename Left::Input;
  const std::string name = left.name() + " >> " + right.name();
  if constexpr (AnyMeasurement<Right>) {
    return Measurement<typename Left::InputDomain, typename Left::InputMetric,
                       typename Right::Output, typename Right::PrivacyMeasure>(
        name, left.input_domain(), left.input_metric(), right.measure(),
        [left, right](const Input& input, BitSource& bits) {
          return right(left(input, bits), bits);
        },
        std::move(relation));
  } else if constexpr (Left::kRandomised || Right::kRandomised) {
    return RandomTransformation<typename Left::InputDomain, typename Left::InputMetric,
                                typename Right::OutputDomain, typename Right::OutputMetric>(
        name, left.input_domain(), left.input_metric(), right.output_domain(),
        right.output_metric(),
        [left, right](const Input& input, BitSource& bits) {
          return right(left(input, bits), bits);
        },
        std::move(relation));
  } else {
    return Transformation<typename Left::InputDomain, typename Left::InputMetric,
                          typename Right::OutputDomain, typename Right::OutputMetric>(
        name, left.input_domain(), left.input_metric(), right.output_domain(),
        right.output_metric(), [left, right](const Input& input) { return right(left(input)); },
        std::move(relation));
  }
}

template <class Right>
const auto& relation_of(const Right& right) {
  if constexpr (AnyMeasurement<Right>) {
    return right.privacy();
  } else {
    return right.stability();
  }
}

}  // namespace chain_internal

template <class Left, class Right>
  requires Chainable<Left, Right>
auto operator>>(const Left& left, const Right& right) {
  chain_internal::require_fit(left, right);
  return chain_internal::join(
      left, right, chain_relations(left.stability(), chain_internal::relation_of(right)));
}

// chain_through: left >> right for a left side without a map; hint(d_in, d_out) chooses the
// distance in the middle, and both halves are tested with it.
template <class Left, class Right, class Hint>
  requires Chainable<Left, Right>
auto chain_through(const Left& left, const Right& right, Hint hint) {
  chain_internal::require_fit(left, right);
  return chain_internal::join(
      left, right,
      chain_relations_through(left.stability(), chain_internal::relation_of(right),
                              {std::move(hint)}));
}

template <AnyTransformation Left, class F>
  requires std::invocable<const F&, const typename Left::OutputDomain&,
                          const typename Left::OutputMetric&>
auto operator>>(const Left& left, const Step<F>& step) {
  return left >> step.build(left.output_domain(), left.output_metric());
}

// Combinations that do not fit are deleted rather than left out, so that the compiler points here
// instead of listing every operator >>. Look at the output domain and metric of the left side
// (named in the compiler's message) and at what the right side takes.
template <AnyTransformation Left, class Right>
  requires((AnyTransformation<Right> || AnyMeasurement<Right>) && !Chainable<Left, Right>)
void operator>>(const Left& left, const Right& right) = delete;

template <AnyTransformation Left, class F>
  requires(!std::invocable<const F&, const typename Left::OutputDomain&,
                           const typename Left::OutputMetric&>)
void operator>>(const Left& left, const Step<F>& step) = delete;

template <AnyMeasurement Left, class F>
  requires std::invocable<const F&, const typename Left::Output&>
auto operator>>(const Left& left, const Postprocess<F>& post) {
  using Output = std::remove_cvref_t<std::invoke_result_t<const F&, const typename Left::Output&>>;
  return Measurement<typename Left::InputDomain, typename Left::InputMetric, Output,
                     typename Left::PrivacyMeasure>(
      left.name() + " >> postprocess", left.input_domain(), left.input_metric(), left.measure(),
      [left, function = post.function](const typename Left::Input& input, BitSource& bits) {
        return Output(function(left(input, bits)));
      },
      left.privacy());
}

}  // namespace lastbit
