#include "lastbit/release/plan/words.h"

#include <fmt/core.h>

#include <set>
#include <utility>
#include <variant>

#include "lastbit/base/text.h"
#include "lastbit/release/kinds/registry.h"

namespace lastbit::release_internal {
namespace {

std::string times(std::int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string unit_in_words(const ReleaseFile& release, const Statistic& statistic,
                          const Aggregation& aggregation) {
  const auto* unit = std::get_if<UnitColumn>(&aggregation.unit);
  const auto& noun = release.publication.noun;
  if (unit == nullptr) {
    return fmt::format("Each row counts as a separate {}.", noun ? noun->one : "person");
  }
  const std::string value = "value of " + quote(std::get<IdUnit>(release.unit).column.value, 80);
  const std::string who = noun ? fmt::format("{} (a {})", noun->one, value) : value;
  if (discovers_categories(statistic.kind)) {
    return fmt::format(
        "Each {} counts once in each of at most {}; which ones is chosen at random with a "
        "secret key.",
        who, times(unit->max_groups, "category", "categories"));
  }
  if (once_per_unit(statistic.kind)) {
    if (statistic.by.empty()) return fmt::format("Each {} counts once.", who);
    return fmt::format(
        "Each {} counts once per group, in at most {}, chosen at random with a secret "
        "key.",
        who, times(unit->max_groups, "group", "groups"));
  }
  std::string groups;
  if (!statistic.by.empty()) {
    groups = unit->max_groups == 1 ? ", of one group,"
                                   : fmt::format(" in each of at most {} groups", unit->max_groups);
  }
  return fmt::format(
      "Of each {} at most {}{} count{}; which ones is chosen at random with a secret key.", who,
      times(unit->max_rows, "row", "rows"), groups, unit->max_rows == 1 ? "s" : "");
}

// one_line: an expression as the file writes it, without its line ends.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (!space) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return line;
}

// Which rows count, and what the derived columns in use are, those that others are made of first.
void add_expressions(const ReleaseFile& release, const Statistic& statistic,
                     std::vector<std::string>& steps) {
  std::set<std::string> used;
  for (const auto& column : columns_of(statistic)) used.insert(column.value);
  if (const auto* unit = std::get_if<IdUnit>(&release.unit)) used.insert(unit->column.value);
  std::vector<std::string> conditions;
  for (const auto* where : {&release.where, &statistic.where}) {
    if (!*where) continue;
    used.insert((*where)->derived.begin(), (*where)->derived.end());
    conditions.push_back(fmt::format("Only rows where {} count.", one_line((*where)->text.value)));
  }
  std::vector<std::string> columns;
  for (auto column = release.derived.rbegin(); column != release.derived.rend(); ++column) {
    if (!used.contains(column->name.value)) continue;
    used.insert(column->expression.derived.begin(), column->expression.derived.end());
    columns.push_back(fmt::format("In each row, {} is {}.", quote(column->name.value, 80),
                                  one_line(column->expression.text.value)));
  }
  steps.insert(steps.end(), columns.rbegin(), columns.rend());
  steps.insert(steps.end(), conditions.begin(), conditions.end());
}

void add_grid(const Tally& measure, std::vector<std::string>& steps) {
  const auto add = [&](const SteppedField& field) {
    if (field.field.type != FieldType::kReal && field.field.type != FieldType::kDecimal) return;
    steps.push_back(
        fmt::format("Values of {} are rounded to multiples of 2^{} and added up as whole numbers.",
                    quote(field.field.name, 80), field.grid_exponent));
  };
  if (const auto* sum = std::get_if<StepSum>(&measure)) add(sum->field);
  if (const auto* sum = std::get_if<SquareSum>(&measure)) add(sum->field);
  if (const auto* ladder = std::get_if<LadderSum>(&measure)) add(ladder->field);
  if (const auto* sum = std::get_if<PairSum>(&measure)) {
    add(sum->first);
    add(sum->second);
  }
  if (const auto* sum = std::get_if<ProductSum>(&measure)) {
    add(sum->first);
    add(sum->second);
  }
}

std::string noise_of_part(const PlannedPart& part) {
  if (part.threshold) {
    return fmt::format(
        "Noise ({}) is added to the number of units in each group, and only groups that reach {} "
        "with it are shown.",
        part.noise, *part.threshold);
  }
  if (part.mechanism == NoiseMechanism::kExponential) {
    return fmt::format(
        "For the {} each possible answer gets a score, and one of them is drawn, each less likely "
        "the lower its score ({}).",
        part.name, part.noise);
  }
  if (part.mechanism == NoiseMechanism::kExponentialInRounds) {
    return fmt::format(
        "One of the categories is drawn, each less likely the lower its count ({}), and so on "
        "among the others.",
        part.noise);
  }
  if (part.mechanism == NoiseMechanism::kNoisyMax) {
    return fmt::format(
        "For the {} each possible answer gets a score, noise ({}) is added to the scores, and the "
        "best answer is shown.",
        part.name, part.noise);
  }
  if (part.mechanism == NoiseMechanism::kNoisyMaxInRounds) {
    return fmt::format(
        "Noise ({}) is added to the counts, the largest category is shown, and so on among the "
        "others with fresh noise.",
        part.noise);
  }
  return fmt::format("{} noise of {} is added to the {}.",
                     part.mechanism == NoiseMechanism::kDiscreteGaussian ? "Gaussian" : "Laplace",
                     part.noise, part.name);
}

// loses_contributions: whether rows of a unit may be left out. Without groups, a unit that counts
// once loses nothing.
bool loses_contributions(const Statistic& statistic, const Aggregation& aggregation) {
  if (!std::holds_alternative<UnitColumn>(aggregation.unit)) return false;
  return !once_per_unit(statistic.kind) || !statistic.by.empty();
}

std::string note_of_unit(const ReleaseFile& release, const Statistic& statistic,
                         const Aggregation& aggregation) {
  const auto& unit = std::get<UnitColumn>(aggregation.unit);
  const std::string who = quote(std::get<IdUnit>(release.unit).column.value, 80);
  const std::string groups = times(unit.max_groups, "group", "groups");
  std::string limit;
  if (discovers_categories(statistic.kind)) {
    limit = fmt::format("Each {} counts in at most {}", who,
                        times(unit.max_groups, "category", "categories"));
  } else if (once_per_unit(statistic.kind)) {
    limit = fmt::format("Each {} counts in at most {}", who, groups);
  } else {
    const std::string rows = times(unit.max_rows, "row", "rows");
    const bool one = statistic.by.empty() && unit.max_rows == 1;
    limit = fmt::format("At most {}{} of each {} count{}", rows,
                        statistic.by.empty() ? "" : fmt::format(" per group and {}", groups), who,
                        one ? "s" : "");
  }
  return limit + "; the rest is left out, and no interval shows that.";
}

std::string note_of_bounds(const StatisticKind& kind) {
  std::vector<std::string> columns;
  for (const ColumnRole& role : roles_of(kind)) {
    if (role.bounded == nullptr) continue;
    columns.push_back(fmt::format("of {} outside [{}, {}]", quote(role.column.value, 80),
                                  role.bounded->lower.value.to_string(),
                                  role.bounded->upper.value.to_string()));
  }
  return fmt::format("Values {} count as the nearer bound, and no interval shows that.",
                     joined(columns, " and "));
}

}  // namespace

std::string missing_in_words(const ColumnUse& column) {
  const std::string name = quote(column.name.value, 80);
  if (!column.impute) return fmt::format("Rows without a value of {} are left out.", name);
  const FieldValue& value = column.impute->value;
  const auto* number = std::get_if<Rational>(&value);
  const auto* text = std::get_if<std::string>(&value);
  const auto* flag = std::get_if<bool>(&value);
  const std::string shown = number != nullptr ? number->to_string()
                            : text != nullptr ? quote(*text, 80)
                            : flag != nullptr ? std::string(*flag ? "true" : "false")
                                              : text_of(std::get<Date>(value));
  return fmt::format("Missing values of {} count as {}.", name, shown);
}

void explain_bounds(const BoundedColumn& column, std::vector<std::string>& steps) {
  steps.push_back(missing_in_words(column.column));
  steps.push_back(fmt::format("Values of {} outside [{}, {}] count as the nearer bound.",
                              quote(column.column.name.value, 80), column.lower.value.to_string(),
                              column.upper.value.to_string()));
}

std::vector<std::string> steps_in_words(const ReleaseFile& release, const PlannedStatistic& planned,
                                        const Aggregation& aggregation) {
  const Statistic& statistic = planned.statistic;
  std::vector<std::string> steps;
  add_expressions(release, statistic, steps);
  steps.push_back(unit_in_words(release, statistic, aggregation));
  explain_kind(statistic.kind, release, steps);
  if (!discovers_categories(statistic.kind)) add_grid(aggregation.measures[planned.measure], steps);
  for (const PlannedPart& part : planned.parts) steps.push_back(noise_of_part(part));
  // Only computed answers have errors that are not known in advance.
  const bool found = finds_bounds(statistic.kind);
  if (error_needs_rows(statistic.kind) || (!found && !planned.accuracy.at(1))) {
    steps.emplace_back(
        "The answer is computed from these noisy numbers and limited to possible values.");
  }
  if (statistic.suppress_above) {
    steps.push_back(fmt::format(
        "An answer is suppressed if an end of its interval is farther from it than {} times its "
        "size. Only the noisy numbers decide this.",
        statistic.suppress_above->value.to_string()));
  }
  return steps;
}

std::vector<std::string> caveats_in_words(const PlannedStatistic& planned,
                                          const Aggregation& aggregation) {
  const Statistic& statistic = planned.statistic;
  std::vector<std::string> caveats;
  if (clamps(statistic.kind)) {
    caveats.emplace_back(
        "Bounds: values outside the bounds make the answer wrong by how far outside they are: a "
        "mean by their share of the rows times their mean distance from the bound, in addition "
        "to the noise.");
  }
  if (loses_contributions(statistic, aggregation)) {
    caveats.emplace_back(
        "Contributions: rows beyond the limits of a unit are left out, so answers are about the "
        "rows that count. Counts and sums are too small by what is left out, and no interval shows "
        "that.");
  }
  if (error_needs_rows(statistic.kind)) {
    caveats.emplace_back(
        "Size: the accuracy depends on the number of rows, which is private: it is stated for a "
        "guess before the release, and with the answer after it.");
  }
  if (statistic.discover) {
    caveats.emplace_back(
        "Discovery: small groups are missing, and those shown are the lucky ones. So "
        "counts close to the threshold are too large on average, and their intervals hold less "
        "often than stated.");
  }
  const bool ranked = std::holds_alternative<RankingFigure>(figure_of(statistic.kind));
  const bool counted = planned.parts.back().mechanism == NoiseMechanism::kSnappedLaplace ||
                       planned.parts.back().mechanism == NoiseMechanism::kDiscreteGaussian;
  if (ranked && counted) {
    caveats.emplace_back(
        "Ranking: categories that noise favours come first, so counts that are close to each other "
        "are too large on average. The intervals allow for that: with the stated confidence, all "
        "of "
        "a group hold together.");
  }
  if (statistic.suppress_above) {
    caveats.emplace_back(
        "Suppression: whether an answer is shown depends on its noise. So answers that are shown "
        "and have wide intervals are too large on average, and their intervals hold less often "
        "than stated.");
  }
  for (std::string& caveat : caveats_of(statistic.kind)) caveats.push_back(std::move(caveat));
  return caveats;
}

std::vector<std::string> notes_in_words(const ReleaseFile& release, const PlannedStatistic& planned,
                                        const Aggregation& aggregation) {
  const Statistic& statistic = planned.statistic;
  std::vector<std::string> notes;
  if (loses_contributions(statistic, aggregation)) {
    notes.push_back(note_of_unit(release, statistic, aggregation));
  }
  if (clamps(statistic.kind) && !finds_bounds(statistic.kind)) {
    notes.push_back(note_of_bounds(statistic.kind));
  }
  const std::optional<Rational>& rows = planned.accuracy.always;
  const bool quantiles = std::holds_alternative<QuantilesFigure>(figure_of(statistic.kind));
  if (quantiles && rows && !statistic.by.empty()) {
    notes.push_back(fmt::format(
        "In a group of fewer than about {} rows, the answer may be any value between the bounds.",
        rows->ceil().to_string()));
  }
  for (const PlannedPart& part : planned.parts) {
    if (!part.threshold) continue;
    notes.push_back(fmt::format(
        "Keys with few units are left out. Counts close to the threshold of {} are too large on "
        "average.",
        *part.threshold));
  }
  if (statistic.suppress_above) {
    notes.push_back(fmt::format(
        "Answers with ± above {} times their size are suppressed. Those close to that are too "
        "large on average.",
        statistic.suppress_above->value.to_string()));
  }
  for (std::string& note : notes_of(statistic.kind)) notes.push_back(std::move(note));
  return notes;
}

}  // namespace lastbit::release_internal
