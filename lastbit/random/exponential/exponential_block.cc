#include "lastbit/random/exponential/exponential_block.h"

#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not in <cstring>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/numerics/rounding.h"
#include "lastbit/random/exponential/exponential.h"

namespace lastbit {
namespace {

using exponential_internal::KernelVariant;
using exponential_internal::kLogError;
using exponential_internal::LaneBounds;

// A loop over this many lanes reports whether any is unsure; if so, each lane is checked again.
constexpr std::size_t kChunk = 128;
static_assert(kBlockSamples % kChunk == 0);

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The first words of a block. They are the noise itself, so none of it stays in memory.
class BlockWords {
 public:
  explicit BlockWords(std::size_t count, BitSource& bits) : count_(count) {
    bits.fill(std::span(words_, count));
  }
  BlockWords(const BlockWords&) = delete;
  BlockWords& operator=(const BlockWords&) = delete;
  ~BlockWords() { explicit_bzero(words_, count_ * sizeof words_[0]); }

  const std::uint64_t* from(std::size_t index) const { return words_ + index; }
  std::uint64_t operator[](std::size_t index) const { return words_[index]; }

 private:
  std::size_t count_;
  alignas(64) std::uint64_t words_[kBlockSamples];
};

void require_same_size(std::string_view place, std::string_view parameter, std::size_t size,
                       std::size_t outputs) {
  if (size == outputs) return;
  throw Error::bad_parameter(place, parameter, "is not as long as `out`",
                             "give one for each output");
}

std::int64_t cut(const Integer& noise) {
  const Integer most = ScaledExponentials::kMaxNoise;
  return std::clamp(noise, -most, most).to_int64();
}

// Calls work(first, count) for the chunks of a block of `count` samples.
template <class Work>
void for_each_chunk(std::size_t count, Work work) {
  for (std::size_t first = 0; first < count; first += kChunk) {
    work(first, std::min(kChunk, count - first));
  }
}

// Calls work(offset, words) for the blocks of `count` samples.
template <class Work>
void for_each_block(std::size_t count, BitSource& bits, Work work) {
  require_rounding_to_nearest("exact noise");
  for (std::size_t offset = 0; offset < count; offset += kBlockSamples) {
    const std::size_t size = std::min(kBlockSamples, count - offset);
    const BlockWords words(size, bits);
    for_each_chunk(
        size, [&](std::size_t first, std::size_t lanes) { work(offset, first, lanes, words); });
  }
}

// A variate of a noisy maximum that has not been ruled out yet.
struct Candidate {
  std::size_t index;
  std::uint64_t word;
  double upper;
};

// Candidates: the variates that may be the largest, by bounds in doubles.
class Candidates {
 public:
  double best() const { return best_; }

  void add(std::size_t index, std::uint64_t word, const LaneBounds& bounds) {
    const double upper = bounds.unsure == 0 ? bounds.upper : kInfinity;
    if (upper < best_) return;
    if (found_.size() == found_.capacity()) {
      prune();
      found_.reserve(2 * found_.size() + 1);  // so that pruning costs little per candidate
    }
    found_.push_back({index, word, upper});
    if (bounds.unsure == 0 && std::isfinite(bounds.lower)) best_ = std::max(best_, bounds.lower);
  }

  std::vector<Candidate>& prune() {
    std::erase_if(found_, [this](const Candidate& candidate) { return candidate.upper < best_; });
    return found_;
  }

