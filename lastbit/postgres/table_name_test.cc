#include "lastbit/postgres/table_name.h"

#include <gtest/gtest.h>

#include <string>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit::postgres {
namespace table_name_test {

TEST(TableName, KeepsNamesAsTheyAre) {
  EXPECT_EQ(TableName::parse("Visits"), (TableName{"public", "Visits"}));
  EXPECT_EQ(TableName::parse("clinic.visits").text(), "clinic.visits");
  EXPECT_EQ(TableName::parse("\"clinic\".\"visits\"").text(), "clinic.visits");
  EXPECT_EQ(TableName::parse("two words").text(), "public.two words");
  const TableName odd{"a.b", "say \"x\""};
  EXPECT_EQ(odd.text(), "\"a.b\".\"say \"\"x\"\"\"");
  EXPECT_EQ(TableName::parse(odd.text()), odd);
  EXPECT_EQ(quoted_name("a\"; DROP"), "\"a\"\"; DROP\"");
}

TEST(TableName, RefusesWhatIsNone) {
  for (const std::string text :
       {"", ".", "a.", ".a", "a.b.c", "\"a", "a\"b\"", "\"a\"b", "\"\"", "a\nb", "\xff"}) {
    expect_code(ErrorCode::kBadText, [&] { TableName::parse(text); });
  }
  expect_code(ErrorCode::kBadText, [] { TableName::parse(std::string(64, 'a')); });
}

}  // namespace table_name_test
}  // namespace lastbit::postgres
