#include "lastbit/verify/floats/loss/worst_pair.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/random/tape.h"
#include "lastbit/verify/floats/loss/dyadic_law.h"
#include "lastbit/verify/floats/loss/loss_estimate.h"

namespace lastbit::verify {

namespace {

// Two inputs, and the output at which their loss is examined.
struct Candidate {
  Rational x1;
  Rational x2;
  const Cell* cell = nullptr;
  double score = -std::numeric_limits<double>::infinity();
};

constexpr std::size_t kKept = 16;         // candidates that are moved from, one per output
constexpr int kMoves = 300;               // by estimate, from each of them
constexpr int kExactMoves = 160;          // computed, from the best; fewer from the others
constexpr int kAnywhere = 600;            // pairs computed at random inputs and outputs
constexpr int kWindow = 16;               // gaps on each side of a place whose inputs are all tried
constexpr std::size_t kPartners = 6;      // for each of these, the farthest that are allowed
constexpr int kShifts = 6;                // inputs near a place, for each distance
constexpr std::size_t kFewOutputs = 300;  // up to here, plain pairs have all outputs computed
constexpr std::size_t kMostSampled = 64;  // outputs between the far ones that are examined

// 2^k ≤ value < 2^(k+1).
std::int64_t binary_exponent(const Rational& value) {
  return Float::from(value, FloatFormat::unbounded(2), Rounding::kDown).exponent();
}

class Search {
 public:
  Search(const FloatMechanism& mechanism, const SearchOptions& options)
      : mechanism_(mechanism),
        options_(options),
        estimate_(mechanism),
        bits_(testing::seeded_tape(options.seed)) {}

  WorstPair run();

 private:
  const Rational& bound() const { return mechanism_.half_width(); }
  Rational spacing() const { return mechanism_.grid().spacing(); }
  bool ended() const { return best_ && best_->worst.infinite(); }
  void report(double part) const {
    if (options_.progress) options_.progress(part);
  }
  std::size_t below(std::size_t count) { return bits_.word() % count; }
  template <class List>
  const auto& any(const List& list) {
    return list[below(std::size(list))];
  }

  Rational allowed(const Rational& x) const;
  bool in_reach(const Rational& x, const Rational& output) const;
  std::optional<Candidate> made(const Rational& x, const Rational& distance,
                                const Cell& cell) const;

  OutputLoss compute(const Rational& x1, const Rational& x2, const Rational& output);
  OutputLoss computed(const Candidate& candidate) {
    return compute(candidate.x1, candidate.x2, candidate.cell->output);
  }
  void compute_all(const Rational& x1, const Rational& x2);
  bool estimate(Candidate& candidate);
  void keep(const Candidate& candidate);

  void try_plain_pairs();
  void try_without_grid();
  void try_structured();
  void try_anywhere();
  void try_random();
  std::optional<Candidate> moved(const Rational& x1, const Rational& x2, const Cell& cell);
  Candidate moved_by_estimate(Candidate start);
  void move_exactly(Candidate from, int moves);
  void move_from_kept();

  void list_cells();
  std::vector<Rational> places(const Cell& cell) const;
  std::vector<Rational> distances(const Rational& unit) const;
  Rational shift(const Rational& unit);
  struct Segment;
  std::vector<Segment> segments(const Rational& from, const Rational& to, const Cell& cell) const;
  void try_all_around(const Cell& cell, const Rational& place);
  void try_pairs(const std::vector<Segment>& lower, const std::vector<Segment>& upper,
                 const Cell& cell);
  void try_near(const Cell& cell, const Rational& place);
  void try_in_phase(const Candidate& candidate);

