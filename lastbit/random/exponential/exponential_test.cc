#include "lastbit/random/exponential/exponential.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/float.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace exponential_test {

using testing::seeded_tape;
using testing::tape_of_words;
using testing::words_used;

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};
const Integer kTwo63 = Integer::two_to(63);

// A first word with the given 63 bits of U.
std::uint64_t word_of(std::uint64_t u, bool negative = false) {
  return u << 1 | (negative ? 1 : 0);
}

// An independent answer by MPFR: U to 63 + 64·7 bits, of which the last are not needed, and a
// logarithm rounded down and up to 600 bits. Nothing if that does not decide.
struct Reference {
  explicit Reference(BitSource& bits) {
    Integer u = bits.word() >> 1;
    for (int i = 0; i < 7; ++i) u = u * Integer::two_to(64) + Integer(bits.word());
    const Rational step = Rational::two_to(-(63 + 64 * 7));
    lower = -ln_up(Rational(u + Integer(1)) * step, 600);
    upper = -ln_down((u.sign() == 0 ? Rational(1, 2) : Rational(u)) * step, 600);
  }
  std::optional<Integer> floor_affine(const Rational& a, const Rational& b) const {
    const Integer at_lower = (a + b * lower).floor();
    const Integer at_upper = (a + b * upper).floor();
    if (at_lower != at_upper) return std::nullopt;
    return at_lower;
  }
  Rational lower;  // of E
  Rational upper;
};

// Whether a question is answered by the first word alone.
template <class Question>
bool is_decided_by(std::uint64_t word, Question question) {
  BitSource empty = tape_of_words({});
  try {
    question(Exponential(word), empty);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTapeEnded);
    return false;
  }
}

TEST(ExponentialTest, FirstWordIsTheSignAndTheLeadingBitsOfU) {
  const Exponential positive(word_of(5));
  EXPECT_EQ(positive.sign(), 1);
  EXPECT_EQ(positive.lower_u(), Rational(5) * Rational::two_to(-63));
  EXPECT_EQ(positive.upper_u(), Rational(6) * Rational::two_to(-63));
  EXPECT_EQ(Exponential(word_of(5, true)).sign(), -1);
  EXPECT_EQ(Exponential(word_of(5, true)).lower_u(), positive.lower_u());
  EXPECT_EQ(Exponential(kAllOnes).upper_u(), Rational(1));
}

TEST(ExponentialTest, LaterWordsAreTheNextBitsOfU) {
  BitSource bits = tape_of_words({word_of(1), 7});
  Exponential e(bits);
  e.extend(bits);
  EXPECT_EQ(e.lower_u(), Rational::two_to(-63) + Rational(7) * Rational::two_to(-127));
  EXPECT_EQ(e.upper_u(), Rational::two_to(-63) + Rational(8) * Rational::two_to(-127));
}

TEST(ExponentialTest, FloorAffineAgreesWithMpfrOnAHundredThousandSamples) {
#ifdef LASTBIT_SANITIZED
  constexpr std::size_t kSamples = 5'000;  // MPFR is the same, and slow to check
#else
  constexpr std::size_t kSamples = 100'000;
#endif
  const Rational kA[] = {0, rational("1/2"), rational("-7/3"), rational("0.1"), -5};
  const Rational kB[] = {1, -1, rational("1/3"), 1 << 20, rational("-12345/67"), rational("0.001")};
  BitSource tape = seeded_tape(11);
  std::vector<std::uint64_t> words(8);
  for (std::size_t i = 0; i < kSamples; ++i) {
    tape.fill(words);
    const Rational& a = kA[i % std::size(kA)];
    const Rational& b = kB[i % std::size(kB)];
    BitSource reference_bits = tape_of_words(words);
    BitSource bits = tape_of_words(words);
    const auto expected = Reference(reference_bits).floor_affine(a, b);
    ASSERT_TRUE(expected.has_value());
    ASSERT_EQ(Exponential(bits).floor_affine(a, b, bits), *expected) << i;
  }
}

