// Certificates whose programs nobody could have written, or whose proofs bend a rule. Each of them
// would prove something false, or something that means nothing.
#include <gtest/gtest.h>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/kernel/check.h"
#include "lastbit/verify/lang/parser.h"
#include "tests/kernel/forge.h"

namespace lastbit::verify::testing {
namespace {

const char* const kLaplace = R"(
  mechanism m(f: real, eps: real)
    requires eps > 0
    adjacent |f.1 - f.2| <= 1
  { eta <- laplace(1 / eps); output f + eta; })";

// what_happens: what becomes of the program when it is proved by the strategy. A certificate that is
// found must convince the kernel as well.
std::string what_happens(const Program& program, const Strategy& strategy) {
  const Forgery forgery = forge(program, strategy);
  return forgery.certificate ? problem_of(*forgery.certificate) : forgery.problem;
}

Expression boolean(bool truth) {
  Expression result;
  result.op = Operator::kBoolean;
  result.number = Rational(truth ? 1 : 0);
  return result;
}
Expression named(const std::string& name, int side = 0) {
  Expression result;
  result.op = Operator::kVariable;
  result.name = name;
  result.side = side;
  return result;
}
Statement output(Expression value) { return {Output{std::move(value)}, {}}; }

Program of(const char* text) { return parse_program(text); }

TEST(HostileProgramTest, TheHonestLaplaceMechanismIsProved) {
  EXPECT_EQ(what_happens(of(kLaplace), walk(align("f"))), "accepted");
  EXPECT_EQ(what_happens(of(kLaplace), walk(keep)), "nobody can show that the outputs are equal");
}

TEST(HostileProgramTest, AParameterThatIsDrawnDoesNotChangeTheAdjacency) {
  // D is the distance of the entries. A fair sign in its place would make every distance 1.
  const char* const text = R"(
    mechanism m(q: real[n], n: int, D: int, eps: real)
      requires eps > 0, D >= 0
      adjacent every |q.1 - q.2| <= D
    { E <- sign(); eta <- laplace(1 / eps); output q[0] + eta; })";
  const Strategy attack = [](const Goal& goal) -> Step {
    if (goal.draw && goal.draw->sampler == Sampler::kLaplace) {
      if (goal.entries.empty()) {
        return Mention{.op = Operator::kEntry, .list = "q", .arguments = {Polynomial()}};
      }
      const auto drawn = goal.values.at("D")[0].constant();
      if (drawn && drawn->sign() < 0) return Absurd{};
      const auto& [first, second] = goal.entries.front().values;
      return Couple{.shift = {first - second, goal.claimed_epsilon}};
    }
    return walk(keep)(goal);
  };
  Program program = of(text);
  EXPECT_EQ(what_happens(program, attack), "nobody can show that the cost of the shift");
  std::get<Sample>(program.body[0].what).name = "D";
  EXPECT_EQ(what_happens(program, attack), "a program assigns what is not a variable of its own");
}

TEST(HostileProgramTest, TheEntriesOfAScalarAreNotPublic) {
  Program program = of("mechanism m(f: real) adjacent |f.1 - f.2| <= 1 claims 0 { output f; }");
  EXPECT_EQ(what_happens(program, walk(keep)), "nobody can show that the outputs are equal");
  const char* const refusal = "an adjacency speaks of the entries of what is not a list";
  for (const Reach reach : {Reach::kEvery, Reach::kOne}) {
    program.adjacent[0].reach = reach;
    program.adjacent[0].list = "f";
    EXPECT_EQ(what_happens(program, walk(keep)), refusal);
    program.adjacent[0].list = "g";
    EXPECT_EQ(what_happens(program, walk(keep)), refusal);
  }
  // The scalar is private by one adjacency and would become public by the other.
  program.adjacent.push_back(program.adjacent[0]);
  program.adjacent[0].reach = Reach::kValue;
  program.adjacent[1].list = "f";
  EXPECT_EQ(what_happens(program, walk(keep)), refusal);
}

