#include "lastbit/verify/report/html.h"

#include <algorithm>
#include <map>
#include <utility>

#include "lastbit/base/html.h"
#include "lastbit/base/text.h"
#include "lastbit/verify/report/html_style.h"
#include "lastbit/verify/report/segments.h"

namespace lastbit::verify {
namespace {

Html rich_html(std::string_view text) {
  Html result;
  for (const Segment& segment : segments(text)) {
    result +=
        segment.is_code ? format_html("<code>{}</code>", segment.text) : Html::text(segment.text);
  }
  return result;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// A judgement as the literature writes it.
Html judgement(std::string_view text) {
  std::string plain(text);
  const std::pair<const char*, const char*> signs[] = {{"|-", "⊢"}, {"=>", "⇒"}, {"<=", "≤"},
                                                       {">=", "≥"}, {"<-", "←"}, {" ~ ", " ∼ "}};
  for (const auto& [from, to] : signs) plain = replaced(std::move(plain), from, to);
  constexpr std::string_view kTurn = ", ⊢";
  Html result;
  std::string_view rest = plain;
  for (std::size_t at = rest.find(kTurn); at != std::string_view::npos; at = rest.find(kTurn)) {
    result += Html::text(rest.substr(0, at)) + "<br>⊢"_html;
    rest.remove_prefix(at + kTurn.size());
  }
  return result + Html::text(rest);
}

// The rules that apply at each line, with the place of the first step that applies them.
using Marks = std::map<int, std::vector<std::pair<Rule, std::string>>>;

void collect_marks(const ShownStep& step, Marks& marks) {
  auto& here = marks[step.line];
  const auto same = [&](const auto& mark) { return mark.first == step.rule; };
  const bool counts = step.line > 0 && step.rule != Rule::kAbsurd;
  if (counts && std::ranges::none_of(here, same)) here.emplace_back(step.rule, step.place);
  for (const ShownStep& next : step.then) collect_marks(next, marks);
}

class Page {
 public:
  std::string run(const Derived& derived) {
    const std::string theorem = theorem_text(derived.program.program);
    html_ = format_html(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{2}</h1>\n"
        "<p class=\"theorem\">{0}.</p>\n"
        "<p class=\"meta\"><span class=\"done\">✓ accepted by the kernel</span>: {3} steps, {4} "
        "side conditions</p>\n",
        theorem, kHtmlStyle, derived.program.program.name, derived.steps, derived.obligations);
    program(derived);
    for (const ShownProof& proof : derived.proofs) derivation(derived, proof);
    rules(derived);
    html_ += "</main>\n</body>\n</html>\n"_html;
    return std::move(html_).str();
  }

 private:
  void program(const Derived& derived) {
    Marks marks;
    for (const ShownProof& proof : derived.proofs) collect_marks(proof.first, marks);
    html_ += "<h2>Program</h2>\n<ol class=\"code\">\n"_html;
    int number = 0;
    for (const std::string& line : lines(derived.program.text)) {
      const auto found = marks.find(++number);
      const bool is_used = found != marks.end() && !found->second.empty();
      html_ += format_html("<li id=\"L{}\"{}><span>{}</span>", number,
                           is_used ? " class=\"used\""_html : ""_html, line);
      if (is_used) {
        html_ += "<div class=\"marks\">"_html;
        for (const auto& [rule, place] : found->second) {
          html_ += format_html("<a href=\"#s{}\">{}</a>", place, statement_of(rule).name);
        }
        html_ += "</div>"_html;
      }
      html_ += "</li>\n"_html;
    }
    html_ += "</ol>\n"_html;
  }

  void derivation(const Derived& derived, const ShownProof& proof) {
    if (!proof.swapped) {
      html_ +=
          "<h2>Derivation</h2>\n"
          "<p class=\"meta\">x.1 and x.2 are the values of x in two runs on adjacent inputs; a "
          "name without a number is the same in both. In reasons, a ≤ b stands for the number "
          "b − a.</p>\n"_html;
    }
    if (derived.proofs.size() > 1) {
      html_ += proof.swapped ? "<h3>Second direction: the runs are exchanged</h3>\n"_html
                             : "<h3>First direction</h3>\n"_html;
    }
    needs(proof.obligations);
    steps(proof.first, "0");
  }

  // steps: a step and those that follow it, one below the other, up to a case distinction.
  void steps(const ShownStep& first, std::string spent) {
    for (const ShownStep* step = &first; step != nullptr;) {
      news(*step);
      html_ += format_html(
          "<div class=\"step\" id=\"s{0}\"><div class=\"head\"><a class=\"rule\" "
          "href=\"#r{1}\">{1}</a>",
          step->place, statement_of(step->rule).name);
      if (step->line > 0 && step->rule != Rule::kAbsurd) {
        html_ += format_html("<a href=\"#L{0}\">line {0}</a><code>{1}</code>", step->line,
                             step->statement);
      }
      if (step->spent != std::exchange(spent, step->spent)) {
        html_ +=
            format_html("<span class=\"spent\">spent so far <code>{}</code></span>", step->spent);
      }
      html_ += format_html("</div>\n<p>{}</p>\n", rich_html(step->action));
      list(step->notes);
      if (step->rule != Rule::kAbsurd) needs(step->obligations);
      html_ += "</div>\n"_html;
      if (step->then.size() != 1) cases(*step);
      step = step->then.size() == 1 ? &step->then.front() : nullptr;
    }
  }

  void cases(const ShownStep& step) {
    for (const ShownStep& next : step.then) {
      const bool is_absurd = next.rule == Rule::kAbsurd;
      html_ += format_html("<details class=\"case{}\"{}><summary>{}{}</summary>\n",
                           is_absurd ? " absurd" : "", is_absurd ? "" : " open",
                           rich_html(next.arrival), is_absurd ? ": cannot happen" : "");
      steps(next, step.spent);
      html_ += "</details>\n"_html;
    }
  }

  void news(const ShownStep& step) {
    const auto line = [&](const char* title, const std::vector<std::string>& items) {
      if (items.empty()) return;
      html_ += format_html("<div class=\"news\"><b>{}</b> {}</div>\n", title,
                           rich_html(joined(items, ", ")));
    };
    line("assigned", step.assignments);
    line("known", step.facts);
    line("where", step.definitions);
  }

  void list(const std::vector<std::string>& items) {
    if (items.empty()) return;
    html_ += "<ul>\n"_html;
    for (const std::string& item : items) html_ += format_html("<li>{}</li>\n", rich_html(item));
    html_ += "</ul>\n"_html;
  }

  void needs(const std::vector<ShownObligation>& obligations) {
    if (obligations.empty()) return;
    html_ += format_html("<details class=\"needs\"><summary>{} side condition{}</summary>\n<ul>\n",
                         obligations.size(), obligations.size() == 1 ? "" : "s");
    for (const ShownObligation& one : obligations) {
      if (one.parts.empty()) continue;
      html_ +=
          format_html("<li>{} <span class=\"why\">{}</span><div class=\"reason\">= {}</div></li>\n",
                      rich_html(one.goal), one.why, rich_html(sum_text(one.parts)));
    }
    const auto known = known_goals(obligations);
    if (!known.empty()) {
      html_ += format_html("<li><span class=\"why\">known:</span> {}</li>\n",
                           rich_html(joined(known, ", ")));
    }
    html_ += "</ul></details>\n"_html;
  }

  void rules(const Derived& derived) {
    html_ += "<h2>Rules used</h2>\n<div class=\"rules\">\n"_html;
    for (const Rule rule : derived.rules) {
      const RuleStatement& statement = statement_of(rule);
      html_ += format_html(
          "<figure id=\"r{0}\"><figcaption class=\"rule\">{0}</figcaption>\n"
          "<div class=\"premises\">{1}</div><div class=\"conclusion\">{2}</div>\n",
          statement.name, judgement(statement.premises), judgement(statement.conclusion));
      if (!statement.side.empty()) {
        html_ += format_html("<div class=\"side\">where {}</div>\n", judgement(statement.side));
      }
      html_ += format_html("<div class=\"side\">soundness: {}</div></figure>\n", statement.proof);
    }
    html_ += "</div>\n"_html;
  }

  Html html_;
};

}  // namespace

std::string as_html(const Derived& derived) { return Page().run(derived); }

}  // namespace lastbit::verify
