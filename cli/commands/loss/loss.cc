// lastbit loss: what the snapping mechanism loses in floating point: the proved bound and the exact
// loss.
#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/loss/loss_derivation.h"
#include "cli/commands/loss/loss_files.h"
#include "cli/commands/loss/loss_gallery.h"
#include "cli/commands/loss/loss_report.h"
#include "cli/commands/loss/loss_study.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/number_option.h"
#include "lastbit/base/text.h"
#include "lastbit/report/document.h"

namespace lastbit::cli {

using report::dumped;
using report::Paint;
using report::Table;

namespace {

constexpr std::uint64_t kMostCandidates = 100'000'000;
constexpr std::uint64_t kMostBits = 4096;

std::string examples() {
  return "  lastbit loss --epsilon 1 --bound 64\n"
         "  lastbit loss --epsilon 1 --lower 0 --upper 100 --shipped --search 200\n"
         "  lastbit loss --epsilon 1 --bound 64 --x 12.37 --x2 13.37 --plot loss.svg\n"
         "  lastbit loss --epsilon 1 --bound 64 --derivation\n"
         "  lastbit loss --epsilon 1 --bound 64 --certificate loss.json --coq loss.v\n"
         "  lastbit loss --epsilon 1 --bound 64 --model grid-uniform --claim 1.1\n"
         "  lastbit loss --epsilon 1 --bound 16 --model fine-grid --grid 2^-8\n"
         "  lastbit loss --gallery\n";
}

struct LossOptions {
  explicit LossOptions(Arguments& parser)
      : epsilon(parser, "--epsilon", "The noise has scale sensitivity/epsilon, rounded up"),
        bound(parser, "--bound", "Answers lie in [-B, B]"),
        lower(parser, "--lower", "Answers lie in [L, U]; instead of --bound"),
        upper(parser, "--upper", "See --lower"),
        sensitivity(parser, "--sensitivity", "How far apart inputs may be", "1"),
        x(parser, "--x", "The loss for this input and --x2, instead of a search"),
        x2(parser, "--x2", "See --x"),
        claim(parser, "--claim", "Exit with 1 when a loss above this is found") {
    parser.add_option("--precision", precision, "Bits of the floats (53)", "P");
    parser.add_option("--search", search, "Random pairs to try beyond the structured ones (0)",
                      "N");
    parser.add_option("--seed", seed, "Seed of the search: the same seed gives the same answer (1)",
                      "N");
    parser.add_option("--model", model, "What runs; --models lists them (unit-float)", "NAME");
    parser.add_option("--grid", grid, "For the model fine-grid: its spacing, such as 2^-8", "2^N");
    parser.add_option("--uniform-bits", uniform_bits,
                      "For the model fewer-bits: the bits of u (P - 1)", "N");
    parser.add_flag("--models", models, "List the models");
    parser.add_flag("--gallery", gallery, "Judge mechanisms that are known to be wrong");
    parser.add_flag("--shipped", shipped, "Use the scale that lastbit snap chooses for epsilon");
    parser.add_flag("--derivation", derivation, "Show how the proved bound is derived");
    parser.add_flag("--anyway", anyway, "Run outside the domain of the theorem too");
  }

