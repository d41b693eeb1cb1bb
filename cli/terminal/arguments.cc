#include "cli/terminal/arguments.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "lastbit/base/text.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

using report::wrapped;

namespace {

constexpr std::size_t kHelpWidth = 90;

// option_names: every option of the app, as typed.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

struct Arguments::Parser {
  Parser(const std::string& description, const std::string& name) : app(description, name) {}

  CLI::App app;
  bool json = false;
};

Arguments::Arguments(const std::string& command, const std::string& summary,
                     const std::string& examples)
    : command_(command),
      parser_(std::make_unique<Parser>(wrapped(summary, kHelpWidth), "lastbit " + command)) {
  CLI::App& app = parser_->app;
  app.allow_extras();
  app.get_formatter()->column_width(24);
  app.get_formatter()->label("REQUIRED", "");
  app.get_formatter()->label("OPTIONS", "options");
  app.set_help_flag("-h,--help", "Show this help");
  add_flag("--json", parser_->json, "Print one JSON document instead of text");
  app.footer("Examples:\n" + examples);
}

Arguments::~Arguments() = default;

void Arguments::add_option(const std::string& name, std::string& value, const std::string& help,
                           const std::string& kind) {
  parser_->app.add_option(name, value, help)->type_name(kind);
}

void Arguments::add_repeated_option(const std::string& name, std::vector<std::string>& values,
                                    const std::string& help, const std::string& kind) {
  parser_->app.add_option(name, values, help)
      ->type_name(kind)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void Arguments::add_flag(const std::string& name, bool& value, const std::string& help) {
  parser_->app.add_flag(name, value, help);
}

void Arguments::add_argument(const std::string& name, std::string& value, const std::string& help) {
  parser_->app.add_option(name, value, help)->required()->type_name("");
}

void Arguments::add_arguments(const std::string& name, std::vector<std::string>& values,
                              const std::string& help, Count count) {
  parser_->app.add_option(name, values, help)->required(count == Count::kAtLeastOne)->type_name("");
}

void Arguments::without_json() { parser_->app.remove_option(parser_->app.get_option("--json")); }

void Arguments::explain_leftovers(std::string problem, std::string remedy) {
  leftover_problem_ = std::move(problem);
  leftover_remedy_ = std::move(remedy);
}

bool Arguments::json() const { return parser_->json; }

bool Arguments::has(const std::string& option) const { return parser_->app.count(option) > 0; }

bool Arguments::parse(std::span<const std::string> arguments, Sink& out) {
  std::vector<std::string> reversed(arguments.begin(), arguments.end());
  std::ranges::reverse(reversed);  // CLI11 takes them from the back
  try {
    parser_->app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    out.write(parser_->app.help());
    return false;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();
    throw wrong(text.substr(0, text.find(':')) + " takes one value and can be given only once");
  } catch (const CLI::ParseError& error) {
    throw wrong(error.what());
  }
  refuse_leftovers();
  return true;
}

std::uint64_t Arguments::whole_number(const std::string& option, const std::string& text,
                                      std::uint64_t least, std::uint64_t most) const {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stop == end && least <= number && number <= most) return number;
  throw wrong(fmt::format("{} cannot be the value of {}", lastbit::quote(text), option),
              fmt::format("give a whole number from {} to {}, digits only", least, most));
}

Failure Arguments::wrong(const std::string& problem, const std::string& remedy) const {
  return Failure::usage(command_, problem,
                        remedy.empty() ? fmt::format("see lastbit {} --help", command_) : remedy);
}

void Arguments::refuse_leftovers() const {
  const auto leftovers = parser_->app.remaining();
  if (leftovers.empty()) return;
  const std::string& first = leftovers.front();
  if (!first.starts_with('-') && !leftover_problem_.empty()) {
    throw wrong(leftover_problem_, leftover_remedy_);
  }
  if (!first.starts_with('-')) {
    throw wrong(fmt::format("{} is one argument too many", lastbit::quote(first)));
  }
  const std::string name = first.substr(0, first.find('='));
  const auto nearest = nearest_name(name, option_names(parser_->app));
  throw wrong(fmt::format("there is no option {}", lastbit::quote(name)),
              nearest ? fmt::format("did you mean {}?", *nearest) : "");
}

}  // namespace lastbit::cli
