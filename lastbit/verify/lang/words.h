// The words that have a fixed meaning; none of them can name a variable.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {

std::optional<Operator> function_of_name(std::string_view name);
std::optional<Sampler> sampler_of_name(std::string_view name);
std::optional<Type> type_of_name(std::string_view name);

std::vector<std::string> function_names();
std::vector<std::string> sampler_names();

// role_of_word: what a word of the language is ("a function", "a word of the language"); empty for
// every other name.
std::string_view role_of_word(std::string_view name);

bool is_comparison(Operator op);

// did_you_mean: "did you mean `x`?" for the nearest candidate, or `otherwise` if none is near.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates,
                         std::string_view otherwise);

}  // namespace lastbit::verify
