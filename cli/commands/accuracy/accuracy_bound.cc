// lastbit accuracy bounds: where a statistic can lie, and bounds that noise rarely meets.
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/accuracy/accuracy_topics.h"
#include "cli/commands/reports.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/number_option.h"
#include "lastbit/accuracy/ranges.h"
#include "lastbit/base/text.h"
#include "lastbit/mechanisms/snapped_laplace.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

using report::Align;
using report::at_least_text;
using report::at_most_text;
using report::Colour;
using report::dumped;
using report::indented;
using report::Paint;
using report::short_text;
using report::Table;
using report::terminal_width;
using report::wrapped;

namespace {

struct Options {
  explicit Options(Arguments& parser)
      : n(parser, "--n", "The number of rows"),
        lower(parser, "--lower", "The smallest value of a row"),
        upper(parser, "--upper", "The largest value of a row"),
        second_lower(parser, "--second-lower", "The same for the second column, for covariance"),
        second_upper(parser, "--second-upper", "The same for the second column, for covariance"),
        gamma(parser, "--gamma", "The probability that an answer reaches a bound", "0.01"),
        epsilon(parser, "--epsilon", "The loss to spend; without it only the range is shown"),
        sensitivity(parser, "--sensitivity", "The most one person can change the statistic", "1") {}

  NumberOption n;
  NumberOption lower;
  NumberOption upper;
  NumberOption second_lower;
  NumberOption second_upper;
  NumberOption gamma;
  NumberOption epsilon;
  NumberOption sensitivity;
};

Integer rows_of(const Arguments& parser, const Options& options) {
  const Rational n = options.n.value();
  if (n.is_integer()) return n.floor();
  throw parser.wrong(fmt::format("--n ({}) is not a whole number", short_text(n)),
                     "give a whole number");
}

using RangeOf = std::function<Range(const Arguments&, const Options&)>;
struct BoundedStatistic {
  std::string name;
  RangeOf range;
};

const std::array<BoundedStatistic, 6>& statistics() {
  static const std::array<BoundedStatistic, 6> kStatistics = {{
      {"count", [](const auto& p, const auto& o) { return count_range(rows_of(p, o)); }},
      {"sum",
       [](const auto& p, const auto& o) {
         return sum_range(rows_of(p, o), o.lower.value(), o.upper.value());
       }},
      {"mean",
       [](const auto&, const auto& o) { return mean_range(o.lower.value(), o.upper.value()); }},
      {"variance",
       [](const auto& p, const auto& o) {
         return variance_range(rows_of(p, o), o.lower.value(), o.upper.value());
       }},
      {"covariance",
       [](const auto& p, const auto& o) {
         return covariance_range(rows_of(p, o), o.lower.value(), o.upper.value(),
                                 o.second_lower.value(), o.second_upper.value());
       }},
      {"histogram", [](const auto& p, const auto& o) { return histogram_range(rows_of(p, o)); }},
  }};
  return kStatistics;
}

const BoundedStatistic& statistic_of(const Arguments& parser, const std::string& name) {
  std::vector<std::string> names;
  for (const BoundedStatistic& statistic : statistics()) {
    if (statistic.name == name) return statistic;
    names.push_back(statistic.name);
  }
  const auto nearest = nearest_name(name, names);
  throw parser.wrong(fmt::format("there is no statistic {}", lastbit::quote(name)),
                     nearest ? fmt::format("did you mean {}?", *nearest)
                             : fmt::format("choose one of {}", joined(names, ", ")));
}

// Bounded: a mechanism with bounds that its answers rarely reach, or the reason why it has none.
struct Bounded {
  std::string mechanism;
  std::optional<Range> range;
  std::string refusal;
};

std::vector<Bounded> bounded(const Range& range, const Options& options) {
  const Rational epsilon = options.epsilon.value();
  const Rational gamma = options.gamma.value();
  const Rational scale = options.sensitivity.value() / epsilon;
  std::vector<Bounded> result;
  for (const int precision : {53, 118}) {
    Bounded one{fmt::format("snapping, {} bits", precision), std::nullopt, ""};
    try {
      SnappingParameters wanted;
      wanted.epsilon = epsilon;
      wanted.sensitivity = options.sensitivity.value();
      wanted.precision = precision;
      const Snapping snapping(non_binding_parameters(range, gamma, wanted));
      one.range = Range{snapping.parameters().lower, snapping.parameters().upper};
    } catch (const Error& error) {
      one.refusal = fmt::format("{}; {}", error.problem(), error.remedy());
    }
    result.push_back(one);
  }
  result.push_back(
      {"exact, coarse grid", non_binding_range(range, gamma, scale, Grid::at_least(scale)), ""});
  result.push_back({"exact, fine grid",
                    non_binding_range(range, gamma, scale, default_noise_grid(rationals(), scale)),
                    ""});
  return result;
}

nlohmann::ordered_json as_json(const Range& range) {
  return {{"lower", range.lower.to_string()},
          {"upper", range.upper.to_string()},
          {"half_width", range.half_width().to_string()}};
}

std::string as_text(const std::string& name, const Range& range,
                    const std::vector<Bounded>& mechanisms, const Options& options) {
  Table table({{"bounds"},
               {"lower", Align::kRight},
               {"upper", Align::kRight},
               {"half width", Align::kRight}});
  // Numbers that are too long are rounded outward, so that those shown can be used.
  const auto add = [&](const std::string& title, const Range& shown, Colour colour) {
    constexpr std::size_t kShort = 12;
    const auto text = [&](const Rational& value, bool up) {
      std::string exact = value.to_string();
      if (exact.size() <= kShort) return exact;
      return up ? at_most_text(value.up()) : at_least_text(value.down());
    };
    table.add({title,
               {text(shown.lower, false), colour},
               {text(shown.upper, true), colour},
               text(shown.half_width(), true)});
  };
  add("range of the " + name, range, Colour::kBold);
  std::string notes;
  for (const Bounded& one : mechanisms) {
    if (one.range) {
      add(one.mechanism, *one.range, Colour::kNone);
    } else {
      notes += indented(wrapped(fmt::format("{}: {}", one.mechanism, one.refusal), 90), 2);
    }
  }
  std::string text =
      "\n" + table.render(Paint::for_terminal(STDOUT_FILENO), terminal_width(STDOUT_FILENO));
  if (!mechanisms.empty()) {
    text +=
        fmt::format("\n{}  An answer reaches one of these bounds with probability at most {}.\n",
                    notes, options.gamma.value().to_string());
  }
  return text + "\n";
}

}  // namespace

