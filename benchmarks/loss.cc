// Exact privacy losses of the snapping mechanism in floating point, and what computing them costs.
//   table      worst excess over 1/λ for random inputs and after a search, against what is proved
//   hardest    the constants that the worst pairs reach, for B far above λ
//   gallery    claims that exact losses refute, the published counterexamples among them
//   small      all pairs of floats of 6, 7, 8 bits against the bounds
//   time       one pair of inputs, as a multiple of one correctly rounded logarithm per threshold
// Usage: bench_loss [--inputs N] [--candidates N] [--precision N] [--outputs N] [--repeat N] [--json]
//
// Checked before anything is timed: published fractions come out to the last digit, and the worst
// output of the timed pair agrees with a witness that is found and checked another way.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/options.h"
#include "lastbit/base/error.h"
#include "lastbit/base/stopwatch.h"
#include "lastbit/random/tape.h"
#include "lastbit/verify/floats/bound.h"
#include "lastbit/verify/floats/loss/exhaustive.h"
#include "lastbit/verify/floats/loss/gallery.h"
#include "lastbit/verify/floats/loss/witness.h"
#include "lastbit/verify/floats/loss/worst_pair.h"

namespace lastbit::verify {
namespace {

constexpr int kBits = 256;

FloatMechanism snapping(const Rational& scale, const Rational& half_width, int precision = 53) {
  return FloatMechanism({.scale = scale, .half_width = half_width, .precision = precision});
}

// A bound on the loss, in units of η above 1/λ.
double in_eta(const FloatMechanism& mechanism, const Rational& excess) {
  return (excess * Rational::two_to(mechanism.model().precision)).up();
}

double above_ideal(const FloatMechanism& mechanism, const OutputLoss& loss) {
  const Ball excess = loss.loss(kBits) - Ball(Rational(1) / mechanism.scale(), kBits);
  return (excess * Ball(Rational::two_to(mechanism.model().precision), kBits)).lower();
}

std::string fraction(const Rational& value) {
  const Integer denominator = value.denominator();
  if (denominator.bit_length() > 40) return fmt::format("{:.6g}", value.down());
  return fmt::format("{}/{}", value.numerator().to_string(), denominator.to_string());
}

// The worst of (x, x + 1) for random floats x with x + 1 a float, both signs.
OutputLoss worst_of_random(const FloatMechanism& mechanism, std::int64_t count) {
  BitSource bits = testing::seeded_tape(1);
  const FloatFormat format = FloatFormat::unbounded(mechanism.model().precision);
  OutputLoss worst;
  for (std::int64_t i = 0; i < count; ++i) {
    const Rational part = Rational(bits.bits(53)) * Rational::two_to(-53);
    const Rational reach = part * (mechanism.half_width() - Rational(1)) + Rational(1);
    const Rational high = Float::from(reach, format, Rounding::kDown).to_rational();
    const Rational sign(bits.bit() ? 1 : -1);
    const PairLoss pair = pair_loss(mechanism, sign * (high - Rational(1)), sign * high);
    if (worse(pair.worst, worst)) worst = pair.worst;
  }
  return worst;
}

void show_table(const BenchmarkOptions& options, nlohmann::json& report) {
  struct Setting {
    double scale;
    int half_width;
    const char* published;
  };
  const Setting settings[] = {
      {1, 16, "15.3"}, {1, 64, "53.5"}, {0.7, 64, "229"}, {10, 100, "22.6"}, {3.3, 1000, "1030"}};
  fmt::print("excess of the loss over 1/scale in units of 2^-53, for inputs at most 1 apart\n");
  fmt::print("{:>6}{:>6}{:>11}{:>9}{:>9}{:>9}{:>9}{:>11}{:>8}\n", "scale", "B", "published",
             "random", "floats", "any x", "proved", "12B/s+2", "slack");
  for (const Setting& setting : settings) {
    const FloatMechanism mechanism = snapping(Rational::exactly(setting.scale), setting.half_width);
    const double random =
        above_ideal(mechanism, worst_of_random(mechanism, options.at("--inputs")));
    SearchOptions search;
    search.candidates = static_cast<std::uint64_t>(options.at("--candidates"));
    search.float_inputs = true;
    const double floats =
        std::max(random, above_ideal(mechanism, worst_pair(mechanism, search).pair.worst));
    search.float_inputs = false;
    const double any =
        std::max(floats, above_ideal(mechanism, worst_pair(mechanism, search).pair.worst));
    const BoundParameters parameters = bound_parameters(mechanism.model(), 1);
    const double proved = in_eta(mechanism, loss_bound(parameters).excess);
    const double formula =
        in_eta(mechanism, published_bound(parameters).total - Rational(1) / mechanism.scale());
    fmt::print("{:>6}{:>6}{:>11}{:>9.1f}{:>9.1f}{:>9.1f}{:>9.1f}{:>11.0f}{:>7.2f}x\n",
               setting.scale, setting.half_width, setting.published, random, floats, any, proved,
               formula, proved / any);
    invariant(any <= proved, "no loss exceeds the proved bound");
    report[fmt::format("proved_over_found_{}_{}", setting.scale, setting.half_width)] =
        proved / any;
  }
}

// How large C must be for the loss to be at most (distance + C·B·η)/λ, for B far above λ.
void show_hardest(const BenchmarkOptions& options, nlohmann::json& report) {
  struct Setting {
    const char* name;
    const char *scale, *half_width, *sensitivity;
    bool float_inputs;
  };
  const Setting settings[] = {
      {"floats, 1 apart", "70298375433486.3359375", "9218305487273984", "1", true},
      {"floats", "2197950005002.873046875", "2251799813685248.5", "2047.75", true},
      {"integers, 1 apart", "1124800395213304.875", "144678147892890808", "1", false},
      {"any numbers", "17417898200546.7265625", "2260595906771398.875", "99.000244140625", false}};
  fmt::print("\nthe least C with loss <= (distance + C*B*2^-53)/scale, at the worst pair found\n");
  for (const Setting& setting : settings) {
    const FloatMechanism mechanism =
        snapping(rational(setting.scale), rational(setting.half_width));
    SearchOptions search;
    search.candidates = static_cast<std::uint64_t>(options.at("--candidates"));
    search.float_inputs = setting.float_inputs;
    search.sensitivity = rational(setting.sensitivity);
    const PairLoss pair = worst_pair(mechanism, search).pair;
    const Ball ratio(mechanism.scale() / mechanism.half_width(), kBits);
    const double constant = (excess_in_eta(mechanism, pair, kBits) * ratio).lower();
    fmt::print("{:<20}{:>8.3f}  scale {} B {}: {}, {}; {}\n", setting.name, constant, setting.scale,
               setting.half_width, pair.x1.to_string(), pair.x2.to_string(),
               pair.worst.output.to_string());
    report[fmt::format("constant, {}", setting.name)] = constant;
  }
}

// A published claim about one output, and the exact loss there.
void show_counterexample(const char* claim, const FloatMechanism& mechanism, const char* x1,
                         const char* x2, const char* output, const char* claimed) {
  const Rational o = rational(output);
  const OutputLoss loss{o, output_probability(mechanism, rational(x1), o),
                        output_probability(mechanism, rational(x2), o)};
  invariant(certainly_greater(loss.loss(kBits), Ball(rational(claimed), kBits)),
            "the published claim is exceeded");
  fmt::print("{:<26} p={} scale={} B={}: {} and {} give {} with {} and {}, loss {:.6f} > {}\n",
             claim, mechanism.model().precision, mechanism.scale().to_string(),
             mechanism.half_width().to_string(), x1, x2, output, fraction(loss.first),
             fraction(loss.second), loss.loss(kBits).lower(), claimed);
}

void show_gallery() {
  fmt::print("\nclaims and their exact losses; excess over Delta/scale in units of 2^-p\n");
  fmt::print("{:<24}{:>4}{:>13}{:>14}{:>14}  {}\n", "mechanism", "p", "verdict", "excess",
             "claimed", "witness: inputs, output, probabilities");
  for (const FloatGalleryRow& row : judged_gallery()) {
    invariant(row.as_expected(), "every verdict is the expected one");
    const FloatMechanism mechanism(row.entry.model);
    const Rational claimed = row.entry.claim - row.entry.sensitivity / mechanism.scale();
    const OutputLoss& worst = row.worst.worst;
    fmt::print("{:<24}{:>4}{:>13}{:>14}{:>14.6g}  {}, {}; {}; {}, {}\n", row.entry.name,
               row.entry.model.precision, row.refuted ? "refuted" : "not refuted",
               row.excess_in_eta ? fmt::format("{:.6g}", row.excess_in_eta->lower()) : "infinite",
               in_eta(mechanism, claimed), row.worst.x1.to_string(), row.worst.x2.to_string(),
               worst.output.to_string(), fraction(worst.first), fraction(worst.second));
  }
  fmt::print("\n");
  show_counterexample("charged by the output:", snapping(rational("0.9375"), rational("3.75"), 6),
                      "2.75", "3.75", "0", "1.09792");
  show_counterexample("6B at the output B:", snapping(116, 144, 7), "-98", "-97", "144",
                      "0.066810");
}

// The bound computed for the given parameters, where it exists; for all distances.
ExcessBound computed_bound(int precision) {
  return {"computed (proved)",
          [precision](const Rational& scale, const Rational& b) -> std::optional<Rational> {
            if (precision < 7 || b > scale * Rational::two_to(precision - 7)) return std::nullopt;
            return loss_bound({.scale = scale,
                               .half_width = b,
                               .sensitivity = b * Rational(2),
                               .precision = precision,
                               .input_grid = std::nullopt})
                .excess;
          }};
}

void show_small(const BenchmarkOptions& options, nlohmann::json& report) {
  fmt::print("\nall pairs of float inputs, all scales in [1, 2), all float B in [1/16, 4]*scale\n");
  for (int p = 6; p <= options.at("--precision"); ++p) {
    ExhaustiveOptions study;
    study.precision = p;
    study.bounds = {linear_bound("18B/s+14 (proved for B <= 2^(p-7)s)", p, 18, 14, 0, 4),
                    linear_bound("12B/s+2, B > s", p, 12, 2, 1, 4),
                    linear_bound("12B/s+2, B <= s", p, 12, 2, 0, 1), computed_bound(p)};
    const Stopwatch watch;
    const ExhaustiveResult result = exhaustive_losses(study);
    const double taken = watch.seconds();
    fmt::print("p = {}: {} settings, {} pairs, {:.1f} s\n", p, result.settings, result.pairs,
               taken);
    for (const BoundOutcome& outcome : result.bounds) {
      fmt::print("  {:<38}{:>8} settings{:>8} violated, worst ratio {:.4f}", outcome.name,
                 outcome.settings, outcome.violations, outcome.worst_ratio);
      if (outcome.worst) {
        const SettingWitness& worst = *outcome.worst;
        fmt::print(" at scale {} B {}: {}, {}; {}; {}, {}", worst.scale.to_string(),
                   worst.half_width.to_string(), worst.pair.x1.to_string(),
                   worst.pair.x2.to_string(), worst.pair.worst.output.to_string(),
                   fraction(worst.pair.worst.first), fraction(worst.pair.worst.second));
      }
      fmt::print("\n");
    }
    invariant(result.bounds.front().violations == 0 && result.bounds.back().violations == 0,
              "no pair violates a proved bound");
    report[fmt::format("worst_ratio_{}_bits", p)] = result.bounds.front().worst_ratio;
    report[fmt::format("worst_ratio_computed_{}_bits", p)] = result.bounds.back().worst_ratio;
  }
}

double milliseconds(const auto& work, std::int64_t repeat) {
  double best = 1e300;
  for (std::int64_t i = 0; i < repeat; ++i) {
    const Stopwatch watch;
    work();
    const double taken = 1e3 * watch.seconds();
    best = std::min(best, taken);
  }
  return best;
}

// One correctly rounded logarithm for each threshold of two inputs: no exact method needs fewer.
double logarithms_in_milliseconds(const FloatMechanism& mechanism, std::int64_t outputs,
                                  std::int64_t repeat) {
  const FloatFormat format = FloatFormat::unbounded(53);
  const FloatFormat wide = FloatFormat::unbounded(85);
  std::vector<Float> values;
  const std::int64_t count = std::min<std::int64_t>(outputs - 1, 1000);
  const Rational farthest = mechanism.half_width() / mechanism.scale();
  for (std::int64_t i = 1; i <= count; ++i) {
    const Rational log = -farthest * Rational(i) / Rational(count);
    values.push_back(Float::from(exp(Float::from(log, wide), wide), format));
  }
  std::int64_t negative = 0;
  const double taken = milliseconds(
      [&] {
        for (const Float& u : values) negative += ln(u, format).is_negative() ? 1 : 0;
      },
      repeat);
  invariant(negative == repeat * count, "logarithms below 1 are negative");
  return taken * 2 * static_cast<double>(outputs - 1) / static_cast<double>(count);
}

void check_against_witness(const FloatMechanism& mechanism, const PairLoss& pair) {
  const OutputLoss checked =
      check_witness(find_witness(mechanism, pair.x1, pair.x2, pair.worst.output));
  invariant(checked.first == pair.worst.first && checked.second == pair.worst.second,
            "law and witness agree");
}

void show_times(const BenchmarkOptions& options, nlohmann::json& report) {
  fmt::print("\n{:>10}{:>16}{:>26}\n", "outputs", "milliseconds", "time / logarithms needed");
  for (const std::int64_t outputs : {std::int64_t{129}, options.at("--outputs")}) {
    const FloatMechanism mechanism = snapping(1, Rational((outputs - 1) / 2));
    const Rational x(1, 3);
    const PairLoss pair = pair_loss(mechanism, x, x + Rational(1));
    check_against_witness(mechanism, pair);
    const std::int64_t repeat = outputs > 10'000 ? 1 : options.at("--repeat");
    const double taken = milliseconds([&] { pair_loss(mechanism, x, x + Rational(1)); }, repeat);
    const double ratio = taken / logarithms_in_milliseconds(mechanism, pair.outputs, repeat);
    fmt::print("{:>10}{:>16.2f}{:>26.2f}\n", pair.outputs, taken, ratio);
    report[fmt::format("pair_of_{}_over_logarithms", outputs)] = ratio;
    report[fmt::format("pair_of_{}_milliseconds", outputs)] = taken;
  }
}

void run(const BenchmarkOptions& options) {
  nlohmann::json report;
  show_table(options, report);
  show_hardest(options, report);
  show_gallery();
  show_small(options, report);
  show_times(options, report);
  if (options.json) fmt::print("{}\n", report.dump());
}

}  // namespace
}  // namespace lastbit::verify

int main(int argc, char** argv) try {
  lastbit::verify::run(lastbit::parse_options(argc, argv,
                                              {.numbers = {{"--inputs", 120},
                                                           {"--candidates", 20'000},
                                                           {"--precision", 8},
                                                           {"--outputs", 100'001},
                                                           {"--repeat", 20}}}));
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return EXIT_FAILURE;
}
