#include "lastbit/verify/refute/candidates.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace lastbit::verify::refutation {
namespace {

constexpr std::size_t kMostSettings = 20;
constexpr int kMostAttempts = 50'000;
// Lists of every length up to the first number are tried, and up to the second those of lengths
// that the numbers in a program suggest.
constexpr std::size_t kLongest = 6;
constexpr int kLongestNamed = 40;
// If only one entry may move, all entries are equally simple to move.
constexpr std::size_t kCostOfOne = 3;

// Landmarks are tried beside bases that are a little less simple than the first ones, and then more
// and more of them, so that neither has to wait for the other.
constexpr std::size_t kLandmarkCost = 6;
constexpr std::size_t kLandmarksPerCost = 3;
// Where a list starts at a landmark: everywhere, or at its first entry only.
constexpr std::size_t kLandmarkShapes = 2;
constexpr std::size_t kLandmarkShapeCost = 3;

bool is_length(const Program& program, const std::string& name) {
  return std::ranges::any_of(program.parameters,
                             [&](const Parameter& p) { return p.length == name; });
}

const Parameter* parameter_of(const Program& program, const std::string& name) {
  const auto found = std::ranges::find(program.parameters, name, &Parameter::name);
  return found == program.parameters.end() ? nullptr : &*found;
}

// The answer to a question about exact numbers; no, if it cannot be decided.
bool decided(const auto& question) {
  try {
    return question();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
    return false;
  }
}

// The value of a variable or entry in one run.
Value entry_of(const Instance& instance, const std::string& name, const Rational& index) {
  const auto list = instance.find(name);
  if (list == instance.end()) throw not_supported("a parameter has no value");
  const bool inside = index.is_integer() && index.sign() >= 0 &&
                      index < Rational(static_cast<std::int64_t>(list->second.size()));
  if (!inside) return Value::of(Rational(0));
  return Value::of(list->second[static_cast<std::size_t>(index.numerator().to_int64())]);
}

// All conditions of an adjacency; for lists between the entries at `entry`.
bool conditions_hold(const Adjacency& adjacency, const Instance& first, const Instance& second,
                     std::int64_t entry) {
  Evaluator evaluator([&](const Expression& e, const std::optional<Rational>& index) {
    const Instance& run = e.side == 2 ? second : first;
    if (index) return entry_of(run, e.name, *index);
    return entry_of(run, e.name, e.name == adjacency.list ? Rational(entry) : Rational(0));
  });
  return std::ranges::all_of(adjacency.conditions,
                             [&](const Expression& c) { return evaluator.truth(c); });
}

bool holds(const Adjacency& adjacency, const Instance& first, const Instance& second) {
  if (adjacency.reach == Reach::kValue) return conditions_hold(adjacency, first, second, 0);
  const auto left = first.find(adjacency.list);
  const auto right = second.find(adjacency.list);
  if (left == first.end() || right == second.end()) return false;
  if (left->second.size() != right->second.size()) return false;
  const auto size = static_cast<std::int64_t>(left->second.size());
  bool moved = false;
  for (std::int64_t i = 0; i < size; ++i) {
    const bool equal =
        left->second[static_cast<std::size_t>(i)] == right->second[static_cast<std::size_t>(i)];
    if (adjacency.reach == Reach::kOne && equal) continue;
    if (!conditions_hold(adjacency, first, second, i)) return false;
    if (adjacency.reach == Reach::kOne && moved) return false;
    moved = true;
  }
  // Equal lists must be close to each other at some index too.
  for (std::int64_t i = 0; adjacency.reach == Reach::kOne && !moved && i < size; ++i) {
    moved = conditions_hold(adjacency, first, second, i);
  }
  return adjacency.reach == Reach::kEvery || moved;
}

// Numbers near those that occur beside a parameter in its requirements, and between them.
std::vector<Rational> near_literals(const std::vector<const Expression*>& requirements) {
  std::set<Rational> literals;
  for (const Expression* requirement : requirements) {
    for_each_part(*requirement, [&](const Expression& e) {
      if (e.op == Operator::kNumber) literals.insert(e.number);
    });
  }
  std::vector<Rational> result;
  std::optional<Rational> last;
  for (const Rational& literal : literals) {
    if (last) result.push_back((*last + literal) / 2);
    for (const Rational& near : {literal, literal + 1, literal / 2, literal - 1}) {
      result.push_back(near);
    }
    last = literal;
  }
  return result;
}

// Values to try for a public parameter, the likeliest first: those that meet all requirements about
// it alone.
std::vector<Rational> pool_of(const Program& program, const Parameter& parameter) {
  const auto is_it = [&](const std::string& name) { return name == parameter.name; };
  const auto is_other = [&](const std::string& name) { return name != parameter.name; };
  std::vector<const Expression*> speaking;
  std::vector<const Expression*> own;
  for (const Expression& requirement : program.requirements) {
    if (!mentions(requirement, is_it)) continue;
    speaking.push_back(&requirement);
    if (!mentions(requirement, is_other)) own.push_back(&requirement);
  }
  const bool constrained = !speaking.empty() || mentions(program.claimed_epsilon, is_it);
  std::vector<Rational> pool = constrained ? std::vector<Rational>{1, rational("1/2"), 2, 3, -1}
                                           : std::vector<Rational>{0, 1, 2, -1};
  if (parameter.type == Type::kBool) pool = {1, 0};
  std::ranges::copy(near_literals(speaking), std::back_inserter(pool));
  const auto fits = [&](const Rational& value) {
    if (parameter.type == Type::kInt && !value.is_integer()) return false;
    if (parameter.type == Type::kBool && value != 0 && value != 1) return false;
    Evaluator evaluator([&](const auto&, const auto&) { return Value::of(value); });
    return std::ranges::all_of(own, [&](const Expression* requirement) {
      return decided([&] { return evaluator.truth(*requirement); });
    });
  };
  std::vector<Rational> distinct;
  for (const Rational& value : pool) {
    const bool is_new = std::ranges::find(distinct, value) == distinct.end();
    if (is_new && fits(value)) distinct.push_back(value);
  }
  return distinct;
}

constexpr std::size_t cost_of_landmark(std::size_t landmark) {
  return kLandmarkCost + landmark / kLandmarkShapes / kLandmarksPerCost +
         kLandmarkShapeCost * (landmark % kLandmarkShapes);
}

// The costs of all bases; landmarks are counted after the others.
std::vector<std::vector<std::size_t>> bases_by_cost() {
  std::vector<std::vector<std::size_t>> result;
  const auto add = [&](std::size_t base, std::size_t cost) {
    if (cost >= result.size()) result.resize(cost + 1);
    result[cost].push_back(base);
  };
  for (std::size_t base = 0; base < bases().size(); ++base) add(base, base);
  for (std::size_t i = 0; i < kLandmarkShapes * kMostLandmarks; ++i) {
    add(bases().size() + i, cost_of_landmark(i));
  }
  return result;
}

// Lengths of lists that are worth trying: short ones, and those at which an entry begins to exist,
// or a requirement to hold, that names a number.
std::vector<std::size_t> lengths_for(const Program& program, std::vector<Rational> numbers) {
  const bool has_lists =
      std::ranges::any_of(program.parameters, [](const Parameter& p) { return !p.length.empty(); });
  if (!has_lists) return {1};
  std::set<std::size_t> lengths;
  for (std::size_t length = 1; length <= kLongest; ++length) lengths.insert(length);
  for (const Expression& requirement : program.requirements) {
    for_each_part(requirement, [&](const Expression& e) {
      if (e.op == Operator::kNumber) numbers.push_back(e.number);
    });
  }
  for (const Rational& number : numbers) {
    if (!number.is_integer() || number < 1 || number >= Rational(kLongestNamed)) continue;
    const auto length = static_cast<std::size_t>(number.numerator().to_int64());
    lengths.insert({length, length + 1});
  }
  return {lengths.begin(), lengths.end()};
}

// The base of a place; nothing if there are fewer landmarks.
std::optional<Pattern> base_at(std::size_t base, const std::vector<Rational>& landmarks) {
  if (base < bases().size()) return bases()[base];
  const std::size_t landmark = base - bases().size();
  const std::size_t rank = landmark / kLandmarkShapes;
  if (rank >= landmarks.size()) return std::nullopt;
  const Rational& value = landmarks[rank];
  if (landmark % kLandmarkShapes == 0) return Pattern{value, value};
  return Pattern{value, 0, Pattern::kFirst};
}

}  // namespace

