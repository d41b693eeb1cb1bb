// Measurement: a randomised function from a metric space to outputs that anyone may see, with a
// claim about how much it reveals: input domain and metric, measure, function, privacy relation.
//
// Requires  caller: the relation is sound for the function (each constructor's proof note).
// Ensures   relation(d_in, d_out) true ⇒ for all d_in-close members x, x' of the input domain the
//           divergence of M(x) from M(x') under the measure is at most d_out, both ways.
// Fails     invoking: kEntropy or kTapeEnded, independently of the data.
// Proof     proofs/core.md#measurements
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "lastbit/core/domain.h"
#include "lastbit/core/measure.h"
#include "lastbit/core/metric.h"
#include "lastbit/core/relation.h"
#include "lastbit/random/bit_source.h"

namespace lastbit {

template <Domain InputDomainT, MetricOn<InputDomainT> InputMetricT, class OutputT, Measure MeasureT>
class Measurement {
 public:
  using InputDomain = InputDomainT;
  using InputMetric = InputMetricT;
  using PrivacyMeasure = MeasureT;
  using Input = CarrierOf<InputDomain>;
  using Output = OutputT;
  using DistanceIn = ValueOf<InputMetric>;
  using Loss = typename MeasureT::Value;
  using Function = std::function<Output(const Input&, BitSource&)>;
  using PrivacyRelation = Relation<DistanceIn, Loss>;

  Measurement(std::string name, InputDomain input_domain, InputMetric input_metric,
              PrivacyMeasure measure, Function function, PrivacyRelation relation)
      : name_(std::move(name)),
        input_domain_(std::move(input_domain)),
        input_metric_(std::move(input_metric)),
        measure_(std::move(measure)),
        function_(std::move(function)),
        relation_(std::move(relation)) {}

  const std::string& name() const { return name_; }
  const InputDomain& input_domain() const { return input_domain_; }
  const InputMetric& input_metric() const { return input_metric_; }
  const PrivacyMeasure& measure() const { return measure_; }
  const PrivacyRelation& privacy() const { return relation_; }

  bool relation(const DistanceIn& d_in, const Loss& d_out) const { return relation_(d_in, d_out); }
  Loss map(const DistanceIn& d_in) const { return relation_.map(d_in); }

  Output operator()(const Input& input, BitSource& bits) const { return function_(input, bits); }

 private:
  std::string name_;
  InputDomain input_domain_;
  InputMetric input_metric_;
  PrivacyMeasure measure_;
  Function function_;
  PrivacyRelation relation_;
};

template <class T>
inline constexpr bool is_measurement = false;
template <class D, class M, class O, class P>
inline constexpr bool is_measurement<Measurement<D, M, O, P>> = true;
template <class T>
concept AnyMeasurement = is_measurement<T>;

}  // namespace lastbit
