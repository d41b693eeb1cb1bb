#include "lastbit/base/error.h"

#include <fmt/core.h>

#include "lastbit/base/passwords.h"

namespace lastbit {

std::string_view error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kBadParameter:
      return "bad parameter";
    case ErrorCode::kBadText:
      return "bad text";
    case ErrorCode::kMismatch:
      return "mismatch";
    case ErrorCode::kNotSupported:
      return "not supported";
    case ErrorCode::kBadInput:
      return "bad input";
    case ErrorCode::kEntropy:
      return "entropy failure";
    case ErrorCode::kTapeEnded:
      return "tape ended";
    case ErrorCode::kBudget:
      return "over budget";
    case ErrorCode::kRefused:
      return "refused";
    case ErrorCode::kStorage:
      return "storage failure";
    case ErrorCode::kInternal:
      return "internal error";
  }
  return "unknown";
}

Error::Error(ErrorCode code, std::string place, std::string problem, std::string remedy)
    : code_(code),
      place_(without_passwords(place)),
      problem_(without_passwords(problem)),
      remedy_(without_passwords(remedy)),
      what_(fmt::format("{}: {}; {}", place_, problem_, remedy_)) {}

Error Error::bad_parameter(std::string_view place, std::string_view parameter,
                           std::string_view problem, std::string_view remedy) {
  return Error(ErrorCode::kBadParameter, std::string(place),
               fmt::format("parameter `{}` {}", parameter, problem), std::string(remedy));
}

void require_parameter(bool holds, std::string_view place, std::string_view parameter,
                       std::string_view problem, std::string_view remedy) {
  if (!holds) throw Error::bad_parameter(place, parameter, problem, remedy);
}

void broken_invariant(std::string_view what, const std::source_location& where) {
  throw Error(ErrorCode::kInternal, fmt::format("{}:{}", where.file_name(), where.line()),
              fmt::format("broken invariant: {}", what),
              "this is a bug in lastbit; please report it with the command that led here");
}

}  // namespace lastbit