TEST(HostileProgramTest, NamesOfTheCalculusItselfAreNotTaken) {
  // The truth value that is output is kept in #output; a parameter of that name would be overwritten.
  Program program = of("mechanism m(f: real) adjacent |f.1 - f.2| <= 1 claims 0 { output 1 < 2; }");
  const std::string name = "#output";
  program.parameters[0].name = name;
  const Expression gap{.op = Operator::kSubtract, .operands = {named(name, 1), named(name, 2)}};
  program.adjacent[0].conditions[0].operands[0].operands[0] = gap;
  program.body.push_back(output(named(name)));
  EXPECT_EQ(what_happens(program, walk(keep)), "a variable has an invalid name");
}

TEST(HostileProgramTest, NamesAreNames) {
  for (const std::string name : {"", " ", "f g", "1f", "f'2", "f\n", "2*f", "\xc3\xa9", "f.1"}) {
    Program program = of(kLaplace);
    program.locals[0].name = name;
    std::get<Sample>(program.body[0].what).name = name;
    EXPECT_EQ(what_happens(program, walk(align("f"))), "a variable has an invalid name");
  }
}

TEST(HostileProgramTest, VariablesAreDeclaredOnce) {
  Program program = of(kLaplace);
  program.locals[0].name = "f";
  EXPECT_EQ(what_happens(program, walk(align("f"))), "a variable is declared twice");
  program = of(kLaplace);
  program.parameters.push_back(program.parameters[0]);
  EXPECT_EQ(what_happens(program, walk(align("f"))), "a variable is declared twice");
}

TEST(HostileProgramTest, WhatIsNotDeclaredCannotBeUsed) {
  Program program = of(kLaplace);
  program.locals.clear();
  EXPECT_EQ(what_happens(program, walk(align("f"))),
            "a program assigns what is not a variable of its own");
  program = of(kLaplace);
  program.body.push_back(output(named("g")));
  EXPECT_EQ(what_happens(program, walk(align("f"))), "a variable may have no value here");
  program = of(kLaplace);
  program.body.insert(program.body.begin(), {Assign{"f", boolean(true)}, {}});
  EXPECT_EQ(what_happens(program, walk(keep)),
            "a program assigns what is not a variable of its own");
}

TEST(HostileProgramTest, ReturnIsTheLastStatement) {
  Program program =
      of("mechanism m(f: real) adjacent |f.1 - f.2| <= 1 claims 0 { output 1; return 2; }");
  EXPECT_EQ(what_happens(program, walk(keep)), "accepted");
  std::get<Output>(program.body[0].what).is_return = true;
  EXPECT_EQ(what_happens(program, walk(keep)), "return is not the last statement");
}

TEST(HostileProgramTest, ListsAreParametersWithPublicWholeLengths) {
  const char* const text = R"(
    mechanism m(q: real[n], n: int, r: real, k: int)
      adjacent every |q.1 - q.2| <= 1, |k.1 - k.2| <= 1
      claims 0
    { x := 1; output x; })";
  EXPECT_EQ(what_happens(of(text), walk(keep)), "accepted");
  const char* const refusal = "the length of a list is not a whole parameter";
  for (const char* length : {"r", "q", "x", "unknown"}) {
    Program program = of(text);
    program.parameters[0].length = length;
    EXPECT_EQ(what_happens(program, walk(keep)), refusal) << length;
  }
  Program program = of(text);
  program.parameters[0].length = "k";
  EXPECT_EQ(what_happens(program, walk(keep)), "the length of a list is private");
  program = of(text);
  program.locals[0].length = "n";
  EXPECT_EQ(what_happens(program, walk(keep)), refusal);
  program = of(text);
  program.adjacent.push_back(program.adjacent[0]);
  EXPECT_EQ(what_happens(program, walk(keep)), "a list has two adjacencies");
}

