#include "lastbit/base/escape.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

#include "lastbit/base/utf8.h"

namespace lastbit {
namespace escape_test {

TEST(ShownTextTest, HiddenCharactersAreEscaped) {
  EXPECT_EQ(shown_text("a\u202eb"), "a\\u202eb");
  EXPECT_EQ(shown_text("a\nb\x1b[1m"), "a\\u000ab\\u001b[1m");
  EXPECT_EQ(shown_text("\u2066x\u2069\ufeff"), "\\u2066x\\u2069\\ufeff");
  EXPECT_EQ(shown_text("\U000e0041"), "\\U000e0041");
  EXPECT_EQ(shown_text("\xff"), "\\xff");
  EXPECT_EQ(shown_text("größe 身長 😀"), "größe 身長 😀");
}

TEST(ShownTextTest, BytesThatAreNotUtf8AreEscapedOneByOne) {
  EXPECT_EQ(shown_text("\xc0\xaf"), "\\xc0\\xaf");           // an overlong slash
  EXPECT_EQ(shown_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
  EXPECT_EQ(shown_text("\xe2\x82"), "\\xe2\\x82");           // cut off
  EXPECT_EQ(shown_text("\u009b31m"), "\\u009b31m");          // an escape sequence in one character
}

TEST(ShownTextTest, JoinersStayWhereScriptsNeedThem) {
  EXPECT_EQ(shown_text("می\u200cخواهم"), "می\u200cخواهم");
  EXPECT_EQ(shown_text("👩\u200d👧"), "👩\u200d👧");
  EXPECT_EQ(shown_text("❤\ufe0f\u200d🔥"), "❤\ufe0f\u200d🔥");
  EXPECT_EQ(shown_text("admin\u200d"), "admin\\u200d");
  EXPECT_EQ(shown_text("\u200c"), "\\u200c");
}

RC_GTEST_PROP(ShownTextTest, IsOneLineOfUtf8WithoutHiddenCharacters, (const std::string& text)) {
  const std::string shown = shown_text(text);
  RC_ASSERT(first_invalid_utf8(shown) == shown.size());
  for (std::string_view rest = shown; !rest.empty();) {
    const Character next = read_character(rest);
    RC_ASSERT(!is_hidden(next.point) || is_joiner(next.point));
    rest.remove_prefix(next.bytes);
  }
}

TEST(HiddenEscapedTest, OnlyHiddenCharactersChange) {
  EXPECT_EQ(with_hidden_escaped("\"a\\\"b\u202e\""), "\"a\\\"b\\u202e\"");
  EXPECT_EQ(with_hidden_escaped("a\u200d\xff"), "a\\u200d\xff");
}

TEST(ShellTextTest, IsOneWord) {
  EXPECT_EQ(shell_text("a/b-c.toml"), "a/b-c.toml");
  EXPECT_EQ(shell_text("a b"), "'a b'");
  EXPECT_EQ(shell_text("it's; rm"), "'it'\\''s; rm'");
  EXPECT_EQ(shell_text("-x"), "./-x");
  EXPECT_EQ(shell_text(""), "''");
}

}  // namespace escape_test
}  // namespace lastbit