std::set<std::string> private_names(const Program& program) {
  std::set<std::string> names;
  for (const Adjacency& adjacency : program.adjacent) {
    if (adjacency.reach != Reach::kValue) names.insert(adjacency.list);
    for (const Expression& condition : adjacency.conditions) {
      for_each_part(condition, [&](const Expression& e) {
        if (e.side != 0) names.insert(e.name);
      });
    }
  }
  return names;
}

Value public_value(const Expression& expression, const Instance& instance) {
  return Evaluator([&](const Expression& e, const std::optional<Rational>& index) {
           return entry_of(instance, e.name, index.value_or(Rational(0)));
         })
      .value(expression);
}

bool meets_requirements(const Program& program, const Instance& instance) {
  Evaluator evaluator([&](const Expression& e, const std::optional<Rational>& index) {
    return entry_of(instance, e.name, index.value_or(Rational(0)));
  });
  return std::ranges::all_of(program.requirements,
                             [&](const Expression& r) { return evaluator.truth(r); });
}

bool are_adjacent(const Program& program, const Instance& first, const Instance& second) {
  const std::set<std::string> names = private_names(program);
  for (const Parameter& parameter : program.parameters) {
    if (names.contains(parameter.name)) continue;
    const auto left = first.find(parameter.name);
    const auto right = second.find(parameter.name);
    if (left == first.end() || right == second.end() || left->second != right->second) return false;
  }
  return std::ranges::all_of(program.adjacent,
                             [&](const Adjacency& a) { return holds(a, first, second); });
}

