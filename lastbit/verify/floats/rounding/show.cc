#include "lastbit/verify/floats/rounding/show.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

namespace lastbit::verify {
namespace {

constexpr std::size_t kColumns = 100;

// The columns that a UTF-8 text takes: all our characters are one column wide.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// `text` broken at spaces so that no line is wider than kColumns; later lines are indented.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' ', 1), text.size());
    const std::string_view word = text.substr(0, end);
    if (column > indent && column + width(word) > kColumns) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
      result += word.substr(word.starts_with(' ') ? 1 : 0);
    } else {
      result += word;
    }
    column += width(word);
    text.remove_prefix(end);
  }
  return result + "\n";
}

// NumberedStep: a step and the numbers of those it follows from.
struct NumberedStep {
  const RoundingStep* step;
  std::vector<std::size_t> from;
};

// Premises before conclusions; the number of a step is its place in the list, counted from 1. A
// judgement that is already in the list is not derived again.
std::size_t number(const RoundingStep& step, std::vector<NumberedStep>& list) {
  std::vector<std::size_t> from;
  for (const RoundingStep& premise : step.premises) from.push_back(number(premise, list));
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].step->real == step.real) return i + 1;
  }
  list.push_back({&step, std::move(from)});
  return list.size();
}

std::vector<NumberedStep> numbered(const RoundingDerivation& derivation) {
  std::vector<NumberedStep> list;
  number(derivation.root, list);
  return list;
}

std::string reason(const NumberedStep& numbered) {
  std::string text(rule_name(numbered.step->rule));
  for (std::size_t i = 0; i < numbered.from.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? " " : ", ", numbered.from[i]);
  }
  return text;
}

// The text, then the reason at the right margin.
std::string with_reason(const std::string& line, const std::string& reason) {
  return fmt::format("{}{}{}\n", line, std::string(kColumns - width(line) - width(reason), ' '),
                     reason);
}

std::string step_text(std::size_t index, const NumberedStep& numbered) {
  const RoundingStep& step = *numbered.step;
  const std::string judgement =
      fmt::format("{:>3}  {} ⇓ {}", index, real_text(step.real), float_text(step.real));
  const std::string low = real_text(step.bounds.low);
  const std::string high = real_text(step.bounds.high);
  const std::string why = reason(numbered);
  const std::string line = fmt::format("{}, ({}, {})", judgement, low, high);
  if (width(line) + width(why) + 2 <= kColumns) return with_reason(line, why);
  const std::string head = width(judgement) + width(why) + 2 <= kColumns
                               ? with_reason(judgement, why)
                               : wrapped(judgement + " by " + why, 8);
  return head + wrapped("       low   " + low, 13) + wrapped("       high  " + high, 13);
}

constexpr std::string_view kPreamble = R"tex(\documentclass[10pt]{article}
\usepackage{amsmath,amssymb}
\usepackage[a4paper,margin=15mm]{geometry}
\setlength{\parindent}{0pt}
\newcommand{\rulename}[1]{\textsc{\lowercase{#1}}}
% \infer{number}{rule}{premises}{conclusion}
\newcommand{\infer}[4]{{\footnotesize\[\text{(#1)}\quad\frac{#3}{#4}\;\rulename{#2}\]}}
\begin{document}
)tex";

std::string latex_number(const ExtentEnd& end) {
  if (end.infinite != 0) return end.infinite > 0 ? "\\infty" : "-\\infty";
  return latex_real(Formula::number(end.value));
}

std::string latex_ranges(const RoundingDerivation& derivation) {
  std::string result;
  for (const auto& [name, range] : derivation.ranges) {
    const Formula variable = name == "U" ? Formula::uniform() : Formula::exact(name);
    result +=
        fmt::format("${} \\in {}{}, {}{}$, ", latex_real(variable), range.low.open ? "(" : "[",
                    latex_number(range.low), latex_number(range.high), range.high.open ? ")" : "]");
  }
  return result + fmt::format("$\\eta = 2^{{-{}}}$.\n", derivation.format.precision());
}

// On one line if that fits the page, otherwise on three.
std::string latex_conclusion(const RoundingStep& step) {
  constexpr std::size_t kShort = 20;
  const std::string judgement =
      fmt::format("{} \\Downarrow {}", latex_real(step.real), latex_float(step.real));
  const std::string low = latex_real(step.bounds.low);
  const std::string high = latex_real(step.bounds.high);
  if (step.real.size() + step.bounds.low.size() + step.bounds.high.size() <= kShort) {
    return fmt::format("{},\\ \\left({},\\ {}\\right)", judgement, low, high);
  }
  return fmt::format(
      "\\begin{{gathered}}{}\\\\\n  \\left({},\\right.\\\\\n  \\left.{}\\right)\\end{{gathered}}",
      judgement, low, high);
}

bool is_rising(const UniformThreshold& threshold) {
  return threshold.side == FloatComparison::kAtLeast;
}

}  // namespace

std::string as_text(const RoundingDerivation& derivation) {
  std::string result;
  const std::vector<NumberedStep> list = numbered(derivation);
  for (std::size_t i = 0; i < list.size(); ++i) result += step_text(i + 1, list[i]);
  return result;
}

std::string as_text(const UniformThreshold& threshold) {
  return fmt::format("U {} T\n", is_rising(threshold) ? "≥" : "<") +
         wrapped("  T ≥ " + real_text(threshold.low), 6) +
         wrapped("  T ≤ " + real_text(threshold.high), 6);
}

std::string as_latex(const RoundingDerivation& derivation) {
  std::string result = std::string(kPreamble) + latex_ranges(derivation);
  const std::vector<NumberedStep> list = numbered(derivation);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const RoundingStep& step = *list[i].step;
    std::string premises;
    for (const std::size_t from : list[i].from)
      premises += fmt::format("\\text{{({})}}\\quad ", from);
    result += fmt::format("\\infer{{{}}}{{{}}}{{{}}}{{{}}}\n", i + 1, rule_name(step.rule),
                          premises, latex_conclusion(step));
  }
  return result + "\\end{document}\n";
}

std::string latex_threshold(const UniformThreshold& threshold) {
  return fmt::format(
      "\\[\\begin{{gathered}}U {} T,\\quad {} \\le T\\\\ T \\le {}\\end{{gathered}}\\]\n",
      is_rising(threshold) ? "\\ge" : "<", latex_real(threshold.low), latex_real(threshold.high));
}

}  // namespace lastbit::verify
