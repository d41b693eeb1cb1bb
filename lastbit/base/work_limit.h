// WorkLimit: a bound on how much work hostile input can cause.
//
// Guarantee      the same input takes the same number of units, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lastbit {

// While it lives, the work that this thread counts with spend() may not exceed `most` units. A unit
// is about the work of looking at one small thing, such as one term of a sum or one word of a
// number: less than a microsecond, and less than 100 bytes. Limits nest: what the inner one counts
// also counts for the outer.
// Fails          spend throws Exceeded. It is not an Error, so that nobody mistakes it for a
//                problem with the input; the code that made the limit turns it into an Error.
class WorkLimit {
 public:
  struct Exceeded {};

  explicit WorkLimit(std::uint64_t most);
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

  // spend: counts the units, if there is a limit.
  static void spend(std::size_t units);
  // spent: what was counted under this limit.
  std::uint64_t spent() const;

 private:
  std::uint64_t outer_;  // what was left before this limit
  std::uint64_t most_;
};

}  // namespace lastbit
