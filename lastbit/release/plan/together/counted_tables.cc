#include "lastbit/release/plan/together/counted_tables.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "lastbit/base/error.h"

namespace lastbit::release_internal {
namespace {

// subsets_of: all of them, the empty one and the set itself included.
std::vector<std::uint32_t> subsets_of(std::uint32_t mask) {
  std::vector<std::uint32_t> subsets;
  std::uint32_t subset = 0;
  do {
    subsets.push_back(subset);
    subset = (subset - mask) & mask;
  } while (subset != 0);
  return subsets;
}

// Dense: a number for each combination of keys of these factors, the last changing fastest.
struct Dense {
  std::vector<std::size_t> factors;
  std::vector<Rational> numbers;
};

// Axis: where the numbers of a table that differ in one factor only are.
struct Axis {
  std::size_t outer = 1;
  std::size_t keys = 1;
  std::size_t inner = 1;
  std::size_t at(std::size_t o, std::size_t key, std::size_t i) const {
    return (o * keys + key) * inner + i;
  }
};
Axis axis_of(const Dense& table, std::size_t place, const std::vector<TableFactor>& factors) {
  Axis axis;
  for (std::size_t i = 0; i < table.factors.size(); ++i) {
    const auto keys = static_cast<std::size_t>(factors[table.factors[i]].keys);
    (i < place ? axis.outer : i == place ? axis.keys : axis.inner) *= keys;
  }
  return axis;
}

Dense summed_over(const Dense& table, std::size_t place, const std::vector<TableFactor>& factors) {
  const Axis axis = axis_of(table, place, factors);
  Dense sums{table.factors, std::vector<Rational>(axis.outer * axis.inner, Rational(0))};
  sums.factors.erase(sums.factors.begin() + static_cast<std::ptrdiff_t>(place));
  for (std::size_t o = 0; o < axis.outer; ++o) {
    for (std::size_t key = 0; key < axis.keys; ++key) {
      for (std::size_t i = 0; i < axis.inner; ++i) {
        sums.numbers[o * axis.inner + i] += table.numbers[axis.at(o, key, i)];
      }
    }
  }
  return sums;
}

// centred_in: each number less the mean of those that differ from it in this factor only.
Dense centred_in(Dense table, std::size_t place, const std::vector<TableFactor>& factors) {
  const Axis axis = axis_of(table, place, factors);
  const Dense sums = summed_over(table, place, factors);
  for (std::size_t o = 0; o < axis.outer; ++o) {
    for (std::size_t i = 0; i < axis.inner; ++i) {
      const Rational mean = sums.numbers[o * axis.inner + i] / Rational(axis.keys);
      for (std::size_t key = 0; key < axis.keys; ++key) table.numbers[axis.at(o, key, i)] -= mean;
    }
  }
  return table;
}

// Effects: for each set of complete factors, what its keys add together beyond what fewer do.
using Effects = std::map<std::uint32_t, Dense>;

void add_times(Effects& effects, std::uint32_t set, const Rational& share, Dense part) {
  for (Rational& number : part.numbers) number *= share;
  const auto known = effects.find(set);
  if (known == effects.end()) {
    effects.emplace(set, std::move(part));
    return;
  }
  for (std::size_t i = 0; i < part.numbers.size(); ++i) {
    known->second.numbers[i] += part.numbers[i];
  }
}

// EffectWalk: all effects of a table, each with the share that the table has in it.
struct EffectWalk {
  const std::vector<TableFactor>& factors;
  const std::vector<std::uint32_t>& bits;  // of each factor; 0 if it is not complete
  const std::map<std::uint32_t, std::vector<Rational>>& shares;
  std::size_t table;
  Effects& effects;

