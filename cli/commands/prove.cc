// lastbit prove: are mechanisms as private as they claim? A proof, a violation, or neither.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands/proof_files.h"
#include "cli/commands/prove_file.h"
#include "cli/commands/prove_floats.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/output.h"
#include "cli/terminal/progress.h"
#include "lastbit/base/text.h"
#include "lastbit/mechanisms/snapping.h"
#include "lastbit/report/document.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/table.h"
#include "lastbit/verify/lang/printer.h"
#include "lastbit/verify/report/theorem.h"

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
using report::wrapped;

namespace {

using Outcomes = std::vector<ProofOutcome>;

constexpr std::uint64_t kMostSeconds = 86'400;

// mechanism_files: the named files, and the *.dp files in the named folders.
std::vector<std::string> mechanism_files(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> inside;
    fs::recursive_directory_iterator entry(path, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      if (entry->path().extension() == ".dp") inside.push_back(entry->path().string());
    }
    if (error) {
      throw Error(ErrorCode::kBadInput, path, "cannot read this folder: " + error.message(),
                  "choose a folder that you may read");
    }
    if (inside.empty()) {
      throw Error(ErrorCode::kBadInput, path, "there is no .dp file in this folder",
                  "name a mechanism, or a folder with mechanisms");
    }
    std::ranges::sort(inside);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

Colour colour_of(verify::Verdict verdict) {
  switch (verdict) {
    case verify::Verdict::kProved:
      return Colour::kGreen;
    case verify::Verdict::kRefuted:
      return Colour::kRed;
    case verify::Verdict::kUnknown:
      break;
  }
  return Colour::kYellow;
}

nlohmann::ordered_json as_json(const ProofOutcome& outcome) {
  const verify::Decision& decision = outcome.decision;
  if (!outcome.problem.empty()) {
    return {{"file", outcome.file}, {"problem", outcome.problem}, {"as_expected", false}};
  }
  nlohmann::ordered_json json = {
      {"file", outcome.file},
      {"mechanism", decision.program.name},
      {"claim", verify::privacy_text(decision.program)},
      {"epsilon", verify::print_expression(decision.program.claimed_epsilon)},
      {"delta", verify::print_expression(decision.program.claimed_delta)},
      {"verdict", std::string(verify::verdict_name(decision.verdict))},
      {"as_expected", outcome.as_expected()},
      {"seconds", decision.seconds}};
  if (outcome.expected) json["expected"] = outcome.expected->verdict;
  if (decision.verdict == verify::Verdict::kProved) {
    json["theorem"] = verify::theorem_text(decision.program);
    json["least_epsilon"] = decision.least_epsilon;
    if (decision.least_factor) json["least_factor"] = decision.least_factor->to_string();
    json["steps"] = decision.theorem.steps;
    json["obligations"] = decision.theorem.obligations;
    json["certificate_bytes"] = decision.certificate.size();
    json["check_seconds"] = decision.check_seconds;
  }
  if (decision.witness) {
    const auto named = [](const verify::NamedValues& values) {
      auto object = nlohmann::ordered_json::object();
      for (const auto& [name, value] : values) object[name] = value;
      return object;
    };
    json["witness"] = {{"parameters", named(decision.witness->parameters)},
                       {"input1", named(decision.witness->input1)},
                       {"input2", named(decision.witness->input2)},
                       {"event", decision.witness->event},
                       {"probability1", decision.witness->probability1.to_string(12)},
                       {"probability2", decision.witness->probability2.to_string(12)},
                       {"loss", decision.witness->loss.to_string(12)},
                       {"claimed", decision.witness->epsilon.to_string(12)},
                       {"infinite_loss", decision.witness->infinite_loss}};
  }
  if (!decision.supported_epsilon.empty()) json["supported_epsilon"] = decision.supported_epsilon;
  if (decision.verdict == verify::Verdict::kUnknown) json["reason"] = decision.reason;
  return json;
}

std::string supported(const verify::Decision& decision) {
  if (decision.supported_epsilon.empty()) return "";
  return fmt::format("  couplings were found for {}\n", decision.supported_epsilon);
}

std::string in_words(const ProofOutcome& outcome, const Paint& paint) {
  const verify::Decision& decision = outcome.decision;
  const std::string verdict = paint(colour_of(decision.verdict),
                                    fmt::format("{}:", verify::verdict_name(decision.verdict)));
  switch (decision.verdict) {
    case verify::Verdict::kProved: {
      std::string text = fmt::format("{} {}\n", verdict, verify::theorem_text(decision.program));
      if (!decision.least_epsilon.empty()) {
        text += fmt::format("  least epsilon of this proof: {}\n", decision.least_epsilon);
      }
      return text + fmt::format(
                        "  found in {}; the kernel checked {} steps and {} side conditions "
                        "in {}\n",
                        duration(decision.seconds), grouped(decision.theorem.steps),
                        grouped(decision.theorem.obligations), duration(decision.check_seconds));
    }
    case verify::Verdict::kRefuted:
      return fmt::format("{} {} is not {}\n", verdict, decision.program.name,
                         verify::privacy_text(decision.program)) +
             indented(decision.witness ? verify::explain(*decision.witness) : "", 2) +
             supported(decision) + fmt::format("  found in {}\n", duration(decision.seconds));
    case verify::Verdict::kUnknown:
      break;
  }
  return fmt::format("{} neither a proof nor a violation was found for the claim that {} is {}\n",
                     verdict, decision.program.name, verify::privacy_text(decision.program)) +
         indented(wrapped(decision.reason, 96), 2) + supported(decision) +
         fmt::format("  gave up after {}\n", duration(decision.seconds));
}

// unexpected: what the file's EXPECT line asked for, if that differs.
std::string unexpected(const ProofOutcome& outcome) {
  if (!outcome.expected || outcome.as_expected()) return "";
  const bool has_epsilon = !outcome.expected->epsilon.empty();
  return fmt::format("EXPECTED {}{}{}", outcome.expected->verdict, has_epsilon ? " " : "",
                     outcome.expected->epsilon);
}

std::string as_table(const Outcomes& outcomes, const Paint& paint) {
  Table table({{"mechanism"},
               {"verdict"},
               {"claimed"},
               {"least"},
               {"decided in", Align::kRight},
               {"checked in", Align::kRight},
               {"note"}});
  for (const ProofOutcome& outcome : outcomes) {
    if (!outcome.problem.empty()) {
      const std::string first_line = outcome.problem.substr(0, outcome.problem.find('\n'));
      table.add({outcome.file, {"unreadable", Colour::kRed}, "", "", "", "", first_line});
      continue;
    }
    const bool is_proved = outcome.decision.verdict == verify::Verdict::kProved;
    table.add({outcome.decision.program.name,
               {std::string(verify::verdict_name(outcome.decision.verdict)),
                colour_of(outcome.decision.verdict)},
               verify::print_expression(outcome.decision.program.claimed_epsilon),
               is_proved ? outcome.decision.least_epsilon : outcome.decision.supported_epsilon,
               duration(outcome.decision.seconds),
               is_proved ? duration(outcome.decision.check_seconds) : "",
               {unexpected(outcome), Colour::kRed}});
  }
  return table.render(paint, terminal_width(STDOUT_FILENO));
}

std::string counted(const Outcomes& outcomes, const Paint& paint) {
  std::vector<std::string> counts;
  for (const auto verdict :
       {verify::Verdict::kProved, verify::Verdict::kRefuted, verify::Verdict::kUnknown}) {
    const auto count = std::ranges::count_if(outcomes, [&](const ProofOutcome& outcome) {
      return outcome.problem.empty() && outcome.decision.verdict == verdict;
    });
    counts.push_back(fmt::format("{} {}", count, verify::verdict_name(verdict)));
  }
  double seconds = 0;
  for (const ProofOutcome& outcome : outcomes)
    seconds += outcome.decision.seconds + outcome.decision.check_seconds;
  const auto good = std::ranges::count_if(outcomes, &ProofOutcome::as_expected);
  const bool all = good == std::ssize(outcomes);
  return fmt::format("\n  {} in {}; {}\n", joined(counts, ", "), duration(seconds),
                     paint(all ? Colour::kGreen : Colour::kRed,
                           fmt::format("{} of {} as expected", good, outcomes.size())));
}

Outcomes decide_all(const std::vector<std::string>& files, double seconds) {
  Outcomes outcomes;
  Progress progress("proving", files.size());
  for (const std::string& file : files) {
    progress.update(outcomes.size());
    outcomes.push_back(decide_file_or_say_why(file, seconds));
  }
  return outcomes;
}

int show_one(const ProofOutcome& outcome, const std::string& certificate_file,
             const ProofFiles& files, const std::optional<int>& precision, bool json, Sink& out) {
  const verify::Decision& decision = outcome.decision;
  std::vector<std::string> written;
  if (decision.verdict == verify::Verdict::kProved) {
    if (!certificate_file.empty()) {
      write_file(certificate_file, decision.certificate);
      written.push_back(fmt::format("certificate: {}", certificate_file));
    }
    const auto more = files.write(verify::read_certificate(decision.certificate));
    written.insert(written.end(), more.begin(), more.end());
  }
  std::optional<FloatTheorem> floats;
  if (precision && decision.verdict == verify::Verdict::kProved) {
    floats = float_theorem(decision.program, *precision);
  }
  if (json) {
    auto document = as_json(outcome);
    if (floats) document["floats"] = as_json(*floats);
    out.write(dumped(document));
  } else {
    out.write(in_words(outcome, Paint::for_terminal(STDOUT_FILENO)));
    if (floats) out.write(as_text(*floats));
    for (const std::string& line : written) out.write("  " + line + "\n");
  }
  switch (decision.verdict) {
    case verify::Verdict::kProved:
      return floats && !floats->why_not.empty() ? kExitUnknown : kExitOk;
    case verify::Verdict::kRefuted:
      return kExitViolation;
    case verify::Verdict::kUnknown:
      break;
  }
  return kExitUnknown;
}

int show_many(const Outcomes& outcomes, bool json, Sink& out) {
  const bool good = std::ranges::all_of(outcomes, &ProofOutcome::as_expected);
  if (json) {
    auto all = nlohmann::ordered_json::array();
    for (const ProofOutcome& outcome : outcomes) all.push_back(as_json(outcome));
    out.write(dumped({{"as_expected", good}, {"mechanisms", std::move(all)}}));
  } else {
    const Paint paint = Paint::for_terminal(STDOUT_FILENO);
    out.write(as_table(outcomes, paint) + counted(outcomes, paint));
  }
  const bool readable = std::ranges::all_of(
      outcomes, [](const ProofOutcome& outcome) { return outcome.problem.empty(); });
  if (!readable) return kExitBadInput;
  return good ? kExitOk : kExitViolation;
}

// precision_of: --precision, which must be at least 7 for the theorem on floats.
std::optional<int> precision_of(const Arguments& parser, const std::string& text) {
  constexpr std::uint64_t kMostPrecision = 4096;
  if (text.empty()) return std::nullopt;
  constexpr std::uint64_t kLeastBits = SnappingPrice::kMinPrecision;
  return static_cast<int>(parser.whole_number("--precision", text, kLeastBits, kMostPrecision));
}

}  // namespace

int run_prove(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "prove",
      "Decide whether a mechanism is as private as it claims, for all parameters and inputs at "
      "once: look for a proof, which the kernel checks, and for a violation, which is computed "
      "exactly. One file: exit code 0 when proved, 1 when refuted, 2 when neither. Several files "
      "or "
      "a folder: exit code 0 when every verdict is the one that the file's EXPECT line names "
      "(proved, if there is none), 65 when a file cannot be read.",
      "  lastbit prove corpus/correct/svt.dp\n"
      "  lastbit prove corpus/correct/svt.dp --certificate svt.cert --html svt.html\n"
      "  lastbit prove corpus/correct/snapping.dp --precision 53\n"
      "  lastbit prove corpus/correct/laplace.dp corpus/broken/laplace_half_noise.dp\n");
  std::vector<std::string> paths;
  std::string certificate;
  std::string timeout = "10";
  std::string precision;
  ProofFiles files;
  parser.add_arguments("FILE", paths, "Mechanisms (*.dp), or folders of them",
                       Arguments::Count::kAtLeastOne);
  parser.add_option("--certificate", certificate, "Write the proof for lastbit check", "OUT");
  files.add_options(parser);
  parser.add_option("--timeout", timeout, "Seconds to search, for each file (10)", "SECONDS");
  parser.add_option("--precision", precision, "Also say what floats of P bits add to the loss",
                    "P");
  if (!parser.parse(arguments, out)) return kExitOk;

  const auto bits = precision_of(parser, precision);
  const auto seconds =
      static_cast<double>(parser.whole_number("--timeout", timeout, 1, kMostSeconds));
  std::error_code ignored;
  const bool is_one = paths.size() == 1 && !std::filesystem::is_directory(paths.front(), ignored);
  if (is_one) {
    return show_one(decide_file(paths.front(), seconds), certificate, files, bits, parser.json(),
                    out);
  }
  if (!certificate.empty() || !files.empty() || bits) {
    throw parser.wrong(
        "--certificate, --latex, --html, --smtlib and --precision are for one mechanism",
        "name a single file");
  }
  return show_many(decide_all(mechanism_files(paths), seconds), parser.json(), out);
}

}  // namespace lastbit::cli
