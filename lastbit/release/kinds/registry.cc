#include "lastbit/release/kinds/registry.h"

#include <algorithm>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/release/file/release_file.h"
#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/plan/drafter.h"

namespace lastbit {
namespace {

// for_each_kind: calls f.template operator()<Kind>() for every kind.
template <class F>
void for_each_kind(F f) {
  const auto call = [&]<std::size_t... i>(std::index_sequence<i...>) {
    (f.template operator()<std::variant_alternative_t<i, StatisticKind>>(), ...);
  };
  call(std::make_index_sequence<std::variant_size_v<StatisticKind>>());
}

}  // namespace

std::string_view name_of(const StatisticKind& kind) {
  return std::visit([]<class Kind>(const Kind&) { return Kind::kName; }, kind);
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for_each_kind([&]<class Kind>() {
    if (std::ranges::find(names, Kind::kName) == names.end()) names.emplace_back(Kind::kName);
  });
  return names;
}

bool takes_accuracy(std::string_view name) {
  bool takes = true;
  for_each_kind([&]<class Kind>() {
    if constexpr (requires { Kind::kTakesAccuracy; }) {
      if (Kind::kName == name) takes = Kind::kTakesAccuracy;
    }
  });
  return takes;
}

std::vector<ColumnRole> roles_of(const StatisticKind& kind) {
  return std::visit([](const auto& one) { return one.columns(); }, kind);
}

std::string describe_kind(const StatisticKind& kind) {
  return describe_kind(kind, {.column = [](const std::string& column) { return column; }});
}

std::string describe_kind(const StatisticKind& kind, const KindWords& words) {
  return std::visit([&](const auto& one) { return one.describe(words); }, kind);
}

std::optional<std::string> unit_column_of(const StatisticKind& kind) {
  const auto column = []<class Kind>(const Kind& one) -> std::optional<std::string> {
    if constexpr (requires { Kind::kInUnitOfColumn; }) return one.columns().front().column.value;
    return std::nullopt;
  };
  return std::visit(column, kind);
}

Integer cell_count(const StatisticKind& kind) {
  const auto count = [](const auto& one) -> Integer {
    if constexpr (requires { one.cells(); }) return one.cells();
    return 1;
  };
  return std::visit(count, kind);
}

Rational measured_size(const StatisticKind& kind, const Rational& rows) {
  const auto size = [&](const auto& one) -> Rational {
    if constexpr (requires { one.size(rows); }) return one.size(rows);
    return rows / Rational(std::max(Integer(1), cell_count(kind)));
  };
  return std::visit(size, kind);
}

std::string cell_title_of(const StatisticKind& kind) {
  const auto title = [](const auto& one) -> std::string {
    if constexpr (requires { one.cell_title(); }) return one.cell_title();
    return "";
  };
  return std::visit(title, kind);
}

FigureShape figure_of(const StatisticKind& kind) {
  const auto figure = [](const auto& one) -> FigureShape {
    if constexpr (requires { one.figure(); }) return one.figure();
    return NumbersFigure{};
  };
  return std::visit(figure, kind);
}

bool has_intervals(const StatisticKind& kind) {
  const auto has = [](const auto& one) {
    if constexpr (requires { one.has_intervals(); }) return one.has_intervals();
    return true;
  };
  return std::visit(has, kind);
}

bool error_needs_rows(const StatisticKind& kind) {
  return std::visit([]<class Kind>(const Kind&) { return requires { Kind::kErrorNeedsRows; }; },
                    kind);
}

bool clamps(const StatisticKind& kind) {
  const auto clamps = []<class Kind>(const Kind&) {
    if constexpr (requires { Kind::kClamps; }) return Kind::kClamps;
    return false;
  };
  return std::visit(clamps, kind);
}

bool finds_bounds(const StatisticKind& kind) {
  return std::visit([]<class Kind>(const Kind&) { return requires { Kind::kFindsBounds; }; }, kind);
}

bool once_per_unit(const StatisticKind& kind) {
  return std::visit([]<class Kind>(const Kind&) { return requires { Kind::kOncePerUnit; }; }, kind);
}

bool uses_column_nulls(const StatisticKind& kind) {
  return std::visit([]<class Kind>(const Kind&) { return requires { Kind::kUsesColumnNulls; }; },
                    kind);
}

bool adds_up(const StatisticKind& kind) {
  return std::visit([]<class Kind>(const Kind&) { return requires { Kind::kAddsUp; }; }, kind);
}

bool counts_units(const StatisticKind& kind, const ReleaseFile& release) {
  const auto counts = [&](const auto& one) {
    if constexpr (requires { one.counts_units(release); }) return one.counts_units(release);
    return false;
  };
  return discovers_categories(kind) || std::visit(counts, kind);
}

const Categories* categories_of(const StatisticKind& kind) {
  const auto categories = [](const auto& one) -> const Categories* {
    if constexpr (requires { one.categories; }) return &one.categories;
    return nullptr;
  };
  return std::visit(categories, kind);
}

bool discovers_categories(const StatisticKind& kind) {
  const Categories* categories = categories_of(kind);
  return categories != nullptr && std::holds_alternative<DiscoveredKeys>(*categories);
}

std::optional<std::int64_t> places_of(const StatisticKind& kind) {
  const auto places = [](const auto& one) -> std::optional<std::int64_t> {
    if constexpr (requires { one.places(); }) return one.places();
    return std::nullopt;
  };
  return std::visit(places, kind);
}

namespace release_internal {

std::optional<ReadKind> read_kind(std::string_view name, KindReader& reader) {
  std::optional<ReadKind> read;
  for_each_kind([&]<class Kind>() {
    if (Kind::kName != name) return;
    if (!read) read = ReadKind{std::string(name), std::nullopt};
    if (read->kind || !reader.complete()) return;
    if (auto kind = Kind::read(reader)) read->kind = std::move(*kind);
  });
  if (read && !reader.complete()) read->kind.reset();
  invariant(!read || read->kind.has_value() || !reader.complete(),
            "a kind was left out without a problem");
  return read;
}

void write_kind(const StatisticKind& kind, KindWriter& writer) {
  std::visit([&](const auto& one) { one.write(writer); }, kind);
}

Tally tally_of(const StatisticKind& kind, const ReleaseFile& release) {
  return std::visit([&](const auto& one) { return one.tally(release); }, kind);
}

Draft draft_kind(const StatisticKind& kind, const Drafter& drafter) {
  return std::visit([&](const auto& one) { return one.draft(drafter); }, kind);
}

bool check_kind(const Statistic& statistic, Problems& problems) {
  const auto check = [&](const auto& one) {
    if constexpr (requires { one.check(statistic, problems); }) {
      return one.check(statistic, problems);
    }
    return true;
  };
  return std::visit(check, statistic.kind);
}

void explain_kind(const StatisticKind& kind, const ReleaseFile& release,
                  std::vector<std::string>& steps) {
  const auto explain = [&](const auto& one) {
    if constexpr (requires { one.explain(release, steps); }) one.explain(release, steps);
  };
  std::visit(explain, kind);
}

std::vector<std::string> caveats_of(const StatisticKind& kind) {
  const auto caveats = [](const auto& one) -> std::vector<std::string> {
    if constexpr (requires { one.caveats(); }) return one.caveats();
    return {};
  };
  return std::visit(caveats, kind);
}

std::vector<std::string> notes_of(const StatisticKind& kind) {
  const auto notes = [](const auto& one) -> std::vector<std::string> {
    if constexpr (requires { one.notes(); }) return one.notes();
    return {};
  };
  return std::visit(notes, kind);
}

}  // namespace release_internal
}  // namespace lastbit
