// Questions as bytes: a name with a version, the question, the digests of its aggregations, and the
// SHA-256 of all that. Each struct is described once, by `visit`, for writing and for reading.
#include "lastbit/engines/parts/question.h"

#include <bit>
#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include "lastbit/accounting/sha256.h"
#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/kernel/partial_answer.h"
#include "lastbit/release/fields/time_zone.h"

namespace lastbit::engine {
namespace {

constexpr std::string_view kQuestionName = "lastbit question 1\n";
constexpr std::size_t kDigestSize = 64;  // hexadecimal digits

[[noreturn]] void refuse_question() {
  throw Error(ErrorCode::kBadText, "question to a part of the rows",
              "is damaged, or of another version",
              "install the same version of Lastbit everywhere");
}

class QuestionWriter {
 public:
  static constexpr bool kReads = false;
  std::string take() { return std::move(bytes_); }
  void word(std::uint64_t& value) {
    for (int shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(value >> shift & 0xff);
  }
  void text(std::string& value) {
    std::uint64_t size = value.size();
    word(size);
    bytes_ += value;
  }

 private:
  std::string bytes_;
};

// QuestionReader: never reads beyond the bytes, and makes no list that they could not hold.
class QuestionReader {
 public:
  static constexpr bool kReads = true;
  explicit QuestionReader(std::string_view bytes) : bytes_(bytes) {}
  void word(std::uint64_t& value) {
    value = 0;
    const std::string_view eight = take(8);
    for (std::size_t i = 0; i < 8; ++i) {
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(eight[i])) << (8 * i);
    }
  }
  void text(std::string& value) {
    std::uint64_t size = 0;
    word(size);
    value = std::string(take(size));
  }
  // Every element of a list takes at least a word.
  std::size_t list_size() {
    std::uint64_t size = 0;
    word(size);
    if (size > bytes_.size() / 8) refuse_question();
    return size;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) refuse_question();
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::string_view bytes_;
};

// The structs. `Codec` is the writer or the reader above.
template <class Codec>
class QuestionVisitor {
 public:
  explicit QuestionVisitor(Codec& codec) : codec_(codec) {}

  template <class... Ts>
  void all(Ts&... values) {
    (visit(values), ...);
  }

 private:
  // In an enumeration and a number of any size, the word is cut to what it was made from.
  template <class T>
    requires std::integral<T> || std::is_enum_v<T>
  void visit(T& value) {
    auto word = static_cast<std::uint64_t>(value);
    codec_.word(word);
    value = static_cast<T>(word);
  }
  void visit(Int128& value) {
    auto low = static_cast<std::uint64_t>(static_cast<UInt128>(value));
    auto high = static_cast<std::uint64_t>(static_cast<UInt128>(value) >> 64);
    all(low, high);
    value = static_cast<Int128>(static_cast<UInt128>(high) << 64 | low);
  }
  void visit(double& value) {
    auto bits = std::bit_cast<std::uint64_t>(value);
    codec_.word(bits);
    value = std::bit_cast<double>(bits);
  }
  void visit(std::string& value) { codec_.text(value); }
  void visit(Rational& value) {
    std::string text = value.to_string();
    codec_.text(text);
    if constexpr (Codec::kReads) value = Rational::parse(text);
  }
  void visit(Date& value) {
    std::int64_t day = std::chrono::sys_days(value).time_since_epoch().count();
    visit(day);
    value = Date(std::chrono::sys_days(std::chrono::days(day)));
  }
  template <class T>
  void visit(std::vector<T>& values) {
    if constexpr (Codec::kReads) {
      values.resize(codec_.list_size());
    } else {
      std::uint64_t size = values.size();
      codec_.word(size);
    }
    for (T& value : values) visit(value);
  }
  template <class T>
  void visit(std::optional<T>& value) {
    bool there = value.has_value();
    visit(there);
    if (!there) return;
    if (!value) value.emplace();
    visit(*value);
  }
  template <class... Ts>
  void visit(std::variant<Ts...>& value) {
    std::uint64_t index = value.index();
    codec_.word(index);
    visit_alternative<0, std::variant<Ts...>>(value, index);
  }
  template <std::size_t kIndex, class Variant>
  void visit_alternative(Variant& value, std::uint64_t index) {
    if constexpr (kIndex == std::variant_size_v<Variant>) {
      refuse_question();
    } else if (index == kIndex) {
      if (value.index() != kIndex) value.template emplace<kIndex>();
      visit(std::get<kIndex>(value));
    } else {
      visit_alternative<kIndex + 1>(value, index);
    }
  }

