// Questions arrive as they were sent, or are refused.
#include "lastbit/engines/parts/question.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "lastbit/accounting/sha256.h"
#include "lastbit/base/error.h"
#include "lastbit/engines/kernel/kernel_test_support.h"
#include "lastbit/engines/kernel/partial_answer.h"
#include "lastbit/release/fields/time_zone.h"

namespace lastbit::engine {
namespace question_test {

const SecretKey kKey{{1, 2, 3, 4}};

// Each alternative of each variant occurs in some of the random aggregations.
TEST(QuestionTest, QuestionsArriveAsTheyWereSent) {
  TableDice dice(17);
  for (int round = 0; round < 300; ++round) {
    PartQuestion question;
    question.key = kKey;
    question.aggregations = {hard_aggregation(dice), hard_aggregation(dice)};
    if (round % 2 == 0) question.order = RowOrder::kAny;
    if (round % 3 == 0) question.memory_bytes = 1'000'000 + round;
    const std::string bytes = encode_question(question);
    const PartQuestion back = decode_question(bytes);
    ASSERT_EQ(back.aggregations.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(question_digest(back.aggregations[i], kKey),
                question_digest(question.aggregations[i], kKey));
      EXPECT_EQ(back.aggregations[i].derived, question.aggregations[i].derived);
      EXPECT_EQ(back.aggregations[i].where, question.aggregations[i].where);
      EXPECT_EQ(back.aggregations[i].groups, question.aggregations[i].groups);
      EXPECT_EQ(back.aggregations[i].measures, question.aggregations[i].measures);
    }
    EXPECT_EQ(back.key, kKey);
    EXPECT_EQ(back.order, question.order);
    EXPECT_EQ(back.memory_bytes, question.memory_bytes);
    EXPECT_EQ(encode_question(back), bytes);
  }
}

RowExpression lookup_of(FieldType type, const std::vector<LookupTable::Entry>& entries) {
  RowExpression lookup{.operation = RowOperation::kLookup, .type = FieldType::kText};
  lookup.operands.push_back({.operation = RowOperation::kColumn, .type = type, .column = "k"});
  lookup.lookup.table =
      std::make_shared<const LookupTable>(std::get<LookupTable>(LookupTable::make(type, entries)));
  return lookup;
}

RowExpression parsed(const char* text) {
  const auto zone = TimeZone::find("Europe/Berlin");
  const FieldType berlin = FieldType::timestamp(*std::get<const TimeZone*>(zone));
  return std::get<RowExpression>(parse_expression(text, {{"t", berlin}, {"x", FieldType::kReal}}));
}

TEST(QuestionTest, ExpressionsArriveWithTablesAndZones) {
  PartQuestion question;
  question.key = kKey;
  Aggregation& aggregation = question.aggregations.emplace_back();
  aggregation.unit = RowsAreUnits{};
  aggregation.measures = {RowCount{}};
  aggregation.derived = {
      {"a", lookup_of(FieldType::kText, {{"x", "1"}, {"", "empty"}, {"é", ""}})},
      {"b", lookup_of(FieldType::kInteger, {{"-9223372036854775808", "least"}, {"7", "x"}})},
      {"c", lookup_of(FieldType::kBoolean, {{"true", "yes"}, {"false", "no"}})},
      {"d", lookup_of(FieldType::kDate, {{"0000-01-01", "first"}, {"9999-12-31", "last"}})},
      {"e", parsed("date_part('hour', t)")},
      {"f", parsed("x = 5e-324 OR x < -0.0 OR t > TIMESTAMP '2024-03-31 02:30[Europe/Berlin]'")},
      {"g", parsed("CAST(x AS TEXT) LIKE 'a!%%' ESCAPE '!' OR x IN (0.1, NULL)")}};
  const PartQuestion back = decode_question(encode_question(question));
  EXPECT_EQ(back.aggregations.at(0).derived, aggregation.derived);
}

bool is_refused(const std::string& bytes) {
  try {
    decode_question(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadText);
    return true;
  }
  return false;
}

std::string resealed(std::string bytes) {
  bytes.resize(bytes.size() - 64);
  return bytes + sha256_hex(bytes);
}

TEST(QuestionTest, DamagedQuestionsAreRefused) {
  TableDice dice(5);
  PartQuestion question;
  question.key = kKey;
  question.aggregations = {hard_aggregation(dice)};
  const std::string good = encode_question(question);
  EXPECT_FALSE(is_refused(good));
  EXPECT_TRUE(is_refused(""));
  EXPECT_TRUE(is_refused(good + " "));
  for (std::size_t size = 0; size < good.size(); size += 5) {
    EXPECT_TRUE(is_refused(good.substr(0, size)));
    std::string bad = good;
    bad[size] = static_cast<char>(bad[size] ^ 1);
    EXPECT_TRUE(is_refused(bad));
  }
  // The digests notice what a checksum that is right would hide: another key.
  std::string other = good;
  const std::size_t key = std::string("lastbit question 1\n").size() + 8;
  other[key] = static_cast<char>(other[key] ^ 1);
  EXPECT_TRUE(is_refused(resealed(other)));
}

}  // namespace question_test
}  // namespace lastbit::engine
