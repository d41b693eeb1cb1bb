// What many releases lose together. Other Python threads run meanwhile, and a signal such as Ctrl-C
// ends the work.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "lastbit/accounting/cost.h"
#include "lastbit/accounting/total_loss.h"
#include "lastbit/base/error.h"
#include "lastbit/numerics/rational.h"
#include "python/extension/bindings.h"
#include "python/extension/interpreter.h"

namespace lastbit::python {

namespace nb = nanobind;

namespace {

// A loss as the package names it: its kind, its number, its delta, and how often.
using WrittenLoss = std::tuple<std::string, std::string, std::string, std::uint64_t>;

KnownLoss known_loss(const std::string& kind, const Rational& number, const Rational& delta) {
  if (kind == "pure") return Cost::pure(number);
  if (kind == "approximate") return Cost::approximate(number, delta);
  if (kind == "rho") return Cost::concentrated(number, delta);
  if (kind == "laplace") return LaplaceLoss{number};
  invariant(kind == "gaussian", "the package knows the kinds of losses");
  return GaussianLoss{number};
}

std::optional<std::string> text_of(const std::optional<Rational>& number) {
  if (!number) return std::nullopt;
  return fraction_text(*number);
}

// The ends of the answer and the plain sum; nothing stands for infinity.
using Answer =
    std::tuple<std::optional<std::string>, std::optional<std::string>, std::optional<std::string>>;

// The total epsilon at `at` where that is a delta, the total delta at `at` where that is an
// epsilon.
Answer account(const std::vector<WrittenLoss>& written, bool at_delta, const std::string& at,
               const std::string& least_delta) {
  const OthersRun others_run;
  std::vector<LossPart> parts;
  for (const auto& [kind, number, delta, times] : written) {
    parts.push_back({known_loss(kind, number_of(number), number_of(delta)), times});
  }
  const Rational asked = number_of(at);
  const TotalLoss total(parts, number_of(least_delta),
                        [](std::uint64_t, std::uint64_t) { let_signals_through(); });
  const LossRange range = at_delta ? total.epsilon(asked) : total.delta(asked);
  return {text_of(range.lower), text_of(range.upper),
          at_delta ? text_of(total.simple_epsilon(asked)) : std::nullopt};
}

}  // namespace

void define_account(nb::module_& module) { module.def("account", account); }

}  // namespace lastbit::python
