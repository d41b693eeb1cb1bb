#include "lastbit/verify/search/prove.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>

#include "lastbit/base/error.h"
#include "lastbit/verify/kernel/check.h"
#include "lastbit/verify/kernel/example.h"
#include "lastbit/verify/search/arithmetic.h"
#include "lastbit/verify/search/couplings.h"
#include "lastbit/verify/search/invariants.h"

namespace lastbit::verify {
namespace {

constexpr int kMaxDepth = 120;
constexpr int kMaxFunctionSplits = 6;

struct OutOfTime {};

using MaybeProof = std::optional<Derivation>;

class Search {
 public:
  Search(std::shared_ptr<const Program> program, std::chrono::steady_clock::time_point deadline,
         Arithmetic& arithmetic)
      : program_(std::move(program)), deadline_(deadline), arithmetic_(arithmetic) {}

  // The proof for one reading of the adjacency.
  std::optional<Proof> run(bool swapped);

  const std::string& reason() const { return reason_; }
  const std::optional<Rational>& least_factor() const { return least_factor_; }

 private:
  // Where the end of a loop's body leads: to a proof, or to nothing.
  using AtRepeat = std::function<MaybeProof(const Goal&)>;

  MaybeProof prove(const Goal& goal, bool may_be_absurd);
  MaybeProof split_inputs(const Goal& goal);
  MaybeProof prove_waiting(const Goal& goal);
  MaybeProof step(const Goal& goal, const Step& step, bool may_be_absurd = false);
  MaybeProof try_step(const Goal& goal, const Step& step, bool may_be_absurd);
  MaybeProof prove_draw(const Goal& goal);
  MaybeProof prove_coin(const Goal& goal);
  MaybeProof prove_noise(const Goal& goal);
  MaybeProof introduce_laplace(const Goal& goal);
  MaybeProof split_function(const Goal& goal, const Ahead& ahead, bool& split);
  MaybeProof split_next_pass(const Goal& goal, const Ahead& ahead, bool& split);
  MaybeProof prove_loop(const Goal& goal);
  MaybeProof split_ghosts(const Goal& goal, const Polynomial& counter, bool& split);
  MaybeProof prove_loop_with(const Goal& goal, bool phases_first, bool& saw_phases);
  bool follow_passes(const Goal& goal, Invariants& invariants);
  bool follow_pass(const Goal& goal, Invariants& invariants, std::size_t index, bool strict,
                   std::vector<Goal>& leaves);
  MaybeProof finish(const Goal& goal);
  void note(const std::string& text, bool is_guess = false);

