#include "cli/commands/loss/loss_study.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "cli/terminal/number_option.h"
#include "cli/terminal/progress.h"
#include "lastbit/base/error.h"
#include "lastbit/base/stopwatch.h"
#include "lastbit/base/text.h"
#include "lastbit/mechanisms/snapping.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/verify/floats/loss/dyadic_law.h"
#include "lastbit/verify/floats/loss/pair_loss.h"
#include "lastbit/verify/floats/loss/worst_pair.h"

namespace lastbit::cli {

using report::short_text;

namespace {

using verify::FloatModel;
using verify::GridRounding;
using verify::UniformModel;

constexpr std::string_view kPlace = "loss";
constexpr int kDoublePrecision = 53;

struct NamedModel {
  std::string_view name;
  std::string_view sentence;
  UniformModel uniform;
  GridRounding rounding;
};
constexpr std::array<NamedModel, 10> kModels = {{
    {"unit-float", "what lastbit snap --precision runs", UniformModel::kUnitFloat,
     GridRounding::kHalfUp},
    {"binary64", "u is a double, subnormal ones included", UniformModel::kDouble,
     GridRounding::kHalfUp},
    {"binary64-normal", "u is a double that is not subnormal", UniformModel::kNormalDouble,
     GridRounding::kHalfUp},
    {"grid-uniform", "u is a multiple of 2^-p, as ordinary generators give it", UniformModel::kGrid,
     GridRounding::kHalfUp},
    {"fewer-bits", "u has fewer bits than the arithmetic", UniformModel::kFewerBits,
     GridRounding::kHalfUp},
    {"naive-laplace", "no grid: x plus Laplace noise from a grid uniform", UniformModel::kGrid,
     GridRounding::kNone},
    {"half-even", "ties of the grid go to the even multiple", UniformModel::kUnitFloat,
     GridRounding::kHalfEven},
    {"toward-zero", "the sum is cut off toward zero", UniformModel::kUnitFloat,
     GridRounding::kTowardZero},
    {"half-added", "the grid by adding a half, rounded, and cutting off", UniformModel::kUnitFloat,
     GridRounding::kHalfAdded},
    {"fine-grid", "a grid of another spacing than the noise asks for", UniformModel::kUnitFloat,
     GridRounding::kHalfUp},
}};

const NamedModel& named_model(const std::string& name) {
  const auto* found = std::ranges::find(kModels, name, &NamedModel::name);
  if (found != kModels.end()) return *found;
  const auto nearest = nearest_name(name, model_names());
  throw Error::bad_parameter(kPlace, "model", fmt::format("{} is not known", lastbit::quote(name)),
                             nearest ? fmt::format("did you mean {}?", *nearest)
                                     : "give one of " + joined(model_names(), ", "));
}

void require_positive_numbers(const LossQuestion& question) {
  const auto require = [](const Rational& value, std::string_view name) {
    if (value.sign() > 0) return;
    throw Error::bad_parameter(kPlace, name, fmt::format("({}) is not positive", short_text(value)),
                               "give a number above 0");
  };
  require(question.epsilon, "epsilon");
  require(question.sensitivity, "sensitivity");
  if (question.lower >= question.upper) {
    throw Error::bad_parameter(kPlace, "bound", "leaves no room for answers",
                               "give --bound a number above 0, or --lower one below --upper");
  }
}

Rational half_width_of(const LossQuestion& question) {
  return (question.upper - question.lower) / Rational(2);
}

Rational scale_of(const LossQuestion& question) {
  if (question.shipped) {
    SnappingParameters parameters;
    parameters.epsilon = question.epsilon;
    parameters.sensitivity = question.sensitivity;
    parameters.lower = question.lower;
    parameters.upper = question.upper;
    parameters.precision = question.precision;
    return Snapping(parameters).scale();
  }
  return Float::from(question.sensitivity / question.epsilon,
                     FloatFormat::unbounded(question.precision), Rounding::kUp)
      .to_rational();
}

// require_double_range: λ and its grid must be normal doubles if the model is about doubles.
void require_double_range(const LossQuestion& question, const Rational& scale) {
  constexpr int kLargest = 1023;
  constexpr int kSmallest = -1022;
  if (question.precision != kDoublePrecision || question.anyway) return;
  const bool too_large = scale > Rational::two_to(kLargest);
  if (!too_large && scale >= Rational::two_to(kSmallest)) return;
  throw Error::bad_parameter(
      kPlace, "epsilon",
      fmt::format("makes the scale of the noise too {} for a double",
                  too_large ? "large" : "small"),
      "choose another epsilon or sensitivity, or --anyway to let exponents be unbounded");
}

// require_domain: the theorem's hypotheses must hold, unless the question is a study.
void require_domain(const LossQuestion& question, const Rational& scale) {
  if (question.anyway || question.model_given) return;
  const std::string problem =
      verify::domain_problem(question.precision, scale, half_width_of(question));
  if (problem.empty()) return;
  throw Error::bad_parameter(
      kPlace, question.precision < SnappingPrice::kMinPrecision ? "precision" : "bound",
      "is outside the domain of the theorem: " + problem,
      "give more bits of --precision, or --anyway to study it without a proved bound");
}

// The loss of a mechanism without a grid, at the outputs that the first input gives for some values
// of u: all of them would be too many, and an output that only one input can give is found at once.
verify::PairLoss worst_without_grid(const verify::FloatMechanism& mechanism, const Rational& x1,
                                    const Rational& x2) {
  constexpr int kValues = 64;
  const int precision = mechanism.model().precision;
  verify::PairLoss worst{x1, x2, {}, 0};
  for (int k = 1; k <= kValues; ++k) {
    const Rational u = Rational(1) / Rational(2) - Rational(k) * Rational::two_to(-precision);
    if (u.sign() <= 0) break;
    const Rational output =
        mechanism.output(x1, 1, Float::from(u, FloatFormat::unbounded(precision)));
    const verify::OutputLoss loss = output_loss(mechanism, x1, x2, output);
    if (worst.outputs == 0 || worse(loss, worst.worst)) worst.worst = loss;
    ++worst.outputs;
  }
  return worst;
}

void study_pair(LossStudy& answer, const Rational& x1, const Rational& x2) {
  const verify::FloatMechanism& mechanism = answer.mechanism;
  answer.worst =
      mechanism.has_grid() ? pair_loss(mechanism, x1, x2) : worst_without_grid(mechanism, x1, x2);
  answer.pairs = 1;
  answer.distance = clamped_distance(mechanism.model(), x1, x2);
}

void search(LossStudy& answer) {
  constexpr std::uint64_t kSteps = 1000;
  Progress progress("searching", kSteps);
  verify::SearchOptions options;
  options.sensitivity = answer.question.sensitivity;
  options.candidates = answer.question.candidates;
  options.seed = answer.question.seed;
  options.progress = [&](double part) {
    progress.update(static_cast<std::uint64_t>(part * static_cast<double>(kSteps)));
  };
  verify::WorstPair found = worst_pair(answer.mechanism, options);
  answer.worst = std::move(found.pair);
  answer.pairs = found.pairs;
}

}  // namespace

const std::vector<std::string>& model_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const NamedModel& model : kModels) list.emplace_back(model.name);
    return list;
  }();
  return names;
}

