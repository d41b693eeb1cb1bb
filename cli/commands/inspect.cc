// lastbit inspect: what the rows of a release hold, for the custodian alone.
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands/release_limits.h"
#include "cli/commands/release_output.h"
#include "cli/commands/release_prepare.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/interruption.h"
#include "cli/terminal/progress.h"
#include "lastbit/engines/engines.h"
#include "lastbit/release/run.h"
#include "lastbit/report/document.h"
#include "lastbit/report/inspection/inspection_report.h"

namespace lastbit::cli {

int run_inspect(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "inspect",
      "Look at the data of a release before it is made: fields that cannot be read, values beyond "
      "bounds, keys that are not listed, rows that the limits leave out, and what other limits "
      "would keep and cost in noise. The output is PRIVATE: it describes the rows without noise, "
      "so never publish it. Nothing is spent, and no ledger is opened. Exit code 0 also when "
      "problems are found.",
      "  lastbit inspect survey.toml\n"
      "  lastbit inspect survey.toml --json\n"
      "  lastbit inspect survey.toml --memory 4GB --spill /scratch\n");
  std::string file;
  parser.add_argument("FILE", file, "The release file");
  const LimitOptions limits(parser);
  if (!parser.parse(arguments, out)) return kExitOk;

  Progress progress("reading the data", kProgressSteps);
  try {
    const ReleasePlan plan = plan_file(file, engine_for_files());
    const Inspection inspection = inspect_with_signals(plan, watched(limits.limits(), progress));
    if (parser.json()) {
      out.write(report::dumped(report::inspection_json(inspection)));
    } else {
      out.write(report::inspection_text(inspection, report::Paint::for_terminal(STDOUT_FILENO),
                                        report::terminal_width(STDOUT_FILENO)));
    }
  } catch (const Interrupted& interrupted) {  // everything is cleaned up by now
    end_by(interrupted);
  }
  return kExitOk;
}

}  // namespace lastbit::cli
