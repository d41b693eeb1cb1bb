// lastbit shell: SQL statements about a dataset, one after the other, each with its price before it
// is spent.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cli/commands/query/query_steps.h"
#include "cli/commands/release_ledger.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/interruption.h"
#include "cli/terminal/line_editor.h"
#include "lastbit/base/escape.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/engines.h"
#include "lastbit/release/plan_ledger.h"
#include "lastbit/report/numbers/answer_numbers.h"
#include "lastbit/report/release/words.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {
namespace {

using report::cost_words;
using report::Table;

constexpr std::string_view kShellHelp =
    "  Write a statement and end it with a semicolon. Its plan is shown, and nothing is spent\n"
    "  before you answer y.\n"
    "\n"
    "    SELECT region, count(*), avg(income) FROM data WHERE age >= 18 GROUP BY region;\n"
    "\n"
    "  \\columns      the columns, with their bounds and keys\n"
    "  \\budget       what is left in the ledger\n"
    "  \\price 0.2    what the next statements cost, each\n"
    "  \\help         this help\n"
    "  \\quit         the end\n";

std::string without_space(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kSpace) - first + 1));
}

// is_quoted: whether the end of the text is inside quotes.
bool is_quoted(std::string_view statement) {
  char open = 0;  // the quote that waits for another one
  for (const char c : statement) {
    if (open == c) {
      open = 0;
    } else if (open == 0 && (c == '\'' || c == '"')) {
      open = c;
    }
  }
  return open != 0;
}

// end_of_first: where the first statement ends, behind its semicolon; nothing if it goes on. A
// semicolon inside quotes ends nothing.
std::optional<std::size_t> end_of_first(std::string_view text) {
  for (std::size_t at = text.find(';'); at != std::string_view::npos; at = text.find(';', at + 1)) {
    if (!is_quoted(text.substr(0, at))) return at + 1;
  }
  return std::nullopt;
}

std::string keys_in_words(const KeySet& keys) {
  if (const auto* range = std::get_if<KeyRange>(&keys)) {
    return fmt::format("{} to {}", range->first, range->last);
  }
  constexpr std::size_t kMostShown = 6;
  std::vector<std::string> shown;
  for (const KeyValue& key : std::get<KeyList>(keys)) {
    if (shown.size() == kMostShown) {
      shown.emplace_back("…");
      break;
    }
    shown.push_back(report::shown_key(text_of(key)));
  }
  return joined(shown, ", ");
}

// Shell: reads lines until they end, or until \quit.
class Shell {
 public:
  Shell(std::string dataset, const QueryOptions& options, Sink& out)
      : path_(std::move(dataset)),
        options_(options),
        terms_(options.terms()),
        out_(out),
        dataset_(open_dataset(read_dataset_text(path_), engine_for_files())),
        lines_(out) {
    options.ledger().redirect(dataset_.plan);
  }

  void run() {
    show_budget();
    out_.write("  \\help says how to ask.\n");
    std::string statement;
    while (const auto line = next_line(prompt_after(statement))) {
      const std::string text = without_space(*line);
      if (text == "\\quit" || text == "\\q") return;
      if (text.starts_with('\\') && !is_quoted(statement)) {
        lines_.remember(text);
        tried_in_words([&] { obey(text); });
        continue;
      }
      if (statement.empty() && text.empty()) continue;
      statement += (statement.empty() ? "" : "\n") + *line;
      while (const auto end = end_of_first(statement)) {
        const std::string first = statement.substr(0, *end);
        statement = without_space(statement.substr(*end));
        // Somebody who types ;; means one end.
        if (without_space(first) == ";") continue;
        lines_.remember(first);
        tried_in_words([&] { ask(first); });
      }
    }
    if (!statement.empty()) tried_in_words([&] { ask(statement); });
  }

 private:
  static std::string prompt_after(const std::string& statement) {
    if (statement.empty()) return "lastbit> ";
    return is_quoted(statement) ? "  quote> " : "    ...> ";
  }

  // The next line that was typed; nothing at the end.
  std::optional<std::string> next_line(const std::string& prompt) {
    if (waiting_) return std::exchange(waiting_, std::nullopt);
    return lines_.next(prompt);
  }

  // Mistakes in a statement, and what the ledger refuses, do not end the shell.
  void tried_in_words(const auto& action) {
    try {
      action();
    } catch (const Failure&) {
      throw;
    } catch (const Error& error) {
      const bool about_statement =
          error.code() == ErrorCode::kBadInput || error.code() == ErrorCode::kBudget ||
          error.code() == ErrorCode::kRefused || error.code() == ErrorCode::kMismatch ||
          error.code() == ErrorCode::kBadText;
      if (!about_statement) throw;
      out_.write(fmt::format("  {}\n", error.what()));
    }
  }