 private:
  std::vector<Candidate> found_;
  double best_ = -kInfinity;  // a lower bound on the largest
};

}  // namespace

ScaledExponentials::ScaledExponentials(const Rational& scale)
    : ScaledExponentials(scale, exponential_internal::kernel_variants().front()) {}

ScaledExponentials::ScaledExponentials(const Rational& scale, const KernelVariant& variant)
    : scale_(scale), lane_scale_(), variant_(variant) {
  if (scale.sign() <= 0) {
    throw Error::bad_parameter("exact noise", "scale", "is not positive", "give a scale above 0");
  }
  lane_scale_ = exponential_internal::lane_scale(scale);
}

void ScaledExponentials::round_signed(std::span<const double> fractions,
                                      std::span<std::int64_t> out, BitSource& bits) const {
  require_same_size("round_signed", "fractions", fractions.size(), out.size());
  const Rational half(1, 2);
  for_each_block(
      out.size(), bits,
      [&](std::size_t offset, std::size_t first, std::size_t lanes, const BlockWords& words) {
        const double* const fraction = fractions.data() + offset;
        std::int64_t* const result = out.data() + offset;
        if (!variant_.round_signed(words.from(first), fraction + first, result + first, lanes,
                                   lane_scale_)) {
          return;
        }
        for (std::size_t i = first; i < first + lanes; ++i) {
          const auto lane =
              exponential_internal::lane_round_signed(words[i], fraction[i], lane_scale_);
          if (lane.unsure == 0) continue;
          Exponential variate(words[i]);
          const Rational signed_scale = variate.sign() < 0 ? -scale_ : scale_;
          result[i] =
              cut(variate.floor_affine(Rational::exactly(fraction[i]) + half, signed_scale, bits));
        }
      });
}

void ScaledExponentials::round_signed(std::span<std::int64_t> out, BitSource& bits) const {
  static constexpr std::array<double, kBlockSamples> kZeros{};
  while (!out.empty()) {
    const std::size_t size = std::min(kBlockSamples, out.size());
    round_signed(std::span(kZeros).first(size), out.first(size), bits);
    out = out.subspan(size);
  }
}

void ScaledExponentials::floor(std::span<std::int64_t> out, BitSource& bits) const {
  for_each_block(
      out.size(), bits,
      [&](std::size_t offset, std::size_t first, std::size_t lanes, const BlockWords& words) {
        std::int64_t* const result = out.data() + offset;
        if (!variant_.floor_scaled(words.from(first), result + first, lanes, lane_scale_)) return;
        for (std::size_t i = first; i < first + lanes; ++i) {
          if (exponential_internal::lane_floor_scaled(words[i], lane_scale_).unsure == 0) continue;
          result[i] = cut(Exponential(words[i]).floor_affine(0, scale_, bits));
        }
      });
}

std::size_t ScaledExponentials::argmax(std::span<const double> scores, BitSource& bits) const {
  if (scores.empty()) {
    throw Error::bad_parameter("argmax", "scores", "is empty", "give at least one score");
  }
  Candidates candidates;
  for_each_block(
      scores.size(), bits,
      [&](std::size_t offset, std::size_t first, std::size_t lanes, const BlockWords& words) {
        const double* const score = scores.data() + offset;
        if (!variant_.reaches(words.from(first), score + first, lanes, lane_scale_,
                              candidates.best())) {
          return;
        }
        for (std::size_t i = first; i < first + lanes; ++i) {
          candidates.add(offset + i, words[i],
                         exponential_internal::lane_bounds(words[i], score[i], lane_scale_));
        }
      });
  std::vector<AffineExponential> variates;
  const std::vector<Candidate>& left = candidates.prune();
  variates.reserve(left.size());
  for (const Candidate& candidate : left) {
    variates.push_back(
        {Rational::exactly(scores[candidate.index]), scale_, Exponential(candidate.word)});
  }
  return left[lastbit::argmax(variates, bits)].index;
}

void bernoulli_exp(std::span<const double> x, double error, const ExactThreshold& exact,
                   std::span<std::uint8_t> out, BitSource& bits, const KernelVariant& variant) {
  require_same_size("bernoulli_exp", "x", x.size(), out.size());
  if (!(error >= 0)) {
    throw Error::bad_parameter("bernoulli_exp", "error", "is not a number of at least 0",
                               "give a bound on |x[i] − exact(i)|");
  }
  // Twice the sum covers the rounding of the sum and of E − x[i].
  const double bound = 2 * (kLogError + error);
  for_each_block(
      out.size(), bits,
      [&](std::size_t offset, std::size_t first, std::size_t lanes, const BlockWords& words) {
        const double* const threshold = x.data() + offset;
        std::uint8_t* const result = out.data() + offset;
        if (!variant.exceeds(words.from(first), threshold + first, result + first, lanes, bound)) {
          return;
        }
        for (std::size_t i = first; i < first + lanes; ++i) {
          const auto lane = exponential_internal::lane_excess(words[i], threshold[i], bound);
          if (lane.unsure == 0) continue;
          result[i] = Exponential(words[i]).is_below(exact(offset + i), bits) ? 0 : 1;
        }
      });
}

}  // namespace lastbit
