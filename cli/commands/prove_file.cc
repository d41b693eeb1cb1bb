#include "cli/commands/prove_file.h"

#include "cli/terminal/text_file.h"
#include "lastbit/base/error.h"
#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/lang/printer.h"

namespace lastbit::cli {
namespace {

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

}  // namespace

bool ProofOutcome::as_expected() const {
  if (!problem.empty()) return false;
  if (!expected) return decision.verdict == verify::Verdict::kProved;
  if (expected->verdict == "not refuted") return decision.verdict != verify::Verdict::kRefuted;
  if (expected->verdict != verify::verdict_name(decision.verdict)) return false;
  return decision.verdict != verify::Verdict::kProved ||
         without_spaces(expected->epsilon) ==
             without_spaces(verify::print_expression(decision.program.claimed_epsilon));
}

ProofOutcome decide_file(const std::string& file, double seconds) {
  const std::string text = read_text_file(file, verify::kMaxSourceBytes);
  ProofOutcome outcome;
  outcome.file = file;
  outcome.expected = verify::read_expectation(text);
  outcome.decision = verify::decide_text(text, {.seconds = seconds}, file);
  return outcome;
}

ProofOutcome decide_file_or_say_why(const std::string& file, double seconds) {
  try {
    return decide_file(file, seconds);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
    ProofOutcome outcome;
    outcome.file = file;
    outcome.problem = error.what();
    return outcome;
  }
}

}  // namespace lastbit::cli
