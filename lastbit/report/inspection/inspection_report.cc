#include "lastbit/report/inspection/inspection_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "lastbit/base/escape.h"
#include "lastbit/base/text.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report {
namespace {

constexpr std::size_t kMostWidth = 100;
constexpr std::size_t kLeastWidth = 40;

std::string rows_text(std::int64_t rows) { return grouped(static_cast<std::uint64_t>(rows)); }
std::string number_words(const Rational& number) { return with_commas(short_text(number)); }

// paragraph: words in lines that are moved to the right; the first one begins with the mark.
std::string paragraph(std::string_view mark, std::string_view words, std::size_t indent,
                      std::size_t width) {
  const std::size_t inner = indent + mark.size();
  std::string text =
      indented(wrapped(words, std::clamp(width, kLeastWidth, kMostWidth) - inner), inner);
  return text.replace(0, inner, std::string(indent, ' ') + std::string(mark));
}

std::string heading(std::string_view words, const Paint& paint) {
  return fmt::format("\n  {}\n\n", paint(Colour::kBold, words));
}

// unlisted_of: of the keys of this column alone; null if it has none.
const KeyFacts* unlisted_of(const Inspection& inspection, const std::string& column) {
  const auto same = [&](const InspectedKeys& keys) {
    return keys.columns.size() == 1 && keys.columns.front() == column;
  };
  const auto found = std::ranges::find_if(inspection.keys, same);
  return found == inspection.keys.end() ? nullptr : &found->facts;
}

std::string columns_text(const Inspection& inspection, const Paint& paint, std::size_t width) {
  Table table({{"column"},
               {"type"},
               {"missing", Align::kRight},
               {"not of the type", Align::kRight},
               {"below", Align::kRight},
               {"above", Align::kRight},
               {"not a key", Align::kRight}});
  const auto count = [](std::int64_t rows) {
    return Table::Cell(rows_text(rows), rows > 0 ? Colour::kYellow : Colour::kNone);
  };
  for (const InspectedColumn& column : inspection.columns) {
    const KeyFacts* keys = unlisted_of(inspection, column.name);
    table.add({Table::Cell(shown_text(column.name), Colour::kBold),
               fmt::format("{}{}", name_of(column.type), column.derived ? ", derived" : ""),
               count(column.facts.missing),
               column.derived ? Table::Cell("—") : count(column.facts.unreadable),
               column.lower ? count(column.below) : Table::Cell("—"),
               column.upper ? count(column.above) : Table::Cell("—"),
               keys != nullptr ? count(keys->unlisted) : Table::Cell("—")});
  }
  return table.render(paint, width);
}

// examples_text: the first fields that cannot be read, and the most frequent unlisted values.
std::string examples_text(const Inspection& inspection, std::size_t width) {
  std::string text;
  for (const InspectedColumn& column : inspection.columns) {
    std::vector<std::string> fields;
    for (const UnreadableField& field : column.facts.first) fields.push_back(field_text(field));
    if (fields.empty()) continue;
    text += paragraph(
        "",
        fmt::format(
            "{}: not of the type in {}{}", shown_text(column.name), joined(fields, "; "),
            column.facts.unreadable > static_cast<std::int64_t>(fields.size()) ? "; …" : ""),
        2, width);
  }
  for (const InspectedKeys& keys : inspection.keys) {
    std::vector<std::string> names;
    for (const std::string& name : keys.columns) names.push_back(shown_text(name));
    std::vector<std::string> values;
    for (const KeyFacts::Key& key : keys.facts.frequent) {
      std::vector<std::string> parts;
      for (const KeyValue& part : key.key) parts.push_back(quote(text_of(part), 30));
      values.push_back(fmt::format("{} in {} rows", joined(parts, " with "), rows_text(key.rows)));
    }
    if (values.empty()) continue;
    text += paragraph(
        "",
        fmt::format("{}: not among the keys are {}{}", joined(names, ", "), joined(values, ", "),
                    values.size() == KeyFacts::kMostFrequent ? ", …" : ""),
        2, width);
  }
  return text.empty() ? text : "\n" + text;
}

// rows_left: how many rows each step of a statistic leaves.
Table rows_left(const Inspection& inspection, const InspectedStatistic& inspected) {
  const StatisticFacts& facts = inspected.facts;
  Table table({{"rows"}, {"", Align::kRight}, {"", Align::kRight}});
  const auto all = static_cast<double>(inspection.rows);
  const auto add = [&](std::string words, std::int64_t rows) {
    table.add({std::move(words), rows_text(rows), share_text(static_cast<double>(rows), all)});
  };
  add("in all", inspection.rows);
  if (inspected.has_condition) add("that meet the condition", facts.with_condition);
  if (inspection.unit) {
    add(fmt::format("with a {}", shown_text(*inspection.unit)), facts.with_unit);
  }
  if (!inspected.statistic.by.empty()) add("in one of the groups", facts.with_keys);
  add("with a value to count", facts.with_values);
  if (!inspected.limits || !inspection.unit) return table;
  const LimitChoice& in_use = inspected.limits->choices.front();
  if (!inspected.limits->in_use.once_per_group) {
    table.add(
        {"that count after the limits", amount_text(in_use.kept), share_text(in_use.kept, all)});
  }
  const std::int64_t units = unit_count(facts.shapes);
  table.add({fmt::format("units ({}) that count", shown_text(*inspection.unit)), rows_text(units),
             share_text(static_cast<double>(units), static_cast<double>(inspection.units))});
  return table;
}

std::string noise_text(const std::optional<double>& noise) {
  return noise ? fmt::format("× {:.3g}", *noise) : "—";
}

std::string limits_text(const InspectedLimits& limits, const Paint& paint, std::size_t width) {
  if (limits.choices.size() < 2) return "";
  const auto& [max_rows, max_groups, grouped_by, once] = limits.in_use;
  std::vector<Table::Column> columns = {{"other limits"}};
  if (!once) columns.push_back({"max_rows_per_group", Align::kRight});
  if (grouped_by) columns.push_back({"max_groups", Align::kRight});
  columns.push_back({once ? "units in groups that count" : "rows that count", Align::kRight});
  columns.push_back({"noise", Align::kRight});
  Table table(columns);
  for (const LimitChoice& choice : limits.choices) {
    std::vector<Table::Cell> row = {&choice == &limits.choices.front() ? "in use" : ""};
    if (!once) row.emplace_back(rows_text(choice.max_rows));
    if (grouped_by) row.emplace_back(rows_text(choice.max_groups));
    row.emplace_back(share_text(choice.kept, limits.countable));
    row.emplace_back(noise_text(choice.noise));
    table.add(std::move(row));
  }
  return "\n" + indented(table.render(paint, width - 2), 2);
}

std::string bounds_text(const InspectedNumber& number, const Paint& paint, std::size_t width) {
  if (number.choices.size() < 2) return "";
  Table table({{fmt::format("other bounds of {}", shown_text(number.column))},
               {"lower", Align::kRight},
               {"upper", Align::kRight},
               {"values below", Align::kRight},
               {"values above", Align::kRight},
               {"noise", Align::kRight}});
  const auto values = static_cast<double>(number.values);
  for (const BoundChoice& choice : number.choices) {
    table.add({&choice == &number.choices.front() ? "in use" : "", number_words(choice.lower),
               number_words(choice.upper), share_text(static_cast<double>(choice.below), values),
               share_text(static_cast<double>(choice.above), values), noise_text(choice.noise)});
  }
  return "\n" + indented(table.render(paint, width - 2), 2);
}

std::string statistic_text(const Inspection& inspection, const InspectedStatistic& inspected,
                           const Paint& paint, std::size_t width) {
  std::string text = heading(cut(fmt::format("{}: {}", shown_text(inspected.statistic.name.value),
                                             kind_words(inspected.statistic)),
                                 std::clamp(width, kLeastWidth, kMostWidth) - 2),
                             paint);
  text += indented(rows_left(inspection, inspected).render(paint, width - 2), 2);
  if (inspected.limits) text += limits_text(*inspected.limits, paint, width);
  for (const InspectedNumber& number : inspected.numbers) {
    text += bounds_text(number, paint, width);
  }
  return text;
}

}  // namespace

