#include "lastbit/verify/stability/paths.h"

#include <deque>

namespace lastbit::verify {
namespace {

constexpr std::size_t kUnreached = std::numeric_limits<std::size_t>::max();

// The fewest steps of length delta from `start` to every point; moving between points at distance 0
// costs no step.
std::vector<std::size_t> steps_from(std::size_t start,
                                    const std::vector<std::vector<Distance>>& distances,
                                    const Distance& delta) {
  std::vector<std::size_t> steps(distances.size(), kUnreached);
  steps[start] = 0;
  std::deque<std::size_t> frontier{start};
  while (!frontier.empty()) {
    const std::size_t here = frontier.front();
    frontier.pop_front();
    for (std::size_t next = 0; next < distances.size(); ++next) {
      const bool free = distances[here][next] == Distance(0);
      if (!free && distances[here][next] != delta) continue;
      const std::size_t reached = steps[here] + (free ? 0 : 1);
      if (reached >= steps[next]) continue;
      steps[next] = reached;
      // Free moves come first, so that points are left in order of their steps.
      if (free) {
        frontier.push_front(next);
      } else {
        frontier.push_back(next);
      }
    }
  }
  return steps;
}

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> geodesic_failure(
    const std::vector<std::vector<Distance>>& distances, const Distance& delta) {
  if (delta == Distance(0) || delta.is_infinite()) {
    throw Error::bad_parameter("geodesic", "delta", "is zero or infinite",
                               "give the positive length of one step");
  }
  for (std::size_t start = 0; start < distances.size(); ++start) {
    const auto steps = steps_from(start, distances, delta);
    for (std::size_t end = 0; end < distances.size(); ++end) {
      const bool joined =
          steps[end] != kUnreached && Distance(steps[end]) * delta == distances[start][end];
      if (!joined) return std::pair{start, end};
    }
  }
  return std::nullopt;
}

}  // namespace lastbit::verify
