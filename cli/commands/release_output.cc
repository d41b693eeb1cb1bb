#include "cli/commands/release_output.h"

#include <fmt/core.h>
#include <unistd.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "cli/terminal/failure.h"
#include "lastbit/base/escape.h"
#include "lastbit/report/document.h"
#include "lastbit/report/release/release_report.h"
#include "lastbit/report/release/words.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

using report::answers_csv;
using report::dumped;
using report::kAnswersOnTerminal;
using report::Paint;
using report::release_html;
using report::release_json;
using report::release_table;
using report::terminal_width;

namespace {

// tried: the error that `action` ends with, if any.
std::optional<Error> tried(const auto& action) {
  try {
    action();
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

std::string as_text(const ReleasePlan& plan, const Release& release,
                    const std::optional<ReleaseFolder>& folder) {
  std::string text = release_table(
      plan, release, Paint::for_terminal(STDOUT_FILENO), terminal_width(STDOUT_FILENO),
      folder ? kAnswersOnTerminal : std::numeric_limits<std::size_t>::max());
  if (!release.completed) {
    text += "  The ledger could not note that this release ended; it counts anyway.\n";
  }
  return text;
}

Failure still_spent(const Error& error, const LedgerEntry& entry, const std::string& answers) {
  return Failure::output(
      error.place(), error.problem(),
      fmt::format("{}; entry {} of the ledger stays spent, {}", error.remedy(), entry.id, answers));
}

}  // namespace

ReleaseOptions watched(engine::EngineLimits limits, Progress& progress) {
  return {.limits = std::move(limits), .progress = [&progress](double part) {
            progress.update(static_cast<std::uint64_t>(part * double{kProgressSteps}));
          }};
}

void write_paid(const std::string& text, const LedgerEntry& entry, Sink& out) {
  const auto error = tried([&] {
    out.write(text);
    out.flush();
  });
  if (error) throw still_spent(*error, entry, "and its answers are lost");
}

void publish(const ReleasePlan& plan, const Release& release, std::optional<ReleaseFolder>& folder,
             bool json, Sink& out) {
  const std::string text =
      json ? dumped(release_json(plan, release)) : as_text(plan, release, folder);
  if (!folder) return write_paid(text, release.entry, out);
  const auto out_error = tried([&] {
    out.write(text);
    out.flush();
  });
  const auto folder_error = tried([&] {
    folder->write({.html = release_html(plan, release),
                   .json = dumped(release_json(plan, release)),
                   .csv = answers_csv(plan, release)});
  });
  if (out_error) {
    throw still_spent(
        *out_error, release.entry,
        folder_error ? "and its answers may be lost" : "its answers are in the files");
  }
  if (folder_error) {
    if (!json) out.write("\n" + answers_csv(plan, release));
    out.flush();
    throw still_spent(*folder_error, release.entry, "all its answers are on standard output");
  }
  if (!json) out.write(fmt::format("  The report: {}\n\n", shown_text(folder->report().string())));
}

}  // namespace lastbit::cli
