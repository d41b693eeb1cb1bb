// lastbit account: what many releases lose together.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/account/account_parts.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/number_option.h"
#include "cli/terminal/progress.h"
#include "lastbit/base/text.h"
#include "lastbit/numerics/decimal.h"
#include "lastbit/report/document.h"
#include "lastbit/report/ledger_report.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/plan_report.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

using report::Align;
using report::Colour;
using report::damage_text;
using report::dumped;
using report::grouped;
using report::indented;
using report::Paint;
using report::short_text;
using report::Table;
using report::terminal_width;
using report::wrapped;

namespace {

constexpr int kShownDigits = 6;
constexpr int kJsonDigits = 12;
constexpr std::size_t kShownParts = 12;
// Without a delta there is no least one; smaller deltas than this mean nothing to anybody.
constexpr const char* kLeastDelta = "1e-20";

std::string up_text(const std::optional<Rational>& value, int digits) {
  return value ? decimal_text(*value, digits, Rounding::kUp) : "infinite";
}
std::string down_text(const std::optional<Rational>& value, int digits) {
  return value ? decimal_text(*value, digits, Rounding::kDown) : "infinite";
}

// Question: what is asked for, and of what.
struct Question {
  std::string file;
  std::optional<LedgerContents> ledger;
  std::vector<LossPart> parts;
  std::vector<Rational> deltas;  // the first one was asked for
  std::optional<Rational> epsilon;
};

std::string parts_text(const Question& question, const Paint& paint) {
  Table table({{"times", Align::kRight}, {"loss"}});
  const std::size_t shown = std::min(question.parts.size(), kShownParts);
  for (std::size_t i = 0; i < shown; ++i) {
    table.add({grouped(question.parts[i].times), loss_text(question.parts[i].loss)});
  }
  std::string text = table.render(paint, terminal_width(STDOUT_FILENO));
  if (shown < question.parts.size()) {
    text += fmt::format("  … and {} more\n", grouped(question.parts.size() - shown));
  }
  return text;
}

std::string bounds_sentence(const Question& question, const TotalLoss& total) {
  const Rational& delta = question.deltas.front();
  const LossRange range = total.epsilon(delta);
  if (!range.upper) {
    return fmt::format(
        "No epsilon can be stated at delta {}: the deltas of the releases alone may use it up. Ask "
        "for a larger delta.",
        short_text(delta));
  }
  std::string text =
      fmt::format("Together they lose at most epsilon {} at delta {}. This is proved.",
                  up_text(range.upper, kShownDigits), short_text(delta));
  if (range.lower && range.lower->sign() > 0) {
    text += fmt::format(" No number below {} holds for all releases with these losses.",
                        down_text(range.lower, kShownDigits));
  }
  return text;
}

std::string deltas_text(const Question& question, const TotalLoss& total, const Paint& paint) {
  Table table({{"delta", Align::kRight},
               {"epsilon at most", Align::kRight},
               {"at least", Align::kRight},
               {"plain sum", Align::kRight}});
  for (const Rational& delta : question.deltas) {
    const LossRange range = total.epsilon(delta);
    const bool asked = &delta == &question.deltas.front();
    table.add({short_text(delta),
               {up_text(range.upper, kShownDigits), asked ? Colour::kBold : Colour::kNone},
               down_text(range.lower, kShownDigits),
               up_text(total.simple_epsilon(delta), kShownDigits)});
  }
  return table.render(paint, terminal_width(STDOUT_FILENO)) + "\n" +
         indented(wrapped(bounds_sentence(question, total), 90), 2);
}

std::string epsilon_text(const Rational& epsilon, const TotalLoss& total) {
  const LossRange range = total.delta(epsilon);
  if (range.upper && range.upper->sign() == 0) {
    return indented(wrapped(fmt::format("Together they lose at most epsilon {}, and delta 0 "
                                        "suffices. This is proved.",
                                        short_text(epsilon)),
                            90),
                    2);
  }
  return indented(
      wrapped(fmt::format("Together they lose at most epsilon {} with delta {}. This is proved. No "
                          "delta below {} holds for all releases with these losses.",
                          short_text(epsilon), up_text(range.upper, kShownDigits),
                          down_text(range.lower, kShownDigits)),
              90),
      2);
}

std::string ledger_text(const Question& question) {
  if (!question.ledger) return "";
  return indented(
      wrapped(fmt::format("The ledger itself counts plain sums, which allow any choice: {} spent "
                          "of {}. That does not change.",
                          question.ledger->spent.to_string(),
                          question.ledger->budget.cap().to_string()),
              90),
      2);
}

std::string in_words(const Question& question, const TotalLoss& total, const Paint& paint) {
  std::string text = "\n" + parts_text(question, paint) + "\n";
  text += question.epsilon ? epsilon_text(*question.epsilon, total)
                           : deltas_text(question, total, paint);
  text += indented(wrapped("It holds for losses that were fixed in advance: how many releases, and "
                           "what each may lose. What they ask may depend on earlier answers. If "
                           "you choose a loss after seeing answers, only plain sums hold.",
                           90),
                   2);
  return text + ledger_text(question) + "\n";
}

nlohmann::ordered_json as_json(const Question& question, const TotalLoss& total) {
  const auto number = [](const std::optional<Rational>& value, Rounding rounding) {
    return value ? nlohmann::ordered_json(decimal_text(*value, kJsonDigits, rounding))
                 : nlohmann::ordered_json(nullptr);
  };
  const auto ends = [&](const LossRange& range) {
    return nlohmann::ordered_json{{"at_most", number(range.upper, Rounding::kUp)},
                                  {"at_least", number(range.lower, Rounding::kDown)}};
  };
  nlohmann::ordered_json json = {{"parts", nlohmann::ordered_json::array()}};
  for (const LossPart& part : question.parts) json["parts"].push_back(part_json(part));
  json["holds_for"] = "losses fixed in advance";
  if (question.epsilon) {
    json["epsilon"] = question.epsilon->to_string();
    json["delta"] = ends(total.delta(*question.epsilon));
  } else {
    auto list = nlohmann::ordered_json::array();
    for (const Rational& delta : question.deltas) {
      list.push_back({{"delta", delta.to_string()},
                      {"epsilon", ends(total.epsilon(delta))},
                      {"plain_sum", number(total.simple_epsilon(delta), Rounding::kUp)}});
    }
    json["losses"] = std::move(list);
  }
  if (question.ledger) {
    json["ledger"] = {{"file", question.file},
                      {"spent", report::cost_as_json(question.ledger->spent)},
                      {"budget", report::cost_as_json(question.ledger->budget.cap())}};
  }
  return json;
}

LedgerContents whole_ledger(const std::string& file) {
  LedgerContents contents =
      Ledger::open(LedgerAddress::parse(file), Ledger::Access::kRead).verify();
  if (!contents.damage) return contents;
  throw Error(ErrorCode::kBadInput, lastbit::quote(file, 200),
              "is damaged: " + damage_text(*contents.damage),
              "see lastbit ledger show, and restore it from a copy");
}

void read_target(const Arguments& parser, const NumberOption& delta, const NumberOption& epsilon,
                 Question& question) {
  question.epsilon = epsilon.optional();
  const auto given = delta.optional();
  if (given && question.epsilon) {
    throw parser.wrong("--delta and --epsilon are both given", "give one, to learn the other");
  }
  if (question.epsilon) {
    if (question.epsilon->sign() >= 0) return;
    throw parser.wrong("--epsilon is negative", "give a number that is 0 or more");
  }
  const Rational asked = given.value_or(rational("1e-6"));
  const Rational least = Rational::two_to(-260);
  if (asked < least || asked >= Rational(1)) {
    throw parser.wrong(fmt::format("--delta ({}) cannot be used", short_text(asked)),
                       "give a small positive probability such as 1e-6; with delta 0, epsilons "
                       "simply add up");
  }
  question.deltas = {asked, asked / Rational(1000), asked / Rational(1'000'000)};
}

}  // namespace