  // A zone is its name, and what this machine and the other know of it must be the same.
  void visit(FieldType& type) {
    int number = type.kind();
    int decimals = type.decimals();
    std::string zone = type.zone().name();
    std::string rules = type.zone().digest();
    all(number, decimals, zone, rules);
    if constexpr (!Codec::kReads) return;
    const bool possible = number >= 0 && number <= FieldType::kUnsigned && decimals >= 0 &&
                          decimals <= FieldType::kMostDecimals;
    if (!possible) refuse_question();
    const auto kind = static_cast<FieldType::Kind>(number);
    type = kind == FieldType::kDecimal ? FieldType::decimal(decimals) : FieldType(kind);
    if (kind == FieldType::kTimestamp) type = FieldType::timestamp(zone_named(zone, rules));
  }
  static const TimeZone& zone_named(const std::string& name, const std::string& rules) {
    const auto found = TimeZone::find(name);
    const auto* const* zone = std::get_if<const TimeZone*>(&found);
    if (zone != nullptr && (*zone)->digest() == rules) return **zone;
    throw Error(ErrorCode::kMismatch, "time zone " + quote(name),
                "has other rules on one of the machines, or is not there",
                "install the same zone database (tzdata) everywhere");
  }
  void visit(LookupReference& lookup) {
    bool there = lookup.table != nullptr;
    visit(there);
    if (!there) return;
    FieldType key_type;
    std::vector<LookupTable::Entry> entries;
    if constexpr (!Codec::kReads) {
      key_type = lookup.table->key_type();
      entries = lookup.table->entries();
    }
    all(key_type, entries);
    if constexpr (!Codec::kReads) return;
    auto made = LookupTable::make(key_type, entries);
    auto* table = std::get_if<LookupTable>(&made);
    if (table == nullptr) refuse_question();
    lookup.table = std::make_shared<const LookupTable>(std::move(*table));
  }
  void visit(LookupTable::Entry& entry) { all(entry.key, entry.value); }
  void visit(RowExpression& e) {
    if (++depth_ > 2 * kMaxExpressionDepth) refuse_question();
    all(e.operation, e.type, e.operands, e.column, e.constant, e.escape, e.part, e.lookup);
    --depth_;
  }
  void visit(Day& day) { visit(day.number); }
  void visit(Instant& instant) { visit(instant.micros); }
  void visit(TimeOfDay& time) { visit(time.micros); }
  void visit(Decimal& decimal) { all(decimal.number, decimal.decimals); }
  void visit(DerivedColumn& column) { all(column.name, column.expression); }

  void visit(FieldUse& field) { all(field.name, field.type); }
  void visit(KeyColumn& column) { all(column.name, column.type); }
  void visit(SteppedField& f) {
    all(f.field, f.lower, f.upper, f.grid_exponent, f.offset, f.impute);
  }
  void visit(RowsAreUnits& /*unit*/) {}
  void visit(UnitColumn& unit) { all(unit.name, unit.type, unit.max_rows, unit.max_groups); }
  void visit(ListedKeys& keys) { all(keys.columns, keys.tuples); }
  void visit(RangeKeys& keys) { all(keys.column, keys.first, keys.last); }
  void visit(FoundKeys& keys) { visit(keys.column); }
  void visit(RowCount& count) { visit(count.field); }
  void visit(UnitCount& /*count*/) {}
  void visit(DistinctCount& count) { visit(count.field); }
  void visit(StepSum& sum) { visit(sum.field); }
  void visit(SquareSum& sum) { visit(sum.field); }
  void visit(PairSum& sum) { all(sum.first, sum.second); }
  void visit(ProductSum& sum) { all(sum.first, sum.second, sum.squares); }
  void visit(LadderSum& ladder) { all(ladder.field, ladder.edges); }
  void visit(BinCounts& bins) { all(bins.field, bins.edges, bins.impute); }
  void visit(BelowCounts& below) { all(below.field, below.candidates, below.impute); }
  void visit(CategoryCounts& counts) {
    all(counts.field, counts.categories, counts.other, counts.impute);
  }
  void visit(Aggregation& a) { all(a.derived, a.where, a.unit, a.groups, a.measures, a.max_rows); }

  Codec& codec_;
  std::size_t depth_ = 0;
};

template <class Codec>
void visit_question(Codec& codec, PartQuestion& question) {
  std::vector<std::string> digests;
  for (const Aggregation& one : question.aggregations) {
    digests.push_back(question_digest(one, question.key));
  }
  std::vector<std::uint64_t> key(question.key.words.begin(), question.key.words.end());
  QuestionVisitor visitor(codec);
  visitor.all(key, question.order, question.memory_bytes, question.aggregations, digests);
  if constexpr (!Codec::kReads) return;
  const bool fits = key.size() == question.key.words.size() &&
                    digests.size() == question.aggregations.size() &&
                    question.order <= RowOrder::kByUnit;
  if (!fits) refuse_question();
  std::copy(key.begin(), key.end(), question.key.words.begin());
  for (std::size_t i = 0; i < digests.size(); ++i) {
    if (digests[i] != question_digest(question.aggregations[i], question.key)) refuse_question();
  }
}

}  // namespace

std::string encode_question(PartQuestion question) {
  QuestionWriter out;
  visit_question(out, question);
  const std::string bytes = std::string(kQuestionName) + out.take();
  return bytes + sha256_hex(bytes);
}

PartQuestion decode_question(std::string_view bytes) {
  const bool named = bytes.starts_with(kQuestionName);
  if (!named || bytes.size() < kQuestionName.size() + kDigestSize) refuse_question();
  const std::string_view whole = bytes.substr(0, bytes.size() - kDigestSize);
  if (sha256_hex(whole) != bytes.substr(whole.size())) refuse_question();
  QuestionReader in(whole.substr(kQuestionName.size()));
  PartQuestion question;
  visit_question(in, question);
  if (!in.at_end()) refuse_question();
  return question;
}

}  // namespace lastbit::engine
