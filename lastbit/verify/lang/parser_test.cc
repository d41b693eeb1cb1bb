#include "lastbit/verify/lang/parser.h"

#include <gtest/gtest.h>

#include <string>

#include "lastbit/verify/lang/expectation.h"
#include "lastbit/verify/lang/expression_parser.h"
#include "lastbit/verify/lang/test_support.h"
#include "lastbit/verify/lang/words.h"

namespace lastbit::verify {
namespace parser_test {

Expression number(const Rational& value) {
  Expression expression;
  expression.number = value;
  return expression;
}

Expression variable(std::string name, int side = 0) {
  Expression expression;
  expression.op = Operator::kVariable;
  expression.name = std::move(name);
  expression.side = side;
  return expression;
}

Expression node(Operator op, std::vector<Expression> operands) {
  Expression expression;
  expression.op = op;
  expression.operands = std::move(operands);
  return expression;
}

// The expression as which `text` is read, in a place where f, k, n, eps, b, q and c are known.
Expression read(std::string_view text) {
  const Program program = parse_program(with_body("output " + std::string(text) + ";"));
  return std::get<Output>(program.body.at(0).what).value;
}

Statement read_statement(std::string_view text) {
  return parse_program(with_body(text)).body.at(0);
}

const Expression f = variable("f");
const Expression k = variable("k");
const Expression n = variable("n");

TEST(ParserTest, SnappingIsReadAsWritten) {
  const Program program = parse_program(R"(# EXPECT: proved eps
mechanism snap(f: real, eps: real, B: real)
  requires eps > 0, B > 0
  adjacent |f.1 - f.2| <= 1
{
  u <- uniform(0, 1);   # the open interval
  s <- sign();
  z := s * ln(u) / eps;
  return clamp(round(clamp(f, -B, B) + z, pow2ceil(1 / eps)), -B, B);
}
)");
  EXPECT_EQ(program.name, "snap");
  EXPECT_EQ(program.parameters,
            (std::vector<Parameter>{
                {"f", Type::kReal, ""}, {"eps", Type::kReal, ""}, {"B", Type::kReal, ""}}));
  EXPECT_EQ(program.requirements,
            (std::vector{node(Operator::kGreater, {variable("eps"), number(0)}),
                         node(Operator::kGreater, {variable("B"), number(0)})}));
  ASSERT_EQ(program.adjacent.size(), 1U);
  EXPECT_EQ(program.adjacent[0].reach, Reach::kValue);
  EXPECT_EQ(program.adjacent[0].list, "");
  const Expression difference = node(Operator::kSubtract, {variable("f", 1), variable("f", 2)});
  EXPECT_EQ(
      program.adjacent[0].conditions,
      (std::vector{node(Operator::kLessEqual, {node(Operator::kAbs, {difference}), number(1)})}));
  EXPECT_EQ(program.claimed_epsilon, variable("eps"));
  EXPECT_EQ(program.claimed_delta, number(0));
  EXPECT_EQ(program.locals,
            (std::vector<Parameter>{
                {"u", Type::kReal, ""}, {"s", Type::kInt, ""}, {"z", Type::kReal, ""}}));
  ASSERT_EQ(program.body.size(), 4U);
  EXPECT_EQ(std::get<Sample>(program.body[0].what).sampler, Sampler::kUniform);
  EXPECT_TRUE(std::get<Sample>(program.body[0].what).arguments.empty());
  EXPECT_TRUE(std::get<Output>(program.body[3].what).is_return);
  EXPECT_EQ(program.body[2].at.line, 8);
  EXPECT_EQ(program.body[2].at.column, 3);
}

TEST(ParserTest, ProductsBindTighterThanSumsAndBothGroupToTheLeft) {
  EXPECT_EQ(read("f - k - n"), node(Operator::kSubtract, {node(Operator::kSubtract, {f, k}), n}));
  EXPECT_EQ(read("f + k * n"), node(Operator::kAdd, {f, node(Operator::kMultiply, {k, n})}));
  EXPECT_EQ(read("f / k / n"), node(Operator::kDivide, {node(Operator::kDivide, {f, k}), n}));
  EXPECT_EQ(read("k - (n - k) % 2"),
            node(Operator::kSubtract,
                 {k, node(Operator::kModulo, {node(Operator::kSubtract, {n, k}), number(2)})}));
}

TEST(ParserTest, MinusBindsTighterThanProducts) {
  EXPECT_EQ(read("-f * k"), node(Operator::kMultiply, {node(Operator::kNegate, {f}), k}));
  EXPECT_EQ(read("f - -k"), node(Operator::kSubtract, {f, node(Operator::kNegate, {k})}));
}

TEST(ParserTest, TruthBindsLoosestInTheOrderNotAndOr) {
  const Expression b = variable("b");
  const Expression less = node(Operator::kLess, {f, k});
  EXPECT_EQ(read("b or not f < k and b"),
            node(Operator::kOr, {b, node(Operator::kAnd, {node(Operator::kNot, {less}), b})}));
  EXPECT_EQ(read("(f < k) == b"), node(Operator::kEqual, {less, b}));
  EXPECT_EQ(read("true != b").op, Operator::kNotEqual);
}

TEST(ParserTest, SignedNumbersAndFractionsAreNumbers) {
  EXPECT_EQ(read("-2"), number(-2));
  EXPECT_EQ(read("1/3"), number(Rational(1, 3)));
  EXPECT_EQ(read("-1/3"), number(Rational(-1, 3)));
  EXPECT_EQ(read("-(1/3)"), number(Rational(-1, 3)));
  EXPECT_EQ(read("0.1"), number(Rational(1, 10)));
  EXPECT_EQ(read("1/3 * f"), node(Operator::kMultiply, {number(Rational(1, 3)), f}));
  EXPECT_EQ(read("f * 1/3"),
            node(Operator::kDivide, {node(Operator::kMultiply, {f, number(1)}), number(3)}));
  EXPECT_EQ(read("1 - 2"), node(Operator::kSubtract, {number(1), number(2)}));
}

TEST(ParserTest, BarsAreAbsoluteValuesAndMayBeNested) {
  const Expression inner = node(Operator::kAbs, {f});
  EXPECT_EQ(read("|f|"), inner);
  EXPECT_EQ(read("abs(f)"), inner);
  EXPECT_EQ(read("||f| - k|"), node(Operator::kAbs, {node(Operator::kSubtract, {inner, k})}));
  EXPECT_EQ(read("|f * |k||"),
            node(Operator::kAbs, {node(Operator::kMultiply, {f, node(Operator::kAbs, {k})})}));
}

TEST(ParserTest, EveryFunctionIsCalledByItsName) {
  for (const std::string& name : function_names()) {
    const Operator op = function_of_name(name).value();
    std::string call = name + "(f";
    for (int i = 1; i < argument_count(op); ++i) call += ", f";
    const Expression expression = read(call + ")");
    EXPECT_EQ(expression.op, op) << name;
    EXPECT_EQ(static_cast<int>(expression.operands.size()), argument_count(op)) << name;
    EXPECT_EQ(body_mistake("output " + name + "();"),
              "4:" + std::to_string(8 + name.size()) + " `" + name +
                  "` was given 0 arguments; give it " + std::to_string(argument_count(op)));
  }
}

TEST(ParserTest, EverySamplerIsDrawnByItsName) {
  for (const std::string& name : sampler_names()) {
    const Sampler sampler = sampler_of_name(name).value();
    const std::string arguments = name == "uniform" ? "0, 1" : name == "sign" ? "" : "1/2";
    const auto drawn =
        std::get<Sample>(read_statement("x <- " + name + "(" + arguments + ");").what);
    EXPECT_EQ(drawn.sampler, sampler);
    EXPECT_EQ(static_cast<int>(drawn.arguments.size()), argument_count(sampler));
  }
}

TEST(ParserTest, ElseIfIsAnIfInTheElseBlock) {
  const auto chain = std::get<If>(
      read_statement("if b { output 1; } else if f > 0 { output 2; } else { output 3; }").what);
  ASSERT_EQ(chain.else_block.size(), 1U);
  const auto second = std::get<If>(chain.else_block[0].what);
  EXPECT_EQ(second.condition, node(Operator::kGreater, {f, number(0)}));
  EXPECT_EQ(second.else_block.size(), 1U);
  const Statement spelled_out =
      read_statement("if b { output 1; } else { if f > 0 { output 2; } else { output 3; } }");
  EXPECT_EQ(std::get<If>(spelled_out.what), chain);
}

TEST(ParserTest, LoopsHaveACounterABoundAndPerhapsAGuard) {
  const auto loop = std::get<Loop>(read_statement("for i in 0 .. n { output i; }").what);
  EXPECT_EQ(loop.counter, "i");
  EXPECT_EQ(loop.from, number(0));
  EXPECT_EQ(loop.to, n);
  EXPECT_EQ(loop.guard, std::nullopt);
  const auto guarded = std::get<Loop>(read_statement("for i in k..n while b { output i; }").what);
  EXPECT_EQ(guarded.from, k);
  EXPECT_EQ(guarded.guard, variable("b"));
}

TEST(ParserTest, WhileIsALoopWhoseCounterCannotClash) {
  const Program program =
      parse_program(with_body("while b at most n { while b at most 2 { output 1; } }\n"
                              "while b at most 3 { output 2; }"));
  const auto& outer = std::get<Loop>(program.body[0].what);
  EXPECT_EQ(outer.counter, "_pass1");
  EXPECT_EQ(outer.from, number(0));
  EXPECT_EQ(outer.to, n);
  EXPECT_EQ(outer.guard, variable("b"));
  EXPECT_EQ(std::get<Loop>(outer.body[0].what).counter, "_pass2");
  EXPECT_EQ(std::get<Loop>(program.body[1].what).counter, "_pass3");
  EXPECT_EQ(program.locals[0], (Parameter{"_pass1", Type::kInt, ""}));
}

TEST(ParserTest, AdjacenciesNameTheirListAndChainsAreTwoConditions) {
  const Program program = parse_program(with_clauses(
      "adjacent every 0 <= q.2 - q.1 <= 1, one |c.1 - c.2| <= 1, |f.1 - f.2| <= eps and f.1 >= 0"));
  ASSERT_EQ(program.adjacent.size(), 3U);
  EXPECT_EQ(program.adjacent[0].reach, Reach::kEvery);
  EXPECT_EQ(program.adjacent[0].list, "q");
  const Expression step = node(Operator::kSubtract, {variable("q", 2), variable("q", 1)});
  EXPECT_EQ(program.adjacent[0].conditions,
            (std::vector{node(Operator::kLessEqual, {number(0), step}),
                         node(Operator::kLessEqual, {step, number(1)})}));
  EXPECT_EQ(program.adjacent[1].reach, Reach::kOne);
  EXPECT_EQ(program.adjacent[1].list, "c");
  EXPECT_EQ(program.adjacent[2].reach, Reach::kValue);
  EXPECT_EQ(program.adjacent[2].conditions.size(), 2U);
}

TEST(ParserTest, RequirementsAreSplitIntoComparisons) {
  const Program program = parse_program(
      with_clauses("requires 0 < eps <= 1 and k >= 1, (n != 3)\nadjacent |f.1 - f.2| <= 1"));
  ASSERT_EQ(program.requirements.size(), 4U);
  EXPECT_EQ(program.requirements[1], node(Operator::kLessEqual, {variable("eps"), number(1)}));
  EXPECT_EQ(program.requirements[3], node(Operator::kNotEqual, {n, number(3)}));
}

TEST(ParserTest, ClausesStandInAnyOrderAndClaimsMayHaveADelta) {
  const Program program = parse_program(
      with_clauses("claims 2 * eps, delta 1/100 adjacent |f.1 - f.2| <= 1 requires eps > 0"));
  EXPECT_EQ(program.claimed_epsilon, node(Operator::kMultiply, {number(2), variable("eps")}));
  EXPECT_EQ(program.claimed_delta, number(Rational(1, 100)));
}

TEST(ParserTest, MechanismMayBeCalledLikeASampler) {
  EXPECT_EQ(
      parse_program("mechanism laplace(f: real, eps: real) adjacent |f.1 - f.2| <= 1 { }").name,
      "laplace");
}

TEST(ParserErrorTest, HeaderMistakesAreNamed) {
  EXPECT_EQ(mistake(""),
            "1:1 found the end of the file where 'mechanism' was expected; a program starts like "
            "this: mechanism name(f: real, eps: real)");
  EXPECT_EQ(mistake("mechanims m(f: real) { }"),
            "1:1 found 'mechanims' where 'mechanism' was expected; did you mean `mechanism`?");
  EXPECT_EQ(mistake("mechanism 3"),
            "1:11 found '3' where the name of the mechanism was expected; give a name of letters, "
            "digits and '_'");
  EXPECT_EQ(mistake("mechanism m(f real)"),
            "1:15 found 'real' where ':' was expected; give the type of the parameter: name: real");
  EXPECT_EQ(mistake("mechanism m(f: reel)"),
            "1:16 found 'reel' where a type was expected; did you mean `real`?");
  EXPECT_EQ(mistake("mechanism m(f: float)"),
            "1:16 found 'float' where a type was expected; the types are real, int and bool");
  EXPECT_EQ(mistake("mechanism m(f: real; g: real)"),
            "1:20 found ';' where ')' was expected; separate parameters by ',' and close the "
            "parenthesis");
  EXPECT_EQ(mistake("mechanism m(f: real, f: int)"),
            "1:22 two parameters are called 'f'; give each a name of its own");
  EXPECT_EQ(mistake("mechanism m(max: real)"),
            "1:13 found 'max' where the name of a parameter was expected; `max` is a function; "
            "choose another name");
  EXPECT_EQ(mistake("mechanism m(q: bool[n], n: int)"),
            "1:20 a list of bool was declared; use a list of int: 0 and 1");
}

TEST(ParserErrorTest, LengthMustBeAnIntParameter) {
  EXPECT_EQ(mistake("mechanism m(q: real[size], sise: int)"),
            "1:21 the length 'size' is not an int parameter; did you mean `sise`?");
  EXPECT_EQ(mistake("mechanism m(q: real[n], eps: real)"),
            "1:21 the length 'n' is not an int parameter; add the parameter n: int");
  EXPECT_EQ(mistake("mechanism m(q: real[n], n: real)"),
            "1:21 the length 'n' is not an int parameter; add the parameter n: int");
  EXPECT_EQ(mistake("mechanism m(q: int[q])"),
            "1:20 the length 'q' is not an int parameter; add the parameter q: int");
  EXPECT_EQ(
      mistake("mechanism m(q: real[3])"),
      "1:21 found '3' where the name of the parameter that is the list's length was expected; "
      "give a name of letters, digits and '_'");
}

TEST(ParserErrorTest, ClauseMistakesAreNamed) {
  EXPECT_EQ(clause_mistake("adjacant |f.1 - f.2| <= 1"),
            "2:1 found 'adjacant' where 'requires', 'adjacent', 'claims' or '{' was expected; did "
            "you mean `adjacent`?");
  EXPECT_EQ(clause_mistake(""),
            "3:1 found '{' where 'adjacent' was expected; say which inputs are private and how far "
            "apart they may be: adjacent |f.1 - f.2| <= 1");
  EXPECT_EQ(clause_mistake("adjacent |f.1 - f.2| <= 1 adjacent |k.1 - k.2| <= 1"),
            "2:27 there is a second clause 'adjacent'; write one, with ',' between its parts");
  EXPECT_EQ(clause_mistake("adjacent |f.1 - f.3| <= 1"),
            "2:19 found '3' where '1' or '2' was expected; the two runs are called .1 and .2");
  EXPECT_EQ(clause_mistake("adjacent |f.1 - f.2|"),
            "3:1 found '{' where a comparison was expected; compare with < <= > >= == or !=");
  EXPECT_EQ(
      clause_mistake("adjacent |f.1 - f.2| <= 1 claims eps, 1/2"),
      "2:39 found '1' where 'delta' was expected; behind the loss only `, delta …` can stand");
  EXPECT_EQ(clause_mistake("requires eps adjacent |f.1 - f.2| <= 1"),
            "2:14 found 'adjacent' where a comparison was expected; compare with < <= > >= == or "
            "!=");
  EXPECT_EQ(mistake("mechanism m(f: real) adjacent |f.1 - f.2| <= 1 { }"),
            "1:48 the mechanism claims no privacy loss; name it, as in `claims 2 * e`, or add the "
            "parameter eps: real");
}

TEST(ParserErrorTest, StatementMistakesAreNamed) {
  EXPECT_EQ(body_mistake("x := 1"),
            "5:1 found '}' where ';' was expected; end the statement with ';'");
  EXPECT_EQ(body_mistake("ouput 1;"),
            "4:1 found 'ouput' where a statement was expected; did you mean `output`?");
  EXPECT_EQ(
      body_mistake("x;"),
      "4:1 found 'x' where a statement was expected; write x := e; or x <- sampler(…); or if, "
      "for, while, output, return");
  EXPECT_EQ(
      body_mistake("; "),
      "4:1 found ';' where a statement was expected; write x := e; or x <- sampler(…); or if, "
      "for, while, output, return");
  EXPECT_EQ(
      body_mistake("max := 1;"),
      "4:1 found 'max' where the name of a variable was expected; `max` is a function; choose "
      "another name");
  EXPECT_EQ(body_mistake("x := ;"),
            "4:6 found ';' where a value was expected; write a number, a variable or an expression "
            "in parentheses");
  EXPECT_EQ(body_mistake("if b output 1;"),
            "4:6 found 'output' where '{' was expected; a block stands in braces");
  EXPECT_EQ(body_mistake("for i from 0 .. n { }"),
            "4:7 found 'from' where 'in' was expected; a loop reads: for i in 0 .. n { … }");
  EXPECT_EQ(body_mistake("for i in n { }"),
            "4:12 found '{' where '..' was expected; give the range of the counter: 0 .. n");
  EXPECT_EQ(
      body_mistake("while b { }"),
      "4:9 found '{' where 'at' was expected; every loop has a bound: while c at most n { … }");
  EXPECT_EQ(body_mistake("return 1; output 2;"),
            "4:1 `return` is not the last statement of the mechanism; use `output`, which goes on");
  EXPECT_EQ(body_mistake("if b { return 1; }"),
            "4:8 `return` is not the last statement of the mechanism; use `output`, which goes on");
  EXPECT_EQ(
      body_mistake("} output 1;"),
      "4:3 found 'output' where the end of the file was expected; a file holds one mechanism");
  EXPECT_EQ(body_mistake("if b {"),
            "6:1 found the end of the file where '}' was expected; close the block of line 3");
}

TEST(ParserErrorTest, DrawsAndValuesAreNotConfused) {
  EXPECT_EQ(
      body_mistake("x <- f + 1;"),
      "4:6 found 'f' where a sampler was expected; the samplers are uniform, sign, bernoulli, "
      "laplace, exponential, geometric, discrete_laplace; `:=` assigns a value");
  EXPECT_EQ(body_mistake("x <- lapalce(1);"),
            "4:6 found 'lapalce' where a sampler was expected; did you mean `laplace`?");
  EXPECT_EQ(body_mistake("x := f + laplace(1);"),
            "4:10 the sampler 'laplace' stands in an expression; draw into a variable first: x <- "
            "laplace(…);");
  EXPECT_EQ(body_mistake("x <- uniform(0, 2);"),
            "4:17 `uniform` draws from another interval than (0, 1); write uniform(0, 1) and scale "
            "the result");
  EXPECT_EQ(body_mistake("x <- uniform();"), "4:13 `uniform` was given 0 arguments; give it 2");
  EXPECT_EQ(body_mistake("x <- sign(1);"), "4:10 `sign` was given 1 arguments; give it 0");
}

TEST(ParserErrorTest, ExpressionMistakesAreNamed) {
  EXPECT_EQ(body_mistake("x := (f + 1;"),
            "4:12 found ';' where ')' was expected; close the parenthesis");
  EXPECT_EQ(body_mistake("x := |f;"),
            "4:8 found ';' where '|' was expected; close the absolute value; `or` is written as a "
            "word");
  EXPECT_EQ(body_mistake("x := q[0;"), "4:9 found ';' where ']' was expected; close the bracket");
  EXPECT_EQ(body_mistake("x := 0 < f < 1;"),
            "4:12 comparisons stand in a chain; join two comparisons with `and`");
  EXPECT_EQ(body_mistake("x := sqrt(f);"),
            "4:6 there is no function 'sqrt'; the functions are abs, min, max, clamp, round, "
            "round_half_even, round_toward_zero, floor, ceil, ln, exp, pow2ceil, logistic");
  EXPECT_EQ(body_mistake("x := clmap(f, 0, 1);"),
            "4:6 there is no function 'clmap'; did you mean `clamp`?");
  EXPECT_EQ(body_mistake("x := clamp(f, 0);"), "4:11 `clamp` was given 2 arguments; give it 3");
  EXPECT_EQ(
      body_mistake("x := max;"),
      "4:9 found ';' where '(' was expected; `max` is called with its arguments in parentheses");
  EXPECT_EQ(
      body_mistake("x := f.1;"),
      "4:7 found '.' where the rest of the expression was expected; f.1 and f.2 are the values "
      "in the two runs; they occur in `adjacent` only");
  EXPECT_EQ(body_mistake("x := f + not b;"),
            "4:10 found 'not' where a number was expected; put `not …` in parentheses");
  EXPECT_EQ(body_mistake("x := b || b;"),
            "4:8 found '|' where ';' was expected; end the statement with ';'");
}

std::string repeated(int count, std::string_view text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(ParserLimitTest, DepthOfExpressionsIsLimited) {
  const std::string tail =
      " an expression is nested deeper than 200; assign parts of it to variables";
  EXPECT_EQ(body_mistake("x := f" + repeated(199, " + f") + ";"), "accepted");
  EXPECT_EQ(body_mistake("x := f" + repeated(200, " + f") + ";"), "4:6" + tail);
  EXPECT_EQ(body_mistake("x := " + repeated(199, "ln(") + "f" + repeated(199, ")") + ";"),
            "accepted");
  for (const std::string_view open : {"(", "ln(", "|", "-", "q[", "min(f, ", "f - (", "1/"}) {
    EXPECT_NE(body_mistake("x := " + repeated(20'000, open)), "accepted") << open;
  }
  EXPECT_NE(body_mistake("b2 := " + repeated(20'000, "not ") + "b;"), "accepted");
  EXPECT_NE(body_mistake("x := f" + repeated(20'000, " * f") + ";"), "accepted");
}

TEST(ParserLimitTest, DepthOfBlocksIsLimited) {
  const std::string tail = " blocks are nested deeper than 200; flatten the program";
  EXPECT_EQ(body_mistake(repeated(199, "if b {") + repeated(199, "}")), "accepted");
  EXPECT_EQ(body_mistake(repeated(200, "if b {") + repeated(200, "}")), "4:1200" + tail);
  EXPECT_EQ(body_mistake("if b { }" + repeated(198, " else if b { }")), "accepted");
  EXPECT_NE(body_mistake("if b { }" + repeated(200, " else if b { }")), "accepted");
  EXPECT_NE(body_mistake(repeated(20'000, "if b {")), "accepted");
  EXPECT_NE(body_mistake("if b { }" + repeated(20'000, " else if b { }")), "accepted");
}

TEST(ParserLimitTest, FilesAndListsOfParametersAreLimited) {
  const std::string longest(kMaxSourceBytes, ' ');
  EXPECT_NE(mistake(longest), "accepted");
  EXPECT_EQ(mistake(longest + " "),
            "1:1 the program has 1048577 bytes; a program has at most 1048576 bytes");
  std::string many = "mechanism m(";
  for (int i = 0; i < 1001; ++i) many += "p" + std::to_string(i) + ": real, ";
  EXPECT_NE(mistake(many).find("there are more than 1000 parameters; use a list"),
            std::string::npos);
}

TEST(ParserLimitTest, FractionsOfHugeNumbersAreLimited) {
  EXPECT_EQ(body_mistake("x := 1e600/1e-600;"), "accepted");
  EXPECT_EQ(body_mistake("x := 1e1000/1e-1000;"),
            "4:6 a fraction is too large; use numbers of at most 4096 bits");
}

TEST(ExpectationTest, VerdictsAreRead) {
  EXPECT_EQ(read_expectation("# EXPECT: proved 2 * eps\n"), (Expectation{"proved", "2 * eps"}));
  EXPECT_EQ(read_expectation("# about\r\n# EXPECT: refuted\r\n"), (Expectation{"refuted", ""}));
  EXPECT_EQ(read_expectation("# EXPECT: unknown"), (Expectation{"unknown", ""}));
  EXPECT_EQ(read_expectation("# EXPECT:not refuted "), (Expectation{"not refuted", ""}));
  EXPECT_EQ(read_expectation("mechanism m(…)"), std::nullopt);
  EXPECT_EQ(read_expectation(""), std::nullopt);
}

TEST(ExpectationTest, MalformedOnesAreRefused) {
  for (const std::string_view bad :
       {"# EXPECT:", "# EXPECT: proved", "# EXPECT: prooved eps", "# EXPECT: refuted eps"}) {
    try {
      read_expectation("\n" + std::string(bad));
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadText);
      EXPECT_EQ(error.place(), "line 2");
    }
  }
}

}  // namespace parser_test
}  // namespace lastbit::verify
