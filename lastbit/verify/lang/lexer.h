// The words of the mechanism language.
//
// Accepts        ASCII text; comments run from # to the end of the line and may hold any UTF-8. A
//                byte order mark and line ends of either kind are skipped.
// Fails          kBadText at FILE:LINE:COLUMN: a character that no word starts with, text that is
//                not UTF-8, a number or a name beyond the limits below.
#pragma once

#include <string_view>
#include <vector>

#include "lastbit/numerics/rational.h"
#include "lastbit/verify/lang/source.h"

namespace lastbit::verify {

// A short hostile text must not become a large number or flood a message.
inline constexpr std::size_t kMaxNumberBits = 4096;  // of numerator and of denominator
inline constexpr std::size_t kMaxNameLength = 64;

enum class TokenKind {
  kName,    // also the keywords of the language
  kNumber,  // exact
  kSign,    // + - := <= .. and so on
  kEnd,     // after the last word
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;  // a part of the source
  Rational number;
  Position at;
};

// tokenize: the words of the source, with a kEnd after them.
std::vector<Token> tokenize(const Source& source);

// too_large: whether a number needs more than kMaxNumberBits.
bool too_large(const Rational& number);

}  // namespace lastbit::verify
