// How plans are put together from parts. For this module only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lastbit/base/text.h"
#include "lastbit/statistics/estimate.h"
#include "lastbit/statistics/noisy_part.h"
#include "lastbit/statistics/plan.h"

namespace lastbit::statistics_internal {

inline std::string in_words(const std::vector<std::string>& links) { return joined(links, "; "); }

inline Released released(const Estimate& estimate, const Rational& epsilon) {
  return {estimate.answer, estimate.lower, estimate.upper, estimate.accuracy(), epsilon};
}

// single_plan: the answer is one noisy number, cut to `range` if one is given.
template <class Row>
Plan<Row, Released> single_plan(const NoisyPart<Row>& noisy, std::vector<std::string> links,
                                const std::optional<Range>& range = {}) {
  links.push_back(noise_in_words({noisy.part}));
  if (range) {
    links.push_back("cut to [" + range->lower.to_string() + ", " + range->upper.to_string() + "]");
  }
  return {noisy.chain,
          {noisy.part},
          in_words(links),
          {noisy.part.accuracy, nullptr},
          [part = noisy.part, range](const std::vector<Rational>& values) {
            return released(estimate_number({values.front(), part.accuracy}, range), part.epsilon);
          }};
}

// bounded_in_words: the links before the aggregate.
inline std::vector<std::string> bounded_in_words(const ColumnRequest& request,
                                                 const std::optional<std::size_t>& rows) {
  std::vector<std::string> links = {nulls_in_words(request.nulls),
                                    bounds_in_words(request.lower, request.upper)};
  if (rows) links.push_back(resize_in_words(*rows));
  return links;
}

// resized: the bounded rows, resized to `rows` rows.
template <class T>
auto resized(const T& bounded, std::size_t rows) {
  return bounded >> make_resize(Integer(rows), middle_of(bounded.output_domain().element()));
}

// plan_of_public_size: the exact aggregate of a known number of rows, plus noise, cut to its range.
template <class Row, class S>
Plan<Row, Released> plan_of_public_size(std::string_view place, const std::string& name,
                                        const ColumnRequest& request, std::size_t rows,
                                        const S& aggregate) {
  const auto exact = resized(bounded_rows<Row>(place, request), rows) >> aggregate;
  const Rational alpha = Rational(1) - request.confidence;
  return single_plan(noisy_part<Row>(name, exact, request.epsilon, alpha),
                     bounded_in_words(request, rows),
                     Range{exact.output_domain().lower(), exact.output_domain().upper()});
}

}  // namespace lastbit::statistics_internal
