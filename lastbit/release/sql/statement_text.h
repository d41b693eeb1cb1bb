// StatementText: a statement as tokens that know their places. For this folder only.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/release/expressions/syntax.h"
#include "lastbit/release/expressions/tokens.h"
#include "lastbit/release/sql/select.h"

namespace lastbit::sql_internal {

using expression_internal::Syntax;
using expression_internal::Token;
using expression_internal::TokenKind;
using TokenSpan = std::span<const Token>;

// The longest statement, in bytes.
inline constexpr std::size_t kMaxStatementBytes = kMaxExpressionBytes;
// The most parts of one list.
inline constexpr std::size_t kMaxParts = 1000;

bool is_word(const Token& token, std::string_view word);
bool is_sign(const Token& token, std::string_view sign);
// is_name: a word that is not reserved, or a name in double quotes.
bool is_name(const Token& token);
// name_in: that name.
std::string name_in(const Token& token);
// is_call: whether the tokens begin with a word and a parenthesis.
bool is_call(TokenSpan tokens);
// closing: the index of the parenthesis that closes the one at `open`.
// Requires  caller: the parentheses are balanced.
std::size_t closing(TokenSpan tokens, std::size_t open);

class StatementText {
 public:
  // Fails  kBadInput for text that is too long, not UTF-8, not made of tokens, more than one
  //        statement, or with parentheses that do not match.
  explicit StatementText(std::string_view text);

  TokenSpan tokens() const { return std::span(tokens_).first(tokens_.size() - 1); }
  // at: the token with this index; the end of the statement where there are no more.
  const Token& at(std::size_t index) const { return tokens_[std::min(index, tokens_.size() - 1)]; }
  // after: the token behind a part of the statement.
  const Token& after(TokenSpan part) const;

  FilePosition position(std::size_t offset) const;
  // written: the part as it stands there. in_one_line: with one space where there is any.
  Located<std::string> written(TokenSpan part) const;
  std::string in_one_line(TokenSpan part) const;
  // split: the parts between commas outside parentheses. An empty part is refused; `what` must be
  // listed there.
  std::vector<TokenSpan> split(TokenSpan part, std::string_view what) const;
  // row_value, syntax: the part as an expression of one row; refused if it is none.
  SelectValue row_value(TokenSpan part) const;
  Syntax syntax(TokenSpan part) const;

  // refuse: throws a kBadInput Error with the place of the token.
  [[noreturn]] void refuse(const Token& token, std::string problem, std::string remedy) const;
  [[noreturn]] void refuse_at(std::size_t offset, std::string problem, std::string remedy) const;

 private:
  void require_balance() const;
  void refuse_equal_to_null(std::size_t start, const Syntax& part) const;

  std::string_view text_;
  std::vector<Token> tokens_;
};

// same_syntax: whether two expressions are written the same, up to spaces, case of words and
// parentheses that change nothing.
bool same_syntax(const Syntax& a, const Syntax& b);

// shown_token: a token as messages call it.
std::string shown_token(const Token& token);

}  // namespace lastbit::sql_internal
