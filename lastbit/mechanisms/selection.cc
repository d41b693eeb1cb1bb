#include "lastbit/mechanisms/selection.h"

#include <fmt/core.h>

#include "lastbit/base/error.h"

namespace lastbit::mechanism_internal {

void require_rounds(std::string_view place, std::size_t k, std::size_t candidates) {
  require_candidates(place, candidates);
  if (k >= 1 && k <= candidates) return;
  throw Error::bad_parameter(
      place, "k",
      fmt::format("({}) is not between 1 and the number of candidates ({})", k, candidates),
      "ask for at least one candidate, and at most as many as there are");
}

}  // namespace lastbit::mechanism_internal
