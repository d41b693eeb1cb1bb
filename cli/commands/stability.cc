// lastbit stability: walks through the gallery of transformations and checks what each claims.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands/reports.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/progress.h"
#include "lastbit/base/text.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/table.h"
#include "lastbit/verify/stability/gallery.h"

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

using verify::GalleryEntry;
using Entries = std::vector<GalleryEntry>;

struct Checked {
  GalleryEntry entry;
  TimedReport result;
  // as_expected: a right transformation holds, a wrong one is caught.
  bool as_expected() const { return result.report.holds() != entry.wrong; }
};

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// chosen: the entries whose name contains one of the patterns, or all if there are none. A pattern
// that matches nothing is a mistake.
Entries chosen(const Arguments& parser, const Entries& entries,
               const std::vector<std::string>& patterns) {
  if (patterns.empty()) return entries;
  const auto fits = [](const GalleryEntry& entry, const std::string& pattern) {
    return lower_case(entry.name).find(lower_case(pattern)) != std::string::npos;
  };
  std::vector<std::string> names;
  for (const GalleryEntry& entry : entries) names.push_back(entry.name);
  Entries kept;
  for (const std::string& pattern : patterns) {
    if (std::ranges::any_of(entries, [&](const auto& entry) { return fits(entry, pattern); })) {
      continue;
    }
    const auto nearest = nearest_name(pattern, names);
    throw parser.wrong(fmt::format("no transformation is called {}", lastbit::quote(pattern)),
                       nearest ? fmt::format("did you mean {}?", lastbit::quote(*nearest))
                               : "lastbit stability --list shows the names");
  }
  std::ranges::copy_if(entries, std::back_inserter(kept), [&](const GalleryEntry& entry) {
    return std::ranges::any_of(patterns, [&](const auto& p) { return fits(entry, p); });
  });
  return kept;
}

std::vector<Checked> check_all(const Entries& entries) {
  std::vector<Checked> all;
  Progress progress("checking", entries.size());
  for (const GalleryEntry& entry : entries) {
    progress.update(all.size());
    all.push_back({entry, timed(entry.check)});
  }
  return all;
}

Table table_of(const std::vector<Checked>& all, bool wrong) {
  Table table({{wrong ? "wrong transformation" : "transformation"},
               {wrong ? "claimed" : "relation"},
               {"method"},
               {"inputs", Align::kRight},
               {"pairs", Align::kRight},
               {"verdict"},
               {"time", Align::kRight}});
  for (const Checked& checked : all) {
    if (checked.entry.wrong != wrong) continue;
    const auto& report = checked.result.report;
    const Colour colour = checked.as_expected() ? Colour::kGreen : Colour::kRed;
    const char* caught = report.holds() ? "MISSED" : "caught";
    table.add({checked.entry.name,
               checked.entry.relation,
               report.method,
               grouped(report.members),
               grouped(report.pairs),
               {wrong ? caught : verdict(report), colour},
               duration(checked.result.seconds)});
  }
  return table;
}

// violations: explains everything found, for right or for wrong transformations.
std::string violations(const std::vector<Checked>& all, bool wrong) {
  std::string text;
  for (const Checked& checked : all) {
    if (checked.entry.wrong == wrong && !checked.result.report.holds()) {
      text += "\n" + indented(explain(checked.result.report), 2);
    }
  }
  return text;
}

std::string counted(const std::vector<Checked>& all, bool wrong, const Paint& paint) {
  std::size_t total = 0;
  std::size_t good = 0;
  for (const Checked& checked : all) {
    if (checked.entry.wrong != wrong) continue;
    ++total;
    if (checked.as_expected()) ++good;
  }
  const std::string text = fmt::format("{} of {} {}", good, total,
                                       wrong ? "wrong transformations caught" : "relations hold");
  return "  " + paint(good == total ? Colour::kGreen : Colour::kRed, text) + "\n";
}

std::string as_text(const std::vector<Checked>& all, bool with_wrong) {
  const Paint paint = Paint::for_terminal(STDOUT_FILENO);
  std::string text;
  for (const bool wrong : {false, true}) {
    const auto is_kind = [&](const Checked& checked) { return checked.entry.wrong == wrong; };
    if ((wrong && !with_wrong) || std::ranges::none_of(all, is_kind)) continue;
    text += "\n" + table_of(all, wrong).render(paint, terminal_width(STDOUT_FILENO)) +
            violations(all, wrong) + "\n" + counted(all, wrong, paint);
  }
  return text + "\n";
}

nlohmann::ordered_json as_json(const std::vector<Checked>& all) {
  auto entries = nlohmann::ordered_json::array();
  for (const Checked& checked : all) {
    nlohmann::ordered_json entry = {{"name", checked.entry.name},
                                    {"relation", checked.entry.relation},
                                    {"wrong", checked.entry.wrong},
                                    {"as_expected", checked.as_expected()}};
    entry.update(report_as_json(checked.result));
    entries.push_back(std::move(entry));
  }
  return {{"as_expected", std::ranges::all_of(all, &Checked::as_expected)},
          {"transformations", std::move(entries)}};
}

void print_list(Sink& out, const Entries& entries, bool json) {
  if (json) {
    auto names = nlohmann::ordered_json::array();
    for (const GalleryEntry& entry : entries) {
      names.push_back({{"name", entry.name}, {"relation", entry.relation}, {"wrong", entry.wrong}});
    }
    out.write(dumped({{"transformations", std::move(names)}}));
    return;
  }
  Table table({{"transformation"}, {"claimed relation"}, {"kind"}});
  for (const GalleryEntry& entry : entries) {
    table.add({entry.name, entry.relation, entry.wrong ? "wrong on purpose" : "right"});
  }
  out.write(table.render(Paint::for_terminal(STDOUT_FILENO), terminal_width(STDOUT_FILENO)));
}

}  // namespace

int run_stability(CommandArguments arguments, Sink& out) {
  Arguments parser("stability",
                   "Check what the transformations claim about distances: on every pair of small "
                   "inputs, on random walks through larger ones, and by couplings where bits are "
                   "drawn. d is the distance between two inputs, the relation bounds the distance "
                   "between the outputs. Exit code 1 when a claim fails or a wrong one is missed.",
                   "  lastbit stability\n"
                   "  lastbit stability --wrong\n"
                   "  lastbit stability --list\n"
                   "  lastbit stability sum mean --json\n");
  bool wrong = false;
  bool list = false;
  std::vector<std::string> patterns;
  parser.add_arguments("NAME", patterns, "Check only those with NAME in their name",
                       Arguments::Count::kAny);
  parser.add_flag("--wrong", wrong, "Also check wrong ones, which must be caught");
  parser.add_flag("--list", list, "Show the names and check nothing");
  if (!parser.parse(arguments, out)) return kExitOk;

  Entries entries = verify::right_transformations();
  if (wrong || list)
    std::ranges::move(verify::wrong_transformations(), std::back_inserter(entries));
  entries = chosen(parser, entries, patterns);
  if (list) {
    print_list(out, entries, parser.json());
    return kExitOk;
  }
  const auto all = check_all(entries);
  out.write(parser.json() ? dumped(as_json(all)) : as_text(all, wrong));
  return std::ranges::all_of(all, &Checked::as_expected) ? kExitOk : kExitViolation;
}

}  // namespace lastbit::cli
