#include "lastbit/verify/lang/lexer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "lastbit/base/text.h"

namespace lastbit::verify {
namespace {

// Longer signs come before their own beginnings.
constexpr std::array<std::string_view, 25> kSigns = {
    ":=", "<-", "<=", ">=", "==", "!=", "..", "+", "-", "*", "/", "%", "<",
    ">",  "(",  ")",  "[",  "]",  "{",  "}",  ",", ";", ":", "|", "."};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// The length of the UTF-8 character at the start of `text`; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  }
  // Overlong forms, surrogates and numbers beyond the last character.
  const bool bad_second =
      (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xed && byte(1) > 0x9f) ||
      (byte(0) == 0xf0 && byte(1) < 0x90) || (byte(0) == 0xf4 && byte(1) > 0x8f);
  return bad_second ? 0 : length;
}

class Lexer {
 public:
  explicit Lexer(const Source& source) : source_(source), rest_(source.text()) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    for (skip_blanks(); !rest_.empty(); skip_blanks()) tokens.push_back(next());
    tokens.push_back(take(TokenKind::kEnd, 0));
    return tokens;
  }

 private:
  void advance(std::size_t count) {
    rest_.remove_prefix(count);
    at_.column += static_cast<int>(count);
  }

  void skip_blanks() {
    while (!rest_.empty()) {
      const char c = rest_[0];
      if (c == '#') {
        skip_comment();
      } else if (c == '\n') {
        rest_.remove_prefix(1);
        at_ = {.line = at_.line + 1, .column = 1};
      } else if (c == ' ' || c == '\t' || c == '\r') {
        advance(1);
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    while (!rest_.empty() && rest_[0] != '\n') {
      const std::size_t length = character_length(rest_);
      if (length == 0 || rest_[0] == '\0') {
        throw source_.error(at_, "found a byte in a comment that is not UTF-8 text",
                            "save the file as UTF-8");
      }
      advance(length);
    }
  }

  Token next() {
    if (is_letter(rest_[0])) return name();
    if (is_digit(rest_[0])) return number();
    const auto* const sign =
        std::ranges::find_if(kSigns, [&](std::string_view s) { return rest_.starts_with(s); });
    if (sign == kSigns.end()) refuse_character();
    return take(TokenKind::kSign, sign->size());
  }

  Token take(TokenKind kind, std::size_t length) {
    Token token{.kind = kind, .text = rest_.substr(0, length), .number = {}, .at = at_};
    advance(length);
    return token;
  }

  std::size_t count_while(std::size_t from, bool (*good)(char)) const {
    std::size_t end = from;
    while (end < rest_.size() && good(rest_[end])) ++end;
    return end;
  }

  Token name() {
    const std::size_t length = count_while(0, [](char c) { return is_letter(c) || is_digit(c); });
    if (rest_[0] == '_') {
      throw source_.error(
          at_, fmt::format("the name {} starts with '_'", quote(rest_.substr(0, length))),
          "start names with a letter");
    }
    if (length > kMaxNameLength) {
      throw source_.error(at_, fmt::format("a name has {} letters", length),
                          fmt::format("use at most {}", kMaxNameLength));
    }
    return take(TokenKind::kName, length);
  }

  Token number() {
    const auto digit_at = [&](std::size_t i) { return i < rest_.size() && is_digit(rest_[i]); };
    std::size_t end = count_while(0, is_digit);
    // In `0..n` the point belongs to the range.
    if (end < rest_.size() && rest_[end] == '.' && digit_at(end + 1)) {
      end = count_while(end + 1, is_digit);
    }
    if (end < rest_.size() && (rest_[end] == 'e' || rest_[end] == 'E')) {
      const bool is_signed =
          end + 1 < rest_.size() && (rest_[end + 1] == '+' || rest_[end + 1] == '-');
      const std::size_t digits = end + (is_signed ? 2 : 1);
      if (digit_at(digits)) end = count_while(digits, is_digit);
    }
    if (end < rest_.size() && is_letter(rest_[end])) {
      throw source_.error(
          at_, fmt::format("found a letter in the number {}", quote(rest_.substr(0, end + 1))),
          "write numbers such as 12, 0.1 or 1e-3, and `*` to multiply");
    }
    Token token = take(TokenKind::kNumber, end);
    token.number = value(token);
    return token;
  }

  Rational value(const Token& token) const {
    const auto refused = [&] {
      return source_.error(token.at, fmt::format("the number {} is too large", quote(token.text)),
                           fmt::format("use numbers of at most {} bits", kMaxNumberBits));
    };
    // 30 digits are more than 99 bits, so a longer text is refused before it is a number.
    if (token.text.size() > kMaxNumberBits / 3) throw refused();
    Rational number;
    try {
      number = Rational::parse(token.text);
    } catch (const Error&) {
      throw refused();  // Its exponent is beyond what any number may have.
    }
    if (too_large(number)) throw refused();
    return number;
  }

  [[noreturn]] void refuse_character() const {
    const char c = rest_[0];
    std::string remedy = "remove it; outside comments a program is ASCII text";
    if (c == '=') remedy = "write `:=` to assign and `==` to compare";
    if (c == '&') remedy = "write `and`";
    if (c == '!') remedy = "write `not`, or `!=` for unequal";
    if (c == '^') remedy = "write a product; there are no powers";
    if (c == '"' || c == '\'') remedy = "remove it; there are no texts in the language";
    const std::size_t length = std::max<std::size_t>(1, character_length(rest_));
    throw source_.error(at_, fmt::format("found the character {}", quote(rest_.substr(0, length))),
                        remedy);
  }

  const Source& source_;
  std::string_view rest_;
  Position at_{.line = 1, .column = 1};
};

}  // namespace

std::vector<Token> tokenize(const Source& source) { return Lexer(source).run(); }

bool too_large(const Rational& number) {
  return number.numerator().bit_length() > kMaxNumberBits ||
         number.denominator().bit_length() > kMaxNumberBits;
}

}  // namespace lastbit::verify
