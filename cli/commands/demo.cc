// lastbit demo: a survey, its release, and a second one that the budget refuses.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "cli/commands/release_folder.h"
#include "cli/commands/release_output.h"
#include "cli/commands/release_prepare.h"
#include "cli/demo/demo_file.h"
#include "cli/demo/survey.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/interruption.h"
#include "cli/terminal/output.h"
#include "cli/terminal/progress.h"
#include "lastbit/base/escape.h"
#include "lastbit/base/stopwatch.h"
#include "lastbit/engines/engines.h"
#include "lastbit/report/document.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/plan_report.h"
#include "lastbit/report/release/release_report.h"
#include "lastbit/report/release/words.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

using report::answers_csv;
using report::Colour;
using report::dumped;
using report::duration;
using report::grouped;
using report::LedgerPosition;
using report::Paint;
using report::plan_json;
using report::plan_report;
using report::plan_table;
using report::PlanReport;
using report::release_html;
using report::release_json;
using report::release_table;
using report::terminal_width;

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostDemoRows = 100'000'000;
// The budget of the ledger: enough for one release of epsilon 1, not for two.
constexpr const char* kCap = "3/2";

struct Places {
  fs::path folder;
  fs::path survey() const { return folder / "survey.csv"; }
  fs::path file() const { return folder / "survey.toml"; }
  fs::path ledger() const { return folder / "survey.ledger"; }
  fs::path report() const { return folder / "report"; }
};

struct DemoSurvey {
  std::uint64_t rows = 0;
  std::uint64_t seed = 0;
};

bool is_former_demo(const Places& places) {
  std::ifstream file(places.file());
  std::string line;
  return std::getline(file, line) && line.starts_with(kDemoMark);
}

// prepare: the folder of the demo, without what an earlier demo left there. Other people's files,
// above all ledgers, are never touched.
Places prepare(const std::string& name) {
  if (name.empty()) return {make_temporary_folder()};
  const Places places{name};
  std::error_code error;
  fs::create_directories(places.folder, error);
  if (!fs::is_directory(places.folder)) {
    throw Failure::output(name, "cannot make this folder" + (error ? ": " + error.message() : ""),
                          "choose another with --out");
  }
  const bool former = is_former_demo(places);
  for (const fs::path& path :
       {places.report() / ReleaseFolder::kReport, places.report() / ReleaseFolder::kJson,
        places.report() / ReleaseFolder::kAnswers, places.survey(), places.ledger(),
        places.file()}) {
    if (!fs::exists(fs::symlink_status(path, error))) continue;
    if (!former) {
      throw Failure::output(path.string(), "this file exists and was not made by a demo",
                            "choose another folder with --out");
    }
    fs::remove(path, error);
  }
  return places;
}

// Stage: what the demo says as it goes, with the time that each stage took.
class Stage {
 public:
  Stage(Sink& out, bool silent) : out_(out), silent_(silent) {}

  void heading(const std::string& text) { say("\n" + paint_(Colour::kBold, text) + "\n\n"); }
  void command(const std::string& text) { say("  " + paint_(Colour::kDim, "$ " + text) + "\n"); }
  void say(const std::string& text) {
    if (silent_) return;
    out_.write(text);
    out_.flush();
  }
  const Paint& paint() const { return paint_; }
  // lap: seconds since the previous call.
  double lap() { return std::exchange(last_, Stopwatch()).seconds(); }

 private:
  Sink& out_;
  bool silent_;
  Paint paint_ = Paint::for_terminal(STDOUT_FILENO);
  Stopwatch last_;
};

std::string word(const fs::path& path) { return shell_text(path.string()); }

void make_survey(Stage& stage, const DemoSurvey& survey, const Places& places,
                 nlohmann::ordered_json& document) {
  stage.heading("1  A survey of invented households");
  // The first file written is the one by which a later demo knows that all of this may be removed.
  write_file(places.file(), demo_file(survey.seed));
  OutputFile target(places.survey());
  write_survey(target.sink(), survey.rows, survey.seed);
  target.commit();
  const double seconds = stage.lap();
  document["seconds"]["survey"] = seconds;
  stage.say(fmt::format("  {} people, in {}, written in {}\n", grouped(survey.rows),
                        shown_text(places.survey().string()), duration(seconds)));
}

// without_details: the plan without the details of single statistics, which the command shows.
std::string without_details(const std::string& table, const ReleasePlan& plan) {
  const std::string& first = plan.statistics.front().statistic.name.value;
  return table.substr(0, table.find(fmt::format("\n  {}: ", first)));
}

