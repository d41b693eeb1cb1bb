#include "lastbit/verify/refute/probability.h"

#include <set>
#include <type_traits>
#include <variant>

#include "lastbit/verify/refute/lattice.h"

namespace lastbit::verify::refutation {

std::int64_t table_radius(const Noise& noise) {
  // e^(−56) < 2^(−80).
  const Integer radius = (Rational(56) * noise.scale).ceil();
  if (radius > 4000) throw not_supported("whole noise of a large scale meets other noise");
  return radius.to_int64();
}

namespace {

using Conditions = std::map<NoiseTerms, Interval>;

constexpr int kMaxSplits = 2;

// The noises of one independent part, and the conditions on them.
struct Part {
  std::set<int> noises;
  Conditions conditions;

  bool is_tree() const {
    std::set<std::pair<int, int>> edges;
    for (const auto& [terms, interval] : conditions) {
      if (terms.size() > 2) return false;
      if (terms.size() == 2) edges.emplace(terms[0].first, terms[1].first);
    }
    return edges.size() + 1 == noises.size();
  }
};

std::vector<Part> parts_of(const Conditions& conditions) {
  std::vector<Part> parts;
  for (const auto& [terms, interval] : conditions) {
    Part joined;
    joined.conditions.emplace(terms, interval);
    for (const auto& [noise, coefficient] : terms) joined.noises.insert(noise);
    std::vector<Part> apart;
    for (Part& part : parts) {
      const bool meets = std::ranges::any_of(
          joined.noises, [&](int noise) { return part.noises.contains(noise); });
      if (!meets) {
        apart.push_back(std::move(part));
        continue;
      }
      joined.noises.merge(part.noises);
      joined.conditions.merge(part.conditions);
    }
    apart.push_back(std::move(joined));
    parts = std::move(apart);
  }
  return parts;
}

// cx·x + cy·y in an interval, as bounds of x by lines in y.
void add_bounds(LinearBounds& bounds, const Rational& cx, const Rational& cy,
                const Interval& interval) {
  const Rational slope = -cy / cx;
  if (interval.low) {
    (cx.sign() > 0 ? bounds.lows : bounds.highs)
        .push_back({*interval.low / cx, slope, interval.low_closed});
  }
  if (interval.high) {
    (cx.sign() > 0 ? bounds.highs : bounds.lows)
        .push_back({*interval.high / cx, slope, interval.high_closed});
  }
}

template <class Number>
class Integrator {
 public:
  Integrator(const std::vector<Noise>& noises, Arithmetic<Number>& arithmetic, const Effort& effort)
      : noises_(noises), arithmetic_(arithmetic), effort_(effort) {}

  Mass<Number> all_of(const Conditions& conditions, int splits) {
    effort_.deadline.check();
    Mass<Number> result{one(), one()};
    for (const auto& [terms, interval] : conditions) {
      if (!has_room(interval, terms, noises_)) return nothing();
    }
    for (const Part& part : parts_of(conditions)) {
      const Mass<Number> mass = mass_of(part, splits);
      if (mass.is_zero) return nothing();
      result.low = result.low * mass.low;
      result.high = result.high * mass.high;
    }
    return result;
  }

 private:
  // What one noise passes on to the others: its density or masses, times what hangs below it.
  using Function = std::variant<Piecewise<Number>, Table<Number>>;

  Number one() { return arithmetic_.number(Rational(1)); }
  Number zero() { return arithmetic_.number(Rational(0)); }
  Mass<Number> nothing() { return {zero(), zero(), true}; }
  const Noise& noise(int index) const { return noises_[static_cast<std::size_t>(index)]; }

  Interval own_interval(const Part& part, int index) const {
    const auto own = part.conditions.find(NoiseTerms{{index, Rational(1)}});
    return own == part.conditions.end() ? noise(index).support() : own->second;
  }

  Mass<Number> mass_of(const Part& part, int splits) {
    const int first = *part.noises.begin();
    if (part.noises.size() == 1 && noise(first).is_whole()) {
      const Number mass = whole_mass(noise(first), own_interval(part, first), arithmetic_);
      return {mass, mass};
    }
    if (!part.is_tree()) return split(part, splits);
    missing_ = zero();
    truncated_ = false;
    const Function root = function_of(part, first, -1);
    const std::optional<Number> sum = total(root);
    if (!sum) {
      if (!truncated_) return nothing();
      return {zero(), missing_};
    }
    return {*sum, *sum + missing_};
  }

  std::optional<Number> total(const Function& function) {
    if (const auto* pieces = std::get_if<Piecewise<Number>>(&function)) {
      if (pieces->empty()) return std::nullopt;
      return integral(*pieces, {}, arithmetic_);
    }
    return Prefixes<Number>(std::get<Table<Number>>(function), arithmetic_).within({});
  }

