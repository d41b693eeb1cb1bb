#include "lastbit/engines/kernel/partial_answer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lastbit/accounting/sha256.h"
#include "lastbit/base/error.h"

namespace lastbit::engine {
namespace {

[[noreturn]] void refuse_parts(const char* problem, const char* remedy) {
  throw Error(ErrorCode::kMismatch, "parts of an answer", problem, remedy);
}

[[noreturn]] void refuse_shared_units() {
  refuse_parts("have units in common, or do not say which they have",
               "give all rows of a unit to one part, and make parts that can be merged");
}

// ShapeText: an aggregation as a text, the same only for the same questions.
class ShapeText {
 public:
  std::string take() { return std::move(text_); }

  void add(const std::string& value) { text_ += std::to_string(value.size()) + ":" + value + ";"; }
  void add(std::int64_t value) { add(std::to_string(value)); }
  void add(const Rational& value) { add(value.to_string()); }
  void add(FieldType type) { add(full_name(type)); }
  void add(const KeyValue& key) {
    add(static_cast<std::int64_t>(key.index()));
    add(text_of(key));
  }
  void add(const FieldUse& field) {
    add(field.name);
    add(field.type);
  }
  void add(const KeyColumn& column) {
    add(column.name);
    add(column.type);
  }
  template <class T>
  void add(const std::optional<T>& value) {
    add(std::int64_t{value.has_value()});
    if (value) add(*value);
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(static_cast<std::int64_t>(values.size()));
    for (const T& value : values) add(value);
  }
  void add(const SteppedField& field) {
    add(field.field);
    add(field.lower);
    add(field.upper);
    add(std::int64_t{field.grid_exponent});
    add(field.offset);
    add(field.impute);
  }
  void add(const RowCount& count) { add(count.field); }
  void add(const UnitCount& /*count*/) {}
  void add(const DistinctCount& count) { add(count.field); }
  void add(const StepSum& sum) { add(sum.field); }
  void add(const SquareSum& sum) { add(sum.field); }
  void add(const PairSum& sum) {
    add(sum.first);
    add(sum.second);
  }
  void add(const ProductSum& sum) {
    add(sum.first);
    add(sum.second);
    add(std::int64_t{sum.squares});
  }
  void add(const LadderSum& ladder) {
    add(ladder.field);
    add(ladder.edges);
  }
  void add(const BinCounts& bins) {
    add(bins.field);
    add(bins.edges);
    add(bins.impute);
  }
  void add(const BelowCounts& below) {
    add(below.field);
    add(below.candidates);
    add(below.impute);
  }
  void add(const CategoryCounts& counts) {
    add(counts.field);
    add_variant(counts.categories);
    add(std::int64_t{counts.other});
    add(counts.impute);
  }
  void add(const RowsAreUnits& /*unit*/) {}
  void add(const UnitColumn& unit) {
    add(unit.name);
    add(unit.type);
    add(unit.max_rows);
    add(unit.max_groups);
  }
  void add(const ListedKeys& listed) {
    add(listed.columns);
    add(listed.tuples);
  }
  void add(const RangeKeys& range) {
    add(range.column);
    add(range.first);
    add(range.last);
  }
  void add(const FoundKeys& found) { add(found.column); }
  void add(const RowExpression& expression) { add(canonical_text(expression)); }
  void add(const DerivedColumn& column) {
    add(column.name);
    add(column.expression);
  }
  template <class... Ts>
  void add_variant(const std::variant<Ts...>& value) {
    add(static_cast<std::int64_t>(value.index()));
    std::visit([&](const auto& one) { add(one); }, value);
  }
  void add(const Aggregation& aggregation) {
    add(aggregation.derived);
    add(aggregation.where);
    add_variant(aggregation.unit);
    add(static_cast<std::int64_t>(aggregation.groups.size()));
    for (const GroupColumns& part : aggregation.groups) add_variant(part);
    add(static_cast<std::int64_t>(aggregation.measures.size()));
    for (const Tally& tally : aggregation.measures) add_variant(tally);
    add(aggregation.max_rows);
  }

