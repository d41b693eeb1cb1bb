// Relation: the claim a transformation or measurement makes about distances.
//
// relation(d_in, d_out) is true only if d_in-close inputs always give d_out-close outputs. Any such
// boolean is allowed; false promises nothing. Where the least d_out is known it is given as a map,
// and the relation is then map(d_in) ≤ d_out, so the two agree by construction.
// Soundness: proofs/core.md#relations.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/numerics/distance.h"

namespace lastbit {

template <class In, class Out>
class Relation {
 public:
  using Map = std::function<Out(const In&)>;
  using Test = std::function<bool(const In&, const Out&)>;

  // from_map: `map` must be monotone and sound.
  static Relation from_map(Map map) { return Relation(std::move(map), nullptr); }
  // from_test: `test` must be sound; it should stay true for smaller d_in and larger d_out.
  static Relation from_test(Test test) { return Relation(nullptr, std::move(test)); }
  // linear: d_out ≥ c · d_in, the relation of a c-stable function.
  static Relation linear(const Distance& c)
    requires std::constructible_from<Out, In>
  {
    return from_map([c](const In& d_in) { return c * Out(d_in); });
  }

  bool operator()(const In& d_in, const Out& d_out) const {
    return map_ ? map_(d_in) <= d_out : test_(d_in, d_out);
  }
  bool has_map() const { return static_cast<bool>(map_); }
  // map: the least d_out the relation accepts for d_in; kNotSupported where none was given.
  Out map(const In& d_in) const {
    if (!map_) {
      throw Error(ErrorCode::kNotSupported, "map", "this relation can be tested but has no map",
                  "ask relation(d_in, d_out) for a d_out of your choice");
    }
    return map_(d_in);
  }

 private:
  Relation(Map map, Test test) : map_(std::move(map)), test_(std::move(test)) {}

  Map map_;
  Test test_;
};

// chain_relations: from d_in through d_middle to d_out. The left relation must have a map, which
// supplies the least d_middle; without one see chain_relations_through.
template <class In, class Middle, class Out>
Relation<In, Out> chain_relations(const Relation<In, Middle>& left,
                                  const Relation<Middle, Out>& right) {
  if (!left.has_map()) {
    throw Error(ErrorCode::kNotSupported, "chain",
                "the left side's relation has no map, so the distance in the middle is not known",
                "use chain_through(left, right, hint) with a function that chooses it");
  }
  if (right.has_map()) {
    return Relation<In, Out>::from_map(
        [left, right](const In& d_in) { return right.map(left.map(d_in)); });
  }
  return Relation<In, Out>::from_test(
      [left, right](const In& d_in, const Out& d_out) { return right(left.map(d_in), d_out); });
}

// chain_relations_through: as above with d_middle = hint(d_in, d_out). Sound for every hint, since
// both halves are tested.
template <class In, class Middle, class Out>
Relation<In, Out> chain_relations_through(const Relation<In, Middle>& left,
                                          const Relation<Middle, Out>& right,
                                          std::function<Middle(const In&, const Out&)> hint) {
  return Relation<In, Out>::from_test(
      [left, right, hint = std::move(hint)](const In& d_in, const Out& d_out) {
        const Middle d_middle = hint(d_in, d_out);
        return left(d_in, d_middle) && right(d_middle, d_out);
      });
}

}  // namespace lastbit
