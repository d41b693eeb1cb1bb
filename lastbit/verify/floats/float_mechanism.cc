#include "lastbit/verify/floats/float_mechanism.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lastbit/base/error.h"

namespace lastbit::verify {

namespace {

constexpr std::string_view kFloatMechanism = "FloatMechanism";

template <class Kind>
struct Named {
  Kind kind;
  std::string_view name;
};

constexpr std::array kUniformModels{
    Named<UniformModel>{UniformModel::kUnitFloat, "unit-float"},
    Named<UniformModel>{UniformModel::kDouble, "double"},
    Named<UniformModel>{UniformModel::kNormalDouble, "normal-double"},
    Named<UniformModel>{UniformModel::kFewerBits, "fewer-bits"},
    Named<UniformModel>{UniformModel::kGrid, "grid"}};

constexpr std::array kGridRoundings{Named<GridRounding>{GridRounding::kHalfUp, "half-up"},
                                    Named<GridRounding>{GridRounding::kHalfEven, "half-even"},
                                    Named<GridRounding>{GridRounding::kTowardZero, "toward-zero"},
                                    Named<GridRounding>{GridRounding::kHalfAdded, "half-added"},
                                    Named<GridRounding>{GridRounding::kNone, "none"}};

template <class Table, class Kind>
std::string_view name_in(const Table& table, Kind kind) {
  const auto* found = std::ranges::find(table, kind, [](const auto& entry) { return entry.kind; });
  invariant(found != table.end(), "every kind has a name");
  return found->name;
}

template <class Table>
auto kind_in(const Table& table, std::string_view parameter, std::string_view name) {
  std::string known;
  for (const auto& entry : table) {
    if (entry.name == name) return entry.kind;
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw Error::bad_parameter(kFloatMechanism, parameter,
                             fmt::format("is {}, which is unknown", name),
                             fmt::format("choose one of {}", known));
}

void check_uniform(const FloatModel& model) {
  const bool doubles =
      model.uniform == UniformModel::kDouble || model.uniform == UniformModel::kNormalDouble;
  if (doubles && model.precision != 53) {
    throw Error::bad_parameter(kFloatMechanism, "precision",
                               fmt::format("is {} while u is a double", model.precision),
                               "give 53, or another model of u");
  }
  const bool fewer = model.uniform == UniformModel::kFewerBits;
  if (fewer != model.uniform_bits.has_value()) {
    throw Error::bad_parameter(
        kFloatMechanism, "uniform_bits",
        fewer ? "is missing" : "is given, but the model of u needs none",
        fewer ? "say how many bits u has" : "leave it out, or choose fewer-bits");
  }
  if (fewer &&
      (*model.uniform_bits < FloatFormat::kMinPrecision || *model.uniform_bits > model.precision)) {
    throw Error::bad_parameter(
        kFloatMechanism, "uniform_bits", fmt::format("is {}", *model.uniform_bits),
        fmt::format("give {} to {}", FloatFormat::kMinPrecision, model.precision));
  }
}

SnappingFunction function_of(const FloatModel& model) {
  if (model.precision < FloatFormat::kMinPrecision ||
      model.precision > FloatMechanism::kMaxPrecision) {
    throw Error::bad_parameter(
        kFloatMechanism, "precision", fmt::format("is {}", model.precision),
        fmt::format("give {} to {}", FloatFormat::kMinPrecision, FloatMechanism::kMaxPrecision));
  }
  check_uniform(model);
  const Float scale = Float::from(model.scale, FloatFormat::unbounded(model.precision));
  if (compare(scale, model.scale) != 0) {
    throw Error::bad_parameter(kFloatMechanism, "scale",
                               fmt::format("is not a float of {} bits", model.precision),
                               "round it to that precision first");
  }
  return model.grid ? SnappingFunction(scale, model.half_width, *model.grid)
                    : SnappingFunction(scale, model.half_width);
}

// ⌊t⌋ for t ≥ 0, ⌈t⌉ for t < 0.
Integer toward_zero(const Rational& t) { return t.sign() < 0 ? t.ceil() : t.floor(); }

Integer half_even(const Rational& t) {
  const Integer up = (t + Rational(1, 2)).floor();
  const bool tie = t + Rational(1, 2) == Rational(up);
  return tie && floor_mod(up, 2) == 1 ? up - 1 : up;
}

}  // namespace

FloatMechanism::FloatMechanism(FloatModel model)
    : model_(std::move(model)), function_(function_of(model_)) {}

FloatMechanism::FloatMechanism(const SnappingFunction& function)
    : FloatMechanism(FloatModel{.scale = function.scale(),
                                .half_width = function.half_width(),
                                .precision = function.precision(),
                                .grid = function.grid()}) {}

Rational FloatMechanism::output(const Rational& x, int sign, const Float& u) const {
  if (model_.rounding == GridRounding::kHalfUp) return function_.snap_with(u, sign, x);
  const Rational& bound = model_.half_width;
  return finished(std::clamp(x, -bound, bound) + function_.noise(u, sign));
}

Rational FloatMechanism::finished(const Rational& sum) const {
  if (model_.rounding == GridRounding::kHalfUp) return function_.snapped(sum);
  const FloatFormat format = FloatFormat::unbounded(model_.precision);
  const Rational rounded = Float::from(sum, format).to_rational();
  if (model_.rounding == GridRounding::kNone) return rounded;
  const Rational t = rounded / grid().spacing();
  Integer index;
  if (model_.rounding == GridRounding::kHalfEven) {
    index = half_even(t);
  } else if (model_.rounding == GridRounding::kTowardZero) {
    index = toward_zero(t);
  } else {
    index = Float::from(t + Rational(1, 2), format).to_rational().floor();
  }
  return std::clamp(grid().point(index), -model_.half_width, model_.half_width);
}

std::string_view name_of(UniformModel model) { return name_in(kUniformModels, model); }
std::string_view name_of(GridRounding rounding) { return name_in(kGridRoundings, rounding); }
UniformModel uniform_model(std::string_view name) {
  return kind_in(kUniformModels, "uniform", name);
}
GridRounding grid_rounding(std::string_view name) {
  return kind_in(kGridRoundings, "rounding", name);
}

}  // namespace lastbit::verify
