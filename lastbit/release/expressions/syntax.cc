#include "lastbit/release/expressions/syntax.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/base/utf8.h"
#include "lastbit/release/expressions/tokens.h"

namespace lastbit::expression_internal {
namespace {

// A constant such as -1 or CAST(NULL AS DATE) is one node of an expression, and two levels of what
// is written.
constexpr std::size_t kMaxSyntaxDepth = kMaxExpressionDepth + 1;
// In canonical text a level of the expression takes at most two of parse_or: in (a IN (b)), one for
// each parenthesis.
constexpr std::size_t kMaxNesting = 2 * kMaxExpressionDepth + 1;

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(read_tokens(text)) {}

  Syntax whole() {
    if (peek().kind == TokenKind::kEnd) {
      refuse(0, "the expression is empty", "write a condition, such as age >= 18");
    }
    Syntax result = parse_or();
    if (peek().kind == TokenKind::kEnd) return result;
    refuse(peek().offset, fmt::format("{} is not expected here", shown(peek())),
           "put an operator before it, or remove it");
  }

 private:
  // Nesting: counts the levels of one expression, so that none exhausts the stack.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxNesting) refuse_depth(parser_.peek().offset);
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  [[noreturn]] static void refuse_depth(std::size_t offset) {
    refuse(
        offset, "the expression is nested too deeply",
        fmt::format("use at most {} levels; in a + b + c, each sign is one", kMaxExpressionDepth));
  }

  static std::string shown(const Token& token) {
    return token.kind == TokenKind::kEnd ? "the end" : quote(token.written);
  }
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  Token take() { return tokens_[std::min(at_++, tokens_.size() - 1)]; }
  bool is_word(std::string_view word, std::size_t ahead = 0) const {
    return peek(ahead).kind == TokenKind::kWord && peek(ahead).text == word;
  }
  bool is_sign(std::string_view sign) const {
    return peek().kind == TokenKind::kSign && peek().text == sign;
  }
  bool take_word(std::string_view word) {
    const bool there = is_word(word);
    if (there) ++at_;
    return there;
  }
  bool take_sign(std::string_view sign) {
    const bool there = is_sign(sign);
    if (there) ++at_;
    return there;
  }
  void require_word(std::string_view word, std::string_view after) {
    if (take_word(word)) return;
    refuse(peek().offset,
           fmt::format("{} is expected after {}, not {}", word, after, shown(peek())),
           fmt::format("write {} there", word));
  }
  void require_sign(std::string_view sign, std::string_view why) {
    if (take_sign(sign)) return;
    refuse(peek().offset, fmt::format("{} is expected here, not {}", quote(sign), shown(peek())),
           std::string(why));
  }

  // made: a node with operands. Chains of operators make deep trees without deep recursion here,
  // but everything after the parser is recursive.
  static Syntax made(SyntaxKind kind, std::string text, std::size_t offset,
                     std::vector<Syntax> operands) {
    std::size_t depth = 1;
    for (const Syntax& one : operands) depth = std::max(depth, one.depth + 1);
    if (depth > kMaxSyntaxDepth) refuse_depth(offset);
    return {kind, std::move(text), offset, std::move(operands), depth};
  }
  static Syntax node(std::string text, std::size_t offset, std::vector<Syntax> operands) {
    return made(SyntaxKind::kOperator, std::move(text), offset, std::move(operands));
  }
  static std::vector<Syntax> pair_of(Syntax a, Syntax b) {
    std::vector<Syntax> both;
    both.push_back(std::move(a));
    both.push_back(std::move(b));
    return both;
  }
  static std::vector<Syntax> one_of(Syntax a) {
    std::vector<Syntax> one;
    one.push_back(std::move(a));
    return one;
  }

  Syntax parse_or() {
    const Nesting nesting(*this);
    return parse_junction("OR", [this] { return parse_and(); });
  }
  Syntax parse_and() {
    return parse_junction("AND", [this] { return parse_not(); });
  }
  // A chain of conditions is one node, so that a long one is not a deep tree.
  template <class Next>
  Syntax parse_junction(std::string_view word, Next next) {
    Syntax first = next();
    if (!is_word(word)) return first;
    const std::size_t offset = peek().offset;
    std::vector<Syntax> operands = one_of(std::move(first));
    while (take_word(word)) operands.push_back(next());
    return node(std::string(word), offset, std::move(operands));
  }
  Syntax parse_not() {
    std::vector<std::size_t> offsets;
    while (is_word("NOT")) offsets.push_back(take().offset);
    Syntax result = parse_comparison();
    for (const std::size_t offset : offsets | std::views::reverse) {
      result = node("NOT", offset, one_of(std::move(result)));
    }
    return result;
  }

