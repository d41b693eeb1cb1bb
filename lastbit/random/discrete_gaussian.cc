#include "lastbit/random/discrete_gaussian.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <limits>

#include "lastbit/base/error.h"
#include "lastbit/random/exponential/exponential.h"
#include "lastbit/random/exponential/exponential_block.h"
#include "lastbit/random/noise_sum.h"

namespace lastbit {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// For proposals within 64·t and a σ of [2^−400, 2^44], the threshold computed in doubles is this
// close to the real one. Proof: proofs/mechanisms.md#discrete-gaussian-fast
constexpr double kThresholdError = 0x1p-38;
constexpr double kUnknown = std::numeric_limits<double>::infinity();

// The smallest t = j·2^e with t > σ, where e is chosen so that j is one of 9, …, 16.
Rational proposal_scale_for(const Rational& variance) {
  if (variance.sign() <= 0) {
    throw Error::bad_parameter("discrete Gaussian", "variance", "is not positive",
                               "give a variance above 0");
  }
  // log2 of the variance, within 1.
  const std::int64_t size = static_cast<std::int64_t>(variance.numerator().bit_length()) -
                            static_cast<std::int64_t>(variance.denominator().bit_length());
  std::int64_t e = size / 2 - 2;
  while (variance * Rational::two_to(-2 * e) >= Rational(256)) ++e;
  while (variance * Rational::two_to(-2 * e) < Rational(64)) --e;
  const Rational scaled = variance * Rational::two_to(-2 * e);
  int j = 9;
  while (Rational(j * j) <= scaled) ++j;
  return Rational(j) * Rational::two_to(e);
}

}  // namespace

// Round: one block of proposals and what happens to them.
struct DiscreteGaussian::Round {
  std::array<std::int64_t, kBlock> proposals;
  std::map<std::size_t, Integer> beyond;  // the proposals that do not fit
  std::array<double, kBlock> thresholds;
  std::array<std::uint8_t, kBlock> accepted;

  Round() = default;
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;
  // Knowing the noise would undo the protection of the result, so none of it stays in memory.
  ~Round() {
    OPENSSL_cleanse(proposals.data(), sizeof proposals);
    OPENSSL_cleanse(thresholds.data(), sizeof thresholds);
  }

  Integer proposal(std::size_t i) const {
    const auto found = beyond.find(i);
    return found == beyond.end() ? Integer(proposals[i]) : found->second;
  }
};

DiscreteGaussian::DiscreteGaussian(const Rational& variance)
    : variance_(variance),
      proposals_(proposal_scale_for(variance)),
      centre_(variance / proposals_.scale()) {
  if (variance < Rational::two_to(-800) || variance > Rational::two_to(88)) return;
  centre_double_ = centre_.down();
  inverse_double_ = (Rational(1) / (Rational(2) * variance)).down();
  reach_ = (Rational(64) * proposal_scale()).floor().to_int64();
}

// The coin is e^−x with x = (|y| − σ²/t)²/(2σ²).
Rational DiscreteGaussian::threshold(const Integer& proposal) const {
  const Rational offset = Rational(abs(proposal)) - centre_;
  return offset * offset / (Rational(2) * variance_);
}

void DiscreteGaussian::propose(Round& round, std::size_t size, BitSource& bits) const {
  const std::span<std::int64_t> proposals = std::span(round.proposals).first(size);
  std::ranges::fill(proposals, 0);
  proposals_.add(proposals, bits);
  // A proposal at the limit of its type may have been cut there; beyond it the law is geometric.
  round.beyond.clear();
  for (std::size_t i = 0; i < size; ++i) {
    if (proposals[i] != kLeast && proposals[i] != kMost) [[likely]]
      continue;
    const Integer more = Exponential(bits).floor_affine(0, proposal_scale(), bits);
    const Integer end = proposals[i];
    round.beyond.emplace(i, end.sign() < 0 ? end - more : end + more);
  }
}

void DiscreteGaussian::decide(Round& round, std::size_t size, BitSource& bits) const {
  bool within_reach = reach_ >= 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::int64_t y = round.proposals[i];
    within_reach = within_reach && -reach_ <= y && y <= reach_;
    const auto exact = static_cast<double>(y);  // exact within reach
    const double offset = (y < 0 ? -exact : exact) - centre_double_;
    round.thresholds[i] = offset * offset * inverse_double_;
  }
  if (!within_reach) std::ranges::fill(round.thresholds, 0.0);
  bernoulli_exp(
      std::span(round.thresholds).first(size), within_reach ? kThresholdError : kUnknown,
      [this, &round](std::size_t i) { return threshold(round.proposal(i)); },
      std::span(round.accepted).first(size), bits);
}

template <class Value>
void DiscreteGaussian::add_blocks(std::span<Value> values, BitSource& bits) const {
  Round round;
  std::size_t done = 0;
  while (done < values.size()) {
    const std::size_t size = std::min(kBlock, values.size() - done);
    propose(round, size, bits);
    decide(round, size, bits);
    for (std::size_t i = 0; i < size; ++i) {
      if (round.accepted[i] == 0) continue;
      if (round.beyond.empty()) [[likely]] {
        noise_internal::add_noise(values[done], round.proposals[i]);
      } else {
        noise_internal::add_noise(values[done], round.proposal(i));
      }
      ++done;
    }
  }
}

void DiscreteGaussian::add(std::span<Integer> values, BitSource& bits) const {
  add_blocks(values, bits);
}

void DiscreteGaussian::add(std::span<std::int64_t> values, BitSource& bits) const {
  add_blocks(values, bits);
}

}  // namespace lastbit
