#include "lastbit/verify/lang/expression_parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/verify/lang/level.h"
#include "lastbit/verify/lang/words.h"

namespace lastbit::verify {
namespace {

// Every level of a printed tree needs at most two calls of parse, a number two more; the rest is
// for parentheses that people add.
constexpr int kMaxNesting = 3 * kMaxDepth;

struct BinarySign {
  std::string_view text;
  Operator op;
  int level;
};
constexpr std::array<BinarySign, 13> kBinarySigns = {{
    {"or", Operator::kOr, kOrLevel},
    {"and", Operator::kAnd, kAndLevel},
    {"<", Operator::kLess, kComparisonLevel},
    {"<=", Operator::kLessEqual, kComparisonLevel},
    {">", Operator::kGreater, kComparisonLevel},
    {">=", Operator::kGreaterEqual, kComparisonLevel},
    {"==", Operator::kEqual, kComparisonLevel},
    {"!=", Operator::kNotEqual, kComparisonLevel},
    {"+", Operator::kAdd, kSumLevel},
    {"-", Operator::kSubtract, kSumLevel},
    {"*", Operator::kMultiply, kProductLevel},
    {"/", Operator::kDivide, kProductLevel},
    {"%", Operator::kModulo, kProductLevel},
}};

// An expression with the depth of its tree.
struct Node {
  Expression expression;
  int depth = 1;
};

Expression number_at(Rational number, Position at) {
  Expression expression;
  expression.number = std::move(number);
  expression.at = at;
  return expression;
}

class ExpressionParser {
 public:
  ExpressionParser(TokenStream& tokens, Sides sides) : tokens_(tokens), sides_(sides) {}

  Expression whole() { return parse(kOrLevel).expression; }
  std::vector<Expression> conditions();
  std::vector<Node> arguments(std::string_view name, std::size_t count);

 private:
  Node parse(int level);
  Node prefix(int level);
  Node primary();
  Node named();
  Node call(const Token& name, Operator op);
  Node sided(const Token& name);
  void chain(std::vector<Expression>& conditions);

  Node operation(Operator op, Position at, std::vector<Node> operands);
  std::optional<Rational> folded(Operator op, const std::vector<Node>& operands) const;
  std::optional<BinarySign> next_sign() const;
  [[noreturn]] void too_deep(Position at) const;

