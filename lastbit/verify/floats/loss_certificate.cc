#include "lastbit/verify/floats/loss_certificate.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "lastbit/base/error.h"
#include "lastbit/numerics/decimal.h"
#include "lastbit/verify/certificate/fields.h"
#include "lastbit/verify/floats/known_bounds.h"

namespace lastbit::verify {
namespace {

// Fields are written in an order that reads well, and found by name.
using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kFormat = "lastbit-loss-certificate";
constexpr int kVersion = 1;
constexpr TextKind kKind = {
    .name = "certificate of a loss",
    .remedy = "the certificate proves nothing; lastbit loss --certificate writes them",
    .max_bytes = LossCertificate::kMaxBytes,
    .max_depth = 8,
    .max_number_length = Rational::kMaxTextLength,
};
constexpr int kMostExponent = kMaxWitnessExponent + 8192;
constexpr std::array<std::string_view, 4> kRuns = {"x, sign 1", "x, sign -1", "x2, sign 1",
                                                   "x2, sign -1"};

// A binary fraction as [mantissa, exponent]: mantissa · 2^exponent.
OrderedJson fraction_json(const Rational& value) {
  const BinaryFraction fraction = binary_fraction(value);
  return {fraction.mantissa.to_string(), fraction.exponent};
}

OrderedJson model_json(const FloatModel& model, const Grid& grid) {
  OrderedJson json = {{"precision", model.precision},
                      {"scale", fraction_json(model.scale)},
                      {"half_width", model.half_width.to_string()},
                      {"uniform", std::string(name_of(model.uniform))},
                      {"uniform_bits", nullptr},
                      {"rounding", std::string(name_of(model.rounding))},
                      {"grid_exponent", grid.exponent()}};
  if (model.uniform_bits) json["uniform_bits"] = *model.uniform_bits;
  return json;
}

[[noreturn]] void refuse(const std::string& field, const std::string& problem) {
  throw Error(ErrorCode::kBadInput, field, problem, std::string(kKind.remedy));
}

Rational fraction_from(const Field& field) {
  if (field.size() != 2) field.fail("a binary fraction is a mantissa and an exponent");
  const Rational mantissa = field.at(0).rational();
  if (!mantissa.is_integer()) field.fail("the mantissa is not whole");
  return mantissa * Rational::two_to(field.at(1).whole(-kMostExponent, kMostExponent));
}

FloatModel model_from(const Field& field) {
  field.object(
      {"precision", "scale", "half_width", "uniform", "uniform_bits", "rounding", "grid_exponent"});
  constexpr int kMostBits = FloatMechanism::kMaxPrecision;
  FloatModel model;
  model.precision = field["precision"].whole(2, kMostBits);
  model.scale = fraction_from(field["scale"]);
  model.half_width = field["half_width"].rational();
  model.uniform = uniform_model(field["uniform"].text());
  if (!field["uniform_bits"].is_null()) {
    model.uniform_bits = field["uniform_bits"].whole(2, kMostBits);
  }
  model.rounding = grid_rounding(field["rounding"].text());
  const int exponent = field["grid_exponent"].whole(-Grid::kMaxExponent, Grid::kMaxExponent);
  if (Grid::at_least(model.scale).exponent() != exponent) model.grid = Grid(exponent);
  return model;
}

Preimage preimage_from(const Field& field) {
  field.object({"from", "to"});
  return {fraction_from(field["from"]), fraction_from(field["to"])};
}

LossWitness witness_from(const Field& field, const Rational& midpoint) {
  LossWitness witness;
  witness.model = model_from(field["mechanism"]);
  witness.x1 = field["x"].rational() - midpoint;
  witness.x2 = field["x2"].rational() - midpoint;
  witness.output = field["output"].rational() - midpoint;
  const Field thresholds = field["thresholds"];
  thresholds.object({kRuns[0], kRuns[1], kRuns[2], kRuns[3]});
  for (std::size_t i = 0; i < kRuns.size(); ++i) {
    witness.preimages.at(i) = preimage_from(thresholds[kRuns.at(i)]);
  }
  return witness;
}

LossCertificate certificate_from(const Field& field) {
  field.object({"format", "version", "mechanism", "midpoint", "x", "x2", "output", "thresholds",
                "probability", "probability2", "ideal", "loss", "bound"});
  if (field["format"].text() != kFormat) field.fail("this is not a loss certificate");
  if (field["version"].whole(0, INT32_MAX) != kVersion) {
    field.fail("the certificate has another version than this program reads (1)");
  }
  LossCertificate certificate;
  certificate.midpoint = field["midpoint"].rational();
  certificate.witness = witness_from(field, certificate.midpoint);
  certificate.first = fraction_from(field["probability"]);
  certificate.second = fraction_from(field["probability2"]);
  certificate.ideal = field["ideal"].rational();
  if (const Field loss = field["loss"]; !loss.is_text("infinity")) {
    loss.object({"at_least", "at_most"});
    certificate.loss.emplace(loss["at_least"].rational(), loss["at_most"].rational());
  }
  if (const Field bound = field["bound"]; !bound.is_null()) {
    bound.object({"theorem", "loss"});
    certificate.bound = bound["loss"].rational();
  }
  return certificate;
}

// distance: between the two inputs as the mechanism sees them.
Rational distance(const LossWitness& witness) {
  return clamped_distance(witness.model, witness.x1, witness.x2);
}

// ball_precision: enough bits to tell apart losses that differ in the sixtieth digit.
int ball_precision(const FloatModel& model) { return 4 * model.precision + 512; }

// enclosure: two numbers of sixty digits with the loss between them; nothing if it is infinite.
std::optional<std::pair<Rational, Rational>> enclosure(const FloatModel& model,
                                                       const OutputLoss& output) {
  constexpr int kDigits = 60;
  if (output.infinite()) return std::nullopt;
  const Ball loss = output.loss(ball_precision(model));
  return std::pair{to_decimal(loss.lower_rational(), kDigits, Rounding::kDown),
                   to_decimal(loss.upper_rational(), kDigits, Rounding::kUp)};
}

void check_loss(const LossCertificate& certificate, const OutputLoss& output) {
  if (output.first.sign() == 0 && output.second.sign() == 0) {
    refuse("output", "neither input gives it");
  }
  if (output.infinite() != !certificate.loss.has_value()) {
    refuse("loss", output.infinite() ? "the loss is infinite" : "the loss is not infinite");
  }
  if (!certificate.loss) return;
  const auto& [low, high] = *certificate.loss;
  const int precision = ball_precision(certificate.witness.model);
  const Ball loss = output.loss(precision);
  if (!certainly_less_or_equal(Ball(low, precision), loss))
    refuse("loss.at_least", "the loss may be less");
  if (!certainly_less_or_equal(loss, Ball(high, precision)))
    refuse("loss.at_most", "the loss may be more");
}

// checked_bound: what the theorem proves, if the certificate claims that or more.
std::optional<Rational> checked_bound(const LossCertificate& certificate) {
  if (!certificate.bound) return std::nullopt;
  const FloatMechanism mechanism(certificate.witness.model);
  const FloatBound proved = proved_bound(mechanism, distance(certificate.witness));
  if (!proved.value) refuse("bound", proved.why_not);
  if (*certificate.bound < *proved.value)
    refuse("bound.loss", "the theorem proves only more than this");
  if (!certificate.loss) refuse("bound", "an infinite loss is above every bound");
  if (certificate.loss->second > *certificate.bound) {
    refuse("bound.loss", "the loss may be above the bound");
  }
  return proved.value;
}

}  // namespace

LossCertificate certify_loss(const FloatMechanism& mechanism, const Rational& midpoint,
                             const PairLoss& pair) {
  LossCertificate certificate;
  certificate.witness = find_witness(mechanism, pair.x1, pair.x2, pair.worst.output);
  certificate.midpoint = midpoint;
  certificate.first = pair.worst.first;
  certificate.second = pair.worst.second;
  const Rational apart = distance(certificate.witness);
  certificate.ideal = apart / mechanism.scale();
  certificate.loss = enclosure(mechanism.model(), pair.worst);
  if (certificate.loss) certificate.bound = proved_bound(mechanism, apart).value;
  return certificate;
}

std::string write_loss_certificate(const LossCertificate& certificate) {
  const LossWitness& witness = certificate.witness;
  const Rational& midpoint = certificate.midpoint;
  OrderedJson thresholds = OrderedJson::object();
  for (std::size_t i = 0; i < kRuns.size(); ++i) {
    const Preimage& preimage = witness.preimages.at(i);
    thresholds[std::string(kRuns.at(i))] = {{"from", fraction_json(preimage.from)},
                                            {"to", fraction_json(preimage.to)}};
  }
  OrderedJson json = {
      {"format", kFormat},
      {"version", kVersion},
      {"mechanism", model_json(witness.model, FloatMechanism(witness.model).grid())},
      {"midpoint", midpoint.to_string()},
      {"x", (witness.x1 + midpoint).to_string()},
      {"x2", (witness.x2 + midpoint).to_string()},
      {"output", (witness.output + midpoint).to_string()},
      {"thresholds", std::move(thresholds)},
      {"probability", fraction_json(certificate.first)},
      {"probability2", fraction_json(certificate.second)},
      {"ideal", certificate.ideal.to_string()},
      {"loss", "infinity"},
      {"bound", nullptr}};
  if (certificate.loss) {
    json["loss"] = {{"at_least", certificate.loss->first.to_string()},
                    {"at_most", certificate.loss->second.to_string()}};
  }
  if (certificate.bound) {
    json["bound"] = {{"theorem", "proofs/snapping.md#sharp"},
                     {"loss", certificate.bound->to_string()}};
  }
  return json.dump(2) + "\n";
}

bool is_loss_certificate(std::string_view text) {
  // The first field, as it is written above; a text that lies about it fails to be read.
  return text.substr(0, 200).find(kFormat) != std::string_view::npos;
}

LossCertificate check_loss_certificate(std::string_view text) {
  const Json json = parse_json(text, kKind);
  const Field field(json, kKind);
  try {
    LossCertificate certificate = certificate_from(field);
    const OutputLoss output = check_witness(certificate.witness);
    if (output.first != certificate.first) refuse("probability", "it is another number");
    if (output.second != certificate.second) refuse("probability2", "it is another number");
    if (certificate.ideal != distance(certificate.witness) / certificate.witness.model.scale) {
      refuse("ideal", "it is another number");
    }
    check_loss(certificate, output);
    const std::optional<Rational> bound = checked_bound(certificate);
    // A field that nobody reads, or that occurs twice, could say anything.
    if (write_loss_certificate(certificate) != text) {
      field.fail("the text is not in its canonical form");
    }
    certificate.loss = enclosure(certificate.witness.model, output);
    certificate.bound = bound;
    return certificate;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal || error.code() == ErrorCode::kBadInput) throw;
    throw Error(ErrorCode::kBadInput, error.place(), error.problem(), error.remedy());
  }
}

}  // namespace lastbit::verify