TEST(ExponentialTest, DrawsExactlyWhereAWholeNumberLiesStrictlyInside) {
  // ⌊b·E⌋ changes at U = e^(−j/b). Exactly one interval of 63 bits holds that number.
  for (const char* text : {"1", "-1", "7/2", "-1048576"}) {
    const Rational b = rational(text);
    for (const int j : {1, 2, 3, 9}) {
      const Rational exponent = Rational(-j) / abs(b);
      const Ball threshold = exp(Ball(exponent, 256)) * Ball(Rational(kTwo63), 256);
      const auto u = static_cast<std::uint64_t>(threshold.lower_rational().floor().to_int64());
      const auto floor = [&b](Exponential e, BitSource& bits) {
        return e.floor_affine(0, b, bits);
      };
      EXPECT_FALSE(is_decided_by(word_of(u), floor)) << text << ' ' << j;
      EXPECT_TRUE(is_decided_by(word_of(u - 1), floor)) << text << ' ' << j;
      EXPECT_TRUE(is_decided_by(word_of(u + 1), floor)) << text << ' ' << j;
      BitSource zeros = tape_of_words({0, 0});
      BitSource ones = tape_of_words({kAllOnes, kAllOnes});
      const Integer far = Exponential(word_of(u)).floor_affine(0, b, zeros);
      const Integer near = Exponential(word_of(u)).floor_affine(0, b, ones);
      EXPECT_EQ(abs(far - near), Integer(1));
      EXPECT_EQ(words_used(zeros), 1U);
      EXPECT_EQ(words_used(ones), 1U);
    }
  }
}

TEST(ExponentialTest, ThereIsNoSmallestU) {
  for (std::size_t zeros = 1; zeros <= 20; ++zeros) {
    std::vector<std::uint64_t> words(zeros, 0);
    words.push_back(std::uint64_t{1} << 40);
    BitSource bits = tape_of_words(words);
    // U is about 2^(40 − 63 − 64·zeros).
    const Integer floor = Exponential(bits).floor_affine(0, 1, bits);
    const auto halvings = static_cast<std::int64_t>(63 + 64 * zeros - 40);
    EXPECT_EQ(floor, (Rational(halvings) * ln_down(2, 200)).floor()) << zeros;
    EXPECT_EQ(words_used(bits), zeros + 1);
  }
}

TEST(ExponentialTest, OneIsNeverReachedSoNoiseIsNeverZero) {
  BitSource empty = tape_of_words({});
  for (const int a : {-3, 0, 8}) {
    EXPECT_EQ(Exponential(kAllOnes).floor_affine(a, 1, empty), Integer(a));
    EXPECT_EQ(Exponential(kAllOnes).floor_affine(a, -1, empty), Integer(a - 1));
    EXPECT_EQ(Exponential(kAllOnes).floor_affine(a, -(1 << 20), empty), Integer(a - 1));
  }
  // A fraction above a whole number: the boundary is not at U = 1 but above 1 − 2^−63.
  const Rational a = Rational::two_to(-80);
  const auto floor = [&a](Exponential e, BitSource& bits) { return e.floor_affine(a, -1, bits); };
  EXPECT_FALSE(is_decided_by(kAllOnes, floor));
  BitSource ones = tape_of_words({kAllOnes, kAllOnes});
  EXPECT_EQ(Exponential(kAllOnes).floor_affine(a, -1, ones), Integer(0));
  BitSource zeros = tape_of_words({0, 0});
  EXPECT_EQ(Exponential(kAllOnes).floor_affine(a, -1, zeros), Integer(-1));
}

TEST(ExponentialTest, ZeroScaleDrawsNothing) {
  BitSource empty = tape_of_words({});
  EXPECT_EQ(Exponential(std::uint64_t{0}).floor_affine(rational("-7/2"), 0, empty), Integer(-4));
}

TEST(ExponentialTest, IsBelowSwitchesAtTheExponentialOfC) {
  for (const char* text : {"1", "1/1000000", "30", "0.7", "22/7"}) {
    const Rational c = rational(text);
    const Ball threshold = exp(Ball(-c, 256)) * Ball(Rational(kTwo63), 256);
    const auto u = static_cast<std::uint64_t>(threshold.lower_rational().floor().to_int64());
    BitSource empty = tape_of_words({});
    EXPECT_TRUE(Exponential(word_of(u + 1)).is_below(c, empty)) << text;
    EXPECT_FALSE(Exponential(word_of(u - 1)).is_below(c, empty)) << text;
    EXPECT_FALSE(is_decided_by(
        word_of(u), [&c](Exponential e, BitSource& bits) { return e.is_below(c, bits); }));
    BitSource ones = tape_of_words({kAllOnes});
    EXPECT_TRUE(Exponential(word_of(u)).is_below(c, ones)) << text;
    BitSource zeros = tape_of_words({0});
    EXPECT_FALSE(Exponential(word_of(u)).is_below(c, zeros)) << text;
  }
}