 private:
  std::string text_;
};

// digest_hash: its words are no words of lots, whose first is preceded by nothing.
KeyedHash digest_hash(const SecretKey& key, std::uint64_t number) {
  constexpr std::uint64_t kPurpose = 0x7374696e75;  // "units"
  KeyedHash hash(key.words[2] ^ kPurpose, key.words[1] ^ number);
  hash.add(number);
  return hash;
}

template <class T>
UnitDigest digest_of(const SecretKey& key, const T& unit) {
  UnitDigest digest{};
  for (std::uint64_t i = 0; i < digest.size(); ++i) {
    KeyedHash hash = digest_hash(key, i);
    hash.add(unit);
    digest[i] = hash.finish();
  }
  return digest;
}

// merged_units: of parts that share none.
UnitCover merged_units(const UnitCover& first, const UnitCover& second) {
  const bool mixed = (!first.ranges.empty() && !second.digests.empty()) ||
                     (!first.digests.empty() && !second.ranges.empty());
  if (!first.known || !second.known || mixed) refuse_shared_units();
  UnitCover all;
  std::ranges::merge(first.ranges, second.ranges, std::back_inserter(all.ranges));
  std::ranges::merge(first.digests, second.digests, std::back_inserter(all.digests));
  for (std::size_t i = 1; i < all.ranges.size(); ++i) {
    if (all.ranges[i].first <= all.ranges[i - 1].second) refuse_shared_units();
  }
  if (std::ranges::adjacent_find(all.digests) != all.digests.end()) refuse_shared_units();
  return all;
}

void add_group(PartialGroup& group, const PartialGroup& other, std::int64_t most_rows) {
  if (other.rows > most_rows - group.rows) {
    throw Error(ErrorCode::kBadInput, "parts of an answer", "have more rows than max_rows",
                "raise max_rows to a public maximum that holds");
  }
  group.rows += other.rows;
  for (std::size_t i = 0; i < other.entries.size(); ++i) {
    for (const auto& [place, entry] : other.entries[i]) {
      Int128& sum = group.entries[i][place];
      const bool overflows = __builtin_add_overflow(sum, entry, &sum);
      invariant(!overflows, "sums of bounded entries are bounded");
    }
  }
  for (const auto& [measure, values] : other.values) {
    group.values[measure].insert(values.begin(), values.end());
  }
}

KeyValue partial_key(const PlainValue& value, FieldType type) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const std::int64_t number = std::get<std::int64_t>(value);
  if (type == FieldType::kBoolean) return number != 0;
  if (type == FieldType::kDate) return Date(std::chrono::sys_days(std::chrono::days(number)));
  return number;
}

// number_within: a number from `first` to `last`.
std::int64_t number_within(const PlainValue& value, std::int64_t first, std::int64_t last) {
  const auto* number = std::get_if<std::int64_t>(&value);
  invariant(number != nullptr && *number >= first && *number <= last, "keys are public ones");
  return *number;
}

// PartialReader: groups of a part as groups of an answer.
class PartialReader {
 public:
  explicit PartialReader(const Aggregation& aggregation) : aggregation_(aggregation) {
    Aggregation rows;
    for (const Tally& tally : aggregation.measures) terms_.push_back(entry_bounds(rows, tally));
  }

  KeyTuple key(const std::vector<PlainValue>& parts) const {
    require_parts(parts);
    KeyTuple key;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (const auto* listed = std::get_if<ListedKeys>(&aggregation_.groups[i])) {
        const std::int64_t number = number_within(parts[i], 0, std::ssize(listed->tuples) - 1);
        const KeyTuple& tuple = listed->tuples[static_cast<std::size_t>(number)];
        key.insert(key.end(), tuple.begin(), tuple.end());
      } else if (const auto* range = std::get_if<RangeKeys>(&aggregation_.groups[i])) {
        key.emplace_back(number_within(parts[i], range->first, range->last));
      } else {
        const FieldType type = std::get<FoundKeys>(aggregation_.groups[i]).column.type;
        invariant(std::holds_alternative<std::string>(parts[i]) == (type == FieldType::kText),
                  "keys are of their type");
        key.push_back(partial_key(parts[i], type));
      }
    }
    return key;
  }

