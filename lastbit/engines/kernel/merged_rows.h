// Merged rows: where each row is a unit, a source may give equal rows once, with their number. It
// does so where the release declares that there are few different ones.
//
// Guarantee      the answer is the same: proofs/engine.md#merged
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/file/release_file.h"

namespace lastbit::engine {

// kMostMerged: with more different rows, giving each by itself takes less time.
constexpr std::uint64_t kMostMerged = std::uint64_t{1} << 15;

// declared_rows: how many different rows the declared keys and bounds of these columns leave room
// for; nothing if more than kMostMerged, or if they do not say.
std::optional<std::uint64_t> declared_rows(const ReleaseFile& release,
                                           std::span<const RowColumn> columns);

}  // namespace lastbit::engine
