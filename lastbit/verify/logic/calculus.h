// The calculus: what each rule does to a goal.
//
// A goal is a pair of symbolic runs of one program, on adjacent inputs, stopped at the same place:
// the values of the variables in both runs as polynomials over symbols, facts about the symbols,
// and an upper bound of the cost so far. A step applies a rule. It leaves goals that must be proved
// in turn, and obligations: facts that must follow from other facts by arithmetic. A tree of steps
// whose obligations all hold proves the program's claim (proofs/coupling.md#kernel).
//
// The searcher and the kernel both go through apply(). The searcher guesses steps and finds out why
// obligations hold; the kernel reads the steps from a certificate and checks the reasons.
//
// Fails          a step that does not fit the goal is an Error: kMismatch; what the logic cannot
//                express, kNotSupported. The message says why and where in the program.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lastbit/verify/logic/polynomial.h"
#include "lastbit/verify/logic/program.h"
#include "lastbit/verify/logic/rules.h"

namespace lastbit::verify {

struct Symbol {
  std::string name;
  bool is_whole = false;     // its value is a whole number
  bool is_positive = false;  // its value is > 0: it may be divided by
  bool is_hidden = false;    // a draw that LAPLACE-INTRO replaced: no step may mention it
};

// The value of one function at given arguments, the same whenever they are the same: the rule DET.
struct FunctionValue {
  Operator op = Operator::kAbs;
  std::vector<Polynomial> arguments;
  Polynomial value;
  bool is_split = false;  // its definition by cases has been used
};

// list[index] in the two runs.
struct ListEntry {
  std::string list;
  Polynomial index;
  std::array<Polynomial, 2> values;
  bool is_split = false;  // for Reach::kOne: whether index is the changed one has been decided
};

// Disjunct: one of the possible situations at a loop's head, in terms of the symbols that LoopHead
// gives to the variables there.
struct Disjunct {
  // For each variable of LoopHead: its second value is the first plus this, or unknown.
  std::vector<std::optional<Polynomial>> offsets;
  std::vector<Fact> facts;
  Polynomial spent;  // a bound on the cost so far
};

// LoopHead: the names of the values at the beginning of each pass through a loop.
struct LoopHead {
  struct Variable {
    std::string name;
    std::array<SymbolId, 2> symbols;
  };
  SymbolId counter = 0;
  std::vector<Variable> variables;  // those that the body assigns and that had a value before
  std::vector<std::string> lost;    // those that the body assigns and that had none
};

struct LoopContext {
  std::shared_ptr<const Loop> loop;
  LoopHead head;
  std::vector<Disjunct> disjuncts;
};

// Frame: statements still to run, in both runs (side 0) or in one; or, when `loop` is set, the end
// of a pass through that loop's body.
struct Frame {
  std::shared_ptr<const Block> block;
  std::size_t next = 0;
  int side = 0;
  std::shared_ptr<const LoopContext> loop;
};

// Draw: a random draw that is about to happen in both runs, with equal parameters.
struct Draw {
  std::string name;
  Sampler sampler = Sampler::kUniform;
  Polynomial parameter = {};  // the scale, or the probability
  Polynomial rate = {};       // one over the scale
  SymbolId symbol = 0;        // the name for the value of the first run
  Position at = {};
};

struct Goal {
  std::shared_ptr<const Program> program;
  bool swapped = false;  // the adjacency read with .1 and .2 exchanged
  std::vector<Symbol> symbols;
  std::vector<Fact> facts;
  std::map<std::string, std::array<Polynomial, 2>> values;
  std::vector<FunctionValue> functions;
  std::vector<ListEntry> entries;
  std::map<std::string, SymbolId> changed_index;  // of each list of Reach::kOne
  std::optional<SymbolId> result;                 // in PW-EQ, the result that is considered
  bool result_is_assumed = false;                 // the first run has that result
  // What one run has output and the other has not yet.
  std::array<std::vector<Polynomial>, 2> unmatched;
  Polynomial spent;
  Polynomial spent_delta;
  Polynomial claimed_epsilon;
  Polynomial claimed_delta;
  std::vector<Frame> frames;
  std::optional<Draw> draw;
  bool is_stuck = false;  // the runs part ways here: only ABSURD is left
};

using Goals = std::vector<Goal>;

// Obligation: `goal` must follow from `facts`.
struct Obligation {
  std::vector<Symbol> symbols;
  std::vector<Fact> facts;
  Fact goal;
  std::string why;  // for people
};

// Obligations: those of a step, in order. They are stored or, if somebody wants to see each one as
// it arises, shown and discarded: a step may need thousands, each with all facts of its goal.
struct Obligations {
  std::function<void(const Obligation&)> see = nullptr;
  std::vector<Obligation> kept = {};
  void add(const Obligation& one) { see ? see(one) : kept.push_back(one); }
};

// Shift: the second run draws the first run's value plus `by`, at a cost of at most `cost`. For
// uniform draws u2 = e^(−by)·u1.
struct Shift {
  Polynomial by = {};
  Polynomial cost = {};
};

// The steps. Each says what it applies to; rule_of gives its rule.
struct Couple {  // a draw of noise: LAPGEN, LAPNULL, AXNULL, AXUNIF, EXPGEN, …, and CHOICE
  Shift shift;
  std::optional<Fact> test = {};  // of the first run's value: where it holds, `shift` applies,
  std::optional<Shift> otherwise = {};  // and elsewhere this one. Not for uniform draws.
};
struct CoupleCoin {  // bernoulli and sign: the same face, or the other one
  bool swap = false;
};
struct GiveUp {};              // bernoulli: UP-TO-BAD, the case `true` is not considered
struct IntroduceLaplace {      // at u <- uniform(0, 1) or s <- sign(): LAPLACE-INTRO
  std::size_t statements = 0;  // how many statements after the draw belong to it
};
struct Branch {};  // an if
// A value that is not needed yet, but that a shift wants to mention: an entry of a list, or a
// function of existing values.
struct Mention {
  Operator op = Operator::kEntry;
  std::string list = {};  // for entries
  std::vector<Polynomial> arguments = {};
};
struct SplitOne {  // whether entry `entry` of Goal::entries is before, at or after the changed one
  std::size_t entry = 0;
};
struct SplitFunction {  // the definition of |x|, min, max, clamp, floor, ceil or round, by cases
  std::size_t function = 0;
};
struct SplitSign {  // value < 0, = 0, > 0
  Polynomial value;
};
struct Absurd {};      // the facts contradict each other
struct UseInvariant {  // a loop
  std::vector<Disjunct> disjuncts;
  std::size_t entry = 0;  // the disjunct that holds before the first pass
};
struct Repeat {  // the end of a loop's body
  std::size_t disjunct = 0;
};
struct Emit {};       // an output
struct Finish {};     // the end of the program
struct Pointwise {};  // at the start: PW-EQ

using Step =
    std::variant<Couple, CoupleCoin, GiveUp, IntroduceLaplace, Branch, Mention, SplitOne,
                 SplitFunction, SplitSign, Absurd, UseInvariant, Repeat, Emit, Finish, Pointwise>;

// What a goal waits for.
enum class Waiting { kDraw, kBranch, kLoop, kRepeat, kOutput, kEnd };
Waiting waiting_for(const Goal& goal);
// next_statement: the statement a goal waits at; none for kDraw, kRepeat and kEnd.
const Statement* next_statement(const Goal& goal);

// start: the first goal of a program's proof. A meaningless program is an Error.
Goal start(std::shared_ptr<const Program> program, bool swapped, Obligations& obligations);
// is_symmetric: exchanging the runs gives the same adjacency, so one direction proves both.
bool is_symmetric(const Program& program);
// apply: the goals that the step leaves; what it needs is added to `obligations`.
Goals apply(const Goal& goal, const Step& step, Obligations& obligations);
// rule_of: the rule that the step applies at this goal.
Rule rule_of(const Goal& goal, const Step& step);
// loop_head: the symbols that the loop at which the goal waits will use. UseInvariant refers to
// them; they are not yet in goal.symbols.
LoopHead loop_head(const Goal& goal);

// conditions: the ways in which `expression` can have the truth value in the run `side`: a list of
// cases, each a list of facts that hold together. Empty: it cannot.
std::vector<std::vector<Fact>> conditions(Goal& goal, const Expression& expression, int side,
                                          bool truth, Obligations& obligations);
// evaluate: the value of an expression in the run `side` (0 or 1).
Polynomial evaluate(Goal& goal, const Expression& expression, int side, Obligations& obligations);

// is_whole: the value is a whole number, by its form: whole coefficients and whole symbols.
bool is_whole(const Goal& goal, const Polynomial& value);
// is_positive: the value is > 0, by its form: positive coefficients and positive symbols.
bool is_positive(const std::vector<Symbol>& symbols, const Polynomial& value);
bool is_positive(const std::vector<Symbol>& symbols, const Monomial& value);

}  // namespace lastbit::verify