TEST(HostileProgramTest, OnlyAdjacenciesSpeakOfOneRun) {
  const char* const refusal = "name.1 and name.2 belong into adjacencies";
  Program program = of("mechanism m(f: real) adjacent |f.1 - f.2| <= 1 claims 0 { output f; }");
  Program body = program;
  body.body[0] = output(named("f", 1));
  EXPECT_EQ(what_happens(body, walk(keep)), refusal);
  Program claim = program;
  claim.claimed_epsilon = named("f", 2);
  EXPECT_EQ(what_happens(claim, walk(keep)), refusal);
  claim.claimed_epsilon = named("f");
  EXPECT_EQ(what_happens(claim, walk(keep)), "the claim depends on a private input");
  claim = program;
  claim.claimed_delta = named("f");
  EXPECT_EQ(what_happens(claim, walk(keep)), "the claim depends on a private input");
  Program required = program;
  required.requirements = {{.op = Operator::kEqual, .operands = {named("f", 1), named("f", 2)}}};
  EXPECT_EQ(what_happens(required, walk(keep)), refusal);
  Program third = program;
  third.adjacent[0].conditions[0] = {.op = Operator::kLess,
                                     .operands = {named("f", 1), named("f", 3)}};
  EXPECT_EQ(what_happens(third, walk(keep)), refusal);
}

TEST(HostileProgramTest, RequirementsOfPrivateInputsSpeakOfOneRunOnly) {
  Program program = of("mechanism m(f: real) adjacent |f.1 - f.2| <= 1 claims 0 { output f; }");
  program.requirements = {{.op = Operator::kEqual, .operands = {named("f"), Expression{}}}};
  EXPECT_EQ(what_happens(program, walk(keep)), "nobody can show that the outputs are equal");
}

TEST(HostileProgramTest, DrawsHaveTheTypeOfTheirVariable) {
  const char* const refusal = "a draw has another type than its variable";
  for (const Type type : {Type::kInt, Type::kBool}) {
    Program program = of(kLaplace);
    program.locals[0].type = type;
    EXPECT_EQ(what_happens(program, walk(align("f"))), refusal);
  }
  Program coin = of(R"(
    mechanism m(f: real) adjacent |f.1 - f.2| <= 1 claims 0
    { b <- bernoulli(1/2); if b { output 1; } else { output 0; } })");
  EXPECT_EQ(what_happens(coin, walk(keep)), "accepted");
  coin.locals[0].type = Type::kReal;
  EXPECT_EQ(what_happens(coin, walk(keep)), refusal);
  Program whole = of(R"(
    mechanism m(f: real, eps: real) requires eps > 0 adjacent |f.1 - f.2| <= 1 claims 0
    { k <- geometric(1 / eps); output k; })");
  EXPECT_EQ(what_happens(whole, walk(keep)), "accepted");
  whole.locals[0].type = Type::kReal;
  EXPECT_EQ(what_happens(whole, walk(keep)), "accepted");
  whole.locals[0].type = Type::kBool;
  EXPECT_EQ(what_happens(whole, walk(keep)), refusal);
}

TEST(HostileProgramTest, ValuesHaveTheTypeOfTheirVariable) {
  // If f could pass for a truth value or a whole number, comparisons of it would be decided wrongly.
  Program program = of(R"(
    mechanism m(f: real) adjacent |f.1 - f.2| <= 1 claims 0
    { x := f / 2; if x < 1 { output 0; } else { output 1; } })");
  EXPECT_EQ(what_happens(program, walk(keep)), "nobody can show that the outputs are equal");
  program.locals[0].type = Type::kInt;
  EXPECT_EQ(what_happens(program, walk(keep)),
            "a whole variable is given a value that may not be whole");
  program.locals[0].type = Type::kBool;
  EXPECT_EQ(what_happens(program, walk(keep)), "a number is assigned to a truth value");
  program.locals[0].type = Type::kReal;
  std::get<If>(program.body[1].what).condition = named("x");
  EXPECT_EQ(what_happens(program, walk(keep)), "a number stands where a truth value should");
  const Expression half{.number = rational("1/2")};
  for (const Expression& condition :
       {named("f"), half, Expression{.op = Operator::kAdd, .operands = {half, half}}}) {
    std::get<If>(program.body[1].what).condition = condition;
    EXPECT_EQ(what_happens(program, walk(keep)), "a number stands where a truth value should");
  }
  program.body = {
      output({.op = Operator::kAdd,
              .operands = {{.op = Operator::kNot, .operands = {boolean(true)}}, Expression{}}})};
  EXPECT_EQ(what_happens(program, walk(keep)), "a truth value stands where a number should");
}