  // from: the factors before `place` are dealt with; `set` holds those that were not added up.
  void from(const Dense& part, std::size_t place, std::uint32_t set) const {
    while (place < part.factors.size() && bits[part.factors[place]] == 0) ++place;
    if (place == part.factors.size()) {
      const Rational& share = shares.at(set)[table];
      if (share.sign() != 0) add_times(effects, set, share, part);
      return;
    }
    from(summed_over(part, place, factors), place, set);
    from(centred_in(part, place, factors), place + 1, set | bits[part.factors[place]]);
  }
};

// add_spread: adds the numbers of `part`, divided by `cells`, to all numbers that agree with them.
void add_spread(Dense& table, const Dense& part, const Rational& cells,
                const std::vector<TableFactor>& factors) {
  std::vector<std::pair<Axis, std::size_t>> steps;  // where a key of `part` is in both
  for (std::size_t place = 0; place < table.factors.size(); ++place) {
    const auto found = std::ranges::find(part.factors, table.factors[place]);
    if (found == part.factors.end()) continue;
    const auto in_part = static_cast<std::size_t>(found - part.factors.begin());
    steps.emplace_back(axis_of(table, place, factors), axis_of(part, in_part, factors).inner);
  }
  std::vector<Rational> each;
  each.reserve(part.numbers.size());
  for (const Rational& number : part.numbers) each.push_back(number / cells);
  for (std::size_t cell = 0; cell < table.numbers.size(); ++cell) {
    std::size_t place = 0;
    for (const auto& [axis, inner] : steps) place += cell / axis.inner % axis.keys * inner;
    table.numbers[cell] += each[place];
  }
}

void add_noise(std::vector<WeightedNoise>& noises, const NoiseLaw& law, const Rational& weight,
               std::int64_t count) {
  if (weight.sign() == 0 || count == 0) return;
  const auto same = std::ranges::find_if(noises, [&](const WeightedNoise& noise) {
    return noise.weight == weight && noise.law == law;
  });
  if (same == noises.end()) {
    noises.push_back({law, weight, count});
  } else {
    same->count += count;
  }
}

}  // namespace

CountedTables::CountedTables(std::vector<TableFactor> factors, std::vector<CountedTable> tables)
    : factors_(std::move(factors)), tables_(std::move(tables)) {
  std::vector<Rational> precisions;
  for (const CountedTable& table : tables_) {
    masks_.push_back(mask_of(table.factors));
    std::vector<Rational> own;
    for (const RowEstimate& estimate : table.estimates) own.push_back(precision_of(estimate));
    Rational& all = precisions.emplace_back(0);
    for (const Rational& precision : own) all += precision;
    member_shares_.push_back(shares_of(own));
  }
  for (const Mask mask : masks_) {
    for (const Mask set : subsets_of(mask)) {
      if (table_shares_.contains(set)) continue;
      std::vector<Rational> weights;
      for (std::size_t table = 0; table < tables_.size(); ++table) {
        const bool has = (masks_[table] & set) == set;
        weights.push_back(has ? precisions[table] / keys_in(masks_[table] & ~set) : Rational(0));
      }
      table_shares_.emplace(set, shares_of(weights));
    }
  }
}

CountedTables::Mask CountedTables::mask_of(const std::vector<std::size_t>& factors) const {
  Mask mask = 0;
  for (const std::size_t factor : factors) {
    if (!factors_[factor].complete) continue;
    std::size_t bit = 0;
    for (std::size_t i = 0; i < factor; ++i) bit += factors_[i].complete ? 1 : 0;
    invariant(bit < kMostFactors, "few factors are complete");
    mask |= Mask{1} << bit;
  }
  return mask;
}

Rational CountedTables::keys_in(Mask mask) const {
  Rational keys = 1;
  std::size_t bit = 0;
  for (const TableFactor& factor : factors_) {
    if (!factor.complete) continue;
    if ((mask >> bit & 1) != 0) keys *= Rational(factor.keys);
    ++bit;
  }
  return keys;
}

std::int64_t CountedTables::copies_of(std::size_t table,
                                      const std::vector<std::size_t>& kept) const {
  std::int64_t copies = 1;
  for (const std::size_t factor : tables_[table].factors) {
    if (!factors_[factor].complete && !std::ranges::binary_search(kept, factor)) {
      copies *= factors_[factor].keys;
    }
  }
  return copies;
}

// weight: of a group of `table` in a number for the `kept` factors, if they agree in these keys.
Rational CountedTables::weight(std::size_t table, Mask kept, Mask agreeing) const {
  Rational sum = 0;
  for (const Mask set : subsets_of(masks_[table] & kept)) {
    Rational term = table_shares_.at(set)[table] / keys_in(kept & ~set);
    if (term.sign() == 0) continue;
    for (std::size_t bit = 0; set >> bit != 0; ++bit) {
      const Mask one = Mask{1} << bit;
      if ((set & one) == 0) continue;
      term *= Rational((agreeing & one) != 0 ? 1 : 0) - Rational(1) / keys_in(one);
    }
    sum += term;
  }
  return sum;
}

// count: how many groups of `table` agree with those keys, and with no other of the kept ones.
std::int64_t CountedTables::count(std::size_t table, Mask kept, Mask agreeing) const {
  Rational groups = keys_in(masks_[table] & ~kept);
  const Mask others = masks_[table] & kept & ~agreeing;
  for (std::size_t bit = 0; others >> bit != 0; ++bit) {
    if ((others >> bit & 1) != 0) groups *= keys_in(Mask{1} << bit) - Rational(1);
  }
  return groups.floor().to_int64();
}

CorrectionPointer CountedTables::correction(std::size_t table, std::size_t statistic,
                                            const std::vector<std::size_t>& kept) const {
  const Mask keys = mask_of(kept);
  const std::int64_t copies = copies_of(table, kept);
  const std::vector<Rational>& weights = tables_[table].estimates[statistic].weights;
  const Rational squares = squares_of_weights(weights);
  const Rational own = member_shares_[table][statistic] * weight(table, keys, keys);
  Correction correction;
  correction.of_sum = true;
  for (const Rational& one : weights) {
    correction.gains.push_back(one / squares);
    correction.own.push_back((own - Rational(1)) * one);
  }
  for (std::size_t other = 0; other < tables_.size(); ++other) {
    for (const Mask agreeing : subsets_of(masks_[other] & keys)) {
      const Rational share = weight(other, keys, agreeing);
      const std::int64_t groups = count(other, keys, agreeing) * copies;
      for (std::size_t k = 0; k < tables_[other].estimates.size(); ++k) {
        if (other == table && agreeing == keys && k == statistic) continue;
        const RowEstimate& estimate = tables_[other].estimates[k];
        for (const Rational& one : estimate.weights) {
          add_noise(correction.others, estimate.law, member_shares_[other][k] * share * one,
                    groups);
        }
      }
    }
  }
  return std::make_shared<const Correction>(std::move(correction));
}

Rational CountedTables::mean_of(std::size_t table, const std::vector<Rational>& each) const {
  Rational mean = 0;
  for (std::size_t k = 0; k < each.size(); ++k) mean += member_shares_[table][k] * each[k];
  return mean;
}

std::vector<std::vector<Rational>> CountedTables::combine(
    std::vector<std::vector<Rational>> means) const {
  std::vector<Mask> bits;
  for (std::size_t factor = 0; factor < factors_.size(); ++factor) {
    bits.push_back(mask_of({factor}));
  }
  Effects effects;
  for (std::size_t table = 0; table < tables_.size(); ++table) {
    EffectWalk{factors_, bits, table_shares_, table, effects}.from(
        {tables_[table].factors, std::move(means[table])}, 0, 0);
  }
  for (std::size_t table = 0; table < tables_.size(); ++table) {
    Rational groups = 1;
    for (const std::size_t factor : tables_[table].factors)
      groups *= Rational(factors_[factor].keys);
    Dense all{
        tables_[table].factors,
        std::vector<Rational>(static_cast<std::size_t>(groups.floor().to_int64()), Rational(0))};
    for (const Mask set : subsets_of(masks_[table])) {
      const auto effect = effects.find(set);
      if (effect == effects.end()) continue;
      add_spread(all, effect->second, keys_in(masks_[table] & ~set), factors_);
    }
    means[table] = std::move(all.numbers);
  }
  return means;
}

}  // namespace lastbit::release_internal
