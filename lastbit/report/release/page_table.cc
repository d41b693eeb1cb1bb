// Tables of the page of a release.
#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>

#include "lastbit/release/kinds/registry.h"
#include "lastbit/report/numbers/answer_numbers.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/figure.h"
#include "lastbit/report/release/page_parts.h"

namespace lastbit::report::page_internal {
namespace {

constexpr std::size_t kRowsAtOnce = 40;  // up to so many rows are one table
constexpr std::size_t kFirstRows = 20;
constexpr std::size_t kRowsOnPage = 1000;

// TableParts: which columns a table of answers needs.
struct TableParts {
  bool cell = false;
  bool choice = false;
  bool value = false;
  bool interval = false;
  bool bounds = false;
  bool quality = false;
};
TableParts parts_of(const std::vector<AnswerLine>& lines) {
  TableParts parts;
  for (const AnswerLine& line : lines) {
    parts.cell |= !line.cell.empty();
    parts.choice |= line.choice.has_value();
    parts.value |= line.value.has_value() || !line.choice;
    parts.interval |= line.interval.has_value();
    parts.bounds |= line.bounds.has_value();
    parts.quality |= !quality_words(line).empty() || line.suppressed;
  }
  return parts;
}

// AnswerRows: makes the rows of one statistic.
class AnswerRows {
 public:
  AnswerRows(const Wording& wording, const Statistic& statistic,
             const std::vector<AnswerLine>& lines)
      : wording_(wording),
        statistic_(statistic),
        parts_(parts_of(lines)),
        style_(NumberStyle::for_lines(lines)) {}

  std::vector<PageTable::Column> columns() const {
    std::vector<PageTable::Column> columns;
    for (const auto& column : statistic_.by) {
      columns.push_back({wording_.column_title(column.value), false, true});
    }
    if (parts_.cell) columns.push_back({cell_title_of(statistic_.kind), false, true});
    if (parts_.choice) columns.push_back({"value"});
    const std::string unit = wording_.unit(statistic_);
    if (parts_.value) columns.push_back({unit.empty() ? "answer" : unit, true});
    if (parts_.interval) {
      columns.push_back({"± " + percent_text(statistic_.confidence.value), true});
      columns.push_back({"from", true});
      columns.push_back({"to", true});
    }
    if (parts_.bounds) columns.push_back({"bounds found"});
    if (parts_.quality) columns.push_back({"quality"});
    return columns;
  }

  std::vector<std::string> row(const AnswerLine& line) const {
    std::vector<std::string> row;
    for (std::size_t i = 0; i < line.group.size(); ++i) {
      row.push_back(wording_.key(statistic_.by.at(i).value, line.group[i]));
    }
    if (parts_.cell) row.push_back(wording_.cell(statistic_, line));
    if (parts_.choice) row.push_back(line.choice ? choice(*line.choice) : "");
    if (parts_.value) row.push_back(line.value ? number(*line.value) : line.choice ? "" : "–");
    if (parts_.interval) {
      const auto error = half_width(line);
      row.push_back(error ? number(*error, Rounding::kUp) : "");
      row.push_back(line.interval ? number(line.interval->lower, Rounding::kDown) : "");
      row.push_back(line.interval ? number(line.interval->upper, Rounding::kUp) : "");
    }
    if (parts_.bounds) {
      row.push_back(line.bounds ? fmt::format("[{}, {}]", line.bounds->lower.to_string(),
                                              line.bounds->upper.to_string())
                                : "");
    }
    if (parts_.quality) row.push_back(line.value ? quality_words(line) : missing_words(line));
    return row;
  }

 private:
  std::string choice(const KeyValue& key) const {
    return wording_.key(roles_of(statistic_.kind).front().column.value, key);
  }
  std::string number(const Rational& value, Rounding rounding = Rounding::kNearestEven) const {
    return wording_.numerals().text(style_.text(value, rounding));
  }

  const Wording& wording_;
  const Statistic& statistic_;
  TableParts parts_;
  NumberStyle style_;
};

}  // namespace

Html table_html(const PageTable& table) {
  Html html = format_html(
      "<div class=\"scroll\" role=\"group\" aria-label=\"Table: {0}\" tabindex=\"0\"><table>\n"
      "<caption class=\"hidden\">{0}</caption>\n<thead><tr>",
      table.caption);
  for (const auto& column : table.columns) {
    html += format_html("<th scope=\"col\"{}>{}</th>", column.number ? " class=\"n\""_html : Html(),
                        bidi(column.title));
  }
  html += "</tr></thead>\n<tbody>\n"_html;
  for (const auto& row : table.rows) {
    html += "<tr>"_html;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (table.columns[i].number) {
        html += format_html("<td class=\"n\">{}</td>", row[i]);
      } else if (table.columns[i].key) {
        html += format_html("<th scope=\"row\">{}</th>", marked(table.language, row[i]));
      } else {
        html += format_html("<td>{}</td>", bidi(row[i]));
      }
    }
    html += "</tr>\n"_html;
  }
  return html + "</tbody></table></div>\n"_html;
}

Html answers_table(const Wording& wording, const Statistic& statistic,
                   const std::vector<AnswerLine>& lines, bool open) {
  const AnswerRows rows(wording, statistic, lines);
  const std::size_t first = lines.size() <= kRowsAtOnce ? lines.size() : kFirstRows;
  const std::size_t shown = std::min(lines.size(), kRowsOnPage);
  const auto part = [&](std::size_t from, std::size_t to, const std::string& caption) {
    PageTable table{caption, wording.language(), rows.columns(), {}};
    for (std::size_t i = from; i < to; ++i) table.rows.push_back(rows.row(lines[i]));
    return table_html(table);
  };
  const auto counted = [&](std::size_t count) { return wording.numerals().text(grouped(count)); };
  const std::string heading = wording.heading(statistic);
  Html html =
      format_html("<details class=\"table\"{}><summary>{} as a table</summary>\n",
                  open ? " open=\"open\""_html : Html(),
                  lines.size() == 1 ? std::string("1 answer") : counted(lines.size()) + " answers");
  html += part(0, first, heading);
  if (first < shown) {
    html += format_html("<details class=\"more\"><summary>and {} more</summary>\n{}",
                        counted(lines.size() - first), part(first, shown, heading + ", continued"));
    if (shown < lines.size()) {
      html += format_html("<p class=\"note\">The other {} are in answers.csv.</p>\n",
                          counted(lines.size() - shown));
    }
    html += "</details>\n"_html;
  }
  return html + "</details>\n"_html;
}

}  // namespace lastbit::report::page_internal
