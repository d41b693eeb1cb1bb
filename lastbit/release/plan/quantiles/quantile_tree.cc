#include "lastbit/release/plan/quantiles/quantile_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "lastbit/accuracy/weighted_noise.h"
#include "lastbit/base/text.h"
#include "lastbit/core/chain.h"
#include "lastbit/mechanisms/discrete_gaussian.h"
#include "lastbit/mechanisms/snapped_laplace.h"
#include "lastbit/numerics/ball.h"

namespace lastbit::release_internal {
namespace {

using NoisyNodes =
    std::function<std::vector<std::int64_t>(const TableDomain::Carrier&, BitSource&)>;

// noise_accuracy: of a sum of so many noises with the weights 1 − p, p and 1.
Rational noise_accuracy(const NoiseLaw& law, const Rational& p, std::int64_t before,
                        std::int64_t after, std::int64_t fine, const Rational& alpha) {
  std::vector<WeightedNoise> noises;
  if (before > 0) noises.push_back({law, Rational(1) - p, before});
  if (after > 0) noises.push_back({law, p, after});
  if (fine > 0) noises.push_back({law, 1, fine});
  return weighted_noise_accuracy(noises, alpha);
}

// rounded_up: to a multiple of 8. More noise has larger errors, so few different sums need their
// own.
std::int64_t rounded_up(std::int64_t fine) { return (fine + 7) / 8 * 8; }

// Reader: quantiles of one group from its noisy nodes, in whole rows.
class Reader {
 public:
  Reader(const TreeShape& shape, const NoiseLaw& law, std::vector<Rational> levels,
         const Rational& alpha)
      : levels_(std::move(levels)) {
    for (std::size_t edge = 0; edge <= shape.cells; ++edge) {
      edges_.push_back(sum_of_edge(shape, edge));
    }
    const auto coarse = static_cast<std::int64_t>(shape.nodes_of(0));
    for (const Rational& p : levels_) {
      std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> known;
      // No rows are before the first edge or after the last, which needs no noisy numbers.
      std::vector<std::int64_t>& errors = errors_.emplace_back(edges_.size(), 0);
      for (std::size_t i = 1; i < shape.cells; ++i) {
        const std::int64_t before = edges_[i].coarse;
        const std::int64_t fine = rounded_up(edges_[i].fine);
        const auto [found, is_new] = known.try_emplace({before, fine}, 0);
        if (is_new) {
          found->second =
              whole(noise_accuracy(law, p, before, coarse - before, fine, alpha).ceil());
        }
        errors[i] = found->second;
      }
    }
  }

  std::vector<FoundQuantile> quantiles(std::span<const std::int64_t> nodes) const {
    const std::vector<std::int64_t> below = rows_below(nodes);
    std::vector<FoundQuantile> found;
    for (std::size_t i = 0; i < levels_.size(); ++i) found.push_back(quantile(i, below));
    // Levels increase, so their cells do.
    std::vector<std::size_t> cells;
    for (const FoundQuantile& one : found) cells.push_back(one.cell);
    std::ranges::sort(cells);
    for (std::size_t i = 0; i < found.size(); ++i) {
      found[i].cell = cells[i];
      found[i].lowest = std::min(found[i].lowest, cells[i]);
      found[i].highest = std::max(found[i].highest, cells[i]);
    }
    return found;
  }

 private:
  // Numbers of rows are cut to this, so that sums of a few dozen of them fit 64 bits.
  static constexpr std::int64_t kMost = std::int64_t{1} << 54;
  static std::int64_t whole(const Integer& rows) {
    return std::clamp(rows, Integer(-kMost), Integer(kMost)).to_int64();
  }

  std::vector<std::int64_t> rows_below(std::span<const std::int64_t> nodes) const {
    std::vector<std::int64_t> below;
    below.reserve(edges_.size());
    for (const EdgeSum& edge : edges_) {
      std::int64_t sum = 0;
      for (const std::size_t node : edge.added) sum += std::clamp(nodes[node], -kMost, kMost);
      for (const std::size_t node : edge.subtracted) sum -= std::clamp(nodes[node], -kMost, kMost);
      below.push_back(sum);
    }
    return below;
  }

