// Lookup tables: one value per key, the same in both evaluators.
#include "lastbit/release/expressions/lookup.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/expressions/expression_batch.h"

namespace lastbit {
namespace lookup_test {

using Entries = std::vector<LookupTable::Entry>;

std::string problem_of(FieldType type, const Entries& entries) {
  const auto made = LookupTable::make(type, entries);
  const auto* problem = std::get_if<std::string>(&made);
  return problem == nullptr ? "none" : *problem;
}

RowExpression lookup_of(FieldType type, const Entries& entries) {
  auto made = LookupTable::make(type, entries);
  RowExpression lookup{.operation = RowOperation::kLookup, .type = FieldType::kText};
  lookup.lookup.table = std::make_shared<const LookupTable>(std::get<LookupTable>(std::move(made)));
  lookup.operands.push_back({.operation = RowOperation::kColumn, .type = type, .column = "k"});
  return lookup;
}

TEST(LookupTest, KeysMustBeOfTheTypeAndDifferent) {
  EXPECT_EQ(problem_of(FieldType::kText, {{"a", "x"}, {"A", "x"}, {"", "y"}}), "none");
  EXPECT_EQ(problem_of(FieldType::kText, {{"a", "x"}, {"a", "x"}}),
            "the key in row 2 of the table occurs before");
  EXPECT_EQ(problem_of(FieldType::kText, {{"a", {}}, {"a", "x"}}),
            "the key in row 2 of the table occurs before");
  EXPECT_EQ(problem_of(FieldType::kInteger, {{"1", "x"}, {"01", "y"}}),
            "the key in row 2 of the table occurs before");
  EXPECT_EQ(problem_of(FieldType::kInteger, {{"1", "x"}, {"one", "y"}}),
            "the key in row 2 of the table is not of the type integer");
  EXPECT_EQ(problem_of(FieldType::kDate, {{"2026-02-30", "x"}}),
            "the key in row 1 of the table is not of the type date");
  EXPECT_EQ(problem_of(FieldType::kReal, {{"1", "x"}}), "values of type real cannot be looked up");
  EXPECT_EQ(problem_of(FieldType::kText, {{"a", std::string(65'537, 'x')}}),
            "the value in row 1 of the table is too long");
}

TEST(LookupTest, DigestsAreThoseOfTheFunction) {
  const auto digest = [](FieldType type, const Entries& entries) {
    return lookup_of(type, entries).lookup.table->digest();
  };
  const std::string text = digest(FieldType::kText, {{"1", "x"}, {"2", "y"}});
  EXPECT_EQ(digest(FieldType::kText, {{"2", "y"}, {"3", {}}, {"1", "x"}}), text);
  EXPECT_NE(digest(FieldType::kText, {{"1", "x2:"}, {"2", "y"}}), text);
  EXPECT_NE(digest(FieldType::kText, {{"1", "y"}, {"2", "x"}}), text);
  EXPECT_NE(digest(FieldType::kInteger, {{"1", "x"}, {"2", "y"}}), text);
  EXPECT_EQ(digest(FieldType::kInteger, {{" +1", "x"}}),
            digest(FieldType::kInteger, {{"01", "x"}}));
  const RowExpression a = lookup_of(FieldType::kText, {{"1", "x"}});
  EXPECT_EQ(a, lookup_of(FieldType::kText, {{"1", "x"}}));
  EXPECT_NE(a, lookup_of(FieldType::kText, {{"1", "y"}}));
  EXPECT_EQ(canonical_text(a).substr(0, 8), "lookup('");
}

// What both evaluators say about keys, in the order given; "-" where the value is missing.
template <class T>
std::string values_of(const RowExpression& lookup, const std::vector<T>& keys,
                      const std::vector<std::uint64_t>& validity) {
  const ExpressionBatch batch(lookup);
  const auto room = batch.make_room();
  const FieldBatch fields{std::span<const T>(keys), validity.data()};
  const FieldBatch found = batch.run(std::span(&fields, 1), keys.size(), *room);
  std::string values;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    Cell cell;
    if (!fields.is_missing(row)) {
      if constexpr (std::is_same_v<T, std::string_view>) {
        cell = CellValue(std::string(keys[row]));
      } else if (lookup.operands[0].type == FieldType::kDate) {
        cell = CellValue(Day{keys[row]});
      } else if (lookup.operands[0].type == FieldType::kBoolean) {
        cell = CellValue(keys[row] != 0);
      } else {
        cell = CellValue(keys[row]);
      }
    }
    const Cell value = evaluate(lookup, [&](const std::string&) { return cell; });
    const std::string text = value ? std::get<std::string>(*value) : "-";
    const std::string batched =
        found.is_missing(row) ? "-" : std::string(found.value<std::string_view>(row));
    EXPECT_EQ(text, batched) << row;
    values += text + " ";
  }
  return values;
}

TEST(LookupTest, BothEvaluatorsFindTheSameValues) {
  const std::vector<std::uint64_t> all_but_last = {0b01111};
  const RowExpression texts = lookup_of(FieldType::kText, {{"a", "x"}, {"", "empty"}, {"b", {}}});
  EXPECT_EQ(values_of<std::string_view>(texts, {"a", "b", "", "c", "a"}, all_but_last),
            "x - empty - - ");
  const RowExpression wholes = lookup_of(FieldType::kInteger, {{"-7", "x"}, {"007", "y"}});
  EXPECT_EQ(values_of<std::int64_t>(wholes, {7, -7, 0, INT64_MIN, 7}, all_but_last), "y x - - - ");
  const RowExpression days = lookup_of(FieldType::kDate, {{"1970-01-02", "x"}});
  EXPECT_EQ(values_of<std::int64_t>(days, {0, 1, 2, 1, 1}, all_but_last), "- x - x - ");
  const RowExpression truths = lookup_of(FieldType::kBoolean, {{"TRUE", "x"}});
  EXPECT_EQ(values_of<std::int64_t>(truths, {0, 1, 1, 0, 1}, all_but_last), "- x x - - ");
}

}  // namespace lookup_test
}  // namespace lastbit