std::string_view model_sentence(const std::string& model) { return named_model(model).sentence; }

std::optional<Ball> LossStudy::loss() const {
  if (worst.worst.infinite()) return std::nullopt;
  return worst.worst.loss(ball_precision());
}

bool LossStudy::exceeds(const Rational& number) const {
  const auto found = loss();
  return !found || certainly_greater(*found, Ball(number, ball_precision()));
}

std::optional<std::int64_t> LossStudy::searched_reach() const {
  const Rational farthest = Rational(2) * mechanism.half_width() / mechanism.scale();
  if (question.pair || farthest <= Rational(verify::kMaxReach)) return std::nullopt;
  return verify::kMaxReach;
}

verify::FloatMechanism study_mechanism(const LossQuestion& question) {
  const NamedModel& named = named_model(question.model);
  require_positive_numbers(question);
  const bool wants_grid = question.model == "fine-grid";
  if (wants_grid != question.grid.has_value()) {
    throw Error::bad_parameter(kPlace, "grid",
                               wants_grid ? "is missing" : "is for the model fine-grid only",
                               wants_grid ? "give --grid a power of two such as 2^-8"
                                          : "leave --grid out, or give --model fine-grid");
  }
  if (question.uniform_bits && named.uniform != UniformModel::kFewerBits) {
    throw Error::bad_parameter(kPlace, "uniform-bits", "is for the model fewer-bits only",
                               "leave --uniform-bits out, or give --model fewer-bits");
  }
  const Rational scale = scale_of(question);
  require_double_range(question, scale);
  require_domain(question, scale);
  FloatModel model;
  model.scale = scale;
  model.half_width = half_width_of(question);
  model.precision = question.precision;
  model.uniform = named.uniform;
  model.rounding = named.rounding;
  model.grid = question.grid;
  if (named.uniform == UniformModel::kFewerBits) {
    model.uniform_bits = question.uniform_bits.value_or(question.precision - 1);
  }
  return verify::FloatMechanism(model);
}

LossStudy study(const LossQuestion& question) {
  const Stopwatch watch;
  // Inputs farther apart than the bounds are clamped to the bounds.
  LossStudy answer{.question = question,
                   .midpoint = (question.lower + question.upper) / Rational(2),
                   .mechanism = study_mechanism(question),
                   .distance = std::min(question.sensitivity, question.upper - question.lower),
                   .proved = {},
                   .simple = {},
                   .mironov = {},
                   .worst = {}};
  if (question.pair) {
    study_pair(answer, question.pair->first - answer.midpoint,
               question.pair->second - answer.midpoint);
  } else {
    search(answer);
  }
  answer.proved = proved_bound(answer.mechanism, answer.distance);
  if (answer.midpoint.is_integer()) answer.whole = whole_bound(answer.mechanism, answer.distance);
  answer.simple = simple_bound(answer.mechanism, answer.distance);
  answer.mironov = mironov_formula(answer.mechanism, answer.distance);
  answer.seconds = watch.seconds();
  return answer;
}

}  // namespace lastbit::cli
