#include "cli/terminal/guarded.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <nlohmann/json.hpp>

#include "cli/terminal/exit_code.h"
#include "cli/terminal/failure.h"
#include "lastbit/report/document.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

using report::Colour;
using report::dumped;
using report::Paint;

namespace {

int exit_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInternal:
    case ErrorCode::kEntropy:
    case ErrorCode::kTapeEnded:
      return kExitInternal;
    case ErrorCode::kBadParameter:
    case ErrorCode::kMismatch:
    case ErrorCode::kNotSupported:
      return kExitUsage;  // parameters come from the command line
    case ErrorCode::kBadText:
    case ErrorCode::kBadInput:
      return kExitBadInput;
    case ErrorCode::kBudget:
    case ErrorCode::kRefused:
      return kExitViolation;  // the ledger was asked and refuses
    case ErrorCode::kStorage:
      return kExitOutput;
  }
  return kExitInternal;
}

std::string as_json(const Error& error, const Failure* failure, int exit_code) {
  const std::string_view kind =
      failure != nullptr ? failure->kind() : error_code_name(error.code());
  return dumped({{"error",
                  {{"kind", std::string(kind)},
                   {"place", error.place()},
                   {"problem", error.problem()},
                   {"remedy", error.remedy()},
                   {"exit_code", exit_code}}}});
}

std::string as_line(const std::string& program, const Error& error) {
  const std::string place = error.place() == "lastbit" ? "" : error.place() + ": ";
  const std::string name =
      Paint::for_terminal(STDERR_FILENO)(Colour::kRed, fmt::format("{}:", program));
  // A problem that shows lines of a file ends with them.
  const bool shows_lines = error.problem().find('\n') != std::string::npos;
  return fmt::format("{} {}{}{}{}\n", name, place, error.problem(), shows_lines ? "\n  " : "; ",
                     error.remedy());
}

// report: the error on standard error, as text or, where --json was given, as a JSON document.
int report(const std::string& program, const Error& error, bool json) {
  const auto* failure = dynamic_cast<const Failure*>(&error);
  const int exit_code = failure != nullptr ? failure->exit_code() : exit_code_of(error.code());
  try {
    Sink errors(STDERR_FILENO, "standard error");
    errors.write(json ? as_json(error, failure, exit_code) : as_line(program, error));
    errors.flush();
  } catch (const Error&) {
    return exit_code;  // no message gets through, but the exit code does
  }
  return exit_code;
}

}  // namespace

int guarded(const std::string& program, const std::vector<std::string>& arguments,
            const std::function<int(Sink&)>& run) {
  // If a reader goes away (lastbit … | head), write() then fails instead of the program being
  // killed.
  std::signal(SIGPIPE, SIG_IGN);
  const bool json = std::ranges::find(arguments, "--json") != arguments.end();
  try {
    Sink out(STDOUT_FILENO, "standard output");
    const int exit_code = run(out);
    out.flush();
    return exit_code;
  } catch (const Error& error) {
    return report(program, error, json);
  } catch (const std::exception& error) {
    return report(program,
                  Error(ErrorCode::kInternal, "lastbit", error.what(),
                        "this is a bug; please report it with the command that led here"),
                  json);
  }
}

}  // namespace lastbit::cli