  const FloatMechanism& mechanism_;
  const SearchOptions& options_;
  LossEstimate estimate_;
  BitSource bits_;
  std::deque<Cell> cells_;
  std::size_t far_cells_ = 0;    // the first ones of cells_
  std::vector<Candidate> kept_;  // the best of each output, the best first
  std::optional<PairLoss> best_;
  std::uint64_t pairs_ = 0;
};

// Clamped to [−B, B], and rounded where inputs must be floats.
Rational Search::allowed(const Rational& x) const {
  const Rational clamped = std::clamp(x, -bound(), bound());
  if (!options_.float_inputs) return clamped;
  const FloatFormat format = FloatFormat::unbounded(mechanism_.model().precision);
  return Float::from(clamped, format, Rounding::kTowardZero).to_rational();
}

bool Search::in_reach(const Rational& x, const Rational& output) const {
  return abs(output - x) <= mechanism_.scale() * Rational(kMaxReach - 2);
}

std::optional<Candidate> Search::made(const Rational& x, const Rational& distance,
                                      const Cell& cell) const {
  Candidate candidate{allowed(x), Rational(), &cell};
  candidate.x2 = allowed(candidate.x1 + distance);
  const Rational apart = abs(candidate.x1 - candidate.x2);
  if (apart.sign() == 0 || apart > options_.sensitivity) return std::nullopt;
  if (!in_reach(candidate.x1, cell.output)) return std::nullopt;
  return candidate;
}

OutputLoss Search::compute(const Rational& x1, const Rational& x2, const Rational& output) {
  ++pairs_;
  OutputLoss loss{output, output_probability(mechanism_, x1, output),
                  output_probability(mechanism_, x2, output)};
  if (!best_ || worse(loss, best_->worst)) best_ = PairLoss{x1, x2, loss, 1};
  return loss;
}

void Search::compute_all(const Rational& x1, const Rational& x2) {
  ++pairs_;
  PairLoss pair = pair_loss(mechanism_, x1, x2);
  if (!best_ || !worse(best_->worst, pair.worst)) best_ = std::move(pair);
}

bool Search::estimate(Candidate& candidate) {
  ++pairs_;
  const auto score =
      estimate_.excess(candidate.x1, candidate.x2, *candidate.cell, options_.sensitivity);
  candidate.score = score.value_or(candidate.score);
  return score.has_value();
}

// One candidate per output: neighbours of one good candidate would crowd out all others.
void Search::keep(const Candidate& candidate) {
  const auto same = std::ranges::find(kept_, candidate.cell, &Candidate::cell);
  if (same != kept_.end()) {
    if (!(candidate.score > same->score)) return;
    kept_.erase(same);
  }
  const auto place = std::ranges::find_if(
      kept_, [&](const Candidate& other) { return candidate.score > other.score; });
  kept_.insert(place, candidate);
  if (kept_.size() > kKept) kept_.pop_back();
}

// The ends, the middle, and inputs at the edge and the centre of a cell, at distance Δ.
void Search::try_plain_pairs() {
  const Rational& step = options_.sensitivity;
  const Rational two(2);
  const Rational starts[] = {-bound(),        bound() - step, -bound() + spacing(),
                             -step / two,     Rational(0),    -step,
                             spacing() / two, spacing(),      bound() / two};
  const bool few = bound() / spacing() * two <= Rational(kFewOutputs);
  for (const Rational& start : starts) {
    const Rational x1 = allowed(start);
    const Rational x2 = allowed(x1 + step);
    if (ended() || x1 == x2 || abs(x1 - x2) > step) continue;
    if (few) {
      compute_all(x1, x2);
      continue;
    }
    for (std::size_t i = 0; i < far_cells_; ++i) {
      if (in_reach(x1, cells_[i].output)) compute(x1, x2, cells_[i].output);
    }
  }
}

// Any value of u leads to some output; the question is whether the neighbour has it too. From an
// input of 0 the outputs are finer than most sums can be.
void Search::try_without_grid() {
  const FloatFormat format = FloatFormat::unbounded(mechanism_.model().precision);
  for (std::uint64_t i = 0; i < options_.candidates + 16 && !ended(); ++i) {
    const Rational part = Rational(bits_.bits(20)) * Rational::two_to(-20);
    const Rational x1 = i % 2 == 0 ? Rational(0) : allowed(bound() * part);
    const Rational x2 = allowed(x1 - options_.sensitivity);
    const Rational u = Rational(2 * bits_.bits(20) + 1) * Rational::two_to(-21);
    const int sign = bits_.bit() ? 1 : -1;
    if (x1 != x2) compute(x1, x2, mechanism_.output(x1, sign, Float::from(u, format)));
  }
}

// First outputs that are far from inputs on the other side: the bounds, the multiples of Λ next to
// them, and powers of two, where the gap between floats changes inside a cell. Then some others.
void Search::list_cells() {
  const Rational last = Rational(mechanism_.grid().ceil_index(bound()) - 1) * spacing();
  const auto add = [&](const Rational& output) {
    if (std::ranges::find(cells_, output, &Cell::output) != cells_.end()) return;
    cells_.push_back(estimate_.cell_of(output));
  };
  std::vector<Rational> outputs = {bound()};
  for (int i = 0; i < 3 && last > Rational(i) * spacing(); ++i) {
    outputs.push_back(last - Rational(i) * spacing());
  }
  if (last.sign() > 0) {
    const Rational power = Rational::two_to(binary_exponent(last));
    for (const Rational& output : {power, power + spacing(), power / Rational(2)}) {
      if (output >= spacing() && output < bound()) outputs.push_back(output);
    }
  }
  for (const Rational& output : outputs) {
    add(-output);
    add(output);
  }
  far_cells_ = cells_.size();
  const Integer most = mechanism_.grid().ceil_index(bound()) - 1;
  if (most <= Integer(kMostSampled / 2)) {
    for (std::int64_t i = -most.to_int64(); i <= most.to_int64(); ++i) {
      add(mechanism_.grid().point(i));
    }
    return;
  }
  for (std::size_t i = 0; i < kMostSampled; ++i) {
    const Rational part = Rational(bits_.bits(40)) * Rational::two_to(-39) - Rational(1);
    add(mechanism_.grid().point((Rational(most) * part).floor()));
  }
}

// Inputs for which an end of the cell is just beyond a power of two away, or a power of two times λ:
// there a rounding error is largest for its distance. And the far end of the range.
std::vector<Rational> Search::places(const Cell& cell) const {
  const int side = cell.output.sign() > 0 ? -1 : 1;
  const Rational far = side > 0 ? bound() : -bound();
  std::vector<Rational> result = {far};
  const auto add = [&](const Rational& end) {
    if (far == end) return;
    const Rational most = abs(far - end);
    for (const Rational& unit : {Rational(1), mechanism_.scale()}) {
      const Rational power = unit * Rational::two_to(binary_exponent(most / unit));
      result.push_back(end + Rational(side) * power);
    }
  };
  if (cell.bottom) add(*cell.bottom);
  if (cell.top) add(*cell.top);
  return result;
}

// The largest distances of up to Δ that are a multiple of the unit and a little, a quarter, … more.
std::vector<Rational> Search::distances(const Rational& unit) const {
  const Rational& most = options_.sensitivity;
  std::vector<Rational> result = {most};
  for (const Rational& part : {Rational(0), Rational(1, 4096), Rational(1, 4), Rational(1, 2),
                               Rational(3, 4), Rational(4095, 4096)}) {
    const Rational distance = (Rational((most / unit - part).floor()) + part) * unit;
    if (distance.sign() > 0 && distance != most) result.push_back(distance);
  }
  return result;
}

// A multiple of the unit of random size, up to a few cells, and perhaps a part of it more.
Rational Search::shift(const Rational& unit) {
  const Rational cells = spacing() / unit * Rational(4);
  const auto widest = static_cast<std::size_t>(std::max<std::int64_t>(1, binary_exponent(cells)));
  const auto width = static_cast<unsigned>(below(std::min<std::size_t>(widest, 60)) + 1);
  const Rational whole = Rational(bits_.bits(width)) * unit;
  const Rational parts[] = {0, unit / Rational(8), unit / Rational(4), unit / Rational(2),
                            unit / Rational(4096)};
  const Rational moved = whole + any(parts);
  return bits_.bit() ? moved : -moved;
}

void Search::try_near(const Cell& cell, const Rational& place) {
  const Rational* end = cell.near_end(place);
  if (end == nullptr) return;
  const Rational unit = estimate_.gap(abs(place - *end));
  const std::vector<Rational> steps = distances(unit);
  // The distance to the end of the cell becomes a multiple of the unit, or just not.
  const Rational aligned = *end + Rational(((place - *end) / unit).floor()) * unit;
  for (const Rational& step : steps) {
    for (int i = 0; i < kShifts; ++i) {
      auto candidate = made(aligned + shift(unit), i % 2 == 0 ? step : -step, cell);
      if (!candidate || !estimate(*candidate)) continue;
      keep(*candidate);
      try_in_phase(*candidate);
    }
  }
}

// Moves both inputs to where the rounding error of one's logarithm is about to jump.
void Search::try_in_phase(const Candidate& candidate) {
  const Cell& cell = *candidate.cell;
  const auto step = estimate_.phase_step(candidate.x1, cell);
  if (step.change.sign() == 0) return;
  const Rational away = candidate.x1 > *cell.near_end(candidate.x1) ? step.move : -step.move;
  for (const Rational& x : {candidate.x1, candidate.x2}) {
    const Rational phase = estimate_.phase(x, cell);
    const Rational left = step.change.sign() > 0 ? Rational(1) - phase : -phase;
    const Integer steps = (left / step.change).floor();
    for (int more = 0; more < 2; ++more) {
      const Rational moved = Rational(steps + more) * away;
      auto next = made(candidate.x1 + moved, candidate.x2 - candidate.x1, cell);
      if (next && estimate(*next)) keep(*next);
    }
  }
}

// Segment: inputs from `start` on, and before `end`, that the estimate does not tell apart.
struct Search::Segment {
  Rational start;
  Rational end;
  LossEstimate::Depths depths;
};

std::vector<Search::Segment> Search::segments(const Rational& from, const Rational& to,
                                              const Cell& cell) const {
  const Rational low = std::max(from, -bound());
  const Rational high = std::min(to, bound());
  std::vector<Segment> result;
  if (low >= high) return result;
  std::vector<Rational> starts = estimate_.jumps(low, high, cell);
  if (starts.empty() || starts.front() != low) starts.insert(starts.begin(), low);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const auto depths = estimate_.depths(starts[i], cell);
    if (!depths || !in_reach(starts[i], cell.output)) continue;
    result.push_back({starts[i], i + 1 < starts.size() ? starts[i + 1] : high, *depths});
  }
  return result;
}

// Pairs of an input of each list, the second above the first, and as far apart as is allowed or a
// few segments less.
void Search::try_pairs(const std::vector<Segment>& lower, const std::vector<Segment>& upper,
                       const Cell& cell) {
  const Segment* best_lower = nullptr;
  const Segment* best_upper = nullptr;
  double best = -std::numeric_limits<double>::infinity();
  std::size_t beyond = 0;  // the first of `upper` that is too far away
  for (const Segment& first : lower) {
    const bool above = first.start > cell.output;  // the cell is below both
    while (beyond < upper.size() && upper[beyond].start - first.end < options_.sensitivity)
      ++beyond;
    for (std::size_t i = beyond - std::min(beyond, kPartners); i < beyond; ++i) {
      const Segment& second = upper[i];
      if (second.start <= first.start || (second.start > cell.output) != above) continue;
      ++pairs_;
      const double score =
          above ? estimate_.excess(first.depths, second.depths, options_.sensitivity)
                : estimate_.excess(second.depths, first.depths, options_.sensitivity);
      if (!(score > best)) continue;
      best = score;
      best_lower = &first;
      best_upper = &second;
    }
  }
  if (best_lower == nullptr) return;
  const Rational& x2 = best_upper->start;
  const Rational x1 = std::max(best_lower->start, x2 - options_.sensitivity);
  keep({x1, x2, &cell, best});
}

// All pairs with one input near the place, by estimate. What the roundings cost depends on where
// the thresholds lie between floats, and that repeats within a few gaps if λ is a simple number;
// random shifts would miss the best of these places.
void Search::try_all_around(const Cell& cell, const Rational& place) {
  const Rational* end = cell.near_end(place);
  if (end == nullptr || options_.float_inputs) return;
  const Rational& step = options_.sensitivity;
  const Rational reach = Rational(kWindow) * estimate_.gap(abs(place - *end));
  const auto around = [&](const Rational& middle) {
    return segments(middle - reach, middle + reach, cell);
  };
  const std::vector<Segment> here = around(place);
  try_pairs(here, around(place + step), cell);
  try_pairs(around(place - step), here, cell);
}

void Search::try_structured() {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const std::vector<Rational> all = places(cells_[i]);
    const std::size_t count = i < far_cells_ ? all.size() : 1;
    for (std::size_t k = 0; k < count; ++k) {
      try_near(cells_[i], all[k]);
      try_all_around(cells_[i], all[k]);
    }
    report(0.3 * static_cast<double>(i) / static_cast<double>(cells_.size()));
  }
}

