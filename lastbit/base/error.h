// The one error type of the library.
//
// Anything foreseeable (a bad parameter, malformed text, a chain that does not fit, exhausted
// entropy) is thrown as an Error with a code for programs and a sentence for people: where it
// happened, what is wrong, what to do. Messages hold public parameters only, never data values.
#pragma once

#include <exception>
#include <source_location>
#include <string>
#include <string_view>

namespace lastbit {

enum class ErrorCode {
  kBadParameter,  // a constructor was given an impossible parameter
  kBadText,       // text that should be a number, a file or a program is malformed
  kMismatch,      // two pieces that do not fit were put together
  kNotSupported,  // the question has no answer for this object
  kBadInput,      // a file or table cannot be read as declared
  kEntropy,       // the operating system gave no randomness; nothing may be released
  kTapeEnded,     // a recorded tape has no more bits
  kBudget,        // the privacy budget does not allow it; nothing was spent
  kRefused,       // looks like a mistake, and nobody confirmed that it is meant; nothing was spent
  kStorage,       // a file that must last cannot be written; nothing may be released
  kInternal,      // a bug in this library
};

// error_code_name: the code as a short lower-case word, for --json and logs.
std::string_view error_code_name(ErrorCode code);

class Error : public std::exception {
 public:
  // `place` names the function or file, `problem` what is wrong, `remedy` what the user can do.
  // What users write is often repeated in them: URLs that may hold a password are cut off.
  Error(ErrorCode code, std::string place, std::string problem, std::string remedy);

  // bad_parameter: `parameter` of `place` is impossible.
  static Error bad_parameter(std::string_view place, std::string_view parameter,
                             std::string_view problem, std::string_view remedy);

  ErrorCode code() const noexcept { return code_; }
  const std::string& place() const noexcept { return place_; }
  const std::string& problem() const noexcept { return problem_; }
  const std::string& remedy() const noexcept { return remedy_; }
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  ErrorCode code_;
  std::string place_;
  std::string problem_;
  std::string remedy_;
  std::string what_;
};

// require_parameter: throws what Error::bad_parameter makes, unless `holds`.
void require_parameter(bool holds, std::string_view place, std::string_view parameter,
                       std::string_view problem, std::string_view remedy);

// broken_invariant: throws a kInternal Error that names the line.
[[noreturn]] void broken_invariant(std::string_view what, const std::source_location& where);

// invariant: throws a kInternal Error when `holds` is false, in every build. It is inline so that
// the compiler and static checkers know what holds after it.
inline void invariant(bool holds, std::string_view what,
                      const std::source_location& where = std::source_location::current()) {
  if (!holds) broken_invariant(what, where);
}

}  // namespace lastbit
