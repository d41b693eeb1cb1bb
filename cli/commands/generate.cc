// lastbit generate: synthetic data to try things on.
#include <fmt/core.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands/reports.h"
#include "cli/demo/survey.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/output.h"
#include "lastbit/base/text.h"

namespace lastbit::cli {

using report::dumped;

namespace {

constexpr std::uint64_t kMostGeneratedRows = 10'000'000'000;

void require_known(const Arguments& parser, const std::string& kind) {
  if (kind == "survey") return;
  const std::vector<std::string> kinds = {"survey"};
  const auto nearest = nearest_name(kind, kinds);
  throw parser.wrong(fmt::format("there is nothing called {} to generate", lastbit::quote(kind)),
                     nearest ? fmt::format("did you mean {}?", *nearest)
                             : "the only kind is survey: lastbit generate survey");
}

void print_summary(Sink& out, std::uint64_t rows, std::uint64_t seed, const std::string& file) {
  const nlohmann::ordered_json document = {
      {"kind", "survey"}, {"rows", rows}, {"seed", seed}, {"file", file}};
  out.write(dumped(document));
}

}  // namespace

int run_generate(CommandArguments arguments, Sink& out) {
  Arguments parser("generate",
                   "Write a synthetic survey of people as CSV. Rows depend on the seed alone: one "
                   "seed gives the same bytes everywhere. Missing answers are empty fields.",
                   "  lastbit generate survey | head\n"
                   "  lastbit generate survey --rows 1000000 --seed 7 --out survey.csv\n"
                   "  lastbit generate survey --out survey.csv --json\n");
  std::string kind;
  std::string rows_text = "40000";
  std::string seed_text = "1";
  std::string file = "-";
  parser.add_argument("KIND", kind, "What to generate: survey");
  parser.add_option("--rows", rows_text, "Number of people (40000)", "N");
  parser.add_option("--seed", seed_text, "Which survey (1)", "N");
  bool force = false;
  parser.add_option("--out", file, "File to write; - is standard output (-)", "FILE");
  parser.add_flag("--force", force, "Replace a file that exists");
  if (!parser.parse(arguments, out)) return kExitOk;

  require_known(parser, kind);
  // A file of this name may hold real people.
  if (!force) refuse_existing(file);
  const auto rows = parser.whole_number("--rows", rows_text, 0, kMostGeneratedRows);
  const auto seed =
      parser.whole_number("--seed", seed_text, 0, std::numeric_limits<std::uint64_t>::max());
  if (file == "-") {
    if (parser.json()) {
      throw parser.wrong("--json and the survey cannot share standard output",
                         "add --out FILE for the survey");
    }
    write_survey(out, rows, seed);
    return kExitOk;
  }
  OutputFile target(file);
  write_survey(target.sink(), rows, seed);
  target.commit();
  if (parser.json()) print_summary(out, rows, seed, file);
  return kExitOk;
}

}  // namespace lastbit::cli
