// min, max: the value that one row in a hundred lies below, or above.
// Proof: proofs/release.md#quantiles
#include <fmt/core.h>

#include "lastbit/release/kinds/kind_reader.h"

namespace lastbit {

std::optional<MinimumStatistic> MinimumStatistic::read(release_internal::KindReader& reader) {
  const auto quantile = read_level(reader, Rational(1, 100));
  if (!quantile) return std::nullopt;
  return MinimumStatistic{*quantile};
}

std::string MinimumStatistic::describe(const KindWords& words) const {
  return fmt::format("low end of {} (1 % of {} are below)", words.column(column.column.name.value),
                     words.rows);
}

std::vector<std::string> MinimumStatistic::caveats() const {
  std::vector<std::string> all = OneQuantile::caveats();
  all.emplace_back(
      "Minimum: the smallest value belongs to one person and cannot be released. This is the value "
      "that 1 % of the rows lie below.");
  return all;
}

std::optional<MaximumStatistic> MaximumStatistic::read(release_internal::KindReader& reader) {
  const auto quantile = read_level(reader, Rational(99, 100));
  if (!quantile) return std::nullopt;
  return MaximumStatistic{*quantile};
}

std::string MaximumStatistic::describe(const KindWords& words) const {
  return fmt::format("high end of {} (1 % of {} are above)", words.column(column.column.name.value),
                     words.rows);
}

std::vector<std::string> MaximumStatistic::caveats() const {
  std::vector<std::string> all = OneQuantile::caveats();
  all.emplace_back(
      "Maximum: the largest value belongs to one person and cannot be released. This is the value "
      "that 1 % of the rows lie above.");
  return all;
}

}  // namespace lastbit
