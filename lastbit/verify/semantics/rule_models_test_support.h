// Finite models of the rules: what rule_models_test.cc requires of each. For tests only; not
// installed.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "lastbit/verify/logic/rules.h"
#include "lastbit/verify/semantics/lifting.h"
#include "lastbit/verify/semantics/model_test_support.h"

namespace lastbit::verify::testing {

// Twin: a statement that looks like the rule and is false.
struct Twin {
  std::string_view what;
  std::function<bool()> caught;  // one of its instances fails
};

struct RuleModel {
  Rule rule;
  std::function<bool()> holds;  // on all of many instances the conclusion follows
  std::vector<Twin> twins;
};

// The rules for programs, and those for draws and dilations.
std::vector<RuleModel> program_rule_models();
std::vector<RuleModel> draw_rule_models();

inline constexpr auto kEqual = [](const auto& a, const auto& b) { return a == b; };

// always: instance(dice) is true on all of many instances. on_all, fails_on_one: the same as a
// question to be evaluated later.
inline bool always(const std::function<bool(Dice&)>& instance, int trials = 150) {
  Dice dice(7);
  for (int trial = 0; trial < trials; ++trial) {
    if (!instance(dice)) return false;
  }
  return true;
}
inline std::function<bool()> on_all(std::function<bool(Dice&)> instance) {
  return [instance = std::move(instance)] { return always(instance); };
}
inline std::function<bool()> fails_on_one(std::function<bool(Dice&)> instance) {
  return [instance = std::move(instance)] { return !always(instance, 2000); };
}

}  // namespace lastbit::verify::testing
