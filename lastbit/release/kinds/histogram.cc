// histogram: how many rows have each of the categories of a column.
#include <fmt/core.h>

#include "lastbit/release/kinds/category_counts.h"
#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;

std::optional<CategoryStatistic> CategoryStatistic::read(release_internal::KindReader& reader) {
  if (reader.keys().find("bins") != nullptr) return std::nullopt;
  const auto use = reader.require_column();
  const release_internal::TomlEntry* other = reader.keys().find("other");
  const auto categories = reader.read_categories(use);
  if (!use || !categories) return std::nullopt;
  CategoryStatistic histogram{*use, *categories, false};
  if (other == nullptr) return histogram;
  const auto* flag = std::get_if<bool>(&other->value.content);
  if (flag == nullptr) {
    wrong_kind(other->value, "`other`", "true or false", reader.problems());
    reader.fail();
    return std::nullopt;
  }
  histogram.other = *flag;
  return histogram;
}

void CategoryStatistic::write(release_internal::KindWriter& writer) const {
  writer.add_use(column);
  writer.add_categories(categories);
  writer.add("other", other ? "true" : "false");
}

std::vector<ColumnRole> CategoryStatistic::columns() const {
  return {category_role(column, categories)};
}

Tally CategoryStatistic::tally(const ReleaseFile& release) const {
  return release_internal::category_counts(release, column, categories, other);
}

Draft CategoryStatistic::draft(const Drafter& drafter) const {
  std::vector<std::string> names;
  const auto& counts = std::get<CategoryCounts>(drafter.tally());
  for (const KeyValue& key : release_internal::category_keys(counts)) {
    names.push_back(text_of(key));
  }
  if (other) names.emplace_back("(other)");
  return drafter.draft_counts("rows of each category", std::move(names));
}

std::string CategoryStatistic::describe(const KindWords& words) const {
  return fmt::format("number of {} in each category of {}", words.rows,
                     words.column(column.name.value));
}

bool CategoryStatistic::check(const Statistic& statistic,
                              release_internal::Problems& problems) const {
  if (!release_internal::check_discovered(column, categories, problems)) return false;
  if (!other || !std::holds_alternative<DiscoveredKeys>(categories)) return true;
  problems.add(statistic.position, "`other` needs categories that are listed",
               "remove it, or list the categories");
  return false;
}

Integer CategoryStatistic::cells() const {
  if (const auto* list = std::get_if<KeyList>(&categories)) return Integer(list->size());
  const auto* range = std::get_if<KeyRange>(&categories);
  return range == nullptr ? Integer(1) : range->size();
}

void CategoryStatistic::explain(const ReleaseFile& /*release*/,
                                std::vector<std::string>& steps) const {
  steps.push_back(release_internal::missing_in_words(column));
}

}  // namespace lastbit
