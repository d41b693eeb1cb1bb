// lastbit: the command-line tool. This file finds the subcommand and turns errors into messages and
// exit codes; each subcommand has a file of its own.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/failure.h"
#include "cli/reports.h"
#include "cli/table.h"
#include "lastbit/base/text.h"

namespace lastbit::cli {
namespace {

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(CommandArguments, Sink&);
};
constexpr std::array<Command, 5> kCommands = {{
    {"demo", "Show what lastbit does, on a synthetic survey", run_demo},
    {"generate", "Write a synthetic survey as CSV", run_generate},
    {"snap", "Release private values: numbers in, noisy numbers out", run_snap},
    {"stability", "Check the stability claims of the transformations", run_stability},
    {"utility", "Say how accurate a release will be, or what an accuracy costs", run_utility},
}};

std::string help() {
  std::string commands;
  for (const Command& command : kCommands) {
    commands += fmt::format("  {:<12}{}\n", command.name, command.summary);
  }
  return fmt::format(
      "lastbit {}: differential privacy where what is proved is what runs, down to the last bit\n"
      "\n"
      "Usage: lastbit COMMAND [options]\n"
      "\n"
      "Commands:\n"
      "{}"
      "\n"
      "Every command has --help, with examples, and --json.\n"
      "\n"
      "Options:\n"
      "  -h,--help   Show this help\n"
      "  --version   Show the version\n"
      "\n"
      "Exit codes:\n"
      "   0  done, and every check passed\n"
      "   1  a check found a violation\n"
      "   2  a check could not decide\n"
      "  64  the command line makes no sense\n"
      "  65  a file or value cannot be used\n"
      "  70  a bug, or no randomness to draw from\n"
      "  74  the answer cannot be written\n"
      "\n"
      "Examples:\n"
      "  lastbit demo\n"
      "  lastbit generate survey --rows 1000 --out survey.csv\n"
      "  lastbit stability --wrong\n"
      "  lastbit snap 42 --epsilon 1\n"
      "  lastbit utility accuracy --epsilon 1 --bound 1000\n",
      LASTBIT_VERSION, commands);
}

int run(const std::vector<std::string>& arguments, Sink& out) {
  if (arguments.empty()) {
    throw Failure::usage("lastbit", "no command is given", "see lastbit --help");
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h") {
    out.write(help());
    return kExitOk;
  }
  if (name == "--version") {
    out.write(fmt::format("lastbit {}\n", LASTBIT_VERSION));
    return kExitOk;
  }
  std::vector<std::string> names = {"--help", "--version"};
  for (const Command& command : kCommands) {
    if (command.name == name) return command.run(CommandArguments(arguments).subspan(1), out);
    names.emplace_back(command.name);
  }
  const auto nearest = nearest_name(name, names);
  throw Failure::usage(
      "lastbit",
      fmt::format("there is no {} {}", name.starts_with('-') ? "option" : "command",
                  lastbit::quoted(name)),
      nearest ? fmt::format("did you mean {}?", *nearest) : "lastbit --help lists the commands");
}

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
  }
  return kExitInternal;
}

// report: the error on standard error, as a line or, where --json was given, as a JSON document.
int report(const Error& error, bool json) {
  const auto* failure = dynamic_cast<const Failure*>(&error);
  const int exit_code = failure != nullptr ? failure->exit_code() : exit_code_of(error.code());
  std::string text;
  if (json) {
    const std::string_view kind =
        failure != nullptr ? failure->kind() : error_code_name(error.code());
    const nlohmann::ordered_json document = {{"error",
                                              {{"kind", std::string(kind)},
                                               {"place", error.place()},
                                               {"problem", error.problem()},
                                               {"remedy", error.remedy()},
                                               {"exit_code", exit_code}}}};
    text = dumped(document);
  } else {
    const std::string place = error.place() == "lastbit" ? "" : error.place() + ": ";
    text =
        fmt::format("{} {}{}; {}\n", Paint::for_terminal(STDERR_FILENO)(Colour::kRed, "lastbit:"),
                    place, error.problem(), error.remedy());
  }
  try {
    Sink errors(STDERR_FILENO, "standard error");
    errors.write(text);
    errors.flush();
  } catch (const Error&) {
    return exit_code;  // nobody can be told; the exit code still tells
  }
  return exit_code;
}

int guarded(const std::vector<std::string>& arguments) {
  const bool json = std::ranges::find(arguments, "--json") != arguments.end();
  try {
    Sink out(STDOUT_FILENO, "standard output");
    const int exit_code = run(arguments, out);
    out.flush();
    return exit_code;
  } catch (const Error& error) {
    return report(error, json);
  } catch (const std::exception& error) {
    return report(Error(ErrorCode::kInternal, "lastbit", error.what(),
                        "this is a bug; please report it with the command that led here"),
                  json);
  }
}

}  // namespace
}  // namespace lastbit::cli

int main(int argc, char** argv) {
  // A reader that goes away (lastbit … | head) is then seen by write() instead of ending the program.
  std::signal(SIGPIPE, SIG_IGN);
  return lastbit::cli::guarded(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
}