Candidates::Candidates(const Program& program)
    : program_(program),
      private_(private_names(program)),
      literals_(literals_of(program, private_)),
      lengths_(lengths_for(program, literals_)),
      settings_(lengths_.size()),
      bases_(bases_by_cost()) {
  for (const Pattern& pattern : changes()) changes_.push_back({pattern, changes_.size()});
  const bool moves_one = std::ranges::any_of(
      program.adjacent, [](const Adjacency& a) { return a.reach == Reach::kOne; });
  if (!moves_one) return;
  std::vector<Change> of_one;
  for (const Pattern& pattern : changes_of_one(private_.size() * lengths_.back())) {
    of_one.push_back({pattern, kCostOfOne});
  }
  // Costs stay in order, and among equal ones the others come first.
  const auto after = std::ranges::upper_bound(changes_, kCostOfOne, {}, &Change::cost);
  changes_.insert(after, of_one.begin(), of_one.end());
}

std::size_t Candidates::highest_cost() const {
  return (lengths_.size() - 1) + 2 * (kMostSettings - 1) + changes_.back().cost +
         (bases_.size() - 1);
}

// All places of one cost; most searches end long before the last.
void Candidates::fill_places(std::size_t cost) {
  places_.clear();
  next_ = 0;
  for (std::size_t length = 0; length < lengths_.size(); ++length) {
    for (std::size_t setting = 0; setting < kMostSettings; ++setting) {
      for (std::size_t change = 0; change < changes_.size(); ++change) {
        const std::size_t spent = length + 2 * setting + changes_[change].cost;
        if (spent > cost) break;
        if (cost - spent >= bases_.size()) continue;
        for (const std::size_t base : bases_[cost - spent]) {
          places_.push_back({length, setting, change, base});
        }
      }
    }
  }
}

// Assignments of the public parameters by the sum of their ranks in the pools.
std::vector<Candidates::Setting> Candidates::settings_for(std::size_t length,
                                                          const Deadline& deadline) const {
  std::vector<Setting> settings;
  std::vector<const Parameter*> free;
  std::vector<std::vector<Rational>> pools;
  Instance values;
  for (const Parameter& parameter : program_.parameters) {
    const auto size = parameter.length.empty() ? std::size_t{1} : length;
    values[parameter.name] = std::vector<Rational>(size, Rational(0));
    if (is_length(program_, parameter.name)) {
      values[parameter.name] = {Rational(static_cast<std::int64_t>(length))};
    } else if (!private_.contains(parameter.name)) {
      free.push_back(&parameter);
      pools.push_back(pool_of(program_, parameter));
      if (pools.back().empty() || deadline.has_passed()) return {};
    }
  }
  const auto meets = [this](const Instance& instance) {
    return decided([&] { return meets_requirements(program_, instance); });
  };
  int attempts = 0;
  const auto fill = [&](const auto& self, std::size_t i, std::size_t rank) -> void {
    if (settings.size() >= kMostSettings || ++attempts > kMostAttempts) return;
    if (deadline.has_passed()) return;
    if (i == free.size()) {
      if (rank == 0 && meets(values)) settings.push_back(setting_of(values));
      return;
    }
    for (std::size_t choice = 0; choice <= std::min(rank, pools[i].size() - 1); ++choice) {
      if (i + 1 == free.size() && choice != rank) continue;
      std::ranges::fill(values[free[i]->name], pools[i][choice]);
      self(self, i + 1, rank - choice);
    }
  };
  for (std::size_t rank = 0; rank <= 8; ++rank) fill(fill, 0, rank);
  return settings;
}

