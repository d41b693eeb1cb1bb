#include <gtest/gtest.h>

#include <set>

#include "lastbit/verify/semantics/rule_models_test_support.h"

namespace lastbit::verify {
namespace rule_models_test {

std::vector<testing::RuleModel> all_models() {
  std::vector<testing::RuleModel> models = testing::program_rule_models();
  for (auto& model : testing::draw_rule_models()) models.push_back(std::move(model));
  return models;
}

TEST(RuleModelTest, EveryRuleHasAModelAndATwin) {
  std::set<Rule> seen;
  for (const auto& model : all_models()) {
    EXPECT_TRUE(seen.insert(model.rule).second) << statement_of(model.rule).name;
    EXPECT_FALSE(model.twins.empty()) << statement_of(model.rule).name;
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(kRuleCount));
}

TEST(RuleModelTest, EveryRuleHoldsInItsModels) {
  for (const auto& model : all_models()) {
    EXPECT_TRUE(model.holds()) << statement_of(model.rule).name;
  }
}

TEST(RuleModelTest, EveryTwinIsCaught) {
  for (const auto& model : all_models()) {
    for (const auto& twin : model.twins) {
      EXPECT_TRUE(twin.caught()) << statement_of(model.rule).name << ": " << twin.what;
    }
  }
}

TEST(RuleModelTest, TableIsInOrderAndNamesAreUnique) {
  std::set<std::string_view> names;
  for (int i = 0; i < kRuleCount; ++i) {
    const RuleStatement& statement = rule_table().at(static_cast<std::size_t>(i));
    EXPECT_EQ(static_cast<int>(statement.rule), i);
    EXPECT_TRUE(names.insert(statement.name).second);
    EXPECT_EQ(rule_of_name(statement.name), statement.rule);
    EXPECT_TRUE(statement.proof.starts_with("proofs/coupling.md#")) << statement.name;
  }
  EXPECT_EQ(rule_of_name("MAGIC"), std::nullopt);
}

}  // namespace rule_models_test
}  // namespace lastbit::verify
