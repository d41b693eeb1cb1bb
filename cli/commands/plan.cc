// lastbit plan: what a release would cost and how accurate it would be.
#include <fmt/core.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/plan_output.h"
#include "cli/commands/release_ledger.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "lastbit/base/escape.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/engines.h"
#include "lastbit/release/run.h"
#include "lastbit/report/document.h"
#include "lastbit/report/numbers/answer_numbers.h"
#include "lastbit/report/release/plan_position.h"
#include "lastbit/report/release/plan_report.h"
#include "lastbit/report/release/words.h"

namespace lastbit::cli {

using report::cost_as_json;
using report::cost_words;
using report::dumped;
using report::error_text;
using report::Paint;
using report::plan_json;
using report::plan_table;
using report::PlanReport;
using report::report_plan;
using report::terminal_width;

namespace {

// Target: an accuracy that was asked about, and what it would cost.
struct Target {
  std::size_t statistic = 0;
  Rational accuracy;
  std::optional<Cost> cost;  // nothing: no loss achieves it
};

std::size_t statistic_named(const Arguments& parser, const ReleasePlan& plan,
                            const std::string& name) {
  std::vector<std::string> names;
  for (const PlannedStatistic& planned : plan.statistics) {
    if (planned.statistic.name.value == name) return names.size();
    names.push_back(planned.statistic.name.value);
  }
  const auto nearest = nearest_name(name, names);
  throw parser.wrong(fmt::format("the file has no statistic {}", lastbit::quote(name, 200)),
                     nearest ? fmt::format("did you mean {}?", lastbit::quote(*nearest, 200))
                             : "lastbit plan FILE lists them");
}

// A name may contain a =, so the last one separates it from the number.
Target read_target(const Arguments& parser, const ReleasePlan& plan, const std::string& text,
                   const Integer& rows) {
  const auto wrong = [&] {
    return parser.wrong(
        fmt::format("{} cannot be the value of --accuracy", lastbit::quote(text, 200)),
        "give a statistic and the largest error, as in --accuracy visits=25");
  };
  const std::size_t sign = text.rfind('=');
  if (sign == std::string::npos) throw wrong();
  Target target;
  target.statistic = statistic_named(parser, plan, text.substr(0, sign));
  try {
    target.accuracy = Rational::parse(text.substr(sign + 1));
  } catch (const Error&) {
    throw wrong();
  }
  if (target.accuracy <= 0) throw wrong();
  target.cost = cost_for_accuracy(plan, target.statistic, target.accuracy, rows);
  return target;
}

std::string in_words(const ReleasePlan& plan, const Target& target) {
  const PlannedStatistic& planned = plan.statistics[target.statistic];
  const std::string name = shown_text(planned.statistic.name.value);
  const std::string error = error_text(target.accuracy);
  if (!target.cost) return fmt::format("  No loss gives {} an error of {}.\n", name, error);
  return fmt::format("  An error of {} for {} takes {} instead of {}.\n", error, name,
                     cost_words(*target.cost), cost_words(planned.cost));
}

nlohmann::ordered_json as_json(const ReleasePlan& plan, const std::vector<Target>& targets) {
  auto list = nlohmann::ordered_json::array();
  for (const Target& target : targets) {
    nlohmann::ordered_json entry = {
        {"statistic", plan.statistics[target.statistic].statistic.name.value},
        {"accuracy", target.accuracy.to_string()},
        {"cost", nullptr}};
    if (target.cost) entry["cost"] = cost_as_json(*target.cost);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

int run_plan(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "plan",
      "Say what a release will cost, which noise it will add and how accurate it will be. "
      "Nothing is spent, and only the names and types of the columns are read. "
      "Exit code 1 when the ledger would refuse the release: it has too little left, is about "
      "another unit or other data (--same-people), or holds this plan already (--again); 65 when "
      "it counts losses of a kind that cannot pay for it.",
      "  lastbit plan survey.toml\n"
      "  lastbit plan survey.toml --rows 250000\n"
      "  lastbit plan survey.toml --accuracy mean_income=100 --accuracy people=25\n"
      "  lastbit plan survey.toml --ledger /srv/ledgers/survey.ledger\n"
      "  lastbit plan survey.toml --json\n");
  std::string file;
  std::string rows_text = std::to_string(PlanReport::kGuessedRows);
  std::vector<std::string> accuracies;
  parser.add_argument("FILE", file, "The release file");
  parser.add_option("--rows", rows_text,
                    "Rows per group, a guess for errors that depend on it (10000)", "N");
  parser.add_repeated_option("--accuracy", accuracies, "Say what this target error would cost",
                             "NAME=ERROR");
  const LedgerOptions ledger_options(parser);
  if (!parser.parse(arguments, out)) return kExitOk;

  const Integer rows(parser.whole_number("--rows", rows_text, 1, kMostPlannedRows));
  ReleasePlan plan = plan_file(file, engine_for_files());
  ledger_options.redirect(plan);
  std::vector<Target> targets;
  for (const std::string& text : accuracies) {
    targets.push_back(read_target(parser, plan, text, rows));
  }
  const PlanReport report = report_plan(std::move(plan), ledger_options.intent(), rows);
  const int code = exit_code_of(report);
  if (parser.json()) {
    auto document = plan_json(report);
    document["accuracies"] = as_json(report.plan, targets);
    out.write(dumped(document));
    return code;
  }
  out.write(plan_table(report, Paint::for_terminal(STDOUT_FILENO), terminal_width(STDOUT_FILENO)));
  for (const Target& target : targets) out.write(in_words(report.plan, target));
  if (!report.ledger) {
    out.write(fmt::format("  There is no ledger yet: {}\n", suggest_ledger_command(report.plan)));
  }
  return code;
}

}  // namespace lastbit::cli
