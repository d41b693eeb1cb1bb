// lastbit snap: values in, private values out.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/reports.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/number_option.h"
#include "lastbit/base/text.h"
#include "lastbit/core/chain.h"
#include "lastbit/mechanisms/snapped_laplace.h"
#include "lastbit/mechanisms/snapping.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

using report::Colour;
using report::dumped;
using report::exact_text;
using report::grid_text;
using report::grouped;
using report::json_of;
using report::Paint;
using report::short_text;

namespace {

constexpr std::uint64_t kMostCopies = 10'000'000;

// Mechanism: releases a value, with the numbers that describe it.
struct Mechanism {
  std::string name;
  Rational epsilon;
  Rational sensitivity;
  Rational scale;
  Grid grid;
  std::optional<Rational> lower;
  std::optional<Rational> upper;
  std::function<Rational(const Rational&, BitSource&)> release;
};

// Separated: options with their values, and everything else. Numbers may begin with a minus, which
// an option parser would take for an option.
struct Separated {
  std::vector<std::string> options;
  std::vector<std::string> values;
};
Separated separated(CommandArguments arguments) {
  Separated parts;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") {
      parts.values.insert(parts.values.end(), arguments.begin() + static_cast<long>(i) + 1,
                          arguments.end());
      break;
    }
    if (!argument.starts_with("--") && argument != "-h") {
      parts.values.push_back(argument);
      continue;
    }
    parts.options.push_back(argument);
    const bool alone = argument == "--json" || argument == "--help" || argument == "-h" ||
                       argument.find('=') != std::string::npos;
    if (!alone && i + 1 < arguments.size()) parts.options.push_back(arguments[++i]);
  }
  return parts;
}

// trimmed: without spaces, and without the carriage return that files from other systems have.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

// The value is private, so messages give its place and not its text.
Rational number_at(const std::string& place, std::string_view text) {
  try {
    return Rational::parse(trimmed(text));
  } catch (const Error&) {
    throw Error(
        ErrorCode::kBadInput, place, "this is not a number, so nothing was released",
        "give one number per line, such as 12, -0.1, 1/3 or 1e-3; NaN and infinity are refused");
  }
}

std::string standard_input() {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got == 0) return text;
    if (got > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      throw Error(ErrorCode::kBadInput, "standard input", "cannot be read",
                  "give the values as arguments, or through a pipe");
    }
  }
}

