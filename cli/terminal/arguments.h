// Arguments: the command line of one subcommand, with help that has examples and suggestions for
// what was mistyped.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cli/terminal/failure.h"
#include "cli/terminal/output.h"

namespace lastbit::cli {

class Arguments {
 public:
  // `examples` is shown at the end of --help, one command a line. --json is there from the start.
  Arguments(const std::string& command, const std::string& summary, const std::string& examples);

  CLI::App& app() { return app_; }
  // parse: false when help was asked for, which is then on `out`. A wrong command line is a Failure
  // with exit code 64.
  bool parse(std::span<const std::string> arguments, Sink& out);
  bool json() const { return json_; }

  // whole_number: the text of `option` as a number of [least, most].
  std::uint64_t whole_number(const std::string& option, const std::string& text,
                             std::uint64_t least, std::uint64_t most) const;
  // wrong: the Failure to throw about this command line.
  Failure wrong(const std::string& problem, const std::string& remedy = "") const;

 private:
  void refuse_leftovers() const;

  std::string command_;
  CLI::App app_;
  bool json_ = false;
};

}  // namespace lastbit::cli