std::string private_notice(const Inspection& inspection) {
  return fmt::format(
      "PRIVATE: this describes the rows of {} without noise. Do not publish any of it.",
      shown_text(inspection.source));
}

std::string findings_text(const std::vector<Finding>& findings, const Paint& paint,
                          std::size_t width) {
  if (findings.empty()) return "  Nothing seems wrong.\n";
  std::string text;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const auto& [level, share, statistics, problem, remedy] = findings[i];
    constexpr std::size_t kMostNames = 3;
    std::vector<std::string> names;
    for (std::size_t n = 0; n < std::min(statistics.size(), kMostNames); ++n) {
      names.push_back(shown_text(statistics[n]));
    }
    std::string where = joined(names, ", ");
    if (statistics.size() > kMostNames) {
      where += fmt::format(" and {} more", statistics.size() - kMostNames);
    }
    const std::string mark = fmt::format("{}. ", i + 1);
    std::string said =
        paragraph(mark, where.empty() ? problem : fmt::format("{}: {}", where, problem), 2, width);
    const Colour colour = level == FindingLevel::kSerious   ? Colour::kRed
                          : level == FindingLevel::kNotable ? Colour::kYellow
                                                            : Colour::kNone;
    text += paint(colour, said.substr(0, said.size() - 1)) + "\n";
    text += paragraph("", remedy, 2 + mark.size(), width);
  }
  return text;
}

std::string inspection_text(const Inspection& inspection, const Paint& paint, std::size_t width) {
  std::string text = paint(Colour::kBold, private_notice(inspection)) + "\n";
  std::string title = fmt::format("Columns, in {} rows", rows_text(inspection.rows));
  if (inspection.unit) {
    title +=
        fmt::format(" of {} units ({})", rows_text(inspection.units), shown_text(*inspection.unit));
  }
  text += heading(title, paint) + columns_text(inspection, paint, width);
  text += examples_text(inspection, width);
  for (const InspectedStatistic& inspected : inspection.statistics) {
    text += statistic_text(inspection, inspected, paint, width);
  }
  text += heading("What is likely wrong, most serious first", paint);
  text += findings_text(findings_of(inspection), paint, width);
  text += "\n" +
          paragraph("",
                    "Noise is compared at the same cost. Limits and bounds that are chosen "
                    "from these tables depend on the data, and so reveal something about it. "
                    "Prefer round numbers that you can justify without it.",
                    0, width) +
          "\n";
  return text + paint(Colour::kBold, private_notice(inspection)) + "\n";
}

}  // namespace lastbit::report
