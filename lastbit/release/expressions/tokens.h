// Tokens: the words, names, numbers, texts and signs that expressions and statements are made of.
// For this module only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lastbit::expression_internal {

enum class TokenKind { kWord, kQuotedName, kInteger, kDecimal, kText, kSign, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;  // of a word in upper case; of a name or text without quotes
  std::string written;
  std::size_t offset = 0;
};

// read_tokens: all of them; the last is kEnd. Throws Refusal (syntax.h) where none begins.
std::vector<Token> read_tokens(std::string_view text);

// is_reserved: a word that cannot be the name of a column unless it is in quotes.
bool is_reserved(const Token& token);

// lower_case: words of the language are ASCII.
std::string lower_case(std::string_view word);

}  // namespace lastbit::expression_internal