// If B is not much larger than λ, the granularity of u decides, and the estimate ignores it.
void Search::try_anywhere() {
  for (int i = 0; i < kAnywhere && !ended(); ++i) {
    const Cell& cell = i % 2 == 0 ? cells_[below(far_cells_)] : any(cells_);
    const Rational part = Rational(bits_.bits(40)) * Rational::two_to(-39) - Rational(1);
    const Rational& step = options_.sensitivity;
    const auto candidate = made(bound() * part, bits_.bit() ? step : -step, cell);
    if (candidate) computed(*candidate);
  }
}

void Search::try_random() {
  const std::uint64_t first = pairs_;
  while (pairs_ - first < options_.candidates) {
    const Cell& cell = bits_.bit() ? cells_[below(far_cells_)] : any(cells_);
    const Rational part = Rational(bits_.bits(40)) * Rational::two_to(-40);
    const bool anywhere = below(4) == 0;
    try_near(cell, anywhere ? Rational(cell.output.sign() > 0 ? -1 : 1) * part * bound()
                            : any(places(cell)));
    ++pairs_;
    const std::uint64_t done = std::min(pairs_ - first, options_.candidates);
    report(0.3 + 0.4 * static_cast<double>(done) / static_cast<double>(options_.candidates));
  }
}

std::optional<Candidate> Search::moved(const Rational& x1, const Rational& x2, const Cell& cell) {
  const Rational unit = estimate_.gap(abs(x1 - *cell.near_end(x1)));
  Rational distance = x2 - x1;
  if (below(4) == 0) {
    const Rational sign(distance.sign());
    distance = sign * any(distances(unit));
  }
  return made(x1 + shift(unit), distance, cell);
}

