// sum and mean with bounds = "auto": the bounds are two edges of a public ladder, beyond which no
// cell has many rows; cells are counted with noise, and the noise of the answer is that of the
// bounds.
// Proof: proofs/release.md#found-bounds
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/release/file/parse_sections.h"
#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/words.h"
#include "lastbit/statistics/quotients.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;
using release_internal::LossShare;
using release_internal::NoisyNumbers;
using release_internal::TomlEntry;

namespace {

// Bounds are 0 and powers of two, of either sign, up to 2^60 steps. A step is 1 for whole numbers
// and 2^−20 for others.
constexpr int kHighestPower = 60;
constexpr int kRealStep = -20;
LadderSum ladder_of(const FieldUse& field) {
  LadderSum ladder;
  for (int power = kHighestPower; power >= 0; --power) {
    ladder.edges.push_back(-(std::int64_t{1} << power));
  }
  ladder.edges.push_back(0);
  for (int power = 0; power <= kHighestPower; ++power) {
    ladder.edges.push_back(std::int64_t{1} << power);
  }
  ladder.field.field = field;
  const bool fractional = field.type == FieldType::kReal || field.type == FieldType::kDecimal;
  ladder.field.grid_exponent = fractional ? kRealStep : 0;
  const Grid grid(ladder.field.grid_exponent);
  ladder.field.lower = grid.point(ladder.edges.front());
  ladder.field.upper = grid.point(ladder.edges.back());
  return ladder;
}

LossShare part_of(const Drafter& drafter, const Rational& part) {
  return {drafter.share().concentrated, drafter.share().loss * part};
}

// BoundsFinder: the rows in each cell with noise, and what is left for the answer. A cell is found
// if its noisy number exceeds what noise alone reaches in any of them, except with probability
// alpha.
struct BoundsFinder {
  LadderSum ladder;
  NoisyNumbers cells;
  LossShare left;

  BoundsFinder(const Drafter& drafter, const Rational& share)
      : ladder(std::get<LadderSum>(drafter.tally())),
        cells(ladder_cells_of_all("", drafter.aggregation(), drafter.measure(),
                                  part_of(drafter, share),
                                  drafter.alpha() / Rational(ladder.cells()))),
        left(part_of(drafter, Rational(1) - share)) {
    cells.part.name =
        fmt::format("numbers of rows between powers of two, of which those above {} set the bounds",
                    cells.part.accuracy.ceil().to_string());
  }

  // The bounds hold every cell that is found; there are none if none is.
  std::optional<LadderBounds> release(const TableDomain::Carrier& table, BitSource& bits) const {
    const std::vector<Rational> rows = cells.release(table, bits);
    const Rational threshold = cells.part.accuracy + Rational(1);
    const auto found = [&](const Rational& number) { return number >= threshold; };
    const auto first = std::ranges::find_if(rows, found);
    if (first == rows.end()) return std::nullopt;
    const auto last = std::find_if(rows.rbegin(), rows.rend(), found);
    return LadderBounds{static_cast<std::size_t>(first - rows.begin()),
                        static_cast<std::size_t>(rows.rend() - last)};
  }
  LadderBounds widest() const { return {0, ladder.cells()}; }
  Range values(const LadderBounds& bounds) const {
    const Grid grid(ladder.field.grid_exponent);
    return {grid.point(ladder.edges[bounds.lower]), grid.point(ladder.edges[bounds.upper])};
  }
};

// no_answers: of groups whose bounds could not be found.
std::vector<AnswerLine> no_answers(const TableDomain::Carrier& table) {
  std::vector<AnswerLine> lines;
  for (const GroupAnswer& group : table) {
    lines.push_back(release_internal::line_of(group.key, "", std::nullopt));
  }
  return lines;
}

// any_bounds: the part as a plan states it, before the bounds are known.
PlannedPart any_bounds(PlannedPart part) {
  part.sensitivity += " for the widest bounds";
  part.noise = "a size in proportion to the bounds found";
  part.grid = std::nullopt;
  return part;
}

// The price of an answer may not depend on the bounds that were found.
void require_price(const NoisyNumbers& numbers, const Cost& planned) {
  invariant(numbers.part.cost == planned, "an answer costs what was planned");
}

}  // namespace

std::optional<FoundBounds> FoundBounds::read_bounds(release_internal::KindReader& reader) {
  const TomlEntry* entry = reader.keys().find("bounds");
  if (entry == nullptr) return std::nullopt;
  FoundBounds found{{}, Rational(1, 5)};
  const auto* word = std::get_if<std::string>(&entry->value.content);
  const auto* table = std::get_if<release_internal::TomlTable>(&entry->value.content);
  bool right = word != nullptr && *word == "auto";
  if (table != nullptr) {
    release_internal::TableReader keys(*table, entry->value.position, "`bounds`",
                                       reader.problems());
    const TomlEntry* flag = keys.find("auto");
    const auto* on = flag == nullptr ? nullptr : std::get_if<bool>(&flag->value.content);
    right = on != nullptr && *on;
    const TomlEntry* given = keys.find("share");
    const auto share = probability(keys, "share");
    if (share) found.share = share->value;
    if (given != nullptr && !share) reader.fail();
    keys.finish();
  }
  if (!right) {
    const bool pair = std::holds_alternative<release_internal::TomlArray>(entry->value.content);
    reader.fail(entry->value.position, pair ? "`bounds` is a list" : "`bounds` is not \"auto\"",
                pair ? "write lower = 0 and upper = 100, or bounds = \"auto\""
                     : "write bounds = \"auto\", bounds = { auto = true, share = 0.2 }, or "
                       "`lower` and `upper`");
  }
  const auto column = reader.require_column();
  if (!column || !reader.complete()) return std::nullopt;
  if (column->impute) {
    reader.fail(column->impute->position,
                "bounds are found from values in the data, not from imputed ones",
                "write nulls = \"drop\" in the statistic, or `lower` and `upper`");
    return std::nullopt;
  }
  found.column = *column;
  return found;
}

