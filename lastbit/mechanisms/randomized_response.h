// Randomised response: each answer is true with a known probability, otherwise a random other one.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/core/chain.h"
#include "lastbit/core/measurement.h"
#include "lastbit/core/metric.h"
#include "lastbit/numerics/distance.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

// RandomizedResponse: on the categories 0, …, k − 1.
// Requires  checked: k ≥ 2; 0 ≤ truth ≤ 1; else kBadParameter.
// Ensures   respond(i) is i with probability exactly `truth`, and each other category with
//           probability exactly (1 − truth)/(k − 1).
// Limits    every answer draws a coin and a category, whether needed or not; but how many bits the
//           coin takes depends on how it falls (proofs/random.md#bernoulli).
// Fails     with the Errors of the source.
// Proof     proofs/mechanisms.md#randomized-response
class RandomizedResponse {
 public:
  RandomizedResponse(std::size_t categories, const Rational& truth);

  // respond: an index below the number of categories; a larger one counts as 0.
  std::size_t respond(std::size_t category, BitSource& bits) const;

  // ratio: the largest ratio of two probabilities of one answer; infinite if one is 0.
  const Distance& ratio() const { return ratio_; }
  // loss: the smallest binary fraction of 64 bits that is at least ln(ratio); 0 for a ratio of 1.
  const Distance& loss() const { return loss_; }

 private:
  std::size_t categories_;
  Rational truth_;
  Distance ratio_;
  Distance loss_;
};

// ResponseSpace: single answers with the discrete distance, or a public number of them, in order,
// with the Hamming distance. (Distances that ignore order do not fit: the answers keep it.)
template <class D, class M>
concept ResponseSpace = MetricOn<M, D> && (std::same_as<M, DiscreteDistance> ||
                                           (SizedDomain<D> && std::same_as<M, HammingDistance>));

namespace mechanism_internal {

template <class D>
struct Answer {
  using type = CarrierOf<D>;
};
template <SizedDomain D>
struct Answer<D> {
  using type = RowOf<D>;
};
template <class D>
using AnswerOf = typename Answer<D>::type;

// answers_changed: the most answers in which inputs that are d_in apart can differ.
inline Distance answers_changed(const auto& /*domain*/, const DiscreteDistance& /*metric*/,
                                const Distance& d_in) {
  return std::min(d_in.floor(), Distance(1));
}
inline Distance answers_changed(const auto& domain, const HammingDistance& metric,
                                const Distance& d_in) {
  return rows_changed(domain, metric, d_in);
}

// Categories: the possible answers and their numbers; unlisted answers count as the first.
template <class T>
class Categories {
 public:
  explicit Categories(std::vector<T> values) : values_(std::move(values)) {
    for (const T& value : values_) {
      if (numbers_.emplace(value, numbers_.size()).second) continue;
      throw Error::bad_parameter("make_randomized_response", "categories",
                                 "names one category twice", "list each category once");
    }
  }
  std::size_t size() const { return values_.size(); }
  std::size_t number_of(const T& value) const {
    const auto found = numbers_.find(value);
    return found == numbers_.end() ? 0 : found->second;
  }
  T value_of(std::size_t number) const { return values_[number]; }

 private:
  std::vector<T> values_;
  std::map<T, std::size_t, IdentityLess> numbers_;
};

}  // namespace mechanism_internal

// make_randomized_response
// Releases each answer as it is with probability `truth`, and otherwise as another one of the given
// categories, all equally likely. An answer that is not listed counts as the first category.
// Requires  typed: one value with the discrete distance, or a public number of values with the
//           Hamming distance; categories of their type.  checked: at least two categories, no two
//           identical; 0 ≤ truth ≤ 1; else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = k·loss, where k = ⌊d_in⌋ answers change, at most 1 for a single answer and
//           at most all of several; loss is ln(max(r, 1/r)), r = truth·(k' − 1)/(1 − truth) for k'
//           categories, rounded up to 64 bits, and infinite for a truth of 0 or 1. The relation is
//           map(d_in) ≤ d_out, so responses can be composed.
// Limits    the time depends on how the coins fall; see RandomizedResponse.
// Fails     when releasing: with the Errors of the source, whatever the input is.
// Source    [Warner1965]
// Proof     proofs/mechanisms.md#randomized-response
template <class D, class M>
  requires ResponseSpace<D, M>
auto make_randomized_response(
    const D& domain, const M& metric,
    const std::type_identity_t<std::vector<mechanism_internal::AnswerOf<D>>>& categories,
    const Rational& truth) {
  using Value = mechanism_internal::AnswerOf<D>;
  const mechanism_internal::Categories<Value> answers(categories);
  const RandomizedResponse response(answers.size(), truth);
  const auto respond = [answers, response](const Value& value, BitSource& bits) {
    return answers.value_of(response.respond(answers.number_of(value), bits));
  };
  using Result = Measurement<D, M, CarrierOf<D>, MaxDivergence>;
  return Result(
      "randomised response", domain, metric, {},
      [respond](const CarrierOf<D>& input, BitSource& bits) {
        if constexpr (SizedDomain<D>) {
          CarrierOf<D> result;
          result.reserve(input.size());
          for (const Value& value : input) result.push_back(respond(value, bits));
          return result;
        } else {
          return respond(input, bits);
        }
      },
      Result::PrivacyRelation::from_map(
          [domain, metric, loss = response.loss()](const Distance& d_in) {
            return mechanism_internal::answers_changed(domain, metric, d_in) * loss;
          }));
}

// make_randomized_response, for booleans: the categories are false and true.
// Requires  as above.
// Ensures   as above; r = truth/(1 − truth).
// Proof     proofs/mechanisms.md#randomized-response
template <class D, class M>
  requires(ResponseSpace<D, M> && std::same_as<mechanism_internal::AnswerOf<D>, bool>)
auto make_randomized_response(const D& domain, const M& metric, const Rational& truth) {
  return make_randomized_response(domain, metric, {false, true}, truth);
}

// make_randomized_response, step forms: for the answers they meet in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/mechanisms.md#randomized-response
template <class T>
auto make_randomized_response(std::vector<T> categories, const Rational& truth) {
  return Step{[categories = std::move(categories), truth]<class D, class M>(const D& domain,
                                                                            const M& metric)
                requires(ResponseSpace<D, M> && std::same_as<mechanism_internal::AnswerOf<D>, T>)
              { return make_randomized_response(domain, metric, categories, truth); }};
}
inline auto make_randomized_response(const Rational& truth) {
  return Step{[truth]<class D, class M>(const D& domain, const M& metric)
                requires(ResponseSpace<D, M> && std::same_as<mechanism_internal::AnswerOf<D>, bool>)
              { return make_randomized_response(domain, metric, truth); }};
}

}  // namespace lastbit
