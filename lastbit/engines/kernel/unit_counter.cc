#include "lastbit/engines/kernel/unit_counter.h"

#include <algorithm>

namespace lastbit::engine {

std::uint64_t UnitCounter::lot(PackedRow row) const {
  KeyedHash hash = lot_hash(key_);
  if (layout_.unit == Carrier::kInteger) {
    hash.add(row[0]);
  } else {
    hash.add(unit_text(layout_, row));
  }
  for (std::size_t i = 0; i < layout_.keys.size(); ++i) {
    if (layout_.keys[i] == Carrier::kInteger) {
      hash.add(row[1 + i]);
    } else {
      hash.add(pool_.text(row[1 + i]));
    }
  }
  return hash.finish();
}

// Lots are compared as signed numbers.
bool UnitCounter::goes_first(std::uint64_t lot, PackedRow row, std::uint64_t other_lot,
                             PackedRow other) const {
  if (lot != other_lot) {
    return static_cast<std::int64_t>(lot) < static_cast<std::int64_t>(other_lot);
  }
  return order_.keys_before(row, other);
}

void UnitCounter::count_unit(std::span<PackedRow> rows) {
  groups_.clear();
  if (layout_.keys.empty()) {
    const std::uint64_t only = lot(rows[0]);
    return count_group({only, rows});
  }
  // Any order that puts equal keys together will do here.
  const std::size_t bytes = layout_.keys.size() * sizeof(std::uint64_t);
  if (layout_.keys.size() == 1) {
    std::sort(rows.begin(), rows.end(), [](PackedRow a, PackedRow b) { return a[1] < b[1]; });
  } else {
    std::sort(rows.begin(), rows.end(),
              [bytes](PackedRow a, PackedRow b) { return std::memcmp(a + 1, b + 1, bytes) < 0; });
  }
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t end = first + 1;
    while (end < rows.size() && order_.same_keys(rows[first], rows[end])) ++end;
    groups_.push_back({0, rows.subspan(first, end - first)});
    first = end;
  }
  for (GroupRows& group : groups_) group.lot = lot(group.rows[0]);
  const auto most = static_cast<std::uint64_t>(limits_.max_groups);
  if (groups_.size() > most) {
    const auto end = groups_.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(groups_.begin(), end, groups_.end(),
                     [this](const GroupRows& a, const GroupRows& b) {
                       return goes_first(a.lot, a.rows[0], b.lot, b.rows[0]);
                     });
    groups_.erase(end, groups_.end());
  }
  for (const GroupRows& group : groups_) count_group(group);
}

void UnitCounter::count_group(const GroupRows& group) {
  const std::size_t number = tallies_.group(group.rows[0] + 1);
  tallies_.add_unit(number);
  const auto most = static_cast<std::uint64_t>(limits_.max_rows);
  if (group.rows.size() <= most) {
    for (const PackedRow row : group.rows) tallies_.add_row(number, row);
    return;
  }
  draw_positions(key_, group.lot, group.rows.size(), most, positions_);
  count_chosen(number, group.rows);
}

// Counts the rows that have the chosen positions in the order of contents.
void UnitCounter::count_chosen(std::size_t group, std::span<PackedRow> rows) {
  constexpr std::size_t kFewSelections = 4;
  const auto before = [this](PackedRow a, PackedRow b) { return order_.contents_before(a, b); };
  if (rows.size() < 32 || positions_.size() > kFewSelections) {
    std::sort(rows.begin(), rows.end(), before);
    for (const std::uint64_t position : positions_) tallies_.add_row(group, rows[position]);
    return;
  }
  // What lies before a selected row is not needed any more.
  auto rest = rows.begin();
  for (const std::uint64_t position : positions_) {
    const auto chosen = rows.begin() + static_cast<std::ptrdiff_t>(position);
    std::nth_element(rest, chosen, rows.end(), before);
    tallies_.add_row(group, *chosen);
    rest = chosen + 1;
  }
}

}  // namespace lastbit::engine
