// Failure: an Error that the tool itself raises, together with its exit code.
//
// Errors of the library say what is wrong with a number or a file; only the tool knows about
// command lines and its own output. main prints both in the same form.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "cli/terminal/exit_code.h"
#include "lastbit/base/error.h"

namespace lastbit::cli {

class Failure : public Error {
 public:
  // usage: the command line is wrong.
  static Failure usage(std::string place, std::string problem, std::string remedy) {
    return {
        kExitUsage, "usage",
        Error(ErrorCode::kBadParameter, std::move(place), std::move(problem), std::move(remedy))};
  }
  // output: `place` cannot be written.
  static Failure output(std::string place, std::string problem, std::string remedy) {
    return {kExitOutput, "output",
            Error(ErrorCode::kBadInput, std::move(place), std::move(problem), std::move(remedy))};
  }

  int exit_code() const { return exit_code_; }
  // kind: the counterpart of error_code_name for errors of the library.
  std::string_view kind() const { return kind_; }

 private:
  Failure(int exit_code, std::string_view kind, Error error)
      : Error(std::move(error)), exit_code_(exit_code), kind_(kind) {}

  int exit_code_;
  std::string_view kind_;  // a literal
};

}  // namespace lastbit::cli
