#include "lastbit/verify/search/invariants.h"

#include <algorithm>

#include "lastbit/base/error.h"
#include "lastbit/verify/search/couplings.h"

namespace lastbit::verify {
namespace {

constexpr std::size_t kMaxStates = 12;
constexpr int kMaxRestarts = 6;

const Polynomial kOne{Rational(1)};

bool is_only_public(const Goal& goal, const Polynomial& value) {
  return std::ranges::all_of(
      value.terms(), [&](const auto& term) { return is_positive(goal.symbols, term.first); });
}

// The facts without those implied by another one with a smaller constant.
std::vector<Fact> without_weaker(const std::vector<Fact>& facts) {
  const auto implies = [](const Fact& one, const Fact& other) {
    const auto difference = (other.value - one.value).constant();
    if (!difference || other.sign == Sign::kZero) return false;
    if (one.sign == Sign::kZero && difference->sign() == 0) return other.sign != Sign::kPositive;
    return difference->sign() > 0 || (difference->sign() == 0 && one.sign >= other.sign);
  };
  std::vector<Fact> kept;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    bool needed = true;
    for (std::size_t j = 0; j < facts.size() && needed; ++j) {
      needed = j == i || !implies(facts[j], facts[i]) || (j > i && implies(facts[i], facts[j]));
    }
    if (needed) kept.push_back(facts[i]);
  }
  return kept;
}

Fact opposite(const Fact& fact) {
  return {-fact.value, fact.sign == Sign::kPositive ? Sign::kNonNegative : Sign::kPositive};
}

void collect_branching(const Block& block, bool in_branch, std::set<std::string>& names) {
  for (const Statement& statement : block) {
    if (const auto* assigned = std::get_if<Assign>(&statement.what)) {
      if (in_branch) names.insert(assigned->name);
    } else if (const auto* branch = std::get_if<If>(&statement.what)) {
      collect_branching(branch->then_block, true, names);
      collect_branching(branch->else_block, true, names);
    } else if (const auto* loop = std::get_if<Loop>(&statement.what)) {
      collect_branching(loop->body, in_branch, names);
    }
  }
}

}  // namespace

Invariants::Invariants(const Goal& at_loop, bool phases_first, Arithmetic& arithmetic)
    : at_loop_(at_loop), phases_first_(phases_first), arithmetic_(arithmetic) {
  const Loop& loop = std::get<Loop>(next_statement(at_loop_)->what);
  Goal scratch = at_loop_;
  Obligations ignored;
  from_ = evaluate(scratch, loop.from, 0, ignored);
  to_ = evaluate(scratch, loop.to, 0, ignored);
  head_ = loop_head(at_loop_);
  // In a proof by results, the runs may branch differently: what they assign there is not kept
  // equal.
  if (at_loop_.result) collect_branching(loop.body, false, branching_);
  const Disjunct anything{std::vector<std::optional<Polynomial>>(head_.variables.size()), {}, {}};
  head_goal_ = apply(at_loop_, UseInvariant{{anything}, 0}, ignored).front();
  build_vocabulary();
  states_.push_back(abstraction(at_loop_, from_));
  states_.front().base = at_loop_.spent;
}

void Invariants::build_vocabulary() {
  add_counter_facts();
  for (std::size_t i = 0; i < head_.variables.size(); ++i) add_variable_facts(i);
  const Loop& loop = std::get<Loop>(next_statement(at_loop_)->what);
  if (!loop.guard) return;
  Obligations ignored;
  const auto cases = conditions(head_goal_, *loop.guard, 0, true, ignored);
  if (cases.size() != 1) return;
  guard_ = cases.front();
  for (const Fact& fact : guard_) {
    if (fact.sign == Sign::kZero) continue;
    key_facts_.push_back(opposite(fact));
    facts_.push_back(fact);
    // After a pass the guard may fail by a small margin.
    for (int slack = 0; slack <= 2; ++slack) {
      facts_.push_back({fact.value + Polynomial(Rational(slack)), Sign::kNonNegative});
    }
  }
}

void Invariants::add_counter_facts() {
  const Polynomial i = Polynomial::symbol(head_.counter);
  facts_.push_back({to_ - i, Sign::kNonNegative});
  std::vector<SymbolId> ghosts;
  for (const auto& [list, symbol] : at_loop_.changed_index) ghosts.push_back(symbol);
  if (at_loop_.result) ghosts.push_back(*at_loop_.result);
  for (const SymbolId ghost : ghosts) {
    const Polynomial distance = i - Polynomial::symbol(ghost);
    key_facts_.push_back({-distance, Sign::kNonNegative});
    key_facts_.push_back({distance - kOne, Sign::kNonNegative});
  }
}

