#include "lastbit/release/kinds/quantile_answers.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "lastbit/release/plan/quantiles/choosers.h"
#include "lastbit/release/plan/quantiles/quantile_ranges.h"
#include "lastbit/release/plan/quantiles/quantile_tree.h"

namespace lastbit::release_internal {
namespace {

// line_of_cell: an answer about a group, with the cells that the quantile may be in, if any are
// known. The interval ends where the last of them does.
AnswerLine line_of_cell(const KeyTuple& group, const Rational& level, std::size_t cell,
                        const std::optional<CellRange>& range, const PossibleAnswers& possible) {
  AnswerLine line{group, level.to_string(), std::nullopt, possible.cells[cell], std::nullopt};
  if (!range) return line;
  // The answer may be among those that were ruled out.
  line.interval = Range{possible.cells[std::min(range->lowest, cell)],
                        possible.ends[std::max(range->highest, cell)]};
  mark_vague(line, possible.ends.back() - possible.cells.front());
  return line;
}

// ChosenQuantiles: each by a choice of its own, and then intervals around all of them.
struct ChosenQuantiles {
  std::vector<Rational> levels;
  PossibleAnswers possible;
  std::vector<Chooser> choosers;
  std::optional<QuantileRanges> ranges;

  ChosenCells choose(const TableDomain::Carrier& table, BitSource& bits) const {
    ChosenCells chosen(table.size());
    for (const Chooser& chooser : choosers) {
      const auto one = chooser.release(table, bits);
      for (std::size_t group = 0; group < table.size(); ++group) {
        chosen[group].push_back(one[group].front());
      }
    }
    // Levels increase, so their quantiles do.
    for (auto& of_group : chosen) std::ranges::sort(of_group);
    return chosen;
  }

  std::vector<AnswerLine> release(const TableDomain::Carrier& table, BitSource& bits) const {
    const ChosenCells chosen = choose(table, bits);
    CellRanges found;
    if (ranges) found = ranges->release(table, chosen, bits);
    std::vector<AnswerLine> lines;
    lines.reserve(table.size() * levels.size());
    for (std::size_t group = 0; group < table.size(); ++group) {
      for (std::size_t i = 0; i < levels.size(); ++i) {
        std::optional<CellRange> range;
        if (ranges) range = found[group][i];
        lines.push_back(
            line_of_cell(table[group].key, levels[i], chosen[group][i], range, possible));
      }
    }
    return lines;
  }
};

// explain_intervals: what they take of the loss, and when a value is not in them.
std::string explain_intervals(const Rational& share, const Rational& rows) {
  return fmt::format(
      "{} of the loss pays for intervals. A value is left out of them if, by these noisy numbers "
      "of "
      "rows, its place in the order is off by more than about {} rows.",
      share.to_string(), rows.ceil().to_string());
}

// chosen_alone: each quantile by a choice of its own, for its part of what the intervals leave.
Draft chosen_alone(const Drafter& drafter, const std::vector<Rational>& levels,
                   const PossibleAnswers& possible, const Rational& interval_share,
                   std::size_t jointly) {
  const LossShare& all = drafter.share();
  const LossShare each =
      LossShare{all.concentrated, all.loss * (Rational(1) - interval_share)}.divided(levels.size());
  // All of a group are right at once, which sorting keeps; that each is right would not be enough.
  const Rational alpha = drafter.alpha() / Rational(jointly);
  ChosenQuantiles quantiles{levels, possible, {}, std::nullopt};
  Draft draft;
  Rational accuracy = 0;
  for (const Rational& level : levels) {
    const QuantileLevel exact{level.numerator().to_int64(), level.denominator().to_int64()};
    quantiles.choosers.push_back(
        quantile_chooser(drafter.aggregation(), drafter.measure(), exact, each, alpha));
    draft.parts.push_back(quantiles.choosers.back().part);
    accuracy = std::max(accuracy, draft.parts.back().accuracy);
  }
  draft.accuracy = {ErrorUnit::kRows, accuracy, nullptr};
  if (interval_share.sign() > 0) {
    quantiles.ranges =
        quantile_ranges(drafter.aggregation(), drafter.measure(), levels,
                        {all.concentrated, all.loss * interval_share}, drafter.alpha());
    draft.parts.push_back(quantiles.ranges->part);
    draft.choices.push_back(explain_intervals(interval_share, quantiles.ranges->rows));
  }
  draft.release = [quantiles = std::move(quantiles)](const TableDomain::Carrier& table,
                                                     BitSource& bits) {
    return quantiles.release(table, bits);
  };
  return draft;
}

// read_from_tree: all quantiles, with their intervals, from the same noisy numbers.
Draft read_from_tree(const QuantileTree& tree, const std::vector<Rational>& levels,
                     const PossibleAnswers& possible) {
  Draft draft;
  draft.parts = {tree.part};
  draft.accuracy = {ErrorUnit::kRows, tree.rows, nullptr};
  draft.release = [tree, levels, possible](const TableDomain::Carrier& table, BitSource& bits) {
    const auto found = tree.release(table, bits);
    std::vector<AnswerLine> lines;
    lines.reserve(table.size() * levels.size());
    for (std::size_t group = 0; group < table.size(); ++group) {
      for (std::size_t i = 0; i < levels.size(); ++i) {
        const auto& [cell, lowest, highest] = found[group][i];
        lines.push_back(
            line_of_cell(table[group].key, levels[i], cell, CellRange{lowest, highest}, possible));
      }
    }
    return lines;
  };
  return draft;
}

}  // namespace

Draft draft_quantiles(const Drafter& drafter, const std::vector<Rational>& levels,
                      const PossibleAnswers& possible, const Rational& interval_share,
                      std::size_t jointly) {
  Draft alone = chosen_alone(drafter, levels, possible, interval_share, jointly);
  if (levels.size() == 1) return alone;
  const QuantileTree tree = quantile_tree(drafter.aggregation(), drafter.measure(), levels,
                                          drafter.share(), drafter.alpha(), jointly);
  const Rational rows = alone.accuracy.always.value_or(Rational(0));
  if (rows <= tree.rows) {
    alone.choices.push_back(
        fmt::format("Each quantile is chosen by itself: all of a group are off by at most {} rows, "
                    "compared with {} if they were read from noisy numbers of rows in ranges.",
                    rows.ceil().to_string(), tree.rows.ceil().to_string()));
    return alone;
  }
  Draft draft = read_from_tree(tree, levels, possible);
  draft.choices.push_back(fmt::format(
      "The quantiles, and their intervals, are read from these noisy numbers: all of a "
      "group are off by at most {} rows, compared with {} if each were chosen by itself.",
      tree.rows.ceil().to_string(), rows.ceil().to_string()));
  return draft;
}

}  // namespace lastbit::release_internal
