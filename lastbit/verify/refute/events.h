// Events: questions about the outputs of a mechanism, and which events are worth trying.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/verify/refute/paths.h"

namespace lastbit::verify::refutation {

// output[output] lies in the interval, or its difference to output[minus] does.
struct Condition {
  int output = 0;
  std::optional<int> minus = std::nullopt;
  Interval interval = {};
  bool is_truth = false;  // the interval is one truth value
  friend bool operator==(const Condition&, const Condition&) = default;
};

// The output has this many entries, all conditions hold, and the run ends normally, or by an
// impossible operation.
struct Cell {
  int length = 0;
  std::vector<Condition> conditions;
  bool is_impossible = false;
  friend bool operator==(const Cell&, const Cell&) = default;
};

// One of the cells happens; no two cells can happen together.
using Event = std::vector<Cell>;

// system_in: the condition that the path is taken and the output lies in the cell, as one system;
// nothing if that obviously has probability 0.
std::optional<System> system_in(const Cell& cell, const Path& path);

// are_disjoint: no output lies in two cells, as far as lengths and single conditions tell.
bool are_disjoint(const Event& event);

// proposed_cells: cells by which to compare two runs. Every sequence of outputs without noise, with
// half-lines, points and intervals between landmarks for those with noise.
std::vector<Cell> proposed_cells(const std::vector<Path>& first, const std::vector<Path>& second);

// event_text: such as `output = [false, true]`, `output = [_, 2] with output[0] <= -1` or, for a
// run that divides by 0 before it outputs anything, `output = [] then impossible`.
std::string event_text(const Event& event);
// parsed_event: the event that event_text writes in this way; anything else is a kBadText Error.
Event parsed_event(std::string_view text);
// parsed_number: a fraction, or true or false as 1 or 0; anything else is a kBadText Error.
Rational parsed_number(std::string_view text);
// parsed_list: numbers in brackets, or one number.
std::vector<Rational> parsed_list(std::string_view text);

}  // namespace lastbit::verify::refutation
