#include "lastbit/statistics/request.h"

#include "lastbit/base/error.h"
#include "lastbit/transformations/rows/resize.h"

namespace lastbit::statistics_internal {
namespace {

std::string in_brackets(const Rational& value) { return "(" + value.to_string() + ")"; }

}  // namespace

void require_loss(std::string_view place, const Rational& epsilon, const Rational& confidence) {
  if (epsilon.sign() <= 0) {
    throw Error::bad_parameter(place, "epsilon", in_brackets(epsilon) + " is not positive",
                               "give the loss you can afford, such as 1/2");
  }
  if (confidence.sign() <= 0 || confidence >= Rational(1)) {
    throw Error::bad_parameter(place, "confidence",
                               in_brackets(confidence) + " is not between 0 and 1",
                               "give a probability such as 0.95");
  }
}

void require_bounds(std::string_view place, const Rational& lower, const Rational& upper) {
  if (lower < upper) return;
  throw Error::bad_parameter(
      place, "lower", in_brackets(lower) + " is not below `upper` " + in_brackets(upper),
      "give the bounds that rows are expected in, from what is known without the data");
}

void require_width(std::string_view place, const Rational& width) {
  if (width.sign() > 0) return;
  throw Error::bad_parameter(place, "lower", "and `upper` hold only one value of the column's type",
                             "give wider bounds");
}

std::optional<std::size_t> public_rows(std::string_view place, const Size& size,
                                       std::size_t least) {
  const auto* declared = std::get_if<PublicSize>(&size);
  if (declared == nullptr) return std::nullopt;
  const Integer& rows = declared->rows;
  if (rows >= Integer(least) && rows <= Integer(rows_internal::kMaxRows)) {
    return static_cast<std::size_t>(rows.to_int64());
  }
  throw Error::bad_parameter(place, "rows", "(" + rows.to_string() + ") is not possible",
                             "give " + std::to_string(least) + " to 2^40 rows, or PrivateSize{}");
}

void require_imputed(std::string_view place, const Nulls& nulls, const Rational& lower,
                     const Rational& upper) {
  const auto& value = nulls.value();
  if (!value || (lower <= *value && *value <= upper)) return;
  throw Error::bad_parameter(
      place, "nulls",
      "are imputed with a number outside [" + lower.to_string() + ", " + upper.to_string() + "]",
      "impute a number within the bounds, or drop nulls");
}

}  // namespace lastbit::statistics_internal
