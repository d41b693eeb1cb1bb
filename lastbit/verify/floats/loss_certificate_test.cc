#include "lastbit/verify/floats/loss_certificate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "lastbit/base/test_support.h"
#include "lastbit/numerics/decimal.h"
#include "lastbit/verify/floats/known_bounds.h"
#include "lastbit/verify/floats/loss/pair_loss.h"

namespace lastbit::verify {
namespace loss_certificate_test {

FloatModel model(int precision = 53) {
  return {.scale = 1, .half_width = 16, .precision = precision};
}

LossCertificate certificate_of(const FloatModel& studied, const char* x1, const char* x2) {
  const FloatMechanism mechanism(studied);
  return certify_loss(mechanism, 0, pair_loss(mechanism, rational(x1), rational(x2)));
}

const std::string& honest() {
  static const std::string text = write_loss_certificate(certificate_of(model(), "2.37", "3.37"));
  return text;
}

// replaced: the honest text with the first `from` replaced.
std::string replaced(const std::string& from, const std::string& to) {
  std::string text = honest();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// refusal_of: what is wrong with a text, and where; it must be found within a few seconds.
std::string refusal_of(const std::string& text) {
  const auto start = std::chrono::steady_clock::now();
  std::string said = "accepted";
  try {
    check_loss_certificate(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
    said = error.place() + ": " + error.problem();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10)) << said;
  return said;
}

void expect_refused(const std::string& text, const std::string& part) {
  const std::string said = refusal_of(text);
  EXPECT_NE(said.find(part), std::string::npos) << said;
}

TEST(LossCertificateTest, WhatIsWrittenIsAcceptedAndSaysWhatWasComputed) {
  ASSERT_TRUE(is_loss_certificate(honest()));
  const LossCertificate written = certificate_of(model(), "2.37", "3.37");
  const LossCertificate checked = check_loss_certificate(honest());
  EXPECT_EQ(checked.first, written.first);
  EXPECT_EQ(checked.second, written.second);
  EXPECT_EQ(checked.loss, written.loss);
  ASSERT_TRUE(checked.loss && checked.bound);
  EXPECT_LT(checked.ideal, checked.loss->first);
  EXPECT_LT(checked.loss->second, *checked.bound);
}

TEST(LossCertificateTest, EveryModelWithAGridHasCertificates) {
  std::vector<FloatModel> models(6, model());
  models[1].precision = 7;
  models[2].uniform = UniformModel::kDouble;
  models[3].uniform = UniformModel::kGrid;
  models[4].rounding = GridRounding::kHalfEven;
  models[5].uniform = UniformModel::kFewerBits;
  models[5].uniform_bits = 40;
  for (const FloatModel& one : models) {
    const LossCertificate written = certificate_of(one, "-15.5", "-14.5");
    EXPECT_EQ(refusal_of(write_loss_certificate(written)), "accepted");
  }
}

TEST(LossCertificateTest, SmallerClaimsAreTrueAndAnsweredWithTheComputedNumbers) {
  LossCertificate modest = check_loss_certificate(honest());
  const auto computed = modest.loss;
  ASSERT_TRUE(computed);
  modest.loss = {Rational(-1), computed->second};
  modest.bound = 1000;
  const LossCertificate checked = check_loss_certificate(write_loss_certificate(modest));
  EXPECT_EQ(checked.loss, computed);
  EXPECT_LT(checked.bound.value_or(1000), Rational(2));
}

TEST(LossCertificateTest, LargerClaimsAreRefused) {
  const LossCertificate good = check_loss_certificate(honest());
  ASSERT_TRUE(good.loss && good.bound);
  LossCertificate wrong = good;
  wrong.loss = {good.loss->second + Rational::two_to(-150), Rational(2)};
  wrong.bound.reset();
  expect_refused(write_loss_certificate(wrong), "the loss may be less");
  wrong.loss = {Rational(0), good.loss->first - Rational::two_to(-150)};
  expect_refused(write_loss_certificate(wrong), "the loss may be more");
  wrong.loss.reset();
  expect_refused(write_loss_certificate(wrong), "the loss is not infinite");
  wrong = good;
  wrong.bound = *good.bound - Rational::two_to(-300);
  expect_refused(write_loss_certificate(wrong), "the theorem proves only more");
  wrong = good;
  wrong.ideal = 0;
  expect_refused(write_loss_certificate(wrong), "ideal");
  wrong = good;
  wrong.first += Rational::two_to(-200);
  expect_refused(write_loss_certificate(wrong), "probability");
}

// A bound is proved for the mechanism that ships; for any other it must not be claimed.
TEST(LossCertificateTest, BoundsOutsideTheTheoremAreRefused) {
  for (const auto change :
       {+[](FloatModel& m) { m.rounding = GridRounding::kHalfEven; },
        +[](FloatModel& m) { m.uniform = UniformModel::kGrid; },
        +[](FloatModel& m) { m.grid = Grid(-3); }, +[](FloatModel& m) { m.precision = 6; }}) {
    FloatModel other = model();
    change(other);
    LossCertificate certificate = certificate_of(other, "2.25", "3.25");
    EXPECT_FALSE(certificate.bound);
    EXPECT_EQ(refusal_of(write_loss_certificate(certificate)), "accepted");
    certificate.bound = 1'000'000;
    expect_refused(write_loss_certificate(certificate), "bound: ");
  }
}

TEST(LossCertificateTest, TextThatIsNotCanonicalIsRefused) {
  for (const std::string& text :
       {honest() + "\n", " " + honest(), replaced("  \"version\"", "    \"version\""),
        replaced("\"version\": 1,", "\"version\": 1,\n  \"version\": 1,"),
        replaced("\"midpoint\": \"0\",\n  \"x\": \"2.37\"",
                 "\"x\": \"2.37\",\n  \"midpoint\": \"0\"")}) {
    ASSERT_NE(text, honest());
    expect_refused(text, "not in its canonical form");
  }
  expect_refused(replaced("\"2.37\"", "\"2.370\""),
                 "at /x: the number is not in its canonical form");
  expect_refused(replaced("\"version\": 1,", "\"version\": 1,\n  \"comment\": 2,"),
                 "does not belong here");
  expect_refused(replaced("\"theorem\"", "\"theorem\": \"x\", \"thorem\""), "does not belong here");
  expect_refused(replaced("snapping.md#sharp", "snapping.md#blunt"), "not in its canonical form");
}

TEST(LossCertificateTest, HostileTextsEndQuickly) {
  expect_refused("", "not JSON");
  expect_refused("null", "an object is expected here");
  expect_refused("[1, 2]", "an object is expected here");
  expect_refused(honest().substr(0, honest().size() / 2), "not JSON");
  expect_refused(replaced("\"precision\": 53", "\"precision\": NaN"), "not JSON");
  expect_refused(replaced("\"precision\": 53", "\"precision\": Infinity"), "not JSON");
  expect_refused(replaced("\"precision\": 53", "\"precision\": 1e999"), "not JSON");
  expect_refused(replaced("\"precision\": 53", "\"precision\": 53.0"),
                 "a whole number is expected");
  for (const char* number : {"0", "-1", "4097", "2147483648", "18446744073709551615",
                             "18446744073709551669", "-9223372036854775808"}) {
    const std::string said =
        refusal_of(replaced("\"precision\": 53", std::string("\"precision\": ") + number));
    EXPECT_NE(said.find("at /mechanism/precision"), std::string::npos) << said;
  }
  expect_refused(std::string(100'000, '['), "nested too deeply");
  std::string nested = "0";
  for (int i = 0; i < 1000; ++i) nested = "{\"bound\":" + nested + "}";
  expect_refused(nested, "nested too deeply");
  expect_refused(honest() + std::string(LossCertificate::kMaxBytes, ' '), "too large");
  expect_refused(replaced("\"2.37\"", "\"" + std::string(500'000, '7') + "\""), "too long");
  expect_refused(replaced("\"2.37\"", "\"1e999999999\""), "at /x");
  expect_refused(replaced("\"2.37\"", "\"1e20000\""), "at /x");
  expect_refused(replaced("\"2.37\"", "\"nan\""), "at /x");
  expect_refused(replaced("\"2.37\"", "\"1/0\""), "at /x");
  expect_refused(replaced("\"2.37\"", "2.37"), "at /x: text is expected");
  expect_refused(replaced("\"2.37\"", "\"\\u0000\""), "at /x");
}

// Numbers within the limits that are as large as the limits allow.
TEST(LossCertificateTest, TheLargestNumbersAreCheckedQuickly) {
  const std::string digits = "1" + std::string(Rational::kMaxTextLength - 1, '3');
  EXPECT_NE(refusal_of(replaced("\"2.37\"", "\"" + digits + "\"")), "accepted");
  EXPECT_NE(refusal_of(replaced("\"half_width\": \"16\"", "\"half_width\": \"" + digits + "\"")),
            "accepted");
  const std::string far = std::to_string(kMaxWitnessExponent);
  for (const std::string sign : {"", "-"}) {
    EXPECT_NE(refusal_of(replaced("\"scale\": [\n      \"1\",\n      0\n    ]",
                                  "\"scale\": [\n      \"1\",\n      " + sign + far + "\n    ]")),
              "accepted");
  }
  LossCertificate certificate = check_loss_certificate(honest());
  for (Preimage& preimage : certificate.witness.preimages) {
    preimage.from = Rational::two_to(-kMaxWitnessExponent);
  }
  EXPECT_NE(refusal_of(write_loss_certificate(certificate)), "accepted");
}

TEST(LossCertificateTest, EveryFieldIsNeeded) {
  const std::string text = honest();
  for (const char* key :
       {"format",   "version",       "mechanism",   "midpoint",     "x",        "x2",
        "output",   "thresholds",    "probability", "probability2", "ideal",    "loss",
        "bound",    "precision",     "scale",       "half_width",   "uniform",  "uniform_bits",
        "rounding", "grid_exponent", "from",        "to",           "at_least", "at_most",
        "theorem",  "x, sign 1",     "x2, sign -1"}) {
    const std::string quoted_key = std::string("\"") + key + "\": ";
    EXPECT_NE(refusal_of(replaced(quoted_key, "\"other\": ")), "accepted") << key;
  }
}

TEST(KnownBoundsTest, TheTheoremsHypothesesAreItsDomain) {
  EXPECT_EQ(domain_problem(7, 1, 1), "");
  EXPECT_NE(domain_problem(6, 1, 1), "");
  EXPECT_EQ(domain_problem(10, 3, 24), "");
  EXPECT_NE(domain_problem(10, 3, rational("24.001")), "");
  EXPECT_EQ(binary64_problem(1, rational("353.5")), "");
  EXPECT_NE(binary64_problem(1, rational("353.6")), "");
  EXPECT_NE(binary64_problem(Rational::two_to(-961), Rational::two_to(-961)), "");
  EXPECT_NE(binary64_problem(Rational::two_to(1001), Rational::two_to(1001)), "");
  FloatModel fewer = model();
  fewer.uniform = UniformModel::kFewerBits;
  fewer.uniform_bits = 52;
  for (const auto bound : {proved_bound, simple_bound, mironov_formula}) {
    EXPECT_TRUE(bound(FloatMechanism(model()), 1).value);
    EXPECT_FALSE(bound(FloatMechanism(fewer), 1).value);
  }
  EXPECT_EQ(proved_bound(FloatMechanism(model()), 0).value, Rational(0));
}

}  // namespace loss_certificate_test
}  // namespace lastbit::verify
