#include "cli/commands/loss/loss_gallery.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/terminal/exit_code.h"
#include "cli/terminal/progress.h"
#include "lastbit/numerics/decimal.h"
#include "lastbit/report/document.h"
#include "lastbit/report/table.h"
#include "lastbit/verify/floats/loss/gallery.h"

namespace lastbit::cli {

using report::Align;
using report::Colour;
using report::dumped;
using report::Paint;
using report::Table;
using report::terminal_width;

namespace {

using verify::FloatGalleryRow;

std::string excess_text(const FloatGalleryRow& row) {
  if (!row.excess_in_eta) return "infinite";
  return decimal_text(row.excess_in_eta->lower_rational(), 6, Rounding::kDown);
}

std::string as_table(const std::vector<FloatGalleryRow>& rows) {
  Table table({{"mechanism"},
               {"p", Align::kRight},
               {"claim"},
               {"verdict"},
               {"loss above ideal, η", Align::kRight},
               {"what it does"}});
  for (const FloatGalleryRow& row : rows) {
    const std::string verdict = row.refuted ? "refuted" : "not refuted";
    table.add({row.entry.name,
               std::to_string(row.entry.model.precision),
               row.entry.claim_text,
               {row.as_expected() ? verdict : verdict + ", UNEXPECTED",
                row.as_expected() ? Colour::kNone : Colour::kRed},
               excess_text(row),
               row.entry.what});
  }
  return table.render(Paint::for_terminal(STDOUT_FILENO), terminal_width(STDOUT_FILENO));
}

nlohmann::ordered_json as_json(const FloatGalleryRow& row) {
  return {{"mechanism", row.entry.name},
          {"what", row.entry.what},
          {"precision", row.entry.model.precision},
          {"scale", row.entry.model.scale.to_string()},
          {"half_width", row.entry.model.half_width.to_string()},
          {"claim", row.entry.claim.to_string()},
          {"claim_text", row.entry.claim_text},
          {"refuted", row.refuted},
          {"as_expected", row.as_expected()},
          {"excess_in_eta", row.excess_in_eta ? excess_text(row) : "infinity"},
          {"x", row.worst.x1.to_string()},
          {"x2", row.worst.x2.to_string()},
          {"output", row.worst.worst.output.to_string()},
          {"probability", row.worst.worst.first.to_string()},
          {"probability2", row.worst.worst.second.to_string()}};
}

}  // namespace

int show_gallery(bool json, Sink& out) {
  const std::vector<verify::FloatGalleryEntry> entries = verify::gallery();
  std::vector<FloatGalleryRow> rows;
  {
    Progress progress("computing", entries.size());
    for (const verify::FloatGalleryEntry& entry : entries) {
      progress.update(rows.size());
      rows.push_back(verify::judged(entry));
    }
  }
  const bool good = std::ranges::all_of(rows, &FloatGalleryRow::as_expected);
  if (json) {
    auto list = nlohmann::ordered_json::array();
    for (const FloatGalleryRow& row : rows) list.push_back(as_json(row));
    out.write(dumped({{"as_expected", good}, {"mechanisms", std::move(list)}}));
  } else {
    const auto refuted = std::ranges::count_if(rows, &FloatGalleryRow::refuted);
    out.write(as_table(rows));
    out.write(fmt::format("\n  {} claims refuted by exact losses, {} not refuted; {}\n", refuted,
                          std::ssize(rows) - refuted,
                          good ? "all as they must be" : "NOT all as they must be"));
  }
  return good ? kExitOk : kExitViolation;
}

}  // namespace lastbit::cli