void Invariants::add_variable_facts(std::size_t variable) {
  const auto& [name, symbols] = head_.variables[variable];
  const Polynomial first = Polynomial::symbol(symbols[0]);
  const Polynomial second = Polynomial::symbol(symbols[1]);
  const bool whole = head_goal_.symbols[static_cast<std::size_t>(symbols[0])].is_whole;
  const Polynomial difference = second - first;
  for (const Polynomial& distance : distances(at_loop_)) {
    for (const int multiple : {0, 1}) {
      const Polynomial bound = Polynomial(Rational(multiple)) * distance;
      facts_.push_back({bound - difference, Sign::kNonNegative});
      facts_.push_back({bound + difference, Sign::kNonNegative});
    }
    if (!whole && !at_loop_.result) {  // values that grow with the passes
      const Polynomial grown = distance * (Polynomial::symbol(head_.counter) - from_);
      facts_.push_back({grown - difference, Sign::kNonNegative});
      facts_.push_back({grown + difference, Sign::kNonNegative});
    }
    facts_.push_back({difference - distance, Sign::kNonNegative});
    facts_.push_back({-difference - distance, Sign::kNonNegative});
  }
  if (!whole) return;
  facts_.push_back({first - at_loop_.values.at(name)[0], Sign::kNonNegative});
  facts_.push_back({Polynomial::symbol(head_.counter) - kOne - first, Sign::kNonNegative});
  for (const Parameter& parameter : at_loop_.program->parameters) {
    const auto value = at_loop_.values.find(parameter.name);
    if (parameter.type != Type::kInt || value == at_loop_.values.end()) continue;
    if (value->second[0] != value->second[1]) continue;
    facts_.push_back({value->second[0] - first, Sign::kNonNegative});
  }
  const auto type_is_bool = [&] {
    const auto& locals = at_loop_.program->locals;
    const auto found =
        std::ranges::find_if(locals, [&](const Parameter& p) { return p.name == name; });
    return found != locals.end() && found->type == Type::kBool;
  };
  if (type_is_bool()) {
    key_facts_.push_back({first, Sign::kZero});
    key_facts_.push_back({first - kOne, Sign::kZero});
  }
  const auto* output = std::get_if<Output>(&at_loop_.program->body.back().what);
  if (!at_loop_.result || output == nullptr || output->value.name != name) return;
  const Polynomial result = Polynomial::symbol(*at_loop_.result);
  key_facts_.push_back({first - result, Sign::kZero});
  key_facts_.push_back({first - result - kOne, Sign::kNonNegative});
  key_facts_.push_back({result - first - kOne, Sign::kNonNegative});
  key_facts_.push_back({second - result, Sign::kZero});
}

std::map<SymbolId, Polynomial> Invariants::instance(const Goal& goal,
                                                    const Polynomial& counter) const {
  std::map<SymbolId, Polynomial> by = {{head_.counter, counter}};
  for (const auto& [name, symbols] : head_.variables) {
    const auto& values = goal.values.at(name);
    by[symbols[0]] = values[0];
    by[symbols[1]] = values[1];
  }
  return by;
}

// The offset between the runs, if it does not depend on the pass.
std::optional<Polynomial> Invariants::offset_of(const Goal& goal, const std::string& name) {
  if (branching_.contains(name)) return std::nullopt;
  const auto& values = goal.values.at(name);
  const Polynomial difference = values[1] - values[0];
  if (difference.is_zero()) return Polynomial();
  const auto outside = static_cast<SymbolId>(at_loop_.symbols.size());
  const bool from_outside = std::ranges::all_of(difference.terms(), [&](const auto& term) {
    return std::ranges::all_of(term.first.powers,
                               [&](const auto& power) { return power.first < outside; });
  });
  if (from_outside && is_only_public(goal, difference)) return difference;
  if (arithmetic_.follows(goal, difference, Sign::kZero)) return Polynomial();
  return std::nullopt;
}

Invariants::State Invariants::abstraction(const Goal& goal, const Polynomial& counter) {
  const DigestValue digest = digest_of(goal);
  const auto known = abstractions_.find(digest);
  if (known != abstractions_.end()) return known->second;
  return abstractions_[digest] = find_abstraction(goal, counter);
}