  // The cell that misses the level by least, the middle one of equals; and the ends of those that
  // the noise does not rule out.
  FoundQuantile quantile(std::size_t level, const std::vector<std::int64_t>& below) const {
    const std::vector<std::int64_t>& errors = errors_[level];
    const Rational exactly = Rational(below.back()) * levels_[level];
    const std::int64_t floor = exactly.floor().to_int64();
    const std::int64_t ceil = exactly.ceil().to_int64();
    const std::size_t cells = below.size() - 1;
    std::vector<std::size_t> best;
    std::int64_t least = 0;
    std::optional<std::size_t> lowest;
    std::size_t highest = 0;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const bool is_first = cell == 0;
      const bool is_last = cell + 1 == cells;
      const std::int64_t high = is_first ? 0 : below[cell] - ceil;
      const std::int64_t low = is_last ? 0 : floor - below[cell + 1];
      const std::int64_t missed = std::max({std::int64_t{0}, high, low});
      if (best.empty() || missed < least) {
        best.clear();
        least = missed;
      }
      if (missed == least) best.push_back(cell);
      if (high > errors[cell] || low > errors[cell + 1]) continue;
      if (!lowest) lowest = cell;
      highest = cell;
    }
    const std::size_t chosen = best[best.size() / 2];
    return {chosen, lowest.value_or(chosen), lowest ? highest : chosen};
  }

  std::vector<Rational> levels_;
  std::vector<EdgeSum> edges_;
  std::vector<std::vector<std::int64_t>> errors_;  // by level and edge
};

// LazyReader: made when it is first needed, since plans do not need it.
class LazyReader {
 public:
  const Reader& get(const TreeShape& shape, const NoiseLaw& law,
                    const std::vector<Rational>& levels, const Rational& alpha) {
    std::call_once(once_,
                   [&] { reader_ = std::make_unique<const Reader>(shape, law, levels, alpha); });
    return *reader_;
  }

 private:
  std::once_flag once_;
  std::unique_ptr<const Reader> reader_;
};

// largest_error: all edges are within it, for all levels, with probability 1 − alpha, and so are
// others, so that `jointly` levels are together. No sum has
// more noise than one with all coarse nodes at the largest weight.
Rational largest_error(const TreeShape& shape, const NoiseLaw& law,
                       const std::vector<Rational>& levels, const Rational& alpha,
                       std::size_t jointly) {
  Rational weight = 0;
  for (const Rational& p : levels) weight = std::max({weight, p, Rational(1) - p});
  std::int64_t fine = 0;
  for (std::size_t edge = 0; edge <= shape.cells; ++edge) {
    fine = std::max(fine, sum_of_edge(shape, edge).fine);
  }
  const Rational each = alpha / Rational(jointly * shape.cells);
  return noise_accuracy(law, weight, 0, static_cast<std::int64_t>(shape.nodes_of(0)), fine, each);
}

std::string name_of_nodes(const TreeShape& shape) {
  std::vector<std::string> widths;
  for (const std::size_t width : shape.widths) widths.push_back(std::to_string(width));
  const std::string last = widths.back();
  widths.pop_back();
  const std::string all = widths.empty() ? last : joined(widths, ", ") + " and " + last;
  return fmt::format("rows in each range of {} possible answers", all);
}

// NodeNoise: the chain from tables to noisy nodes, as what a plan needs of it.
struct NodeNoise {
  PlannedPart part;
  NoiseLaw law;
  NoisyNodes release;
};
template <class Chain>
NodeNoise node_noise(const Chain& chain, NoiseMechanism mechanism, std::string sensitivity,
                     std::string noise, NoiseLaw law) {
  return {
      {.name = "",
       .mechanism = mechanism,
       .sensitivity = std::move(sensitivity),
       .noise = std::move(noise),
       .grid = Grid(0),
       .threshold = std::nullopt,
       .cost = cost_of(chain.measure(), chain.map(1))},
      std::move(law),
      [chain](const TableDomain::Carrier& table, BitSource& bits) { return chain(table, bits); }};
}
NodeNoise noise_of_nodes(const Aggregation& aggregation, std::size_t measure,
                         const LossShare& share) {
  if (share.concentrated) {
    const auto exact = make_quantile_tree<L2Distance>(aggregation, measure);
    const Radical<2> reach = exact.map(1);
    const Rational variance = reach.radicand().value() / (Rational(2) * share.loss);
    const Rational deviation = sqrt(Ball(variance, 64)).upper_rational();
    NodeNoise nodes = node_noise(
        exact >> make_discrete_gaussian(variance), NoiseMechanism::kDiscreteGaussian,
        fmt::format("{} in L2", reach.to_string()),
        fmt::format("standard deviation {}", about(deviation)), GaussianNoise{variance, Grid(0)});
    nodes.part.steps_variance = variance;
    return nodes;
  }
  const auto exact = make_quantile_tree<L1Distance>(aggregation, measure);
  const Rational scale = exact.map(1).value() / share.loss;
  const SnappedLaplaceOptions options{.grid = Grid(0), .lower = {}, .upper = {}};
  return node_noise(exact >> make_snapped_laplace(scale, options), NoiseMechanism::kSnappedLaplace,
                    fmt::format("{} in L1", exact.map(1).to_string()),
                    fmt::format("scale {}", about(scale)), LaplaceNoise{scale, Grid(0)});
}

}  // namespace