// All values are read before the first is released: a mistake in the last line costs nothing.
std::vector<Rational> values_of(const Arguments& parser, const std::vector<std::string>& texts) {
  std::vector<Rational> values;
  for (const std::string& text : texts) {
    values.push_back(number_at(fmt::format("value {}", values.size() + 1), text));
  }
  if (!values.empty()) return values;
  if (::isatty(STDIN_FILENO) == 1) {
    throw parser.wrong("no value is given", "give values as arguments, or one per line on a pipe");
  }
  const std::string text = standard_input();
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    values.push_back(
        number_at(fmt::format("standard input, line {}", values.size() + 1), rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return values;
}

Mechanism exact_mechanism(const Rational& epsilon, const Rational& sensitivity,
                          const SnappedLaplaceOptions& options) {
  const auto made = make_snapped_laplace_for(epsilon, sensitivity, options)
                        .build(rationals(), AbsoluteDistance{});
  const Rational scale = sensitivity / epsilon;
  const Grid grid = options.grid ? *options.grid : default_noise_grid(rationals(), scale);
  // Clamped as for floats, so that both mechanisms treat a value outside the bounds alike.
  const auto clamped = [options](const Rational& value) {
    if (options.lower && value < *options.lower) return *options.lower;
    if (options.upper && value > *options.upper) return *options.upper;
    return value;
  };
  return {"snapped Laplace, exact",
          epsilon,
          sensitivity,
          scale,
          grid,
          options.lower,
          options.upper,
          [made, clamped](const Rational& value, BitSource& bits) {
            return made(clamped(value), bits);
          }};
}

Mechanism float_mechanism(const SnappingParameters& parameters) {
  const Snapping snapping(parameters);
  return {
      fmt::format("snapping, {} bits", parameters.precision),
      parameters.epsilon,
      parameters.sensitivity,
      snapping.scale(),
      snapping.grid(),
      parameters.lower,
      parameters.upper,
      [snapping](const Rational& value, BitSource& bits) { return snapping.release(value, bits); }};
}

std::optional<Grid> read_optional_grid(const Arguments& parser, const std::string& text) {
  if (text == "auto") return std::nullopt;
  int exponent = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, exponent);
  if (error == std::errc() && stop == end) return Grid(exponent);
  throw parser.wrong(fmt::format("{} cannot be the value of --grid", lastbit::quote(text)),
                     "give auto, or a whole exponent: -10 stands for multiples of 2^-10");
}

struct SnapOptions {
  explicit SnapOptions(Arguments& parser)
      : epsilon(parser, "--epsilon", "The loss of each released value"),
        sensitivity(parser, "--sensitivity", "The most one person can change a value", "1"),
        lower(parser, "--lower", "Values and answers below count as X"),
        upper(parser, "--upper", "Values and answers above count as X") {
    parser.add_option("--precision", precision, "exact, or the bits of floats: 53, 118, … (exact)",
                      "P");
    parser.add_option("--grid", grid,
                      "Answers are multiples of 2^N; auto is far below the noise (auto)", "N");
    parser.add_option("--count", count, "Release each value N times (1)", "N");
  }

  NumberOption epsilon;
  NumberOption sensitivity;
  NumberOption lower;
  NumberOption upper;
  std::string precision = "exact";
  std::string grid = "auto";
  std::string count = "1";
};

Mechanism mechanism_of(const Arguments& parser, const SnapOptions& options) {
  const auto lower = options.lower.optional();
  const auto upper = options.upper.optional();
  if (lower && upper && *lower >= *upper) {
    throw Error::bad_parameter(
        "snap", "lower",
        fmt::format("({}) is not below `upper` ({})", lower->to_string(), upper->to_string()),
        "give --lower a number below that of --upper");
  }
  const Rational epsilon = options.epsilon.value();
  const Rational sensitivity = options.sensitivity.value();
  const auto grid = read_optional_grid(parser, options.grid);
  if (options.precision == "exact") {
    return exact_mechanism(epsilon, sensitivity, {.grid = grid, .lower = lower, .upper = upper});
  }
  const auto bits = parser.whole_number("--precision", options.precision, 1, 1'000'000);
  if (!lower || !upper) {
    throw parser.wrong("floats need --lower and --upper", "give both, or --precision exact");
  }
  if (grid) {
    throw parser.wrong("the grid of floats follows from the noise",
                       "leave --grid out, or use --precision exact");
  }
  SnappingParameters parameters;
  parameters.epsilon = epsilon;
  parameters.sensitivity = sensitivity;
  parameters.lower = *lower;
  parameters.upper = *upper;
  parameters.precision = static_cast<int>(bits);
  return float_mechanism(parameters);
}

void print_json(Sink& out, const Mechanism& mechanism, const std::vector<std::string>& released) {
  const Rational spent = mechanism.epsilon * Rational(released.size());
  out.write(dumped({{"mechanism", mechanism.name},
                    {"epsilon", mechanism.epsilon.to_string()},
                    {"sensitivity", mechanism.sensitivity.to_string()},
                    {"scale", mechanism.scale.to_string()},
                    {"grid_exponent", mechanism.grid.exponent()},
                    {"lower", json_of(mechanism.lower)},
                    {"upper", json_of(mechanism.upper)},
                    {"values", released},
                    {"epsilon_spent", spent.to_string()}}));
}

// tell_price: reports how much was spent, separately from the answers so that these can be piped.
void tell_price(const Mechanism& mechanism, std::size_t released) {
  Sink errors(STDERR_FILENO, "standard error");
  const std::string total = (mechanism.epsilon * Rational(released)).to_string();
  errors.write(Paint::for_terminal(STDERR_FILENO)(
                   Colour::kDim,
                   fmt::format("spent: {} {} × {} = {} epsilon  ({}, noise of scale {} on the grid "
                               "{})",
                               grouped(released), released == 1 ? "value" : "values",
                               mechanism.epsilon.to_string(), total, mechanism.name,
                               short_text(mechanism.scale), grid_text(mechanism.grid))) +
               "\n");
  errors.flush();
}

}  // namespace

int run_snap(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "snap",
      "Release private values: each number given, or each line of standard input, comes "
      "out with Laplace noise, rounded to a grid. Every value that is printed costs "
      "--epsilon. Numbers are exact: 0.1 is 1/10. Nothing is released unless every "
      "value is a number.",
      "  lastbit snap 42 --epsilon 1\n"
      "  lastbit snap -3.5 0.1 --epsilon 1/2 --lower -10 --upper 10\n"
      "  lastbit snap 42 --epsilon 1 --grid 0 --count 5\n"
      "  lastbit snap 42 --epsilon 1 --precision 53 --lower 0 --upper 1000\n"
      "  cut -d, -f3 totals.csv | lastbit snap --epsilon 0.1 --sensitivity 200 --json\n");
  std::vector<std::string> shown_in_help;
  parser.add_arguments("VALUE", shown_in_help, "Numbers; without any, the lines of standard input",
                       Arguments::Count::kAny);
  const SnapOptions options(parser);
  const Separated parts = separated(arguments);
  if (!parser.parse(parts.options, out)) return kExitOk;

  const Mechanism mechanism = mechanism_of(parser, options);
  const auto copies = parser.whole_number("--count", options.count, 1, kMostCopies);
  const auto values = values_of(parser, parts.values);
  std::vector<std::string> released;
  std::size_t total = 0;
  for (const Rational& value : values) {
    for (std::uint64_t copy = 0; copy < copies && !out.closed(); ++copy, ++total) {
      const std::string text = exact_text(mechanism.release(value, thread_bit_source()));
      if (parser.json()) {
        released.push_back(text);
      } else {
        out.write(text + "\n");
      }
    }
  }
  if (parser.json()) {
    print_json(out, mechanism, released);
  } else {
    out.flush();
    tell_price(mechanism, total);
  }
  return kExitOk;
}

}  // namespace lastbit::cli
