// The page of a release.
#include <fmt/core.h>

#include "lastbit/base/error.h"
#include "lastbit/base/html.h"
#include "lastbit/report/numbers/answer_numbers.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/page_parts.h"
#include "lastbit/report/release/page_style.h"
#include "lastbit/report/release/release_report.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report {
namespace page_internal {

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", grouped(count), word, count == 1 ? "" : "s");
}

std::string unbroken(std::string text) {
  for (std::size_t at = text.find(" %"); at != std::string::npos; at = text.find(" %", at)) {
    text.replace(at, 1, "\u00a0");
  }
  return text;
}

Html marked(const std::string& language, std::string_view text) {
  if (language.empty()) return bidi(text);
  return format_html("<bdi lang=\"{}\">{}</bdi>", language, text);
}

Html own_words(const Wording& wording, std::string_view text) {
  return marked(wording.language(), text);
}

Html paragraphs(const Wording& wording, const std::vector<std::string>& notes) {
  Html html;
  for (const std::string& note : notes) {
    html += format_html("<p class=\"said\">{}</p>\n", own_words(wording, note));
  }
  return html;
}

}  // namespace page_internal

namespace {

using page_internal::Caveats;
using page_internal::own_words;
using page_internal::paragraphs;
using page_internal::plural;

std::string data_name(const ReleaseFile& release) {
  return release.source.name.empty() ? written_path(release.source) : release.source.name;
}

std::string day_of_release(const Release& release) {
  return release.entry.time.substr(0, release.entry.time.find('T'));
}

Html page_title(const Wording& wording, const ReleaseFile& release) {
  const std::string title = title_of(release);
  return release.title.empty() ? bidi(title) : own_words(wording, title);
}

template <HtmlPart Value, HtmlPart More>
Html card(std::string_view title, const Value& value, const More& more) {
  return format_html("<div class=\"card\"><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", title,
                     value, more);
}

Html unit_limits(const PrivacyUnit& unit) {
  const auto* by_id = std::get_if<IdUnit>(&unit);
  if (by_id == nullptr) return "added to the data or removed from it"_html;
  return format_html("with all rows that have the same {}", bidi(by_id->column.value));
}

// cost_card: the loss in large letters, its delta below.
Html cost_card(const Numerals& numerals, std::string_view title, const Cost& cost,
               Rounding rounding, std::string_view more) {
  const bool in_rho = cost.kind() == LossKind::kConcentrated;
  if (cost.kind() == LossKind::kPure || (in_rho && cost.delta().sign() == 0)) {
    return card(title, numerals.text(cost_words(cost, rounding)), std::string(more));
  }
  const std::string loss = in_rho ? "rho " + loss_text(cost.rho(), rounding)
                                  : "epsilon " + loss_text(cost.epsilon(), rounding);
  return card(
      title, numerals.text(loss),
      numerals.text(fmt::format("and delta {}, {}", loss_text(cost.delta(), rounding), more)));
}

Html cards(const Wording& wording, const ReleasePlan& plan, const Release& release) {
  std::size_t answers = 0;
  for (const StatisticAnswers& one : release.answers) answers += one.lines.size();
  const Numerals& numerals = wording.numerals();
  const LedgerEntry& entry = release.entry;
  Html html = "<dl class=\"cards\">\n"_html;
  html += card("Published", plural(release.answers.size(), "statistic"),
               numerals.text(plural(answers, "answer")));
  html += cost_card(numerals, "Spent", entry.price, Rounding::kUp, "of the privacy budget");
  html += cost_card(numerals, "Left", release.left, Rounding::kDown, "for later releases");
  html += card("Protected", bidi(wording.one_unit()), unit_limits(plan.release.unit));
  html += card("Date", day_of_release(release), fmt::format("entry {} of the ledger", entry.id));
  return html + "</dl>\n"_html;
}

Html contents(const Wording& wording, const ReleasePlan& plan) {
  if (plan.statistics.size() < 2) return {};
  Html html = "<nav aria-label=\"Statistics\"><ol>\n"_html;
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    const Statistic& statistic = plan.statistics[i].statistic;
    const std::string heading = wording.heading(statistic);
    html +=
        format_html("<li><a href=\"#s{}\">{}</a></li>\n", i + 1,
                    statistic.wording.title.empty() ? bidi(heading) : own_words(wording, heading));
  }
  return html + "</ol></nav>\n"_html;
}

Html header(const Wording& wording, const ReleasePlan& plan, const Release& release) {
  const Publication& publication = plan.release.publication;
  Html html = format_html("<header>\n<p class=\"eyebrow\">{}</p>\n<h1>{}</h1>\n",
                          publication.publisher.empty() ? "Private statistics"_html
                                                        : own_words(wording, publication.publisher),
                          page_title(wording, plan.release));
  if (!publication.period.empty()) {
    html += format_html("<p class=\"period\">{}</p>\n", own_words(wording, publication.period));
  }
  html += format_html("<p class=\"lead\">This page publishes {} about {}. {}</p>\n",
                      plural(release.answers.size(), "statistic"), bidi(data_name(plan.release)),
                      noise_words(plan.cost));
  html += page_internal::condition_html(plan.release.where);
  html += paragraphs(wording, publication.notes);
  html += cards(wording, plan, release);
  html += page_internal::downloads(plan, release);
  return html + contents(wording, plan) + "</header>\n"_html;
}

Html footer(const Wording& wording, const ReleasePlan& plan, const Release& release) {
  const Publication& publication = plan.release.publication;
  Html html = "<footer>\n<dl class=\"facts\">\n"_html;
  const auto add = [&](std::string_view name, const std::string& text) {
    if (!text.empty()) html += page_internal::fact(name, own_words(wording, text));
  };
  add("Publisher", publication.publisher);
  add("Licence", publication.licence);
  add("Contact", publication.contact);
  html += page_internal::fact("Published", day_of_release(release));
  return html + "</dl>\n</footer>\n"_html;
}

}  // namespace

std::string release_html(const ReleasePlan& plan, const Release& release) {
  invariant(plan.statistics.size() == release.answers.size(), "every statistic has its answers");
  const Wording wording(plan.release);
  const Caveats caveats(plan);
  Html html = format_html(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<a class=\"skip\" href=\"#main\">Skip to the statistics</a>\n",
      title_of(plan.release), page_style());
  html += header(wording, plan, release);
  html += "<main id=\"main\">\n"_html;
  for (std::size_t i = 0; i < release.answers.size(); ++i) {
    html += page_internal::statistic_section(wording, caveats, plan.statistics[i],
                                             release.answers[i], i + 1);
  }
  html += page_internal::reading_section(wording, caveats, plan, release);
  html += page_internal::ledger_section(wording, plan, release);
  html += page_internal::audit_section(plan, release);
  html += "</main>\n"_html;
  html += footer(wording, plan, release);
  return (html + "</body>\n</html>\n"_html).str();
}

}  // namespace lastbit::report
