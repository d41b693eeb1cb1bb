// quantiles: values below which given fractions of the rows lie, chosen among public cells.
// Proof: proofs/release.md#quantiles
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "lastbit/release/file/parse_sections.h"
#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/choosers.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/quantile_tree.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

using release_internal::Chooser;
using release_internal::Draft;
using release_internal::Drafter;
using release_internal::QuantileTree;
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

using SteppedColumn = std::pair<BoundedColumn, std::optional<Located<Rational>>>;

// read_stepped: a bounded column and the step between its possible answers.
std::optional<SteppedColumn> read_stepped(release_internal::KindReader& reader) {
  const auto step = positive_number(reader.keys(), "step");
  const auto column = reader.require_bounded();
  if (!column) return std::nullopt;
  if (step && step->value > column->upper.value - column->lower.value) {
    reader.fail(step->position, "`step` is wider than the bounds", "write a smaller one");
  }
  return SteppedColumn{*column, step};
}

// chosen_alone: each quantile by a choice of its own, for its part of the loss.
Draft chosen_alone(const Drafter& drafter, const std::vector<Rational>& levels,
                   std::vector<Rational> cells) {
  const release_internal::LossShare share = drafter.share().divided(levels.size());
  // All of a group are right at once, which sorting keeps; that each is right would not be enough.
  const Rational alpha = drafter.alpha() / Rational(levels.size());
  Draft draft;
  std::vector<Chooser> choosers;
  std::vector<std::string> names;
  Rational accuracy = 0;
  for (const Rational& level : levels) {
    const QuantileLevel exact{level.numerator().to_int64(), level.denominator().to_int64()};
    choosers.push_back(
        quantile_chooser(drafter.aggregation(), drafter.measure(), exact, share, alpha));
    names.push_back(level.to_string());
    draft.parts.push_back(choosers.back().part);
    accuracy = std::max(accuracy, choosers.back().part.accuracy);
  }
  draft.accuracy = {ErrorUnit::kRows, accuracy, nullptr};
  draft.release = [cells = std::move(cells), choosers, names](const TableDomain::Carrier& table,
                                                              BitSource& bits) {
    std::vector<std::vector<std::size_t>> chosen(table.size());
    for (const Chooser& chooser : choosers) {
      const auto one = chooser.release(table, bits);
      for (std::size_t group = 0; group < table.size(); ++group) {
        chosen[group].push_back(one[group].front());
      }
    }
    std::vector<AnswerLine> lines;
    lines.reserve(table.size() * names.size());
    for (std::size_t group = 0; group < table.size(); ++group) {
      // Levels increase, so their quantiles do.
      std::ranges::sort(chosen[group]);
      for (std::size_t i = 0; i < names.size(); ++i) {
        lines.push_back(
            {table[group].key, names[i], std::nullopt, cells[chosen[group][i]], std::nullopt});
      }
    }
    return lines;
  };
  return draft;
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

// read_from_tree: all quantiles from the same noisy numbers. Intervals end where the last cell does
// that they may be in.
Draft read_from_tree(const QuantileTree& tree, const std::vector<Rational>& levels,
                     std::vector<Rational> cells, std::vector<Rational> ends) {
  Draft draft;
  draft.parts = {tree.part};
  draft.accuracy = {ErrorUnit::kRows, tree.rows, nullptr};
  draft.release = [tree, levels, cells = std::move(cells), ends = std::move(ends)](
                      const TableDomain::Carrier& table, BitSource& bits) {
    const auto found = tree.release(table, bits);
    const Rational width = ends.back() - cells.front();
    std::vector<AnswerLine> lines;
    lines.reserve(table.size() * levels.size());
    for (std::size_t group = 0; group < table.size(); ++group) {
      for (std::size_t i = 0; i < levels.size(); ++i) {
        const auto& [cell, lowest, highest] = found[group][i];
        lines.push_back({table[group].key, levels[i].to_string(), std::nullopt, cells[cell],
                         Range{cells[lowest], ends[highest]}});
        release_internal::mark_vague(lines.back(), width);
      }
    }
    return lines;
  };
  return draft;
}

}  // namespace

std::optional<QuantileStatistic> QuantileStatistic::read(release_internal::KindReader& reader) {
  const auto column = read_stepped(reader);
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
  if (!column) return std::nullopt;
  return QuantileStatistic{column->first, levels, column->second};
}

void QuantileStatistic::write(release_internal::KindWriter& writer) const {
  writer.add_bounded(column);
  writer.add("quantiles", release_internal::list_of(levels));
  if (step) writer.add("step", release_internal::written(step->value));
}

std::vector<ColumnRole> QuantileStatistic::columns() const { return {number_role(column)}; }

Tally QuantileStatistic::tally(const ReleaseFile& release) const {
  std::vector<Rational> edges = quantile_cells(release, *this);
  edges.erase(edges.begin());
  return BelowCounts{release_internal::field_use(release, column.column), std::move(edges),
                     release_internal::imputed_number(column.column)};
}

Draft QuantileStatistic::draft(const Drafter& drafter) const {
  std::vector<Rational> cells = quantile_cells(drafter.release(), *this);
  if (levels.size() == 1) return chosen_alone(drafter, levels, std::move(cells));
  const QuantileTree tree = quantile_tree(drafter.aggregation(), drafter.measure(), levels,
                                          drafter.share(), drafter.alpha());
  Draft alone = chosen_alone(drafter, levels, cells);
  const Rational rows = alone.accuracy.always.value_or(Rational(0));
  if (rows <= tree.rows) {
    alone.choices.push_back(
        fmt::format("Each quantile is chosen by itself: all of a group are off by at most {} rows, "
                    "compared with {} if they were read from noisy numbers of rows in ranges.",
                    rows.ceil().to_string(), tree.rows.ceil().to_string()));
    return alone;
  }
  const bool whole = is_whole(release_internal::field_use(drafter.release(), column.column).type);
  std::vector<Rational> ends = ends_of(cells, column.upper.value, whole);
  Draft draft = read_from_tree(tree, levels, std::move(cells), std::move(ends));
  draft.choices.push_back(fmt::format(
      "The quantiles, and their intervals, are read from these noisy numbers: all of a "
      "group are off by at most {} rows, compared with {} if each were chosen by itself.",
      tree.rows.ceil().to_string(), rows.ceil().to_string()));
  return draft;
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
  const auto column = read_stepped(reader);
  if (!column) return std::nullopt;
  return OneQuantile{{column->first, {level}, column->second}};
}

void OneQuantile::write(release_internal::KindWriter& writer) const {
  writer.add_bounded(column);
  if (step) writer.add("step", release_internal::written(step->value));
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
