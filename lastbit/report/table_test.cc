#include "lastbit/report/table.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/base/utf8.h"

namespace lastbit::report {
namespace table_test {

const Paint kPlain(false);
const Paint kColours(true);

TEST(TableTest, NumbersAreRightAlignedAndNoLineEndsInSpaces) {
  Table table({{"name"}, {"pairs", Align::kRight}, {"note"}});
  table.add({"a", "7", "short"});
  table.add({"longer", "12,345", ""});
  EXPECT_EQ(table.render(kPlain),
            "  name     pairs  note\n"
            "  a            7  short\n"
            "  longer  12,345\n");
}

TEST(TableTest, ColoursDoNotMoveColumns) {
  Table table({{"x"}, {"y"}});
  table.add({{"ok", Colour::kGreen}, "1"});
  table.add({"other", "2"});
  EXPECT_EQ(table.render(kColours),
            "  \x1b[2mx\x1b[0m      \x1b[2my\x1b[0m\n"
            "  \x1b[32mok\x1b[0m     1\n"
            "  other  2\n");
}

TEST(TableTest, RowOfTheWrongLengthIsRefused) {
  Table table({{"a"}, {"b"}});
  expect_code(ErrorCode::kInternal, [&] { table.add({"only one"}); });
}

TEST(TableTest, WidestTextGivesWayToTheLimit) {
  Table table({{"name"}, {"relation"}, {"n", Align::kRight}});
  table.add({"a rather long name of it", "something else", "1000000000"});
  EXPECT_EQ(table.render(kPlain, 44),
            "  name            relation                 n\n"
            "  a rather long…  something else  1000000000\n");
}

TEST(TableTest, CutKeepsWholeCharacters) {
  EXPECT_EQ(cut("ε ≤ 1", 5), "ε ≤ 1");
  EXPECT_EQ(cut("ε ≤ 1", 4), "ε ≤…");
  EXPECT_EQ(cut("漢字漢", 4), "漢…");
}

RC_GTEST_PROP(TableTest, NoLineIsWiderThanTheLimitWhereTextCanGiveWay,
              (const std::vector<std::string>& cells)) {
  Table table({{"left"}, {"also left"}});
  for (const std::string& cell : cells) {
    // Line breaks and control characters do not belong in cells.
    std::string clean;
    for (const char c : cell) clean += c >= ' ' && c < 0x7f ? c : '?';
    table.add({clean, clean + clean});
  }
  std::istringstream lines(table.render(kPlain, 30));
  for (std::string line; std::getline(lines, line);) RC_ASSERT(display_width(line) <= 30u);
}

TEST(TableTest, WrappedLinesFit) {
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree\n");
  EXPECT_EQ(wrapped("extraordinarily long", 5), "extraordinarily\nlong\n");
  EXPECT_EQ(wrapped("", 5), "\n");
}

TEST(TableTest, WhatIsNoTerminalHasNoColoursAndNoWidth) {
  const int descriptor = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(descriptor, 0);
  EXPECT_EQ(Paint::for_terminal(descriptor)(Colour::kRed, "text"), "text");
  EXPECT_EQ(terminal_width(descriptor), kNoLimit);
  ::close(descriptor);
}

}  // namespace table_test
}  // namespace lastbit::report
