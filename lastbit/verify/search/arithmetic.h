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

#include "lastbit/verify/certificate/certificate.h"

namespace lastbit::verify {

class Arithmetic {
 public:
  Arithmetic();
  ~Arithmetic();
  Arithmetic(const Arithmetic&) = delete;
  Arithmetic& operator=(const Arithmetic&) = delete;

  // set_deadline: solver calls after `seconds` from now find nothing.
  void set_deadline(double seconds);

  // Answers are remembered: loops are followed several times.
  std::optional<Reason> reason_for(const Obligation& obligation);
  // follows: whether a reason is found for the fact from the goal's facts.
  bool follows(const Goal& goal, const Polynomial& value, Sign sign);
  bool is_absurd(const Goal& goal);
  // least_factor: the least c with spent ≤ c·claimed that the facts give.
  std::optional<Rational> least_factor(const Goal& goal);

  std::size_t calls() const { return calls_; }

 private:
  std::optional<Reason> solve(const Obligation& obligation);

  struct Solver;
  std::unique_ptr<Solver> solver_;
  std::map<std::pair<std::size_t, std::size_t>, std::optional<Reason>> answers_;
  std::size_t calls_ = 0;
};

}  // namespace lastbit::verify
