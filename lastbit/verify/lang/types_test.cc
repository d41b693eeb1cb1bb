#include "lastbit/verify/lang/types.h"

#include <gtest/gtest.h>

#include <string>

#include "lastbit/verify/lang/test_support.h"

namespace lastbit::verify {
namespace types_test {

// The locals of a body as "name: type, name: type".
std::string locals(std::string_view body) {
  std::string all;
  for (const Parameter& local : parse_program(with_body(body)).locals) {
    EXPECT_TRUE(local.length.empty());
    if (!all.empty()) all += ", ";
    all += local.name + ": " + std::string(type_name(local.type));
  }
  return all;
}

TEST(TypesTest, LocalsStandInTheOrderOfTheirFirstAppearance) {
  EXPECT_EQ(locals("z := 1; for i in 0 .. n { a := i; } if b { y := 1; } else { c2 := 2; }\n"
                   "z := 2; for i in 0 .. n { }"),
            "z: int, i: int, a: int, y: int, c2: int");
}

TEST(TypesTest, WholeOperationsGiveInt) {
  EXPECT_EQ(locals("x := k + 2 * n - c[0];"), "x: int");
  EXPECT_EQ(locals("x := k % 3;"), "x: int");
  EXPECT_EQ(locals("x := floor(f); y := ceil(f / 2);"), "x: int, y: int");
  EXPECT_EQ(locals("x := max(min(k, 3), clamp(-k, 0, |n|));"), "x: int");
  EXPECT_EQ(locals("x := round(f, 2); y := round(k, 1/2);"), "x: int, y: real");
  EXPECT_EQ(locals("x := round_half_even(f, k); y := round_toward_zero(f, eps);"),
            "x: int, y: real");
  EXPECT_EQ(locals("x := 4/2;"), "x: int");
}

TEST(TypesTest, RealOperationsGiveReal) {
  EXPECT_EQ(locals("x := k / n;"), "x: real");
  EXPECT_EQ(locals("x := 0.5;"), "x: real");
  EXPECT_EQ(locals("x := q[0];"), "x: real");
  EXPECT_EQ(locals("x := ln(2); y := exp(0); z := logistic(1); w := pow2ceil(3);"),
            "x: real, y: real, z: real, w: real");
  EXPECT_EQ(locals("x := k + f;"), "x: real");
}

TEST(TypesTest, ComparisonsAndLogicGiveBool) {
  EXPECT_EQ(locals("x := f > 0; y := not x or b; z := true; w := x == y;"),
            "x: bool, y: bool, z: bool, w: bool");
}

TEST(TypesTest, SamplersGiveTheirTypes) {
  EXPECT_EQ(locals("a <- uniform(0, 1); b2 <- sign(); c2 <- bernoulli(1/2); d <- laplace(1);\n"
                   "e <- exponential(1); g <- geometric(1); h <- discrete_laplace(1);"),
            "a: real, b2: int, c2: bool, d: real, e: real, g: int, h: int");
}

TEST(TypesTest, OneRealAssignmentMakesAVariableReal) {
  EXPECT_EQ(locals("x := 0; x := x + f;"), "x: real");
  EXPECT_EQ(locals("x <- sign(); x <- laplace(1);"), "x: real");
}

TEST(TypesTest, RealSpreadsAgainstTheOrderOfTheText) {
  EXPECT_EQ(locals("x := 0; y := 0; z := 0;\n"
                   "for i in 0 .. n { z := y; y := x; x := f; w := floor(z); }"),
            "x: real, y: real, z: real, i: int, w: int");
  EXPECT_EQ(locals("x := 0; y := 0; for i in 0 .. n { x := y; y := x; }"),
            "x: int, y: int, i: int");
}

TEST(TypesTest, LongChainsOfAssignmentsAreTypedInLinearTime) {
  // Real flows against the text through 900 variables; 20 000 statements make a quadratic
  // algorithm visible as a timeout of the whole suite.
  std::string body;
  for (int i = 0; i <= 900; ++i) body += "x" + std::to_string(i) + " := 0;\n";
  body += "for i in 0 .. n {\n";
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 900; ++i) {
      body += "x" + std::to_string(i) + " := x" + std::to_string(i + 1) + ";\n";
    }
  }
  body += "x900 := f; }";
  const Program program = parse_program(with_body(body));
  EXPECT_EQ(program.locals.front().type, Type::kReal);
}

