#include "cli/commands/prove_outcome.h"

#include <algorithm>
#include <chrono>

#include "cli/terminal/text_file.h"
#include "lastbit/base/error.h"
#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/lang/printer.h"
#include "lastbit/verify/report/theorem.h"
#include "lastbit/verify/search/prove.h"

namespace lastbit::cli {
namespace {

// The prover's share of the time. A violation is usually found at once, if at all, so that the
// refuter gets a first, short turn: it saves the prover a long search for what does not exist.
constexpr double kFirstShare = 0.02;
constexpr double kProverShare = 0.6;
// What couplings do support, where they do not support the claim, is worth this much.
constexpr double kSupportShare = 0.02;

class Stopwatch {
 public:
  double seconds() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    return elapsed.count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

bool refuted(ProofOutcome& outcome, double seconds, std::string& why_not) {
  verify::RefuteOptions options;
  options.seconds = seconds;
  outcome.witness = verify::refute(outcome.program, options, &why_not);
  if (outcome.witness) outcome.verdict = ProofVerdict::kRefuted;
  return outcome.witness.has_value();
}

// accept: the certificate, written, read back and checked, as anybody else would.
void accept(ProofOutcome& outcome, const verify::Certificate& certificate,
            const std::optional<Rational>& least_factor) {
  outcome.certificate = verify::write_certificate(certificate);
  const Stopwatch watch;
  outcome.theorem = verify::check(verify::read_certificate(outcome.certificate));
  outcome.check_seconds = watch.seconds();
  outcome.verdict = ProofVerdict::kProved;
  outcome.least_factor = least_factor;
  if (least_factor) {
    outcome.least_epsilon = verify::scaled_claim_text(outcome.program, *least_factor);
  }
}

void search(ProofOutcome& outcome, double seconds) {
  const Stopwatch watch;
  std::string why_not;
  if (!refuted(outcome, kFirstShare * seconds, why_not)) {
    const auto attempt = verify::find_proof(outcome.program, {.seconds = kProverShare * seconds});
    if (attempt.certificate) {
      outcome.seconds = watch.seconds();
      accept(outcome, *attempt.certificate, attempt.least_factor);
      return;
    }
    const double left = std::max(seconds - watch.seconds(), kFirstShare * seconds);
    if (!refuted(outcome, left, why_not)) {
      outcome.reason = "no proof: " + attempt.reason + "; no violation: " + why_not;
    }
  }
  outcome.seconds = watch.seconds();
  const auto factor =
      verify::find_supported_factor(outcome.program, {.seconds = kSupportShare * seconds});
  if (factor) outcome.supported_epsilon = verify::scaled_claim_text(outcome.program, *factor);
}

}  // namespace

std::string_view verdict_name(ProofVerdict verdict) {
  switch (verdict) {
    case ProofVerdict::kProved:
      return "proved";
    case ProofVerdict::kRefuted:
      return "refuted";
    case ProofVerdict::kUnknown:
      break;
  }
  return "unknown";
}

bool ProofOutcome::as_expected() const {
  if (!problem.empty()) return false;
  if (!expected) return verdict == ProofVerdict::kProved;
  if (expected->verdict == "not refuted") return verdict != ProofVerdict::kRefuted;
  if (expected->verdict != verdict_name(verdict)) return false;
  return verdict != ProofVerdict::kProved ||
         without_spaces(expected->epsilon) ==
             without_spaces(verify::print_expression(program.claimed_epsilon));
}

ProofOutcome decide(const std::string& file, double seconds) {
  const std::string text = read_text_file(file, verify::kMaxSourceBytes);
  ProofOutcome outcome;
  outcome.file = file;
  outcome.program = verify::parse_program(text, file);
  outcome.expected = verify::read_expectation(text);
  search(outcome, seconds);
  return outcome;
}

ProofOutcome decide_or_say_why(const std::string& file, double seconds) {
  try {
    return decide(file, seconds);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
    ProofOutcome outcome;
    outcome.file = file;
    outcome.problem = error.what();
    return outcome;
  }
}

}  // namespace lastbit::cli