Invariants::State Invariants::find_abstraction(const Goal& goal, const Polynomial& counter) {
  const auto by = instance(goal, counter);
  State state;
  for (const auto& variable : head_.variables) {
    state.key.offsets.push_back(offset_of(goal, variable.name));
  }
  std::vector<Fact> all;
  for (const auto* list : {&key_facts_, &facts_}) {
    for (const Fact& fact : *list) all.push_back({fact.value.substitute(by), fact.sign});
  }
  const std::vector<bool> holding = arithmetic_.which_follow(goal, all);
  const auto middle = holding.begin() + static_cast<std::ptrdiff_t>(key_facts_.size());
  state.key.facts.assign(holding.begin(), middle);
  state.facts.assign(middle, holding.end());
  return state;
}

Polynomial Invariants::price(const std::map<SymbolId, Polynomial>& by) const {
  Polynomial total;
  const auto entry = instance(at_loop_, from_);
  for (const auto& [symbol, per_step] : prices_) {
    total += per_step * (by.at(symbol) - entry.at(symbol));
  }
  return total;
}

std::vector<Disjunct> Invariants::disjuncts() const {
  std::map<SymbolId, Polynomial> here = {{head_.counter, Polynomial::symbol(head_.counter)}};
  for (const auto& [name, symbols] : head_.variables) {
    for (const SymbolId symbol : symbols) here[symbol] = Polynomial::symbol(symbol);
  }
  std::vector<Disjunct> result;
  for (const State& state : states_) {
    Disjunct disjunct{state.key.offsets, {}, state.base + price(here)};
    // If the offset is known, the second symbol has no meaning.
    std::map<SymbolId, Polynomial> by;
    for (std::size_t i = 0; i < head_.variables.size(); ++i) {
      const auto& offset = state.key.offsets[i];
      if (!offset) continue;
      const auto& symbols = head_.variables[i].symbols;
      by[symbols[1]] = Polynomial::symbol(symbols[0]) + *offset;
    }
    const auto keep = [&](const std::vector<Fact>& all, const std::vector<bool>& chosen) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!chosen[i]) continue;
        const Fact fact{all[i].value.substitute(by), all[i].sign};
        if (!holds(fact).value_or(false) && !is_positive(head_goal_.symbols, fact.value)) {
          disjunct.facts.push_back(fact);
        }
      }
    };
    keep(key_facts_, state.key.facts);
    keep(facts_, state.facts);
    disjunct.facts = without_weaker(disjunct.facts);
    result.push_back(std::move(disjunct));
  }
  return result;
}

std::optional<std::size_t> Invariants::next() const {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (!states_[i].followed) return i;
  }
  return std::nullopt;
}

void Invariants::mark_followed(std::size_t index) { states_.at(index).followed = true; }

Polynomial Invariants::counter_after() const { return Polynomial::symbol(head_.counter) + kOne; }

// What the pass has cost beyond what the prices of its steps cover.
std::optional<Polynomial> Invariants::missing_cost(const Goal& leaf, std::size_t from) const {
  const Polynomial before = disjuncts()[from].spent;
  const Polynomial missing =
      leaf.spent - states_[from].base - price(instance(leaf, counter_after()));
  const Polynomial simple = leaf.spent - before;
  if (!is_only_public(leaf, missing) || !is_only_public(leaf, simple)) return std::nullopt;
  return missing;
}

bool Invariants::is_last_pass(const Goal& leaf) {
  const auto by = instance(leaf, counter_after());
  return std::ranges::any_of(guard_, [&](const Fact& fact) {
    if (fact.sign == Sign::kZero) return false;
    const Fact fails = opposite(fact);
    return arithmetic_.follows(leaf, fails.value.substitute(by), fails.sign);
  });
}

