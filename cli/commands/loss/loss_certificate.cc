#include "cli/commands/loss/loss_certificate.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "cli/commands/loss/loss_bound.h"
#include "lastbit/base/error.h"
#include "lastbit/report/decimal_text.h"
#include "lastbit/report/document.h"

namespace lastbit::cli {
namespace {

using Json = nlohmann::ordered_json;
using verify::FloatModel;
using verify::Preimage;

constexpr std::string_view kFormat = "lastbit-loss-certificate";
constexpr int kVersion = 1;
constexpr std::int64_t kMostExponent = verify::kMaxWitnessExponent + 8192;
constexpr std::array<std::string_view, 4> kRuns = {"x, sign 1", "x, sign -1", "x2, sign 1",
                                                   "x2, sign -1"};

// A binary fraction as [mantissa, exponent]: mantissa · 2^exponent.
Json fraction_json(const Rational& value) {
  const BinaryFraction fraction = binary_fraction(value);
  return {fraction.mantissa.to_string(), fraction.exponent};
}

Json model_json(const FloatModel& model, const Grid& grid) {
  Json json = {{"precision", model.precision},
               {"scale", fraction_json(model.scale)},
               {"half_width", model.half_width.to_string()},
               {"uniform", std::string(verify::name_of(model.uniform))},
               {"uniform_bits", nullptr},
               {"rounding", std::string(verify::name_of(model.rounding))},
               {"grid_exponent", grid.exponent()}};
  if (model.uniform_bits) json["uniform_bits"] = *model.uniform_bits;
  return json;
}

[[noreturn]] void refuse(const std::string& field, const std::string& problem) {
  throw Error(ErrorCode::kBadInput, field, problem, "the certificate proves nothing");
}

// Reader: a JSON value that nobody vouches for, with the way that leads to it.
class Reader {
 public:
  Reader(const Json& value, std::string path) : value_(value), path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  Reader operator[](const std::string& key) const {
    if (!value_.is_object() || !value_.contains(key)) refuse(path_, "there is no field " + key);
    return {value_[key], path_.empty() ? key : path_ + "." + key};
  }
  bool is_null() const { return value_.is_null(); }
  bool is_text(std::string_view text) const { return value_.is_string() && value_ == text; }
  std::string text() const {
    if (!value_.is_string()) refuse(path_, "this is no text");
    return value_.get<std::string>();
  }
  std::int64_t whole(std::int64_t low, std::int64_t high) const {
    const bool fits = value_.is_number_integer() && value_ >= low && value_ <= high;
    if (!fits) refuse(path_, fmt::format("this is no whole number from {} to {}", low, high));
    return value_.get<std::int64_t>();
  }
  Rational number() const {
    try {
      return Rational::parse(text());
    } catch (const Error& error) {
      refuse(path_, error.problem());
    }
  }
  Rational fraction() const {
    if (!value_.is_array() || value_.size() != 2) refuse(path_, "this is no [mantissa, exponent]");
    const Rational mantissa = Reader(value_[0], path_ + ".mantissa").number();
    if (!mantissa.is_integer()) refuse(path_, "the mantissa is not whole");
    const auto exponent =
        Reader(value_[1], path_ + ".exponent").whole(-kMostExponent, kMostExponent);
    return mantissa * Rational::two_to(exponent);
  }