int run_accuracy_bounds(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "accuracy bounds",
      "The range of a statistic, from the bounds of its rows alone, and wider bounds "
      "that a noisy answer reaches with probability at most gamma: give those to "
      "lastbit snap. STATISTIC is count, sum, mean, variance, covariance or histogram.",
      "  lastbit accuracy bounds variance --n 1000 --lower 0 --upper 10\n"
      "  lastbit accuracy bounds mean --lower 0 --upper 200000 --epsilon 1 "
      "--sensitivity 200\n"
      "  lastbit accuracy bounds count --n 1000 --gamma 0.001 --epsilon 0.1 --json\n");
  std::string name;
  parser.add_argument("STATISTIC", name, "The statistic");
  const Options options(parser);
  if (!parser.parse(arguments, out)) return kExitOk;
  for (const NumberOption* option : {&options.epsilon, &options.sensitivity}) {
    require_positive(parser, *option);
  }
  require_probability(parser, options.gamma);
  const Range range = statistic_of(parser, name).range(parser, options);
  const auto mechanisms =
      options.epsilon.optional() ? bounded(range, options) : std::vector<Bounded>{};
  if (!parser.json()) {
    out.write(as_text(name, range, mechanisms, options));
    return kExitOk;
  }
  auto list = nlohmann::ordered_json::array();
  for (const Bounded& one : mechanisms) {
    nlohmann::ordered_json entry = {{"mechanism", one.mechanism}};
    if (one.range) {
      entry.update(as_json(*one.range));
    } else {
      entry["refusal"] = one.refusal;
    }
    list.push_back(std::move(entry));
  }
  out.write(dumped({{"statistic", name},
                    {"range", as_json(range)},
                    {"gamma", options.gamma.value().to_string()},
                    {"mechanisms", std::move(list)}}));
  return kExitOk;
}

}  // namespace lastbit::cli