  Function function_of(const Part& part, int index, int parent) {
    Function result = own_function(part, index);
    std::map<int, LinearBounds> children;
    for (const auto& [terms, interval] : part.conditions) {
      if (terms.size() != 2) continue;
      const bool leads = terms[0].first == index;
      if (!leads && terms[1].first != index) continue;
      const auto& [child, child_factor] = leads ? terms[1] : terms[0];
      const Rational& factor = leads ? terms[0].second : terms[1].second;
      if (child != parent) add_bounds(children[child], child_factor, factor, interval);
    }
    for (const auto& [child, bounds] : children) {
      effort_.deadline.check();
      const Function below = function_of(part, child, index);
      if (auto* pieces = std::get_if<Piecewise<Number>>(&result)) {
        *pieces = product(*pieces, marginal_of(below, bounds));
      } else {
        weigh(std::get<Table<Number>>(result), below, bounds);
      }
    }
    return result;
  }

  Function own_function(const Part& part, int index) {
    const Interval interval = own_interval(part, index);
    if (!noise(index).is_whole()) {
      return restricted(density(noise(index), arithmetic_), interval);
    }
    // Both tails together, which is more than any interval misses.
    const Integer beyond = table_radius(noise(index)) + 1;
    missing_ = missing_ + tail(noise(index), beyond, arithmetic_) * arithmetic_.number(Rational(2));
    truncated_ = true;
    return table_of(noise(index), interval, arithmetic_);
  }

  Piecewise<Number> marginal_of(const Function& below, const LinearBounds& bounds) {
    return std::visit([&](const auto& function) { return marginal(function, bounds, arithmetic_); },
                      below);
  }

  // weigh: multiplies each mass of the table by what the child allows there.
  void weigh(Table<Number>& table, const Function& below, const LinearBounds& bounds) {
    std::optional<Prefixes<Number>> prefixes;
    if (const auto* masses = std::get_if<Table<Number>>(&below)) {
      prefixes.emplace(*masses, arithmetic_);
    }
    std::int64_t k = table.first;
    for (Number& mass : table.masses) {
      const Interval interval = interval_at(bounds, Rational(k++));
      if (prefixes) {
        mass = mass * prefixes->within(interval).value_or(zero());
      } else if (interval.is_null()) {
        mass = zero();
      } else {
        mass = mass * integral(std::get<Piecewise<Number>>(below), interval, arithmetic_);
      }
    }
  }

  // split: where the conditions form a cycle, one noise is cut into boxes. While it lies in a box,
  // the other conditions hold at least where they hold for all of the box, and at most where they
  // hold for some of it. For a quick look the middle of the box stands for it.
  Mass<Number> split(const Part& part, int splits) {
    if (splits == kMaxSplits) throw not_supported("the program ties many noises into a knot");
    const int index = knot(part);
    const Interval own = own_interval(part, index);
    Mass<Number> result{zero(), zero(), true};
    for (const Interval& box : boxes_of(noise(index), own, splits)) {
      const Mass<Number> outer = all_of(given(part, index, box, false), splits + 1);
      if (outer.is_zero) continue;
      const Number mass = box_mass(noise(index), box);
      result.is_zero = false;
      result.high = result.high + mass * outer.high;
      if constexpr (std::is_same_v<Number, Ball>) {
        if (!box.low || !box.high) continue;
        const Mass<Number> inner = all_of(given(part, index, box, true), splits + 1);
        result.low = result.low + mass * inner.low;
      }
    }
    if constexpr (std::is_same_v<Number, double>) result.low = result.high;
    return result;
  }

  // The noise that most other noises are tied to.
  int knot(const Part& part) const {
    std::map<int, std::size_t> ties;
    for (const auto& [terms, interval] : part.conditions) {
      for (const auto& [index, coefficient] : terms) {
        if (terms.size() > 1) ties[index] += terms.size();
      }
    }
    return std::ranges::max_element(ties, {}, [](const auto& tie) { return tie.second; })->first;
  }

  Number box_mass(const Noise& boxed, const Interval& box) {
    if (boxed.is_whole()) return whole_mass(boxed, box, arithmetic_);
    return integral(density(boxed, arithmetic_), box, arithmetic_);
  }

