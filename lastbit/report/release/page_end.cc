// What stands at the end of the page of a release: how to read it, where it is booked, how to check
// it, and its data.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lastbit/base/escape.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/release/plan_ledger.h"
#include "lastbit/report/document.h"
#include "lastbit/report/numbers/answer_numbers.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/budget_words.h"
#include "lastbit/report/release/figure.h"
#include "lastbit/report/release/page_parts.h"
#include "lastbit/report/release/release_report.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report::page_internal {
namespace {

// promise: what the loss means, in a sentence.
Html promise(const Wording& wording, const Cost& cost) {
  const Numerals& numerals = wording.numerals();
  const Html unit = bidi(wording.one_unit());
  if (cost.kind() == LossKind::kConcentrated) {
    const std::string except = cost.delta().sign() == 0
                                   ? ""
                                   : fmt::format(", except for events of probability {}",
                                                 loss_text(cost.delta(), Rounding::kUp));
    return format_html(
        "Whether {} is in the data or not changes the page by a loss of at most rho {} in "
        "zero-concentrated differential privacy{}.",
        unit, numerals.text(loss_text(cost.rho(), Rounding::kUp)), numerals.text(except));
  }
  constexpr double kLargest = 5;
  const double epsilon = cost.epsilon().up();
  // For display only, with two decimals, rounded up; e^x is never such a number itself.
  const std::string factor =
      epsilon > kLargest ? ""
                         : fmt::format(" (below {:.2f})", std::ceil(std::exp(epsilon) * 100) / 100);
  const std::string chance =
      cost.delta().sign() == 0
          ? ""
          : fmt::format(", plus a probability of {}", loss_text(cost.delta(), Rounding::kUp));
  return format_html(
      "Whether {} is in the data or not makes anything that could be published here at most "
      "e<sup>{}</sup>{} times as likely{}.",
      unit, numerals.text(loss_text(cost.epsilon(), Rounding::kUp)), numerals.text(factor),
      numerals.text(chance));
}

std::string interval_sentence(const Wording& wording, const ReleasePlan& plan) {
  const auto confidence = same_confidence(plan);
  return fmt::format(
      "The noise makes every answer uncertain. An interval, from … to …, contains the true value "
      "with {}; ± is the distance to its farther end. Among many intervals, some do not.",
      confidence ? wording.numerals().text(percent_text(*confidence)) + " confidence"
                 : std::string("the confidence stated beside it"));
}

bool any_flagged(const Release& release) {
  return std::ranges::any_of(release.answers, [](const StatisticAnswers& answers) {
    return std::ranges::any_of(answers.lines, [](const AnswerLine& line) {
      return !quality_words(line).empty() || line.suppressed;
    });
  });
}

Html canonical_html(const ReleaseFile& release) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 18;
  const std::string text = canonical_text(release);
  Html html =
      "<details class=\"canonical\"><summary>The release file in canonical form</summary>\n"
      "<pre>"_html;
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

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (unsigned k = 0; k < 4; ++k) {
      const bool padded = i + k > bytes.size();
      out += padded ? '=' : kDigits[group >> (18U - 6U * k) & 63U];
    }
  }
  return out;
}

// download: a link that holds a file. Browsers refuse links of more than about two million
// characters, so a larger file stays beside the page.
Html download(std::string_view name, HtmlLiteral type, std::string_view content) {
  constexpr std::size_t kMostBytes = 1'400'000;
  constexpr std::size_t kKilobyte = 1000;
  const std::string size =
      fmt::format("{} kB", grouped((content.size() + kKilobyte - 1) / kKilobyte));
  if (content.size() > kMostBytes) {
    return format_html("<li><a href=\"{0}\">{0}</a>, beside this page ({1})</li>\n", name, size);
  }
  return format_html("<li><a download=\"{0}\" href=\"data:{1};base64,{2}\">{0}</a> ({3})</li>\n",
                     name, type, base64(content), size);
}

}  // namespace

Html downloads(const ReleasePlan& plan, const Release& release) {
  return format_html(
      "<div class=\"downloads\"><p>Download the numbers:</p>\n<ul>\n{}{}</ul></div>\n",
      download("answers.csv", "text/csv;charset=utf-8"_html, answers_csv(plan, release)),
      download("release.json", "application/json"_html, dumped(release_json(plan, release))));
}

