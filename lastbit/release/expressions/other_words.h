// Words of other systems for what a release file or a statement calls differently. For this module
// only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lastbit::release_internal {

// other_word: the candidate that `word` means elsewhere: mean for avg, by for group_by. Neither
// case nor spaces and hyphens matter.
std::optional<std::string> other_word(std::string_view word,
                                      std::span<const std::string> candidates);

}  // namespace lastbit::release_internal