  // place: the number of a public group.
  std::size_t place(const std::vector<PlainValue>& parts) const {
    require_parts(parts);
    std::int64_t place = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (const auto* listed = std::get_if<ListedKeys>(&aggregation_.groups[i])) {
        const std::int64_t size = std::ssize(listed->tuples);
        place = place * size + number_within(parts[i], 0, size - 1);
      } else {
        const auto& range = std::get<RangeKeys>(aggregation_.groups[i]);
        const std::int64_t number = number_within(parts[i], range.first, range.last);
        place = place * (range.last - range.first + 1) + (number - range.first);
      }
    }
    return static_cast<std::size_t>(place);
  }

  void read(const PartialGroup& group, std::vector<std::vector<Integer>>& entries) const {
    const std::vector<Tally>& measures = aggregation_.measures;
    invariant(group.rows >= 0 && group.rows <= aggregation_.max_rows, "counts are in bounds");
    invariant(group.entries.size() == measures.size(), "there are entries for each measure");
    for (std::size_t i = 0; i < measures.size(); ++i) {
      for (const auto& [place, entry] : group.entries[i]) {
        invariant(place < terms_[i].size(), "entries are those of the measure");
        const Integer number(entry);
        invariant(abs(number) <= terms_[i][place] * group.rows, "tallies are in bounds");
        entries[i][place] = number;
      }
      if (std::holds_alternative<DistinctCount>(measures[i])) {
        const auto values = group.values.find(i);
        const std::size_t size = values == group.values.end() ? 0 : values->second.size();
        invariant(Integer(size) <= Integer(group.rows), "values are those of rows");
        entries[i][0] = size;
      }
      if (!std::holds_alternative<BelowCounts>(measures[i])) continue;
      for (std::size_t c = 1; c < entries[i].size(); ++c) entries[i][c] += entries[i][c - 1];
    }
  }

 private:
  void require_parts(const std::vector<PlainValue>& parts) const {
    invariant(parts.size() == aggregation_.groups.size(), "there is a key for each part");
  }

  const Aggregation& aggregation_;
  std::vector<std::vector<Integer>> terms_;  // the most that one row adds to each entry
};

}  // namespace

std::string question_digest(const Aggregation& aggregation, const SecretKey& key) {
  ShapeText shape;
  shape.add(aggregation);
  // The key is there as words that do not tell it.
  for (std::uint64_t i = 0; i < 4; ++i) {
    KeyedHash hash(key.words[i], key.words[(i + 1) % 4]);
    hash.add("question of an aggregation");
    hash.add(i);
    shape.add(static_cast<std::int64_t>(hash.finish()));
  }
  return sha256_hex(shape.take());
}

UnitDigest unit_digest(const SecretKey& key, std::int64_t unit) {
  return digest_of(key, static_cast<std::uint64_t>(unit));
}
UnitDigest unit_digest(const SecretKey& key, std::string_view unit) { return digest_of(key, unit); }

void tidy(PartialAnswer& part) {
  for (auto& [key, group] : part.groups) {
    for (auto& entries : group.entries) {
      std::erase_if(entries, [](const auto& entry) { return entry.second == 0; });
    }
  }
}

PartialAnswer merge(const Aggregation& aggregation, PartialAnswer first,
                    const PartialAnswer& second) {
  if (first.question != second.question) {
    refuse_parts("answer different questions", "merge parts of one aggregation and one key");
  }
  if (std::holds_alternative<UnitColumn>(aggregation.unit)) {
    first.units = merged_units(first.units, second.units);
  }
  for (const auto& [key, group] : second.groups) {
    PartialGroup& known = first.groups[key];
    known.entries.resize(aggregation.measures.size());
    add_group(known, group, aggregation.max_rows);
  }
  tidy(first);
  return first;
}

std::vector<GroupAnswer> answer_of(const Aggregation& aggregation, const PartialAnswer& part) {
  const PartialReader reader(aggregation);
  std::vector<GroupAnswer> answers;
  if (public_groups(aggregation)) {
    answers = empty_groups(aggregation);
    for (const auto& [key, group] : part.groups) {
      const std::size_t place = reader.place(key);
      invariant(place < answers.size(), "groups are public ones");
      reader.read(group, answers[place].entries);
    }
    return answers;
  }
  for (const auto& [key, group] : part.groups) {
    GroupAnswer& answer = answers.emplace_back(GroupAnswer{reader.key(key), {}});
    for (const Tally& tally : aggregation.measures) {
      answer.entries.emplace_back(entry_count(tally));
    }
    reader.read(group, answer.entries);
  }
  std::ranges::sort(answers, {}, &GroupAnswer::key);
  return answers;
}

}  // namespace lastbit::engine
