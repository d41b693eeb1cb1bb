// refute: searches a mechanism for a violation of the loss it claims, and proves what it finds.
//
// A violation is a choice of parameters, two adjacent inputs and an event E of outputs with
// P1(E) > e^ε·P2(E) + δ. Candidates are found with doubles; a witness is reported only when balls
// leave no doubt.
// Proof: proofs/refutation.md#witness
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/numerics/ball.h"
#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {

struct RefuteOptions {
  // How long to search. Every loop checks the clock, so a call takes at worst a few tenths of a
  // second longer.
  double seconds = 1;
  // The most pairs of runs to compare.
  int pairs = 1'000'000;
  // How long the paths of a run may be, and how many; instances with more are skipped.
  int steps = 5000;
  int paths = 600;
  // The precision of the balls, in bits.
  int precision = 128;
};

// Names with values as text: fractions, true or false, and lists of these in brackets.
using NamedValues = std::vector<std::pair<std::string, std::string>>;

struct Witness {
  NamedValues parameters;  // public ones
  NamedValues input1;      // the private inputs of the run in which the event is too likely
  NamedValues input2;      // … and of the other run
  std::string event;       // `output = [false, true]`, `output = [_] with output[0] <= -1`, …
                           // `then impossible` if the run cannot go on after these outputs
  Ball probability1;       // P1(event)
  Ball probability2;       // P2(event)
  Ball epsilon;            // claimed, at these parameters
  Ball delta;
  Ball loss;                   // ln(P1/P2); not finite when infinite_loss
  bool infinite_loss = false;  // P2(event) is exactly 0
};

// refute: a witness, or nothing. Finding nothing proves nothing; `why_not`, unless null, then says
// how far the search went.
// Requires  caller: the program has the meaning verify/logic/program.h gives it.
// Ensures   the witness is a violation: its inputs are adjacent, in one order or the other, and
//           P1 > e^ε·P2 + δ is certain.
// Fails     a program that cannot be computed gives nothing; only kInternal Errors are thrown.
// Proof     proofs/refutation.md#witness
std::optional<Witness> refute(const Program& program, const RefuteOptions& options,
                              std::string* why_not = nullptr);

// check_witness: reads the texts of the witness, and computes everything again from them alone, at
// twice the precision: requirements, adjacency, claim, both probabilities and the inequality. The
// balls of the witness must overlap the new ones. Malformed texts give `holds` false, too.
struct WitnessCheck {
  bool holds = false;
  std::string problem;  // why not
};
WitnessCheck check_witness(const Program& program, const Witness& witness,
                           const RefuteOptions& options = {});

// explain: the witness in a few lines for people.
std::string explain(const Witness& witness);

}  // namespace lastbit::verify
