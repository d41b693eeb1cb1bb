#include "lastbit/release/expressions/lift.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lastbit {
namespace lift_test {

RowExpression parsed(const std::string& text) {
  auto result = parse_expression(text, {{"name", FieldType::kText},
                                        {"town", FieldType::kText},
                                        {"part 1", FieldType::kText},
                                        {"age", FieldType::kInteger},
                                        {"paid", FieldType::kReal}});
  const auto* problem = std::get_if<ExpressionProblem>(&result);
  EXPECT_EQ(problem, nullptr) << text << ": " << (problem != nullptr ? problem->problem : "");
  return problem == nullptr ? std::get<RowExpression>(result) : RowExpression{};
}

// lifted: what is left, and then the parts.
std::vector<std::string> lifted(const std::string& text) {
  const LiftedExpression result = lift_texts(parsed(text));
  EXPECT_EQ(replace_columns(result.whole, result.parts), parsed(text)) << text;
  std::vector<std::string> texts = {canonical_text(result.whole)};
  for (const DerivedColumn& part : result.parts) texts.push_back(canonical_text(part.expression));
  return texts;
}
std::string canonical(const std::string& text) { return canonical_text(parsed(text)); }

TEST(LiftTest, TakesTheLargestPartsOfOneText) {
  const std::vector<std::string> parts =
      lifted("age > 3 AND (upper(trim(name)) = 'X' OR town LIKE 'a%')");
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[1], canonical("upper(trim(name)) = 'X'"));
  EXPECT_EQ(parts[2], canonical("town LIKE 'a%'"));
  EXPECT_EQ(lifted("paid * length(name)").at(1), canonical("length(name)"));
  EXPECT_EQ(lifted("CASE WHEN name IS NULL THEN paid END").at(1), canonical("name IS NULL"));
}

TEST(LiftTest, LeavesFunctionsOfOneColumn) {
  for (const char* const text : {"upper(name) = 'X' OR name IS NULL", "age > 3 AND age < 9", "name",
                                 "TRUE", "length(name) + 1"}) {
    EXPECT_EQ(lifted(text), std::vector{canonical(text)});
  }
}

// A text would be copied, and numbers are read as fast as their parts.
TEST(LiftTest, LeavesTextsAndNumbers) {
  for (const char* const text :
       {"upper(name) || town", "age > 3 AND paid < 1", "coalesce(trim(name), town)"}) {
    EXPECT_EQ(lifted(text), std::vector{canonical(text)});
  }
}

TEST(LiftTest, TakesEqualPartsOnceAndNotTooMany) {
  EXPECT_EQ(lifted("name = 'a' AND age > 1 OR name = 'a' AND age < 0").size(), 2U);
  std::string text = "age = 0";
  for (int i = 0; i < 50; ++i) {
    text += " OR age = " + std::to_string(i) + " AND name = '" + std::to_string(i) + "'";
  }
  EXPECT_EQ(lifted(text).size(), 1 + kMaxLiftedParts);
}

TEST(LiftTest, NamesNoPartLikeAColumn) {
  const LiftedExpression result = lift_texts(parsed("age > 0 AND \"part 1\" = 'a'"));
  ASSERT_EQ(result.parts.size(), 1U);
  EXPECT_EQ(result.parts[0].name, "part 2");
}

}  // namespace lift_test
}  // namespace lastbit
