// WorkLimit: a bound on what hostile input can make a computation cost.
//
// Guarantee      the same input takes the same number of units, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lastbit {

// While it lives, the work that this thread counts by spend() may not exceed `most` units. A unit is
// about what it takes to look at one small thing, such as one term of a sum or one word of a number:
// less than a microsecond, and less than 100 bytes. Limits nest: the inner one is part of the outer.
// Fails          spend throws Exceeded. It is no Error, so that nobody takes it for a remark about
//                the input; whoever made the limit turns it into one.
class WorkLimit {
 public:
  struct Exceeded {};

  explicit WorkLimit(std::uint64_t most);
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

  // spend: counts the units, where there is a limit.
  static void spend(std::size_t units);
  // spent: what was counted under this limit.
  std::uint64_t spent() const;

 private:
  std::uint64_t outer_;  // what was left before
  std::uint64_t most_;
};

}  // namespace lastbit
