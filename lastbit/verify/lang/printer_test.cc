#include "lastbit/verify/lang/printer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lastbit/verify/lang/test_support.h"

namespace lastbit::verify {
namespace printer_test {

Expression leaf(Operator op, Rational number, std::string name = "") {
  Expression expression;
  expression.op = op;
  expression.number = std::move(number);
  expression.name = std::move(name);
  return expression;
}

Expression node(Operator op, std::vector<Expression> operands, std::string name = "") {
  Expression expression = leaf(op, Rational(0), std::move(name));
  expression.operands = std::move(operands);
  return expression;
}

bool is_number(const Expression& expression) { return expression.op == Operator::kNumber; }

// Random well-typed programs in the form that the parser gives, but with `locals` left empty. The
// parser is not used: names v… are numbers, t… are truth values, i… are counters by their depth.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : dice_(seed) {}

  Program run() {
    Program program;
    program.name = dice_.one_in(5) ? "laplace" : "m";
    program.parameters = {{"f", Type::kReal, ""},  {"x", Type::kBool, ""},  {"g", Type::kInt, ""},
                          {"q", Type::kReal, "n"}, {"c", Type::kInt, "n"},  {"n", Type::kInt, ""},
                          {"D", Type::kReal, ""},  {"eps", Type::kReal, ""}};
    headers(program);
    numbers_ = {"f", "g", "n", "D", "eps"};
    truths_ = {"x"};
    program.body = block(3);
    if (dice_.one_in(2)) {
      program.body.push_back({Output{.value = any(3), .is_return = true}, {}});
    }
    return program;
  }

 private:
  Expression variable(std::string name, int side = 0) {
    Expression expression = leaf(Operator::kVariable, Rational(0), std::move(name));
    expression.side = side;
    return expression;
  }

  Rational rational() {
    static const std::vector<std::string> corners = {"0",     "1",   "-1",   "2",     "1/3",
                                                     "-2/3",  "0.1", "-0.5", "1e-40", "-1e-40",
                                                     "1e100", "-7",  "12.25"};
    return Rational::parse(dice_.pick(corners));
  }
  Expression number() { return leaf(Operator::kNumber, rational()); }
  // Something that is not the number 0 or below, wherever one is forbidden.
  Expression positive(int depth) {
    Expression found = numeric(depth);
    if (is_number(found)) found.number = abs(found.number) + Rational(1);
    return found;
  }

  Expression numeric(int depth) {
    if (depth <= 0 || dice_.one_in(5)) {
      return dice_.one_in(2) ? number() : variable(dice_.pick(numbers_));
    }
    switch (dice_.below(7)) {
      case 0:
        return node(Operator::kEntry, {whole(depth - 1)}, dice_.one_in(2) ? "q" : "c");
      case 1:
        return negated(numeric(depth - 1));
      case 2:
        return divided(numeric(depth - 1), positive(depth - 1));
      case 3:
        return whole(depth);
      case 4:
        return called(depth);
      default: {
        static const std::vector<Operator> signs = {Operator::kAdd, Operator::kSubtract,
                                                    Operator::kMultiply};
        return node(dice_.pick(signs), {numeric(depth - 1), numeric(depth - 1)});
      }
    }
  }

  // Operations on numbers that the parser reads as one number.
  Expression negated(Expression operand) {
    if (is_number(operand)) return leaf(Operator::kNumber, -operand.number);
    return node(Operator::kNegate, {std::move(operand)});
  }
  Expression divided(Expression a, Expression b) {
    if (is_number(a) && is_number(b)) return leaf(Operator::kNumber, a.number / b.number);
    return node(Operator::kDivide, {std::move(a), std::move(b)});
  }

  Expression called(int depth) {
    std::vector<Operator> functions;
    for (int i = 0; i < kOperatorCount; ++i) {
      const auto op = static_cast<Operator>(i);
      if (!function_name(op).empty()) functions.push_back(op);
    }
    const Operator op = dice_.pick(functions);
    std::vector<Expression> operands;
    for (int i = 0; i < argument_count(op); ++i) operands.push_back(positive(depth - 1));
    return node(op, std::move(operands));
  }

  Expression whole(int depth) {
    if (depth <= 0) return dice_.one_in(2) ? leaf(Operator::kNumber, Rational(3)) : variable("g");
    switch (dice_.below(4)) {
      case 0:
        return node(Operator::kFloor, {numeric(depth - 1)});
      case 1:
        return node(Operator::kModulo,
                    {whole(depth - 1),
                     node(Operator::kAdd, {variable("n"), leaf(Operator::kNumber, Rational(1))})});
      case 2:
        return node(Operator::kSubtract, {whole(depth - 1), whole(depth - 1)});
      default:
        return counters_.empty() ? variable("n") : variable(dice_.pick(counters_));
    }
  }