TEST(ExponentialTest, IsNeverBelowZero) {
  BitSource empty = tape_of_words({});
  for (const std::uint64_t word : {std::uint64_t{0}, kAllOnes}) {
    EXPECT_FALSE(Exponential(word).is_below(0, empty));
    EXPECT_FALSE(Exponential(word).is_below(-1, empty));
  }
  BitSource bits = tape_of_words({kAllOnes, kAllOnes, kAllOnes, kAllOnes});
  EXPECT_TRUE(Exponential(kAllOnes).is_below(Rational::two_to(-200), bits));
  EXPECT_EQ(words_used(bits), 3U);
}

RC_GTEST_PROP(ExponentialTest, AnswersOfOneVariateFitTogether, (std::uint64_t seed)) {
  BitSource bits = seeded_tape(seed);
  Exponential e(bits);
  const Rational c(*rc::gen::inRange(1, 100), *rc::gen::inRange(1, 40));
  const bool below = e.is_below(c, bits);
  // E < c ⇔ ⌊E/c⌋ = 0 ⇔ ⌊−E/c⌋ = −1.
  RC_ASSERT(below == (e.floor_affine(0, Rational(1) / c, bits) == Integer(0)));
  RC_ASSERT(below == (e.floor_affine(0, Rational(-1) / c, bits) == Integer(-1)));
}

AffineExponential affine(const Rational& a, const Rational& b, std::uint64_t u) {
  return {a, b, Exponential(word_of(u))};
}

TEST(ExponentialCompareTest, NeighbouringIntervalsAreToldApartWithoutDrawing) {
  BitSource empty = tape_of_words({});
  const std::uint64_t u = 0x1234'5678'9abc'def0;
  for (const int b : {1, 3}) {
    auto x = affine(0, b, u + 1);
    auto y = affine(0, b, u);  // smaller U, larger E; the ends meet at u + 1
    EXPECT_TRUE(is_less(x, y, empty));
    EXPECT_FALSE(is_less(y, x, empty));
    auto minus_x = affine(0, -b, u + 1);
    auto minus_y = affine(0, -b, u);
    EXPECT_TRUE(is_less(minus_y, minus_x, empty));
  }
}

TEST(ExponentialCompareTest, EndsThatArePowersOfOneAnotherAreEqual) {
  BitSource empty = tape_of_words({});
  const std::uint64_t quarter = std::uint64_t{1} << 61;
  // 2·(−ln ½) = −ln ¼: U just below ½ gives more than 2 ln 2, V just above ¼ gives less.
  auto x = affine(1, 2, 2 * quarter - 1);
  auto y = affine(1, 1, quarter);
  EXPECT_TRUE(is_less(y, x, empty));
  EXPECT_FALSE(is_less(x, y, empty));
  // The same with 3/8 and its square 9/64.
  auto square = affine(0, rational("5/7"), (std::uint64_t{9} << 57));
  auto root = affine(0, rational("10/7"), (std::uint64_t{3} << 60) - 1);
  EXPECT_TRUE(is_less(square, root, empty));
  EXPECT_FALSE(is_less(root, square, empty));
}

TEST(ExponentialCompareTest, EqualWordsDrawForBothFirstOneFirst) {
  auto x = affine(0, 1, 99);
  auto y = affine(0, 1, 99);
  BitSource bits = tape_of_words({5, 5, 4, 6});
  EXPECT_FALSE(is_less(x, y, bits));  // x has the smaller U
  EXPECT_EQ(words_used(bits), 4U);
  EXPECT_LT(x.e.upper_u(), y.e.upper_u());
}

