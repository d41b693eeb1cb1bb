// Arguments: the command line of one subcommand, with help that has examples, and suggestions for
// typing mistakes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/terminal/failure.h"
#include "cli/terminal/output.h"

namespace lastbit::cli {

class Arguments {
 public:
  // `examples` is shown at the end of --help, one command per line. --json is there, unless
  // without_json takes it away.
  Arguments(const std::string& command, const std::string& summary, const std::string& examples);

  ~Arguments();

  // The variables must outlive parse, which sets those that are given and leaves the others alone.
  // `kind` is what --help shows for the value, as in "--seed N".
  void add_option(const std::string& name, std::string& value, const std::string& help,
                  const std::string& kind);
  // add_repeated_option: an option that may occur several times, with one value each.
  void add_repeated_option(const std::string& name, std::vector<std::string>& values,
                           const std::string& help, const std::string& kind);
  void add_flag(const std::string& name, bool& value, const std::string& help);
  // add_argument: one value without a dash, which must be given.
  void add_argument(const std::string& name, std::string& value, const std::string& help);
  enum class Count : std::uint8_t { kAny, kAtLeastOne };
  // add_arguments: all values without a dash.
  void add_arguments(const std::string& name, std::vector<std::string>& values,
                     const std::string& help, Count count);

  // without_json: this command has no --json after all.
  void without_json();
  // explain_leftovers: what to say about words that are too many.
  void explain_leftovers(std::string problem, std::string remedy);

  // parse: false if help was requested, which is then on `out`. A wrong command line is a Failure
  // with exit code 64.
  bool parse(std::span<const std::string> arguments, Sink& out);
  bool json() const;
  // has: whether the option was given.
  bool has(const std::string& option) const;

  // whole_number: the text of `option` as a number in [least, most].
  std::uint64_t whole_number(const std::string& option, const std::string& text,
                             std::uint64_t least, std::uint64_t most) const;
  // wrong: the Failure to throw about this command line.
  Failure wrong(const std::string& problem, const std::string& remedy = "") const;

 private:
  // The command-line parser is slow to compile, so only arguments.cc includes it.
  struct Parser;

  void refuse_leftovers() const;

  std::string command_;
  std::string leftover_problem_;
  std::string leftover_remedy_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace lastbit::cli
