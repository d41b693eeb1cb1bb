// What tests of every module use to check refusals. For tests only; not installed.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <source_location>
#include <string>

#include "lastbit/base/error.h"

namespace lastbit {

// kThinning: long enumerations visit one case in this many: every case, or fewer under sanitizers,
// where each step costs many times as much.
#ifdef LASTBIT_SANITIZED
inline constexpr std::size_t kThinning = 8;
#else
inline constexpr std::size_t kThinning = 1;
#endif

// code_of: the code of the Error that `action` throws; a test failure when it throws none.
ErrorCode code_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no Error was thrown";
  return ErrorCode::kInternal;
}

// expect_code: a test failure at the caller's line unless `action` throws an Error with this code.
// EXPECT_THROW would also accept an Error with another cause.
void expect_code(ErrorCode code, const auto& action,
                 const std::source_location& where = std::source_location::current()) {
  const auto fail = [&](const std::string& what) {
    ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line()))
        << "expected an Error with the code " << error_code_name(code) << ", but " << what;
  };
  try {
    action();
  } catch (const Error& error) {
    if (error.code() != code) {
      fail("it is " + std::string(error_code_name(error.code())) + ": " + error.what());
    }
    return;
  }
  fail("none was thrown");
}

// refusal: what is wrong with a parameter and what to do, in the words of the kBadParameter Error
// that `action` throws; "accepted" when nothing was refused.
std::string refusal(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadParameter) << error.what();
    return error.problem() + "; " + error.remedy();
  }
  return "accepted";
}

// refused_parameter: the parameter that a refusal names; empty when nothing was refused.
std::string refused_parameter(const auto& action) {
  const std::string problem = refusal(action);
  if (problem == "accepted") return "";
  const auto start = problem.find('`') + 1;
  return problem.substr(start, problem.find('`', start) - start);
}

}  // namespace lastbit
