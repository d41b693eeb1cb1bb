// The document and the program: every function has a line, and every example its value.
#include "lastbit/release/expressions/functions.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lastbit/release/expressions/implied_keys.h"
#include "lastbit/release/file/test_support.h"

namespace lastbit {
namespace functions_test {

using expression_internal::row_functions;
using expression_internal::RowFunctionKind;
using namespace std::chrono_literals;

TEST(ExpressionFunctionsTest, AreInAlphabeticalOrderAndHaveALineInTheDocument) {
  const std::string document = text_of_file("docs/expressions.md");
  std::string_view last;
  for (const RowFunctionKind& kind : row_functions()) {
    EXPECT_LT(last, kind.name);
    last = kind.name;
    EXPECT_FALSE(kind.words.empty()) << kind.name;
    const std::string line = "\n| `" + std::string(kind.name) + "(";
    EXPECT_NE(document.find(line), std::string::npos) << kind.name;
  }
}

struct Example {
  std::string expression;
  std::string value;  // an expression too; empty if missing
};
// examples_in: `expression` → `value`, or → missing.
std::vector<Example> examples_in(const std::string& document) {
  constexpr std::string_view kArrow = " → ";
  std::vector<Example> examples;
  std::string text = document;
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  for (std::size_t at = text.find(kArrow); at != std::string::npos;
       at = text.find(kArrow, at + 1)) {
    if (text[at - 1] != '`') continue;
    const std::size_t start = text.rfind('`', at - 2) + 1;
    Example example{text.substr(start, at - 1 - start), ""};
    std::size_t after = at + kArrow.size();
    while (text[after] == ' ') ++after;
    if (text[after] == '`') {
      example.value = text.substr(after + 1, text.find('`', after + 1) - after - 1);
    } else {
      EXPECT_EQ(text.substr(after, 7), "missing") << example.expression;
    }
    examples.push_back(example);
  }
  return examples;
}

Cell valued(const std::string& text) {
  const auto parsed = parse_expression(text, {});
  if (const auto* problem = std::get_if<ExpressionProblem>(&parsed)) {
    ADD_FAILURE() << text << ": " << problem->problem;
    return std::nullopt;
  }
  return evaluate(std::get<RowExpression>(parsed), [](const std::string&) { return Cell(); });
}

TEST(ExpressionFunctionsTest, ExamplesOfTheDocumentHaveTheirValues) {
  const std::vector<Example> examples = examples_in(text_of_file("docs/expressions.md"));
  EXPECT_GE(examples.size(), 50U);
  for (const Example& example : examples) {
    const Cell wanted = example.value.empty() ? Cell() : valued(example.value);
    EXPECT_TRUE(valued(example.expression) == wanted) << example.expression;
  }
}

std::optional<KeySet> keys_of(std::string_view text, const std::vector<KeyedColumn>& columns = {}) {
  std::size_t work = kKeyWork;
  const auto implied = implied_keys(text, columns, work);
  if (!implied) return std::nullopt;
  return implied->keys;
}

// What a CASE can be does not depend on how it is written.
TEST(ExpressionFunctionsTest, ImpliedKeysAreThoseOfTheCanonicalText) {
  const std::vector<RowColumn> row = {{"p", FieldType::kBoolean}, {"a", FieldType::kInteger}};
  const std::vector<std::string> texts = {
      "CASE WHEN p THEN 'x' WHEN NOT p THEN 'y' END", "CASE a WHEN 1 THEN 'x' ELSE 'y' END",
      "CASE a WHEN 1 THEN 2 WHEN 2 THEN NULL END", "p AND a > 1", "a NOT BETWEEN 1 AND 2"};
  for (const std::string& text : texts) {
    const auto parsed = parse_expression(text, row);
    ASSERT_TRUE(std::holds_alternative<RowExpression>(parsed)) << text;
    const auto keys = keys_of(text);
    EXPECT_TRUE(keys) << text;
    EXPECT_EQ(keys, keys_of(canonical_text(std::get<RowExpression>(parsed)))) << text;
  }
  EXPECT_EQ(std::get<KeyList>(*keys_of("CASE a WHEN 1 THEN 'x' ELSE 'y' END")),
            (KeyList{"x", "y"}));
  EXPECT_FALSE(keys_of("CASE WHEN p THEN a ELSE 1 END"));
  EXPECT_EQ(std::get<KeyRange>(*keys_of("hour(t)")), (KeyRange{0, 23}));
  EXPECT_EQ(std::get<KeyRange>(*keys_of("EXTRACT(MINUTE FROM t)")), (KeyRange{0, 59}));
}

TEST(ExpressionFunctionsTest, KeysOfAColumnGiveThoseOfItsExpressions) {
  const KeySet numbers = KeyRange{-3, 20};
  const KeySet texts = KeyList{"b", "A", "B"};
  const KeySet days = KeyList{Date(2026y / 2 / 28), Date(2026y / 3 / 1), Date(2026y / 3 / 31)};
  const std::vector<KeyedColumn> columns = {{"n", &numbers}, {"t", &texts}, {"d", &days}};
  EXPECT_EQ(keys_of("n // 10", columns), KeySet(KeyList{0L, 1L, 2L}));
  EXPECT_EQ(keys_of("upper(t)", columns), KeySet(KeyList{"B", "A"}));
  EXPECT_EQ(keys_of("date_trunc('month', d)", columns),
            KeySet(KeyList{Date(2026y / 2 / 1), Date(2026y / 3 / 1)}));
  EXPECT_EQ(keys_of("year(d) + 0", columns), KeySet(KeyList{2026L}));
  EXPECT_EQ(keys_of("nullif(t, 'A')", columns), KeySet(KeyList{"b", "B"})) << "missing is no key";
  EXPECT_EQ(keys_of("coalesce(t, 'none')", columns), KeySet(KeyList{"b", "A", "B", "none"}));
  EXPECT_FALSE(keys_of("n / 2", columns)) << "real numbers are not keys";
  EXPECT_FALSE(keys_of("n + month(d)", columns)) << "two columns";
  EXPECT_FALSE(keys_of("n + x", columns)) << "an unknown column";
  EXPECT_FALSE(keys_of("nullif(1, 1)", columns)) << "no column";
  std::size_t work = 40;
  EXPECT_FALSE(implied_keys("n // 10", columns, work));
  EXPECT_EQ(work, 40U);
}

}  // namespace functions_test
}  // namespace lastbit
