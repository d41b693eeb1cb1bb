#include "tests/kernel/forge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "lastbit/base/error.h"
#include "lastbit/verify/kernel/check.h"
#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/search/arithmetic.h"
#include "lastbit/verify/search/prove.h"

namespace lastbit::verify::testing {
namespace {

std::vector<Reason> reasons_for(const Obligations& obligations, Arithmetic& arithmetic) {
  std::vector<Reason> reasons;
  for (const Obligation& obligation : obligations.kept) {
    const auto reason = arithmetic.reason_for(obligation);
    if (!reason) {
      throw Error(ErrorCode::kMismatch, "forge", "nobody can show that " + obligation.why, "none");
    }
    reasons.push_back(*reason);
  }
  return reasons;
}

Derivation derive(const Goal& goal, const Strategy& strategy, Arithmetic& arithmetic) {
  Obligations obligations;
  Derivation derivation{strategy(goal), {}, {}};
  const std::vector<Goal> goals = apply(goal, derivation.step, obligations);
  derivation.reasons = reasons_for(obligations, arithmetic);
  for (const Goal& each : goals) derivation.then.push_back(derive(each, strategy, arithmetic));
  return derivation;
}

}  // namespace

Forgery forge(const Program& program, const Strategy& strategy) {
  Arithmetic arithmetic;
  arithmetic.set_deadline(5);
  const auto shared = std::make_shared<const Program>(program);
  Certificate certificate{program, {}};
  try {
    const bool symmetric = is_symmetric(program);
    for (const bool swapped : {false, true}) {
      if (swapped && symmetric) continue;
      Obligations obligations;
      const Goal goal = start(shared, swapped, obligations);
      Proof proof{swapped, reasons_for(obligations, arithmetic), {}};
      proof.derivation = derive(goal, strategy, arithmetic);
      certificate.proofs.push_back(std::move(proof));
    }
  } catch (const Error& error) {
    return {std::nullopt, error.problem()};
  }
  return {std::move(certificate), ""};
}

std::string problem_of(const Certificate& certificate) {
  try {
    (void)check(certificate);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
    return error.problem();
  }
  return "accepted";
}

Strategy walk(const std::function<Shift(const Goal&)>& shift) {
  return [shift](const Goal& goal) -> Step {
    switch (waiting_for(goal)) {
      case Waiting::kDraw: {
        const Sampler sampler = goal.draw->sampler;
        if (sampler == Sampler::kBernoulli || sampler == Sampler::kSign) return CoupleCoin{};
        return Couple{.shift = shift(goal)};
      }
      case Waiting::kBranch:
        return Branch{};
      case Waiting::kOutput:
        return Emit{};
      case Waiting::kEnd:
        return Finish{};
      default:
        return Absurd{};
    }
  };
}

std::function<Shift(const Goal&)> align(const std::string& name) {
  return [name](const Goal& goal) {
    const auto& [first, second] = goal.values.at(name);
    return Shift{first - second, goal.claimed_epsilon};
  };
}

std::vector<Mechanism> proved(const std::vector<std::string_view>& without) {
  std::vector<Mechanism> mechanisms;
  for (const char* folder : {"/corpus/correct", "/corpus/controls"}) {
    std::vector<std::filesystem::path> files;
    for (const auto& file :
         std::filesystem::directory_iterator(std::string(LASTBIT_SOURCE_DIR) + folder)) {
      files.push_back(file.path());
    }
    std::ranges::sort(files);
    for (const auto& file : files) {
      const std::string name = file.stem().string();
      if (std::ranges::any_of(without, [&](auto prefix) { return name.starts_with(prefix); })) {
        continue;
      }
      std::ostringstream text;
      text << std::ifstream(file).rdbuf();
      const auto attempt = find_proof(parse_program(text.str(), name), {.seconds = 60});
      if (!attempt.certificate) {
        ADD_FAILURE() << name << " was not proved: " << attempt.reason;
        continue;
      }
      mechanisms.push_back({name, *attempt.certificate});
    }
  }
  return mechanisms;
}

}  // namespace lastbit::verify::testing
