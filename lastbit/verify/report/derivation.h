// A certificate as a tree for people: every step with its rule, its statement, what it does to the
// two runs, what it costs, and why its side conditions hold.
//
// Texts contain code between backticks (`eps/2`), so that each output can format it in its own way.
// In code, x.1 and x.2 are the values of x in the two runs; a name without a number is the same in
// both.
#pragma once

#include <string>
#include <vector>

#include "lastbit/verify/certificate/certificate.h"
#include "lastbit/verify/report/theorem.h"

namespace lastbit::verify {

struct ShownObligation {
  std::string goal;  // `f.1 - f.2 <= 1`
  std::string why;   // what it is for
  // Its reason: parts whose sum is the goal, as in "`eps` times (`f.1 - f.2 <= 1`)". A fact a <= b
  // stands for the number b - a. None: the goal is one of the facts.
  std::vector<std::string> parts;
};

struct ShownStep {
  std::string place;  // "1.3.2", as the kernel numbers steps
  Rule rule = Rule::kConsequence;
  int line = 0;                    // of the statement in Derived::program, or 0
  std::string statement;           // `eta <- laplace(4*N/eps)`
  std::string action;              // what the step does, in words
  std::vector<std::string> notes;  // more about the step: the cases of an invariant
  std::string spent;               // the cost when the step begins
  std::string spent_delta;

  // What is new since the step above.
  std::string arrival;                   // which of its cases this is; empty if there is only one
  std::vector<std::string> assignments;  // values that assignments gave in between
  std::vector<std::string> facts;
  std::vector<std::string> definitions;  // of names that abbreviate

  std::vector<ShownObligation> obligations;
  std::vector<ShownStep> then;
};

struct ShownProof {
  bool swapped = false;
  std::vector<ShownObligation> obligations;  // of the program itself
  ShownStep first;
};

struct Derived {
  PrintedProgram program;
  std::size_t steps = 0;
  std::size_t obligations = 0;
  std::vector<Rule> rules;  // those that are used, in the order of the table
  std::vector<ShownProof> proofs;
};

// known_goals: the goals of the obligations that are among the facts, each once.
std::vector<std::string> known_goals(const std::vector<ShownObligation>& obligations);
// sum_text: the parts of a reason with signs between them.
std::string sum_text(const std::vector<std::string>& parts);

// derive: the tree of a certificate.
// Fails     a certificate that the kernel refuses, or a program that has no text, is a kBadInput
//           Error.
Derived derive(const Certificate& certificate);

}  // namespace lastbit::verify