bool Invariants::can_end(const Goal& leaf, std::size_t from, bool strict) {
  if (!missing_cost(leaf, from)) return false;
  if (strict && !target_of(leaf) && !is_last_pass(leaf)) return false;
  if (!leaf.result) return true;
  // Once the counter has passed the considered result, a first run that has it must not be coupled
  // with a second run that has lost it.
  const auto* output = std::get_if<Output>(&leaf.program->body.back().what);
  if (output == nullptr || output->value.op != Operator::kVariable) return true;
  const auto found = leaf.values.find(output->value.name);
  if (found == leaf.values.end()) return true;
  const Polynomial result = Polynomial::symbol(*leaf.result);
  const Polynomial distance = counter_after() - result - kOne;
  if (!arithmetic_.follows(leaf, distance, Sign::kNonNegative)) return true;
  Goal has_it = leaf;
  has_it.facts.push_back({found->second[0] - result, Sign::kZero});
  return arithmetic_.follows(has_it, found->second[1] - result, Sign::kZero) ||
         arithmetic_.is_absurd(has_it);
}

std::optional<std::size_t> Invariants::target_of(const Goal& leaf) {
  const State state = abstraction(leaf, counter_after());
  const auto found =
      std::ranges::find_if(states_, [&](const State& s) { return s.key == state.key; });
  if (found == states_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - states_.begin());
}

Invariants::Added Invariants::restart() {
  if (++restarts_ > kMaxRestarts) return Added::kFailed;
  // What has been forgotten once would only be forgotten again.
  states_.resize(1);
  weakened_.reset();
  states_.front().base = at_loop_.spent;
  states_.front().followed = false;
  return Added::kRestarted;
}

// raise: makes the base at least `base`.
bool Invariants::raise(State& state, const Polynomial& base) {
  const Polynomial difference = base - state.base;
  if (difference.is_zero() || is_positive(at_loop_.symbols, -difference)) return true;
  if (!is_positive(at_loop_.symbols, difference)) {
    if (arithmetic_.follows(at_loop_, -difference, Sign::kNonNegative)) return true;
    if (!arithmetic_.follows(at_loop_, difference, Sign::kNonNegative)) return false;
  }
  state.base = base;
  state.followed = false;
  return ++restarts_ <= kMaxRestarts * 4;
}

// A cost in every pass can be within the claim only if one of them knows the number of passes.
bool Invariants::may_pay_for_passes(const Polynomial& cost) const {
  if (to_.constant()) return true;
  const auto& claimed = at_loop_.claimed_epsilon;
  return std::ranges::any_of(to_.terms(), [&](const auto& term) {
    return std::ranges::any_of(term.first.powers, [&](const auto& power) {
      return claimed.mentions(power.first) || cost.mentions(power.first);
    });
  });
}

Invariants::Added Invariants::add(const Goal& leaf, std::size_t from) {
  const auto missing = missing_cost(leaf, from);
  if (!missing) return Added::kFailed;
  State state = abstraction(leaf, counter_after());
  const bool covered = missing->is_zero() || is_positive(leaf.symbols, -*missing);
  const bool same_key = state.key == states_[from].key;
  const auto price_of_step = [&]() -> bool {
    for (const auto& [name, symbols] : head_.variables) {
      const Polynomial step = leaf.values.at(name)[0] - Polynomial::symbol(symbols[0]);
      const auto size = step.constant();
      if (!leaf.symbols[static_cast<std::size_t>(symbols[0])].is_whole || !size) continue;
      if (size->sign() <= 0) continue;
      prices_[symbols[0]] += *missing * Polynomial(Rational(1) / *size);
      return true;
    }
    return false;
  };
  Polynomial base = states_[from].base;
  if (!covered) {
    saw_phases_ = saw_phases_ || !same_key;
    const bool once = !same_key && phases_first_;
    if (!once && price_of_step()) return restart();
    if (same_key) {
      if (!may_pay_for_passes(*missing)) return Added::kFailed;
      prices_[head_.counter] += *missing;
      return restart();
    }
  }
  if (!same_key) base += *missing;
  const auto found =
      std::ranges::find_if(states_, [&](const State& s) { return s.key == state.key; });
  if (found == states_.end()) {
    if (states_.size() >= kMaxStates) return Added::kFailed;
    state.base = base;
    states_.push_back(std::move(state));
    return Added::kTaken;
  }
  const auto place = static_cast<std::size_t>(found - states_.begin());
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    if (!found->facts[i] || state.facts[i]) continue;
    found->facts[i] = false;
    weakened_ = std::min(place, weakened_.value_or(place));
  }
  return raise(*found, base) ? Added::kTaken : Added::kFailed;
}

void Invariants::settle() {
  if (!weakened_) return;
  states_.resize(*weakened_ + 1);
  for (State& each : states_) each.followed = false;
  weakened_.reset();
}

}  // namespace lastbit::verify
