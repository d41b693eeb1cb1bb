// A single step in words. Used by derivation.cc only.
#pragma once

#include <string>
#include <vector>

#include "lastbit/verify/report/theorem.h"
#include "lastbit/verify/report/wording.h"

namespace lastbit::verify {

struct StepWords {
  int line = 0;
  std::string statement;
  std::string action;
  std::vector<std::string> notes;
  std::vector<std::string> arrivals;  // one for each goal that the step leaves
};

// words_of: what the step does at the goal. `after` are the goals that it leaves; `names` knows the
// symbols of the goal.
StepWords words_of(const Goal& goal, const Step& step, const std::vector<Goal>& after,
                   const Names& names, const PrintedProgram& program);

// draw_of: the draw that the goal waits for; a step that the kernel accepted has one where it must.
const Draw& draw_of(const Goal& goal);
// code: the text between backticks.
std::string code(const std::string& text);
std::vector<std::string> code_of_facts(const std::vector<Fact>& facts, std::size_t first,
                                       const Names& names);

}  // namespace lastbit::verify
