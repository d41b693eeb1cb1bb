// What the source files of the calculus share; no other file includes it.
#pragma once

#include <string>
#include <string_view>

#include "lastbit/base/error.h"
#include "lastbit/base/work_limit.h"
#include "lastbit/verify/logic/calculus.h"

namespace lastbit::verify::calculus_internal {

// The most cases that one condition may fall into, and what one goal may have.
inline constexpr std::size_t kMaxCases = 64;
inline constexpr std::size_t kMaxSymbols = 2'500;
inline constexpr std::size_t kMaxFacts = 1'000;
inline constexpr std::size_t kMaxNameLength = 64;
// The variable that holds the truth value of `output condition` until it is output.
inline constexpr std::string_view kOutputName = "#output";

// mismatch: the step does not fit the goal. not_supported: the logic cannot express it.
Error mismatch(std::string_view problem);
Error not_supported(Position at, std::string_view problem, std::string_view remedy);

SymbolId fresh(Goal& goal, std::string_view name, bool whole = false, bool positive = false);
void add_fact(Goal& goal, Polynomial value, Sign sign);
void add_facts(Goal& goal, const std::vector<Fact>& facts);
// add_truth: both values represent truth values, which lie between 0 and 1.
void add_truth(Goal& goal, const std::array<Polynomial, 2>& values);
// oblige: `value` must have the sign, unless it has it by its form. Equalities become two.
void oblige(const Goal& goal, const Polynomial& value, Sign sign, std::string_view why,
            Obligations& obligations);
// require_known: a polynomial from outside mentions only symbols that exist and may be used, and
// divides only by positive ones.
void require_known(const std::vector<Symbol>& symbols, const Polynomial& value);
// require_before_draw: a polynomial does not mention the draw that is about to happen. Only the
// test of a choice may: a case distinction on the draw, or a function of it, would let its coupling
// depend on it, and couple two draws with one (proofs/coupling.md#kernel).
void require_before_draw(const Goal& goal, const Polynomial& value);
// define: `symbol` is `value`, so it is replaced everywhere, and the equation is kept.
void define(Goal& goal, SymbolId symbol, const Polynomial& value);
// one_over: the reciprocal of a value that is or must be shown to be positive.
Polynomial one_over(Goal& goal, const Polynomial& value, Position at, Obligations& obligations);
// the_symbol: the symbol that a value consists of, if it does.
std::optional<SymbolId> the_symbol(const Polynomial& value);

// function_value, entry_values: the symbols that stand for a function's value and for the two
// values of a list's entry, created if they do not exist yet.
Polynomial function_value(Goal& goal, Operator op, std::vector<Polynomial> arguments, Position at,
                          Obligations& obligations);
const std::array<Polynomial, 2>& entry_values(Goal& goal, const std::string& list,
                                              const Polynomial& index, Position at);

// adjacency_facts: the conditions of an adjacency between two values.
std::vector<Fact> adjacency_facts(const Goal& goal, const Adjacency& adjacency,
                                  const std::array<Polynomial, 2>& entries);

// find_parameter: the one with this name, or none. declared: the same among all of a program's.
const Parameter* find_parameter(const std::vector<Parameter>& list, const std::string& name);
const Parameter& declared(const Program& program, const std::string& name);
// is_truth: the operator gives a truth value, which must be decided before it is one.
bool is_truth(Operator op);

// product: every case of a together with every case of b.
using Cases = std::vector<std::vector<Fact>>;
Cases product(const Cases& a, const Cases& b);

// require_matched: both runs have produced equally many outputs.
void require_matched(const Goal& goal);
// advance: runs what involves no choice, up to the next draw, branch, loop, output or end.
void advance(Goal& goal, Obligations& obligations);
void assign(Goal& goal, const Assign& statement, int side, Obligations& obligations);
void begin_draw(Goal& goal, const Sample& sample, Position at, Obligations& obligations);

// The steps that have a file of their own.
Goals couple(const Goal& goal, const Couple& step, Obligations& obligations);
Goals couple_coin(const Goal& goal, const CoupleCoin& step, Obligations& obligations);
Goals give_up(const Goal& goal, Obligations& obligations);
Goals introduce_laplace(const Goal& goal, const IntroduceLaplace& step, Obligations& obligations);
Goals use_invariant(const Goal& goal, const UseInvariant& step, Obligations& obligations);
Goals repeat(const Goal& goal, const Repeat& step, Obligations& obligations);
// guard_cases: what the two runs may make of a condition, with the facts of each case.
struct GuardCase {
  bool first = false;
  bool second = false;
  std::vector<Fact> facts;
};
std::vector<GuardCase> guard_cases(Goal& goal, const Expression& condition, int side,
                                   Obligations& obligations);

}  // namespace lastbit::verify::calculus_internal
