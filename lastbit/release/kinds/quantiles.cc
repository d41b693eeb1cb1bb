// quantiles: values below which given fractions of the rows lie, chosen among public cells.
// Proof: proofs/release.md#quantiles
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "lastbit/release/file/parse_sections.h"
#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/kinds/quantile_answers.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/quantiles/order_quantiles.h"
#include "lastbit/release/plan/quantiles/scores.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;
using release_internal::TomlArray;
using release_internal::TomlEntry;

namespace {

// The most cells in which quantiles are looked for, and the most quantiles.
constexpr std::int64_t kMostCells = 100'000;
constexpr std::size_t kMostLevels = 1000;

// The smallest of 1, 2, 5, 10, 20, … and their tenths that divides the width into at most `most`
// cells.
Rational round_step(const Rational& width, std::int64_t most) {
  const Rational least = width / Rational(most);
  Rational power = 1;
  while (power > least) power /= Rational(10);
  while (power * Rational(10) <= least) power *= Rational(10);
  for (const int factor : {1, 2, 5}) {
    if (power * Rational(factor) >= least) return power * Rational(factor);
  }
  return power * Rational(10);
}

// quantile_cells: the cells [c0, c1), [c1, c2), … in which quantiles are looked for, as c0, c1, …;
// the first also holds what lies below, the last what lies above.
std::vector<Rational> quantile_cells(const ReleaseFile& release,
                                     const QuantileStatistic& statistic) {
  constexpr std::int64_t kCells = 1000;
  const Rational& lower = statistic.column.lower.value;
  const Rational width = statistic.column.upper.value - lower;
  const FieldUse field = release_internal::field_use(release, statistic.column.column);
  Rational step = round_step(width, kCells);
  if (is_whole(field.type)) step = std::max(step, Rational(1));
  if (statistic.step) step = statistic.step->value;
  std::vector<Rational> cells = {lower};
  for (Rational next = lower + step; next <= statistic.column.upper.value; next += step) {
    cells.push_back(next);
  }
  return cells;
}

// read_stepped: all but the levels: a bounded column, the step between its possible answers, and
// what part of the loss its intervals take.
std::optional<QuantileStatistic> read_stepped(release_internal::KindReader& reader) {
  const auto step = positive_number(reader.keys(), "step");
  const auto share = reader.keys().number("interval_share");
  const auto column = reader.require_bounded();
  if (share && (share->value.sign() < 0 || share->value >= Rational(1))) {
    reader.fail(share->position, fmt::format("`interval_share` is {}", share->value.to_string()),
                "write a number from 0, for no intervals, to below 1");
  }
  if (!column) return std::nullopt;
  if (step && step->value > column->upper.value - column->lower.value) {
    reader.fail(step->position, "`step` is wider than the bounds", "write a smaller one");
  }
  return QuantileStatistic{*column, {}, step, share};
}

// ends_of: the largest value of each cell, or what its values come close to.
std::vector<Rational> ends_of(const std::vector<Rational>& cells, const Rational& upper,
                              bool whole) {
  std::vector<Rational> ends;
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
    const Rational& next = cells[i + 1];
    ends.push_back(whole ? std::max(Rational(next.ceil()) - Rational(1), cells[i]) : next);
  }
  ends.push_back(upper);
  return ends;
}

}  // namespace

std::optional<QuantileStatistic> QuantileStatistic::read(release_internal::KindReader& reader) {
  auto statistic = read_stepped(reader);
  const std::string example = "write quantiles = [0.25, 0.5, 0.75]";
  const TomlEntry* entry = reader.keys().require("quantiles", example);
  const auto* array = entry == nullptr ? nullptr : std::get_if<TomlArray>(&entry->value.content);
  std::vector<Rational> levels;
  if (array != nullptr) levels = reader.read_increasing(*array, "`quantiles`");
  if (entry != nullptr && (array == nullptr || array->empty())) {
    wrong_kind(entry->value, "`quantiles`", "a list of numbers from 0 to 1", reader.problems());
  }
  if (entry == nullptr || levels.empty()) {
    reader.fail();
    return std::nullopt;
  }
  if (levels.front() < Rational(0) || levels.back() > Rational(1) || levels.size() > kMostLevels) {
    reader.fail(entry->value.position,
                "`quantiles` is not a list of at most 1000 numbers from 0 to 1", example);
    return std::nullopt;
  }
  if (!statistic) return std::nullopt;
  statistic->levels = std::move(levels);
  return statistic;
}

