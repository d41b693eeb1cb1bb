// Pieces of the page of a release. For the sources of this folder only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/base/html.h"
#include "lastbit/release/plan/plan.h"
#include "lastbit/release/run.h"
#include "lastbit/report/release/wording.h"

namespace lastbit::report::page_internal {

// plural: as in "1 statistic", "12 statistics".
std::string plural(std::size_t count, std::string_view word);
// unbroken: keeps a % on the line of its number.
std::string unbroken(std::string text);
// marked: a text with its language, if that is known.
Html marked(const std::string& language, std::string_view text);
// own_words: a text of the file, marked with the language that the file gives.
Html own_words(const Wording& wording, std::string_view text);
// paragraphs: notes of the file.
Html paragraphs(const Wording& wording, const std::vector<std::string>& notes);
// fact: an entry of a list of facts.
template <HtmlPart Value>
Html fact(std::string_view name, const Value& value) {
  return format_html("<dt>{}</dt><dd>{}</dd>\n", name, value);
}

// PageTable: a table with a caption that only screen readers need.
struct PageTable {
  struct Column {
    std::string title;
    bool number = false;
    bool key = false;  // heads its row
  };
  std::string caption;
  std::string language;  // of keys; may be empty
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};
Html table_html(const PageTable& table);
// answers_table: the answers in a part that can be opened, the first ones before the others.
Html answers_table(const Wording& wording, const Statistic& statistic,
                   const std::vector<AnswerLine>& lines, bool open);

// Caveats: those of all statistics, each once, so that statistics refer to them.
class Caveats {
 public:
  explicit Caveats(const ReleasePlan& plan);
  // list: all of them. references: a sentence that names those of a statistic; empty if there are
  // none.
  Html list() const;
  Html references(const PlannedStatistic& planned) const;

 private:
  std::size_t place_of(const std::string& caveat) const;
  std::vector<std::string> all_;
};

// condition_html: which rows count; nothing if all do.
Html condition_html(const std::optional<WrittenExpression>& where);
// statistic_section: heading, answers, and in a line how they were protected.
Html statistic_section(const Wording& wording, const Caveats& caveats,
                       const PlannedStatistic& planned, const StatisticAnswers& answers,
                       std::size_t number);
// reading_section: how to read the numbers. ledger_section, audit_section: where the release is
// booked, and how to check it.
Html reading_section(const Wording& wording, const Caveats& caveats, const ReleasePlan& plan,
                     const Release& release);
Html ledger_section(const Wording& wording, const ReleasePlan& plan, const Release& release);
Html audit_section(const ReleasePlan& plan, const Release& release);

// downloads: answers.csv and release.json as links that hold them; large ones are left beside the
// page.
Html downloads(const ReleasePlan& plan, const Release& release);

}  // namespace lastbit::report::page_internal
