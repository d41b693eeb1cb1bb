// How accurate answers will be. No data goes in.
#include "lastbit/accuracy/accuracy.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "lastbit/accuracy/bias.h"
#include "lastbit/accuracy/gaussian_accuracy.h"
#include "lastbit/accuracy/ideal_snapping.h"
#include "lastbit/accuracy/planned_noise.h"
#include "lastbit/accuracy/ranges.h"
#include "lastbit/base/error.h"
#include "lastbit/core/domain.h"
#include "lastbit/mechanisms/snapped_laplace.h"
#include "lastbit/mechanisms/snapping.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"
#include "python/extension/bindings.h"

namespace lastbit::python {

namespace nb = nanobind;

namespace {

using Text = std::string;
using OptionalText = std::optional<std::string>;
using Ends = std::pair<std::string, std::string>;

Grid grid_of(const std::optional<int>& grid, const Rational& scale) {
  return grid ? Grid(*grid) : default_noise_grid(rationals(), scale);
}

// real_scale: the scale of unrounded noise with this error, which no rounded noise exceeds.
Rational real_scale(const Rational& error, const Rational& alpha) {
  return Rational(1) / laplace_accuracy(error, 1, alpha).ball.lower_rational();
}

// scale_for_error: a scale that has the error on the grid that the noise takes by default, which
// depends on the scale. Each grid is the default for scales up to one number; finer grids are tried
// until the scale is one of its own.
Rational scale_for_error(const Rational& error, const Rational& alpha) {
  Grid grid = default_noise_grid(rationals(), real_scale(error, alpha));
  while (true) {
    const Rational most = grid.spacing() * Rational::two_to(20);
    const Rational scale = std::min(scale_for_accuracy(error, alpha, grid), most);
    if (default_noise_grid(rationals(), scale).exponent() == grid.exponent()) return scale;
    grid = Grid(grid.exponent() - 1);
  }
}

double laplace_error(const Text& scale, const Text& alpha, std::optional<int> grid, bool whole,
                     const OptionalText& lower, const OptionalText& upper) {
  const Rational noise = number_of(scale);
  if (lower && upper) {
    const IdealSnapping snapping(noise, grid_of(grid, noise), number_of(*lower), number_of(*upper));
    return snapping_accuracy(snapping, number_of(alpha)).value();
  }
  const Grid spacing = whole ? Grid(0) : grid_of(grid, noise);
  const UpperBound bound = smallest_accuracy(noise, spacing, number_of(alpha));
  if (!whole) return bound.value();
  return Rational(bound.ball.upper_rational().floor()).up();
}

Text laplace_scale(const Text& error, const Text& alpha, std::optional<int> grid, bool whole) {
  const Rational wanted = number_of(error);
  const Rational probability = number_of(alpha);
  if (whole) return fraction_text(scale_for_whole_accuracy(wanted, probability));
  if (!grid) return fraction_text(scale_for_error(wanted, probability));
  return fraction_text(scale_for_accuracy(wanted, probability, Grid(*grid)));
}

IdealSnapping clamped_noise(const Text& scale, std::optional<int> grid, const Text& lower,
                            const Text& upper) {
  const Rational noise = number_of(scale);
  return {noise, grid_of(grid, noise), number_of(lower), number_of(upper)};
}

SnappingParameters snapping_of(const Text& epsilon, const Text& sensitivity, const Text& lower,
                               const Text& upper, int precision) {
  SnappingParameters parameters;
  parameters.epsilon = number_of(epsilon);
  parameters.sensitivity = number_of(sensitivity);
  parameters.lower = number_of(lower);
  parameters.upper = number_of(upper);
  parameters.precision = precision;
  return parameters;
}

Ends ends_of(const Range& range) {
  return {fraction_text(range.lower), fraction_text(range.upper)};
}

Range statistic_range(const Text& statistic, const Text& rows, const Text& lower, const Text& upper,
                      const Text& second_lower, const Text& second_upper) {
  const Integer size = number_of(rows).floor();
  if (statistic == "count") return count_range(size);
  if (statistic == "histogram") return histogram_range(size);
  const Rational low = number_of(lower);
  const Rational high = number_of(upper);
  if (statistic == "sum") return sum_range(size, low, high);
  if (statistic == "mean") return mean_range(low, high);
  if (statistic == "variance") return variance_range(size, low, high);
  invariant(statistic == "covariance", "the package knows the statistics");
  return covariance_range(size, low, high, number_of(second_lower), number_of(second_upper));
}

void define_errors_of_noise(nb::module_& module) {
  module.def("laplace_error", laplace_error, nb::arg("scale"), nb::arg("alpha"),
             nb::arg("grid").none(), nb::arg("whole"), nb::arg("lower").none(),
             nb::arg("upper").none());
  module.def("laplace_scale", laplace_scale, nb::arg("error"), nb::arg("alpha"),
             nb::arg("grid").none(), nb::arg("whole"));
  module.def("gaussian_error", [](const Text& variance, const Text& alpha) {
    return fraction_text(gaussian_accuracy(number_of(variance), Grid(0), number_of(alpha)));
  });
  module.def("gaussian_variance", [](const Text& error, const Text& alpha) {
    return fraction_text(variance_for_accuracy(number_of(error), number_of(alpha), Grid(0)));
  });
  module.def("snapping_error", [](const Text& epsilon, const Text& sensitivity, const Text& lower,
                                  const Text& upper, int precision, const Text& alpha) {
    const Snapping snapping(snapping_of(epsilon, sensitivity, lower, upper, precision));
    return snapping_accuracy(snapping, number_of(alpha)).value();
  });
  module.def("snapping_epsilon", [](const Text& error, const Text& sensitivity, const Text& lower,
                                    const Text& upper, int precision, const Text& alpha) {
    const Snapping snapping(plan_snapping(number_of(error), number_of(alpha),
                                          snapping_of("1", sensitivity, lower, upper, precision)));
    return fraction_text(snapping.parameters().epsilon);
  });
}

}  // namespace

void define_accuracy(nb::module_& module) {
  define_errors_of_noise(module);
  module.def(
      "laplace_bias",
      [](const Text& value, const Text& scale, std::optional<int> grid, const Text& lower,
         const Text& upper) {
        const Ball bias = clamped_noise(scale, grid, lower, upper).bias(number_of(value));
        return std::pair(bias.lower(), bias.upper());
      },
      nb::arg("value"), nb::arg("scale"), nb::arg("grid").none(), nb::arg("lower"),
      nb::arg("upper"));
  module.def(
      "laplace_worst_bias",
      [](const Text& scale, std::optional<int> grid, const Text& lower, const Text& upper) {
        return worst_bias(clamped_noise(scale, grid, lower, upper)).bound.value();
      },
      nb::arg("scale"), nb::arg("grid").none(), nb::arg("lower"), nb::arg("upper"));
  module.def(
      "statistic_range", [](const Text& statistic, const Text& rows, const Text& lower,
                            const Text& upper, const Text& second_lower, const Text& second_upper) {
        return ends_of(statistic_range(statistic, rows, lower, upper, second_lower, second_upper));
      });
  module.def(
      "rarely_reached",
      [](const Text& lower, const Text& upper, const Text& scale, const Text& gamma,
         std::optional<int> grid) {
        const Rational noise = number_of(scale);
        return ends_of(non_binding_range({number_of(lower), number_of(upper)}, number_of(gamma),
                                         noise, grid_of(grid, noise)));
      },
      nb::arg("lower"), nb::arg("upper"), nb::arg("scale"), nb::arg("gamma"),
      nb::arg("grid").none());
}

}  // namespace lastbit::python