  // Of two predicates in a row, such as a = b IN (c), SQL dialects disagree which is first.
  Syntax parse_comparison() {
    Syntax left = parse_arithmetic();
    bool compared = false;
    while (true) {
      if (is_word("IS")) {
        left = parse_is(std::move(left));
        compared = true;
        continue;
      }
      const Token& first = peek();
      const bool negated = is_word("NOT");
      const std::size_t at = negated ? 1 : 0;
      const bool word = is_word("IN", at) || is_word("LIKE", at) || is_word("BETWEEN", at);
      if (!word) refuse_pattern(at);
      if (!word && (negated || !is_comparison(first))) return left;
      if (std::exchange(compared, true)) {
        refuse(first.offset, "comparisons are chained",
               "join them with AND, as in a < b AND b < c, or put one into parentheses");
      }
      const std::size_t offset = first.offset;
      if (negated) ++at_;
      Syntax found = parse_predicate(std::move(left));
      left = negated ? node("NOT", offset, one_of(std::move(found))) : std::move(found);
    }
  }
  // Comparisons with patterns that other systems have.
  void refuse_pattern(std::size_t ahead) const {
    if (is_word("ILIKE", ahead)) {
      refuse(peek(ahead).offset, "there is no ILIKE",
             "compare in lower case: lower(region) LIKE 'n%'");
    }
    for (const char* const word : {"RLIKE", "REGEXP", "SIMILAR", "GLOB", "MATCHES"}) {
      if (!is_word(word, ahead)) continue;
      refuse(peek(ahead).offset, fmt::format("there is no {}", word),
             "write LIKE, where % stands for any characters and _ for one");
    }
  }
  static bool is_comparison(const Token& token) {
    static constexpr std::array<std::string_view, 6> kSigns = {"=", "<>", "<", "<=", ">", ">="};
    return token.kind == TokenKind::kSign && std::ranges::find(kSigns, token.text) != kSigns.end();
  }
  Syntax parse_predicate(Syntax left) {
    if (is_word("IN")) return parse_in(std::move(left));
    if (is_word("LIKE")) return parse_like(std::move(left));
    if (is_word("BETWEEN")) return parse_between(std::move(left));
    Token sign = take();
    return node(std::move(sign.text), sign.offset, pair_of(std::move(left), parse_arithmetic()));
  }

  Syntax parse_is(Syntax left) {
    const std::size_t offset = take().offset;
    const bool negated = take_word("NOT");
    for (const char* word : {"NULL", "TRUE", "FALSE"}) {
      if (!take_word(word)) continue;
      Syntax result = node(std::string("IS ") + word, offset, one_of(std::move(left)));
      return negated ? node("NOT", offset, one_of(std::move(result))) : result;
    }
    refuse(peek().offset,
           fmt::format("NULL, TRUE or FALSE is expected after IS, not {}", shown(peek())),
           "write IS NULL, IS NOT NULL, IS TRUE or IS FALSE");
  }

  Syntax parse_in(Syntax left) {
    const std::size_t offset = take().offset;
    require_sign("(", "write the values in parentheses: region IN ('north', 'south')");
    std::vector<Syntax> operands = one_of(std::move(left));
    do {
      operands.push_back(parse_or());
    } while (take_sign(","));
    require_sign(")", "close the list of values");
    return node("IN", offset, std::move(operands));
  }
  Syntax parse_like(Syntax left) {
    const std::size_t offset = take().offset;
    std::vector<Syntax> operands = pair_of(std::move(left), parse_arithmetic());
    if (take_word("ESCAPE")) operands.push_back(parse_arithmetic());
    return node("LIKE", offset, std::move(operands));
  }
  Syntax parse_between(Syntax left) {
    const std::size_t offset = take().offset;
    Syntax low = parse_arithmetic();
    require_word("AND", "the lower end of BETWEEN");
    std::vector<Syntax> operands = pair_of(std::move(left), std::move(low));
    operands.push_back(parse_arithmetic());
    return node("BETWEEN", offset, std::move(operands));
  }