int run_account(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "account",
      "Say what many releases lose together: the epsilon at a delta, or the delta at an epsilon. "
      "Both ends of the answer are proved. Losses are given as options or read from a LEDGER. A "
      "plain sum of epsilons is far too high for many small losses; this is the exact total, for "
      "losses that were fixed in advance.",
      "  lastbit account --pure 0.1x100 --delta 1e-6\n"
      "  lastbit account --laplace 0.1x10000 --gaussian 50x200\n"
      "  lastbit account --pure 0.1 --times 100 --epsilon 3 --json\n"
      "  lastbit account survey.ledger --delta 1e-9\n");
  std::vector<std::string> files;
  parser.add_arguments("LEDGER", files, "A ledger, for the losses of all its entries",
                       Arguments::Count::kAny);
  const LossOptions losses(parser);
  const NumberOption delta(parser, "--delta", "The delta to state an epsilon for (1e-6)");
  const NumberOption epsilon(parser, "--epsilon", "The epsilon to state a delta for");
  if (!parser.parse(arguments, out)) return kExitOk;
  if (files.size() > 1) throw parser.wrong("more than one ledger is given", "give one at a time");
  Question question;
  read_target(parser, delta, epsilon, question);
  question.parts = losses.parts();
  if (!files.empty()) {
    question.file = files.front();
    question.ledger = whole_ledger(question.file);
    std::vector<LossPart> entries = parts_of(*question.ledger);
    question.parts.insert(question.parts.begin(), entries.begin(), entries.end());
  }
  if (question.parts.empty()) {
    throw parser.wrong(files.empty() ? "no losses are given" : "the ledger has no entries yet",
                       "give some, as in --pure 0.1x100");
  }
  std::optional<Progress> progress;
  const TotalLoss total(question.parts,
                        question.epsilon ? rational(kLeastDelta) : question.deltas.back(),
                        [&](std::uint64_t done, std::uint64_t all) {
                          if (!progress) progress.emplace("composing", all);
                          progress->update(done);
                        });
  progress.reset();
  if (parser.json()) {
    out.write(dumped(as_json(question, total)));
  } else {
    out.write(in_words(question, total, Paint::for_terminal(STDOUT_FILENO)));
  }
  return kExitOk;
}

}  // namespace lastbit::cli
