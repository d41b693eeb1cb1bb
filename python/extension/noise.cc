// Noise on numbers and on arrays of them.
//
// Arrays are read and written where they are, a block at a time, while other Python threads run. Their
// element type has to be the right one: an array of floats is never taken for one of whole numbers.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/core/domain.h"
#include "lastbit/core/metric.h"
#include "lastbit/mechanisms/discrete_gaussian.h"
#include "lastbit/mechanisms/discrete_laplace.h"
#include "lastbit/mechanisms/snapped_laplace.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/report/numbers/answer_numbers.h"
#include "python/extension/bindings.h"
#include "python/extension/interpreter.h"

namespace lastbit::python {

namespace nb = nanobind;

namespace {

template <class T>
using Values = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Output = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Texts = std::vector<std::string>;

constexpr std::size_t kBlock = 4096;

void require_same_size(std::size_t values, std::size_t output) {
  invariant(values == output, "the output array is as long as the values");
}

std::int64_t as_element(std::int64_t value, std::int64_t) { return value; }
// A released number is public, so rounding it to a finite double costs nothing.
double as_element(const Rational& value, double) {
  constexpr double kMost = std::numeric_limits<double>::max();
  return std::clamp(report::nearest_double(value), -kMost, kMost);
}

// release_blocks: what a measurement of vectors releases for the values, written to the output.
template <class T, class Measurement>
void release_blocks(const Measurement& measurement, const Values<T>& values,
                    const Output<T>& output) {
  require_same_size(values.size(), output.size());
  const OthersRun others_run;
  BitSource& bits = thread_bit_source();
  for (std::size_t start = 0; start < values.size(); start += kBlock) {
    const std::size_t size = std::min(kBlock, values.size() - start);
    const T* const first = values.data() + start;
    const auto released = measurement(std::vector<T>(first, first + size), bits);
    for (std::size_t i = 0; i < size; ++i) {
      output.data()[start + i] = as_element(released[i], T{});
    }
  }
}

// release_numbers: the same for exact numbers of any size.
template <class Release>
Texts release_numbers(const Texts& texts, const Release& release) {
  std::vector<Rational> values;
  for (const std::string& text : texts) values.push_back(number_of(text));
  Texts released;
  for (const auto& number : release(values)) released.push_back(fraction_text(Rational(number)));
  return released;
}

template <class Noise>
Texts add_to_integers(const Noise& noise, const Texts& texts) {
  return release_numbers(texts, [&](const std::vector<Rational>& values) {
    std::vector<Integer> numbers;
    for (const Rational& value : values) {
      invariant(value.is_integer(), "lattice noise is added to whole numbers");
      numbers.push_back(value.numerator());
    }
    noise.add(std::span(numbers), thread_bit_source());
    return numbers;
  });
}

SnappedLaplaceOptions snapping(const std::optional<int>& grid,
                               const std::optional<std::string>& lower,
                               const std::optional<std::string>& upper) {
  return {.grid = grid ? std::optional(Grid(*grid)) : std::nullopt,
          .lower = number_of(lower),
          .upper = number_of(upper)};
}

void define_laplace(nb::module_& module) {
  const auto laplace = [](const auto& values, const auto& output, const auto& domain,
                          const std::string& scale, const SnappedLaplaceOptions& options) {
    release_blocks(make_snapped_laplace(vector_of(domain), L1Distance{}, number_of(scale), options),
                   values, output);
  };
  module.def(
      "laplace_floats",
      [laplace](const Values<double>& values, const Output<double>& output,
                const std::string& scale, std::optional<int> grid,
                const std::optional<std::string>& lower, const std::optional<std::string>& upper) {
        laplace(values, output, doubles(), scale, snapping(grid, lower, upper));
      },
      nb::arg("values").noconvert(), nb::arg("output").noconvert(), nb::arg("scale"),
      nb::arg("grid").none(), nb::arg("lower").none(), nb::arg("upper").none());
  module.def(
      "laplace_integers",
      [laplace](const Values<std::int64_t>& values, const Output<std::int64_t>& output,
                const std::string& scale, std::optional<int> grid,
                const std::optional<std::string>& lower, const std::optional<std::string>& upper) {
        laplace(values, output, integers(), scale, snapping(grid, lower, upper));
      },
      nb::arg("values").noconvert(), nb::arg("output").noconvert(), nb::arg("scale"),
      nb::arg("grid").none(), nb::arg("lower").none(), nb::arg("upper").none());
  module.def(
      "laplace_numbers",
      [](const Texts& texts, const std::string& scale, std::optional<int> grid,
         const std::optional<std::string>& lower, const std::optional<std::string>& upper) {
        const auto measurement = make_snapped_laplace(
            vector_of(rationals()), L1Distance{}, number_of(scale), snapping(grid, lower, upper));
        return release_numbers(texts, [&](const std::vector<Rational>& values) {
          return measurement(values, thread_bit_source());
        });
      },
      nb::arg("values"), nb::arg("scale"), nb::arg("grid").none(), nb::arg("lower").none(),
      nb::arg("upper").none());
}

void define_lattice_noise(nb::module_& module) {
  module.def(
      "discrete_laplace_integers",
      [](const Values<std::int64_t>& values, const Output<std::int64_t>& output,
         const std::string& scale) {
        release_blocks(make_discrete_laplace(vector_of(integers()), L1Distance{}, number_of(scale)),
                       values, output);
      },
      nb::arg("values").noconvert(), nb::arg("output").noconvert(), nb::arg("scale"));
  module.def(
      "discrete_laplace_numbers",
      [](const Texts& texts, const std::string& scale) {
        return add_to_integers(DiscreteLaplace(number_of(scale)), texts);
      },
      nb::arg("values"), nb::arg("scale"));
  module.def(
      "discrete_gaussian_integers",
      [](const Values<std::int64_t>& values, const Output<std::int64_t>& output,
         const std::string& variance) {
        release_blocks(
            make_discrete_gaussian(vector_of(integers()), L2Distance{}, number_of(variance)),
            values, output);
      },
      nb::arg("values").noconvert(), nb::arg("output").noconvert(), nb::arg("variance"));
  module.def(
      "discrete_gaussian_numbers",
      [](const Texts& texts, const std::string& variance) {
        return add_to_integers(DiscreteGaussian(number_of(variance)), texts);
      },
      nb::arg("values"), nb::arg("variance"));
}

}  // namespace

void define_noise(nb::module_& module) {
  define_laplace(module);
  define_lattice_noise(module);
}

}  // namespace lastbit::python
