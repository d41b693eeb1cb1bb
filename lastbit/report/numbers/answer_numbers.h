// Numbers of plans and releases as people read them: as many digits as their errors justify. The
// exact numbers are in the JSON documents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lastbit/accounting/cost.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/numerics/rounding.h"
#include "lastbit/release/plan/answer.h"

namespace lastbit::report {

// NumberStyle: how the numbers of one statistic are written: all with the same number of decimals,
// so that a column of them is easy to read.
class NumberStyle {
 public:
  // for_error: two digits of the error, and never fewer than the digits before the point.
  static NumberStyle for_error(const Rational& error);
  // for_lines: chosen by the errors of the answers, or by their values if they have no interval.
  // Whole numbers with whole intervals have no decimals. If one has more than 15 digits, all are
  // written as in 3.003e16.
  static NumberStyle for_lines(const std::vector<AnswerLine>& lines);

  // text: with commas, as in 53,214 or 0.035; numbers with more than 15 digits, and those too small
  // for the decimals, as in 1.235e300. With kDown the text is never above the value, with kUp never
  // below.
  std::string text(const Rational& value, Rounding rounding = Rounding::kNearestEven) const;
  // places: how many decimals.
  int places() const { return places_; }

 private:
  explicit NumberStyle(int places, bool scientific = false)
      : places_(places), scientific_(scientific) {}
  static NumberStyle for_values(const std::vector<AnswerLine>& lines);

  int places_ = 0;  // negative: rounds to tens, hundreds and so on, only with `scientific_`
  bool scientific_ = false;
};

// half_width: the distance from the answer to the farther end of the interval; nothing if either is
// missing.
std::optional<Rational> half_width(const AnswerLine& line);

// error_text: an error as in 412 or 0.035, never below the exact one.
std::string error_text(const Rational& error);

// loss_text: an epsilon, delta or rho: exact if that is short, otherwise six digits.
std::string loss_text(const Rational& loss, Rounding rounding);
// cost_text: the numbers of a cost, as in "0.5" or "0.5, 1e-7". cost_words: as in "epsilon 0.5 and
// delta 1e-7". loss_name: what the numbers are, as in "epsilon, delta". Costs are rounded up; what
// is left is rounded down.
std::string cost_text(const Cost& cost, Rounding rounding = Rounding::kUp);
std::string cost_words(const Cost& cost, Rounding rounding = Rounding::kUp);
std::string loss_name(const Cost& cost);

// percent_text: a probability as in "95 %".
std::string percent_text(const Rational& probability);

// nearest_double: for plots and for programs that cannot read exact numbers; possibly infinite.
double nearest_double(const Rational& value);

}  // namespace lastbit::report