TEST(HostileProgramTest, OperatorsAndSamplersHaveTheirArguments) {
  for (int op = 0; op < kOperatorCount; ++op) {
    for (std::size_t count = 0; count <= 4; ++count) {
      if (static_cast<int>(count) == argument_count(static_cast<Operator>(op))) continue;
      Expression wrong{.op = static_cast<Operator>(op), .name = "f"};
      wrong.operands.assign(count, Expression{});
      const char* const refusal = "an operator has the wrong number of operands";
      Program program = of(kLaplace);
      program.body[1] = output(wrong);
      EXPECT_EQ(what_happens(program, walk(align("f"))), refusal);
      program = of(kLaplace);
      program.adjacent[0].conditions[0] = wrong;
      EXPECT_EQ(what_happens(program, walk(align("f"))), refusal);
    }
  }
  Program program = of(R"(
    mechanism m(f: real, eps: real) requires eps > 0 adjacent |f.1 - f.2| <= 1
    { u <- uniform(0, 1); s <- sign(); z := s * ln(u) / eps; output f + z; })");
  const Strategy introduce = [](const Goal& goal) -> Step {
    const bool uniform = goal.draw && goal.draw->sampler == Sampler::kUniform;
    return uniform ? Step(IntroduceLaplace{2}) : walk(align("f"))(goal);
  };
  EXPECT_EQ(what_happens(program, introduce), "accepted");
  std::get<Sample>(program.body[1].what).arguments = {Expression{}};
  EXPECT_EQ(what_happens(program, introduce), "a sampler has the wrong number of arguments");
  // A sign of -1 would be neither of the two truth values.
  std::get<Sample>(program.body[1].what).arguments.clear();
  for (Parameter& local : program.locals) {
    if (local.name == "s") local.type = Type::kBool;
  }
  EXPECT_EQ(what_happens(program, introduce), "a draw has another type than its variable");
}

TEST(HostileProgramTest, CountersAreWholeVariablesOfTheirOwn) {
  const char* const text = R"(
    mechanism m(f: real, n: int) adjacent |f.1 - f.2| <= 1 claims 0
    { for i in 0 .. n { x := 1; } output 1; })";
  const Strategy loop = [](const Goal& goal) -> Step {
    if (waiting_for(goal) == Waiting::kLoop) return UseInvariant{.disjuncts = {Disjunct{}}};
    return waiting_for(goal) == Waiting::kRepeat ? Step(Repeat{}) : walk(keep)(goal);
  };
  EXPECT_EQ(what_happens(of(text), loop), "accepted");
  const auto with_counter = [&](const std::string& name) {
    Program program = of(text);
    std::get<Loop>(program.body[0].what).counter = name;
    return what_happens(program, loop);
  };
  EXPECT_EQ(with_counter("x"), "a loop assigns its own counter");
  EXPECT_EQ(with_counter("n"), "a program assigns what is not a variable of its own");
  EXPECT_EQ(with_counter("j"), "a program assigns what is not a variable of its own");
  Program program = of(text);
  for (Parameter& local : program.locals) local.type = Type::kReal;
  EXPECT_EQ(what_happens(program, loop),
            "the counter of a loop must be a whole variable of its own");
}

TEST(HostileProgramTest, BoundsOfLoopsAreWhole) {
  Program program = of(R"(
    mechanism m(f: real, n: int) adjacent |f.1 - f.2| <= 1 claims 0
    { for i in 0 .. n { x := 1; } output 1; })");
  const Strategy loop = [](const Goal& goal) -> Step {
    if (waiting_for(goal) == Waiting::kLoop) return UseInvariant{.disjuncts = {Disjunct{}}};
    return waiting_for(goal) == Waiting::kRepeat ? Step(Repeat{}) : walk(keep)(goal);
  };
  const Expression half{.number = rational("1/2")};
  std::get<Loop>(program.body[0].what).to = half;
  EXPECT_EQ(what_happens(program, loop), "a loop has bounds that may not be whole");
  std::get<Loop>(program.body[0].what).to = named("n");
  std::get<Loop>(program.body[0].what).from = half;
  EXPECT_EQ(what_happens(program, loop), "a loop has bounds that may not be whole");
}

