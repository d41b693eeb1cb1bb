#include "cli/demo/demo_chains.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands/reports.h"
#include "cli/demo/demo_statistics.h"
#include "cli/demo/survey.h"
#include "cli/demo/survey_table.h"
#include "cli/terminal/doomed.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/failure.h"
#include "cli/terminal/progress.h"
#include "lastbit/base/stopwatch.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

using report::Align;
using report::Colour;
using report::dumped;
using report::duration;
using report::grouped;
using report::indented;
using report::Paint;
using report::Table;
using report::terminal_width;

namespace {

constexpr const char* kNotPrivate =
    "Nothing here is a private release: results are exact values of synthetic data, without noise.";

struct Demo {
  std::uint64_t rows = 0;
  std::uint64_t seed = 0;
  std::optional<std::filesystem::path> file;  // where the survey stays, if it does
  double writing_seconds = 0;
  double reading_seconds = 0;
  std::vector<Statistic> statistics;
  WrongSum wrong;
  double seconds = 0;

  bool holds() const {
    return std::ranges::all_of(statistics, [](const Statistic& statistic) {
      return std::ranges::all_of(statistic.checks,
                                 [](const TimedReport& check) { return check.report.holds(); });
    });
  }
  bool as_expected() const { return holds() && !wrong.check.report.holds(); }
};

// survey_folder: the folder that was asked for, made if it is not there.
std::filesystem::path survey_folder(const std::string& name) {
  std::error_code error;
  std::filesystem::create_directories(name, error);
  if (!std::filesystem::is_directory(name)) {
    throw Failure::output(name, "cannot make this folder" + (error ? ": " + error.message() : ""),
                          "choose another with --out");
  }
  return name;
}

Demo walk_through(std::uint64_t rows, std::uint64_t seed, const std::string& folder) {
  Demo demo;
  demo.rows = rows;
  demo.seed = seed;
  const Stopwatch watch;
  const auto place = folder.empty() ? make_temporary_folder() : survey_folder(folder);
  const auto file = place / "survey.csv";
  std::optional<DoomedPath> doomed_folder;
  std::optional<DoomedPath> doomed_file;
  if (folder.empty()) {
    doomed_folder.emplace(place);
    doomed_file.emplace(file);
  } else {
    demo.file = file;
  }
  OutputFile target(file);
  write_survey(target.sink(), rows, seed);
  target.commit();
  demo.writing_seconds = watch.seconds();

  const Stopwatch reading;
  const SurveyTable survey = read_survey(file);
  demo.reading_seconds = reading.seconds();

  Progress progress("computing and checking", kStatistics);
  demo.statistics = survey_statistics(survey, std::max<std::size_t>(1, rows / 4),
                                      [&](std::size_t done) { progress.update(done); });
  demo.wrong = wrong_sum(survey);
  demo.seconds = watch.seconds();
  return demo;
}

std::string text_of(const Statistic& statistic, const Paint& paint) {
  const auto line = [&](const char* label, const std::string& text) {
    return "    " + paint(Colour::kDim, fmt::format("{:<13}", label)) + text + "\n";
  };
  return "\n  " + paint(Colour::kBold, statistic.title) + "\n" + line("chain", statistic.chain) +
         line("from", statistic.from) + line("to", statistic.to) +
         line("sensitivity",
              fmt::format("{} exactly: {}", statistic.sensitivity, statistic.meaning)) +
         line("result", statistic.readable + paint(Colour::kDim, "  exact, not private"));
}

std::string check_table(const std::vector<Statistic>& statistics, const Paint& paint) {
  Table table({{"statistic"},
               {"method"},
               {"inputs", Align::kRight},
               {"pairs", Align::kRight},
               {"verdict"},
               {"time", Align::kRight}});
  for (const Statistic& statistic : statistics) {
    std::string title = statistic.title;  // on the first of its lines only
    for (const auto& [report, seconds] : statistic.checks) {
      table.add({std::exchange(title, ""),
                 report.method,
                 grouped(report.members),
                 grouped(report.pairs),
                 {verdict(report), report.holds() ? Colour::kGreen : Colour::kRed},
                 duration(seconds)});
    }
  }
  return table.render(paint, terminal_width(STDOUT_FILENO));
}

std::string wrong_text(const WrongSum& wrong, const Paint& paint) {
  const bool differ = wrong.in_file_order != wrong.in_reverse_order;
  std::string text = fmt::format(
      "  The survey's incomes added as doubles, in the order of the file and in reverse:\n"
      "    {:.17g}\n"
      "    {:.17g}\n"
      "  {} Rounding depends on the order and on what\n"
      "  was added before, so the sensitivity of exact addition does not hold. The smallest "
      "tables\n"
      "  that show it, as the checker finds them:\n\n",
      wrong.in_file_order, wrong.in_reverse_order,
      differ ? "Nobody came or went, yet they differ." : "They agree here, by luck.");
  text += indented(explain(wrong.check.report), 2);
  return text + "\n  " +
         (wrong.check.report.holds() ? paint(Colour::kRed, "MISSED")
                                     : paint(Colour::kGreen, "caught")) +
         fmt::format(" in {}\n", duration(wrong.check.seconds));
}

std::string as_text(const Demo& demo) {
  const Paint paint = Paint::for_terminal(STDOUT_FILENO);
  const auto heading = [&](const std::string& text) {
    return "\n" + paint(Colour::kBold, text) + "\n";
  };
  std::string text = heading("1  A survey of invented people");
  text += fmt::format("\n  {} rows, seed {}: written in {}, read back through DuckDB in {}\n",
                      grouped(demo.rows), demo.seed, duration(demo.writing_seconds),
                      duration(demo.reading_seconds));
  if (demo.file) text += fmt::format("  kept in {}\n", demo.file->string());
  text += "\n  " + paint(Colour::kYellow, kNotPrivate) + "\n";
  text += heading("2  Statistics as chains, and what one person can do to each");
  for (const Statistic& statistic : demo.statistics) text += text_of(statistic, paint);
  text += heading("3  Are these claims true? The stability checker tries to refute them");
  text += "\n" + check_table(demo.statistics, paint);
  text += heading("4  A claim that is false: the sum of doubles");
  text += "\n" + wrong_text(demo.wrong, paint);
  return text + fmt::format("\nDone in {}.\n", duration(demo.seconds));
}

nlohmann::ordered_json as_json(const Demo& demo) {
  auto statistics = nlohmann::ordered_json::array();
  for (const Statistic& statistic : demo.statistics) {
    auto checks = nlohmann::ordered_json::array();
    for (const TimedReport& check : statistic.checks) checks.push_back(report_as_json(check));
    statistics.push_back({{"title", statistic.title},
                          {"chain", statistic.chain},
                          {"from", statistic.from},
                          {"to", statistic.to},
                          {"sensitivity", statistic.sensitivity},
                          {"meaning", statistic.meaning},
                          {"result", statistic.result},
                          {"seconds", statistic.seconds},
                          {"checks", std::move(checks)}});
  }
  nlohmann::ordered_json wrong = {{"in_file_order", demo.wrong.in_file_order},
                                  {"in_reverse_order", demo.wrong.in_reverse_order}};
  wrong.update(report_as_json(demo.wrong.check));
  nlohmann::ordered_json json = {{"private", false},
                                 {"note", kNotPrivate},
                                 {"rows", demo.rows},
                                 {"seed", demo.seed},
                                 {"file", nullptr},
                                 {"as_expected", demo.as_expected()},
                                 {"statistics", std::move(statistics)},
                                 {"wrong_sum", std::move(wrong)},
                                 {"seconds", demo.seconds}};
  if (demo.file) json["file"] = demo.file->string();
  return json;
}

}  // namespace

int show_chains(std::uint64_t rows, std::uint64_t seed, const std::string& folder, bool json,
                Sink& out) {
  const Demo demo = walk_through(rows, seed, folder);
  out.write(json ? dumped(as_json(demo)) : as_text(demo));
  return demo.as_expected() ? kExitOk : kExitViolation;
}

}  // namespace lastbit::cli