  std::shared_ptr<const Program> program_;
  std::chrono::steady_clock::time_point deadline_;
  Arithmetic& arithmetic_;
  std::map<const Loop*, AtRepeat> at_repeat_;
  std::map<DigestValue, Couple> worked_;  // couplings that led to a proof; tried first
  std::vector<Goal> leaves_;              // the ends of the passes being followed
  bool splitting_inputs_ = false;         // which input is larger is still undecided
  bool exact_costs_ = false;              // shifts cost their exact size, not a bound on it
  int depth_ = 0;
  int function_splits_ = 0;
  int noted_rank_ = -1;
  std::string reason_ = "no coupling was found";
  std::optional<Rational> least_factor_;
};

// The place of the symbol's function among those with a definition by cases, if it has not been used.
std::optional<std::size_t> splittable(const Goal& goal, const Polynomial& in) {
  for (std::size_t i = 0; i < goal.functions.size(); ++i) {
    const FunctionValue& function = goal.functions[i];
    const bool by_cases = function.op == Operator::kAbs || function.op == Operator::kMin ||
                          function.op == Operator::kMax || function.op == Operator::kClamp;
    const auto& terms = function.value.terms();
    if (!by_cases || function.is_split || terms.size() != 1) continue;
    const auto& powers = terms.begin()->first.powers;
    if (powers.size() == 1 && in.mentions(powers.front().first)) return i;
  }
  return std::nullopt;
}

// A function by which the values of the two runs differ at the end of a pass.
std::optional<std::size_t> function_between_runs(const Goal& goal) {
  for (const auto& variable : goal.frames.back().loop->head.variables) {
    const auto values = goal.values.find(variable.name);
    if (values == goal.values.end()) continue;
    if (const auto found = splittable(goal, values->second[1] - values->second[0])) return found;
  }
  return std::nullopt;
}

const Frame* innermost_loop(const Goal& goal) {
  const auto found = std::find_if(goal.frames.rbegin(), goal.frames.rend(),
                                  [](const Frame& frame) { return frame.loop != nullptr; });
  return found == goal.frames.rend() ? nullptr : &*found;
}

std::string place_of(const Goal& goal) {
  if (goal.draw) return "line " + std::to_string(goal.draw->at.line) + ": ";
  const Statement* statement = next_statement(goal);
  if (statement == nullptr) return "";
  return "line " + std::to_string(statement->at.line) + ": ";
}

// note: keeps the reason of the deepest failure, where the search came closest.
void Search::note(const std::string& text, bool is_guess) {
  const int rank = is_guess ? 0 : depth_ + 1;
  if (rank < noted_rank_) return;
  noted_rank_ = rank;
  reason_ = text;
}

std::optional<Proof> Search::run(bool swapped) {
  Proof proof{swapped, {}, {}};
  Obligations obligations;
  const Goal goal = start(program_, swapped, obligations);
  for (const Obligation& obligation : obligations.kept) {
    const auto reason = arithmetic_.reason_for(obligation);
    if (!reason) {
      note("before the first statement, it could not be shown that " + obligation.why +
           "; say in `requires` what makes it so, such as eps > 0");
      return std::nullopt;
    }
    proof.reasons.push_back(*reason);
  }
  MaybeProof found = prove(goal, false);
  if (!found) {
    exact_costs_ = true;
    found = split_inputs(goal);
    exact_costs_ = splitting_inputs_ = false;
  }
  if (!found) {
    // Only programs with a single whole-number result can be proved result by result.
    Obligations ignored;
    try {
      apply(goal, Pointwise{}, ignored);
    } catch (const Error&) {
      return std::nullopt;
    }
    found = step(goal, Pointwise{});
  }
  if (!found) return std::nullopt;
  proof.derivation = std::move(*found);
  return proof;
}

// Which of the two inputs is larger, for each input. These distinctions come before any draw is
// coupled.
MaybeProof Search::split_inputs(const Goal& goal) {
  for (const Parameter& parameter : program_->parameters) {
    const auto value = goal.values.find(parameter.name);
    if (value == goal.values.end() || value->second[0] == value->second[1]) continue;
    const Polynomial difference = value->second[0] - value->second[1];
    const std::vector<bool> known = arithmetic_.which_follow(
        goal,
        {{difference, Sign::kPositive}, {-difference, Sign::kPositive}, {difference, Sign::kZero}});
    if (known[0] || known[1] || known[2]) continue;
    splitting_inputs_ = true;
    return step(goal, SplitSign{difference}, true);
  }
  splitting_inputs_ = false;
  MaybeProof proof = prove_waiting(goal);
  splitting_inputs_ = true;
  return proof;
}

MaybeProof Search::step(const Goal& goal, const Step& step, bool may_be_absurd) {
  const std::size_t leaves_before = leaves_.size();
  MaybeProof proof = try_step(goal, step, may_be_absurd);
  if (!proof) leaves_.resize(leaves_before);  // ends of passes that were abandoned
  return proof;
}

MaybeProof Search::try_step(const Goal& goal, const Step& step, bool may_be_absurd) {
  Obligations obligations;
  std::vector<Goal> goals;
  try {
    goals = apply(goal, step, obligations);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kNotSupported) {
      note(error.place() + ": " + error.problem() + "; " + error.remedy());
    }
    return std::nullopt;
  }
  Derivation derivation{step, {}, {}};
  for (const Obligation& obligation : obligations.kept) {
    auto reason = arithmetic_.reason_for(obligation);
    if (!reason) {
      // A coupling that does not work says little: others were tried too.
      const bool is_guess = std::holds_alternative<Couple>(step);
      note(place_of(goal) + "it could not be shown that " + obligation.why, is_guess);
      return std::nullopt;
    }
    derivation.reasons.push_back(std::move(*reason));
  }
  for (const Goal& each : goals) {
    MaybeProof proof = prove(each, may_be_absurd);
    if (!proof) return std::nullopt;
    derivation.then.push_back(std::move(*proof));
  }
  return derivation;
}

MaybeProof Search::prove(const Goal& goal, bool may_be_absurd) {
  if (std::chrono::steady_clock::now() > deadline_) throw OutOfTime{};
  if (may_be_absurd || goal.is_stuck) {
    const Obligation impossible{goal.symbols, goal.facts, absurd(), ""};
    if (auto reason = arithmetic_.reason_for(impossible)) {
      return Derivation{Absurd{}, {std::move(*reason)}, {}};
    }
  }
  if (goal.is_stuck) {
    note("the two runs may take different branches of which one draws");
    return std::nullopt;
  }
  if (depth_ >= kMaxDepth) return std::nullopt;
  ++depth_;
  MaybeProof proof = prove_waiting(goal);
  --depth_;
  return proof;
}

MaybeProof Search::prove_waiting(const Goal& goal) {
  if (splitting_inputs_) return split_inputs(goal);
  if (goal.result) {
    bool split = false;
    MaybeProof proof = split_ghosts(goal, {}, split);
    if (split) return proof;
  }
  for (std::size_t i = 0; i < goal.entries.size(); ++i) {
    if (!goal.entries[i].is_split && goal.changed_index.contains(goal.entries[i].list)) {
      return step(goal, SplitOne{i}, true);
    }
  }
  switch (waiting_for(goal)) {
    case Waiting::kDraw:
      return prove_draw(goal);
    case Waiting::kBranch:
      return step(goal, Branch{}, true);
    case Waiting::kLoop:
      return prove_loop(goal);
    case Waiting::kRepeat:
      if (const auto function = function_between_runs(goal)) {
        return step(goal, SplitFunction{*function}, true);
      }
      return at_repeat_.at(goal.frames.back().loop->loop.get())(goal);
    case Waiting::kOutput:
      return step(goal, Emit{}, goal.result && !goal.result_is_assumed);
    case Waiting::kEnd:
      return finish(goal);
  }
  return std::nullopt;
}

MaybeProof Search::finish(const Goal& goal) {
  MaybeProof proof = step(goal, Finish{});
  if (!proof) return std::nullopt;
  if (const auto factor = arithmetic_.least_factor(goal)) {
    if (!least_factor_ || *least_factor_ < *factor) least_factor_ = factor;
  }
  return proof;
}

// Functions with a definition by cases, which are opaque to linear arithmetic: if a shift would
// mention one, its cases are considered first.
MaybeProof Search::split_function(const Goal& goal, const Ahead& ahead, bool& split) {
  if (function_splits_ >= kMaxFunctionSplits) return std::nullopt;
  for (const Ahead::Alignment& one : ahead.alignments) {
    const auto function = splittable(goal, one.shift);
    if (!function) continue;
    split = true;
    ++function_splits_;
    MaybeProof proof = step(goal, SplitFunction{*function}, true);
    --function_splits_;
    return proof;
  }
  return std::nullopt;
}

MaybeProof Search::prove_draw(const Goal& goal) {
  if (!goal.draw) return std::nullopt;
  const Sampler sampler = goal.draw->sampler;
  if (sampler == Sampler::kUniform || sampler == Sampler::kSign) {
    if (MaybeProof proof = introduce_laplace(goal)) return proof;
  }
  if (sampler == Sampler::kSign || sampler == Sampler::kBernoulli) return prove_coin(goal);
  return prove_noise(goal);
}

MaybeProof Search::introduce_laplace(const Goal& goal) {
  const Frame& frame = goal.frames.back();
  if (frame.loop) return std::nullopt;
  for (std::size_t i = 1; i <= std::min<std::size_t>(8, frame.block->size() - frame.next); ++i) {
    Obligations ignored;
    try {
      apply(goal, IntroduceLaplace{i}, ignored);
    } catch (const Error&) {
      continue;
    }
    if (MaybeProof proof = step(goal, IntroduceLaplace{i})) return proof;
  }
  return std::nullopt;
}

MaybeProof Search::prove_coin(const Goal& goal) {
  for (const Step& way : {Step{CoupleCoin{false}}, Step{CoupleCoin{true}}, Step{GiveUp{}}}) {
    if (MaybeProof proof = step(goal, way)) return proof;
  }
  return std::nullopt;
}

MaybeProof Search::prove_noise(const Goal& goal) {
  const Ahead ahead = look_ahead(goal);
  for (const Mention& mention : ahead.mentions) {
    Obligations ignored;
    try {
      apply(goal, mention, ignored);
    } catch (const Error&) {
      continue;
    }
    return step(goal, mention);
  }
  bool split = false;
  {
    MaybeProof proof = split_function(goal, ahead, split);
    if (split) return proof;
    proof = split_next_pass(goal, ahead, split);
    if (split) return proof;
  }
  bool decides = false;
  const Frame* frame = innermost_loop(goal);
  if (goal.result && frame != nullptr) {
    const Polynomial counter = Polynomial::symbol(frame->loop->head.counter);
    MaybeProof proof = split_ghosts(goal, counter, split);
    if (split) return proof;
    decides = arithmetic_.follows(goal, counter - Polynomial::symbol(*goal.result), Sign::kZero);
  }
  const DigestValue place = digest_of(goal);
  if (const auto known = worked_.find(place); known != worked_.end()) {
    const Couple couple = known->second;
    if (MaybeProof proof = step(goal, couple)) return proof;
  }
  for (const Candidate& candidate : candidates(goal, ahead, decides)) {
    const auto couple = priced(goal, ahead, candidate, exact_costs_, arithmetic_);
    if (!couple) continue;
    if (MaybeProof proof = step(goal, *couple)) {
      worked_[place] = *couple;
      return proof;
    }
  }
  return std::nullopt;
}

// Whether there will be another pass: if not, a draw for the next pass does not matter.
MaybeProof Search::split_next_pass(const Goal& goal, const Ahead& ahead, bool& split) {
  if (!ahead.next_pass) return std::nullopt;
  const Fact& fact = *ahead.next_pass;
  const Sign opposite = fact.sign == Sign::kPositive ? Sign::kNonNegative : Sign::kPositive;
  split = !arithmetic_.follows(goal, fact.value, fact.sign) &&
          !arithmetic_.follows(goal, -fact.value, opposite);
  if (!split) return std::nullopt;
  return step(goal, SplitSign{fact.value}, true);
}

// Where the counter is relative to the considered result: before, at or after it.
MaybeProof Search::split_ghosts(const Goal& goal, const Polynomial& counter, bool& split) {
  if (!goal.result) return std::nullopt;
  const Polynomial distance = counter - Polynomial::symbol(*goal.result);
  split = !arithmetic_.follows(goal, distance, Sign::kPositive) &&
          !arithmetic_.follows(goal, -distance, Sign::kPositive) &&
          !arithmetic_.follows(goal, distance, Sign::kZero);
  if (!split) return std::nullopt;
  return step(goal, SplitSign{distance}, true);
}

MaybeProof Search::prove_loop(const Goal& goal) {
  if (goal.result) {
    Goal scratch = goal;
    Obligations ignored;
    bool split = false;
    const Polynomial from =
        evaluate(scratch, std::get<Loop>(next_statement(goal)->what).from, 0, ignored);
    MaybeProof proof = split_ghosts(goal, from, split);
    if (split) return proof;
  }
  bool saw_phases = false;
  if (MaybeProof proof = prove_loop_with(goal, false, saw_phases)) return proof;
  return saw_phases ? prove_loop_with(goal, true, saw_phases) : std::nullopt;
}

MaybeProof Search::prove_loop_with(const Goal& goal, bool phases_first, bool& saw_phases) {
  const Loop* loop = &std::get<Loop>(next_statement(goal)->what);
  std::optional<Invariants> invariants;
  try {
    invariants.emplace(goal, phases_first, arithmetic_);
  } catch (const Error& error) {
    note(error.place() + ": " + error.problem());
    return std::nullopt;
  }
  const auto outer = at_repeat_.find(loop) == at_repeat_.end() ? AtRepeat() : at_repeat_.at(loop);
  MaybeProof proof;
  if (follow_passes(goal, *invariants)) {
    const std::vector<Disjunct> disjuncts = invariants->disjuncts();
    at_repeat_[loop] = [&](const Goal& leaf) -> MaybeProof {
      if (const auto target = invariants->target_of(leaf)) {
        if (MaybeProof found = step(leaf, Repeat{*target})) return found;
      }
      for (std::size_t i = 0; i < disjuncts.size(); ++i) {
        if (MaybeProof found = step(leaf, Repeat{i})) return found;
      }
      return std::nullopt;
    };
    proof = step(goal, UseInvariant{disjuncts, 0}, true);
  }
  at_repeat_[loop] = outer;
  saw_phases = invariants->saw_phases();
  return proof;
}

// Follows the passes of every disjunct until nothing new appears.
bool Search::follow_passes(const Goal& goal, Invariants& invariants) {
  for (int round = 0; round < 60; ++round) {
    const auto index = invariants.next();
    if (!index) return true;
    std::vector<Goal> leaves;
    // If the runs go through phases, new keys are to be expected.
    const bool phases = goal.result || !goal.changed_index.empty();
    if ((phases || !follow_pass(goal, invariants, *index, true, leaves)) &&
        !follow_pass(goal, invariants, *index, false, leaves)) {
      return false;
    }
    invariants.mark_followed(*index);
    for (const Goal& leaf : leaves) {
      const auto added = invariants.add(leaf, *index);
      if (added == Invariants::Added::kFailed) {
        note(place_of(goal) + "no bound was found for the cost of the loop");
        return false;
      }
      if (added == Invariants::Added::kRestarted) break;
    }
    invariants.settle();
  }
  return false;
}

bool Search::follow_pass(const Goal& goal, Invariants& invariants, std::size_t index, bool strict,
                         std::vector<Goal>& leaves) {
  leaves.clear();
  const std::size_t before = leaves_.size();
  const Loop* loop = &std::get<Loop>(next_statement(goal)->what);
  at_repeat_[loop] = [&](const Goal& leaf) -> MaybeProof {
    if (!invariants.can_end(leaf, index, strict)) return std::nullopt;
    leaves_.push_back(leaf);
    return Derivation{Repeat{}, {}, {}};
  };
  Obligations ignored;
  for (const Goal& each : apply(goal, UseInvariant{{invariants.disjuncts()[index]}, 0}, ignored)) {
    const bool inside = std::ranges::any_of(each.frames, [&](const Frame& frame) {
      return frame.loop && frame.loop->loop.get() == loop;
    });
    if (!inside && !each.is_stuck) continue;  // what comes after the loop is considered later
    if (!prove(each, true)) {
      leaves_.resize(before);
      return false;
    }
  }
  leaves.assign(leaves_.begin() + static_cast<std::ptrdiff_t>(before), leaves_.end());
  leaves_.resize(before);
  return true;
}

}  // namespace

