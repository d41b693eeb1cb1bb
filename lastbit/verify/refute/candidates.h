// Candidates: parameters and pairs of adjacent inputs that are worth trying, simple ones first.
#pragma once

#include <set>
#include <vector>

#include "lastbit/verify/logic/program.h"
#include "lastbit/verify/refute/evaluate.h"
#include "lastbit/verify/refute/paths.h"
#include "lastbit/verify/refute/starting_points.h"

namespace lastbit::verify::refutation {

// Two runs of a mechanism: the values of every parameter in each.
struct Candidate {
  Instance first;
  Instance second;
  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

// private_names: the parameters that occur in some adjacency.
std::set<std::string> private_names(const Program& program);
// meets_requirements: every `requires` holds, decided exactly.
bool meets_requirements(const Program& program, const Instance& instance);
// are_adjacent: every adjacency holds with `first` as run 1, decided exactly; public parameters are
// equal.
bool are_adjacent(const Program& program, const Instance& first, const Instance& second);
// public_value: an expression over public parameters, such as the claimed loss.
Value public_value(const Expression& expression, const Instance& instance);

// Candidates: enumerates pairs of runs, the simplest first. All of them meet the requirements and
// are adjacent.
class Candidates {
 public:
  explicit Candidates(const Program& program);
  // next: the next new candidate; nothing at the end, or when the deadline passes.
  std::optional<Candidate> next(const Deadline& deadline);

 private:
  // One entry of a private parameter, and how far it may move.
  struct Slot {
    std::string name;
    std::size_t index;
    Type type;
    Rational up;
    Rational down;
  };
  struct Setting {
    Instance values;  // public ones; private ones are 0
    std::vector<Slot> slots;
    std::vector<Rational> landmarks;
  };
  struct Change {
    Pattern pattern;
    std::size_t cost;
  };
  struct Place {
    std::size_t length;  // an index into lengths_
    std::size_t setting;
    std::size_t change;
    std::size_t base;
  };

  std::vector<Setting> settings_for(std::size_t length, const Deadline& deadline) const;
  std::size_t highest_cost() const;
  void fill_places(std::size_t cost);
  Setting setting_of(const Instance& values) const;
  std::vector<Slot> slots_of(const Instance& values) const;
  Rational reach(const Instance& values, const Slot& slot, int direction) const;
  std::optional<Candidate> candidate_at(const Place& place, const Deadline& deadline);

  const Program& program_;
  std::set<std::string> private_;
  std::vector<Rational> literals_;
  std::vector<std::size_t> lengths_;                           // of lists, by cost
  std::vector<Change> changes_;                                // in the order of their costs
  std::vector<std::optional<std::vector<Setting>>> settings_;  // by length, when needed
  std::vector<std::vector<std::size_t>> bases_;                // by cost
  std::size_t cost_ = 0;                                       // of the next places
  std::vector<Place> places_;                                  // those of one cost
  std::size_t next_ = 0;
  std::set<Candidate> seen_;
};

}  // namespace lastbit::verify::refutation
