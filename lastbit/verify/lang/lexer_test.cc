#include "lastbit/verify/lang/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lastbit/verify/lang/source.h"
#include "lastbit/verify/lang/test_support.h"

namespace lastbit::verify {
namespace lexer_test {

std::vector<std::string> words(std::string_view text) {
  const Source source(text, "m.dp");
  std::vector<std::string> found;
  for (const Token& token : tokenize(source)) found.emplace_back(token.text);
  return found;
}

std::string refusal_of(std::string_view text) {
  try {
    words(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadText);
    return error.place() + " " + error.problem().substr(0, error.problem().find('\n')) + "; " +
           error.remedy();
  }
  return "accepted";
}

Rational number(std::string_view text) {
  const Source source(text, "m.dp");
  const std::vector<Token> tokens = tokenize(source);
  EXPECT_EQ(tokens.size(), 2U) << text;
  EXPECT_EQ(tokens[0].kind, TokenKind::kNumber);
  return tokens[0].number;
}

using Words = std::vector<std::string>;

TEST(LexerTest, LongestSignWins) {
  EXPECT_EQ(words("a<=b<-c<d"), (Words{"a", "<=", "b", "<-", "c", "<", "d", ""}));
  EXPECT_EQ(words("x:=y:z==w!=v>=u"),
            (Words{"x", ":=", "y", ":", "z", "==", "w", "!=", "v", ">=", "u", ""}));
}

TEST(LexerTest, PointsOfRangesAndRunsAreNotPartOfNumbers) {
  EXPECT_EQ(words("0..n"), (Words{"0", "..", "n", ""}));
  EXPECT_EQ(words("q.1-q.2"), (Words{"q", ".", "1", "-", "q", ".", "2", ""}));
  EXPECT_EQ(words("1.5..2"), (Words{"1.5", "..", "2", ""}));
}

TEST(LexerTest, NumbersAreExact) {
  EXPECT_EQ(number("0.1"), Rational(1, 10));
  EXPECT_EQ(number("1e-3"), Rational(1, 1000));
  EXPECT_EQ(number("2.5E+2"), Rational(250));
  EXPECT_EQ(number("007"), Rational(7));
}

TEST(LexerTest, CommentsRunToTheEndOfTheLineAndMayBeUtf8) {
  EXPECT_EQ(words("a # ε ≤ 1, naïve 𝜆\nb"), (Words{"a", "b", ""}));
  EXPECT_EQ(words("# only"), (Words{""}));
}

TEST(LexerTest, LineEndsOfEitherKindAndAByteOrderMarkAreSkipped) {
  const Source source(
      "\xef\xbb\xbf"
      "a\r\n\tb",
      "m.dp");
  const std::vector<Token> tokens = tokenize(source);
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(tokens[0].at.column, 1);
  EXPECT_EQ(tokens[1].text, "b");
  EXPECT_EQ(tokens[1].at.line, 2);
  EXPECT_EQ(tokens[1].at.column, 2);
}

TEST(LexerTest, CharactersWithoutMeaningAreNamed) {
  EXPECT_EQ(
      refusal_of("a\n  $"),
      "m.dp:2:3 found the character '$'; remove it; outside comments a program is ASCII text");
  EXPECT_EQ(refusal_of("x = 1"),
            "m.dp:1:3 found the character '='; write `:=` to assign and `==` to compare");
  EXPECT_EQ(refusal_of("a && b"), "m.dp:1:3 found the character '&'; write `and`");
  EXPECT_EQ(refusal_of("!a"), "m.dp:1:1 found the character '!'; write `not`, or `!=` for unequal");
  EXPECT_EQ(refusal_of("x ^ 2"),
            "m.dp:1:3 found the character '^'; write a product; there are no powers");
  EXPECT_EQ(refusal_of("\"text\""),
            "m.dp:1:1 found the character '\"'; remove it; there are no texts in the language");
}

TEST(LexerTest, NulAndNonAsciiCharactersOutsideCommentsAreRefused) {
  EXPECT_EQ(refusal_of(std::string_view("a\0b", 3)),
            "m.dp:1:2 found the character '\\x00'; remove it; outside comments a program is ASCII "
            "text");
  EXPECT_EQ(refusal_of("ε := 1"),
            "m.dp:1:1 found the character 'ε'; remove it; outside comments a program is "
            "ASCII text");
  EXPECT_EQ(refusal_of("a \xff"),
            "m.dp:1:3 found the character '\\xff'; remove it; outside comments a program is ASCII "
            "text");
}

TEST(LexerTest, BytesInCommentsMustBeUtf8) {
  const std::string expected =
      " found a byte in a comment that is not UTF-8 text; save the file as "
      "UTF-8";
  for (const std::string_view bad :
       {"\xff", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf0\x80\x80\x80",
        "\xe2\x82", "\x80", "\xc3("}) {
    EXPECT_EQ(refusal_of("# " + std::string(bad)), "m.dp:1:3" + expected) << bad;
  }
  EXPECT_EQ(refusal_of(std::string_view("# \0", 3)), "m.dp:1:3" + expected);
  for (const std::string_view good :
       {"\xc2\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(refusal_of("# " + std::string(good)), "accepted") << good;
  }
}

TEST(LexerTest, MalformedNumbersAreRefused) {
  EXPECT_EQ(
      refusal_of("2x"),
      "m.dp:1:1 found a letter in the number '2x'; write numbers such as 12, 0.1 or 1e-3, and "
      "`*` to multiply");
  EXPECT_NE(refusal_of("0x10"), "accepted");
  EXPECT_NE(refusal_of("1e"), "accepted");
  EXPECT_NE(refusal_of("1e+"), "accepted");
}

TEST(LexerTest, HugeNumbersAreRefusedBeforeTheyFillTheMemory) {
  const std::string tail = " is too large; use numbers of at most 4096 bits";
  EXPECT_EQ(refusal_of("1e1233"), "accepted");
  EXPECT_EQ(refusal_of("1e1234"), "m.dp:1:1 the number '1e1234'" + tail);
  EXPECT_EQ(refusal_of("1e-1234"), "m.dp:1:1 the number '1e-1234'" + tail);
  EXPECT_EQ(refusal_of("1e20001"), "m.dp:1:1 the number '1e20001'" + tail);
  EXPECT_EQ(refusal_of("1e999999999999999999999"),
            "m.dp:1:1 the number '1e999999999999999999999'" + tail);
  EXPECT_NE(refusal_of(std::string(900'000, '9')), "accepted");
  EXPECT_NE(refusal_of("0." + std::string(900'000, '1')), "accepted");
}

TEST(LexerTest, NamesHaveLettersDigitsAndUnderscoresAndALimit) {
  EXPECT_EQ(words("noisy_T2"), (Words{"noisy_T2", ""}));
  EXPECT_EQ(refusal_of("_x"), "m.dp:1:1 the name '_x' starts with '_'; start names with a letter");
  EXPECT_EQ(refusal_of(std::string(kMaxNameLength, 'a')), "accepted");
  EXPECT_EQ(refusal_of(std::string(kMaxNameLength + 1, 'a')),
            "m.dp:1:1 a name has 65 letters; use at most 64");
}

TEST(SourceTest, ErrorShowsTheLineAndACaretBelowTheColumn) {
  const Source source("first\n  x := y +;\nlast", "dir/m.dp");
  const Error error = source.error({.line = 2, .column = 11}, "no value", "write one");
  EXPECT_EQ(error.code(), ErrorCode::kBadText);
  EXPECT_EQ(error.place(), "dir/m.dp:2:11");
  EXPECT_EQ(error.problem(),
            "no value\n"
            "  2 |   x := y +;\n"
            "    |           ^");
  EXPECT_EQ(error.remedy(), "write one");
}

TEST(SourceTest, CaretKeepsItsColumnBehindTabsAndWideLineNumbers) {
  const std::string text = std::string(99, '\n') + "\tx;\r\n";
  const Source source(text, "m.dp");
  EXPECT_EQ(source.excerpt({.line = 100, .column = 2}),
            "  100 |  x;\n"
            "      |  ^");
}

TEST(SourceTest, CaretMayStandBehindTheLastLine) {
  const Source source("a\n", "m.dp");
  EXPECT_EQ(source.excerpt({.line = 2, .column = 1}), "  2 | \n    | ^");
  EXPECT_EQ(source.excerpt({.line = 9, .column = 1}), "  9 | \n    | ^");
}

TEST(SourceTest, BytesThatCouldGarbleATerminalAreHidden) {
  const Source source("a \x1b[2J \xc2\x9b", "m.dp");
  EXPECT_EQ(source.excerpt({.line = 1, .column = 3}), "  1 | a ?[2J ??\n    |   ^");
}

TEST(SourceTest, LongLinesAreCutAroundTheCaret) {
  const std::string line = std::string(1000, 'a') + "X" + std::string(1000, 'b');
  const Source source(line, "m.dp");
  const std::string excerpt = source.excerpt({.line = 1, .column = 1001});
  EXPECT_LT(excerpt.size(), 200U);
  const std::size_t break_at = excerpt.find('\n');
  EXPECT_EQ(excerpt.find('X'), excerpt.find('^') - break_at - 1);
}

}  // namespace lexer_test
}  // namespace lastbit::verify