TreeShape::TreeShape(std::size_t m) : cells(m), widths{1} {
  while (nodes_of(0) > kChildren) widths.insert(widths.begin(), widths.front() * kChildren);
}

std::size_t TreeShape::nodes_of(std::size_t level) const {
  return (cells + widths[level] - 1) / widths[level];
}

std::size_t TreeShape::nodes() const {
  std::size_t all = 0;
  for (std::size_t level = 0; level < widths.size(); ++level) all += nodes_of(level);
  return all;
}

EdgeSum sum_of_edge(const TreeShape& shape, std::size_t edge) {
  EdgeSum sum;
  if (edge == shape.cells) {
    for (std::size_t i = 0; i < shape.nodes_of(0); ++i) sum.added.push_back(i);
    sum.coarse = static_cast<std::int64_t>(shape.nodes_of(0));
    return sum;
  }
  const auto toggle = [](std::vector<std::size_t>& add, std::vector<std::size_t>& cancel,
                         std::size_t node) {
    const auto same = std::ranges::find(cancel, node);
    if (same == cancel.end()) {
      add.push_back(node);
    } else {
      cancel.erase(same);
    }
  };
  std::size_t first = 0;   // number of the level's first node
  std::size_t parent = 0;  // number of the node that holds the edge, one level up
  std::size_t begin = 0;   // the first node of this level below that
  for (std::size_t level = 0; level < shape.widths.size(); ++level) {
    const std::size_t width = shape.widths[level];
    const std::size_t end = level == 0
                                ? shape.nodes_of(0)
                                : std::min(begin + TreeShape::kChildren, shape.nodes_of(level));
    const std::size_t holder = edge / width;  // children before it are added
    const bool cancels =
        level > 0 && std::ranges::find(sum.subtracted, parent) != sum.subtracted.end();
    // Those before the edge, or their parent minus the others; that makes one node more, or one
    // less if the parent was subtracted.
    const bool from_above = level > 0 && end - holder + (cancels ? 0 : 2) < holder - begin + 1;
    if (from_above) {
      toggle(sum.added, sum.subtracted, parent);
      for (std::size_t i = holder; i < end; ++i) sum.subtracted.push_back(first + i);
    } else {
      for (std::size_t i = begin; i < holder; ++i) sum.added.push_back(first + i);
    }
    if (edge % width == 0) break;
    parent = first + holder;
    begin = holder * TreeShape::kChildren;
    first += shape.nodes_of(level);
  }
  const auto is_coarse = [&](std::size_t node) { return node < shape.nodes_of(0); };
  sum.coarse = std::ranges::count_if(sum.added, is_coarse);
  sum.fine = static_cast<std::int64_t>(sum.added.size() + sum.subtracted.size()) - sum.coarse;
  return sum;
}

std::vector<std::int64_t> tree_counts(const TableDomain::Carrier& table, std::size_t measure,
                                      const TreeShape& shape) {
  std::vector<std::int64_t> counts;
  counts.reserve(table.size() * shape.nodes());
  for (const GroupAnswer& group : table) {
    const std::vector<Integer>& below = group.entries[measure];
    for (const std::size_t width : shape.widths) {
      Integer before = 0;
      for (std::size_t end = width; end < shape.cells + width; end += width) {
        const Integer& rows = below[std::min(end, shape.cells) - 1];
        counts.push_back((rows - before).to_int64());
        before = rows;
      }
    }
  }
  return counts;
}

QuantileTree quantile_tree(const Aggregation& aggregation, std::size_t measure,
                           const std::vector<Rational>& levels, const LossShare& share,
                           const Rational& alpha, std::size_t jointly) {
  const TreeShape shape(entry_count(aggregation.measures[measure]));
  NodeNoise noise = noise_of_nodes(aggregation, measure, share);
  noise.part.name = name_of_nodes(shape);
  noise.part.alpha = alpha;
  noise.part.accuracy = weighted_noise_accuracy(std::vector{WeightedNoise{noise.law, 1, 1}}, alpha);
  // Missing by less than a row more is not looked at.
  const Rational rows =
      Rational(2) * largest_error(shape, noise.law, levels, alpha, jointly) + Rational(1);
  return {noise.part, rows,
          [shape, noise, levels, alpha, lazy = std::make_shared<LazyReader>()](
              const TableDomain::Carrier& table, BitSource& bits) {
            const std::vector<std::int64_t> nodes = noise.release(table, bits);
            const Reader& reader = lazy->get(shape, noise.law, levels, alpha);
            std::vector<std::vector<FoundQuantile>> found;
            found.reserve(table.size());
            const std::span<const std::int64_t> all(nodes);
            for (std::size_t group = 0; group < table.size(); ++group) {
              found.push_back(reader.quantiles(all.subspan(group * shape.nodes(), shape.nodes())));
            }
            return found;
          }};
}

}  // namespace lastbit::release_internal
