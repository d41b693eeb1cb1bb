#include "lastbit/release/plan/quantiles/quantile_ranges.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "lastbit/accuracy/weighted_noise.h"
#include "lastbit/base/error.h"
#include "lastbit/base/held.h"

namespace lastbit::release_internal {
namespace {

// RankErrors: how far the noisy rank of an edge may be off, less that of the level, for so many
// ranges before and after the edge. Each takes a while, and few different ones occur.
class RankErrors {
 public:
  RankErrors(const NoiseLaw& law, std::vector<Rational> levels, const Rational& alpha)
      : law_(law), levels_(std::move(levels)), alpha_(alpha) {}

  const std::vector<Rational>& levels() const { return levels_; }

  Rational of(std::size_t level, std::size_t before, std::size_t after) {
    const std::lock_guard guard(mutex_);
    const std::int64_t below = rounded(before);
    const std::int64_t above = rounded(after);
    const auto [known, is_new] = known_.try_emplace({level, below, above}, 0);
    if (!is_new) return known->second;
    const Rational& p = levels_[level];
    std::vector<WeightedNoise> noises;
    if (below > 0) noises.push_back({law_, Rational(1) - p, below});
    if (above > 0) noises.push_back({law_, p, above});
    known->second = weighted_noise_accuracy(noises, alpha_);
    return known->second;
  }

 private:
  // More noise has larger errors, so few different sums need their own.
  static std::int64_t rounded(std::size_t count) {
    const auto ranges = static_cast<std::int64_t>(count);
    return ranges <= 12 ? ranges : (ranges + 3) / 4 * 4;
  }

  NoiseLaw law_;
  std::vector<Rational> levels_;
  Rational alpha_;
  std::mutex mutex_;
  std::map<std::tuple<std::size_t, std::int64_t, std::int64_t>, Rational> known_;
};

// range_of_level: the cells that the noisy numbers of a group do not rule out for a level.
CellRange range_of_level(std::span<const Rational> rows, const std::vector<std::size_t>& edges,
                         std::size_t cells, std::size_t level, RankErrors& errors) {
  Rational all = 0;
  for (const Rational& number : rows) all += number;
  const Rational wanted = all * errors.levels()[level];
  std::optional<std::size_t> lowest;
  std::size_t highest = 0;
  Rational below = 0;
  bool too_high = false;  // whether the cells from the last edge on are above the quantile
  for (std::size_t range = 0; range < rows.size(); ++range) {
    below += rows[range];
    const bool is_last = range + 1 == rows.size();
    const Rational off = is_last ? Rational(0) : below - wanted;
    const Rational error =
        is_last ? Rational(0) : errors.of(level, range + 1, rows.size() - range - 1);
    const bool too_low = !is_last && off < -error;
    if (!too_high && !too_low) {
      if (!lowest) lowest = range == 0 ? 0 : edges[range - 1];
      highest = is_last ? cells - 1 : edges[range] - 1;
    }
    too_high = !is_last && off > error;
  }
  return {held(lowest, "where ranks stop being too low, a range is left"), highest};
}

// spread_evenly: the cells of these levels if each has as many rows.
std::vector<std::size_t> spread_evenly(const std::vector<Rational>& levels, std::size_t cells) {
  std::vector<std::size_t> chosen;
  for (const Rational& level : levels) {
    const Integer cell = (level * Rational(cells)).floor();
    chosen.push_back(std::min(static_cast<std::size_t>(cell.to_int64()), cells - 1));
  }
  return chosen;
}

// largest_of_chosen: the largest error at an end of a chosen cell.
Rational largest_of_chosen(const std::vector<std::size_t>& chosen,
                           const std::vector<std::size_t>& edges, RankErrors& errors) {
  Rational largest = 0;
  for (std::size_t level = 0; level < chosen.size(); ++level) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (edges[i] != chosen[level] && edges[i] != chosen[level] + 1) continue;
      largest = std::max(largest, errors.of(level, i + 1, edges.size() - i));
    }
  }
  return largest;
}

}  // namespace

std::vector<std::size_t> edges_around(std::span<const std::size_t> chosen, std::size_t cells) {
  std::set<std::size_t> edges;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::size_t begin = chosen[i];
    const std::size_t end = begin + 1;
    const std::size_t first = i == 0 ? 1 : std::max<std::size_t>(1, (chosen[i - 1] + end) / 2);
    const std::size_t last =
        std::min(cells - 1, i + 1 == chosen.size() ? cells : (end + chosen[i + 1]) / 2);
    for (std::size_t away = 0; begin >= first + away || end + away <= last;
         away = std::max<std::size_t>(1, 3 * away)) {
      if (begin >= first + away) edges.insert(begin - away);
      if (end + away <= last) edges.insert(end + away);
    }
  }
  return {edges.begin(), edges.end()};
}

QuantileRanges quantile_ranges(const Aggregation& aggregation, std::size_t measure,
                               const std::vector<Rational>& levels, const LossShare& share,
                               const Rational& alpha) {
  const std::size_t cells = entry_count(aggregation.measures[measure]);
  const std::string name = "rows in ranges around the answers";
  const std::vector<std::size_t> even = spread_evenly(levels, cells);
  const std::vector<std::size_t> edges = edges_around(even, cells);
  const NoisyNumbers planned = noisy_ranges(name, aggregation, measure, {edges}, share, alpha);
  const auto errors = std::make_shared<RankErrors>(planned.law, levels, alpha);
  return {
      planned.part, largest_of_chosen(even, edges, *errors),
      [=, cost = planned.part.cost](const TableDomain::Carrier& table, const ChosenCells& chosen,
                                    BitSource& bits) {
        std::vector<std::vector<std::size_t>> all_edges;
        for (const auto& of_group : chosen) {
          all_edges.push_back(edges_around(of_group, cells));
        }
        const NoisyNumbers numbers =
            noisy_ranges(name, aggregation, measure, all_edges, share, alpha);
        invariant(numbers.part.cost == cost, "ranges cost what was planned, wherever they are");
        const std::vector<Rational> rows = numbers.release(table, bits);
        std::span<const Rational> left(rows);
        CellRanges ranges(chosen.size());
        for (std::size_t group = 0; group < chosen.size(); ++group) {
          const auto own = left.first(all_edges[group].size() + 1);
          for (std::size_t level = 0; level < levels.size(); ++level) {
            ranges[group].push_back(range_of_level(own, all_edges[group], cells, level, *errors));
          }
          left = left.subspan(own.size());
        }
        return ranges;
      }};
}

}  // namespace lastbit::release_internal
