// One statistic on the page of a release.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "lastbit/base/escape.h"
#include "lastbit/report/numbers/answer_numbers.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/figure.h"
#include "lastbit/report/release/page_parts.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report::page_internal {
namespace {

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

Html title_html(const Wording& wording, const Statistic& statistic) {
  const std::string heading = wording.heading(statistic);
  return statistic.wording.title.empty() ? bidi(heading) : own_words(wording, heading);
}

// single_answer: the number in large letters, and its interval in words.
Html single_answer(const Wording& wording, const PlannedStatistic& planned,
                   const AnswerLine& line) {
  const Numerals& numerals = wording.numerals();
  const NumberStyle style = NumberStyle::for_lines({line});
  const std::string unit = wording.unit(planned.statistic);
  if (!line.value) return format_html("<p class=\"answer\">{}</p>\n", missing_words(line));
  const std::string error = numerals.text(interval_words(line, style));
  const Html in_unit = unit.empty() ? Html() : own_words(wording, unit) + " "_html;
  Html html = format_html("<p class=\"answer\">{} <small>{}{}</small></p>\n",
                          numerals.text(style.text(*line.value)), in_unit, error);
  if (line.interval) {
    html += format_html("<p>The true value lies between {} and {}, with {} confidence.</p>\n",
                        numerals.text(style.text(line.interval->lower, Rounding::kDown)),
                        numerals.text(style.text(line.interval->upper, Rounding::kUp)),
                        numerals.text(unbroken(percent_text(planned.statistic.confidence.value))));
  }
  if (const std::string quality = quality_words(line); !quality.empty()) {
    html += format_html("<p class=\"flag\">Quality: {}.</p>\n", quality);
  }
  if (line.bounds) {
    html += format_html("<p class=\"note\">values below {} and above {} count as these</p>\n",
                        line.bounds->lower.to_string(), line.bounds->upper.to_string());
  }
  const std::string rank = rank_words(planned);
  return rank.empty()
             ? html
             : html + format_html("<p class=\"note\">{}</p>\n", numerals.text(unbroken(rank)));
}

Html figure_html(const Figure& figure) {
  const Html caption = figure.caption.empty()
                           ? Html()
                           : format_html("<figcaption>{}</figcaption>\n", unbroken(figure.caption));
  return format_html("<figure>\n{}{}</figure>\n", figure.html, caption);
}

Html answers_html(const Wording& wording, const PlannedStatistic& planned,
                  const std::vector<AnswerLine>& as_released) {
  const Statistic& statistic = planned.statistic;
  if (as_released.empty()) return "<p>No key was frequent enough to be shown.</p>\n"_html;
  if (is_single(as_released)) return single_answer(wording, planned, as_released.front());
  const auto lines = in_reading_order(wording, statistic, as_released);
  Figure figure = figure_of(wording, statistic, lines);
  if (const std::string rank = rank_words(planned); !rank.empty()) {
    figure.caption += (figure.caption.empty() ? "" : " ") + wording.numerals().text(rank);
  }
  const bool open = !figure.has_numbers && lines.size() <= kFewRows;
  return figure_html(figure) + answers_table(wording, statistic, lines, open);
}

PageTable parts_table(const PlannedStatistic& planned, const std::string& heading) {
  PageTable table{"Parameters of " + heading,
                  "",
                  {{"noisy numbers", false, true},
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
  return table;
}

std::string bias_words(const PlannedStatistic& planned) {
  if (!planned.bias.always) return "";
  if (planned.bias.always->sign() == 0) return "Averaged over the noise, the answers are right.";
  return fmt::format("Averaged over the noise, the answers are off by at most {}.",
                     error_text(*planned.bias.always));
}

// method_html: how it was protected, in a line that opens to the details.
Html method_html(const Wording& wording, const PlannedStatistic& planned) {
  const std::string mechanism = mechanism_words(planned);
  Html html =
      format_html("<details class=\"method\"><summary>Method: {}, {}</summary>\n",
                  mechanism.empty() ? std::string("computed from published numbers") : mechanism,
                  mechanism.empty() ? std::string("at no cost")
                                    : wording.numerals().text(cost_words(planned.cost)));
  if (!planned.steps.empty()) {
    html += "<ol class=\"steps\">\n"_html;
    for (const std::string& step : planned.steps) html += format_html("<li>{}</li>\n", step);
    html += "</ol>\n"_html;
  }
  if (const std::string bias = bias_words(planned); !bias.empty()) {
    html += format_html("<p>{}</p>\n", bias);
  }
  if (!planned.parts.empty()) {
    html += table_html(parts_table(planned, wording.heading(planned.statistic)));
  }
  return html + "</details>\n"_html;
}

// name_of_caveat: what it is about, if it says so before a colon: "bounds".
std::string name_of_caveat(const std::string& caveat) {
  constexpr std::size_t kLongest = 20;
  const std::size_t colon = caveat.find(':');
  if (colon == 0 || colon > kLongest) return "";
  return caveat.substr(0, colon);
}

}  // namespace

Caveats::Caveats(const ReleasePlan& plan) {
  for (const PlannedStatistic& planned : plan.statistics) {
    for (const std::string& caveat : planned.caveats) {
      if (std::ranges::find(all_, caveat) == all_.end()) all_.push_back(caveat);
    }
  }
}

std::size_t Caveats::place_of(const std::string& caveat) const {
  return static_cast<std::size_t>(std::ranges::find(all_, caveat) - all_.begin()) + 1;
}

Html Caveats::list() const {
  Html html;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const std::string name = name_of_caveat(all_[i]);
    html += format_html("<li id=\"note-{}\">{}{}</li>\n", i + 1,
                        name.empty() ? Html() : format_html("<strong>{}</strong>", name),
                        std::string_view(all_[i]).substr(name.size()));
  }
  return html.empty() ? html : format_html("<ol class=\"caveats\">\n{}</ol>\n", html);
}

Html Caveats::references(const PlannedStatistic& planned) const {
  if (planned.caveats.empty()) return {};
  Html links;
  for (std::size_t i = 0; i < planned.caveats.size(); ++i) {
    const std::size_t place = place_of(planned.caveats[i]);
    std::string name = name_of_caveat(planned.caveats[i]);
    if (!name.empty() && name[0] >= 'A' && name[0] <= 'Z') {
      name[0] = static_cast<char>(name[0] - 'A' + 'a');
    }
    if (i > 0) links += i + 1 == planned.caveats.size() ? " and "_html : ", "_html;
    links += format_html(
        "<a href=\"#note-{}\">{}</a>", place,
        name.empty() ? fmt::format("note {}", place) : fmt::format("{} (note {})", name, place));
  }
  return format_html("<p class=\"note\">Read with: {}.</p>\n", links);
}

Html condition_html(const std::optional<WrittenExpression>& where) {
  if (!where) return {};
  return format_html("<p class=\"kind\">Only rows where <code>{}</code> count.</p>\n",
                     shown_text(where->text.value));
}

Html statistic_section(const Wording& wording, const Caveats& caveats,
                       const PlannedStatistic& planned, const StatisticAnswers& answers,
                       std::size_t number) {
  const Statistic& statistic = planned.statistic;
  Html html = format_html(
      "<section id=\"s{0}\" aria-labelledby=\"h{0}\">\n<h2 id=\"h{0}\">{1}</h2>\n"
      "<p class=\"kind\">{2} <code>{3}</code></p>\n",
      number, title_html(wording, statistic),
      wording.describes(statistic) ? "in the files:"_html : bidi(wording.description(statistic)),
      breakable(statistic.name.value));
  html += condition_html(statistic.where);
  html += answers_html(wording, planned, answers.lines);
  html += paragraphs(wording, statistic.wording.notes);
  for (const std::string& note : planned.notes) {
    html += format_html("<p class=\"note\">{}</p>\n", bidi(note));
  }
  for (const std::string& note : answers.notes) {
    html += format_html("<p class=\"note\">{}</p>\n", bidi(note));
  }
  return html + caveats.references(planned) + method_html(wording, planned) + "</section>\n"_html;
}

}  // namespace lastbit::report::page_internal
