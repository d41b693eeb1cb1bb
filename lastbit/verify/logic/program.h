// Programs of the mechanism language, as values: what the logic is about, what certificates carry,
// what the kernel reads. verify/lang turns text into a Program.
//
// Meaning        A mechanism is run twice, on inputs that are adjacent. Parameters that no
//                adjacency names are public: equal in both runs. Its result is the sequence of its
//                outputs. All arithmetic is that of the real numbers; an entry of a list outside
//                its length is 0, so evaluation is total except for division by 0, ln of a number
//                ≤ 0 and samplers with impossible parameters.
//                docs/language.md is the guide, proofs/coupling.md#programs the definition.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lastbit/numerics/rational.h"

namespace lastbit::verify {

// A place in the source. It is not part of the meaning, so all positions compare equal.
struct Position {
  int line = 0;
  int column = 0;
  friend bool operator==(const Position&, const Position&) { return true; }
};

enum class Type { kBool, kInt, kReal };

enum class Operator {
  // Leaves.
  kNumber,    // `number`
  kBoolean,   // `number` is 0 or 1
  kVariable,  // `name`; in an adjacency also name.1 and name.2 (`side`)
  kEntry,     // name[operand]
  // Arithmetic.
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kNegate,
  kModulo,  // a % b for whole a and b > 0, in [0, b)
  // Functions of the reals.
  kAbs,
  kMin,
  kMax,
  kClamp,            // clamp(x, low, high) = min(max(x, low), high)
  kRound,            // round(x, grid): nearest multiple of grid > 0, ties to +∞
  kRoundHalfEven,    // round_half_even(x, grid): ties to even multiples
  kRoundTowardZero,  // round_toward_zero(x, grid)
  kFloor,            // floor(x)
  kCeil,             // ceil(x)
  kLn,
  kExp,
  kPow2Ceil,  // pow2ceil(x): the least power of two ≥ x > 0, with exponents of either sign
  kLogistic,  // logistic(t) = e^t / (1 + e^t)
  // Truth.
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kAnd,
  kOr,
  kNot,
};
inline constexpr int kOperatorCount = static_cast<int>(Operator::kNot) + 1;

struct Expression {
  Operator op = Operator::kNumber;
  Rational number = {};
  std::string name = {};
  int side = 0;  // 0, or which of the two runs, in adjacencies only
  std::vector<Expression> operands = {};
  Position at = {};
  friend bool operator==(const Expression&, const Expression&) = default;
};

enum class Sampler {
  kUniform,          // uniform(0, 1): the open unit interval; no arguments here
  kSign,             // sign(): −1 or 1 with probability 1/2 each; no arguments
  kBernoulli,        // bernoulli(p): true with probability p in [0, 1]
  kLaplace,          // laplace(b): density e^(−|y|/b) / (2b), b > 0
  kExponential,      // exponential(b): density e^(−y/b) / b on y ≥ 0
  kGeometric,        // geometric(b): P(k) ∝ e^(−k/b) for whole k ≥ 0
  kDiscreteLaplace,  // discrete_laplace(b): P(k) ∝ e^(−|k|/b) for whole k
};
inline constexpr int kSamplerCount = static_cast<int>(Sampler::kDiscreteLaplace) + 1;

struct Statement;
using Block = std::vector<Statement>;

struct Assign {
  std::string name;
  Expression value;
  friend bool operator==(const Assign&, const Assign&) = default;
};
struct Sample {
  std::string name;
  Sampler sampler = Sampler::kUniform;
  std::vector<Expression> arguments;
  friend bool operator==(const Sample&, const Sample&) = default;
};
struct If {
  Expression condition;
  Block then_block;
  Block else_block;
  friend bool operator==(const If&, const If&) = default;
};
// for counter in from .. to while guard { body }: counter runs through the whole numbers from ≤ c <
// to, and the loop ends before a pass whose guard is false. The body may not assign the counter;
// `to` and `from` are evaluated once.
struct Loop {
  std::string counter;
  Expression from;
  Expression to;
  std::optional<Expression> guard;
  Block body;
  friend bool operator==(const Loop&, const Loop&) = default;
};
// output e; appends e to the result. return e; is the same as the last statement of a mechanism.
struct Output {
  Expression value;
  bool is_return = false;
  friend bool operator==(const Output&, const Output&) = default;
};

struct Statement {
  std::variant<Assign, Sample, If, Loop, Output> what;
  Position at;
  friend bool operator==(const Statement&, const Statement&) = default;
};

struct Parameter {
  std::string name;
  Type type = Type::kReal;
  std::string length =
      {};  // a list when not empty: the name of the whole parameter that is its length
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

enum class Reach {
  kValue,  // conditions between name.1 and name.2 of scalar parameters
  kEvery,  // they hold between every two entries with the same index
  kOne,    // … between the entries at one unknown index; all other entries are equal
};

struct Adjacency {
  Reach reach = Reach::kValue;
  std::string list;                    // for kEvery and kOne
  std::vector<Expression> conditions;  // comparisons; the list's name.1, name.2 mean its entries
  friend bool operator==(const Adjacency&, const Adjacency&) = default;
};

struct Program {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Expression> requirements;  // comparisons between public parameters
  std::vector<Adjacency> adjacent;
  Expression claimed_epsilon;
  Expression claimed_delta;       // the number 0 unless the program says otherwise
  std::vector<Parameter> locals;  // every variable of the body with its type, as inferred
  Block body;
  friend bool operator==(const Program&, const Program&) = default;
};

// visit: visits every statement of the block and of the blocks within, in the order of the text.
void visit(const Block& block, const std::function<void(const Statement&)>& see);

// The word of the language for each operator that is called like a function, for each sampler and
// each type; empty for operators that are written as signs.
std::string_view function_name(Operator op);
std::string_view sampler_name(Sampler sampler);
std::string_view type_name(Type type);
// argument_count: how many operands the operator takes, how many arguments the sampler.
int argument_count(Operator op);
int argument_count(Sampler sampler);

}  // namespace lastbit::verify
