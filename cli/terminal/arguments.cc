#include "cli/terminal/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "lastbit/base/text.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {
namespace {

constexpr std::size_t kHelpWidth = 90;

// option_names: every option of the app as it is typed.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

Arguments::Arguments(const std::string& command, const std::string& summary,
                     const std::string& examples)
    : command_(command), app_(wrapped(summary, kHelpWidth), "lastbit " + command) {
  app_.allow_extras();
  app_.get_formatter()->column_width(24);
  app_.get_formatter()->label("REQUIRED", "");
  app_.get_formatter()->label("OPTIONS", "options");
  app_.set_help_flag("-h,--help", "Show this help");
  app_.add_flag("--json", json_, "Print one JSON document instead of text");
  app_.footer("Examples:\n" + examples);
}

bool Arguments::parse(std::span<const std::string> arguments, Sink& out) {
  std::vector<std::string> reversed(arguments.begin(), arguments.end());
  std::ranges::reverse(reversed);  // CLI11 takes them from the back
  try {
    app_.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    out.write(app_.help());
    return false;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();
    throw wrong(text.substr(0, text.find(':')) + " takes one value, and once only");
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
  throw wrong(fmt::format("{} cannot be the value of {}", lastbit::quoted(text), option),
              fmt::format("give a whole number from {} to {}, digits only", least, most));
}

Failure Arguments::wrong(const std::string& problem, const std::string& remedy) const {
  return Failure::usage(command_, problem,
                        remedy.empty() ? fmt::format("see lastbit {} --help", command_) : remedy);
}

void Arguments::refuse_leftovers() const {
  const auto leftovers = app_.remaining();
  if (leftovers.empty()) return;
  const std::string& first = leftovers.front();
  if (!first.starts_with('-')) throw wrong(fmt::format("cannot use {}", lastbit::quoted(first)));
  const std::string name = first.substr(0, first.find('='));
  const auto nearest = nearest_name(name, option_names(app_));
  throw wrong(fmt::format("there is no option {}", lastbit::quoted(name)),
              nearest ? fmt::format("did you mean {}?", *nearest) : "");
}

}  // namespace lastbit::cli
