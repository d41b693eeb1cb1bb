#include "lastbit/report/inspection/findings.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "lastbit/base/escape.h"
#include "lastbit/base/text.h"
#include "lastbit/release/kinds/registry.h"
#include "lastbit/report/inspection/field_remedy.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report {
namespace {

// From which share on something is worth saying, and is serious.
struct Shares {
  double notable;
  double serious;
};
constexpr Shares kMissing = {0.5, 1};
constexpr Shares kBeyondBounds = {0.01, 0.05};
constexpr Shares kUnlisted = {0.01, 0.05};
constexpr Shares kWithoutUnit = {0.01, 0.1};
constexpr Shares kLimited = {0.1, 0.5};

std::optional<FindingLevel> level_of(double share, const Shares& shares) {
  if (share >= shares.serious) return FindingLevel::kSerious;
  if (share >= shares.notable) return FindingLevel::kNotable;
  return std::nullopt;
}

std::string count_text(std::int64_t rows) { return grouped(static_cast<std::uint64_t>(rows)); }
std::string counted(std::int64_t number, std::string_view what) {
  return fmt::format("{} {}{}", count_text(number), what, number == 1 ? "" : "s");
}
std::string code(const std::string& name) { return "`" + shown_text(name) + "`"; }
std::string bound_text(const Rational& bound) { return with_commas(short_text(bound)); }

std::string rows_share(std::int64_t part, std::int64_t whole) {
  return share_text(static_cast<double>(part), static_cast<double>(whole));
}

double ratio_of(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Finder: collects findings.
class Finder {
 public:
  explicit Finder(const Inspection& inspection) : inspection_(inspection) {}

  std::vector<Finding> run() {
    if (inspection_.rows == 0) {
      add({FindingLevel::kSerious,
           1,
           {},
           "The data has no rows.",
           "Check the path of the source."});
      return std::move(findings_);
    }
    for (const InspectedColumn& column : inspection_.columns) add_column(column);
    for (const InspectedKeys& keys : inspection_.keys) add_keys(keys);
    for (const InspectedStatistic& statistic : inspection_.statistics) add_statistic(statistic);
    return in_order();
  }

 private:
  // in_order: most serious first; those that are equally so as they were found.
  std::vector<Finding> in_order() {
    const auto before = [](const Finding& a, const Finding& b) {
      return a.level != b.level ? a.level < b.level : a.share > b.share;
    };
    std::vector<Finding> sorted;
    for (Finding& finding : findings_) {
      const auto place = std::upper_bound(sorted.begin(), sorted.end(), finding, before);
      sorted.insert(place, std::move(finding));
    }
    return sorted;
  }

  // add: a problem that several statistics share is said once.
  void add(Finding finding) {
    for (Finding& known : findings_) {
      if (known.problem != finding.problem || known.remedy != finding.remedy) continue;
      for (std::string& name : finding.statistics) known.statistics.push_back(std::move(name));
      return;
    }
    findings_.push_back(std::move(finding));
  }

  void add_column(const InspectedColumn& column) {
    const FieldFacts& facts = column.facts;
    const std::int64_t rows = inspection_.rows;
    if (facts.unreadable > 0) {
      const std::string first =
          facts.first.empty() ? "" : fmt::format(", first in {}", field_text(facts.first.front()));
      add({FindingLevel::kSerious,
           ratio_of(facts.unreadable, rows),
           {},
           fmt::format("{} of {} fields of {} are not {}{}. They count as missing.",
                       count_text(facts.unreadable), count_text(rows), code(column.name),
                       values_words(column.type), first),
           field_remedy(column, inspection_.text_file)});
    }
    const double missing = ratio_of(facts.missing, rows);
    const auto level = level_of(missing, kMissing);
    if (!level) return;
    add({*level,
         missing,
         {},
         fmt::format("{} of the rows have no {}.", rows_share(facts.missing, rows),
                     code(column.name)),
         column.derived ? "Check its expression, and the columns that it is derived from."
                        : "Check that it is the right column, and what counts as missing."});
  }

  void add_keys(const InspectedKeys& keys) {
    const double share = ratio_of(keys.facts.unlisted, inspection_.rows);
    std::vector<std::string> names;
    for (const std::string& name : keys.columns) names.push_back(code(name));
    if (keys.broken > 0) {
      add({FindingLevel::kSerious,
           ratio_of(keys.broken, inspection_.rows),
           {},
           fmt::format("The file says that the keys of {} are complete, but {} a key that is "
                       "missing or not listed. Stated errors do not hold for tables that rely on "
                       "it.",
                       joined(names, ", "),
                       keys.broken == 1 ? "1 row that counts has"
                                        : count_text(keys.broken) + " rows that count have"),
           "Remove `complete`, or leave such rows out of all tables with a `where`. Add keys only "
           "if it is public that they exist."});
    }
    if (keys.facts.unlisted == 0) return;
    std::vector<std::string> frequent;
    for (const KeyFacts::Key& key : keys.facts.frequent) {
      frequent.push_back(fmt::format("{} ({})", key_words(key.key), count_text(key.rows)));
    }
    add({level_of(share, kUnlisted).value_or(FindingLevel::kHint),
         share,
         {},
         fmt::format("{} of {} rows have a value in {} that is not among the keys, most often {}. "
                     "They are left out.",
                     count_text(keys.facts.unlisted), count_text(inspection_.rows),
                     joined(names, ", "), joined(frequent, ", ")),
         "Write keys as the data does, to the letter. Add keys only if it is public that they "
         "exist."});
  }

  void add_statistic(const InspectedStatistic& inspected) {
    const std::string& name = inspected.statistic.name.value;
    const StatisticFacts& facts = inspected.facts;
    if (facts.with_values == 0) {
      const char* why = facts.with_condition == 0 ? "no row meets the condition"
                        : facts.with_unit == 0    ? "no row says whose it is"
                        : facts.with_keys == 0    ? "no row has one of the keys"
                                                  : "no row that is left has a value";
      add({FindingLevel::kSerious,
           1,
           {name},
           fmt::format("Nothing counts: {}.", why),
           "Check the condition, the keys and the types of its columns."});
      return;
    }
    add_without_unit(inspected);
    for (const InspectedNumber& number : inspected.numbers) {
      add_beyond(name, number);
      add_wide(name, number);
    }
    if (!inspected.limits) return;
    add_limited(name, facts, *inspected.limits);
    add_idle(name, facts, *inspected.limits);
  }

  void add_without_unit(const InspectedStatistic& inspected) {
    const StatisticFacts& facts = inspected.facts;
    const std::int64_t lost = facts.with_condition - facts.with_unit;
    const auto level = level_of(ratio_of(lost, facts.with_condition), kWithoutUnit);
    if (!level || !inspection_.unit) return;
    add({*level,
         ratio_of(lost, facts.with_condition),
         {inspected.statistic.name.value},
         fmt::format(
             "{} of the rows have no {}, so nobody knows whose they are. They are left out.",
             rows_share(lost, facts.with_condition), code(*inspection_.unit)),
         "Fill in the identifiers, or name another column in `unit`."});
  }

  void add_beyond(const std::string& name, const InspectedNumber& number) {
    const BoundChoice& bounds = number.choices.front();
    const auto say = [&](std::int64_t values, const char* side, const char* key,
                         const Rational& bound) {
      const auto level = level_of(ratio_of(values, number.values), kBeyondBounds);
      if (!level) return;
      add({*level,
           ratio_of(values, number.values),
           {name},
           fmt::format("{} of the values of {} are {} its `{}` bound and count as {}.",
                       rows_share(values, number.values), code(number.column), side, key,
                       bound_text(bound)),
           fmt::format("Choose `{}` so that you can justify it without looking at the data.",
                       key)});
    };
    say(bounds.above, "above", "upper", bounds.upper);
    say(bounds.below, "below", "lower", bounds.lower);
  }

  // add_wide: bounds that are much wider than the values need.
  void add_wide(const std::string& name, const InspectedNumber& number) {
    constexpr double kMuch = 5;
    const BoundChoice& bounds = number.choices.front();
    for (const BoundChoice& choice : number.choices) {
      if (choice.above > bounds.above || choice.below > bounds.below || !choice.noise) continue;
      if (*choice.noise * kMuch > 1) continue;
      add({FindingLevel::kHint,
           0,
           {name},
           fmt::format("The bounds of {}, {} to {}, are far wider than its values.",
                       code(number.column), bound_text(bounds.lower), bound_text(bounds.upper)),
           "Narrower bounds would need less noise, if you can justify them without the data."});
      return;
    }
  }

  // limits_to_raise: those that leave rows out.
  static std::string limits_to_raise(const StatisticFacts& facts, const LimitsInUse& limits) {
    std::vector<std::string> names;
    if (!limits.once_per_group && most_rows(facts.shapes) > limits.max_rows) {
      names.emplace_back("`max_rows_per_group`");
    }
    if (limits.grouped && most_groups(facts.shapes) > limits.max_groups) {
      names.emplace_back("`max_groups`");
    }
    return joined(names, " or ");
  }

  void add_limited(const std::string& name, const StatisticFacts& facts,
                   const InspectedLimits& limits) {
    const LimitChoice& in_use = limits.choices.front();
    const double lost = 1 - in_use.kept / limits.countable;
    const auto level = level_of(lost, kLimited);
    if (!level) return;
    const std::string unit = inspection_.unit ? code(*inspection_.unit) : "unit";
    std::string rule = "at most " + counted(in_use.max_rows, "row");
    if (limits.in_use.grouped) {
      rule += " per group, in at most " + counted(in_use.max_groups, "group") + ",";
    }
    if (limits.in_use.once_per_group) rule = "at most " + counted(in_use.max_groups, "group");
    add({*level,
         lost,
         {name},
         fmt::format("Only {} of the {} count: {} of each {}.",
                     share_text(in_use.kept, limits.countable),
                     limits.in_use.once_per_group ? "units in groups" : "rows", rule, unit),
         fmt::format("Raise {}. `lastbit inspect` shows what other limits keep, and what they cost "
                     "in noise.",
                     limits_to_raise(facts, limits.in_use))});
  }

  // add_idle: limits that are much larger than any unit needs.
  void add_idle(const std::string& name, const StatisticFacts& facts,
                const InspectedLimits& limits) {
    const auto& [max_rows, max_groups, grouped_by, once] = limits.in_use;
    const std::int64_t rows = once ? max_rows : std::min(max_rows, most_rows(facts.shapes));
    const std::int64_t groups =
        grouped_by ? std::min(max_groups, most_groups(facts.shapes)) : max_groups;
    const double idle = static_cast<double>(max_rows) * static_cast<double>(max_groups) /
                        (static_cast<double>(rows) * static_cast<double>(groups));
    if (idle < 2) return;
    add({FindingLevel::kHint,
         0,
         {name},
         "The limits of a unit are larger than any unit needs, and noise grows with them.",
         "Lower `max_rows_per_group` or `max_groups`, if you can justify that without the data."});
  }

  static std::string key_words(const KeyTuple& key) {
    constexpr std::size_t kMostBytes = 30;
    std::vector<std::string> parts;
    for (const KeyValue& value : key) parts.push_back(quote(text_of(value), kMostBytes));
    return joined(parts, " with ");
  }

  const Inspection& inspection_;
  std::vector<Finding> findings_;
};

}  // namespace

std::string name_of(FindingLevel level) {
  switch (level) {
    case FindingLevel::kSerious:
      return "serious";
    case FindingLevel::kNotable:
      return "notable";
    case FindingLevel::kHint:
      break;
  }
  return "hint";
}

std::vector<Finding> findings_of(const Inspection& inspection) { return Finder(inspection).run(); }

std::string share_text(double part, double whole) {
  const double percent = whole > 0 ? 100 * part / whole : 0;
  if (part <= 0) return "0 %";
  if (percent < 0.1) return "less than 0.1 %";
  if (percent < 9.95) return fmt::format("{:.1f} %", percent);
  if (part >= whole) return "100 %";
  return percent >= 99.5 ? "more than 99 %" : fmt::format("{:.0f} %", percent);
}

std::string amount_text(double rows) {
  const double whole = std::round(rows);
  const std::string text = grouped(static_cast<std::uint64_t>(whole));
  constexpr double kRounding = 1e-6;
  return std::abs(rows - whole) <= kRounding ? text : "about " + text;
}

std::string field_text(const UnreadableField& field) {
  constexpr std::size_t kMostBytes = 30;
  std::string place = field.line ? fmt::format("line {}", grouped(*field.line))
                                 : fmt::format("row {}", grouped(field.row));
  if (!field.file.empty()) place += " of " + quote(field.file, kMostBytes);
  return field.text.empty() ? place : fmt::format("{}: {}", place, quote(field.text, kMostBytes));
}

}  // namespace lastbit::report