  // binding: how tightly an arithmetic sign binds; 0 for other tokens.
  static int binding(const Token& token) {
    if (token.kind != TokenKind::kSign) return 0;
    const std::string& sign = token.text;
    if (sign == "*" || sign == "/" || sign == "//" || sign == "%") return 3;
    if (sign == "+" || sign == "-") return 2;
    return sign == "||" ? 1 : 0;
  }
  // Signs of the same strength go from left to right; a tighter one takes the operand first. One
  // function for all of them keeps the stack flat.
  Syntax parse_arithmetic(int least = 1) {
    Syntax left = parse_unary();
    for (int strength = binding(peek()); strength >= least; strength = binding(peek())) {
      left = parse_right(std::move(left), strength);
    }
    return left;
  }
  Syntax parse_right(Syntax left, int strength) {
    Token sign = take();
    Syntax right = parse_arithmetic(strength + 1);
    return node(std::move(sign.text), sign.offset, pair_of(std::move(left), std::move(right)));
  }
  Syntax parse_unary() {
    std::vector<std::size_t> minuses;
    for (; is_sign("-") || is_sign("+"); ++at_) {
      if (is_sign("-")) minuses.push_back(peek().offset);
    }
    Syntax result = parse_cast();
    for (const std::size_t offset : minuses | std::views::reverse) {
      result = node("neg", offset, one_of(std::move(result)));
    }
    return result;
  }
  Syntax parse_cast() {
    Syntax value = parse_primary();
    while (is_sign("::")) {
      const std::size_t offset = take().offset;
      std::string type = type_name();
      value = made(SyntaxKind::kCast, std::move(type), offset, one_of(std::move(value)));
    }
    return value;
  }

  std::string type_name() {
    if (peek().kind != TokenKind::kWord) {
      refuse(
          peek().offset, fmt::format("a type is expected here, not {}", shown(peek())),
          "write INTEGER, REAL, TEXT, BOOLEAN, DATE, TIMESTAMP, TIME, UNSIGNED or DECIMAL(38, 2)");
    }
    std::string name = lower_case(take().text);
    if (name == "double") take_word("PRECISION");
    if (!is_sign("(")) return name;
    if (name == "decimal" || name == "numeric") return decimal_name();
    return name == "timestamp" ? timestamp_name() : name;
  }
  // decimal_name: DECIMAL(38, 2) is decimal(2), since every decimal has room for 38 digits.
  std::string decimal_name() {
    const Token open = take();
    const Token digits = take();
    const bool comma = take_sign(",");
    const Token decimals = comma ? take() : Token{};
    if (digits.kind != TokenKind::kInteger || decimals.kind != TokenKind::kInteger) {
      refuse(open.offset, "DECIMAL needs two numbers",
             "write how many digits, and how many of them are decimals: DECIMAL(38, 2)");
    }
    require_sign(")", "close DECIMAL(38, 2) with )");
    return fmt::format("decimal({})", decimals.text);
  }
  std::string timestamp_name() {
    const Token open = take();
    const Token zone = take();
    if (zone.kind != TokenKind::kText) {
      refuse(open.offset, "TIMESTAMP needs the name of a zone in parentheses, or none",
             "write TIMESTAMP('Europe/Berlin')");
    }
    require_sign(")", "close TIMESTAMP('Europe/Berlin') with )");
    return fmt::format("timestamp({})", zone.text);
  }

  [[noreturn]] static void refuse_query(std::size_t offset) {
    refuse(offset, "an expression cannot hold a query",
           "use columns of the same row; list the values of IN");
  }

  Syntax parse_primary() {
    switch (peek().kind) {
      case TokenKind::kInteger:
        return leaf(SyntaxKind::kInteger);
      case TokenKind::kDecimal:
        return leaf(SyntaxKind::kDecimal);
      case TokenKind::kText:
        return leaf(SyntaxKind::kText);
      case TokenKind::kQuotedName:
        return leaf(SyntaxKind::kName);
      case TokenKind::kWord:
        return parse_word();
      case TokenKind::kSign:
        if (is_sign("(")) return parse_group();
        break;
      case TokenKind::kEnd:
        break;
    }
    refuse_value();
  }
  Syntax leaf(SyntaxKind kind) {
    Token token = take();
    return {kind, std::move(token.text), token.offset, {}};
  }
  [[noreturn]] void refuse_value() const {
    if (peek().kind == TokenKind::kEnd) {
      refuse(peek().offset, "the expression ends too early", "write what follows");
    }
    refuse(peek().offset, fmt::format("a value is expected here, not {}", shown(peek())),
           "write a column, a number, a text in single quotes, or a function there");
  }

  Syntax parse_group() {
    const std::size_t open = take().offset;
    Syntax inner = parse_or();
    if (peek().kind == TokenKind::kEnd) {
      refuse(open, "this parenthesis is not closed", "close it with )");
    }
    require_sign(")", "put an operator before it, or close the parenthesis");
    return inner;
  }

