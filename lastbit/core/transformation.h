// Transformation: a function between metric spaces together with a proof-carrying claim about how
// far apart its outputs can be: input domain and metric, output domain and metric, function,
// stability relation.
//
// Requires  caller: the function maps members of the input domain into the output domain, and the
//           relation is sound for it (that is what each constructor's proof note shows and what
//           lastbit/verify/stability checks).
// Ensures   relation(d_in, d_out) true ⇒ for all d_in-close members x, x' of the input domain,
//           deterministic: f(x) and f(x') are d_out-close;
//           randomised:    some coupling of f(x) and f(x') is d_out-close with probability 1.
// Fails     invoking: only as the function itself does, independently of the data. Membership is
//           not checked on private data; see require_member.
// Source    [Gaboardi2020]; [Casacuberta2021]
// Proof     proofs/core.md#transformations
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "lastbit/core/domain.h"
#include "lastbit/core/metric.h"
#include "lastbit/core/relation.h"
#include "lastbit/random/bit_source.h"

namespace lastbit {

enum class Randomness { kNone, kCoupled };

template <Domain InputDomainT, MetricOn<InputDomainT> InputMetricT, Domain OutputDomainT,
          MetricOn<OutputDomainT> OutputMetricT, Randomness R = Randomness::kNone>
class Transformation {
 public:
  using InputDomain = InputDomainT;
  using InputMetric = InputMetricT;
  using OutputDomain = OutputDomainT;
  using OutputMetric = OutputMetricT;
  using Input = CarrierOf<InputDomain>;
  using Output = CarrierOf<OutputDomain>;
  using DistanceIn = ValueOf<InputMetric>;
  using DistanceOut = ValueOf<OutputMetric>;
  static constexpr bool kRandomised = R == Randomness::kCoupled;
  using Function = std::conditional_t<kRandomised, std::function<Output(const Input&, BitSource&)>,
                                      std::function<Output(const Input&)>>;
  using StabilityRelation = Relation<DistanceIn, DistanceOut>;

  Transformation(std::string name, InputDomain input_domain, InputMetric input_metric,
                 OutputDomain output_domain, OutputMetric output_metric, Function function,
                 StabilityRelation relation)
      : name_(std::move(name)),
        input_domain_(std::move(input_domain)),
        input_metric_(std::move(input_metric)),
        output_domain_(std::move(output_domain)),
        output_metric_(std::move(output_metric)),
        function_(std::move(function)),
        relation_(std::move(relation)) {}

  const std::string& name() const { return name_; }
  const InputDomain& input_domain() const { return input_domain_; }
  const InputMetric& input_metric() const { return input_metric_; }
  const OutputDomain& output_domain() const { return output_domain_; }
  const OutputMetric& output_metric() const { return output_metric_; }
  const StabilityRelation& stability() const { return relation_; }

  bool relation(const DistanceIn& d_in, const DistanceOut& d_out) const {
    return relation_(d_in, d_out);
  }
  DistanceOut map(const DistanceIn& d_in) const { return relation_.map(d_in); }

  Output operator()(const Input& input) const
    requires(!kRandomised)
  {
    return function_(input);
  }
  Output operator()(const Input& input, BitSource& bits) const {
    if constexpr (kRandomised) {
      return function_(input, bits);
    } else {
      return function_(input);
    }
  }

 private:
  std::string name_;
  InputDomain input_domain_;
  InputMetric input_metric_;
  OutputDomain output_domain_;
  OutputMetric output_metric_;
  Function function_;
  StabilityRelation relation_;
};

// RandomTransformation: a transformation that draws bits; its claim is about couplings.
template <Domain DI, MetricOn<DI> MI, Domain DO, MetricOn<DO> MO>
using RandomTransformation = Transformation<DI, MI, DO, MO, Randomness::kCoupled>;

template <class T>
inline constexpr bool is_transformation = false;
template <class DI, class MI, class DO, class MO, Randomness R>
inline constexpr bool is_transformation<Transformation<DI, MI, DO, MO, R>> = true;
template <class T>
concept AnyTransformation = is_transformation<T>;

// require_member: a kBadInput Error, naming the domain but no value, when `value` is outside it.
// For a custodian who prepares data. Its outcome depends on the data, so keep it out of releases.
template <Domain D>
void require_member(const D& domain, const CarrierOf<D>& value) {
  if (domain.contains(value)) return;
  throw Error(ErrorCode::kBadInput, "input", "the data is not a member of: " + domain.describe(),
              "clean the data first (impute, clamp, resize), or declare the domain it really has");
}

}  // namespace lastbit
