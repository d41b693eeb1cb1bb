// What the snapping mechanism loses in floating point: the proved bound, and an exact loss.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/mechanisms/snapping.h"
#include "lastbit/numerics/float.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/float_mechanism.h"
#include "lastbit/verify/floats/known_bounds.h"
#include "lastbit/verify/floats/loss/pair_loss.h"
#include "lastbit/verify/floats/loss/worst_pair.h"
#include "lastbit/verify/floats/loss_certificate.h"
#include "python/extension/bindings.h"
#include "python/extension/interpreter.h"
#include "python/extension/proofs/bindings.h"

namespace lastbit::python {

namespace nb = nanobind;

namespace {

constexpr const char* kPlace = "loss";

struct FloatLoss {
  verify::LossCertificate certificate;
  std::string certificate_text;
  Rational ideal;  // the loss of real noise at the distance that `proved` is for
  std::optional<Rational> proved;
  std::uint64_t pairs = 0;
};

// mechanism_of: the mechanism that ships with the noise of `parameters`. Shipped noise pays for
// rounding in advance; other noise has the scale sensitivity/epsilon, rounded up to a float.
verify::FloatMechanism mechanism_of(const SnappingParameters& parameters, bool shipped) {
  if (shipped) return verify::FloatMechanism(Snapping(parameters).function());
  const auto require_positive = [](const Rational& value, const char* name) {
    if (value.sign() > 0) return;
    throw Error::bad_parameter(kPlace, name, "is not positive", "give a number above 0");
  };
  require_positive(parameters.epsilon, "epsilon");
  require_positive(parameters.sensitivity, "sensitivity");
  if (parameters.lower >= parameters.upper) {
    throw Error::bad_parameter(kPlace, "lower", "leaves no room for answers",
                               "give a lower bound below the upper one");
  }
  verify::FloatModel model;
  model.precision = parameters.precision;
  model.half_width = (parameters.upper - parameters.lower) / Rational(2);
  model.scale = Float::from(parameters.sensitivity / parameters.epsilon,
                            FloatFormat::unbounded(parameters.precision), Rounding::kUp)
                    .to_rational();
  const std::string problem =
      verify::domain_problem(model.precision, model.scale, model.half_width);
  if (!problem.empty()) {
    throw Error::bad_parameter(kPlace, "precision",
                               "is outside the domain of the theorem: " + problem,
                               "give more bits of precision, or bounds closer together");
  }
  return verify::FloatMechanism(model);
}

FloatLoss loss_of(const SnappingParameters& parameters, bool shipped,
                  const std::optional<std::pair<Rational, Rational>>& inputs,
                  std::uint64_t candidates, std::uint64_t seed) {
  const verify::FloatMechanism mechanism = mechanism_of(parameters, shipped);
  const Rational midpoint = (parameters.lower + parameters.upper) / Rational(2);
  FloatLoss result;
  verify::PairLoss pair;
  if (inputs) {
    pair = verify::pair_loss(mechanism, inputs->first - midpoint, inputs->second - midpoint);
    result.pairs = 1;
  } else {
    verify::SearchOptions options;
    options.sensitivity = parameters.sensitivity;
    options.candidates = candidates;
    options.seed = seed;
    options.progress = [](double) { let_signals_through(); };
    verify::WorstPair worst = verify::worst_pair(mechanism, options);
    pair = std::move(worst.pair);
    result.pairs = worst.pairs;
  }
  // Inputs farther apart than the bounds are clamped to the bounds.
  const Rational distance =
      inputs ? verify::clamped_distance(mechanism.model(), pair.x1, pair.x2)
             : std::min(parameters.sensitivity, parameters.upper - parameters.lower);
  result.ideal = distance / mechanism.scale();
  result.proved = verify::proved_bound(mechanism, distance).value;
  result.certificate = verify::certify_loss(mechanism, midpoint, pair);
  result.certificate_text = verify::write_loss_certificate(result.certificate);
  return result;
}

nb::object text_or_none(const std::optional<Rational>& number) {
  return number ? nb::cast(fraction_text(*number)) : nb::none();
}

nb::dict certificate_dict(const verify::LossCertificate& certificate, const Rational& ideal) {
  const verify::LossWitness& witness = certificate.witness;
  nb::dict result;
  result["precision"] = witness.model.precision;
  result["scale"] = fraction_text(witness.model.scale);
  result["x1"] = fraction_text(witness.x1 + certificate.midpoint);
  result["x2"] = fraction_text(witness.x2 + certificate.midpoint);
  result["output"] = fraction_text(witness.output + certificate.midpoint);
  result["probability1"] = fraction_text(certificate.first);
  result["probability2"] = fraction_text(certificate.second);
  const auto& loss = certificate.loss;
  result["loss_lower"] = loss ? nb::cast(loss->first.down()) : nb::none();
  result["loss_upper"] = loss ? nb::cast(loss->second.up()) : nb::none();
  result["excess"] = loss ? nb::cast((loss->first - ideal).down()) : nb::none();
  result["ideal"] = fraction_text(ideal);
  result["bound"] = text_or_none(certificate.bound);
  return result;
}

}  // namespace

void define_loss(nb::module_& module) {
  module.def(
      "loss",
      [](const std::string& epsilon, const std::string& sensitivity, const std::string& lower,
         const std::string& upper, int precision, bool shipped,
         const std::optional<std::string>& x1, const std::optional<std::string>& x2,
         std::uint64_t candidates, std::uint64_t seed) {
        SnappingParameters parameters;
        parameters.epsilon = number_of(epsilon);
        parameters.sensitivity = number_of(sensitivity);
        parameters.lower = number_of(lower);
        parameters.upper = number_of(upper);
        parameters.precision = precision;
        std::optional<std::pair<Rational, Rational>> inputs;
        if (x1 && x2) inputs.emplace(number_of(*x1), number_of(*x2));
        const FloatLoss found = [&] {
          const OthersRun others_run;
          return loss_of(parameters, shipped, inputs, candidates, seed);
        }();
        nb::dict result = certificate_dict(found.certificate, found.ideal);
        result["bound"] = text_or_none(found.proved);
        result["pairs"] = found.pairs;
        result["certificate"] = found.certificate_text;
        return result;
      },
      nb::arg("epsilon"), nb::arg("sensitivity"), nb::arg("lower"), nb::arg("upper"),
      nb::arg("precision"), nb::arg("shipped"), nb::arg("x1").none(), nb::arg("x2").none(),
      nb::arg("candidates"), nb::arg("seed"));
  module.def("is_loss_certificate",
             [](const std::string& text) { return verify::is_loss_certificate(text); });
  module.def("check_loss", [](const std::string& text) {
    const verify::LossCertificate checked = [&] {
      const OthersRun others_run;
      return verify::check_loss_certificate(text);
    }();
    return certificate_dict(checked, checked.ideal);
  });
}

}  // namespace lastbit::python
