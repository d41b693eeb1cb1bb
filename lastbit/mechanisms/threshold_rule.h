// What the two threshold histograms have in common. For this module only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "lastbit/core/domain.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/distance.h"
#include "lastbit/numerics/integer.h"
#include "lastbit/random/bit_source.h"

namespace lastbit {

template <class D>
inline constexpr bool is_count_map = false;
template <class K>
inline constexpr bool is_count_map<MapDomain<K, AllDomain<std::int64_t>>> = true;
template <class D>
concept CountMap = Domain<D> && is_count_map<D>;

// DeltaLimit: the delta that a histogram must not exceed at distance d_in.
struct DeltaLimit {
  Rational delta;
  Distance d_in = 1;
};

namespace mechanism_internal {

// round_up_probability: the smallest double that is at least the probability, as a rational: a
// monotone function of it, as a map must be. The probability is positive.
Rational round_up_probability(const RealAtPrecision& probability);

// require_threshold: a kBadParameter Error of `place` for a threshold below 1.
void require_threshold(const char* place, std::int64_t threshold);

// whole_steps: ⌊d_in⌋ for a limit that can be kept: 0 < delta < 1 and a finite d_in, else
// kBadParameter.
Integer whole_steps(const DeltaLimit& limit);

// first_threshold: the smallest threshold that suffices, if larger ones do whenever one does; a
// kBadParameter Error if none up to 2^63 − 1 does.
std::int64_t first_threshold(const std::function<bool(std::int64_t)>& suffices);

// require_at_least: a kBadParameter Error of `place` that names what is needed.
void require_at_least(const char* place, std::int64_t threshold, std::int64_t needed,
                      const DeltaLimit& limit);

// release_reaching: each count c ≥ 1 with noise, if that reaches the threshold; nothing for others.
template <class Noise>
std::vector<std::optional<std::int64_t>> release_reaching(const Noise& noise,
                                                          std::int64_t threshold,
                                                          std::span<const std::int64_t> counts,
                                                          BitSource& bits) {
  std::vector<std::int64_t> noisy;
  noisy.reserve(counts.size());
  for (const std::int64_t count : counts) {
    if (count >= 1) noisy.push_back(count);
  }
  noise.add(noisy, bits);
  std::vector<std::optional<std::int64_t>> result;
  result.reserve(counts.size());
  auto next = noisy.begin();
  for (const std::int64_t count : counts) {
    result.emplace_back();
    if (count < 1) continue;
    const std::int64_t sum = *next++;
    if (sum >= threshold) result.back() = sum;
  }
  return result;
}

// release_keys: the keys that the rule keeps, with their noisy counts, in the order of keys.
template <class Counts, class Rule>
Counts release_keys(const Rule& rule, const Counts& histogram, BitSource& bits) {
  std::vector<std::int64_t> counts;
  counts.reserve(histogram.size());
  for (const auto& [key, count] : histogram) counts.push_back(count);
  const auto released = rule.release(counts, bits);
  Counts result;
  auto next = released.begin();
  for (const auto& [key, count] : histogram) {
    if (const auto& noisy = *next++) result.emplace_hint(result.end(), key, *noisy);
  }
  return result;
}

}  // namespace mechanism_internal
}  // namespace lastbit