Html reading_section(const Wording& wording, const Caveats& caveats, const ReleasePlan& plan,
                     const Release& release) {
  Html html = format_html(
      "<section id=\"reading\" aria-labelledby=\"h-reading\">\n"
      "<h2 id=\"h-reading\">How to read these numbers</h2>\n<p>{}</p>\n"
      "<p>The true value is that of the rows that count, within their bounds. The count "
      "of a small group can come out far too large. No count is shown below 0, so small counts are "
      "too large on average. A table adds up to its totals; statistics about different rows or "
      "groups need not.</p>\n",
      unbroken(interval_sentence(wording, plan)));
  if (any_flagged(release)) {
    html +=
        "<p>Some answers are marked, and drawn hollow: <em>use with caution</em> if the interval "
        "reaches farther than a third of the answer’s own size, <em>unreliable</em> if it reaches "
        "farther than two thirds. A suppressed answer "
        "was too uncertain to be published.</p>\n"_html;
  }
  html += caveats.list();
  return html + format_html("<h3>What is protected</h3>\n<p>{}</p>\n</section>\n",
                            promise(wording, plan.cost));
}

// ledger_name: a ledger that was named on the command line has a path of this machine, which is
// nobody's business.
std::string ledger_name(const ReleasePlan& plan) {
  const std::filesystem::path path(published_ledger(plan));
  return path.is_absolute() ? path.filename().string() : path.string();
}

Html ledger_section(const Wording& wording, const ReleasePlan& plan, const Release& release) {
  const LedgerEntry& entry = release.entry;
  const auto cost = [&](const Cost& one, Rounding rounding) {
    return wording.numerals().text(cost_words(one, rounding));
  };
  Html html =
      "<section id=\"ledger\" aria-labelledby=\"h-ledger\">\n"
      "<h2 id=\"h-ledger\">Position in the ledger</h2>\n"
      "<p>The ledger adds up what all releases about the same people lose. This one was booked "
      "before its noise was drawn.</p>\n<dl class=\"facts\">\n"_html;
  html += fact("Ledger", bidi(ledger_name(plan)));
  html += fact("Entry", std::to_string(entry.id));
  html += fact("Booked", entry.time);
  html += fact("Spent here", cost(entry.price, Rounding::kUp));
  html += fact("Spent in all", cost(entry.total, Rounding::kUp));
  html += fact("Left", cost(release.left, Rounding::kDown));
  html += fact("Hash", format_html("<code>{}</code>", entry.hash));
  if (!release.completed) {
    html += fact("Note", "The end of the release could not be noted there. It counts anyway.");
  }
  return html + "</dl>\n</section>\n"_html;
}

Html audit_section(const ReleasePlan& plan, const Release& release) {
  const std::string file =
      shell_text(std::filesystem::path(plan.release.filename).filename().string());
  const std::string ledger = shell_text(ledger_name(plan));
  Html html =
      "<section id=\"audit\" aria-labelledby=\"h-audit\">\n<h2 id=\"h-audit\">For the "
      "auditor</h2>\n"
      "<p>The noise was random and is not kept, so the numbers cannot be drawn again. What can be "
      "checked is everything else: that the release file means what it says here, what it costs, "
      "and that the ledger holds it.</p>\n<dl class=\"facts\">\n"_html;
  html += fact("SHA-256 of the plan", format_html("<code>{}</code>", plan.digest));
  html += fact("Mechanisms", plan.mechanisms);
  html += fact("Cost", plan.cost.to_string());
  html += fact("Budget of the file", plan.release.budget.cap.value.to_string());
  if (const std::string words = sharing_words(plan); !words.empty()) html += fact("Shares", words);
  if (const std::string words = accounting_words(plan); !words.empty()) {
    html += fact("Accounting", words);
  }
  if (plan.converted) {
    html += fact("Cost as an epsilon and a delta", plan.converted->cost.to_string());
  }
  if (const std::string words = conversion_words(plan); !words.empty()) {
    html += fact("Conversion", words);
  }
  html += "</dl>\n<p>The digest, the mechanisms and the prices again, without spending:</p>\n"_html;
  html += format_html("<pre>lastbit plan {} --again --json</pre>\n", file);
  html += "<p>That the ledger is whole and this entry is in it:</p>\n"_html;
  html += format_html("<pre>lastbit ledger verify {} --head {}\nlastbit ledger show {}</pre>\n",
                      ledger, release.entry.hash, ledger);
  return html + canonical_html(plan.release) + "</section>\n"_html;
}

}  // namespace lastbit::report::page_internal
