// Parts as bytes: a name with a version, the part, and the SHA-256 of both. Whole numbers are in
// little-endian order; lists and texts begin with their length.
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>

#include "lastbit/accounting/sha256.h"
#include "lastbit/base/error.h"
#include "lastbit/engines/kernel/partial_answer.h"

namespace lastbit::engine {
namespace {

constexpr std::string_view kPartName = "lastbit partial answer 1\n";
constexpr std::size_t kChecksum = 64;  // hexadecimal digits

class PartWriter {
 public:
  std::string take() { return std::move(bytes_); }
  void word(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(value >> shift & 0xff);
  }
  void text(std::string_view value) {
    word(value.size());
    bytes_ += value;
  }
  void number(Int128 value) {
    word(static_cast<std::uint64_t>(static_cast<UInt128>(value)));
    word(static_cast<std::uint64_t>(static_cast<UInt128>(value) >> 64));
  }
  void plain(const PlainValue& value) {
    word(value.index());
    if (const auto* name = std::get_if<std::string>(&value)) return text(*name);
    word(static_cast<std::uint64_t>(std::get<std::int64_t>(value)));
  }

 private:
  std::string bytes_;
};

[[noreturn]] void refuse_bytes() {
  throw Error(ErrorCode::kBadText, "part of an answer", "is damaged or no part at all",
              "make it again, and send all of its bytes");
}

// PartReader: never reads beyond the bytes, and makes no list that they could not hold.
class PartReader {
 public:
  explicit PartReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t word() {
    const std::string_view eight = take(8);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(eight[i])) << (8 * i);
    }
    return value;
  }
  // size: of a list whose elements take at least so many bytes each.
  std::size_t size(std::size_t element) {
    const std::uint64_t count = word();
    if (count > bytes_.size() / element) refuse_bytes();
    return count;
  }
  std::string text() { return std::string(take(size(1))); }
  Int128 number() {
    const std::uint64_t low = word();
    return static_cast<Int128>(static_cast<UInt128>(word()) << 64 | low);
  }
  PlainValue plain() {
    const std::uint64_t index = word();
    if (index > 1) refuse_bytes();
    if (index == 1) return text();
    return static_cast<std::int64_t>(word());
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) refuse_bytes();
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::string_view bytes_;
};

void write_group(const PartialGroup& group, PartWriter& out) {
  out.word(static_cast<std::uint64_t>(group.rows));
  out.word(group.entries.size());
  for (const auto& entries : group.entries) {
    out.word(entries.size());
    for (const auto& [place, entry] : entries) {
      out.word(place);
      out.number(entry);
    }
  }
  out.word(group.values.size());
  for (const auto& [measure, values] : group.values) {
    out.word(measure);
    out.word(values.size());
    for (const PlainValue& value : values) out.plain(value);
  }
}

// add_last: an element that must come after those before it.
template <class Map, class Key>
auto& add_last(Map& map, Key key) {
  if (!map.empty() && !(map.rbegin()->first < key)) refuse_bytes();
  return map.emplace_hint(map.end(), std::move(key), typename Map::mapped_type{})->second;
}

void read_entries(PartReader& in, std::size_t places, std::map<std::uint64_t, Int128>& entries) {
  for (std::size_t left = in.size(24); left > 0; --left) {
    const std::uint64_t place = in.word();
    if (place >= places) refuse_bytes();
    Int128& entry = add_last(entries, place);
    entry = in.number();
    if (entry == 0) refuse_bytes();
  }
}

PartialGroup read_group(const Aggregation& aggregation, PartReader& in) {
  PartialGroup group;
  const std::uint64_t rows = in.word();
  if (rows == 0 || rows > static_cast<std::uint64_t>(aggregation.max_rows)) refuse_bytes();
  group.rows = static_cast<std::int64_t>(rows);
  if (in.size(8) != aggregation.measures.size()) refuse_bytes();
  for (const Tally& tally : aggregation.measures) {
    read_entries(in, entry_count(tally), group.entries.emplace_back());
  }
  for (std::size_t left = in.size(16); left > 0; --left) {
    const std::uint64_t measure = in.word();
    const bool counts_values = measure < aggregation.measures.size() &&
                               std::holds_alternative<DistinctCount>(aggregation.measures[measure]);
    if (!counts_values) refuse_bytes();
    std::set<PlainValue>& values = add_last(group.values, static_cast<std::size_t>(measure));
    for (std::size_t more = in.size(16); more > 0; --more) {
      PlainValue value = in.plain();
      if (!values.empty() && !(*values.rbegin() < value)) refuse_bytes();
      values.insert(values.end(), std::move(value));
    }
  }
  return group;
}

void read_units(PartReader& in, UnitCover& units) {
  const std::uint64_t known = in.word();
  if (known > 1) refuse_bytes();
  units.known = known == 1;
  for (std::size_t left = in.size(32); left > 0; --left) {
    PlainValue first = in.plain();
    PlainValue last = in.plain();
    if (last < first || (!units.ranges.empty() && first <= units.ranges.back().second)) {
      refuse_bytes();
    }
    units.ranges.emplace_back(std::move(first), std::move(last));
  }
  for (std::size_t left = in.size(16); left > 0; --left) {
    const std::uint64_t one = in.word();
    units.digests.push_back({one, in.word()});
  }
  const auto misplaced = std::ranges::adjacent_find(units.digests, std::ranges::greater_equal());
  if (misplaced != units.digests.end()) refuse_bytes();
}

}  // namespace

std::string encode_partial(const PartialAnswer& part) {
  PartWriter out;
  out.text(part.question);
  out.word(part.units.known ? 1 : 0);
  out.word(part.units.ranges.size());
  for (const auto& [first, last] : part.units.ranges) {
    out.plain(first);
    out.plain(last);
  }
  out.word(part.units.digests.size());
  for (const UnitDigest& digest : part.units.digests) {
    for (const std::uint64_t word : digest) out.word(word);
  }
  out.word(part.groups.size());
  for (const auto& [key, group] : part.groups) {
    for (const PlainValue& value : key) out.plain(value);
    write_group(group, out);
  }
  const std::string bytes = std::string(kPartName) + out.take();
  return bytes + sha256_hex(bytes);
}

PartialAnswer decode_partial(const Aggregation& aggregation, const SecretKey& key,
                             std::string_view bytes) {
  if (!bytes.starts_with(kPartName) || bytes.size() < kPartName.size() + kChecksum) refuse_bytes();
  const std::string_view whole = bytes.substr(0, bytes.size() - kChecksum);
  if (sha256_hex(whole) != bytes.substr(whole.size())) refuse_bytes();
  PartReader in(whole.substr(kPartName.size()));
  PartialAnswer part;
  part.question = in.text();
  if (part.question != question_digest(aggregation, key)) {
    throw Error(ErrorCode::kMismatch, "part of an answer", "answers another question",
                "merge parts of one aggregation and one key");
  }
  read_units(in, part.units);
  for (std::size_t left = in.size(24); left > 0; --left) {
    std::vector<PlainValue> group;
    for (std::size_t i = 0; i < aggregation.groups.size(); ++i) group.push_back(in.plain());
    add_last(part.groups, std::move(group)) = read_group(aggregation, in);
  }
  if (!in.at_end()) refuse_bytes();
  // A part that could not be an answer stops here.
  try {
    answer_of(aggregation, part);
  } catch (const Error&) {
    refuse_bytes();
  }
  return part;
}

}  // namespace lastbit::engine
