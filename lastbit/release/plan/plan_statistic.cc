#include "lastbit/release/plan/plan_statistic.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/release/kinds/registry.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/reliability.h"
#include "lastbit/release/plan/together/totals.h"
#include "lastbit/release/plan/words.h"

namespace lastbit::release_internal {
namespace {

using Table = TableDomain::Carrier;
using Lines = std::vector<AnswerLine>;

// found_counts: the groups that are found, with the counts they were found by.
Draft found_counts(const GroupFinder& finder) {
  Draft draft;
  draft.parts = {finder.part};
  draft.accuracy.always = finder.part.accuracy;
  draft.release = [finder](const Table& table, BitSource& bits) {
    Lines lines;
    for (const FoundGroup& found : finder.release(table, bits)) {
      lines.push_back(line_of(table[found.group].key, "",
                              estimate_number({Rational(found.count), finder.part.accuracy})));
      cut_answer(lines.back(), {Rational(0), std::nullopt});
    }
    return lines;
  };
  return draft;
}

// among_found: the draft, for the groups that are found.
Draft among_found(const GroupFinder& finder, Draft draft) {
  draft.parts.insert(draft.parts.begin(), finder.part);
  draft.release = [finder, rest = std::move(draft.release)](const Table& table, BitSource& bits) {
    Table found;
    for (const FoundGroup& group : finder.release(table, bits)) found.push_back(table[group.group]);
    return rest(found, bits);
  };
  return draft;
}

// Lines about found categories: the last key of the group is the category. `top` ranks them.
Lines with_categories(Lines lines, const std::optional<std::int64_t>& top) {
  for (AnswerLine& line : lines) {
    if (top) line.choice = line.group.back();
    line.cell = text_of(line.group.back());
    line.group.pop_back();
  }
  if (!top) return lines;
  std::ranges::sort(lines, [](const AnswerLine& a, const AnswerLine& b) {
    // Larger counts first; equal ones by name, so that the order says nothing else.
    return std::tuple(a.group, *b.value, a.cell) < std::tuple(b.group, *a.value, b.cell);
  });
  Lines best;
  std::int64_t place = 0;
  for (AnswerLine& line : lines) {
    place = best.empty() || best.back().group != line.group ? 1 : place + 1;
    if (place > *top) continue;
    line.cell = std::to_string(place);
    best.push_back(std::move(line));
  }
  return best;
}

// in_order_of_by: puts the keys of groups, which are in the order of the aggregation, into that of
// `by`.
std::function<void(KeyTuple&)> in_order_of_by(const Statistic& statistic,
                                              const Aggregation& aggregation) {
  std::vector<std::size_t> order;
  const std::vector<KeyColumn> columns = key_columns(aggregation);
  for (const auto& name : statistic.by) {
    const auto column = std::ranges::find(columns, name.value, &KeyColumn::name);
    order.push_back(static_cast<std::size_t>(column - columns.begin()));
  }
  return [order](KeyTuple& key) {
    KeyTuple sorted;
    sorted.reserve(order.size());
    for (const std::size_t column : order) sorted.push_back(key[column]);
    key = std::move(sorted);
  };
}

Draft draft_of(const ReleaseFile& release, const Statistic& statistic,
               const Aggregation& aggregation, const StatisticPlace& place,
               const LossShare& share) {
  const auto rest = [&](const LossShare& left) {
    invariant(place.measure.has_value(), "a statistic has a measure");
    return draft_kind(statistic.kind,
                      Drafter(release, statistic, aggregation, *place.measure, left));
  };
  if (!place.units || !statistic.discover) return rest(share);
  const bool all = counts_units(statistic.kind, release);
  const GroupFinder finder =
      group_finder(aggregation, {*place.units, 0, 1}, all ? share : share.divided(2),
                   *statistic.discover, Rational(1) - statistic.confidence.value);
  return all ? found_counts(finder) : among_found(finder, rest(share.divided(2)));
}

using Reorder = std::function<void(KeyTuple&)>;
using Release = std::function<PlannedStatistic::Answers(const Table&, BitSource&)>;

Release release_alone(std::function<Lines(const Table&, BitSource&)> release,
                      const Statistic& statistic, Reorder reorder) {
  return [release = std::move(release), statistic, found = discovers_categories(statistic.kind),
          top = places_of(statistic.kind),
          reorder = std::move(reorder)](const Table& table, BitSource& bits) {
    Lines lines = release(table, bits);
    if (found) lines = with_categories(std::move(lines), top);
    for (AnswerLine& line : lines) reorder(line.group);
    PlannedStatistic::Answers answers = {std::move(lines)};
    suppress(answers, statistic);
    return answers;
  };
}

// staged_release: the noise is drawn once: totals are sums of the numbers that the statistic itself
// is made of.
StagedRelease staged_release(const Draft& draft, const Statistic& statistic, const Tally& tally,
                             Reorder reorder) {
  StagedRelease staged;
  staged.draw = [draw = draft.draw, reorder = std::move(reorder)](const Table& table,
                                                                  BitSource& bits) {
    NoisyTable noisy = draw(table, bits);
    for (KeyTuple& group : noisy.groups) reorder(group);
    return noisy;
  };
  using TotalColumns = std::vector<std::vector<std::size_t>>;
  staged.answer = [answer = draft.answer, statistic,
                   totals = statistic.totals ? total_columns(statistic.by.size())
                                             : TotalColumns()](const NoisyTable& noisy) {
    PlannedStatistic::Answers answers = {answer(noisy)};
    for (const auto& kept : totals) answers.push_back(answer(add_up(noisy, kept)));
    suppress(answers, statistic);
    return answers;
  };
  staged.totals = statistic.totals;
  staged.numbers = draft.numbers;
  if (draft.numbers && !draft.numbers->rows.empty()) staged.rows = rows_in_number(tally);
  staged.errors = draft.total_errors;
  return staged;
}

// set_release: sets what the release of the statistic is, in two steps if that is possible.
void set_release(PlannedStatistic& planned, Draft& draft, const Aggregation& aggregation) {
  const Statistic& statistic = planned.statistic;
  Reorder reorder = in_order_of_by(statistic, aggregation);
  // Groups that are found are drawn in the same step.
  if (!draft.draw || statistic.discover) {
    invariant(!statistic.totals, "a statistic with totals can be added up");
    planned.release = release_alone(std::move(draft.release), statistic, std::move(reorder));
    return;
  }
  const auto staged = std::make_shared<const StagedRelease>(
      staged_release(draft, statistic, aggregation.measures[planned.measure], std::move(reorder)));
  planned.staged = staged;
  planned.release = [staged](const Table& table, BitSource& bits) {
    return staged->answer(staged->draw(table, bits));
  };
  if (!draft.total_errors) return;
  planned.total_errors = [errors = draft.total_errors](const std::vector<std::size_t>& /*kept*/,
                                                       std::int64_t fewest, std::int64_t most) {
    return errors(nullptr, fewest, most);
  };
}

}  // namespace

void suppress(PlannedStatistic::Answers& answers, const Statistic& statistic) {
  if (!statistic.suppress_above) return;
  for (Lines& lines : answers) {
    for (AnswerLine& line : lines) {
      if (!exceeds_share(line, statistic.suppress_above->value)) continue;
      line.suppressed = true;
      line.value.reset();
      line.interval.reset();
    }
  }
}

PlannedStatistic plan_statistic(const ReleaseFile& release, const Statistic& statistic,
                                const Aggregation& aggregation, const StatisticPlace& place,
                                const LossShare& share) {
  Draft draft = draft_of(release, statistic, aggregation, place, share);
  PlannedStatistic planned{.statistic = statistic,
                           .aggregation = place.aggregation,
                           .measure = place.measure.value_or(0),
                           .parts = std::move(draft.parts),
                           .cost = Cost::pure(0),
                           .accuracy = std::move(draft.accuracy),
                           .bias = std::move(draft.bias),
                           .steps = {},
                           .caveats = {},
                           .release = nullptr,
                           .total_errors = nullptr};
  set_release(planned, draft, aggregation);
  // How far a number moves so that it adds up with others is not known in advance.
  if (statistic.totals && draft.numbers && draft.numbers->limits) planned.bias = {};
  planned.steps = steps_in_words(release, planned, aggregation);
  std::ranges::move(draft.choices, std::back_inserter(planned.steps));
  planned.caveats = caveats_in_words(planned, aggregation);
  planned.notes = notes_in_words(release, planned, aggregation);
  return planned;
}

}  // namespace lastbit::release_internal