TEST(HostileProgramTest, ClaimsAreNotNegative) {
  Program program = of("mechanism m(f: real) adjacent |f.1 - f.2| <= 1 claims 0 { output 1; }");
  program.claimed_delta.number = Rational(-1);
  EXPECT_EQ(what_happens(program, walk(keep)),
            "nobody can show that what was given up is at most the claimed delta");
  program.claimed_delta.number = Rational(0);
  program.claimed_epsilon.number = Rational(-1);
  EXPECT_EQ(what_happens(program, walk(keep)),
            "nobody can show that the cost is at most the claimed epsilon");
}

TEST(HostileProgramTest, EveryDirectionOfTheAdjacencyIsProved) {
  const char* const text = R"(
    mechanism m(f: real, eps: real) requires eps > 0 adjacent f.1 <= f.2, f.2 <= f.1 + 1
    { eta <- laplace(1 / eps); output f + eta; })";
  const Certificate good = *forge(of(text), walk(align("f"))).certificate;
  ASSERT_EQ(good.proofs.size(), 2U);
  ASSERT_EQ(problem_of(good), "accepted");
  const auto with_proofs = [&](std::vector<Proof> proofs) {
    return problem_of({good.program, std::move(proofs)});
  };
  const Proof& one = good.proofs[0];
  const Proof& two = good.proofs[1];
  const char* const missing = "a direction of the adjacency is missing";
  const char* const number = "the adjacency needs 2 proofs, one for each direction that differs";
  EXPECT_EQ(with_proofs({}), number);
  EXPECT_EQ(with_proofs({one}), number);
  EXPECT_EQ(with_proofs({two}), number);
  EXPECT_EQ(with_proofs({one, two, one}), number);
  EXPECT_EQ(with_proofs({one, one}), missing);
  EXPECT_EQ(with_proofs({two, one}), missing);
  EXPECT_EQ(with_proofs({two, two}), missing);
  // A mechanism that is private in one direction only: exponential noise covers moves down.
  const Program one_way = of(R"(
    mechanism m(f: real, eps: real) requires eps > 0 adjacent f.2 <= f.1, f.1 <= f.2 + 1
    { eta <- exponential(1 / eps); output f + eta; })");
  EXPECT_EQ(what_happens(one_way, walk(align("f"))),
            "nobody can show that the shifted noise stays in its support");
  const Certificate symmetric = *forge(of(kLaplace), walk(align("f"))).certificate;
  EXPECT_EQ(problem_of({symmetric.program, {symmetric.proofs[0], symmetric.proofs[0]}}),
            "the adjacency needs 1 proofs, one for each direction that differs");
}

TEST(HostileProgramTest, NumbersThatExplodeAreRefusedSoon) {
  Program program = of(R"(
    mechanism m(f: real) adjacent |f.1 - f.2| <= 1 claims 0
    { c := 3; c := c * c; output c; })");
  EXPECT_EQ(what_happens(program, walk(keep)), "accepted");
  const Statement square = program.body[1];
  program.body.insert(program.body.begin() + 1, 100, square);
  EXPECT_EQ(problem_of({program, {{}}}), "an expression grows too large");
  program.locals[0].type = Type::kReal;
  std::get<Assign>(program.body[0].what).value.number = rational("1/3");
  EXPECT_EQ(problem_of({program, {{}}}), "an expression grows too large");
}

// SLOW: HostileProgramTest.ManySymbolsAreRefusedSoon
TEST(HostileProgramTest, ManySymbolsAreRefusedSoon) {
  Program program =
      of("mechanism m(f: real) adjacent |f.1 - f.2| <= 1 claims 0 { x := floor(f); output 1; }");
  for (int i = 0; i < 6'000; ++i) {
    Statement next = program.body[0];
    Expression& argument = std::get<Assign>(next.what).value.operands[0];
    argument = {.op = Operator::kAdd, .operands = {named("f"), {.number = Rational(i)}}};
    program.body.insert(program.body.begin(), next);
  }
  EXPECT_EQ(problem_of({program, {{}}}), "there are too many symbols");
}

}  // namespace
}  // namespace lastbit::verify::testing