  Syntax parse_word() {
    const Token& word = tokens_[at_++];
    if (word.text == "TRUE") return {SyntaxKind::kTrue, "", word.offset, {}};
    if (word.text == "FALSE") return {SyntaxKind::kFalse, "", word.offset, {}};
    if (word.text == "NULL") return {SyntaxKind::kNull, "", word.offset, {}};
    if (word.text == "CASE") return parse_case(word.offset);
    if (word.text == "CAST") return parse_cast_call(word.offset);
    if (peek().kind == TokenKind::kText) {
      if (const auto kind = kind_of_literal(word.text))
        return {*kind, take().text, word.offset, {}};
    }
    refuse_reserved(word);
    if (is_sign("(")) return parse_call(word);
    return {SyntaxKind::kName, word.written, word.offset, {}};
  }
  // kind_of_literal: what a word before a text makes of it.
  static std::optional<SyntaxKind> kind_of_literal(std::string_view word) {
    if (word == "DATE") return SyntaxKind::kDate;
    if (word == "TIMESTAMP") return SyntaxKind::kTimestamp;
    if (word == "TIME") return SyntaxKind::kTime;
    if (word == "DECIMAL") return SyntaxKind::kExactDecimal;
    if (word == "REAL") return SyntaxKind::kExactReal;
    return std::nullopt;
  }
  // refuse_reserved: refuses words that start neither a call nor the name of a column.
  void refuse_reserved(const Token& word) const {
    if (word.text == "SELECT" || word.text == "EXISTS") refuse_query(word.offset);
    if (is_reserved(word)) {
      refuse(word.offset, fmt::format("a value is expected here, not {}", quote(word.written)),
             "if it is a column, put its name in double quotes");
    }
    if (is_sign(".")) {
      refuse(word.offset, "a column has one name only", "leave out what stands before the point");
    }
  }

  Syntax parse_case(std::size_t offset) {
    std::vector<Syntax> operands;
    const bool subject = !is_word("WHEN");
    if (subject) operands.push_back(parse_or());
    if (!is_word("WHEN")) require_word("WHEN", "CASE");
    while (take_word("WHEN")) {
      operands.push_back(parse_or());
      require_word("THEN", "the condition of WHEN");
      operands.push_back(parse_or());
    }
    operands.push_back(take_word("ELSE") ? parse_or() : Syntax{SyntaxKind::kNull, "", offset, {}});
    require_word("END", "the values of CASE");
    return made(subject ? SyntaxKind::kCaseOf : SyntaxKind::kCase, "", offset, std::move(operands));
  }

  Syntax parse_cast_call(std::size_t offset) {
    require_sign("(", "write CAST(value AS type)");
    Syntax value = parse_or();
    require_word("AS", "the value of CAST");
    std::string type = type_name();
    require_sign(")", "close CAST with )");
    return made(SyntaxKind::kCast, std::move(type), offset, one_of(std::move(value)));
  }

  Syntax parse_call(const Token& name) {
    take();  // the parenthesis
    std::vector<Syntax> operands;
    if (is_sign("*") || is_word("DISTINCT")) {
      refuse(name.offset, fmt::format("{} looks at more than one row", quote(name.written)),
             "an expression looks at one row; make it a statistic instead");
    }
    // extract(year FROM born) is the same as date_part('year', born).
    if (name.text == "EXTRACT") {
      const Token part = take();
      require_word("FROM", "the part of EXTRACT");
      operands.push_back({SyntaxKind::kText, lower_case(part.text), part.offset, {}});
      operands.push_back(parse_or());
      require_sign(")", "close EXTRACT with )");
      return made(SyntaxKind::kCall, "date_part", name.offset, std::move(operands));
    }
    if (!is_sign(")")) {
      do operands.push_back(parse_or());
      while (take_sign(","));
    }
    require_sign(")", fmt::format("close the arguments of {} with )", quote(name.written)));
    if (is_word("OVER")) {
      refuse(peek().offset, "a window looks at more than one row",
             "an expression looks at one row; make it a statistic instead");
    }
    return made(SyntaxKind::kCall, lower_case(name.text), name.offset, std::move(operands));
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

void refuse(std::size_t offset, std::string problem, std::string remedy) {
  throw Refusal{{offset, std::move(problem), std::move(remedy)}};
}

Syntax parse_syntax(std::string_view text) {
  if (text.size() > kMaxExpressionBytes) {
    refuse(kMaxExpressionBytes, "the expression is too long",
           fmt::format("use at most {} bytes", kMaxExpressionBytes));
  }
  const std::size_t broken = first_invalid_utf8(text);
  if (broken < text.size()) refuse(broken, "the expression is not UTF-8", "save the file as UTF-8");
  return Parser(text).whole();
}

}  // namespace lastbit::expression_internal
