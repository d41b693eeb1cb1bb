#include "lastbit/base/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace lastbit {
namespace text_test {

TEST(QuotedTest, PrintableTextIsKept) {
  EXPECT_EQ(quote("epsilon = 1/2"), "'epsilon = 1/2'");
  EXPECT_EQ(quote(""), "''");
}

TEST(QuotedTest, ControlAndHighBytesAreEscaped) {
  EXPECT_EQ(quote("a\x1b[2J\n\x7f\xff"), "'a\\x1b[2J\\x0a\\x7f\\xff'");
  EXPECT_EQ(quote(std::string_view("\0", 1)), "'\\x00'");
}

TEST(QuotedTest, LongTextIsCutAndItsLengthTold) {
  EXPECT_EQ(lastbit::quote(std::string(40, 'x')), "'" + std::string(40, 'x') + "'");
  EXPECT_EQ(lastbit::quote(std::string(41, 'x')), "'" + std::string(40, 'x') + "…' (41 bytes)");
  EXPECT_EQ(quote("abcdef", 2), "'ab…' (6 bytes)");
}

TEST(QuotedTest, WellFormedUtf8IsKeptAndCutBetweenCharacters) {
  EXPECT_EQ(quote("größe 身長 😀"), "'größe 身長 😀'");
  EXPECT_EQ(quote("größe", 3), "'gr…' (7 bytes)");
  EXPECT_EQ(quote("größe", 4), "'grö…' (7 bytes)");
}

TEST(QuotedTest, BrokenAndInvisibleCharactersAreEscaped) {
  EXPECT_EQ(quote("\xc3"), "'\\xc3'");
  EXPECT_EQ(quote("\xc3\xc3\x9f"), "'\\xc3ß'");
  EXPECT_EQ(quote("\xc0\xaf"), "'\\xc0\\xaf'");           // an overlong /
  EXPECT_EQ(quote("\xed\xa0\x80"), "'\\xed\\xa0\\x80'");  // half of a surrogate pair
  EXPECT_EQ(quote("a\u202eb"), "'a\\xe2\\x80\\xaeb'");    // right-to-left override
  EXPECT_EQ(quote("a\u200bb\ufeff"), "'a\\xe2\\x80\\x8bb\\xef\\xbb\\xbf'");
  EXPECT_EQ(quote("\u0085"), "'\\xc2\\x85'");
}

RC_GTEST_PROP(QuotedTest, OutputOfShortTextIsPrintable, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::oneOf(
      rc::gen::arbitrary<char>(), rc::gen::elementOf(std::string("a'\x1b\xc3\x9f\xe2\x80\xae"))));
  const std::string shown = lastbit::quote(text, text.size());
  for (std::string_view rest = shown; !rest.empty();) {
    const TextCharacter next = first_character(rest);
    RC_ASSERT(next.printable);
    rest.remove_prefix(next.bytes);
  }
  RC_ASSERT(shown.size() <= 4 * text.size() + 2);
}

TEST(JoinedTest, SeparatorStandsBetweenPartsOnly) {
  EXPECT_EQ(joined(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(joined(std::vector<std::string>{"a"}, ", "), "a");
  EXPECT_EQ(joined(std::vector<std::string>{"a", "b", "c"}, ", "), "a, b, c");
}

TEST(JoinedTest, EmptyPartsKeepTheirPlace) {
  EXPECT_EQ(joined(std::vector<std::string>{"", "b", ""}, ","), ",b,");
}

RC_GTEST_PROP(JoinedTest, LengthIsThatOfPartsAndSeparators,
              (const std::vector<std::string>& parts)) {
  std::size_t expected = parts.empty() ? 0 : 2 * (parts.size() - 1);
  for (const std::string& part : parts) expected += part.size();
  RC_ASSERT(joined(parts, "--").size() == expected);
}

class NearestNameTest : public ::testing::Test {
 protected:
  const std::vector<std::string> columns_ = {"age", "sex", "income", "education", "Region"};
};

TEST_F(NearestNameTest, OneOfEachEditIsForgiven) {
  EXPECT_EQ(nearest_name("incme", columns_), "income");
  EXPECT_EQ(nearest_name("inncome", columns_), "income");
  EXPECT_EQ(nearest_name("imcome", columns_), "income");
  EXPECT_EQ(nearest_name("icnome", columns_), "income");
  EXPECT_EQ(nearest_name("region", columns_), "Region");
}

TEST_F(NearestNameTest, FarNamesGetNoGuess) {
  EXPECT_EQ(nearest_name("zip_code", columns_), std::nullopt);
  EXPECT_EQ(nearest_name("", columns_), std::nullopt);
  EXPECT_EQ(nearest_name("age", {}), std::nullopt);
}

TEST_F(NearestNameTest, FewestEditsWin) {
  const std::vector<std::string> names = {"weights", "weight", "height"};
  EXPECT_EQ(nearest_name("weigth", names), "weight");
  EXPECT_EQ(nearest_name("heigth", names), "height");
}

TEST_F(NearestNameTest, HugeNameIsHandledQuickly) {
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'a'), columns_), std::nullopt);
}

RC_GTEST_FIXTURE_PROP(NearestNameTest, NameIsNearestToItself, (const std::string& name)) {
  RC_PRE(name.size() <= 200);
  RC_ASSERT(nearest_name(name, std::vector<std::string>{name}) == name);
}

}  // namespace text_test
}  // namespace lastbit
