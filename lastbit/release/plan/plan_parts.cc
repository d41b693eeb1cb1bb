#include "lastbit/release/plan/plan_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "lastbit/accuracy/accuracy.h"
#include "lastbit/accuracy/bias.h"
#include "lastbit/accuracy/gaussian_accuracy.h"
#include "lastbit/core/chain.h"
#include "lastbit/mechanisms/discrete_gaussian.h"
#include "lastbit/mechanisms/gaussian_threshold_histogram.h"
#include "lastbit/mechanisms/snapped_laplace.h"
#include "lastbit/mechanisms/threshold_histogram.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/statistics/pivot.h"

namespace lastbit::release_internal {
namespace {

std::vector<Rational> as_rationals(std::vector<Rational> values) { return values; }
std::vector<Rational> as_rationals(const std::vector<std::int64_t>& values) {
  return {values.begin(), values.end()};
}

template <class Exact>
inline constexpr bool is_whole = std::same_as<typename Exact::Output, std::vector<std::int64_t>>;

// released: what all chains of numbers have in common. Numbers are multiples of `step`.
template <class Chain>
NoisyNumbers released(std::string name, const Chain& chain, NoiseMechanism mechanism,
                      std::string sensitivity, std::string noise, const NoiseLaw& law,
                      const Rational& step) {
  const Grid grid = std::visit([](const auto& any) { return any.grid; }, law);
  return {{.name = std::move(name),
           .mechanism = mechanism,
           .sensitivity = std::move(sensitivity),
           .noise = std::move(noise),
           .grid = grid,
           .threshold = std::nullopt,
           .cost = cost_of(chain.measure(), chain.map(1))},
          [chain, step](const TableDomain::Carrier& table, BitSource& bits) {
            std::vector<Rational> values = as_rationals(chain(table, bits));
            if (step == Rational(1)) return values;
            for (Rational& value : values) value *= step;
            return values;
          },
          law,
          0};
}

// NoiseGrid: that of the data, or coarser where the noise is far larger; or one on which the data
// lies and which is at most 2^−10 of the size of the noise.
enum class NoiseGrid { kOfData, kFine };

template <class Exact>
NoisyNumbers with_laplace(std::string name, const Exact& exact, int step_exponent,
                          const Rational& epsilon, NoiseGrid wanted = NoiseGrid::kOfData) {
  const Rational step = Rational::two_to(step_exponent);
  const Rational sensitivity = exact.map(1).value();
  const Rational scale = sensitivity / epsilon;
  const Grid grid = wanted == NoiseGrid::kFine
                        ? fine_noise_grid(scale)
                        : default_noise_grid(exact.output_domain().element(), scale);
  const auto chain = exact >> make_snapped_laplace(scale, {.grid = grid, .lower = {}, .upper = {}});
  // The sums are of whole steps, so a grid of whole numbers hides them without rounding.
  const bool whole = is_whole<Exact> || grid.exponent() <= 0;
  const LaplaceNoise law{scale * step, Grid(grid.exponent() + step_exponent), whole};
  NoisyNumbers numbers = released(std::move(name), chain, NoiseMechanism::kSnappedLaplace,
                                  fmt::format("{} in L1", (sensitivity * step).to_string()),
                                  fmt::format("scale {}", about(scale * step)), law, step);
  if (!whole) numbers.bias = largest_rounding_bias(scale, grid).ball.upper_rational() * step;
  return numbers;
}

template <class Exact>
NoisyNumbers with_gaussian(std::string name, const Exact& exact, int step_exponent,
                           const Rational& rho, NoiseGrid wanted = NoiseGrid::kOfData) {
  const Rational step = Rational::two_to(step_exponent);
  const Radical<2> sensitivity = exact.map(1);
  const Rational variance = sensitivity.radicand().value() / (Rational(2) * rho);
  const Rational deviation = sqrt(Ball(variance, 64)).upper_rational();
  const Grid grid = wanted == NoiseGrid::kFine ? fine_noise_grid(deviation) : Grid(0);
  const auto chain = exact >> make_discrete_gaussian(variance, grid);
  const GaussianNoise law{variance * step * step, Grid(grid.exponent() + step_exponent)};
  NoisyNumbers numbers =
      released(std::move(name), chain, NoiseMechanism::kDiscreteGaussian,
               fmt::format("{} in L2", (Distance(step) * sensitivity).to_string()),
               fmt::format("standard deviation {}", about(deviation * step)), law, step);
  numbers.part.steps_variance = variance / (grid.spacing() * grid.spacing());
  return numbers;
}

NoisyNumbers planned_for(NoisyNumbers numbers, const Rational& alpha) {
  numbers.part.alpha = alpha;
  numbers.part.accuracy = numbers.error(alpha);
  return numbers;
}

}  // namespace

Rational NoisyNumbers::error(const Rational& alpha, std::int64_t terms) const {
  const WeightedNoise noise{law, 1, terms};
  const Rational bound = weighted_noise_accuracy({&noise, 1}, alpha);
  const auto* laplace = std::get_if<LaplaceNoise>(&law);
  if (laplace != nullptr && !laplace->on_grid) return bound;
  const Grid grid = std::visit([](const auto& any) { return any.grid; }, law);
  return grid.point(grid.floor_index(bound));
}

namespace {

// noisy: the numbers that `make` gives for a metric, with the noise that the share pays for.
template <class Make>
NoisyNumbers noisy(const std::string& name, const Make& make, int step_exponent,
                   const LossShare& share, const Rational& alpha,
                   NoiseGrid grid = NoiseGrid::kOfData) {
  NoisyNumbers numbers =
      share.concentrated ? with_gaussian(name, make(L2Distance()), step_exponent, share.loss, grid)
                         : with_laplace(name, make(L1Distance()), step_exponent, share.loss, grid);
  return planned_for(std::move(numbers), alpha);
}

}  // namespace

std::string about(const Rational& value) {
  const double up = value.up();
  return up >= 1e6 && up < 1e15 ? value.ceil().to_string() : fmt::format("{:.6g}", up);
}

NoisyNumbers noisy_counts(const std::string& name, const Aggregation& aggregation,
                          const EntryRange& entries, const LossShare& share,
                          const Rational& alpha) {
  const auto make = [&]<class Metric>(const Metric& /*metric*/) {
    return make_group_counts<Metric>(aggregation, entries);
  };
  return noisy(name, make, 0, share, alpha);
}

NoisyNumbers noisy_sums(const std::string& name, const Aggregation& aggregation,
                        const EntryRange& entries, int step_exponent, const LossShare& share,
                        const Rational& alpha) {
  const auto make = [&]<class Metric>(const Metric& /*metric*/) {
    return make_group_sums<Metric>(aggregation, entries);
  };
  return noisy(name, make, step_exponent, share, alpha);
}

NoisyNumbers noisy_combinations(const std::string& name, const Aggregation& aggregation,
                                const Combinations& combinations, int step_exponent,
                                const LossShare& share, const Rational& alpha) {
  const auto make = [&]<class Metric>(const Metric& /*metric*/) {
    return make_group_combinations<Metric>(aggregation, combinations);
  };
  return noisy(name, make, step_exponent, share, alpha, NoiseGrid::kFine);
}

NoisyNumbers noisy_ranges(const std::string& name, const Aggregation& aggregation,
                          std::size_t measure, const std::vector<std::vector<std::size_t>>& edges,
                          const LossShare& share, const Rational& alpha) {
  const auto make = [&]<class Metric>(const Metric& /*metric*/) {
    return make_range_counts<Metric>(aggregation, measure, edges);
  };
  return noisy(name, make, 0, share, alpha);
}

NoisyNumbers ladder_cells_of_all(const std::string& name, const Aggregation& aggregation,
                                 std::size_t measure, const LossShare& share,
                                 const Rational& alpha) {
  const auto make = [&]<class Metric>(const Metric& /*metric*/) {
    return make_ladder_cells<Metric>(aggregation, measure);
  };
  return noisy(name, make, 0, share, alpha);
}

NoisyNumbers ladder_sums(const std::string& name, const Aggregation& aggregation,
                         std::size_t measure, const LadderBounds& bounds, const LossShare& share,
                         const Rational& alpha) {
  const auto make = [&]<class Metric>(const Metric& /*metric*/) {
    return make_clamped_sums<Metric>(aggregation, measure, bounds);
  };
  const int step = std::get<LadderSum>(aggregation.measures[measure]).field.grid_exponent;
  return noisy(name, make, step, share, alpha);
}

NoisyNumbers ladder_corners(const std::string& name, const Aggregation& aggregation,
                            std::size_t measure, const LadderBounds& bounds, const LossShare& share,
                            const Rational& alpha) {
  const auto make = [&]<class Metric>(const Metric& /*metric*/) {
    return make_clamped_corners<Metric>(aggregation, measure, bounds);
  };
  const int step = std::get<LadderSum>(aggregation.measures[measure]).field.grid_exponent;
  return noisy(name, make, step, share, alpha, NoiseGrid::kFine);
}

namespace {

// found_by: a finder whose chain releases counts by key.
template <class Chain>
GroupFinder found_by(PlannedPart part, const Chain& chain) {
  part.cost = cost_of(chain.measure(), chain.map(1));
  return {std::move(part), [chain](const TableDomain::Carrier& table, BitSource& bits) {
            const auto kept = chain(table, bits);
            std::vector<FoundGroup> found;
            for (std::size_t group = 0; group < table.size(); ++group) {
              const auto entry = kept.find(key_text(table[group].key));
              if (entry != kept.end()) found.push_back({group, entry->second});
            }
            return found;
          }};
}

PlannedPart finding_part(NoiseMechanism mechanism, const Rational& alpha) {
  return {.name = "groups with many units",
          .mechanism = mechanism,
          .sensitivity = {},
          .noise = {},
          .grid = Grid(0),
          .threshold = std::nullopt,
          .cost = Cost::pure(0),
          .alpha = alpha,
          .accuracy = 0};
}

GroupFinder laplace_finder(const Aggregation& aggregation, const EntryRange& count,
                           const Rational& epsilon, const Discovery& discovery,
                           const Rational& alpha) {
  const auto exact = make_counts_by_key(aggregation, count);
  const Distance reach = exact.map(1);
  const Rational scale = reach.value() / epsilon;
  const DeltaLimit limit{discovery.delta.value, reach};
  const std::int64_t threshold = discovery.threshold
                                     ? discovery.threshold->value
                                     : CountThreshold::smallest(scale, limit.delta, reach);
  PlannedPart part = finding_part(NoiseMechanism::kThresholdHistogram, alpha);
  part.sensitivity = fmt::format("{} in L1", reach.to_string());
  part.noise = fmt::format("scale {}", about(scale));
  part.threshold = threshold;
  part.accuracy = Rational(smallest_accuracy(scale, Grid(0), alpha).ball.upper_rational().floor());
  return found_by(std::move(part), exact >> make_threshold_histogram(scale, threshold, limit));
}

GroupFinder gaussian_finder(const Aggregation& aggregation, const EntryRange& count,
                            const Rational& rho, const Discovery& discovery,
                            const Rational& alpha) {
  const auto exact = make_spread_counts_by_key(aggregation, count);
  const Integer keys = exact.output_metric().keys;
  const Distance steps = exact.map(1);
  const Distance squared = Distance(Rational(keys)) * pow(steps, 2);
  const Rational variance = squared.value() / (Rational(2) * rho);
  const DeltaLimit limit{discovery.delta.value, steps};
  const std::int64_t threshold = discovery.threshold
                                     ? discovery.threshold->value
                                     : GaussianCountThreshold::smallest(variance, keys, limit);
  PlannedPart part = finding_part(NoiseMechanism::kGaussianThresholdHistogram, alpha);
  part.sensitivity = fmt::format("{} in L2", Radical<2>::root_of(squared).to_string());
  part.noise =
      fmt::format("standard deviation {}", about(sqrt(Ball(variance, 64)).upper_rational()));
  part.threshold = threshold;
  part.accuracy = gaussian_accuracy(variance, Grid(0), alpha);
  return found_by(std::move(part),
                  exact >> make_gaussian_threshold_histogram(variance, threshold, limit));
}

}  // namespace

GroupFinder group_finder(const Aggregation& aggregation, const EntryRange& count,
                         const LossShare& share, const Discovery& discovery,
                         const Rational& alpha) {
  const auto make = share.concentrated ? gaussian_finder : laplace_finder;
  return make(aggregation, count, share.loss, discovery, alpha);
}

}  // namespace lastbit::release_internal
