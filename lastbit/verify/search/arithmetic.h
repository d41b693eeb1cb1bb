// Arithmetic by a solver: finds the reasons that the kernel checks.
//
// An obligation holds if its goal is a nonnegative combination of the facts, each multiplied by a
// positive monomial. Which monomials can matter is guessed from the terms; the coefficients come
// from Z3's linear arithmetic as exact rationals. Not finding a reason does not mean there is none.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lastbit/verify/certificate/certificate.h"

namespace lastbit::verify {

// A digest of what is known and computed at a goal, used to remember what worked there.
using DigestValue = std::pair<std::size_t, std::size_t>;
DigestValue digest_of(const Goal& goal);

class Arithmetic {
 public:
  Arithmetic();
  ~Arithmetic();
  Arithmetic(const Arithmetic&) = delete;
  Arithmetic& operator=(const Arithmetic&) = delete;

  // set_deadline: solver calls after `seconds` from now find nothing.
  void set_deadline(double seconds);

  // Answers are remembered, because loops are followed several times.
  std::optional<Reason> reason_for(const Obligation& obligation);
  // follows: whether a reason is found for the fact from the goal's facts.
  bool follows(const Goal& goal, const Polynomial& value, Sign sign);
  // which_follow: the same for many facts at once. Most do not follow, and points where the goal's
  // facts hold but those do not show this faster than looking for reasons.
  std::vector<bool> which_follow(const Goal& goal, const std::vector<Fact>& candidates);
  bool is_absurd(const Goal& goal);
  // least_factor: the least c with spent ≤ c·claimed that the facts give.
  std::optional<Rational> least_factor(const Goal& goal);

 private:
  std::optional<Reason> solve(const Obligation& obligation);

  struct Solver;
  struct PointTest;
  std::unique_ptr<Solver> solver_;
  std::map<DigestValue, std::optional<Reason>> answers_;
};

}  // namespace lastbit::verify
