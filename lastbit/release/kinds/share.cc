// share: of the rows in which a column is true, among those in which it is true or false; the mean
// of zeros and ones. Proof: proofs/statistics.md#corners
#include <fmt/core.h>

#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

std::optional<ShareStatistic> ShareStatistic::read(release_internal::KindReader& reader) {
  const auto use = reader.require_column();
  if (!use) return std::nullopt;
  const auto column = reader.bound(*use, Located<Rational>{0, use->name.position},
                                   Located<Rational>{1, use->name.position});
  if (!column) return std::nullopt;
  return ShareStatistic{{*column}};
}

void ShareStatistic::write(release_internal::KindWriter& writer) const {
  writer.add_use(column.column);
}

std::vector<ColumnRole> ShareStatistic::columns() const {
  ColumnRole role = number_role(column);
  role.as_truth = true;
  return {role};
}

std::string ShareStatistic::describe(const KindWords& words) const {
  return fmt::format("share of {} where {} is true", words.rows,
                     words.column(column.column.name.value));
}

void ShareStatistic::explain(const ReleaseFile& /*release*/,
                             std::vector<std::string>& steps) const {
  steps.push_back(release_internal::missing_in_words(column.column));
}

}  // namespace lastbit
