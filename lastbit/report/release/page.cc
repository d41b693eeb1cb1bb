// The page of a release.
#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/escape.h"
#include "lastbit/base/html.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/figure.h"
#include "lastbit/report/release/page_style.h"
#include "lastbit/report/release/release_report.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report {
namespace {

constexpr std::size_t kRowsOnPage = 200;
constexpr std::size_t kFewRows = 12;

// breakable: the same, with line breaks allowed after _, which is common in default names.
Html breakable(std::string_view text) {
  Html html;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('_'), text.size() - 1) + 1;
    html += Html::text(text.substr(0, end));
    text.remove_prefix(end);
    if (!text.empty()) html += "<wbr/>"_html;
  }
  return format_html("<bdi>{}</bdi>", html);
}

// unbroken: keeps a % on the line of its number.
std::string unbroken(std::string text) {
  for (std::size_t at = text.find(" %"); at != std::string::npos; at = text.find(" %", at)) {
    text.replace(at, 1, "\u00a0");
  }
  return text;
}

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", grouped(count), word, count == 1 ? "" : "s");
}

std::string data_name(const ReleaseFile& release) {
  return release.source.name.empty() ? release.source.path.value : release.source.name;
}

// promise: what the loss means, in a sentence.
Html promise(const ReleasePlan& plan) {
  const Html unit = bidi(unit_words(plan.release.unit));
  if (plan.cost.kind() == LossKind::kConcentrated) {
    return format_html(
        "Whether {} is in the data or not changes the page by a loss of at most rho {} in "
        "zero-concentrated differential privacy.",
        unit, loss_text(plan.cost.rho(), Rounding::kUp));
  }
  constexpr double kLargest = 5;
  const double epsilon = plan.cost.epsilon().up();
  // For display only, with two decimals, rounded up; e^x is never such a number itself.
  const std::string factor =
      epsilon > kLargest ? ""
                         : fmt::format(" (below {:.2f})", std::ceil(std::exp(epsilon) * 100) / 100);
  const std::string chance =
      plan.cost.delta().sign() == 0
          ? ""
          : fmt::format(", plus a probability of {}", loss_text(plan.cost.delta(), Rounding::kUp));
  return format_html(
      "Whether {} is in the data or not makes anything that could be published here at most "
      "e<sup>{}</sup>{} times as likely{}.",
      unit, loss_text(plan.cost.epsilon(), Rounding::kUp), factor, chance);
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
Html cost_card(std::string_view title, const Cost& cost, Rounding rounding, std::string_view more) {
  if (cost.kind() != LossKind::kApproximate) {
    return card(title, cost_words(cost, rounding), std::string(more));
  }
  return card(title, "epsilon " + loss_text(cost.epsilon(), rounding),
              fmt::format("and delta {}, {}", loss_text(cost.delta(), rounding), more));
}

Html header(const ReleasePlan& plan, const Release& release) {
  std::size_t answers = 0;
  for (const StatisticAnswers& one : release.answers) answers += one.lines.size();
  const LedgerEntry& entry = release.entry;
  Html html = format_html(
      "<header>\n<p class=\"eyebrow\">Private statistics</p>\n<h1>{}</h1>\n"
      "<p class=\"lead\">This page publishes {} about {}, for everyone. "
      "{} {}</p>\n",
      bidi(title_of(plan.release)), plural(release.answers.size(), "statistic"),
      bidi(data_name(plan.release)), noise_words(plan.cost), promise(plan));
  html += "<dl class=\"cards\">\n"_html;
  html += card("Published", plural(release.answers.size(), "statistic"), plural(answers, "answer"));
  html += cost_card("Spent", entry.price, Rounding::kUp, "of the privacy budget");
  html += cost_card("Left", release.left, Rounding::kDown, "for later releases");
  html += card("Protected", bidi(unit_words(plan.release.unit)), unit_limits(plan.release.unit));
  html += card("Date", entry.time.substr(0, entry.time.find('T')),
               fmt::format("entry {} of the ledger", entry.id));
  html += "</dl>\n"_html;
  if (release.answers.size() < 2) return html + "</header>\n"_html;
  html += "<nav aria-label=\"Statistics\"><ol>\n"_html;
  for (std::size_t i = 0; i < release.answers.size(); ++i) {
    html += format_html("<li><a href=\"#s{}\">{}</a></li>\n", i + 1,
                        bidi(name_words(plan.statistics[i].statistic.name.value)));
  }
  return html + "</ol></nav>\n</header>\n"_html;
}

Html table_html(const AnswerTable& table) {
  Html html = "<div class=\"scroll\"><table>\n<thead><tr>"_html;
  for (const auto& [title, number] : table.columns) {
    html += format_html("<th scope=\"col\"{}>{}</th>", number ? " class=\"n\""_html : Html(),
                        bidi(title));
  }
  html += "</tr></thead>\n<tbody>\n"_html;
  for (const auto& row : table.rows) {
    html += "<tr>"_html;
    for (std::size_t i = 0; i < row.size(); ++i) {
      html += table.columns[i].number ? format_html("<td class=\"n\">{}</td>", row[i])
                                      : format_html("<td>{}</td>", bidi(row[i]));
    }
    html += "</tr>\n"_html;
  }
  return html + "</tbody></table></div>\n"_html;
}

Html answers_table(const Statistic& statistic, const std::vector<AnswerLine>& lines, bool open) {
  const std::size_t shown = std::min(lines.size(), kRowsOnPage);
  Html html = format_html(
      "<details{}><summary>{} as a table</summary>\n", open ? " open=\"open\""_html : Html(),
      shown < lines.size()
          ? fmt::format("The first {} of {} answers", grouped(shown), grouped(lines.size()))
          : plural(lines.size(), "answer"));
  html += table_html(answer_table(statistic, lines, kRowsOnPage));
  if (shown < lines.size()) html += "<p class=\"note\">All of them are in answers.csv.</p>\n"_html;
  return html + "</details>\n"_html;
}

// single_answer: the number in large letters, if there is one.
Html single_answer(const Statistic& statistic, const std::vector<AnswerLine>& lines) {
  if (lines.size() != 1) return {};
  const AnswerLine& line = lines.front();
  if (!line.value || !line.group.empty() || !line.cell.empty()) return {};
  const NumberStyle style = NumberStyle::for_lines(lines);
  Html html = format_html("<p class=\"answer\">{} <small>{}</small></p>\n", style.text(*line.value),
                          interval_words(line, style));
  if (line.bounds) {
    html += format_html("<p class=\"note\">values below {} and above {} count as these</p>\n",
                        line.bounds->lower.to_string(), line.bounds->upper.to_string());
  }
  if (!line.interval) return html;
  return html + format_html("<p class=\"note\">between {} and {}, with {} confidence</p>\n",
                            style.text(line.interval->lower, Rounding::kDown),
                            style.text(line.interval->upper, Rounding::kUp),
                            unbroken(percent_text(statistic.confidence.value)));
}

Html figure_html(const Figure& figure) {
  const Html caption = figure.caption.empty()
                           ? Html()
                           : format_html("<figcaption>{}</figcaption>\n", unbroken(figure.caption));
  return format_html("<figure>\n{}{}</figure>\n", figure.html, caption);
}

Html answers_html(const PlannedStatistic& planned, const std::vector<AnswerLine>& lines) {
  const Statistic& statistic = planned.statistic;
  if (lines.empty()) return "<p>No key was frequent enough to be shown.</p>\n"_html;
  Figure figure = figure_of(statistic, lines);
  if (const std::string rank = rank_words(planned); !rank.empty()) figure.caption += " " + rank;
  if (const Html single = single_answer(statistic, lines); !single.empty()) {
    return single + figure_html(figure);
  }
  const bool open = !figure.has_numbers && lines.size() <= kFewRows;
  return figure_html(figure) + answers_table(statistic, lines, open);
}

Html list_html(std::string_view tag, std::string_view css,
               const std::vector<std::string>& sentences) {
  Html html = format_html("<{} class=\"{}\">", tag, css);
  for (const std::string& sentence : sentences) html += format_html("<li>{}</li>\n", sentence);
  return html + format_html("</{}>\n", tag);
}

Html parts_html(const PlannedStatistic& planned) {
  AnswerTable table{{{"noisy numbers"},
                     {"mechanism"},
                     {"noise"},
                     {"grid"},
                     {"one unit moves them by"},
                     {"loss"},
                     {"error", true}},
                    {}};
  for (const PlannedPart& part : planned.parts) {
    std::string noise = part.noise;
    if (part.threshold) noise += fmt::format(", threshold {}", *part.threshold);
    table.rows.push_back({part.name, std::string(name_of(part.mechanism)), noise,
                          part.grid ? grid_text(*part.grid) : "—", part.sensitivity,
                          cost_words(part.cost),
                          fmt::format("± {}, {}", error_text(part.accuracy),
                                      percent_text(Rational(1) - part.alpha))});
  }
  return format_html("<details><summary>Parameters of the mechanism</summary>\n{}</details>\n",
                     table_html(table));
}

std::string bias_words(const PlannedStatistic& planned) {
  if (!planned.bias.always) return {};
  if (planned.bias.always->sign() == 0) return " Averaged over the noise, the answers are right.";
  return fmt::format(" Averaged over the noise, the answers are off by at most {}.",
                     error_text(*planned.bias.always));
}

Html section(const PlannedStatistic& planned, const StatisticAnswers& answers, std::size_t number) {
  const Statistic& statistic = planned.statistic;
  Html html =
      format_html("<section id=\"s{}\">\n<h2>{}</h2>\n<p class=\"kind\">{} <code>{}</code></p>\n",
                  number, bidi(name_words(statistic.name.value)), bidi(kind_words(statistic)),
                  breakable(statistic.name.value));
  html += answers_html(planned, answers.lines);
  html += format_html("<h3>How it was protected</h3>\n<p>By {}, for {}.{}</p>\n",
                      mechanism_words(planned), cost_words(planned.cost), bias_words(planned));
  if (!planned.steps.empty()) html += list_html("ol", "steps", planned.steps);
  if (!planned.caveats.empty()) html += list_html("ul", "caveats", planned.caveats);
  if (!planned.parts.empty()) html += parts_html(planned);
  return html + "</section>\n"_html;
}

template <HtmlPart Value>
Html fact(std::string_view name, const Value& value) {
  return format_html("<dt>{}</dt><dd>{}</dd>\n", name, value);
}

Html ledger_section(const ReleasePlan& plan, const Release& release) {
  const LedgerEntry& entry = release.entry;
  Html html =
      "<section id=\"ledger\">\n<h2>Position in the ledger</h2>\n"
      "<p>The ledger adds up what all releases about the same people lose. This one was booked "
      "before its noise was drawn.</p>\n<dl class=\"facts\">\n"_html;
  html += fact("Ledger", bidi(plan.ledger));
  html += fact("Entry", std::to_string(entry.id));
  html += fact("Booked", entry.time);
  html += fact("Spent here", cost_words(entry.price));
  html += fact("Spent in all", cost_words(entry.total));
  html += fact("Left", cost_words(release.left, Rounding::kDown));
  html += fact("Hash", format_html("<code>{}</code>", entry.hash));
  if (!release.completed) {
    html += fact("Note", "The end of the release could not be noted there. It counts anyway.");
  }
  return html + "</dl>\n</section>\n"_html;
}

Html canonical_html(const ReleaseFile& release) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 18;
  const std::string text = canonical_text(release);
  Html html = "<details><summary>The release file in canonical form</summary>\n<pre>"_html;
  std::string_view rest = std::string_view(text).substr(0, kMostBytes);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    html += format_html("{}\n", line);
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  html += "</pre>\n"_html;
  if (text.size() > kMostBytes) {
    html += format_html("<p class=\"note\">It is cut after {} of {} bytes.</p>\n",
                        grouped(kMostBytes), grouped(text.size()));
  }
  return html + "</details>\n"_html;
}