TEST(TypesErrorTest, UnknownNamesGetTheNearestOne) {
  EXPECT_EQ(body_mistake("count := 0; x := cuont + 1;"),
            "4:18 there is no variable 'cuont'; did you mean `count`?");
  EXPECT_EQ(body_mistake("x := zebra;"),
            "4:6 there is no variable 'zebra'; declare a parameter or assign it first");
  EXPECT_EQ(body_mistake("x := p[0];"),
            "4:6 there is no variable 'p'; declare a parameter or assign it first");
}

TEST(TypesErrorTest, VariablesMustBeAssignedOnEveryPath) {
  const std::string tail =
      " may be read before it is assigned; assign it on every path that leads "
      "here";
  EXPECT_EQ(body_mistake("output x; x := 1;"), "4:8 'x'" + tail);
  EXPECT_EQ(body_mistake("x := x + 1;"), "4:6 'x'" + tail);
  EXPECT_EQ(body_mistake("if b { x := 1; }\noutput x;"), "5:8 'x'" + tail);
  EXPECT_EQ(body_mistake("if b { x := 1; } else { x := 2; }\noutput x;"), "accepted");
  EXPECT_EQ(body_mistake("for i in 0 .. 5 { x := 1; }\noutput x;"), "5:8 'x'" + tail);
  EXPECT_EQ(body_mistake("for i in 0 .. 5 while x > 0 { x := 1; }"), "4:23 'x'" + tail);
  EXPECT_EQ(body_mistake("for i in 0 .. 5 { output x; x := 1; }"), "4:26 'x'" + tail);
  EXPECT_EQ(body_mistake("while x > 0 at most 5 { x := 1; }"), "4:7 'x'" + tail);
}

TEST(TypesErrorTest, CountersBelongToTheirLoops) {
  EXPECT_EQ(body_mistake("for i in 0 .. n { } output i;"),
            "4:28 'i' is read outside its loop; copy it to a variable in the loop");
  EXPECT_EQ(body_mistake("for i in 0 .. i { }"),
            "4:15 'i' is read outside its loop; copy it to a variable in the loop");
  EXPECT_EQ(body_mistake("for i in 0 .. n while i < 3 { output i; }"), "accepted");
  EXPECT_EQ(
      body_mistake("for i in 0 .. n { i := 3; }"),
      "4:19 'i' is the counter of a loop and also assigned; give the counter a name of its own");
  EXPECT_EQ(
      body_mistake("i := 3; for i in 0 .. n { }"),
      "4:9 'i' is the counter of a loop and also assigned; give the counter a name of its own");
  EXPECT_EQ(body_mistake("for i in 0 .. n { for i in 0 .. n { } }"),
            "4:19 a loop inside another has the same counter 'i'; give each its own counter");
  EXPECT_EQ(body_mistake("for i in 0 .. n { } for i in 0 .. n { }"), "accepted");
}

TEST(TypesErrorTest, ParametersKeepTheirValues) {
  const std::string tail =
      " is assigned; assign to a variable of another name; parameters keep their values";
  EXPECT_EQ(body_mistake("f := 1;"), "4:1 the parameter 'f'" + tail);
  EXPECT_EQ(body_mistake("eps <- laplace(1);"), "4:1 the parameter 'eps'" + tail);
  EXPECT_EQ(body_mistake("for n in 0 .. 3 { }"), "4:1 the parameter 'n'" + tail);
}

