// top: the categories that most rows have, largest first.
// Proof: proofs/release.md#top
#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "lastbit/accuracy/selection_accuracy.h"
#include "lastbit/release/kinds/category_counts.h"
#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/quantiles/choosers.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

using release_internal::Chooser;
using release_internal::Draft;
using release_internal::Drafter;
using release_internal::NoisyNumbers;

namespace {

// chosen_one_by_one: the places of each group, without counts.
Draft chosen_one_by_one(const Chooser& chooser, std::vector<KeyValue> keys) {
  Draft draft;
  draft.parts = {chooser.part};
  draft.accuracy = {ErrorUnit::kRows, chooser.part.accuracy, nullptr};
  draft.release = [chooser, keys = std::move(keys)](const TableDomain::Carrier& table,
                                                    BitSource& bits) {
    std::vector<AnswerLine> lines;
    const auto chosen = chooser.release(table, bits);
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

// ranked_by_count: the places of each group in the order of the noisy counts, equal ones in the
// order of the categories, with the counts.
Draft ranked_by_count(const NoisyNumbers& counts, std::vector<KeyValue> keys, std::size_t places) {
  Draft draft;
  draft.parts = {counts.part};
  draft.release = [counts, keys = std::move(keys), places](const TableDomain::Carrier& table,
                                                           BitSource& bits) {
    const std::vector<Rational> values = counts.release(table, bits);
    std::vector<AnswerLine> lines;
    lines.reserve(table.size() * places);
    for (std::size_t group = 0; group < table.size(); ++group) {
      std::vector<std::size_t> order(keys.size());
      std::iota(order.begin(), order.end(), group * keys.size());
      std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return values[a] != values[b] ? values[a] > values[b] : a < b;
      });
      for (std::size_t place = 0; place < places; ++place) {
        const std::size_t number = order[place];
        AnswerLine line =
            release_internal::line_of(table[group].key, std::to_string(place + 1),
                                      estimate_number({values[number], counts.part.accuracy}));
        line.choice = keys[number % keys.size()];
        release_internal::cut_answer(line, {Rational(0), std::nullopt});
        lines.push_back(std::move(line));
      }
    }
    return lines;
  };
  return draft;
}

std::string choice_in_words(bool ranks, const Rational& by_count, const Rational& one_by_one) {
  const std::string counts = by_count.ceil().to_string();
  const std::string rounds = one_by_one.ceil().to_string();
  if (ranks) {
    return fmt::format(
        "The categories are ranked by these noisy counts, which are shown: a place may be off by "
        "{} "
        "rows, compared with {} if categories were chosen one by one.",
        counts, rounds);
  }
  return fmt::format(
      "The categories are chosen one by one: a place may be off by {} rows, compared with {} if "
      "they were ranked by noisy counts.",
      rounds, counts);
}

}  // namespace

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
  const auto places = static_cast<std::size_t>(k);
  const EntryRange cells = drafter.all_entries();
  std::vector<KeyValue> keys =
      release_internal::category_keys(std::get<CategoryCounts>(drafter.tally()));
  const Chooser chooser =
      top_chooser(drafter.aggregation(), cells, places, drafter.share(), drafter.alpha());
  const Rational& one_by_one = chooser.part.accuracy;
  if (places == 1) return chosen_one_by_one(chooser, std::move(keys));
  // The interval of a place is right if those of all categories are.
  const NoisyNumbers counts =
      noisy_counts("rows of each category", drafter.aggregation(), cells, drafter.share(),
                   drafter.alpha() / Rational(cells.count));
  const Rational by_count = ranking_accuracy(counts.law, cells.count, places, drafter.alpha());
  // Suppression needs counts to look at.
  const bool ranks = by_count <= one_by_one || drafter.statistic().suppress_above.has_value();
  Draft draft = ranks ? ranked_by_count(counts, std::move(keys), places)
                      : chosen_one_by_one(chooser, std::move(keys));
  draft.accuracy = {ErrorUnit::kRows, ranks ? by_count : one_by_one, nullptr};
  draft.choices.push_back(choice_in_words(ranks, by_count, one_by_one));
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
