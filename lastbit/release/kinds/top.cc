// top: the categories that most rows have, largest first.
// Proof: proofs/release.md#numbers
#include <fmt/core.h>

#include "lastbit/release/kinds/category_counts.h"
#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/choosers.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

using release_internal::Chooser;
using release_internal::Draft;
using release_internal::Drafter;

std::optional<TopStatistic> TopStatistic::read(release_internal::KindReader& reader) {
  const auto use = reader.require_column();
  if (reader.keys().require("k", "write k = 10, how many are shown") == nullptr) reader.fail();
  const auto k = reader.keys().whole("k", 1, 10'000);
  const auto categories = reader.read_categories(use);
  if (!k) reader.fail();
  if (!use || !k || !categories) return std::nullopt;
  const auto* list = std::get_if<KeyList>(&*categories);
  const auto* range = std::get_if<KeyRange>(&*categories);
  const bool few = (list != nullptr && Integer(list->size()) < Integer(k->value)) ||
                   (range != nullptr && range->size() < Integer(k->value));
  if (few) {
    reader.fail(k->position, fmt::format("`k` is {}, more than there are categories", k->value),
                "write a smaller one");
  }
  return TopStatistic{*use, *categories, k->value};
}

void TopStatistic::write(release_internal::KindWriter& writer) const {
  writer.add_use(column);
  writer.add_categories(categories);
  writer.add("k", std::to_string(k));
}

std::vector<ColumnRole> TopStatistic::columns() const {
  return {category_role(column, categories)};
}

Tally TopStatistic::tally(const ReleaseFile& release) const {
  return release_internal::category_counts(release, column, categories, false);
}

Draft TopStatistic::draft(const Drafter& drafter) const {
  const Chooser top = top_chooser(drafter.aggregation(), drafter.all_entries(),
                                  static_cast<std::size_t>(k), drafter.share(), drafter.alpha());
  Draft draft;
  draft.parts = {top.part};
  draft.accuracy = {ErrorUnit::kRows, top.part.accuracy, nullptr};
  const auto keys = release_internal::category_keys(std::get<CategoryCounts>(drafter.tally()));
  draft.release = [top, keys](const TableDomain::Carrier& table, BitSource& bits) {
    std::vector<AnswerLine> lines;
    const auto chosen = top.release(table, bits);
    for (std::size_t group = 0; group < table.size(); ++group) {
      for (std::size_t place = 0; place < chosen[group].size(); ++place) {
        lines.push_back({table[group].key, std::to_string(place + 1), keys[chosen[group][place]],
                         std::nullopt, std::nullopt});
      }
    }
    return lines;
  };
  return draft;
}

std::string TopStatistic::describe(const KindWords& words) const {
  if (k == 1) return "most frequent value of " + words.column(column.name.value);
  return fmt::format("{} most frequent values of {}", k, words.column(column.name.value));
}

bool TopStatistic::check(const Statistic& statistic, release_internal::Problems& problems) const {
  if (!release_internal::check_discovered(column, categories, problems)) return false;
  const auto* list = std::get_if<KeyList>(&categories);
  if (list == nullptr || k <= static_cast<std::int64_t>(list->size())) return true;
  problems.add(statistic.position, "`k` is more than there are categories",
               fmt::format("write {} or less", list->size()));
  return false;
}

void TopStatistic::explain(const ReleaseFile& /*release*/, std::vector<std::string>& steps) const {
  steps.push_back(release_internal::missing_in_words(column));
}

}  // namespace lastbit