Candidate Search::moved_by_estimate(Candidate start) {
  for (int i = 0; i < kMoves; ++i) {
    auto next = moved(start.x1, start.x2, *start.cell);
    if (next && estimate(*next) && next->score > start.score) start = std::move(*next);
  }
  return start;
}

// u is a float, which the estimate ignores; how much that matters is found by computing.
void Search::move_exactly(Candidate from, int moves) {
  OutputLoss worst = computed(from);
  for (int i = 0; i < moves && !ended(); ++i) {
    auto next = moved(from.x1, from.x2, *from.cell);
    if (!next || from.cell->near_end(next->x1) == nullptr) continue;
    OutputLoss loss = computed(*next);
    if (!worse(loss, worst)) continue;
    worst = std::move(loss);
    from = std::move(*next);
  }
}

void Search::move_from_kept() {
  std::vector<Candidate> best;
  for (const Candidate& candidate : std::exchange(kept_, {})) {
    best.push_back(moved_by_estimate(candidate));
    report(0.7 + 0.1 * static_cast<double>(best.size()) / kKept);
  }
  std::ranges::sort(best, std::greater<>(), &Candidate::score);
  int moves = kExactMoves;
  for (const Candidate& candidate : best) {
    if (!ended()) move_exactly(candidate, moves);
    moves = std::max(moves / 2, kExactMoves / 16);
  }
}

