// Files of the zone database: TZif (RFC 8536).
#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/release/fields/field_text.h"
#include "lastbit/release/fields/time_zone.h"

namespace lastbit {
namespace {

constexpr std::int64_t kDaySeconds = 86'400;
constexpr std::int64_t kFarthestOffset = 26 * 3'600;

struct NotAZone {};

// ZoneBytes: takes numbers from the front of a file. Throws NotAZone at its end.
class ZoneBytes {
 public:
  explicit ZoneBytes(std::string_view bytes) : bytes_(bytes) {}

  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size()) throw NotAZone{};
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  // number: in two's complement, the first byte first.
  std::int64_t number(std::size_t bytes) {
    const std::string_view taken = take(bytes);
    std::uint64_t value =
        (static_cast<unsigned char>(taken[0]) & 0x80) != 0 ? ~std::uint64_t{0} : 0;
    for (const char byte : taken) value = value << 8 | static_cast<unsigned char>(byte);
    return static_cast<std::int64_t>(value);
  }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

struct ZoneHeader {
  std::uint64_t utc_marks, standard_marks, leaps, times, types, letters;

  explicit ZoneHeader(ZoneBytes& bytes) {
    if (bytes.take(4) != "TZif" || bytes.take(1)[0] < '2') throw NotAZone{};
    bytes.take(15);
    for (auto* count : {&utc_marks, &standard_marks, &leaps, &times, &types, &letters}) {
      const std::int64_t number = bytes.number(4);
      if (number < 0) throw NotAZone{};
      *count = static_cast<std::uint64_t>(number);
    }
  }
};

void require_offset(std::int64_t offset) {
  if (offset < -kFarthestOffset || offset > kFarthestOffset) throw NotAZone{};
}

// DayRule: on which day of a year the clocks change, and when on that day.
struct DayRule {
  enum class Kind { kOfYear, kOfYearWithoutLeapDay, kOfMonth } kind = Kind::kOfMonth;
  unsigned month = 1;
  unsigned week = 1;
  unsigned day = 0;
  std::int64_t time = 7'200;

  // local_in: in seconds after 1970-01-01 00:00 of local time.
  std::int64_t local_in(int year) const {
    using std::chrono::sys_days;
    const std::chrono::year of(year);
    const auto start = sys_days(of / std::chrono::January / 1);
    sys_days found = start + std::chrono::days(day);
    if (kind == Kind::kOfYearWithoutLeapDay) {
      found = start + std::chrono::days(day - (of.is_leap() && day >= 60 ? 0U : 1U));
    } else if (kind == Kind::kOfMonth) {
      const std::chrono::weekday weekday(day);
      found = week == 5 ? sys_days(of / std::chrono::month(month) / weekday[std::chrono::last])
                        : sys_days(of / std::chrono::month(month) / weekday[week]);
    }
    return std::int64_t{found.time_since_epoch().count()} * kDaySeconds + time;
  }
};

// YearlyRule: the rule at the end of a file, which holds after all changes that it lists.
struct YearlyRule {
  std::int64_t standard = 0;
  std::int64_t summer = 0;
  std::optional<std::pair<DayRule, DayRule>> changes;  // to summer time, and back
};

// RuleReader: reads a rule as POSIX writes it in the variable TZ: CET-1CEST,M3.5.0,M10.5.0/3.
class RuleReader {
 public:
  explicit RuleReader(std::string_view text) : text_(text) {}

  YearlyRule read() {
    YearlyRule rule;
    take_name();
    // Positive numbers are behind UTC.
    rule.standard = -take_time(24);
    if (text_.empty()) return rule;
    take_name();
    const bool given = !text_.starts_with(',');
    rule.summer = given ? -take_time(24) : rule.standard + 3'600;
    take(',');
    const DayRule start = take_day();
    take(',');
    rule.changes = {start, take_day()};
    if (!text_.empty()) throw NotAZone{};
    require_offset(rule.standard);
    require_offset(rule.summer);
    return rule;
  }