  void obey(const std::string& command) {
    const std::string word = command.substr(0, command.find(' '));
    if (word == "\\columns") return show_columns();
    if (word == "\\budget") return show_budget();
    if (word == "\\price") return set_price(without_space(command.substr(word.size())));
    if (word != "\\help") out_.write(fmt::format("  There is no command {}.\n", quote(word)));
    out_.write(kShellHelp);
  }

  void set_price(const std::string& text) {
    if (!text.empty()) {
      const Rational price = Rational::parse(text);
      if (price <= Rational(0)) {
        out_.write("  A price is above 0.\n");
        return;
      }
      terms_.loss = price;
    }
    out_.write(fmt::format("  Each statement costs {}.\n", price_words()));
  }

  std::string price_words() const {
    return cost_words(terms_.kind == ShareKind::kRho ? Cost::concentrated(terms_.loss)
                                                     : Cost::pure(terms_.loss));
  }

  void show_budget() {
    const auto ledger = find_ledger(dataset_.plan, Ledger::Access::kRead);
    if (!ledger) {
      out_.write(
          fmt::format("  There is no ledger yet: {}\n", suggest_ledger_command(dataset_.plan)));
      return;
    }
    const Cost left = ledger->budget().left(ledger->spent());
    out_.write(fmt::format("  {} is left in {}; each statement costs {}.\n",
                           cost_words(left, Rounding::kDown), shown_text(dataset_.plan.ledger),
                           price_words()));
  }

  void show_columns() {
    const ReleaseFile& release = dataset_.plan.release;
    Table table({{"column"}, {"type"}, {"bounds"}, {"keys"}, {"derived from"}});
    const auto add = [&](const std::string& name, const std::string& derived) {
      const ColumnDeclaration* column = release.find_column(name);
      const bool bounded = column != nullptr && column->lower && column->upper;
      table.add({shown_text(name),
                 std::string(column != nullptr && column->type ? name_of(column->type->value) : ""),
                 bounded ? fmt::format("{} to {}", column->lower->value.to_string(),
                                       column->upper->value.to_string())
                         : "",
                 column != nullptr && column->keys ? keys_in_words(column->keys->value) : "",
                 shown_text(derived)});
    };
    for (const SchemaColumn& column : dataset_.columns) add(column.name, "");
    for (const Derivation& column : release.derived) {
      add(column.name.value, column.expression.text.value);
    }
    out_.write(table.render(report::Paint::for_terminal(STDOUT_FILENO),
                            report::terminal_width(STDOUT_FILENO)));
  }

  void ask(const std::string& statement) {
    const PlannedQuery query = plan_statement(path_, statement, terms_, options_);
    if (!show_query_plan(query, statement, options_, false, out_)) return;
    const std::string question = fmt::format("  Spend {}? [y/N] ", cost_words(query.plan.cost));
    // The question is also shown where nobody types.
    if (!lines_.is_terminal()) out_.write(question + "\n");
    const std::string line = next_line(question).value_or("");
    const std::string answer = without_space(line);
    if (answer == "y" || answer == "Y" || answer == "yes") {
      return answer_query(query, statement, options_, false, out_);
    }
    // Whoever pastes two statements has not answered, but asked again.
    const bool is_answer = answer.empty() || answer == "n" || answer == "N" || answer == "no";
    out_.write(is_answer ? "  Nothing was spent.\n"
                         : "  Nothing was spent: that is not an answer, so it is read as the next "
                           "statement.\n");
    if (!is_answer) waiting_ = line;
  }

  std::string path_;
  const QueryOptions& options_;
  QueryTerms terms_;
  Sink& out_;
  Dataset dataset_;
  LineEditor lines_;
  std::optional<std::string> waiting_;  // a line that was read, and not used
};

}  // namespace

int run_shell(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "shell",
      "Ask SQL questions about a dataset, one after the other. Each statement ends with a "
      "semicolon; "
      "its price and errors are shown, and nothing is spent before you answer y. \\help lists what "
      "else can be typed. For programs there is lastbit query --json.",
      "  lastbit shell survey.toml --epsilon 0.1\n"
      "  lastbit shell survey.toml --rho 0.01\n");
  std::string dataset;
  parser.add_argument("DATASET", dataset, "The release file that describes the data");
  const QueryOptions options(parser);
  parser.without_json();
  if (std::ranges::find(arguments, "--json") != arguments.end()) {
    throw parser.wrong("the shell is for people", "use lastbit query --json");
  }
  if (!parser.parse(arguments, out)) return kExitOk;
  static_cast<void>(options.rows());
  try {
    Shell(dataset, options, out).run();
  } catch (const Interrupted& interrupted) {  // everything is cleaned up by now
    end_by(interrupted);
  }
  return kExitOk;
}

}  // namespace lastbit::cli
