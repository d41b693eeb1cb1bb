#include "lastbit/release/expressions/tokens.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "lastbit/base/text.h"
#include "lastbit/base/utf8.h"
#include "lastbit/release/expressions/syntax.h"

namespace lastbit::expression_internal {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
// Letters outside ASCII are part of names too.
bool continues_word(char c) {
  return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

// Words of the language are ASCII.
std::string upper_case(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

// ForeignSign: what other languages, keyboards and word processors write.
struct ForeignSign {
  std::string_view sign;
  std::string_view remedy;
};
constexpr auto kForeignSigns = std::to_array<ForeignSign>({
    {"==", "write =, which compares"},
    {"=>", "write >="},
    {"=<", "write <="},
    {"&&", "write AND"},
    {"≥", "write >="},
    {"≤", "write <="},
    {"≠", "write <>"},
    {"“", "write texts in straight single quotes, as in 'north'"},
    {"”", "write texts in straight single quotes, as in 'north'"},
    {"„", "write texts in straight single quotes, as in 'north'"},
    {"‘", "write texts in straight single quotes, as in 'north'"},
    {"’", "write texts in straight single quotes, as in 'north'"},
    {"`", "write names of columns in double quotes"},
    {"[", "write lists in parentheses, and names of columns in double quotes"},
    {"~", "write LIKE, as in region LIKE 'n%'"},
    {"^", "write a product, as in x * x"},
});

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> read_all() {
    std::vector<Token> tokens;
    do tokens.push_back(next());
    while (tokens.back().kind != TokenKind::kEnd);
    return tokens;
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }

  Token next() {
    skip_space();
    const std::size_t start = at_;
    if (at_ == text_.size()) return {TokenKind::kEnd, "", "", start};
    refuse_foreign_sign();
    const char c = text_[at_];
    Token token;
    if (is_letter(c) || static_cast<unsigned char>(c) >= 0x80) {
      token = word();
    } else if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
      token = number();
    } else if (c == '\'' || c == '"') {
      token = {c == '"' ? TokenKind::kQuotedName : TokenKind::kText, in_quotes(c), "", 0};
    } else {
      token = sign();
    }
    token.offset = start;
    token.written = std::string(text_.substr(start, at_ - start));
    return token;
  }

  void refuse_foreign_sign() const {
    for (const auto& [sign, remedy] : kForeignSigns) {
      if (!rest().starts_with(sign)) continue;
      refuse(at_, fmt::format("{} is not SQL", quote(sign)), std::string(remedy));
    }
    if (rest().starts_with('!') && !rest().starts_with("!=")) {
      refuse(at_, "'!' is not SQL", "write NOT");
    }
  }

  void skip_space() {
    constexpr std::string_view kSpace = " \t\r\n";
    at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size());
    if (rest().starts_with("--") || rest().starts_with("/*")) {
      refuse(at_, "an expression has no comments", "write the comment in the release file");
    }
  }

  Token word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && continues_word(text_[at_])) ++at_;
    return {TokenKind::kWord, upper_case(text_.substr(start, at_ - start)), "", start};
  }

  Token number() {
    const std::size_t start = at_;
    const auto digits = [&] {
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    };
    digits();
    bool decimal = false;
    if (at_ < text_.size() && text_[at_] == '.') {
      decimal = true;
      ++at_;
      digits();
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      std::size_t power = at_ + 1;
      if (power < text_.size() && (text_[power] == '+' || text_[power] == '-')) ++power;
      if (power < text_.size() && is_digit(text_[power])) {
        decimal = true;
        at_ = power;
        digits();
      }
    }
    if (at_ < text_.size() && continues_word(text_[at_])) {
      refuse(at_, "a letter follows a number", "put a space or an operator between them");
    }
    return {decimal ? TokenKind::kDecimal : TokenKind::kInteger,
            std::string(text_.substr(start, at_ - start)), "", start};
  }

  // Two quotes inside stand for one.
  std::string in_quotes(char mark) {
    const std::size_t start = at_++;
    std::string result;
    while (true) {
      const std::size_t end = text_.find(mark, at_);
      if (end == std::string_view::npos) {
        refuse(start, mark == '"' ? "a name has no closing quote" : "a text has no closing quote",
               fmt::format("end it with {}", mark));
      }
      result += text_.substr(at_, end - at_);
      at_ = end + 1;
      if (at_ == text_.size() || text_[at_] != mark) return result;
      result += mark;
      ++at_;
    }
  }

  Token sign() {
    static constexpr std::array<std::string_view, 19> kSigns = {
        "<>", "<=", ">=", "!=", "||", "::", "//", "=", "<", ">",
        "+",  "-",  "*",  "/",  "%",  "(",  ")",  ",", "."};
    for (const std::string_view sign : kSigns) {
      if (!rest().starts_with(sign)) continue;
      at_ += sign.size();
      return {TokenKind::kSign, sign == "!=" ? "<>" : std::string(sign), "", 0};
    }
    const std::size_t bytes = read_character(rest()).bytes;
    refuse(at_, fmt::format("{} has no meaning here", quote(rest().substr(0, bytes))),
           text_[at_] == ';' ? "write one expression, without a semicolon"
                             : "see docs/expressions.md for what an expression can hold");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Words that cannot be names of columns unless they are in quotes.
constexpr std::array<std::string_view, 31> kReserved = {
    "AND",    "AS",     "BETWEEN", "CASE",   "CAST",  "DISTINCT", "ELSE", "END",
    "ESCAPE", "EXISTS", "FALSE",   "FROM",   "GROUP", "IN",       "IS",   "LIKE",
    "NOT",    "NULL",   "OR",      "ORDER",  "OVER",  "SELECT",   "THEN", "TRUE",
    "UNION",  "WHEN",   "WHERE",   "HAVING", "LIMIT", "JOIN",     "USING"};

}  // namespace

std::vector<Token> read_tokens(std::string_view text) { return Lexer(text).read_all(); }

bool is_reserved(const Token& token) {
  return token.kind == TokenKind::kWord &&
         std::ranges::find(kReserved, token.text) != kReserved.end();
}

std::string lower_case(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

}  // namespace lastbit::expression_internal