  Expression truth(int depth) {
    if (depth <= 0 || dice_.one_in(6)) {
      return dice_.one_in(2) ? leaf(Operator::kBoolean, Rational(dice_.below(2)))
                             : variable(dice_.pick(truths_));
    }
    switch (dice_.below(5)) {
      case 0:
        return node(Operator::kNot, {truth(depth - 1)});
      case 1:
        return node(dice_.one_in(2) ? Operator::kAnd : Operator::kOr,
                    {truth(depth - 1), truth(depth - 1)});
      case 2:
        return node(dice_.one_in(2) ? Operator::kEqual : Operator::kNotEqual,
                    {truth(depth - 1), truth(depth - 1)});
      default:
        return node(comparison(), {numeric(depth - 1), numeric(depth - 1)});
    }
  }
  Operator comparison() {
    static const std::vector<Operator> signs = {Operator::kLess,    Operator::kLessEqual,
                                                Operator::kGreater, Operator::kGreaterEqual,
                                                Operator::kEqual,   Operator::kNotEqual};
    return dice_.pick(signs);
  }
  Expression any(int depth) { return dice_.one_in(3) ? truth(depth) : numeric(depth); }

  void headers(Program& program) {
    numbers_ = {"D", "eps", "n"};
    while (dice_.one_in(2)) {
      program.requirements.push_back(node(comparison(), {numeric_header(2), numeric_header(2)}));
    }
    program.adjacent.push_back(clause(Reach::kValue, "", dice_.one_in(2) ? "f" : "x"));
    if (dice_.one_in(2)) program.adjacent.push_back(clause(Reach::kEvery, "q", "q"));
    if (dice_.one_in(2)) program.adjacent.push_back(clause(Reach::kOne, "c", "c"));
    program.claimed_epsilon = numeric_header(2);
    if (is_number(program.claimed_epsilon)) program.claimed_epsilon = variable("eps");
    if (dice_.one_in(3)) program.claimed_delta = leaf(Operator::kNumber, Rational(1, 3));
  }
  // Without lists, which may be private.
  Expression numeric_header(int depth) {
    if (depth <= 0) return dice_.one_in(2) ? number() : variable(dice_.pick(numbers_));
    return node(dice_.one_in(2) ? Operator::kSubtract : Operator::kMultiply,
                {numeric_header(depth - 1), negated(numeric_header(depth - 1))});
  }
  Adjacency clause(Reach reach, std::string list, const std::string& name) {
    Adjacency found{.reach = reach, .list = std::move(list), .conditions = {}};
    do {
      const Expression step = node(Operator::kSubtract, {variable(name, 1), variable(name, 2)});
      found.conditions.push_back(
          node(comparison(),
               {dice_.one_in(2) ? node(Operator::kAbs, {step}) : step, numeric_header(1)}));
    } while (dice_.one_in(3));
    return found;
  }

  Block block(int depth) {
    Block statements;
    for (std::size_t count = dice_.below(4); count > 0; --count)
      statements.push_back(statement(depth));
    return statements;
  }
  // Assignments of a block are forgotten after it, as if it had not run.
  Block inner_block(int depth) {
    const auto before = std::pair(numbers_, truths_);
    Block statements = block(depth);
    std::tie(numbers_, truths_) = before;
    return statements;
  }

  Statement statement(int depth) {
    switch (dice_.below(depth > 0 ? 8 : 5)) {
      case 0:
      case 1: {
        Assign assign{.name = fresh('v'), .value = numeric(4)};
        numbers_.push_back(assign.name);
        return {std::move(assign), {}};
      }
      case 2: {
        Assign assign{.name = fresh('t'), .value = truth(4)};
        truths_.push_back(assign.name);
        return {std::move(assign), {}};
      }
      case 3:
        return {sample(), {}};
      case 4:
        return {Output{.value = any(4), .is_return = false}, {}};
      case 5:
        return {If{.condition = truth(3),
                   .then_block = inner_block(depth - 1),
                   .else_block = inner_block(depth - 1)},
                {}};
      default:
        return {loop(depth), {}};
    }
  }
  std::string fresh(char kind) { return kind + std::to_string(dice_.below(4)); }

