// What tests need around the processor's rounding mode.
#pragma once

#include <array>
#include <cfenv>

namespace lastbit::testing {

inline constexpr std::array<int, 3> kOtherRoundingModes = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

// WithRoundingMode: sets another mode while it lives; GoogleTest itself must not run in it.
class WithRoundingMode {
 public:
  explicit WithRoundingMode(int mode) { std::fesetround(mode); }
  WithRoundingMode(const WithRoundingMode&) = delete;
  WithRoundingMode& operator=(const WithRoundingMode&) = delete;
  ~WithRoundingMode() { std::fesetround(FE_TONEAREST); }
};

// in_mode: what a function returns when it runs in the given mode.
template <class F>
auto in_mode(int mode, const F& function) {
  const WithRoundingMode with(mode);
  return function();
}

}  // namespace lastbit::testing
