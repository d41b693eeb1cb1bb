// lastbit: the command-line tool. This file finds the subcommand; each has its own file.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/command.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/failure.h"
#include "cli/terminal/guarded.h"
#include "lastbit/base/text.h"

namespace lastbit::cli {
namespace {

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(CommandArguments, Sink&);
};
constexpr std::array<Command, 17> kCommands = {{
    {"account", "Say what many releases lose together, between two proved ends", run_account},
    {"accuracy", "Say how accurate a release will be, or what an accuracy costs", run_accuracy},
    {"check", "Check a certificate: is it a proof, and of what?", run_check},
    {"demo", "Show what lastbit does, on a synthetic survey", run_demo},
    {"explain", "Show the proof that a certificate holds", run_explain},
    {"generate", "Write a synthetic survey as CSV", run_generate},
    {"init", "Write a first release file from the columns of the data", run_init},
    {"inspect", "Look at the data of a release before it is made (private)", run_inspect},
    {"ledger", "Keep a privacy budget across releases", run_ledger},
    {"loss", "Say what floating point costs: proved bound and exact loss", run_loss},
    {"plan", "Say what a release will cost and how accurate it will be", run_plan},
    {"prove", "Prove that mechanisms keep their claims, or find out why not", run_prove},
    {"query", "Answer one SQL statement about a dataset, privately", run_query},
    {"release", "Release private statistics: a file in, answers and a report out",
     run_release_command},
    {"shell", "Ask SQL questions about a dataset, one after the other", run_shell},
    {"snap", "Release private values: numbers in, noisy numbers out", run_snap},
    {"stability", "Check the stability claims of the transformations", run_stability},
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
      "Every command has --help, with examples, and all but the shell have --json.\n"
      "\n"
      "Options:\n"
      "  -h,--help   Show this help\n"
      "  --version   Show the version\n"
      "\n"
      "Exit codes:\n"
      "   0  done, and every check passed\n"
      "   1  a check found a violation, or the ledger refuses\n"
      "   2  a check could not decide\n"
      "  64  the command line makes no sense\n"
      "  65  a file or value cannot be used\n"
      "  70  a bug, or no source of randomness\n"
      "  74  the output cannot be written\n"
      "\n"
      "Examples:\n"
      "  lastbit demo\n"
      "  lastbit init survey.csv --out survey.toml\n"
      "  lastbit ledger init survey.ledger --epsilon 2\n"
      "  lastbit plan survey.toml\n"
      "  lastbit inspect survey.toml\n"
      "  lastbit release survey.toml --out report\n"
      "  lastbit account survey.ledger --delta 1e-6\n"
      "  lastbit query survey.toml \"SELECT count(*) FROM data\" --epsilon 0.1\n"
      "  lastbit generate survey --rows 1000 --out survey.csv\n"
      "  lastbit stability --wrong\n"
      "  lastbit snap 42 --epsilon 1\n"
      "  lastbit accuracy error --epsilon 1 --bound 1000\n"
      "  lastbit prove corpus/correct/svt.dp --certificate svt.cert\n"
      "  lastbit check svt.cert\n"
      "  lastbit loss --epsilon 1 --bound 64\n",
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
  // The name that scripts for earlier versions use.
  if (name == "utility") {
    throw Failure::usage(
        "lastbit", "there is no command 'utility' any more",
        "it is lastbit accuracy now; its topics are error, epsilon, bias and bounds");
  }
  const auto nearest = nearest_name(name, names);
  throw Failure::usage(
      "lastbit",
      fmt::format("there is no {} {}", name.starts_with('-') ? "option" : "command",
                  lastbit::quote(name)),
      nearest ? fmt::format("did you mean {}?", *nearest) : "lastbit --help lists the commands");
}

}  // namespace
}  // namespace lastbit::cli

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  return lastbit::cli::guarded("lastbit", arguments, [&](lastbit::cli::Sink& out) {
    return lastbit::cli::run(arguments, out);
  });
}