  Sample sample() {
    Sample drawn;
    drawn.sampler = static_cast<Sampler>(dice_.below(kSamplerCount));
    const bool is_truth = drawn.sampler == Sampler::kBernoulli;
    for (int i = 0; i < argument_count(drawn.sampler); ++i) {
      drawn.arguments.push_back(is_truth ? leaf(Operator::kNumber, Rational(1, 3)) : positive(2));
    }
    drawn.name = fresh(is_truth ? 't' : 'v');
    (is_truth ? truths_ : numbers_).push_back(drawn.name);
    return drawn;
  }

  Loop loop(int depth) {
    Loop found;
    const bool has_counter = dice_.one_in(2);
    found.counter = has_counter ? "i" + std::to_string(depth) : "_pass" + std::to_string(++passes_);
    if (has_counter) found.from = whole(2);
    found.to = whole(2);
    if (has_counter) counters_.push_back(found.counter);
    if (!has_counter || dice_.one_in(2)) found.guard = truth(2);
    found.body = inner_block(depth - 1);
    if (has_counter) counters_.pop_back();
    return found;
  }

  Dice dice_;
  std::vector<std::string> numbers_;
  std::vector<std::string> truths_;
  std::vector<std::string> counters_;
  int passes_ = 0;
};

// The types of locals by the definition: everything is int until an assignment says otherwise, and
// the assignments are read again until nothing changes.
class NaiveTypes {
 public:
  explicit NaiveTypes(const Program& program) {
    for (const Parameter& parameter : program.parameters) types_[parameter.name] = parameter.type;
    do {
      changed_ = false;
      visit(program.body);
    } while (changed_);
  }
  std::vector<Parameter> locals() const {
    std::vector<Parameter> found;
    for (const std::string& name : order_) found.push_back({name, types_.at(name), ""});
    return found;
  }

 private:
  void visit(const Block& block) {
    for (const Statement& statement : block) {
      if (const auto* assign = std::get_if<Assign>(&statement.what)) {
        raise(assign->name, type(assign->value));
      } else if (const auto* sample = std::get_if<Sample>(&statement.what)) {
        static const std::map<Sampler, Type> drawn = {{Sampler::kBernoulli, Type::kBool},
                                                      {Sampler::kSign, Type::kInt},
                                                      {Sampler::kGeometric, Type::kInt},
                                                      {Sampler::kDiscreteLaplace, Type::kInt}};
        const auto found = drawn.find(sample->sampler);
        raise(sample->name, found == drawn.end() ? Type::kReal : found->second);
      } else if (const auto* branch = std::get_if<If>(&statement.what)) {
        visit(branch->then_block);
        visit(branch->else_block);
      } else if (const auto* loop = std::get_if<Loop>(&statement.what)) {
        raise(loop->counter, Type::kInt);
        visit(loop->body);
      }
    }
  }

  void raise(const std::string& name, Type type) {
    if (std::ranges::find(order_, name) == order_.end()) order_.push_back(name);
    const auto [place, is_new] = types_.try_emplace(name, type);
    if (is_new) changed_ = true;
    if (type == Type::kReal && std::exchange(place->second, type) != type) changed_ = true;
  }

  Type type(const Expression& e) const {
    switch (e.op) {
      case Operator::kNumber:
        return e.number.is_integer() ? Type::kInt : Type::kReal;
      case Operator::kVariable:
      case Operator::kEntry:
        return types_.at(e.name);
      case Operator::kFloor:
      case Operator::kCeil:
      case Operator::kModulo:
        return Type::kInt;
      case Operator::kRound:
      case Operator::kRoundHalfEven:
      case Operator::kRoundTowardZero:
        return type(e.operands[1]);
      case Operator::kDivide:
      case Operator::kLn:
      case Operator::kExp:
      case Operator::kPow2Ceil:
      case Operator::kLogistic:
        return Type::kReal;
      default:
        break;
    }
    if (e.op == Operator::kBoolean || e.op >= Operator::kLess) return Type::kBool;
    const bool real = std::ranges::any_of(
        e.operands, [&](const Expression& operand) { return type(operand) == Type::kReal; });
    return real ? Type::kReal : Type::kInt;
  }

