// median: the value that half of the rows lie below. Proof: proofs/release.md#quantiles
#include "lastbit/release/kinds/kind_reader.h"

namespace lastbit {

std::optional<MedianStatistic> MedianStatistic::read(release_internal::KindReader& reader) {
  const auto quantile = read_level(reader, Rational(1, 2));
  if (!quantile) return std::nullopt;
  return MedianStatistic{*quantile};
}

std::string MedianStatistic::describe(const KindWords& words) const {
  return "median of " + words.column(column.column.name.value);
}

}  // namespace lastbit
