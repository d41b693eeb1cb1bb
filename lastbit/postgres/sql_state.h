// What the five characters of an SQLSTATE mean in our words. The server's own words are not passed
// on, because they may quote a field.
#pragma once

#include <string>
#include <string_view>

namespace lastbit::postgres_internal {

struct StateWords {
  std::string problem;
  std::string remedy;
};

// state_words: for the code of an error; a code that is not five letters and digits is not
// repeated.
StateWords state_words(std::string_view sqlstate);

}  // namespace lastbit::postgres_internal