 private:
  const Json& value_;
  std::string path_;
};

FloatModel model_from(const Reader& reader) {
  constexpr std::int64_t kMostBits = 4096;
  FloatModel model;
  model.precision = static_cast<int>(reader["precision"].whole(2, kMostBits));
  model.scale = reader["scale"].fraction();
  model.half_width = reader["half_width"].number();
  model.uniform = verify::uniform_model(reader["uniform"].text());
  if (!reader["uniform_bits"].is_null()) {
    model.uniform_bits = static_cast<int>(reader["uniform_bits"].whole(2, kMostBits));
  }
  model.rounding = verify::grid_rounding(reader["rounding"].text());
  const auto exponent = reader["grid_exponent"].whole(-Grid::kMaxExponent, Grid::kMaxExponent);
  if (Grid::at_least(model.scale).exponent() != exponent)
    model.grid = Grid(static_cast<int>(exponent));
  return model;
}

LossCertificate certificate_from(const Json& json) {
  const Reader reader(json, "");
  if (reader["version"].whole(0, 1'000'000) != kVersion) {
    refuse("version", fmt::format("this program reads version {}", kVersion));
  }
  LossCertificate certificate;
  certificate.witness.model = model_from(reader["mechanism"]);
  certificate.midpoint = reader["midpoint"].number();
  certificate.witness.x1 = reader["x"].number() - certificate.midpoint;
  certificate.witness.x2 = reader["x2"].number() - certificate.midpoint;
  certificate.witness.output = reader["output"].number() - certificate.midpoint;
  for (std::size_t i = 0; i < kRuns.size(); ++i) {
    const Reader run = reader["thresholds"][std::string(kRuns.at(i))];
    certificate.witness.preimages.at(i) = {run["from"].fraction(), run["to"].fraction()};
  }
  certificate.first = reader["probability"].fraction();
  certificate.second = reader["probability2"].fraction();
  certificate.ideal = reader["ideal"].number();
  if (!reader["loss"].is_text("infinity")) {
    certificate.loss.emplace(reader["loss"]["at_least"].number(),
                             reader["loss"]["at_most"].number());
  }
  if (!reader["bound"].is_null()) certificate.bound = reader["bound"]["loss"].number();
  return certificate;
}

// distance: between the two inputs as the mechanism sees them.
Rational distance(const verify::LossWitness& witness) {
  return clamped_distance(witness.model, witness.x1, witness.x2);
}

// ball_precision: bits that tell apart losses that differ in the sixtieth digit.
int ball_precision(const FloatModel& model) { return 4 * model.precision + 512; }

// enclosure: two numbers of sixty digits with the loss between them; nothing when it is infinite.
std::optional<std::pair<Rational, Rational>> enclosure(const FloatModel& model,
                                                       const verify::OutputLoss& output) {
  constexpr int kDigits = 60;
  if (output.infinite()) return std::nullopt;
  const Ball loss = output.loss(ball_precision(model));
  return std::pair{Rational::parse(decimal_text(loss.lower_rational(), kDigits, Toward::kDown)),
                   Rational::parse(decimal_text(loss.upper_rational(), kDigits, Toward::kUp))};
}

void check_loss(const LossCertificate& certificate, const verify::OutputLoss& output) {
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

// checked_bound: what the theorem proves, where the certificate claims that or more.
std::optional<Rational> checked_bound(const LossCertificate& certificate) {
  if (!certificate.bound) return std::nullopt;
  const verify::FloatMechanism mechanism(certificate.witness.model);
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

LossCertificate loss_certificate(const verify::FloatMechanism& mechanism, const Rational& midpoint,
                                 const verify::PairLoss& pair) {
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
  const verify::LossWitness& witness = certificate.witness;
  const Rational& midpoint = certificate.midpoint;
  Json thresholds = Json::object();
  for (std::size_t i = 0; i < kRuns.size(); ++i) {
    const Preimage& preimage = witness.preimages.at(i);
    thresholds[std::string(kRuns.at(i))] = {{"from", fraction_json(preimage.from)},
                                            {"to", fraction_json(preimage.to)}};
  }
  Json json = {
      {"format", kFormat},
      {"version", kVersion},
      {"mechanism", model_json(witness.model, verify::FloatMechanism(witness.model).grid())},
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
  return dumped(json);
}

bool is_loss_certificate(std::string_view text) {
  // The first field, as dumped() writes it; a text that lies about it fails to be read.
  return text.substr(0, 200).find(kFormat) != std::string_view::npos;
}

LossCertificate checked_loss_certificate(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) refuse("text", "this is no JSON");
  try {
    LossCertificate certificate = certificate_from(json);
    const verify::OutputLoss output = check_witness(certificate.witness);
    if (output.first != certificate.first) refuse("probability", "it is another number");
    if (output.second != certificate.second) refuse("probability2", "it is another number");
    if (certificate.ideal != distance(certificate.witness) / certificate.witness.model.scale) {
      refuse("ideal", "it is another number");
    }
    check_loss(certificate, output);
    const std::optional<Rational> bound = checked_bound(certificate);
    // A field that nobody reads, or that is there twice, could say anything.
    if (write_loss_certificate(certificate) != text) {
      refuse("text", "it is not written as lastbit loss --certificate writes it");
    }
    certificate.loss = enclosure(certificate.witness.model, output);
    certificate.bound = bound;
    return certificate;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal || error.code() == ErrorCode::kBadInput) throw;
    throw Error(ErrorCode::kBadInput, error.place(), error.problem(), error.remedy());
  }
}

}  // namespace lastbit::cli