  // Closed boxes that cover `own`; the first and the last may be infinite.
  std::vector<Interval> boxes_of(const Noise& boxed, const Interval& own, int splits) const {
    const bool whole = boxed.is_whole();
    const int count = splits == 0 ? effort_.boxes : std::max(8, effort_.boxes / 4);
    const Rational step = whole ? Rational(1) : Rational(20) * boxed.scale / count;
    const Rational reach = whole ? Rational(table_radius(boxed)) : Rational(10) * boxed.scale;
    const Interval range = intersection(own, {-reach, reach});
    if (range.is_empty() || (!whole && range.is_null())) return {own};
    const Rational& first = known(range.low);
    const Rational& last = known(range.high);
    std::vector<Interval> boxes;
    if (!own.low || *own.low < first) boxes.push_back({own.low, whole ? first - 1 : first});
    for (Rational low = first; whole ? low <= last : low < last; low += step) {
      boxes.push_back({low, whole ? low : std::min(low + step, last)});
    }
    if (!own.high || *own.high > last) boxes.push_back({whole ? last + 1 : last, own.high});
    return boxes;
  }

  // The conditions on the other noises while noise `index` lies in the box.
  Conditions given(const Part& part, int index, const Interval& box, bool surely) const {
    constexpr bool kScouting = std::is_same_v<Number, double>;
    const Interval range = kScouting ? middle(box, noise(index).scale) : box;
    Conditions result;
    for (const auto& [terms, interval] : part.conditions) {
      NoiseTerms rest;
      Rational factor = 0;
      for (const auto& term : terms) {
        if (term.first == index) {
          factor = term.second;
        } else {
          rest.push_back(term);
        }
      }
      if (rest.empty()) continue;
      const Interval moved =
          factor.sign() == 0 ? interval : shifted(interval, factor, range, surely);
      insert(result, std::move(rest), moved);
    }
    return result;
  }

  static Interval middle(const Interval& box, const Rational& scale) {
    Rational at = box.low ? *box.low + scale : known(box.high) - scale;
    if (box.low && box.high) at = (*box.low + *box.high) / 2;
    return {at, at};
  }

  // Where r must lie so that r + factor·v is in the interval, for all v of the range or for some.
  static Interval shifted(const Interval& interval, const Rational& factor, const Interval& range,
                          bool surely) {
    std::optional<Rational> least = factor.sign() > 0 ? range.low : range.high;
    std::optional<Rational> most = factor.sign() > 0 ? range.high : range.low;
    if (surely) std::swap(least, most);
    Interval result;
    result.low_closed = interval.low_closed;
    result.high_closed = interval.high_closed;
    if (interval.low && most) result.low = *interval.low - factor * *most;
    if (interval.high && least) result.high = *interval.high - factor * *least;
    return result;
  }

  // Adds a condition whose form need not have leading coefficient 1.
  void insert(Conditions& conditions, NoiseTerms terms, const Interval& interval) const {
    const Rational leading = terms.front().second;
    for (auto& [index, coefficient] : terms) coefficient /= leading;
    Interval scaled;
    if (interval.low) scaled.low = *interval.low / leading;
    if (interval.high) scaled.high = *interval.high / leading;
    scaled.low_closed = interval.low_closed;
    scaled.high_closed = interval.high_closed;
    if (leading.sign() < 0) {
      std::swap(scaled.low, scaled.high);
      std::swap(scaled.low_closed, scaled.high_closed);
    }
    const bool single = terms.size() == 1;
    const bool whole = single && noise(terms.front().first).is_whole();
    if (single) scaled = intersection(scaled, noise(terms.front().first).support());
    auto [entry, is_new] = conditions.try_emplace(std::move(terms), scaled);
    if (!is_new) entry->second = intersection(entry->second, scaled);
    if (whole) entry->second = whole_numbers(entry->second);
  }

  const std::vector<Noise>& noises_;
  Arithmetic<Number>& arithmetic_;
  const Effort& effort_;
  Number missing_ = zero();  // a bound on the mass beyond the tables of this part
  bool truncated_ = false;
};

void refuse_twins(const std::vector<Noise>& noises, const Conditions& conditions) {
  std::set<int> used;
  for (const auto& [terms, interval] : conditions) {
    for (const auto& [index, coefficient] : terms) used.insert(index);
  }
  for (const int index : used) {
    if (used.contains(noises[static_cast<std::size_t>(index)].twin)) {
      throw not_supported("the program uses a uniform draw and its logarithm");
    }
  }
}

}  // namespace

template <class Number>
Mass<Number> probability(const std::vector<Noise>& noises, const Conditions& conditions,
                         Arithmetic<Number>& arithmetic, const Effort& effort) {
  if (conditions.size() > kMostConditions) throw not_supported("a path has too many conditions");
  refuse_twins(noises, conditions);
  return Integrator<Number>(noises, arithmetic, effort).all_of(conditions, 0);
}

template Mass<double> probability(const std::vector<Noise>&, const Conditions&, Arithmetic<double>&,
                                  const Effort&);
template Mass<Ball> probability(const std::vector<Noise>&, const Conditions&, Arithmetic<Ball>&,
                                const Effort&);

}  // namespace lastbit::verify::refutation
