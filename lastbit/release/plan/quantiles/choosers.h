// Choosers: parts of a planned statistic that choose among public cells, with what is known about
// them in advance. For this module only.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "lastbit/release/plan/plan_parts.h"
#include "lastbit/release/plan/quantiles/scores.h"

namespace lastbit::release_internal {

// Chooser: for each group, the indices of one or more cells.
struct Chooser {
  PlannedPart part;  // its accuracy is in rows
  std::function<std::vector<std::vector<std::size_t>>(const TableDomain::Carrier&, BitSource&)>
      release;
};
// quantile_chooser: the cell that holds a quantile. top_chooser: the k largest cells, one by one,
// largest first. They use noisy max for an epsilon and the exponential mechanism for a rho.
Chooser quantile_chooser(const Aggregation& aggregation, std::size_t measure,
                         const QuantileLevel& level, const LossShare& share, const Rational& alpha);
Chooser top_chooser(const Aggregation& aggregation, const EntryRange& cells, std::size_t k,
                    const LossShare& share, const Rational& alpha);

}  // namespace lastbit::release_internal
