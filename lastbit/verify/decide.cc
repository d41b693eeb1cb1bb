#include "lastbit/verify/decide.h"

#include <algorithm>
#include <chrono>

#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/report/theorem.h"
#include "lastbit/verify/search/prove.h"

namespace lastbit::verify {
namespace {

// The prover's share of the time. A violation is usually found at once, if at all, so the refuter
// gets a short first turn: it saves the prover a long search for a proof that does not exist.
constexpr double kFirstShare = 0.02;
constexpr double kProverShare = 0.6;
// The share of time spent on finding what couplings support if they do not support the claim.
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

bool refute_within(Decision& decision, double seconds, std::string& why_not) {
  RefuteOptions options;
  options.seconds = seconds;
  decision.witness = refute(decision.program, options, &why_not);
  if (decision.witness) decision.verdict = Verdict::kRefuted;
  return decision.witness.has_value();
}

// accept: writes the certificate, reads it back and checks it, as anybody else would.
void accept(Decision& decision, const Certificate& certificate,
            const std::optional<Rational>& least_factor) {
  decision.certificate = write_certificate(certificate);
  const Stopwatch watch;
  decision.theorem = check(read_certificate(decision.certificate));
  decision.check_seconds = watch.seconds();
  decision.verdict = Verdict::kProved;
  decision.least_factor = least_factor;
  if (least_factor) {
    decision.least_epsilon = scaled_claim_text(decision.program, *least_factor);
  }
}

void search(Decision& decision, double seconds) {
  const Stopwatch watch;
  std::string why_not;
  if (!refute_within(decision, kFirstShare * seconds, why_not)) {
    const auto attempt = find_proof(decision.program, {.seconds = kProverShare * seconds});
    if (attempt.certificate) {
      decision.seconds = watch.seconds();
      accept(decision, *attempt.certificate, attempt.least_factor);
      return;
    }
    const double left = std::max(seconds - watch.seconds(), kFirstShare * seconds);
    if (!refute_within(decision, left, why_not)) {
      decision.reason = "no proof: " + attempt.reason + "; no violation: " + why_not;
    }
  }
  decision.seconds = watch.seconds();
  const auto factor = find_supported_factor(decision.program, {.seconds = kSupportShare * seconds});
  if (factor) decision.supported_epsilon = scaled_claim_text(decision.program, *factor);
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kProved:
      return "proved";
    case Verdict::kRefuted:
      return "refuted";
    case Verdict::kUnknown:
      break;
  }
  return "unknown";
}

Decision decide(const Program& program, const DecideOptions& options) {
  Decision decision;
  decision.program = program;
  search(decision, options.seconds);
  return decision;
}

Decision decide_text(std::string_view text, const DecideOptions& options, std::string_view name) {
  return decide(parse_program(text, name), options);
}

}  // namespace lastbit::verify