WorstPair Search::run() {
  if (!mechanism_.has_grid()) {
    try_without_grid();
  } else {
    list_cells();
    try_plain_pairs();
    if (!ended()) {
      try_anywhere();
      try_structured();
      try_random();
      move_from_kept();
    }
    report(0.9);
    const Rational outputs = bound() / spacing() * Rational(2);
    if (best_ && outputs <= Rational(kMaxSearchOutputs)) {
      compute_all(best_->x1, best_->x2);
      // Next to a bound u is smallest, which decides where u has a smallest value.
      const Rational inner = allowed(options_.sensitivity - bound());
      const Rational outer = allowed(-bound());
      if (inner - outer <= options_.sensitivity) compute_all(outer, inner);
    }
  }
  report(1);
  if (!best_) {
    throw Error(ErrorCode::kNotSupported, "worst_pair",
                "no pair of inputs has an output whose probability can be written out",
                "choose a smaller ratio of half-width to scale");
  }
  return {std::move(*best_), pairs_};
}

}  // namespace

WorstPair worst_pair(const FloatMechanism& mechanism, const SearchOptions& options) {
  if (options.sensitivity.sign() <= 0) {
    throw Error::bad_parameter("worst_pair", "sensitivity", "is not positive",
                               "give the largest distance of two inputs, above 0");
  }
  return Search(mechanism, options).run();
}

}  // namespace lastbit::verify