 private:
  bool found(char c) {
    const bool there = text_.starts_with(c);
    if (there) text_.remove_prefix(1);
    return there;
  }
  void take(char c) {
    if (!found(c)) throw NotAZone{};
  }
  void take_name() {
    const bool quoted = found('<');
    const auto part = [&](char c) {
      const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      return letter || (quoted && (is_digit(c) || c == '+' || c == '-'));
    };
    const auto end = std::ranges::find_if_not(text_, part);
    const auto size = static_cast<std::size_t>(end - text_.begin());
    if (size < 3) throw NotAZone{};
    text_.remove_prefix(size);
    if (quoted) take('>');
  }
  std::int64_t take_number(std::int64_t least, std::int64_t most) {
    std::int64_t number = 0;
    std::size_t digits = 0;
    for (; digits < text_.size() && digits < 3 && is_digit(text_[digits]); ++digits) {
      number = number * 10 + (text_[digits] - '0');
    }
    text_.remove_prefix(digits);
    if (digits == 0 || number < least || number > most) throw NotAZone{};
    return number;
  }
  // take_time: [sign]hours[:minutes[:seconds]], in seconds.
  std::int64_t take_time(std::int64_t most_hours) {
    const bool negative = found('-');
    if (!negative) found('+');
    std::int64_t seconds = take_number(0, most_hours) * 3'600;
    if (found(':')) {
      seconds += take_number(0, 59) * 60;
      if (found(':')) seconds += take_number(0, 59);
    }
    return negative ? -seconds : seconds;
  }
  DayRule take_day() {
    DayRule rule;
    if (found('M')) {
      rule.month = static_cast<unsigned>(take_number(1, 12));
      take('.');
      rule.week = static_cast<unsigned>(take_number(1, 5));
      take('.');
      rule.day = static_cast<unsigned>(take_number(0, 6));
    } else if (found('J')) {
      rule.kind = DayRule::Kind::kOfYearWithoutLeapDay;
      rule.day = static_cast<unsigned>(take_number(1, 365));
    } else {
      rule.kind = DayRule::Kind::kOfYear;
      rule.day = static_cast<unsigned>(take_number(0, 365));
    }
    if (found('/')) rule.time = take_time(167);
    return rule;
  }

  std::string_view text_;
};

using Changes = std::vector<ZoneRules::Change>;

// add_yearly: the changes of a rule after the last one that is listed.
void add_yearly(const YearlyRule& rule, Changes& changes) {
  const std::int64_t last =
      changes.empty() ? std::numeric_limits<std::int64_t>::min() : changes.back().at;
  if (!rule.changes) return;
  Changes yearly;
  for (int year = 0; year <= 9'999; ++year) {
    const std::int64_t start = rule.changes->first.local_in(year) - rule.standard;
    const std::int64_t back = rule.changes->second.local_in(year) - rule.summer;
    for (const auto& change : {ZoneRules::Change{start, rule.summer}, {back, rule.standard}}) {
      if (change.at > last) yearly.push_back(change);
    }
  }
  // Where it is always summer time, one summer ends when the next begins, and the latter counts.
  std::ranges::sort(yearly, {}, [&](const ZoneRules::Change& change) {
    return std::pair(change.at, change.offset == rule.summer);
  });
  changes.insert(changes.end(), yearly.begin(), yearly.end());
}

// within_calendar: only changes that matter for the years 0 to 9999, each to another offset.
ZoneRules within_calendar(std::int64_t first, const Changes& changes) {
  ZoneRules rules{first, {}};
  for (const ZoneRules::Change& change : changes) {
    if (change.at <= (kFirstDay - 2) * kDaySeconds) {
      rules.first = change.offset;
      continue;
    }
    if (change.at >= (kLastDay + 2) * kDaySeconds) break;
    Changes& kept = rules.changes;
    // Of changes at one time, the last one holds.
    if (!kept.empty() && kept.back().at == change.at) kept.pop_back();
    const std::int64_t before = kept.empty() ? rules.first : kept.back().offset;
    if (change.offset != before) kept.push_back(change);
  }
  return rules;
}

ZoneRules read_zone(ZoneBytes bytes) {
  const ZoneHeader old(bytes);
  bytes.take(old.times * 5 + old.types * 6 + old.letters + old.leaps * 8 + old.standard_marks +
             old.utc_marks);
  const ZoneHeader header(bytes);
  // With leap seconds, times would not be those of UTC.
  if (header.leaps != 0 || header.types == 0) throw NotAZone{};
  ZoneBytes times(bytes.take(header.times * 8));
  ZoneBytes kinds(bytes.take(header.times));
  ZoneBytes types(bytes.take(header.types * 6));
  bytes.take(header.letters + header.standard_marks + header.utc_marks);
  std::vector<std::int64_t> offsets;
  for (std::uint64_t i = 0; i < header.types; ++i) {
    offsets.push_back(types.number(4));
    require_offset(offsets.back());
    types.take(2);  // whether it is summer time, and its name
  }
  Changes changes;
  for (std::uint64_t i = 0; i < header.times; ++i) {
    const std::int64_t at = times.number(8);
    const auto kind = static_cast<unsigned char>(kinds.take(1)[0]);
    if (kind >= offsets.size() || (!changes.empty() && at <= changes.back().at)) throw NotAZone{};
    changes.push_back({at, offsets[kind]});
  }
  const std::string_view end = bytes.rest();
  if (end.size() < 2 || end.front() != '\n' || end.back() != '\n') throw NotAZone{};
  const std::string_view rule = end.substr(1, end.size() - 2);
  if (!rule.empty()) {
    const YearlyRule yearly = RuleReader(rule).read();
    require_offset(yearly.standard);
    if (!yearly.changes && changes.empty()) offsets.front() = yearly.standard;
    add_yearly(yearly, changes);
  }
  return within_calendar(offsets.front(), changes);
}

}  // namespace

std::optional<ZoneRules> read_zone_file(std::string_view bytes) {
  try {
    return read_zone(ZoneBytes(bytes));
  } catch (const NotAZone&) {
    return std::nullopt;
  }
}

}  // namespace lastbit
