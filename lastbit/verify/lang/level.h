// How tightly the operators of the language bind: what the parser reads and the printer writes.
#pragma once

namespace lastbit::verify {

enum Level : int {
  kOrLevel = 1,
  kAndLevel,
  kNotLevel,
  kComparisonLevel,
  kSumLevel,
  kProductLevel,
  kUnaryLevel,
  kPrimaryLevel,
};

}  // namespace lastbit::verify
