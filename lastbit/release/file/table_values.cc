// The readers of single values that table_reader.h declares.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "lastbit/base/text.h"
#include "lastbit/release/file/table_reader.h"

namespace lastbit::release_internal {
namespace {

// Numbers beyond ±10^300 or finer than 10^-300 are refused: no data needs them, and their exact
// arithmetic would be slow.
constexpr unsigned kMaxDigits = 300;
constexpr std::size_t kMaxNumberLength = 700;
// The most columns or tables that one key may name.
constexpr std::size_t kMaxTexts = 100;

bool has_long_exponent(std::string_view text) {
  const std::size_t mark = text.find_first_of("eEpP");
  return mark != std::string_view::npos && text.size() - mark > 6;
}

std::optional<Rational> exact_number(const std::string& text) {
  if (text.size() > kMaxNumberLength || has_long_exponent(text)) return std::nullopt;
  try {
    const Rational value = Rational::parse(text);
    static const Rational kLargest = pow(Rational(10), kMaxDigits);
    if (abs(value) > kLargest || Rational(value.denominator()) > kLargest) return std::nullopt;
    return value;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// written_otherwise: what to write instead of a number as people write it outside computers, such
// as "0,5", "200 000" or "5%".
std::optional<std::string> written_otherwise(std::string_view text) {
  std::string digits;
  std::size_t commas = 0;
  for (const char c : text) {
    if (c == ',') ++commas;
    if (c != ' ' && c != ',' && c != '%') digits += c;
  }
  const bool percent = text.ends_with('%');
  const std::size_t comma = text.find(',');
  const bool grouped = comma != std::string_view::npos && text.size() - text.rfind(',') == 4;
  if (commas == 1 && !grouped) {
    digits = text.substr(0, comma);
    for (const char c : text.substr(comma)) {
      if (c != ' ' && c != '%') digits += c == ',' ? '.' : c;
    }
  }
  if (digits.size() == text.size() && commas == 0) return std::nullopt;
  const auto number = exact_number(digits);
  if (!number) return std::nullopt;
  const std::string meant = (percent ? *number / Rational(100) : *number).to_string();
  if (percent) return fmt::format("write {}, without a percent sign", meant);
  if (commas == 1 && grouped) {
    std::string decimal(text);
    decimal[comma] = '.';
    return fmt::format("write {}, or {} if the comma is a decimal point", meant, decimal);
  }
  return commas == 1 ? fmt::format("write {}, with a decimal point", meant)
                     : fmt::format("write {}, digits only", meant);
}

bool is_plain_line(std::string_view text) {
  return !text.empty() && text.size() <= ReleaseFile::kMaxNameBytes &&
         std::ranges::all_of(text, [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte >= 0x20 && byte != 0x7f;
         });
}

// The dates from one to another, at most kMaxGroups of them.
std::optional<KeySet> dates_of(const TomlEntry& from, const TomlEntry& to, std::string_view name,
                               Problems& problems) {
  const auto read = [&](const TomlEntry& entry) -> std::optional<std::chrono::sys_days> {
    const auto key = read_key(entry.value, in_code(entry.key), problems);
    if (!key) return std::nullopt;
    if (const auto* date = std::get_if<Date>(&*key)) return std::chrono::sys_days(*date);
    wrong_kind(entry.value, in_code(entry.key), "a date, as the other end is", problems);
    return std::nullopt;
  };
  const auto first = read(from);
  const auto last = read(to);
  if (!first || !last) return std::nullopt;
  const auto days = (*last - *first).count() + 1;
  if (days < 1 || days > static_cast<std::int64_t>(ReleaseFile::kMaxGroups)) {
    problems.add(from.value.position,
                 fmt::format("the range of {} is {}", name, days < 1 ? "empty" : "too long"),
                 days < 1 ? "make `from` at most `to`"
                          : fmt::format("a column has at most {} keys", ReleaseFile::kMaxGroups));
    return std::nullopt;
  }
  KeyList dates;
  for (auto day = *first; day <= *last; day += std::chrono::days(1)) dates.emplace_back(Date(day));
  return dates;
}

// A range { from = 1, to = 12 } of at most kMaxGroups whole numbers, or of dates.
std::optional<KeySet> range_of(const TomlTable& table, FilePosition position, std::string_view name,
                               Problems& problems) {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 62;
  TableReader reader(table, position, std::string(name), problems);
  const TomlEntry* start = reader.require("from", "write { from = 1, to = 12 }");
  const TomlEntry* end = reader.require("to", "write { from = 1, to = 12 }");
  const auto is_date = [](const TomlEntry* entry) {
    return entry != nullptr && std::holds_alternative<Date>(entry->value.content);
  };
  if (start != nullptr && end != nullptr && (is_date(start) || is_date(end))) {
    reader.finish();
    return dates_of(*start, *end, name, problems);
  }
  const auto from = reader.whole("from", -kFarthest, kFarthest);
  const auto to = reader.whole("to", -kFarthest, kFarthest);
  reader.finish();
  if (!from || !to) return std::nullopt;
  if (from->value > to->value) {
    problems.add(from->position, fmt::format("the range of {} is empty", name),
                 "make `from` at most `to`");
    return std::nullopt;
  }
  const KeyRange range{from->value, to->value};
  if (range.size() > Integer(ReleaseFile::kMaxGroups)) {
    problems.add(from->position, fmt::format("the range of {} is too long", name),
                 fmt::format("a column has at most {} keys", ReleaseFile::kMaxGroups));
    return std::nullopt;
  }
  return range;
}

std::optional<KeySet> list_of_keys(const TomlArray& array, FilePosition position,
                                   std::string_view name, Problems& problems) {
  if (array.empty()) {
    problems.add(position, fmt::format("{} is an empty list", name), "list at least one key");
    return std::nullopt;
  }
  KeyList keys;
  std::set<KeyValue> seen;
  bool good = true;
  for (const TomlValue& element : array) {
    if (problems.full()) return std::nullopt;
    const auto key = read_key(element, fmt::format("a key in {}", name), problems);
    if (!key) {
      good = false;
    } else if (!seen.insert(*key).second) {
      problems.add(element.position, fmt::format("this key is listed twice in {}", name),
                   "remove one");
      good = false;
    } else if (!keys.empty() && key->index() != keys.front().index()) {
      problems.add(element.position, fmt::format("the keys in {} are of different types", name),
                   "write all of them as texts, or all as whole numbers");
      return std::nullopt;
    } else {
      keys.push_back(*key);
    }
  }
  if (!good) return std::nullopt;
  return keys;
}

}  // namespace

std::optional<Rational> read_number(const TomlValue& value, std::string_view name,
                                    Problems& problems) {
  const auto* number = std::get_if<TomlNumber>(&value.content);
  const auto* text = std::get_if<std::string>(&value.content);
  if (number == nullptr && text == nullptr) {
    wrong_kind(value, name, "a number, as in 0.5 or \"1/3\"", problems);
    return std::nullopt;
  }
  const std::string& written = number != nullptr ? number->literal : *text;
  if (number != nullptr && (written == "nan" || written == "inf")) {
    problems.add(value.position, fmt::format("{} is not finite", name), "write a finite number");
    return std::nullopt;
  }
  const auto exact = exact_number(written);
  if (exact) return exact;
  const bool numeric = written.find_first_not_of("0123456789+-.eE/xXpP") == std::string::npos;
  problems.add(
      value.position,
      fmt::format("{} is {}, which is not a number{}", name, quote(written),
                  numeric ? fmt::format(" of at most {} digits", kMaxDigits) : std::string()),
      written_otherwise(written).value_or("write a number, as in 0.5, 1e-6 or \"1/3\""));
  return std::nullopt;
}

std::optional<std::int64_t> read_whole(const TomlValue& value, std::string_view name,
                                       std::int64_t least, std::int64_t most, Problems& problems) {
  const auto number = read_number(value, name, problems);
  if (!number) return std::nullopt;
  if (!number->is_integer()) {
    problems.add(value.position, fmt::format("{} is not a whole number", name),
                 "write a whole number");
    return std::nullopt;
  }
  if (*number < Rational(least) || *number > Rational(most)) {
    problems.add(value.position, fmt::format("{} is {}", name, number->to_string()),
                 fmt::format("write a whole number from {} to {}", least, most));
    return std::nullopt;
  }
  return number->numerator().to_int64();
}

std::optional<std::string> read_text(const TomlValue& value, std::string_view name,
                                     Problems& problems) {
  const auto* text = std::get_if<std::string>(&value.content);
  if (text == nullptr) {
    wrong_kind(value, name, "a text in quotes", problems);
    return std::nullopt;
  }
  if (!is_plain_line(*text)) {
    problems.add(value.position,
                 fmt::format("{} is empty, longer than {} bytes or has control characters", name,
                             ReleaseFile::kMaxNameBytes),
                 "write one short line");
    return std::nullopt;
  }
  return *text;
}

std::optional<std::vector<Located<std::string>>> read_texts(const TomlValue& value,
                                                            std::string_view name,
                                                            Problems& problems) {
  std::vector<Located<std::string>> texts;
  if (std::holds_alternative<std::string>(value.content)) {
    const auto text = read_text(value, name, problems);
    if (!text) return std::nullopt;
    texts.push_back({*text, value.position});
    return texts;
  }
  const auto* array = std::get_if<TomlArray>(&value.content);
  if (array == nullptr || array->empty()) {
    wrong_kind(value, name, "a text, or a list of texts", problems);
    return std::nullopt;
  }
  if (array->size() > kMaxTexts) {
    problems.add(value.position, fmt::format("{} has {} entries", name, array->size()),
                 fmt::format("list at most {}", kMaxTexts));
    return std::nullopt;
  }
  std::set<std::string> seen;
  for (const TomlValue& element : *array) {
    if (problems.full()) return std::nullopt;
    const auto text = read_text(element, name, problems);
    if (!text) return std::nullopt;
    if (!seen.insert(*text).second) {
      problems.add(element.position, fmt::format("{} is listed twice in {}", quote(*text), name),
                   "remove one");
      return std::nullopt;
    }
    texts.push_back({*text, element.position});
  }
  return texts;
}

std::optional<KeyValue> read_key(const TomlValue& value, std::string_view name,
                                 Problems& problems) {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 62;
  if (const auto* flag = std::get_if<bool>(&value.content)) return KeyValue(*flag);
  if (std::holds_alternative<TomlNumber>(value.content)) {
    const auto whole = read_whole(value, name, -kFarthest, kFarthest, problems);
    if (!whole) return std::nullopt;
    return KeyValue(*whole);
  }
  if (const auto* text = std::get_if<std::string>(&value.content)) {
    if (text->size() <= ReleaseFile::kMaxNameBytes) return KeyValue(*text);
    problems.add(value.position,
                 fmt::format("{} is longer than {} bytes", name, ReleaseFile::kMaxNameBytes),
                 "write a shorter one");
    return std::nullopt;
  }
  if (const auto* date = std::get_if<Date>(&value.content)) {
    if (date->ok() && date->year() >= std::chrono::year(1)) return KeyValue(*date);
    problems.add(value.position, fmt::format("{} is not a valid date", name),
                 "write a date such as 2024-02-29");
    return std::nullopt;
  }
  wrong_kind(value, name, "a text, a whole number, true, false or a date", problems);
  return std::nullopt;
}

std::optional<KeySet> read_keys(const TomlValue& value, std::string_view name, Problems& problems) {
  if (const auto* array = std::get_if<TomlArray>(&value.content)) {
    return list_of_keys(*array, value.position, name, problems);
  }
  if (const auto* table = std::get_if<TomlTable>(&value.content)) {
    return range_of(*table, value.position, name, problems);
  }
  wrong_kind(value, name, "a list of keys, or a range { from = 1, to = 12 }", problems);
  return std::nullopt;
}

std::optional<std::optional<Located<FieldValue>>> read_nulls(const TomlValue& value,
                                                             Problems& problems) {
  const auto* text = std::get_if<std::string>(&value.content);
  if (text != nullptr && *text == "drop") return std::optional<Located<FieldValue>>();
  const auto* table = std::get_if<TomlTable>(&value.content);
  if (table == nullptr) {
    problems.add(value.position, "`nulls` is neither \"drop\" nor { impute = … }",
                 "write nulls = \"drop\" or nulls = { impute = 0 }");
    return std::nullopt;
  }
  TableReader reader(*table, value.position, "`nulls`", problems);
  const TomlEntry* entry = reader.require("impute", "write nulls = { impute = 0 }");
  reader.finish();
  if (entry == nullptr) return std::nullopt;
  const TomlValue& by = entry->value;
  if (std::holds_alternative<TomlNumber>(by.content)) {
    const auto number = read_number(by, "`impute`", problems);
    if (!number) return std::nullopt;
    return Located<FieldValue>{*number, by.position};
  }
  const auto key = read_key(by, "`impute`", problems);
  if (!key) return std::nullopt;
  if (const auto* flag = std::get_if<bool>(&*key)) return Located<FieldValue>{*flag, by.position};
  if (const auto* date = std::get_if<Date>(&*key)) return Located<FieldValue>{*date, by.position};
  return Located<FieldValue>{std::get<std::string>(*key), by.position};
}

}  // namespace lastbit::release_internal
