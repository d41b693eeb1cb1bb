#include "lastbit/engines/postgres/wire_numeric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lastbit/release/fields/field_text.h"

namespace lastbit::engine {
namespace wire_numeric_test {

std::string two_bytes(int number) {
  const auto bits = static_cast<std::uint16_t>(number);
  return {static_cast<char>(bits >> 8), static_cast<char>(bits & 0xff)};
}

std::string sent(const std::vector<int>& digits, int weight, int sign = 0) {
  std::string bytes = two_bytes(static_cast<int>(digits.size())) + two_bytes(weight) +
                      two_bytes(sign) + two_bytes(0);
  for (const int digit : digits) bytes += two_bytes(digit);
  return bytes;
}

WireNumeric number(const std::vector<int>& digits, int weight, bool negative = false) {
  return {WireNumeric::Kind::kNumber, negative, weight, digits};
}

TEST(WireNumeric, ReadsWhatIsSent) {
  const auto read = read_numeric(sent({1, 2345, 6700}, 1, 0x4000));
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(read->negative);
  EXPECT_EQ(read->weight, 1);
  EXPECT_EQ(read->digits, (std::vector<int>{1, 2345, 6700}));
  EXPECT_EQ(read_numeric(sent({}, 0, 0xC000))->kind, WireNumeric::Kind::kNotANumber);
  EXPECT_EQ(read_numeric(sent({}, 0, 0xD000))->kind, WireNumeric::Kind::kInfinity);
  EXPECT_TRUE(read_numeric(sent({}, 0, 0xF000))->negative);
}

TEST(WireNumeric, RefusesOtherBytes) {
  EXPECT_FALSE(read_numeric(""));
  EXPECT_FALSE(read_numeric(std::string(7, '\0')));
  EXPECT_FALSE(read_numeric(sent({10'000}, 0)));
  EXPECT_FALSE(read_numeric(sent({-1}, 0)));
  EXPECT_FALSE(read_numeric(sent({1}, 0, 0x1234)));
  EXPECT_FALSE(read_numeric(sent({1, 2}, 0).substr(0, 10)));
  EXPECT_FALSE(read_numeric(sent({1, 2}, 0) + "x"));
}

TEST(WireNumeric, ScalesExactly) {
  EXPECT_EQ(scaled_number(number({1, 2345, 6700}, 1), 2), Int128{1'234'567});
  EXPECT_EQ(scaled_number(number({1, 2345, 6700}, 1, true), 4), Int128{-123'456'700});
  EXPECT_EQ(scaled_number(number({1, 2345, 6700}, 1), 1), std::nullopt);
  EXPECT_EQ(scaled_number(number({}, 0), 38), Int128{0});
  EXPECT_EQ(scaled_number(number({100}, -1), 2), Int128{1});
  EXPECT_EQ(scaled_number(number({100}, -1), 1), std::nullopt);
  EXPECT_EQ(scaled_number(number({1}, 3), 0), Int128{1'000'000'000'000});
  // 38 digits fit, 39 do not.
  EXPECT_EQ(scaled_number(number(std::vector<int>(9, 9999), 8), 2), (power_of_ten(36) - 1) * 100);
  EXPECT_EQ(scaled_number(number(std::vector<int>(9, 9999), 8), 3), std::nullopt);
  EXPECT_EQ(scaled_number(number({1}, 30'000), 0), std::nullopt);
  EXPECT_EQ(scaled_number(number({1}, -30'000), 38), std::nullopt);
  EXPECT_EQ(scaled_number({WireNumeric::Kind::kNotANumber, false, 0, {}}, 0), std::nullopt);
  EXPECT_EQ(scaled_number({WireNumeric::Kind::kInfinity, false, 0, {}}, 0), std::nullopt);
}

TEST(WireNumeric, FindsTheNearestDouble) {
  EXPECT_EQ(nearest_double(number({1000}, -1)), 0.1);
  EXPECT_EQ(nearest_double(number({9007, 1992, 5474, 993}, 3)), 0x1p53);  // a tie, to even
  EXPECT_EQ(nearest_double(number({9007, 1992, 5474, 993, 1}, 3)), 0x1p53 + 2);
  EXPECT_EQ(nearest_double(number({1}, 100)), std::numeric_limits<double>::infinity());
  EXPECT_EQ(nearest_double(number({1}, 100, true)), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(nearest_double(number({1}, -100)), 0.0);
  EXPECT_EQ(nearest_double(number({}, 0)), 0.0);
  EXPECT_EQ(nearest_double({WireNumeric::Kind::kInfinity, true, 0, {}}),
            -std::numeric_limits<double>::infinity());
  EXPECT_EQ(nearest_double({WireNumeric::Kind::kNotANumber, false, 0, {}}), std::nullopt);
}

}  // namespace wire_numeric_test
}  // namespace lastbit::engine
