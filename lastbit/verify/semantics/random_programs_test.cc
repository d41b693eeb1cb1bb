// Random programs, executed in two ways.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "lastbit/verify/semantics/evaluate.h"
#include "lastbit/verify/semantics/execute.h"
#include "lastbit/verify/semantics/model_test_support.h"
#include "lastbit/verify/semantics/program_test_support.h"

namespace lastbit::verify {
namespace random_programs_test {

using namespace testing;

// Expressions and blocks over x, y, z and the counters i, j, in which everything can go wrong.
Expression some_expression(Dice& dice, int depth) {
  if (depth == 0 || dice.below(3) == 0) {
    if (dice.coin()) return number(Rational(dice.below(5) - 1));
    return variable(std::vector<std::string>{"x", "y", "z", "i", "j"}.at(
        static_cast<std::size_t>(dice.below(5))));
  }
  const std::vector<Operator> choices{Operator::kAdd,    Operator::kSubtract, Operator::kMultiply,
                                      Operator::kDivide, Operator::kMin,      Operator::kModulo,
                                      Operator::kRound,  Operator::kLess,     Operator::kEqual,
                                      Operator::kAnd,    Operator::kOr,       Operator::kNot};
  const Operator op = choices.at(static_cast<std::size_t>(dice.below(12)));
  std::vector<Expression> operands;
  for (int i = 0; i < argument_count(op); ++i) operands.push_back(some_expression(dice, depth - 1));
  return make(op, std::move(operands));
}

Block some_block(Dice& dice, int depth) {
  Block block;
  const std::string name =
      std::vector<std::string>{"x", "y", "z"}.at(static_cast<std::size_t>(dice.below(3)));
  for (int i = 1 + dice.below(3); i > 0; --i) {
    const int kind = dice.below(depth > 0 ? 6 : 4);
    if (kind == 0) block.push_back(let(name, some_expression(dice, 2)));
    if (kind == 1) block.push_back(draw(name, Sampler::kSign));
    if (kind == 2) block.push_back(draw(name, Sampler::kBernoulli, {number(Rational(1, 3))}));
    if (kind == 3) block.push_back(output(some_expression(dice, 2)));
    if (kind == 4) {
      block.push_back(says(
          If{some_expression(dice, 2), some_block(dice, depth - 1), some_block(dice, depth - 1)}));
    }
    if (kind == 5) {
      std::optional<Expression> guard;
      if (dice.coin()) guard = some_expression(dice, 2);
      block.push_back(says(Loop{depth == 2 ? "i" : "j", number(0), some_expression(dice, 1), guard,
                                some_block(dice, depth - 1)}));
    }
  }
  return block;
}

// The second way to execute a program: one draw after the other, without merging equal states.
class Walk {
 public:
  Walk() : names_{{{"x", 0}, {"y", 1}, {"z", 2}, {"i", 3}, {"j", 4}}, {}, 2} {}

  using Then = std::function<void(Walk)>;
  void block(const Block& statements, std::size_t next, const Then& then) const {
    if (next == statements.size()) return then(*this);
    const Then rest = [&](const Walk& after) { after.block(statements, next + 1, then); };
    const auto& what = statements[next].what;
    if (const auto* sample = std::get_if<Sample>(&what)) {
      const bool sign = sample->sampler == Sampler::kSign;
      rest(with(sample->name, 1, sign ? Rational(1, 2) : Rational(1, 3)));
      return rest(with(sample->name, sign ? -1 : 0, sign ? Rational(1, 2) : Rational(2, 3)));
    }
    if (const auto* loop = std::get_if<Loop>(&what)) {
      const auto to = value(loop->to);
      if (to) with(loop->counter, 0, 1).pass(*loop, *to, rest);
      return;
    }
    const auto* assign = std::get_if<Assign>(&what);
    const auto* branch = std::get_if<If>(&what);
    const auto got = value(assign != nullptr   ? assign->value
                           : branch != nullptr ? branch->condition
                                               : std::get<Output>(what).value);
    if (!got) return;
    if (assign != nullptr) return rest(with(assign->name, got->factor, 1));
    if (branch != nullptr) {
      return block(got->factor.sign() != 0 ? branch->then_block : branch->else_block, 0, rest);
    }
    Walk after = *this;
    after.outputs.push_back(got->factor);
    rest(after);
  }

  Rational mass = 1;
  std::vector<Rational> outputs;

 private:
  std::optional<LogNumber> value(const Expression& expression) const {
    return evaluate(names_, values_, expression);
  }
  Walk with(const std::string& name, const Rational& value, const Rational& probability) const {
    Walk after = *this;
    after.values_[names_.slots.at(name)] = value;
    after.mass *= probability;
    return after;
  }
  void pass(const Loop& loop, const LogNumber& to, const Then& then) const {
    const Rational counter = values_[names_.slots.at(loop.counter)].factor;
    if (counter >= to.factor) return then(*this);
    const auto guard = loop.guard ? value(*loop.guard) : LogNumber(Rational(1));
    if (!guard) return;
    if (guard->factor.sign() == 0) return then(*this);
    block(loop.body, 0, [&](const Walk& after) {
      after.with(loop.counter, counter + Rational(1), 1).pass(loop, to, then);
    });
  }

  ExecutionNames names_;
  std::vector<LogNumber> values_ = std::vector<LogNumber>(5);
};

TEST(ExecuteTest, AgreesWithAWalkThroughAllRunsOfRandomPrograms) {
  Dice dice(8);
  int with_failures = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Program random = program({}, {"x", "y", "z", "i", "j"}, some_block(dice, 2));
    const Execution execution = execute(random, {});
    FiniteDistribution<std::vector<Rational>> walked;
    Walk().block(random.body, 0, [&](const Walk& end) { walked.add(end.outputs, end.mass); });
    EXPECT_EQ(execution.outputs, walked);
    EXPECT_EQ(execution.outputs.total() + execution.impossible, Rational(1));
    if (execution.impossible.sign() > 0) ++with_failures;
  }
  EXPECT_GT(with_failures, 20);
}

}  // namespace random_programs_test
}  // namespace lastbit::verify
