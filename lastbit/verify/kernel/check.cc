#include "lastbit/verify/kernel/check.h"

#include <memory>
#include <optional>

#include "lastbit/base/error.h"
#include "lastbit/base/work_limit.h"
#include "lastbit/verify/kernel/example.h"
#include "lastbit/verify/kernel/farkas.h"

namespace lastbit::verify {
namespace {

Error refused(const std::string& place, const std::string& problem) {
  return Error(ErrorCode::kBadInput, place, problem, "this certificate proves nothing");
}

// refusing: the result of `action`. Any Error in it is a problem of the certificate.
auto refusing(const std::string& place, const auto& action) {
  try {
    return action();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
    throw refused(place, error.problem());
  } catch (const WorkLimit::Exceeded&) {
    throw Error(ErrorCode::kBadInput, place,
                "checking this far took all " + std::to_string(Theorem::kMaxWork) +
                    " units of work that a certificate may take",
                "prove the mechanism in fewer or simpler steps; this has proved nothing");
  }
}

// with_reasons: the result of `action`, which is told where to put its obligations. Each is checked
// as it arises, and then forgotten.
auto with_reasons(const std::vector<Reason>& reasons, const std::string& place, Theorem& theorem,
                  const auto& action) {
  std::size_t count = 0;
  std::optional<std::string> unshown;
  Obligations obligations{.see = [&](const Obligation& one) {
    if (!unshown && count < reasons.size() && !follows(one, reasons[count])) unshown = one.why;
    ++count;
  }};
  auto result = refusing(place, [&] { return action(obligations); });
  if (count != reasons.size()) {
    throw refused(place, "there are " + std::to_string(count) + " obligations and reasons for " +
                             std::to_string(reasons.size()));
  }
  if (unshown) throw refused(place, "the reason given does not show that " + *unshown);
  theorem.obligations += count;
  return result;
}

// The parts of which there may be many; functions and entries have a symbol each.
std::size_t size_of(const Goal& goal) {
  return goal.symbols.size() + goal.facts.size() + goal.values.size() + goal.frames.size() +
         goal.unmatched[0].size() + goal.unmatched[1].size();
}

void check_derivation(Goal goal, const Derivation& derivation, const std::string& place, int depth,
                      Theorem& theorem) {
  ++theorem.steps;
  if (depth > Certificate::kMaxDepth) throw refused(place, "the derivation is too large");
  Goals goals = with_reasons(derivation.reasons, place, theorem, [&](Obligations& obligations) {
    auto after = apply(goal, derivation.step, obligations);
    for (const Goal& each : after) WorkLimit::spend(size_of(each));
    return after;
  });
  if (goals.size() != derivation.then.size()) {
    throw refused(place, "the step leaves " + std::to_string(goals.size()) + " goals, and " +
                             std::to_string(derivation.then.size()) + " are treated");
  }
  goal = {};  // the recursion may be deep, and does not need it
  for (std::size_t i = 0; i < goals.size(); ++i) {
    check_derivation(std::move(goals[i]), derivation.then[i], place + "." + std::to_string(i + 1),
                     depth + 1, theorem);
  }
}

}  // namespace

Theorem check(const Certificate& certificate) {
  const WorkLimit limit(Theorem::kMaxWork);
  Theorem theorem{.program = certificate.program};
  const auto program = std::make_shared<const Program>(certificate.program);
  const std::string place = "certificate";
  const std::size_t directions = refusing(place, [&] { return is_symmetric(*program); }) ? 1 : 2;
  refusing(place, [&] { require_examples(*program); });
  if (certificate.proofs.size() != directions) {
    throw refused(place, "the adjacency needs " + std::to_string(directions) +
                             " proofs, one for each direction that differs");
  }
  for (std::size_t i = 0; i < directions; ++i) {
    const Proof& proof = certificate.proofs[i];
    if (proof.swapped != (i == 1)) throw refused(place, "a direction of the adjacency is missing");
    Goal goal = with_reasons(proof.reasons, place, theorem, [&](Obligations& obligations) {
      return start(program, proof.swapped, obligations);
    });
    check_derivation(std::move(goal), proof.derivation, "step " + std::to_string(i + 1), 0,
                     theorem);
  }
  theorem.work = limit.spent();
  return theorem;
}

}  // namespace lastbit::verify
