// Chains: transformations and measurements, step by step.
//
// Steps are built and joined in C++; what does not fit is an Error when it is joined. Running a
// chain lets other Python threads run.
#include "lastbit/core/chain.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/core/compose.h"
#include "lastbit/mechanisms/discrete_gaussian.h"
#include "lastbit/mechanisms/discrete_laplace.h"
#include "lastbit/mechanisms/snapped_laplace.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/transformations/aggregates/count.h"
#include "lastbit/transformations/aggregates/histogram.h"
#include "lastbit/transformations/aggregates/mean.h"
#include "lastbit/transformations/aggregates/sum.h"
#include "lastbit/transformations/aggregates/variance.h"
#include "lastbit/transformations/rows/clamp.h"
#include "lastbit/transformations/rows/impute.h"
#include "lastbit/transformations/rows/resize.h"
#include "python/extension/bindings.h"
#include "python/extension/chain_space.h"
#include "python/extension/interpreter.h"

namespace lastbit::python {

namespace nb = nanobind;

namespace {

using Text = std::string;
using OptionalText = std::optional<std::string>;
using OptionalGrid = std::optional<int>;

// StepNote: what a step is called in messages, and what helps where it does not fit.
struct StepNote {
  const char* name;
  const char* remedy;
};

template <class T, class Variant>
inline constexpr bool is_one_of = false;
template <class T, class... Options>
inline constexpr bool is_one_of<T, std::variant<Options...>> = (std::same_as<T, Options> || ...);

template <class Left>
Error does_not_fit(const Left& left, const StepNote& note) {
  return Error(ErrorCode::kMismatch, left.name() + " >> " + note.name,
               "the left side gives " + left.output_domain().describe() + ", compared by " +
                   std::string(Left::OutputMetric::kName) + "; " + note.name +
                   " does not take that",
               note.remedy);
}

// joined: left >> step, where both fit.
template <class Step>
Chain joined(const Chain& chain, const StepNote& note, const Step& step) {
  return std::visit(
      [&](const auto& left) -> Chain {
        if constexpr (requires { left >> step; }) {
          using Result = decltype(left >> step);
          if constexpr (is_one_of<Result, Chain>) return left >> step;
        }
        throw does_not_fit(left, note);
      },
      chain);
}

// with_answers: the same measurement with its output as a list of answers.
template <class M>
auto with_answers(const M& measurement) {
  return Release<typename M::PrivacyMeasure>(
      measurement.name(), measurement.input_domain(), measurement.input_metric(),
      measurement.measure(),
      [measurement](const Rows& rows, BitSource& bits) {
        return Answers{Answer(measurement(rows, bits))};
      },
      measurement.privacy());
}

// measured: left >> noise, where both fit.
template <class Step>
Measured measured(const Chain& chain, const StepNote& note, const Step& noise) {
  return std::visit(
      [&](const auto& left) -> Measured {
        if constexpr (requires { left >> noise; }) {
          return with_answers(left >> noise);
        } else {
          throw does_not_fit(left, note);
        }
      },
      chain);
}

// all_of: the measurements, released together, with their answers in one list. They are held once,
// however often the result is copied.
template <class Measure>
Measured all_of(const std::vector<Release<Measure>>& parts) {
  const auto all = std::make_shared<const decltype(compose(parts))>(compose(parts));
  return Release<Measure>(
      all->name(), all->input_domain(), all->input_metric(), all->measure(),
      [all](const Rows& rows, BitSource& bits) {
        Answers answers;
        for (Answers& more : (*all)(rows, bits))
          std::ranges::move(more, std::back_inserter(answers));
        return answers;
      },
      Relation<Distance, Distance>::from_map(
          [all](const Distance& d_in) { return all->map(d_in); }));
}

Measured composed(const std::vector<Measured>& parts) {
  return std::visit(
      [&]<class First>(const First&) -> Measured {
        std::vector<First> same;
        for (const Measured& part : parts) {
          if (!std::holds_alternative<First>(part)) {
            throw Error(ErrorCode::kMismatch, "compose", "one measures epsilon and another one rho",
                        "compose measurements with noise of one kind");
          }
          same.push_back(std::get<First>(part));
        }
        return all_of(same);
      },
      parts.front());
}

Chain rows_of_integers(std::optional<std::size_t> size) {
  if (!size) return rows_chain(RowsDomain(vector_of(integers())), vector_of(integers()));
  return rows_chain(RowsDomain(vector_of(integers(), *size)), vector_of(integers(), *size));
}

Chain rows_of_floats(std::optional<std::size_t> size, bool nan) {
  const AllDomain<double> inside = nan ? doubles_or_nan() : doubles();
  if (!size) return rows_chain(RowsDomain(vector_of(doubles_or_nan())), vector_of(inside));
  return rows_chain(RowsDomain(vector_of(doubles_or_nan(), *size)), vector_of(inside, *size));
}

constexpr const char* kNeedsBounds = "clamp the rows first";
constexpr const char* kNeedsSize = "clamp and resize the rows first";

// A step for rows that need a grid if they are floats.
template <class MakeStep>
Chain with_grid(const Chain& chain, const StepNote& note, const OptionalGrid& grid,
                const MakeStep& make) {
  if (grid) return joined(chain, note, make(Grid(*grid)));
  return joined(chain, note, make());
}

Chain histogram(const Chain& chain, const std::vector<std::int64_t>& categories, bool other,
                int norm) {
  const StepNote note{"histogram", "count whole numbers, or use bins for floats"};
  const Other rest = other ? Other::kCounted : Other::kDropped;
  if (norm == 1) return joined(chain, note, make_histogram<1>(categories, rest));
  return joined(chain, note, make_histogram<2>(categories, rest));
}

Chain bins(const Chain& chain, const std::vector<Text>& texts, int norm) {
  const StepNote note{"bins", "count rows, before any other statistic"};
  std::vector<Rational> edges;
  for (const Text& text : texts) edges.push_back(number_of(text));
  if (norm == 1) return joined(chain, note, make_bin_histogram<1>(edges));
  return joined(chain, note, make_bin_histogram<2>(edges));
}

Measured laplace_noise(const Chain& chain, const Text& scale, const OptionalGrid& grid,
                       const OptionalText& lower, const OptionalText& upper) {
  const SnappedLaplaceOptions options{.grid = grid ? std::optional(Grid(*grid)) : std::nullopt,
                                      .lower = number_of(lower),
                                      .upper = number_of(upper)};
  return measured(chain, {"laplace_noise", "take a statistic first; histograms need norm=1"},
                  make_snapped_laplace(number_of(scale), options));
}

Measured discrete_laplace_noise(const Chain& chain, const Text& scale) {
  return measured(chain,
                  {"discrete_laplace_noise",
                   "take a count, a sum or a histogram with norm=1, or use laplace_noise"},
                  make_discrete_laplace(number_of(scale)));
}

Measured discrete_gaussian_noise(const Chain& chain, const Text& variance) {
  return measured(chain,
                  {"discrete_gaussian_noise", "take a count, a sum or a histogram with norm=2"},
                  make_discrete_gaussian(number_of(variance)));
}

nb::object python_of(const Answer& answer);
nb::object python_of(std::int64_t number) { return nb::int_(number); }
nb::object python_of(double number) { return nb::float_(number); }
nb::object python_of(const Rational& number) { return nb::cast(fraction_text(number)); }
template <class T>
nb::object python_of(const std::vector<T>& values) {
  nb::list result;
  for (const T& value : values) result.append(python_of(value));
  return result;
}
nb::object python_of(const Answer& answer) {
  return std::visit([](const auto& value) { return python_of(value); }, answer);
}

Text distance_text(const Distance& distance) {
  return distance.is_infinite() ? "infinity" : fraction_text(distance.value());
}
// The root of a number is exact where it is rational; otherwise only comparisons are.
Text distance_text(const Radical<2>& root) {
  if (root.is_infinite()) return "infinity";
  if (const auto exact = exact_root(root.radicand().value(), 2)) return fraction_text(*exact);
  throw Error(ErrorCode::kNotSupported, "map",
              "the distance is " + root.to_string() + ", which is not a fraction",
              "ask check(d_in, d_out) for a d_out of your choice");
}

template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
Rows rows_from(const Column<T>& column) {
  return std::vector<T>(column.data(), column.data() + column.size());
}

// require_size: where the number of rows is public, the data has it. The price holds for no other
// data, and what is public may be said.
template <class Object>
void require_size(const Object& object, const Rows& rows) {
  const auto size =
      std::visit([](const auto& chain) { return chain.input_domain().size(); }, object);
  if (!size || *size == std::visit([](const auto& column) { return column.size(); }, rows)) return;
  throw Error(ErrorCode::kBadInput, "data",
              "does not have the " + std::to_string(*size) + " rows that the chain was made for",
              "give the size of the data if it is public; otherwise leave it out and resize");
}

nb::object run(const Chain& chain, const Rows& rows) {
  require_size(chain, rows);
  return std::visit(
      [&](const auto& transformation) {
        const auto result = [&] {
          const OthersRun others_run;
          return transformation(rows, thread_bit_source());
        }();
        return python_of(result);
      },
      chain);
}

nb::object run(const Measured& measurement, const Rows& rows) {
  require_size(measurement, rows);
  const Answers answers = [&] {
    const OthersRun others_run;
    return std::visit([&](const auto& one) { return one(rows, thread_bit_source()); }, measurement);
  }();
  return python_of(answers);
}

// define_common: what transformations and measurements have in common.
template <class Object>
void define_common(nb::class_<Object>& type) {
  type.def("map", [](const Object& object, const Text& d_in) {
    return std::visit(
        [&](const auto& chain) { return distance_text(chain.map(Distance(number_of(d_in)))); },
        object);
  });
  type.def("relation", [](const Object& object, const Text& d_in, const Text& d_out) {
    return std::visit(
        [&](const auto& chain) {
          return chain.relation(Distance(number_of(d_in)), Distance(number_of(d_out)));
        },
        object);
  });
  type.def("name", [](const Object& object) {
    return std::visit([](const auto& chain) { return chain.name(); }, object);
  });
  type.def("input_domain", [](const Object& object) {
    return std::visit([](const auto& chain) { return chain.input_domain().describe(); }, object);
  });
  const auto define_for = [&]<class T>(T) {
    type.def(
        "run",
        [](const Object& object, const Column<T>& column) {
          return run(object, rows_from<T>(column));
        },
        nb::arg("column").noconvert());
    type.def(
        "require_member",
        [](const Object& object, const Column<T>& column) {
          const Rows rows = rows_from<T>(column);
          std::visit([&](const auto& chain) { require_member(chain.input_domain(), rows); },
                     object);
        },
        nb::arg("column").noconvert());
  };
  define_for(std::int64_t{});
  define_for(double{});
}

void define_row_steps(nb::class_<Chain>& chain) {
  chain.def("clamp", [](const Chain& left, const Text& lower, const Text& upper) {
    return joined(left, {"clamp", "clamp rows or whole numbers, before means and sums"},
                  make_clamp(number_of(lower), number_of(upper)));
  });
  chain.def("impute", [](const Chain& left, const Text& value) {
    return joined(left, {"impute", "impute rows of floats before any other step"},
                  make_impute_constant(number_of(value)));
  });
  chain.def("resize", [](const Chain& left, const Text& size, const Text& value) {
    return joined(left, {"resize", "resize rows whose number is not public"},
                  make_resize(number_of(size).floor(), number_of(value)));
  });
}

void define_statistics(nb::class_<Chain>& chain) {
  chain.def("count", [](const Chain& left) {
    return joined(left, {"count", "count rows, before any other statistic"}, make_count());
  });
  chain.def("count_distinct", [](const Chain& left) {
    return joined(left, {"count_distinct", "count rows, before any other statistic"},
                  make_count_distinct());
  });
  chain.def(
      "sum",
      [](const Chain& left, OptionalGrid grid) {
        return with_grid(left, {"sum", kNeedsBounds}, grid,
                         [](auto... grids) { return make_sum(grids...); });
      },
      nb::arg("grid").none());
  chain.def(
      "mean",
      [](const Chain& left, OptionalGrid grid) {
        return with_grid(left, {"mean", kNeedsSize}, grid,
                         [](auto... grids) { return make_mean(grids...); });
      },
      nb::arg("grid").none());
  chain.def(
      "variance",
      [](const Chain& left, std::size_t ddof, OptionalGrid grid) {
        return with_grid(left, {"variance", kNeedsSize}, grid,
                         [ddof](auto... grids) { return make_variance(grids..., ddof); });
      },
      nb::arg("ddof"), nb::arg("grid").none());
  chain.def("histogram", histogram);
  chain.def("bins", bins);
}

}  // namespace

void define_chains(nb::module_& module) {
  nb::class_<Chain> chain(module, "Chain");
  define_common(chain);
  define_row_steps(chain);
  define_statistics(chain);
  chain.def("output_domain", [](const Chain& object) {
    return std::visit([](const auto& left) { return left.output_domain().describe(); }, object);
  });
  chain.def("laplace_noise", laplace_noise, nb::arg("scale"), nb::arg("grid").none(),
            nb::arg("lower").none(), nb::arg("upper").none());
  chain.def("discrete_laplace_noise", discrete_laplace_noise);
  chain.def("discrete_gaussian_noise", discrete_gaussian_noise);

  nb::class_<Measured> measurement(module, "Measured");
  define_common(measurement);
  measurement.def("is_pure", [](const Measured& object) {
    return std::holds_alternative<Release<MaxDivergence>>(object);
  });

  module.def("compose", composed);
  module.def("rows_of_integers", rows_of_integers, nb::arg("size").none());
  module.def("rows_of_floats", rows_of_floats, nb::arg("size").none(), nb::arg("nan"));
}

}  // namespace lastbit::python
