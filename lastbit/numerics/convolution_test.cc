#include "lastbit/numerics/convolution.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace convolution_test {

std::vector<Integer> by_definition(const std::vector<Integer>& a, const std::vector<Integer>& b) {
  std::vector<Integer> result(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) result[i + j] += a[i] * b[j];
  }
  return result;
}

// numbers: many sizes, from 0 to `bits` bits, with runs of zeros and of ones.
std::vector<Integer> numbers(std::size_t count, unsigned bits, std::uint64_t seed) {
  std::vector<Integer> result;
  std::uint64_t state = seed;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const unsigned length = static_cast<unsigned>(state >> 33) % (bits + 1);
    const Integer top = Integer::two_to(length);
    result.push_back((state >> 20) % 3 == 0 ? top - Integer(1)
                                            : floor_mod(pow(Integer(state), 4), top));
  }
  return result;
}

TEST(ConvolutionTest, EqualsTheDefinition) {
  for (const unsigned bits : {1U, 63U, 64U, 65U, 128U, 200U}) {
    for (const std::size_t count : {1U, 2U, 9U, 40U, 77U}) {
      const auto a = numbers(count, bits, bits);
      const auto b = numbers(61, bits, bits + 1);
      EXPECT_EQ(convolve(a, b), by_definition(a, b)) << bits << " " << count;
      EXPECT_EQ(convolve(b, a), by_definition(a, b)) << bits << " " << count;
      EXPECT_EQ(convolve(a, a), by_definition(a, a)) << bits << " " << count;
    }
  }
}

TEST(ConvolutionTest, PlacesNeverRunIntoEachOther) {
  // All numbers as large as their bits allow, so that sums carry as far as they can.
  for (const unsigned bits : {31U, 32U, 63U, 64U, 96U, 127U, 128U}) {
    const std::vector<Integer> a(300, Integer::two_to(bits) - Integer(1));
    EXPECT_EQ(convolve(a, a), by_definition(a, a)) << bits;
  }
}

TEST(ConvolutionTest, ZerosAndNothing) {
  const std::vector<Integer> zeros(20);
  EXPECT_EQ(convolve(zeros, zeros), std::vector<Integer>(39));
  EXPECT_TRUE(convolve({}, zeros).empty());
  EXPECT_TRUE(convolve(zeros, {}).empty());
}

TEST(ConvolutionTest, NegativeNumbersAreABug) {
  const std::vector<Integer> a = {Integer(1), Integer(-1)};
  expect_code(ErrorCode::kInternal, [&] { (void)convolve(a, a); });
}

}  // namespace convolution_test
}  // namespace lastbit