void FoundBounds::write(release_internal::KindWriter& writer) const {
  writer.add_use(column);
  writer.add("bounds",
             fmt::format("{{ auto = true, share = {} }}", release_internal::written(share)));
}

std::vector<ColumnRole> FoundBounds::columns() const {
  return {{column.name, true, false, {}, nullptr, {}}};
}

Tally FoundBounds::tally(const ReleaseFile& release) const {
  return ladder_of(release_internal::field_use(release, column));
}

bool FoundBounds::check(const Statistic& statistic, release_internal::Problems& problems) const {
  if (statistic.discover) {
    // A group has hundreds of cells, and how many groups are discovered is not known before.
    problems.add(statistic.discover->delta.position,
                 "bounds and the keys of groups cannot both be found",
                 "list the keys, or write `lower` and `upper`");
    return false;
  }
  if (statistic.share.kind != ShareKind::kAccuracy) return true;
  problems.add(statistic.share.position, "the error depends on the bounds that will be found",
               "write `epsilon` or `weight`, or `lower` and `upper`");
  return false;
}

void FoundBounds::explain(const ReleaseFile& /*release*/, std::vector<std::string>& steps) const {
  steps.push_back(release_internal::missing_in_words(column));
  steps.push_back(fmt::format(
      "The bounds of {} are 0 or powers of two. They hold all that have many rows between them and "
      "the next one, of all groups together; values outside count as the nearer bound.",
      quote(column.name.value, 80)));
}

std::vector<std::string> FoundBounds::caveats() const {
  return {
      "Found bounds: how accurate the answer is depends on the bounds, which are found when the "
      "release runs. So no accuracy is stated before; the bounds and an interval come with the "
      "answer. Values outside count as the nearer bound, and the interval is about the values so "
      "counted. If too few rows lie between any two powers of two, there is no answer."};
}

std::optional<FoundSumStatistic> FoundSumStatistic::read(release_internal::KindReader& reader) {
  const auto found = read_bounds(reader);
  if (!found) return std::nullopt;
  return FoundSumStatistic{*found};
}

Draft FoundSumStatistic::draft(const Drafter& drafter) const {
  const BoundsFinder finder(drafter, share);
  const auto sums = [aggregation = drafter.aggregation(), measure = drafter.measure(),
                     left = finder.left, alpha = drafter.alpha()](const LadderBounds& bounds) {
    return ladder_sums("sum", aggregation, measure, bounds, left, alpha);
  };
  Draft draft;
  draft.parts = {finder.cells.part, any_bounds(sums(finder.widest()).part)};
  draft.release = [finder, sums, cost = draft.parts.back().cost](const TableDomain::Carrier& table,
                                                                 BitSource& bits) {
    const auto found = finder.release(table, bits);
    if (!found) return no_answers(table);
    const LadderBounds& bounds = *found;
    const NoisyNumbers sum = sums(bounds);
    require_price(sum, cost);
    const std::vector<Rational> numbers = sum.release(table, bits);
    std::vector<AnswerLine> lines;
    for (std::size_t group = 0; group < table.size(); ++group) {
      lines.push_back(release_internal::line_of(
          table[group].key, "", estimate_number({numbers[group], sum.part.accuracy})));
      lines.back().bounds = finder.values(bounds);
      cut_answer(lines.back(), release_internal::limits_of_sum(finder.values(bounds)));
    }
    return lines;
  };
  return draft;
}

std::string FoundSumStatistic::describe(const KindWords& words) const {
  return "sum of " + words.column(column.name.value);
}

std::optional<FoundMeanStatistic> FoundMeanStatistic::read(release_internal::KindReader& reader) {
  const auto found = read_bounds(reader);
  if (!found) return std::nullopt;
  return FoundMeanStatistic{*found};
}

Draft FoundMeanStatistic::draft(const Drafter& drafter) const {
  const BoundsFinder finder(drafter, share);
  const auto corners = [aggregation = drafter.aggregation(), measure = drafter.measure(),
                        left = finder.left, alpha = drafter.alpha()](const LadderBounds& bounds) {
    return ladder_corners("sums of distances from both bounds", aggregation, measure, bounds, left,
                          alpha);
  };
  Draft draft;
  draft.parts = {finder.cells.part, any_bounds(corners(finder.widest()).part)};
  draft.release = [finder, corners, alpha = drafter.alpha(), cost = draft.parts.back().cost](
                      const TableDomain::Carrier& table, BitSource& bits) {
    const auto bounds = finder.release(table, bits);
    if (!bounds) return no_answers(table);
    const NoisyNumbers noisy = corners(*bounds);
    require_price(noisy, cost);
    const std::vector<Rational> numbers = noisy.release(table, bits);
    const Range values = finder.values(*bounds);
    CornerMean mean({noisy.law}, values, alpha);
    std::vector<AnswerLine> lines;
    for (std::size_t group = 0; group < table.size(); ++group) {
      lines.push_back(release_internal::line_of(
          table[group].key, "", mean.estimate(numbers[2 * group], numbers[2 * group + 1])));
      lines.back().bounds = values;
      release_internal::mark_vague(lines.back(), values.upper - values.lower);
    }
    return lines;
  };
  return draft;
}

std::string FoundMeanStatistic::describe(const KindWords& words) const {
  return "mean of " + words.column(column.name.value);
}

}  // namespace lastbit
