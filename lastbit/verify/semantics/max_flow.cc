#include "lastbit/verify/semantics/max_flow.h"

#include <algorithm>
#include <deque>

#include "lastbit/base/error.h"

namespace lastbit::verify {
namespace {

constexpr auto kUnseen = static_cast<std::size_t>(-1);

void check_network(const std::vector<Rational>& left, const std::vector<Rational>& right,
                   const std::vector<std::vector<bool>>& allowed) {
  const auto negative = [](const Rational& mass) { return mass.sign() < 0; };
  if (std::ranges::any_of(left, negative) || std::ranges::any_of(right, negative)) {
    throw Error::bad_parameter("share_mass", "left, right", "hold a negative mass",
                               "give masses of at least 0");
  }
  const auto short_row = [&](const auto& row) { return row.size() != right.size(); };
  if (allowed.size() != left.size() || std::ranges::any_of(allowed, short_row)) {
    throw Error::bad_parameter("share_mass", "allowed", "does not say for every pair whether it is",
                               "give a row for each left and an entry for each right outcome");
  }
}

// The bipartite network: 0 is the source, then the left outcomes, then the right ones, then the
// sink. residual[a][b] is what can still flow from a to b.
class Network {
 public:
  Network(const std::vector<Rational>& left, const std::vector<Rational>& right,
          const std::vector<std::vector<bool>>& allowed)
      : left_(left.size()),
        right_(right.size()),
        sink_(left_ + right_ + 1),
        residual_(sink_ + 1, std::vector<Rational>(sink_ + 1)) {
    for (std::size_t i = 0; i < left_; ++i) {
      residual_[0][1 + i] = left[i];
      for (std::size_t j = 0; j < right_; ++j) {
        if (allowed[i][j]) residual_[1 + i][1 + left_ + j] = left[i];
      }
    }
    for (std::size_t j = 0; j < right_; ++j) residual_[1 + left_ + j][sink_] = right[j];
  }

  // Shortest augmenting paths: their number is bounded by the size of the network alone, so this
  // terminates for all rationals.
  SharedMass maximum_flow() {
    SharedMass shared;
    auto parent = search();
    for (; parent[sink_] != kUnseen; parent = search()) shared.total += augment(parent);
    shared.joint.assign(left_, std::vector<Rational>(right_));
    for (std::size_t i = 0; i < left_; ++i) {
      // What flows from i to j is what could flow back.
      for (std::size_t j = 0; j < right_; ++j) {
        shared.joint[i][j] = residual_[1 + left_ + j][1 + i];
      }
      shared.obstacle.push_back(parent[1 + i] != kUnseen);
    }
    return shared;
  }

 private:
  // The node before each node that the source can still reach, kUnseen for the others.
  std::vector<std::size_t> search() const {
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
    return parent;
  }

  Rational augment(const std::vector<std::size_t>& parent) {
    Rational amount = residual_[parent[sink_]][sink_];
    for (std::size_t node = sink_; node != 0; node = parent[node]) {
      amount = std::min(amount, residual_[parent[node]][node]);
    }
    for (std::size_t node = sink_; node != 0; node = parent[node]) {
      residual_[parent[node]][node] -= amount;
      residual_[node][parent[node]] += amount;
    }
    return amount;
  }

  std::size_t left_;
  std::size_t right_;
  std::size_t sink_;
  std::vector<std::vector<Rational>> residual_;
};

}  // namespace

SharedMass share_mass(const std::vector<Rational>& left, const std::vector<Rational>& right,
                      const std::vector<std::vector<bool>>& allowed) {
  check_network(left, right, allowed);
  return Network(left, right, allowed).maximum_flow();
}

Rational greatest_shared_mass(const std::vector<Rational>& left, const std::vector<Rational>& right,
                              const std::vector<std::vector<bool>>& allowed) {
  return share_mass(left, right, allowed).total;
}

}  // namespace lastbit::verify
