#include "lastbit/verify/report/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "lastbit/base/text.h"

namespace lastbit::verify {
namespace {

constexpr std::size_t kLeastWidth = 40;
constexpr std::size_t kRuleWidth = 15;

// Characters of UTF-8 text; everything here is one cell wide.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string plain(std::string text) {
  std::erase(text, '`');
  return text;
}

class Writer {
 public:
  explicit Writer(std::size_t width) : width_(std::max(width, kLeastWidth)) {}

  // paragraph: words after `margin`; the lines after the first are indented by `hang` more.
  void paragraph(const std::string& margin, const std::string& words, std::size_t hang) {
    std::string line = margin;
    std::size_t used = length(margin);
    bool at_start = true;
    std::size_t begin = std::min(words.find_first_not_of(' '), words.size());
    line.append(begin, ' ');
    used += begin;
    while (begin < words.size()) {
      const std::size_t end = std::min(words.find(' ', begin), words.size());
      const std::string word = words.substr(begin, end - begin);
      if (!at_start && used + 1 + length(word) > width_) {
        text_ += line + "\n";
        line = margin + std::string(hang, ' ');
        used = length(line);
        at_start = true;
      }
      if (!at_start) line += " ";
      used += length(word) + (at_start ? 0 : 1);
      line += word;
      at_start = false;
      begin = std::min(words.find_first_not_of(' ', end), words.size());
    }
    // Spaces after the last mark of a tree would be invisible and in the way.
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += line + "\n";
  }

  void line(const std::string& text) { text_ += text + "\n"; }

  // step: the step and everything below it; `spent` is the cost that was shown last.
  void step(const ShownStep& step, const std::string& margin, const std::string& spent) {
    const std::string inside = margin + "  ";
    const auto& statement = statement_of(step.rule);
    news(step, margin);
    std::string head = fmt::format("{:<{}}", statement.name, kRuleWidth);
    if (step.line > 0 && step.rule != Rule::kAbsurd) {
      head += fmt::format(" line {:<3} {}", step.line, step.statement);
    }
    head.erase(head.find_last_not_of(' ') + 1);
    if (step.spent != spent) head += fmt::format("   [spent {}]", step.spent);
    text_ += margin + head + "\n";
    paragraph(inside, plain(step.action), 2);
    for (const std::string& note : step.notes) paragraph(inside + "  ", plain(note), 2);
    if (step.rule != Rule::kAbsurd) obligations(step.obligations, inside);
    if (step.then.size() == 1) {
      this->step(step.then.front(), margin, step.spent);
      return;
    }
    for (std::size_t i = 0; i < step.then.size(); ++i) {
      const bool last = i + 1 == step.then.size();
      paragraph(margin + (last ? "└─ " : "├─ "), plain(step.then[i].arrival), 3);
      this->step(step.then[i], margin + (last ? "   " : "│  "), step.spent);
    }
  }

  void obligations(const std::vector<ShownObligation>& all, const std::string& margin) {
    for (const ShownObligation& one : all) {
      if (one.parts.empty()) continue;
      paragraph(margin, fmt::format("needs {}: {}", plain(one.goal), one.why), 4);
      paragraph(margin + "  ", "= " + plain(sum_text(one.parts)), 2);
    }
    const auto known = known_goals(all);
    if (!known.empty()) paragraph(margin, "needs what is known: " + plain(joined(known, ", ")), 4);
  }

  std::string take() { return std::move(text_); }

 private:
  // news: what assignments, conditions and abbreviations have added since the step above.
  void news(const ShownStep& step, const std::string& margin) {
    const auto list = [&](const char* title, const std::vector<std::string>& items) {
      if (!items.empty()) paragraph(margin, title + plain(joined(items, ", ")), 10);
    };
    list("    ASSIGN  ", step.assignments);
    list("    known   ", step.facts);
    list("    where   ", step.definitions);
  }

  std::size_t width_;
  std::string text_;
};

}  // namespace

std::string as_text(const Derived& derived, std::size_t width) {
  Writer writer(width);
  writer.paragraph("", "Theorem. " + theorem_text(derived.program.program) + ".", 2);
  writer.line("");
  std::size_t number = 0;
  std::size_t begin = 0;
  const std::string& source = derived.program.text;
  while (begin < source.size()) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    writer.line(fmt::format("{:>4}  {}", ++number, source.substr(begin, end - begin)));
    begin = end + 1;
  }
  for (const ShownProof& proof : derived.proofs) {
    writer.line("");
    writer.line(derived.proofs.size() == 1
                    ? "Proof. The adjacency is symmetric: one direction will do."
                : proof.swapped ? "Proof, second direction: the runs are exchanged."
                                : "Proof, first direction.");
    writer.line("");
    writer.obligations(proof.obligations, "");
    writer.step(proof.first, "", "0");
  }
  writer.line("");
  writer.line(fmt::format("{} steps, {} side conditions.", derived.steps, derived.obligations));
  return writer.take();
}

}  // namespace lastbit::verify
