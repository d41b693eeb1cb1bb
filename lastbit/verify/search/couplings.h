// Couplings worth trying for a draw.
//
// The prover looks ahead: it lets the second run draw y + K with an unknown K, follows both runs to
// what they compare and output next, and solves for the K that makes the runs agree there.
#pragma once

#include <optional>
#include <vector>

#include "lastbit/verify/logic/calculus.h"
#include "lastbit/verify/search/arithmetic.h"

namespace lastbit::verify {

// How far apart adjacent inputs can be: the bounds in the adjacencies, such as 1 or D.
std::vector<Polynomial> distances(const Goal& goal);

// Ahead: what lies ahead of a draw.
struct Ahead {
  // Values that will be needed and can be mentioned now.
  std::vector<Mention> mentions;
  // Shifts that make something equal in both runs, and how much shift moves it by 1.
  struct Alignment {
    Polynomial shift;
    Polynomial unit;
    friend bool operator==(const Alignment&, const Alignment&) = default;
  };
  std::vector<Alignment> alignments;
  // A comparison that the first run is about to make with the drawn value.
  std::optional<Fact> test;
  // If the draw is not used before the loop's next pass: the fact that says there will be one.
  std::optional<Fact> next_pass;
};
Ahead look_ahead(const Goal& goal);

// A coupling without its costs: a shift, or one shift for each outcome of the test.
struct Candidate {
  Polynomial by;
  std::optional<Polynomial> otherwise;
};
// candidates: cheap ones first; if the draw decides about the considered result, those that win by
// a margin first.
std::vector<Candidate> candidates(const Goal& goal, const Ahead& ahead, bool decides);

// priced: the candidate with its costs: bounds that do not depend on the state, if any are found;
// with `exact` the exact sizes of the shifts, if their signs are known.
std::optional<Couple> priced(const Goal& goal, const Ahead& ahead, const Candidate& candidate,
                             bool exact, Arithmetic& arithmetic);

}  // namespace lastbit::verify
