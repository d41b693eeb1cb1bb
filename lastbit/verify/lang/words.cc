#include "lastbit/verify/lang/words.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "lastbit/base/text.h"

namespace lastbit::verify {
namespace {

constexpr std::array<std::string_view, 20> kWords = {
    "mechanism", "requires", "adjacent", "claims", "every",  "one", "for", "in",  "while", "at",
    "most",      "if",       "else",     "output", "return", "and", "or",  "not", "true",  "false"};

}  // namespace

std::optional<Operator> function_of_name(std::string_view name) {
  if (name.empty()) return std::nullopt;  // Operators that are signs have no name.
  for (int i = 0; i < kOperatorCount; ++i) {
    const auto op = static_cast<Operator>(i);
    if (function_name(op) == name) return op;
  }
  return std::nullopt;
}

std::optional<Sampler> sampler_of_name(std::string_view name) {
  for (int i = 0; i < kSamplerCount; ++i) {
    const auto sampler = static_cast<Sampler>(i);
    if (sampler_name(sampler) == name) return sampler;
  }
  return std::nullopt;
}

std::optional<Type> type_of_name(std::string_view name) {
  for (const Type type : {Type::kBool, Type::kInt, Type::kReal}) {
    if (type_name(type) == name) return type;
  }
  return std::nullopt;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (int i = 0; i < kOperatorCount; ++i) {
    const std::string_view name = function_name(static_cast<Operator>(i));
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> sampler_names() {
  std::vector<std::string> names;
  for (int i = 0; i < kSamplerCount; ++i) {
    names.emplace_back(sampler_name(static_cast<Sampler>(i)));
  }
  return names;
}

std::string_view role_of_word(std::string_view name) {
  if (std::ranges::find(kWords, name) != kWords.end()) return "a word of the language";
  if (function_of_name(name)) return "a function";
  if (sampler_of_name(name)) return "a sampler";
  if (type_of_name(name)) return "a type";
  return "";
}

bool is_comparison(Operator op) {
  switch (op) {
    case Operator::kLess:
    case Operator::kLessEqual:
    case Operator::kGreater:
    case Operator::kGreaterEqual:
    case Operator::kEqual:
    case Operator::kNotEqual:
      return true;
    default:
      return false;
  }
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates,
                         std::string_view otherwise) {
  // Every name of one or two letters is close to every other.
  const auto nearest = name.size() < 3 ? std::nullopt : nearest_name(name, candidates);
  return nearest ? fmt::format("did you mean `{}`?", *nearest) : std::string(otherwise);
}

}  // namespace lastbit::verify