TEST(TypesErrorTest, TruthAndNumbersAreNotMixed) {
  const std::string number =
      " found a truth value where a number was expected; choose a number by "
      "its truth: if b { x := 1; } else { x := 0; }";
  const std::string truth =
      " found a number where a truth value was expected; compare it with "
      "something, as in x > 0";
  EXPECT_EQ(body_mistake("x := f + b;"), "4:10" + number);
  EXPECT_EQ(body_mistake("x := -b;"), "4:7" + number);
  EXPECT_EQ(body_mistake("x := max(f, true);"), "4:13" + number);
  EXPECT_EQ(body_mistake("x := q[b];"), "4:8" + number);
  EXPECT_EQ(body_mistake("x <- laplace(b);"), "4:14" + number);
  EXPECT_EQ(body_mistake("for i in b .. n { }"), "4:10" + number);
  EXPECT_EQ(body_mistake("x := b < f;"), "4:6" + number);
  EXPECT_EQ(body_mistake("x := f == b;"), "4:11" + number);
  EXPECT_EQ(body_mistake("if f { }"), "4:4" + truth);
  EXPECT_EQ(body_mistake("x := not f;"), "4:10" + truth);
  EXPECT_EQ(body_mistake("x := b and 1;"), "4:12" + truth);
  EXPECT_EQ(body_mistake("while 1 at most 2 { }"), "4:7" + truth);
  EXPECT_EQ(body_mistake("x := b == 0;"), "4:11" + truth);
  EXPECT_EQ(body_mistake("x := 1;\nx := b;"),
            "5:1 'x' is given both truth values and numbers; use two variables");
  EXPECT_EQ(body_mistake("if b { x := b; } else {\nx <- sign(); }"),
            "5:1 'x' is given both truth values and numbers; use two variables");
}

TEST(TypesErrorTest, WholeNumbersAreDemandedWhereTheyMatter) {
  const std::string tail =
      " is a real number; make it whole, as floor(x) does; `/` always gives a real number";
  EXPECT_EQ(body_mistake("x := q[f];"), "4:8 an index" + tail);
  EXPECT_EQ(body_mistake("x := q[n / 2];"), "4:8 an index" + tail);
  EXPECT_EQ(body_mistake("x := q[floor(n / 2)];"), "accepted");
  EXPECT_EQ(body_mistake("for i in 0 .. f { }"), "4:15 the bound of a loop" + tail);
  EXPECT_EQ(body_mistake("for i in 1/2 .. n { }"), "4:10 the first value of a counter" + tail);
  EXPECT_EQ(body_mistake("while b at most eps { }"), "4:17 the bound of a loop" + tail);
  EXPECT_EQ(body_mistake("x := f % 2;"), "4:6 an operand of %" + tail);
  EXPECT_EQ(body_mistake("x := k % 0.5;"), "4:10 an operand of %" + tail);
  // The variable turns out to be real only later.
  EXPECT_EQ(body_mistake("x := 0; for i in 0 .. n { y := q[x]; x := f; }"), "4:34 an index" + tail);
}

TEST(TypesErrorTest, ListsAreReadByEntries) {
  EXPECT_EQ(body_mistake("x := q;"), "4:6 'q' is a list; read one entry of it: q[i]");
  EXPECT_EQ(body_mistake("x := f[0];"),
            "4:6 'f' is not a list; remove the index, or declare the list as in q: real[n]");
}

TEST(TypesErrorTest, ImpossibleNumbersAreRefused) {
  EXPECT_EQ(body_mistake("x := f / 0;"), "4:10 division by 0; divide by something else");
  EXPECT_EQ(body_mistake("x := 1/0;"), "4:8 division by 0; divide by something else");
  EXPECT_EQ(body_mistake("x := k % 0;"),
            "4:10 % by a number that is not > 0; use a positive number");
  EXPECT_EQ(body_mistake("x := ln(0);"),
            "4:9 ln of a number that is not > 0; use a positive number");
  EXPECT_EQ(body_mistake("x := pow2ceil(-1);"),
            "4:15 pow2ceil of a number that is not > 0; use a positive number");
  EXPECT_EQ(body_mistake("x := round(f, 0);"),
            "4:15 a grid that is not > 0; round to multiples of a positive number");
  EXPECT_EQ(body_mistake("x <- laplace(0);"),
            "4:14 the scale of `laplace` is not > 0; use a positive scale");
  EXPECT_EQ(body_mistake("x <- geometric(-1/2);"),
            "4:16 the scale of `geometric` is not > 0; use a positive scale");
  EXPECT_EQ(body_mistake("x <- bernoulli(2);"),
            "4:16 the probability of `bernoulli` is not in [0, 1]; use a number from 0 to 1");
  EXPECT_EQ(body_mistake("x <- bernoulli(-1/9);"),
            "4:16 the probability of `bernoulli` is not in [0, 1]; use a number from 0 to 1");
  EXPECT_EQ(body_mistake("x <- bernoulli(0); y <- bernoulli(1); for i in 0 .. -10 { }"),
            "accepted");
}

