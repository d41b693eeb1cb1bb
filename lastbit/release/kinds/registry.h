// What every kind of statistic can be asked: each function here is that of kinds.h for the given
// kind, or its default.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/release/kinds/kinds.h"

namespace lastbit {

// name_of: as the file writes it: "count", "count_units", "sum", …
std::string_view name_of(const StatisticKind& kind);
// kind_names: all of them, each once.
std::vector<std::string> kind_names();
// takes_accuracy: whether a target error can be asked of the kind of this name.
bool takes_accuracy(std::string_view name);

std::vector<ColumnRole> roles_of(const StatisticKind& kind);
// describe_kind: with columns under their own names, or with other words.
std::string describe_kind(const StatisticKind& kind);
std::string describe_kind(const StatisticKind& kind, const KindWords& words);
// unit_column_of: the column whose unit its answers have; nothing if they have another, or none.
std::optional<std::string> unit_column_of(const StatisticKind& kind);
// cell_count: an upper bound on how many answers a group has, for limits.
Integer cell_count(const StatisticKind& kind);
// measured_size: what the errors of its answers are compared with, in a group of so many rows: the
// width of what is possible for a mean, a cell's part of the rows for counts, a sum of largest
// values for a sum. It is 0 where nothing is known.
Rational measured_size(const StatisticKind& kind, const Rational& rows);
std::string cell_title_of(const StatisticKind& kind);
FigureShape figure_of(const StatisticKind& kind);

bool has_intervals(const StatisticKind& kind);
bool error_needs_rows(const StatisticKind& kind);
bool clamps(const StatisticKind& kind);
bool finds_bounds(const StatisticKind& kind);
bool once_per_unit(const StatisticKind& kind);
bool uses_column_nulls(const StatisticKind& kind);
bool adds_up(const StatisticKind& kind);
bool counts_units(const StatisticKind& kind, const ReleaseFile& release);
// categories_of: null if answers are not about the values of a column.
const Categories* categories_of(const StatisticKind& kind);
// discovers_categories: whether the categories themselves are to be discovered.
bool discovers_categories(const StatisticKind& kind);
std::optional<std::int64_t> places_of(const StatisticKind& kind);

namespace release_internal {

// ReadKind: what parsing found; `kind` is nothing if there were problems.
struct ReadKind {
  std::string name;
  std::optional<StatisticKind> kind;
};
// read_kind: the kind with this name, from the keys of its statistic; nothing if there is no such
// kind.
std::optional<ReadKind> read_kind(std::string_view name, KindReader& reader);

void write_kind(const StatisticKind& kind, KindWriter& writer);
Tally tally_of(const StatisticKind& kind, const ReleaseFile& release);
Draft draft_kind(const StatisticKind& kind, const Drafter& drafter);
bool check_kind(const Statistic& statistic, Problems& problems);
void explain_kind(const StatisticKind& kind, const ReleaseFile& release,
                  std::vector<std::string>& steps);
std::vector<std::string> caveats_of(const StatisticKind& kind);
std::vector<std::string> notes_of(const StatisticKind& kind);

}  // namespace release_internal
}  // namespace lastbit
