// lastbit query: one SQL statement about a dataset, answered once.
#include <string>

#include "cli/commands/query/query_steps.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/interruption.h"

namespace lastbit::cli {

int run_query(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "query",
      "Answer one SQL statement about a dataset, with noise, and book its cost in the ledger of "
      "the "
      "dataset. A dataset is a release file without statistics. The price covers the whole "
      "statement. What cannot be answered privately is refused before anything is read or spent. "
      "--plan spends nothing. Exit code 1 when the ledger refuses: it has too little left, it is "
      "about another unit or other data (--same-people), or it holds this query already (--again).",
      "  lastbit query survey.toml \"SELECT count(*) FROM data\" --epsilon 0.1\n"
      "  lastbit query survey.toml --epsilon 0.2 --plan \\\n"
      "      \"SELECT region, avg(income) FROM data WHERE age >= 18 GROUP BY region\"\n"
      "  lastbit query survey.toml --epsilon 0.2 \\\n"
      "      \"SELECT avg(clamp(income / 12, 0, 10000)) AS monthly FROM data\"\n"
      "  lastbit query survey.toml --epsilon 0.5 --discover-delta 1e-7 \\\n"
      "      \"SELECT job, count(*) FROM data GROUP BY job ORDER BY 2 DESC LIMIT 10\"\n");
  std::string dataset;
  std::string statement;
  bool plan_only = false;
  parser.add_argument("DATASET", dataset, "The release file that describes the data");
  parser.add_argument("STATEMENT", statement, "SELECT … FROM data …");
  parser.add_flag("--plan", plan_only, "Show the price and the errors, and spend nothing");
  const QueryOptions options(parser);
  parser.explain_leftovers("the statement is split into several arguments",
                           "put it in double quotes, as in lastbit query survey.toml \"SELECT "
                           "count(*) FROM data\" --epsilon 0.1");
  if (!parser.parse(arguments, out)) return kExitOk;

  static_cast<void>(options.rows());  // wrong options are refused before anything is read
  const PlannedQuery query = plan_statement(dataset, statement, options.terms(), options);
  if (plan_only) {
    const bool pays = show_query_plan(query, statement, options, parser.json(), out);
    if (!parser.json()) out.write("  Nothing was spent, and no row was read.\n");
    return pays ? kExitOk : kExitViolation;
  }
  try {
    answer_query(query, statement, options, parser.json(), out);
  } catch (const Interrupted& interrupted) {  // everything is cleaned up by now
    end_by(interrupted);
  }
  return kExitOk;
}

}  // namespace lastbit::cli
