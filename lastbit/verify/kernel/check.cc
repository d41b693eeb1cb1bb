#include "lastbit/verify/kernel/check.h"

#include <memory>

#include "lastbit/base/error.h"
#include "lastbit/verify/kernel/farkas.h"

namespace lastbit::verify {
namespace {

constexpr std::size_t kMaxSteps = 200'000;

Error refused(const std::string& place, const std::string& problem) {
  return Error(ErrorCode::kBadInput, place, problem, "this certificate proves nothing");
}

// refusing: what `action` gives. Whatever it finds wrong is wrong with the certificate.
auto refusing(const std::string& place, const auto& action) {
  try {
    return action();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
    throw refused(place, error.problem());
  }
}

void check_reasons(const Obligations& obligations, const std::vector<Reason>& reasons,
                   const std::string& place, Theorem& theorem) {
  if (obligations.size() != reasons.size()) {
    throw refused(place, "there are " + std::to_string(obligations.size()) +
                             " obligations and reasons for " + std::to_string(reasons.size()));
  }
  for (std::size_t i = 0; i < obligations.size(); ++i) {
    if (!refusing(place, [&] { return follows(obligations[i], reasons[i]); })) {
      throw refused(place, "the reason given does not show that " + obligations[i].why);
    }
  }
  theorem.obligations += obligations.size();
}

void check_derivation(const Goal& goal, const Derivation& derivation, const std::string& place,
                      int depth, Theorem& theorem) {
  if (++theorem.steps > kMaxSteps || depth > Certificate::kMaxDepth) {
    throw refused(place, "the derivation is too large");
  }
  Obligations obligations;
  const std::vector<Goal> goals =
      refusing(place, [&] { return apply(goal, derivation.step, obligations); });
  check_reasons(obligations, derivation.reasons, place, theorem);
  if (goals.size() != derivation.then.size()) {
    throw refused(place, "the step leaves " + std::to_string(goals.size()) + " goals, and " +
                             std::to_string(derivation.then.size()) + " are treated");
  }
  for (std::size_t i = 0; i < goals.size(); ++i) {
    check_derivation(goals[i], derivation.then[i], place + "." + std::to_string(i + 1), depth + 1,
                     theorem);
  }
}

}  // namespace

Theorem check(const Certificate& certificate) {
  Theorem theorem{.program = certificate.program};
  const auto program = std::make_shared<const Program>(certificate.program);
  const std::string place = "certificate";
  const std::size_t directions = refusing(place, [&] { return is_symmetric(*program); }) ? 1 : 2;
  if (certificate.proofs.size() != directions) {
    throw refused(place, "the adjacency needs " + std::to_string(directions) +
                             " proofs, one for each direction that differs");
  }
  for (std::size_t i = 0; i < directions; ++i) {
    const Proof& proof = certificate.proofs[i];
    if (proof.swapped != (i == 1)) throw refused(place, "a direction of the adjacency is missing");
    Obligations obligations;
    const Goal goal = refusing(place, [&] { return start(program, proof.swapped, obligations); });
    check_reasons(obligations, proof.reasons, place, theorem);
    check_derivation(goal, proof.derivation, "step " + std::to_string(i + 1), 0, theorem);
  }
  return theorem;
}

}  // namespace lastbit::verify