  TokenStream& tokens_;
  Sides sides_;
  int nesting_ = 0;
};

void ExpressionParser::too_deep(Position at) const {
  throw tokens_.error(at, fmt::format("an expression is nested deeper than {}", kMaxDepth),
                      "assign parts of it to variables");
}

std::optional<BinarySign> ExpressionParser::next_sign() const {
  const auto* const found = std::ranges::find_if(
      kBinarySigns, [&](const BinarySign& sign) { return tokens_.is(sign.text); });
  return found == kBinarySigns.end() ? std::nullopt : std::optional(*found);
}

// The value of an operation on numbers that is itself written as a number: -1 and 1/3.
std::optional<Rational> ExpressionParser::folded(Operator op,
                                                 const std::vector<Node>& operands) const {
  const auto is_number = [](const Node& node) { return node.expression.op == Operator::kNumber; };
  if (!std::ranges::all_of(operands, is_number)) return std::nullopt;
  if (op == Operator::kNegate) return -operands[0].expression.number;
  if (op != Operator::kDivide) return std::nullopt;
  const Expression& divisor = operands[1].expression;
  if (divisor.number.sign() == 0) return std::nullopt;  // Refused with the types.
  Rational quotient = operands[0].expression.number / divisor.number;
  if (too_large(quotient)) {
    throw tokens_.error(operands[0].expression.at, "a fraction is too large",
                        fmt::format("use numbers of at most {} bits", kMaxNumberBits));
  }
  return quotient;
}

Node ExpressionParser::operation(Operator op, Position at, std::vector<Node> operands) {
  if (auto number = folded(op, operands)) return {number_at(*std::move(number), at)};
  Node node;
  node.expression.op = op;
  node.expression.at = at;
  for (Node& operand : operands) {
    node.depth = std::max(node.depth, operand.depth + 1);
    node.expression.operands.push_back(std::move(operand.expression));
  }
  if (node.depth > kMaxDepth) too_deep(at);
  return node;
}

Node ExpressionParser::parse(int level) {
  if (++nesting_ > kMaxNesting) too_deep(tokens_.peek().at);
  Node left = prefix(level);
  bool compared = false;
  for (auto sign = next_sign(); sign && sign->level >= level; sign = next_sign()) {
    if (sign->level == kComparisonLevel && std::exchange(compared, true)) {
      throw tokens_.error(tokens_.peek().at, "comparisons stand in a chain",
                          "join two comparisons with `and`");
    }
    tokens_.take();
    const Position at = left.expression.at;
    std::vector<Node> operands;
    operands.push_back(std::move(left));
    operands.push_back(parse(sign->level + 1));
    left = operation(sign->op, at, std::move(operands));
    if (sign->level < kComparisonLevel) compared = false;
  }
  --nesting_;
  return left;
}

Node ExpressionParser::prefix(int level) {
  const Position at = tokens_.peek().at;
  std::vector<Node> operands;
  if (tokens_.is("not")) {
    if (level > kNotLevel) {
      throw tokens_.unexpected("a number", "put `not …` in parentheses");
    }
    tokens_.take();
    operands.push_back(parse(kNotLevel));
    return operation(Operator::kNot, at, std::move(operands));
  }
  if (tokens_.accept("-")) {
    operands.push_back(parse(kUnaryLevel));
    return operation(Operator::kNegate, at, std::move(operands));
  }
  return primary();
}

Node ExpressionParser::primary() {
  const Token& token = tokens_.peek();
  if (token.kind == TokenKind::kNumber) return {number_at(tokens_.take().number, token.at)};
  if (tokens_.is("true") || tokens_.is("false")) {
    Node node{number_at(Rational(tokens_.is("true") ? 1 : 0), token.at)};
    node.expression.op = Operator::kBoolean;
    tokens_.take();
    return node;
  }
  if (tokens_.accept("(")) {
    Node inner = parse(kOrLevel);
    tokens_.expect(")", "close the parenthesis");
    return inner;
  }
  if (tokens_.accept("|")) {
    std::vector<Node> operands;
    operands.push_back(parse(kSumLevel));
    tokens_.expect("|", "close the absolute value; `or` is written as a word");
    return operation(Operator::kAbs, token.at, std::move(operands));
  }
  if (token.kind == TokenKind::kName) return named();
  throw tokens_.unexpected("a value", "write a number, a variable or an expression in parentheses");
}

Node ExpressionParser::named() {
  const Token& name = tokens_.peek();
  const bool is_call = tokens_.peek(1).text == "(";
  if (const auto function = function_of_name(name.text)) return call(name, *function);
  if (sampler_of_name(name.text)) {
    throw tokens_.error(name.at,
                        fmt::format("the sampler {} stands in an expression", quote(name.text)),
                        fmt::format("draw into a variable first: x <- {}(…);", name.text));
  }
  if (is_call && role_of_word(name.text).empty()) {
    throw tokens_.error(name.at, fmt::format("there is no function {}", quote(name.text)),
                        did_you_mean(name.text, function_names(),
                                     "the functions are " + joined(function_names(), ", ")));
  }
  tokens_.expect_new_name("a variable");
  Node node;
  node.expression.op = Operator::kVariable;
  node.expression.name = name.text;
  node.expression.at = name.at;
  if (tokens_.is(".")) return sided(name);
  if (tokens_.accept("[")) {
    std::vector<Node> index;
    index.push_back(parse(kOrLevel));
    tokens_.expect("]", "close the bracket");
    node = operation(Operator::kEntry, name.at, std::move(index));
    node.expression.name = name.text;
  }
  return node;
}

// The part of name.1 and name.2 from the point on.
Node ExpressionParser::sided(const Token& name) {
  if (sides_ == Sides::kRefused) {
    throw tokens_.unexpected("the rest of the expression",
                             fmt::format("{}.1 and {}.2 are the values in the two runs; they occur "
                                         "in `adjacent` only",
                                         name.text, name.text));
  }
  tokens_.take();
  const std::string_view side = tokens_.peek().text;
  if (side != "1" && side != "2") {
    throw tokens_.unexpected("'1' or '2'", "the two runs are called .1 and .2");
  }
  tokens_.take();
  Node node;
  node.expression.op = Operator::kVariable;
  node.expression.name = name.text;
  node.expression.side = side == "1" ? 1 : 2;
  node.expression.at = name.at;
  return node;
}

Node ExpressionParser::call(const Token& name, Operator op) {
  tokens_.take();
  return operation(op, name.at, arguments(name.text, static_cast<std::size_t>(argument_count(op))));
}

std::vector<Node> ExpressionParser::arguments(std::string_view name, std::size_t count) {
  const Position at = tokens_.peek().at;
  tokens_.expect("(", fmt::format("`{}` is called with its arguments in parentheses", name));
  std::vector<Node> found;
  if (!tokens_.is(")")) {
    do {
      found.push_back(parse(kOrLevel));
    } while (tokens_.accept(","));
  }
  tokens_.expect(")", "close the parenthesis behind the arguments");
  if (found.size() != count) {
    throw tokens_.error(at, fmt::format("`{}` was given {} arguments", name, found.size()),
                        fmt::format("give it {}", count));
  }
  return found;
}

// One comparison, or a chain a <= b < c, which is one for each sign.
void ExpressionParser::chain(std::vector<Expression>& conditions) {
  Node left = parse(kSumLevel);
  auto sign = next_sign();
  if ((!sign || sign->level != kComparisonLevel) && is_comparison(left.expression.op)) {
    conditions.push_back(std::move(left.expression));  // It stood in parentheses.
    return;
  }
  do {
    if (!sign || sign->level != kComparisonLevel) {
      throw tokens_.unexpected("a comparison", "compare with < <= > >= == or !=");
    }
    tokens_.take();
    const Node right = parse(kSumLevel);
    const Position at = left.expression.at;
    std::vector<Node> operands;
    operands.push_back(std::move(left));
    operands.push_back(right);
    conditions.push_back(operation(sign->op, at, std::move(operands)).expression);
    left = right;
    sign = next_sign();
  } while (sign && sign->level == kComparisonLevel);
}

std::vector<Expression> ExpressionParser::conditions() {
  std::vector<Expression> found;
  do {
    chain(found);
  } while (tokens_.accept("and"));
  return found;
}

}  // namespace

Expression parse_expression(TokenStream& tokens, Sides sides) {
  return ExpressionParser(tokens, sides).whole();
}

std::vector<Expression> parse_conditions(TokenStream& tokens, Sides sides) {
  return ExpressionParser(tokens, sides).conditions();
}

std::vector<Expression> parse_arguments(TokenStream& tokens, std::string_view name,
                                        std::size_t count) {
  std::vector<Expression> found;
  for (Node& node : ExpressionParser(tokens, Sides::kRefused).arguments(name, count)) {
    found.push_back(std::move(node.expression));
  }
  return found;
}

}  // namespace lastbit::verify
