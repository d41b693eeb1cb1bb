#include "lastbit/verify/stability/coupling.h"

#include <algorithm>
#include <deque>

namespace lastbit::verify {
namespace {

// The bipartite network: 0 is the source, then the left outcomes, then the right ones, then the
// sink. residual[a][b] is what can still flow from a to b.
class Network {
 public:
  Network(const std::vector<Rational>& left, const std::vector<Rational>& right,
          const std::vector<std::vector<bool>>& allowed)
      : sink_(left.size() + right.size() + 1),
        residual_(sink_ + 1, std::vector<Rational>(sink_ + 1)) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      residual_[0][1 + i] = left[i];
      for (std::size_t j = 0; j < right.size(); ++j) {
        if (allowed[i][j]) residual_[1 + i][1 + left.size() + j] = left[i];
      }
    }
    for (std::size_t j = 0; j < right.size(); ++j) {
      residual_[1 + left.size() + j][sink_] = right[j];
    }
  }

  // Shortest augmenting paths: their number is bounded by the size of the network alone, so this
  // ends whatever the rationals are.
  Rational maximum_flow() {
    Rational total;
    for (auto path = shortest_path(); !path.empty(); path = shortest_path()) {
      Rational amount = residual_[path[0]][path[1]];
      for (std::size_t step = 1; step + 1 < path.size(); ++step) {
        amount = std::min(amount, residual_[path[step]][path[step + 1]]);
      }
      for (std::size_t step = 0; step + 1 < path.size(); ++step) {
        residual_[path[step]][path[step + 1]] -= amount;
        residual_[path[step + 1]][path[step]] += amount;
      }
      total += amount;
    }
    return total;
  }

 private:
  std::vector<std::size_t> shortest_path() const {
    constexpr auto kUnseen = static_cast<std::size_t>(-1);
    std::vector<std::size_t> parent(residual_.size(), kUnseen);
    parent[0] = 0;
    std::deque<std::size_t> frontier{0};
    while (!frontier.empty() && parent[sink_] == kUnseen) {
      const std::size_t node = frontier.front();
      frontier.pop_front();
      for (std::size_t next = 0; next < residual_.size(); ++next) {
        if (parent[next] != kUnseen || residual_[node][next].sign() <= 0) continue;
        parent[next] = node;
        frontier.push_back(next);
      }
    }
    if (parent[sink_] == kUnseen) return {};
    std::vector<std::size_t> path{sink_};
    while (path.back() != 0) path.push_back(parent[path.back()]);
    std::ranges::reverse(path);
    return path;
  }

  std::size_t sink_;
  std::vector<std::vector<Rational>> residual_;
};

}  // namespace

Rational greatest_shared_mass(const std::vector<Rational>& left, const std::vector<Rational>& right,
                              const std::vector<std::vector<bool>>& allowed) {
  return Network(left, right, allowed).maximum_flow();
}

}  // namespace lastbit::verify