  NumberOption epsilon;
  NumberOption bound;
  NumberOption lower;
  NumberOption upper;
  NumberOption sensitivity;
  NumberOption x;
  NumberOption x2;
  NumberOption claim;
  std::string precision = "53";
  std::string search;
  std::string seed = "1";
  std::string model;
  std::string grid;
  std::string uniform_bits;
  bool models = false;
  bool gallery = false;
  bool shipped = false;
  bool derivation = false;
  bool anyway = false;
};

Grid read_grid(const Arguments& parser, const std::string& text) {
  const std::string digits = text.starts_with("2^") ? text.substr(2) : "";
  int exponent = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, exponent);
  if (error == std::errc() && stop == end) return Grid(exponent);
  throw parser.wrong(fmt::format("{} cannot be the value of --grid", lastbit::quote(text)),
                     "give a power of two such as 2^-8");
}

void set_bounds(const Arguments& parser, const LossOptions& options, LossQuestion& question) {
  const auto bound = options.bound.optional();
  const auto lower = options.lower.optional();
  const auto upper = options.upper.optional();
  if (bound && !lower && !upper) {
    question.lower = -*bound;
    question.upper = *bound;
  } else if (!bound && lower && upper) {
    question.lower = *lower;
    question.upper = *upper;
  } else {
    throw parser.wrong("one of --bound or (--lower and --upper) is needed, not both",
                       "give --bound a number, or --lower and --upper");
  }
}

void set_inputs(const Arguments& parser, const LossOptions& options, LossQuestion& question) {
  const auto x = options.x.optional();
  const auto x2 = options.x2.optional();
  if (x.has_value() != x2.has_value()) {
    throw parser.wrong("one of --x and --x2 is missing", "give both, or neither for a search");
  }
  if (x && x2) {
    if (!options.search.empty()) {
      throw parser.wrong("--search looks for a pair, and --x, --x2 give one", "leave one out");
    }
    question.pair.emplace(*x, *x2);
  }
  if (!options.search.empty()) {
    question.candidates = parser.whole_number("--search", options.search, 0, kMostCandidates);
  }
  constexpr std::uint64_t kMostSeed = 9'223'372'036'854'775'807U;
  question.seed = parser.whole_number("--seed", options.seed, 0, kMostSeed);
}

LossQuestion question_of(const Arguments& parser, const LossOptions& options) {
  LossQuestion question;
  question.epsilon = options.epsilon.value();
  question.sensitivity = options.sensitivity.value();
  set_bounds(parser, options, question);
  set_inputs(parser, options, question);
  question.precision =
      static_cast<int>(parser.whole_number("--precision", options.precision, 2, kMostBits));
  question.model_given = !options.model.empty();
  if (question.model_given) question.model = options.model;
  if (!options.grid.empty()) question.grid = read_grid(parser, options.grid);
  if (!options.uniform_bits.empty()) {
    question.uniform_bits =
        static_cast<int>(parser.whole_number("--uniform-bits", options.uniform_bits, 2, kMostBits));
  }
  question.shipped = options.shipped;
  question.anyway = options.anyway;
  return question;
}

void list_models(bool json, Sink& out) {
  if (json) {
    auto list = nlohmann::ordered_json::object();
    for (const std::string& name : model_names()) list[name] = std::string(model_sentence(name));
    out.write(dumped({{"models", std::move(list)}}));
    return;
  }
  Table table({{"model"}, {"what is special"}});
  for (const std::string& name : model_names()) {
    table.add({name, std::string(model_sentence(name))});
  }
  out.write(table.render(Paint::for_terminal(STDOUT_FILENO)));
}

}  // namespace

int run_loss(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "loss",
      "Say what the snapping mechanism loses when it runs in floating point: the bound that is "
      "proved, and the exact loss of the worst pair of inputs that is found, with a witness. "
      "Nothing is drawn and nothing estimated: probabilities are exact binary fractions. Exit code "
      "1 when a loss above the proved bound (a bug) or above --claim is found.",
      examples());
  LossOptions options(parser);
  LossFiles files;
  files.add_options(parser);
  if (!parser.parse(arguments, out)) return kExitOk;
  if (options.models) {
    list_models(parser.json(), out);
    return kExitOk;
  }
  files.require_different(parser);
  if (options.gallery) return show_gallery(parser.json(), out);
  const LossStudy answer = study(question_of(parser, options));
  const auto claim = options.claim.optional();
  const std::vector<std::string> written = files.write(answer);
  if (parser.json()) {
    out.write(dumped(loss_as_json(answer, claim)));
  } else {
    out.write(loss_as_text(answer, claim, Paint::for_terminal(STDOUT_FILENO)));
    for (const std::string& line : written) out.write("  " + line + "\n");
    if (options.derivation) {
      out.write(derivation_as_text(answer, Paint::for_terminal(STDOUT_FILENO)));
    }
  }
  const bool violated = answer.breaks_proved_bound() || (claim && answer.exceeds(*claim));
  return violated ? kExitViolation : kExitOk;
}

}  // namespace lastbit::cli