void QuantileStatistic::write(release_internal::KindWriter& writer) const {
  writer.add_bounded(column);
  writer.add("quantiles", release_internal::list_of(levels));
  if (step) writer.add("step", release_internal::written(step->value));
  write_interval_share(writer);
}

void QuantileStatistic::write_interval_share(release_internal::KindWriter& writer) const {
  if (!interval_share) return;
  writer.add("interval_share", release_internal::written(interval_share->value));
}

Rational QuantileStatistic::share_of_intervals() const {
  return interval_share ? interval_share->value : Rational(1, 8);
}

std::vector<ColumnRole> QuantileStatistic::columns() const { return {number_role(column)}; }

Tally QuantileStatistic::tally(const ReleaseFile& release) const {
  std::vector<Rational> edges = quantile_cells(release, *this);
  edges.erase(edges.begin());
  return BelowCounts{release_internal::field_use(release, column.column), std::move(edges),
                     release_internal::imputed_number(column.column)};
}

Draft QuantileStatistic::draft(const Drafter& drafter) const {
  const bool whole = is_whole(release_internal::field_use(drafter.release(), column.column).type);
  std::vector<Rational> cells = quantile_cells(drafter.release(), *this);
  std::vector<Rational> ends = ends_of(cells, column.upper.value, whole);
  const release_internal::PossibleAnswers possible{std::move(cells), std::move(ends)};
  const std::size_t jointly =
      release_internal::levels_in_order(drafter.release(), drafter.statistic());
  return release_internal::draft_quantiles(drafter, levels, possible, share_of_intervals(),
                                           jointly);
}

std::string QuantileStatistic::describe(const KindWords& words) const {
  return "quantiles of " + words.column(column.column.name.value);
}

bool QuantileStatistic::check(const Statistic& statistic,
                              release_internal::Problems& problems) const {
  for (const Rational& level : levels) {
    if (level.denominator() <= QuantileLevel::kMaxDenominator) continue;
    problems.add(statistic.position,
                 fmt::format("the quantile {} is a fraction with too large a denominator",
                             level.to_string()),
                 "write it with at most six decimals");
    return false;
  }
  const Rational width = column.upper.value - column.lower.value;
  if (!step || width / step->value <= Rational(kMostCells)) return true;
  problems.add(step->position, "`step` makes too many possible answers",
               fmt::format("write {} or more", (width / Rational(kMostCells)).to_string()));
  return false;
}

void QuantileStatistic::explain(const ReleaseFile& release, std::vector<std::string>& steps) const {
  steps.push_back(release_internal::missing_in_words(column.column));
  const std::vector<Rational> cells = quantile_cells(release, *this);
  steps.push_back(fmt::format("Possible answers are {}, {}, … up to {}.", cells[0].to_string(),
                              cells[1].to_string(), cells.back().to_string()));
}

std::vector<std::string> QuantileStatistic::caveats() const {
  return {
      "Quantiles: an answer c stands for the values from c to the next possible answer. The "
      "accuracy says by how many rows its place in the order may be off."};
}

std::optional<OneQuantile> OneQuantile::read_level(release_internal::KindReader& reader,
                                                   const Rational& level) {
  auto statistic = read_stepped(reader);
  if (!statistic) return std::nullopt;
  statistic->levels = {level};
  return OneQuantile{*std::move(statistic)};
}

void OneQuantile::write(release_internal::KindWriter& writer) const {
  writer.add_bounded(column);
  if (step) writer.add("step", release_internal::written(step->value));
  write_interval_share(writer);
}

// The only answer of a group needs no name.
Draft OneQuantile::draft(const Drafter& drafter) const {
  Draft draft = QuantileStatistic::draft(drafter);
  draft.release = [release = std::move(draft.release)](const TableDomain::Carrier& table,
                                                       BitSource& bits) {
    std::vector<AnswerLine> lines = release(table, bits);
    for (AnswerLine& line : lines) line.cell.clear();
    return lines;
  };
  return draft;
}

}  // namespace lastbit
