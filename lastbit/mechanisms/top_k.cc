#include "lastbit/mechanisms/top_k.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>

#include "lastbit/base/error.h"

namespace lastbit::mechanism_internal {
namespace {

template <class T>
std::vector<std::size_t> chosen_in_rounds(const NoisyMax& choose, std::size_t rounds,
                                          std::vector<T> left, BitSource& bits) {
  std::vector<std::size_t> indices(left.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  std::vector<std::size_t> chosen;
  rounds = std::min(rounds, left.size());
  chosen.reserve(rounds);
  while (chosen.size() < rounds) {
    const auto best = static_cast<std::ptrdiff_t>(choose(std::span<const T>(left), bits));
    chosen.push_back(*std::next(indices.begin(), best));
    indices.erase(std::next(indices.begin(), best));
    left.erase(std::next(left.begin(), best));
  }
  return chosen;
}

}  // namespace

std::vector<std::size_t> TopK::operator()(const std::vector<double>& scores,
                                          BitSource& bits) const {
  return chosen_in_rounds(choose_, rounds_, scores, bits);
}

std::vector<std::size_t> TopK::operator()(const std::vector<std::int64_t>& scores,
                                          BitSource& bits) const {
  return chosen_in_rounds(choose_, rounds_, scores, bits);
}

std::vector<std::size_t> TopK::operator()(const std::vector<Rational>& scores,
                                          BitSource& bits) const {
  return chosen_in_rounds(choose_, rounds_, scores, bits);
}

void require_rounds(std::string_view place, std::size_t k, std::size_t candidates) {
  require_candidates(place, candidates);
  if (k >= 1 && k <= candidates) return;
  throw Error::bad_parameter(
      place, "k",
      fmt::format("({}) is not between 1 and the number of candidates ({})", k, candidates),
      "ask for at least one candidate, and at most as many as there are");
}

}  // namespace lastbit::mechanism_internal
