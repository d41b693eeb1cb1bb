// PartialAnswer: what a part of the rows contributes to the answer of an aggregation. Parts that
// share no unit can be counted in different places and merged.
//
// Guarantee      merging is associative and commutative. The answer of merged parts is that of all
//                their rows together, if no unit has rows in two of them; parts that say which
//                units they hold are refused otherwise. Nothing overflows.
//                Proof: proofs/engine.md#parts
// Fails          kMismatch for parts of different aggregations or keys, or that share units;
//                kBadInput for more rows than the aggregation allows. No message names a field.
// A part is private, units and all: it holds exact numbers and digests under the secret key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lastbit/engines/kernel/value_map.h"
#include "lastbit/release/keyed_choice.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit::engine {

// PartialGroup: the entries other than 0 of each measure, by their places, before the rows between
// candidates are added up; and the different values of those measures that count them.
struct PartialGroup {
  std::int64_t rows = 0;                                 // that count
  std::vector<std::map<std::uint64_t, Int128>> entries;  // one map per measure
  std::map<std::size_t, std::set<PlainValue>> values;    // by measure
  friend bool operator==(const PartialGroup&, const PartialGroup&) = default;
};

// Which units a part holds. UnitRange: from the first to the last in their order, if rows came
// sorted. UnitDigest: of one unit, if they did not.
using UnitRange = std::pair<PlainValue, PlainValue>;
using UnitDigest = std::array<std::uint64_t, 2>;
struct UnitCover {
  std::vector<UnitRange> ranges;    // disjoint, in order
  std::vector<UnitDigest> digests;  // all different, in order
  bool known = true;  // false: it was not asked for, so that the part cannot be merged
  friend bool operator==(const UnitCover&, const UnitCover&) = default;
};

struct PartialAnswer {
  std::string question;  // question_digest
  UnitCover units;
  // By the parts of the groups: the number of the listed tuple, or the key itself.
  std::map<std::vector<PlainValue>, PartialGroup> groups;
  friend bool operator==(const PartialAnswer&, const PartialAnswer&) = default;
};

// question_digest: equal for equal aggregations and keys; 64 hexadecimal digits.
std::string question_digest(const Aggregation& aggregation, const SecretKey& key);

// unit_digest: of a unit, under the key.
UnitDigest unit_digest(const SecretKey& key, std::int64_t unit);
UnitDigest unit_digest(const SecretKey& key, std::string_view unit);

// tidy: leaves out entries that are 0.
void tidy(PartialAnswer& part);

// merge: both parts together.
// Requires  caller: the parts are answers to this aggregation.
PartialAnswer merge(const Aggregation& aggregation, PartialAnswer first,
                    const PartialAnswer& second);

// answer_of: the answer, in the order that Engine::aggregate says.
// Fails  kInternal if the part cannot be an answer to the aggregation.
std::vector<GroupAnswer> answer_of(const Aggregation& aggregation, const PartialAnswer& part);

// encode_partial: the part as bytes, with a version and a checksum. decode_partial: what
// encode_partial wrote for this aggregation and key.
// Fails  kBadText if the bytes are damaged, of another version, or no part at all; kMismatch if
//        they belong to another aggregation or key.
std::string encode_partial(const PartialAnswer& part);
PartialAnswer decode_partial(const Aggregation& aggregation, const SecretKey& key,
                             std::string_view bytes);

}  // namespace lastbit::engine