namespace {

// An enlarged claim, to find out what the couplings cost if they cost too much.
Program with_larger_claim(Program program, const Rational& factor) {
  const Expression number{.op = Operator::kNumber, .number = factor};
  program.claimed_epsilon = {.op = Operator::kMultiply,
                             .operands = {number, program.claimed_epsilon}};
  return program;
}

// attempt_claim: the attempt for the program as it stands. Throws OutOfTime.
ProofAttempt attempt_claim(const Program& program, std::chrono::steady_clock::time_point deadline,
                           Arithmetic& arithmetic) {
  require_examples(program);  // the kernel would refuse any proof
  ProofAttempt attempt;
  const auto shared = std::make_shared<const Program>(program);
  Certificate certificate{program, {}};
  for (const bool swapped : {false, true}) {
    if (swapped && is_symmetric(program)) break;
    Search search(shared, deadline, arithmetic);
    auto proof = search.run(swapped);
    attempt.reason = search.reason();
    if (!proof) {
      attempt.least_factor.reset();
      return attempt;
    }
    const auto& factor = search.least_factor();
    if (factor && (!attempt.least_factor || *attempt.least_factor < *factor)) {
      attempt.least_factor = factor;
    }
    certificate.proofs.push_back(std::move(*proof));
  }
  check(certificate);
  attempt.reason.clear();
  attempt.certificate = std::move(certificate);
  return attempt;
}

std::chrono::steady_clock::time_point deadline_of(const ProveOptions& options) {
  return std::chrono::steady_clock::now() +
         std::chrono::milliseconds(static_cast<long long>(options.seconds * 1000));
}

}  // namespace

ProofAttempt find_proof(const Program& program, const ProveOptions& options) {
  const auto deadline = deadline_of(options);
  ProofAttempt attempt;
  try {
    Arithmetic arithmetic;
    arithmetic.set_deadline(options.seconds);
    attempt = attempt_claim(program, deadline, arithmetic);
  } catch (const OutOfTime&) {
    attempt.timed_out = true;
    attempt.reason = "the time for the search ran out";
  } catch (const std::exception& error) {
    attempt.reason = error.what();  // a program that the calculus does not accept
  }
  return attempt;
}

std::optional<Rational> find_supported_factor(const Program& program, const ProveOptions& options) {
  const Rational enlarged(64);
  const auto deadline = deadline_of(options);
  try {
    Arithmetic arithmetic;
    arithmetic.set_deadline(options.seconds);
    const auto larger = attempt_claim(with_larger_claim(program, enlarged), deadline, arithmetic);
    if (larger.certificate && larger.least_factor) return *larger.least_factor * enlarged;
  } catch (const OutOfTime&) {
    return std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace lastbit::verify
