#include "lastbit/base/error.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>

namespace lastbit {
namespace error_test {

constexpr ErrorCode kAllCodes[] = {
    ErrorCode::kBadParameter, ErrorCode::kBadText, ErrorCode::kMismatch,  ErrorCode::kNotSupported,
    ErrorCode::kBadInput,     ErrorCode::kEntropy, ErrorCode::kTapeEnded, ErrorCode::kBudget,
    ErrorCode::kRefused,      ErrorCode::kStorage, ErrorCode::kInternal};

TEST(ErrorTest, SentenceNamesPlaceProblemAndRemedy) {
  const Error error(ErrorCode::kBadInput, "survey.csv", "has no column 'age'", "name one it has");
  EXPECT_STREQ(error.what(), "survey.csv: has no column 'age'; name one it has");
  EXPECT_EQ(error.code(), ErrorCode::kBadInput);
  EXPECT_EQ(error.place(), "survey.csv");
  EXPECT_EQ(error.problem(), "has no column 'age'");
  EXPECT_EQ(error.remedy(), "name one it has");
}

TEST(ErrorTest, BadParameterNamesTheParameter) {
  const Error error = Error::bad_parameter("make_clamp", "upper", "is below lower", "swap them");
  EXPECT_EQ(error.code(), ErrorCode::kBadParameter);
  EXPECT_STREQ(error.what(), "make_clamp: parameter `upper` is below lower; swap them");
}

TEST(ErrorTest, IsCaughtAsAStandardException) {
  const auto fail = [] { throw Error(ErrorCode::kBadText, "number", "is empty", "write one"); };
  EXPECT_THROW(fail(), std::exception);
}

TEST(ErrorTest, CopyKeepsTheSentence) {
  const Error error(ErrorCode::kBadText, "number", "is empty", "write one");
  const Error copy = error;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_STREQ(copy.what(), error.what());
  EXPECT_NE(copy.what(), error.what());
}

TEST(ErrorCodeTest, EveryCodeHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const ErrorCode code : kAllCodes) names.insert(error_code_name(code));
  EXPECT_EQ(names.size(), std::size(kAllCodes));
  EXPECT_EQ(names.count("unknown"), 0U);
  EXPECT_EQ(error_code_name(ErrorCode::kTapeEnded), "tape ended");
}

TEST(ErrorCodeTest, ValueOutsideTheEnumerationIsUnknown) {
  EXPECT_EQ(error_code_name(static_cast<ErrorCode>(99)), "unknown");
}

TEST(InvariantTest, HoldingInvariantDoesNothing) { EXPECT_NO_THROW(invariant(true, "true")); }

TEST(InvariantTest, BrokenInvariantThrowsInEveryBuildAndNamesTheLine) {
  try {
    invariant(false, "the sum is even");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInternal);
    EXPECT_EQ(error.problem(), "broken invariant: the sum is even");
    EXPECT_NE(error.place().find("error_test.cc:"), std::string::npos) << error.place();
  }
}

}  // namespace error_test
}  // namespace lastbit