  std::map<std::string, Type> types_;
  std::vector<std::string> order_;
  bool changed_ = false;
};

RC_GTEST_PROP(PrinterTest, RandomProgramIsReadBackAsItWas, (std::uint64_t seed)) {
  // One case of RapidCheck holds ten programs: they are small.
  for (std::uint64_t i = 0; i < 10; ++i) {
    Program program = RandomProgram(seed + i).run();
    program.locals = NaiveTypes(program).locals();
    const std::string text = print_program(program);
    Program read;
    try {
      read = parse_program(text);
    } catch (const Error& error) {
      RC_FAIL(std::string(error.what()) + "\n" + text);
    }
    if (!(read == program)) RC_FAIL("read differently:\n" + text + "\n" + print_program(read));
  }
}

std::string again(std::string_view expression) {
  const Program program = parse_program(with_body("x := " + std::string(expression) + ";"));
  return print_expression(std::get<Assign>(program.body[0].what).value);
}

TEST(PrinterTest, OnlyNeededParenthesesAreKept) {
  EXPECT_EQ(again("((f) + ((k * n)))"), "f + k * n");
  EXPECT_EQ(again("(f + k) * n"), "(f + k) * n");
  EXPECT_EQ(again("f - (k - n)"), "f - (k - n)");
  EXPECT_EQ(again("(f - k) - n"), "f - k - n");
  EXPECT_EQ(again("f / (k / n)"), "f / (k / n)");
  EXPECT_EQ(again("-(f + k)"), "-(f + k)");
  EXPECT_EQ(again("-(f * k)"), "-(f * k)");
  EXPECT_EQ(again("(-f) * k"), "-f * k");
  EXPECT_EQ(again("not (b and b)"), "not (b and b)");
  EXPECT_EQ(again("(not b) and (f < k)"), "not b and f < k");
  EXPECT_EQ(again("(b or b) and b"), "(b or b) and b");
  EXPECT_EQ(again("(f < k) == (n < k)"), "(f < k) == (n < k)");
  EXPECT_EQ(again("(not b) == b"), "(not b) == b");
}

TEST(PrinterTest, NumbersKeepTheirValueBesideSigns) {
  EXPECT_EQ(again("f * (1/3)"), "f * (1/3)");
  EXPECT_EQ(again("1/3 * f"), "1/3 * f");
  EXPECT_EQ(again("f - (-2)"), "f - -2");
  EXPECT_EQ(again("1e-3 + 0.10"), "0.001 + 0.1");
  EXPECT_EQ(again("f / (2/4)"), "f / 0.5");
  EXPECT_EQ(again("-1/3"), "-1/3");
}

TEST(PrinterTest, AbsoluteValuesAreBarsUnlessNested) {
  EXPECT_EQ(again("abs(f - k)"), "|f - k|");
  EXPECT_EQ(again("||f| - k|"), "abs(|f| - k)");
}

TEST(PrinterTest, HeadsAreOneLineWithoutTheirBlocks) {
  const Program program = parse_program(
      with_body("x := f / 2; y <- laplace(1 / eps); u <- uniform(0, 1); if x > y { output 1; }\n"
                "for i in 0 .. n while b { output i; } for i in 0 .. n { output i; }\n"
                "while b at most 2 { output 1; } output b; return x;"));
  std::vector<std::string> heads;
  for (const Statement& statement : program.body) heads.push_back(print_head(statement));
  EXPECT_EQ(heads,
            (std::vector<std::string>{"x := f / 2", "y <- laplace(1 / eps)", "u <- uniform(0, 1)",
                                      "if x > y", "for i in 0 .. n while b", "for i in 0 .. n",
                                      "while b at most 2", "output b", "return x"}));
}

TEST(PrinterTest, ProgramIsLaidOutCanonically) {
  const std::string text =
      "mechanism m(q: real[n], n: int, eps: real)\n"
      "  requires eps > 0, n >= 1\n"
      "  adjacent every 0 <= q.2 - q.1 and q.2 - q.1 <= 1\n"
      "  claims 2 * eps, delta 0.01\n"
      "{\n"
      "  x := 0;\n"
      "  for i in 0 .. n {\n"
      "    if q[i] > 0 {\n"
      "      x := 1;\n"
      "    } else if q[i] > -1 {\n"
      "      x := 2;\n"
      "    } else {\n"
      "      while x > 0 at most 9 {\n"
      "      }\n"
      "    }\n"
      "  }\n"
      "  return x;\n"
      "}\n";
  EXPECT_EQ(print_program(parse_program(text)), text);
}

TEST(PrinterTest, DeepestExpressionsAreReadBack) {
  // Right-nested differences need a parenthesis at every level.
  std::string deep = "1e-40";
  for (int i = 0; i < 199; ++i) deep = "f - (" + deep + ")";
  const Program program = parse_program(with_body("x := " + deep + ";"));
  EXPECT_EQ(parse_program(print_program(program)), program);
}

}  // namespace printer_test
}  // namespace lastbit::verify
