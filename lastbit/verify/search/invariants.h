// Invariants of loops, found by following passes and forgetting all but a few relations.
//
// The vocabulary is a list of facts about the values at a loop's head. At the end of a pass, those
// that follow are kept: they are the next disjunct. Disjuncts with the same key (which variables
// are equal in both runs, and where the counter is relative to the changed entry and to the
// considered result) are joined. The cost is bounded by a base for each key plus a price for each
// step of whole variables.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lastbit/verify/logic/calculus.h"
#include "lastbit/verify/search/arithmetic.h"

namespace lastbit::verify {

class Invariants {
 public:
  // `phases_first`: a cost in a pass that changes the key is paid once, rather than for each step
  // of a counting variable.
  Invariants(const Goal& at_loop, bool phases_first, Arithmetic& arithmetic);

  // The disjuncts found so far, the first being the one before the first pass.
  std::vector<Disjunct> disjuncts() const;
  // next: the index of a disjunct whose passes have not been followed since it changed.
  std::optional<std::size_t> next() const;
  void mark_followed(std::size_t index);

  // Leaf: a goal at the end of a pass that began in disjunct `from`.
  // can_end: whether the pass may end there at all; a coupling whose cost cannot be bounded, or
  // that has lost the considered result, is not worth following. With `strict` it must also lead to
  // a known key, or out of the loop.
  bool can_end(const Goal& leaf, std::size_t from, bool strict);
  // add: adds the leaf. kRestarted: a new price was found, and all passes must be followed again.
  // kFailed: there are too many disjuncts, or the cost has no bound.
  enum class Added { kTaken, kRestarted, kFailed };
  Added add(const Goal& leaf, std::size_t from);
  // settle: call it when all leaves of a pass have been added. If a disjunct has become weaker,
  // what was found after it relied on more than is known now, and is forgotten.
  void settle();
  // saw_phases: a cost occurred where the key changes, so `phases_first` makes a difference.
  bool saw_phases() const { return saw_phases_; }
  // target_of: the place among the disjuncts that a leaf leads to, if any.
  std::optional<std::size_t> target_of(const Goal& leaf);

 private:
  struct Key {
    std::vector<std::optional<Polynomial>> offsets;
    std::vector<bool> facts;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct State {
    Key key;
    std::vector<bool> facts;
    Polynomial base;
    bool followed = false;
  };

  void build_vocabulary();
  void add_counter_facts();
  void add_variable_facts(std::size_t variable);
  std::map<SymbolId, Polynomial> instance(const Goal& goal, const Polynomial& counter) const;
  State abstraction(const Goal& goal, const Polynomial& counter);
  State find_abstraction(const Goal& goal, const Polynomial& counter);
  std::optional<Polynomial> offset_of(const Goal& goal, const std::string& name);
  Polynomial price(const std::map<SymbolId, Polynomial>& by) const;
  Polynomial counter_after() const;
  bool may_pay_for_passes(const Polynomial& cost) const;
  bool is_last_pass(const Goal& leaf);
  std::optional<Polynomial> missing_cost(const Goal& leaf, std::size_t from) const;
  Added restart();
  bool raise(State& state, const Polynomial& base);

  const Goal at_loop_;
  const bool phases_first_;
  Arithmetic& arithmetic_;
  Goal head_goal_;  // at the head of any pass, with nothing known
  LoopHead head_;
  Polynomial from_;
  Polynomial to_;
  std::vector<Fact> key_facts_;
  std::vector<Fact> facts_;
  std::vector<Fact> guard_;                // what the guard says, if it is one or more comparisons
  std::set<std::string> branching_;        // the variables assigned in branches
  std::map<SymbolId, Polynomial> prices_;  // of whole variables, per step
  std::vector<State> states_;
  std::optional<std::size_t> weakened_;        // the first disjunct that has become weaker
  std::map<DigestValue, State> abstractions_;  // of leaves seen before
  int restarts_ = 0;
  bool saw_phases_ = false;
};

}  // namespace lastbit::verify
