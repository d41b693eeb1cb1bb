#include "lastbit/verify/report/latex.h"

#include <fmt/core.h>

#include <algorithm>

#include "lastbit/base/text.h"
#include "lastbit/verify/report/latex_math.h"
#include "lastbit/verify/report/segments.h"

namespace lastbit::verify {
namespace {

constexpr std::string_view kPreamble = R"tex(\documentclass[10pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb}
\usepackage[a4paper,margin=22mm]{geometry}
\setlength{\parindent}{0pt}
\setlength{\parskip}{2pt}
\sloppy
% \at{depth}{text}: a paragraph, indented by its depth.
\newcommand{\at}[2]{{\leftskip=#1em\relax\hangindent=1em\hangafter=1\noindent\strut #2\par}}
\newcommand{\rulename}[1]{\textsc{\lowercase{#1}}}
% \infer{name}{premises}{conclusion}{side conditions}
\newcommand{\infer}[4]{\par\medskip\noindent
  \begin{minipage}[b]{0.2\linewidth}\rulename{#1}\end{minipage}%
  \begin{minipage}[b]{0.8\linewidth}\centering \strut #2\par\vskip 2pt\hrule height 0.5pt\vskip 3pt
  \strut #3\par\ifx\relax#4\relax\else{\footnotesize where #4\par}\fi\end{minipage}\par}
)tex";

// Deeper than this the text would leave the page.
constexpr std::size_t kDeepest = 16;

std::string rich_latex(std::string_view text) {
  std::string result;
  for (const Segment& segment : segments(text)) {
    result += segment.is_code ? "$" + latex_math(segment.text) + "$" : latex_text(segment.text);
  }
  return result;
}

std::string typewriter(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == ' ' ? "~" : latex_text(std::string_view(&c, 1));
  return "\\texttt{" + result + "}";
}

class Document {
 public:
  std::string run(const Derived& derived) {
    tex_ = std::string(kPreamble) + "\\begin{document}\n";
    tex_ += fmt::format("{{\\Large\\bfseries {}}}\\par\\bigskip\n",
                        latex_text(derived.program.program.name));
    tex_ += fmt::format("\\textbf{{Theorem.}} {}.\\par\n",
                        latex_text(theorem_text(derived.program.program)));
    tex_ += fmt::format("{} steps, {} side conditions, accepted by the kernel.\\par\\bigskip\n",
                        derived.steps, derived.obligations);
    int number = 0;
    for (const std::string& line : lines(derived.program.text)) {
      tex_ += fmt::format("\\at{{0}}{{\\makebox[2em][r]{{\\footnotesize {}}}\\quad {}}}\n",
                          ++number, typewriter(line));
    }
    for (const ShownProof& proof : derived.proofs) derivation(derived, proof);
    tex_ += "\\section*{Rules used}\n";
    for (const Rule rule : derived.rules) {
      const RuleStatement& statement = statement_of(rule);
      tex_ += fmt::format("\\infer{{{}}}{{{}}}{{{}}}{{{}}}\n", latex_text(statement.name),
                          latex_judgement(statement.premises),
                          latex_judgement(statement.conclusion), latex_judgement(statement.side));
    }
    return std::move(tex_) + "\\end{document}\n";
  }

 private:
  void derivation(const Derived& derived, const ShownProof& proof) {
    tex_ += derived.proofs.size() == 1 ? "\\section*{Derivation}\n"
            : proof.swapped            ? "\\section*{Derivation, the runs exchanged}\n"
                                       : "\\section*{Derivation, first direction}\n";
    needs(proof.obligations, 0);
    steps(proof.first, 0, "0");
  }

  void paragraph(std::size_t depth, const std::string& text) {
    tex_ += fmt::format("\\at{{{}}}{{{}}}\n", std::min(depth, kDeepest), text);
  }

  void steps(const ShownStep& first, std::size_t depth, std::string spent) {
    for (const ShownStep* step = &first; step != nullptr;) {
      news(*step, depth + 1);
      std::string head = fmt::format("\\rulename{{{}}}", statement_of(step->rule).name);
      if (step->line > 0 && step->rule != Rule::kAbsurd) {
        head += fmt::format("\\quad line {}\\quad {}", step->line, typewriter(step->statement));
      }
      if (step->spent != spent) {
        head += fmt::format("\\quad [spent ${}$]", latex_math(step->spent));
      }
      spent = step->spent;
      paragraph(depth, head);
      paragraph(depth + 1, rich_latex(step->action));
      for (const std::string& note : step->notes) paragraph(depth + 2, rich_latex(note));
      if (step->rule != Rule::kAbsurd) needs(step->obligations, depth + 1);
      if (step->then.size() != 1) cases(*step, depth);
      step = step->then.size() == 1 ? &step->then.front() : nullptr;
    }
  }

  void cases(const ShownStep& step, std::size_t depth) {
    for (const ShownStep& next : step.then) {
      paragraph(depth + 1, fmt::format("$\\triangleright$ \\emph{{{}}}", rich_latex(next.arrival)));
      steps(next, depth + 2, step.spent);
    }
  }

  void news(const ShownStep& step, std::size_t depth) {
    const auto line = [&](const char* title, const std::vector<std::string>& items) {
      if (items.empty()) return;
      paragraph(depth,
                fmt::format("\\footnotesize {}: {}", title, rich_latex(joined(items, ", "))));
    };
    line("assigned", step.assignments);
    line("known", step.facts);
    line("where", step.definitions);
  }

  void needs(const std::vector<ShownObligation>& obligations, std::size_t depth) {
    for (const ShownObligation& one : obligations) {
      if (one.parts.empty()) continue;
      paragraph(depth, fmt::format("\\footnotesize needs {}: {}", rich_latex(one.goal),
                                   latex_text(one.why)));
      paragraph(depth + 1, fmt::format("\\footnotesize $=$ {}", rich_latex(sum_text(one.parts))));
    }
    const auto known = known_goals(obligations);
    if (known.empty()) return;
    paragraph(depth, "\\footnotesize needs what is known: " + rich_latex(joined(known, ", ")));
  }

  std::string tex_;
};

}  // namespace

std::string as_latex(const Derived& derived) { return Document().run(derived); }

}  // namespace lastbit::verify