Candidates::Setting Candidates::setting_of(const Instance& values) const {
  std::vector<Rational> numbers = literals_;
  for (const Parameter& parameter : program_.parameters) {
    if (numbers.size() == kMostNumbers) break;
    if (private_.contains(parameter.name) || is_length(program_, parameter.name)) continue;
    const Rational& value = values.at(parameter.name).front();
    if (std::ranges::find(numbers, value) == numbers.end()) numbers.push_back(value);
  }
  return {values, slots_of(values), landmarks(numbers)};
}

std::vector<Candidates::Slot> Candidates::slots_of(const Instance& values) const {
  std::vector<Slot> slots;
  for (const std::string& name : private_) {
    const Parameter* parameter = parameter_of(program_, name);
    if (parameter == nullptr) continue;
    // Adjacencies treat all entries of a list alike, so the first one shows how far to go.
    Slot slot{name, 0, parameter->type, 0, 0};
    slot.up = reach(values, slot, 1);
    slot.down = reach(values, slot, -1);
    for (; slot.index < values.at(name).size(); ++slot.index) slots.push_back(slot);
  }
  return slots;
}

// The farthest that one entry may move from 0, among a few distances: those that adjacencies
// usually name, and the numbers that this one names.
Rational Candidates::reach(const Instance& values, const Slot& slot, int direction) const {
  if (slot.type == Type::kBool) return 1;
  std::set<Rational, std::greater<>> distances = {8, 5, 4, 3, 2, 1};
  for (const char* text : {"1/2", "1/4", "1/10", "1/100"}) distances.insert(rational(text));
  // A strict bound is not reached, but nearly.
  const auto insert_bound = [&](const Rational& bound) {
    distances.insert({bound, bound - 1, bound * Rational(999, 1000)});
  };
  for (const Adjacency& adjacency : program_.adjacent) {
    for (const Expression& condition : adjacency.conditions) {
      for_each_part(condition, [&](const Expression& e) {
        if (e.op == Operator::kNumber) insert_bound(abs(e.number));
        if (e.op != Operator::kVariable || e.side != 0 || !values.contains(e.name)) return;
        for (const Rational& value : values.at(e.name)) insert_bound(abs(value));
      });
    }
  }
  const bool whole = slot.type == Type::kInt;
  for (const Rational& distance : distances) {
    if (distance.sign() <= 0 || (whole && !distance.is_integer())) continue;
    Instance moved = values;
    moved[slot.name][slot.index] = Rational(direction) * distance;
    if (decided([&] { return are_adjacent(program_, values, moved); })) return distance;
  }
  return 0;
}

std::optional<Candidate> Candidates::candidate_at(const Place& place, const Deadline& deadline) {
  auto& settings = settings_[place.length];
  // Most searches end before they need long lists.
  if (!settings) settings = settings_for(lengths_[place.length], deadline);
  if (place.setting >= settings->size()) return std::nullopt;
  const Setting& setting = (*settings)[place.setting];
  const std::optional<Pattern> base = base_at(place.base, setting.landmarks);
  if (!base) return std::nullopt;
  Candidate candidate{setting.values, setting.values};
  const std::size_t size = setting.slots.size();
  for (std::size_t i = 0; i < size; ++i) {
    const Slot& slot = setting.slots[i];
    const Rational change = changes_[place.change].pattern.at(i, size);
    Rational& from = candidate.first[slot.name][slot.index];
    Rational& to = candidate.second[slot.name][slot.index];
    from = base->at(i, size);
    if (slot.type == Type::kBool) {
      from = from.sign() > 0 ? 1 : 0;
      to = change.sign() == 0 ? from : Rational(1) - from;
      continue;
    }
    Rational move = change * (change.sign() > 0 ? slot.up : slot.down);
    if (slot.type == Type::kInt) {
      from = from.floor();
      move = move.floor();
    }
    to = from + move;
  }
  if (candidate.first == candidate.second) return std::nullopt;
  const bool adjacent =
      decided([&] { return are_adjacent(program_, candidate.first, candidate.second); });
  return adjacent ? std::optional(std::move(candidate)) : std::nullopt;
}

std::optional<Candidate> Candidates::next(const Deadline& deadline) {
  while (!deadline.has_passed()) {
    if (next_ == places_.size()) {
      if (cost_ > highest_cost()) return std::nullopt;
      fill_places(cost_++);
      continue;
    }
    std::optional<Candidate> candidate = candidate_at(places_[next_++], deadline);
    if (candidate && seen_.insert(*candidate).second) return candidate;
  }
  return std::nullopt;
}

}  // namespace lastbit::verify::refutation