Html auditor_section(const ReleasePlan& plan, const Release& release) {
  const std::string file =
      shell_text(std::filesystem::path(plan.release.filename).filename().string());
  const std::string ledger = shell_text(plan.ledger);
  Html html =
      "<section id=\"audit\">\n<h2>For the auditor</h2>\n"
      "<p>The noise was random and is not kept, so the numbers cannot be drawn again. What can be "
      "checked is everything else: that the release file means what it says here, what it costs, "
      "and that the ledger holds it.</p>\n<dl class=\"facts\">\n"_html;
  html += fact("SHA-256 of the plan", format_html("<code>{}</code>", plan.digest));
  html += fact("Mechanisms", plan.mechanisms);
  html += fact("Cost", plan.cost.to_string());
  html += fact("Budget of the file", plan.release.budget.cap.value.to_string());
  html += "</dl>\n<p>The digest, the mechanisms and the prices again, without spending:</p>\n"_html;
  html += format_html("<pre>lastbit plan {} --json</pre>\n", file);
  html += "<p>That the ledger is whole and this entry is in it:</p>\n"_html;
  html += format_html("<pre>lastbit ledger verify {} --head {}\nlastbit ledger show {}</pre>\n",
                      ledger, release.entry.hash, ledger);
  return html + canonical_html(plan.release) + "</section>\n"_html;
}

}  // namespace

std::string release_html(const ReleasePlan& plan, const Release& release) {
  invariant(plan.statistics.size() == release.answers.size(), "every statistic has its answers");
  Html html = format_html(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n",
      title_of(plan.release), page_style());
  html += header(plan, release);
  for (std::size_t i = 0; i < release.answers.size(); ++i) {
    html += section(plan.statistics[i], release.answers[i], i + 1);
  }
  html += ledger_section(plan, release) + auditor_section(plan, release);
  return (html + "</main>\n</body>\n</html>\n"_html).str();
}

}  // namespace lastbit::report