TEST(TypesErrorTest, RequirementsAndClaimsArePublic) {
  const std::string adjacent = " adjacent |f.1 - f.2| <= 1";
  EXPECT_EQ(clause_mistake("requires f > 0" + adjacent),
            "2:10 'f' is private; use parameters that no adjacency names");
  EXPECT_EQ(clause_mistake("claims f" + adjacent),
            "2:8 'f' is private; use parameters that no adjacency names");
  EXPECT_EQ(clause_mistake("requires q > 0" + adjacent),
            "2:10 'q' is a list; read one entry of it: q[i]");
  EXPECT_EQ(clause_mistake("requires q[0] > 0" + adjacent),
            "2:10 an entry of a list stands where only scalars may; add a parameter for it");
  EXPECT_NE(clause_mistake("claims b" + adjacent), "accepted");
  EXPECT_EQ(clause_mistake("claims -1" + adjacent),
            "2:8 the claimed loss is negative; claim a loss of at least 0");
  EXPECT_EQ(clause_mistake("claims eps, delta 3/2" + adjacent),
            "2:19 the claimed delta is not a probability; claim one in [0, 1]");
  EXPECT_EQ(clause_mistake("claims eps, delta f" + adjacent),
            "2:19 'f' is private; use parameters that no adjacency names");
  EXPECT_EQ(
      mistake("mechanism m(f: real, eps: real) claims x adjacent |f.1 - f.2| <= 1 { x := 1; }"),
      "1:40 'x' is a variable of the body; only parameters can be used here");
  EXPECT_EQ(clause_mistake("adjacent |eps.1 - eps.2| <= 1"),
            "3:1 'eps' is private; use parameters that no adjacency names");
}

TEST(TypesErrorTest, AdjacenciesFitTheirParameters) {
  EXPECT_EQ(clause_mistake("adjacent |x.1 - x.2| <= 1"),
            "2:11 'x' is not a parameter; declare it between the parentheses");
  EXPECT_EQ(clause_mistake("adjacent |q.1 - q.2| <= 1"),
            "2:11 'q' is a list; say which entries differ: `every |q.1 - q.2| <= 1` or `one |q.1 - "
            "q.2| <= 1`");
  EXPECT_EQ(
      clause_mistake("adjacent every |f.1 - f.2| <= 1"),
      "2:17 'f' is a single value; `every` and `one` speak about the entries of a list; remove "
      "the word");
  EXPECT_EQ(clause_mistake("adjacent |f.1 - f| <= 1"),
            "2:17 'f' differs between the two runs; say which run: f.1 or f.2");
  EXPECT_EQ(clause_mistake("adjacent |f.1 - f.2| <= 1 and eps > 0"),
            "2:31 a condition of the adjacency names neither run; write x.1 and x.2 for the two "
            "values of x; what is public belongs to `requires`");
  EXPECT_EQ(clause_mistake("adjacent every |q.1 - c.2| <= 1"),
            "2:23 one adjacency is about two lists, 'q' and 'c'; write one clause for each list");
  EXPECT_EQ(clause_mistake("adjacent every |q.1 - q.2| <= 1, one |q.1 - q.2| <= 1"),
            "2:39 a second adjacency is about the list 'q'; join its conditions with `and`");
  EXPECT_EQ(
      clause_mistake("adjacent |n.1 - n.2| <= 1"),
      "2:11 'n' is the length of a list and cannot be private; lengths are public: the same in "
      "both runs");
  EXPECT_EQ(clause_mistake("adjacent |f.1 - q[0]| <= 1"),
            "2:17 an adjacency speaks about one entry; write `every` or `one` and q.1, q.2 for the "
            "entries");
  EXPECT_EQ(clause_mistake("adjacent |b.1 - b.2| <= 1, |k.1 - k.2| <= eps"), "accepted");
  EXPECT_EQ(clause_mistake("adjacent |f.1 - f.2| + |k.1 - k.2| <= 1"), "accepted");
}

TEST(TypesErrorTest, VariablesAreLimited) {
  std::string body;
  for (std::size_t i = 0; i < kMaxLocals; ++i) body += "x" + std::to_string(i) + " := 0;";
  EXPECT_EQ(body_mistake(body), "accepted");
  EXPECT_NE(body_mistake(body + "one_more := 0;").find("there are more than 1000 variables"),
            std::string::npos);
}

}  // namespace types_test
}  // namespace lastbit::verify