ReleasePlan make_plan(Stage& stage, const DemoSurvey& survey, const Places& places,
                      nlohmann::ordered_json& document) {
  stage.heading("2  What will be released, and what it will cost");
  stage.say(fmt::format("  The release file says it, with comments: {}\n\n",
                        shown_text(places.file().string())));
  const auto ledger = Ledger::create(places.ledger(), Budget(Cost::pure(Rational::parse(kCap))),
                                     "everything released about the invented survey");
  stage.command(fmt::format("lastbit ledger init {} --epsilon {}", word(places.ledger()), kCap));
  stage.command("lastbit plan " + word(places.file()));
  const Integer rows(std::max<std::uint64_t>(1, survey.rows / survey_regions().size()));
  const PlanReport report = plan_report(plan_file(places.file(), engine_for_files()),
                                        LedgerPosition{ledger.budget(), ledger.spent()}, rows);
  document["seconds"]["plan"] = stage.lap();
  document["plan"] = plan_json(report);
  const std::string table = plan_table(report, Paint(false), terminal_width(STDOUT_FILENO));
  stage.say(
      without_details(table, report.plan) +
      "\n  The command also says how each statistic is computed, and what may make it wrong.\n");
  return report.plan;
}

Release release_once(const ReleasePlan& plan, const Places& places) {
  Progress progress("reading the survey", kProgressSteps);
  Ledger ledger = Ledger::open(places.ledger());
  return BookedRelease(prepare_with_signals(plan, ledger, watched({}, progress)), ledger)
      .answer(thread_bit_source());
}

void release_first(Stage& stage, const ReleasePlan& plan, const Places& places,
                   nlohmann::ordered_json& document) {
  stage.heading("3  The release");
  stage.command(
      fmt::format("lastbit release {} --out {}", word(places.file()), word(places.report())));
  ReleaseFolder folder(places.report());
  const Release release = release_once(plan, places);
  const double seconds = stage.lap();
  document["seconds"]["release"] = seconds;
  document["release"] = release_json(plan, release);
  folder.write({.html = release_html(plan, release),
                .json = dumped(document["release"]),
                .csv = answers_csv(plan, release)});
  stage.say(release_table(plan, release, stage.paint(), terminal_width(STDOUT_FILENO)));
  stage.say(fmt::format("  Read, counted and protected in {}.\n", duration(seconds)));
}

// release_again: whether the ledger refused, as it should.
bool release_again(Stage& stage, const ReleasePlan& plan, const Places& places,
                   nlohmann::ordered_json& document) {
  stage.heading("4  The same release again");
  stage.command("lastbit release " + word(places.file()));
  document["refused"] = nullptr;
  try {
    release_once(plan, places);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kBudget) throw;
    document["refused"] = error.what();
    stage.say(fmt::format("  {} {}\n\n", stage.paint()(Colour::kRed, "lastbit:"),
                          shown_text(error.what())));
    stage.say(
        "  As it should: two releases together would give away more than the ledger allows.\n");
    return true;
  }
  stage.say("  " + stage.paint()(Colour::kRed, "It was not refused. That is a bug.") + "\n");
  return false;
}

int tour(const DemoSurvey& survey, const Places& places, bool json, Sink& out) {
  const Stopwatch watch;
  const fs::path report = fs::absolute(places.report() / ReleaseFolder::kReport);
  nlohmann::ordered_json document = {{"rows", survey.rows},
                                     {"seed", survey.seed},
                                     {"folder", places.folder.string()},
                                     {"report", report.string()},
                                     {"as_expected", false}};
  Stage stage(out, json);
  make_survey(stage, survey, places, document);
  const ReleasePlan plan = make_plan(stage, survey, places, document);
  release_first(stage, plan, places, document);
  const bool refused = release_again(stage, plan, places, document);
  const double seconds = watch.seconds();
  document["as_expected"] = refused;
  document["seconds"]["total"] = seconds;
  stage.say(fmt::format("\nDone in {}. Open the report in a browser: {}\n", duration(seconds),
                        stage.paint()(Colour::kBold, shown_text(report.string()))));
  if (json) out.write(dumped(document));
  return refused ? kExitOk : kExitViolation;
}

}  // namespace

int run_demo(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "demo",
      "Make a survey of invented people, plan a release of statistics about them, release it, and "
      "try it again, which the ledger refuses. Everything stays in one folder, with the report "
      "as a page.",
      "  lastbit demo\n"
      "  lastbit demo --rows 10000000 --out demo\n");
  std::string rows_text = "1000000";
  std::string seed_text = "1";
  std::string folder;
  parser.add_option("--rows", rows_text, "Number of people (1000000)", "N");
  parser.add_option("--seed", seed_text, "Which survey (1)", "N");
  parser.add_option("--out", folder, "Folder for everything (a new temporary one)", "DIR");
  if (!parser.parse(arguments, out)) return kExitOk;

  const auto rows = parser.whole_number("--rows", rows_text, 1, kMostDemoRows);
  const auto seed =
      parser.whole_number("--seed", seed_text, 0, std::numeric_limits<std::uint64_t>::max());
  try {
    return tour({rows, seed}, prepare(folder), parser.json(), out);
  } catch (const Interrupted& interrupted) {
    end_by(interrupted);
  }
}

}  // namespace lastbit::cli