TEST(ExponentialCompareTest, ScaleZeroIsAPoint) {
  BitSource empty = tape_of_words({});
  auto point = affine(3, 0, 0);
  auto same = affine(3, 0, 1);
  auto above = affine(3, 1, std::uint64_t{1} << 62);
  auto below = affine(3, -1, std::uint64_t{1} << 62);
  EXPECT_FALSE(is_less(point, same, empty));
  EXPECT_FALSE(is_less(point, point, empty));
  EXPECT_TRUE(is_less(point, above, empty));
  EXPECT_FALSE(is_less(above, point, empty));
  EXPECT_TRUE(is_less(below, point, empty));
  // Even next to U = 1, where 3 + E is as close to 3 as possible.
  AffineExponential nearest{3, 1, Exponential(kAllOnes)};
  EXPECT_TRUE(is_less(point, nearest, empty));
}

TEST(ExponentialCompareTest, VariatesWithLeadingZerosDrawUntilTheyAreBounded) {
  auto x = affine(0, 1, 0);
  auto y = affine(0, 1, 0);
  BitSource bits = tape_of_words({0, 1, 1, 7});
  EXPECT_FALSE(is_less(x, y, bits));
  EXPECT_EQ(words_used(bits), 2U);  // U_x < 2^−127 < U_y
}

RC_GTEST_PROP(ExponentialCompareTest, AgreesWithMpfr, (std::uint64_t seed)) {
  BitSource tape = seeded_tape(seed);
  std::vector<std::uint64_t> first(8);
  std::vector<std::uint64_t> second(8);
  tape.fill(first);
  tape.fill(second);
  if (*rc::gen::arbitrary<bool>()) second[0] = first[0];
  BitSource first_bits = tape_of_words(first);
  BitSource second_bits = tape_of_words(second);
  const Reference e1(first_bits);
  const Reference e2(second_bits);
  const Rational a(*rc::gen::inRange(-3, 4), 2);
  const Rational b1 = *rc::gen::element(Rational(1), Rational(-2), Rational(5, 3));
  const Rational b2 = *rc::gen::element(Rational(1), Rational(-2), b1);
  // Both draw one word each round, so the words come alternately.
  std::vector<std::uint64_t> rest;
  for (std::size_t i = 1; i < 8; ++i) {
    rest.push_back(first[i]);
    rest.push_back(second[i]);
  }
  BitSource bits = tape_of_words(rest);
  AffineExponential x{a, b1, Exponential(first[0])};
  AffineExponential y{0, b2, Exponential(second[0])};
  RC_ASSERT(is_less(x, y, bits) == (a + b1 * e1.lower < b2 * e2.lower));
}

TEST(ExponentialCompareTest, ArgmaxIsTheWinnerOfAllComparisons) {
  BitSource bits = seeded_tape(21);
  for (int round = 0; round < 300; ++round) {
    std::vector<AffineExponential> variates;
    const std::uint64_t size = bits.word() % 9 + 1;
    for (std::uint64_t i = 0; i < size; ++i) {
      variates.push_back({Rational(static_cast<std::int64_t>(bits.word() % 3)),
                          Rational(static_cast<std::int64_t>(bits.word() % 2 + 1)),
                          Exponential(round % 2 == 0 ? bits.word() : word_of(bits.word() % 2))});
    }
    const std::size_t best = argmax(variates, bits);
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_TRUE(i == best || is_less(variates[i], variates[best], bits));
    }
  }
}

TEST(ExponentialCompareTest, ArgmaxDrawsOnlyForThoseThatMayWin) {
  // The last two are equal so far and above the first.
  std::vector<AffineExponential> variates = {affine(0, 1, 5000), affine(0, 1, 3), affine(0, 1, 3)};
  BitSource bits = tape_of_words({8, 7});
  EXPECT_EQ(argmax(variates, bits), 2U);
  EXPECT_EQ(words_used(bits), 2U);
  EXPECT_EQ(variates[0].e.upper_u(), Rational(5001) * Rational::two_to(-63));
}

TEST(ExponentialCompareTest, ArgmaxOfNothingOrOfPointsIsRefused) {
  BitSource bits = seeded_tape(1);
  std::vector<AffineExponential> none;
  std::vector<AffineExponential> points = {affine(0, 1, 1), affine(1, 0, 1)};
  for (auto* variates : {&none, &points}) {
    try {
      argmax(*variates, bits);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadParameter);
    }
  }
}

}  // namespace exponential_test
}  // namespace lastbit
