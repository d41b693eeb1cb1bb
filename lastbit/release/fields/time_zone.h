// TimeZone: how far local time is ahead of UTC, for all times of the years 0 to 9999.
//
// Guarantee      every function is total and depends on its argument and the zone's rules alone.
//                The rules are public: they are read once, by name, before any row is, and stay the
//                same as long as the program runs. The environment is not consulted.
//                Proof: proofs/expressions.md#zones
// Files of the zone database follow RFC 8536.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lastbit {

// ZoneProblem: why there is no such zone.
struct ZoneProblem {
  std::string problem;
  std::string remedy;
};

// ZoneRules: local time is `first` seconds ahead of UTC, and `offset` seconds from each change on.
// Times are seconds after 1970-01-01 00:00 UTC.
struct ZoneRules {
  struct Change {
    std::int64_t at;
    std::int64_t offset;
    friend bool operator==(const Change&, const Change&) = default;
  };
  std::int64_t first = 0;
  std::vector<Change> changes;  // ascending, each to another offset than before
};

// read_zone_file: the rules in a file of the zone database (TZif, version 2 or later, without leap
// seconds); nothing if it is anything else. The rule at its end is followed to the year 9999.
std::optional<ZoneRules> read_zone_file(std::string_view bytes);

class TimeZone {
 public:
  static const TimeZone& utc();
  // find: UTC, a fixed offset such as +02:00, or a zone of the database in /usr/share/zoneinfo,
  // such as Europe/Berlin. The zone is never destroyed.
  static std::variant<const TimeZone*, ZoneProblem> find(std::string_view name);

  TimeZone(std::string name, ZoneRules rules);

  const std::string& name() const { return name_; }
  // is_fixed: its name says all there is to know. digest: SHA-256 of the rules, in hexadecimal.
  bool is_fixed() const {
    return name_ == "UTC" || name_.starts_with('+') || name_.starts_with('-');
  }
  std::string digest() const;

  // offset_at: how many seconds local time is ahead of UTC, at so many seconds after 1970 in UTC.
  std::int64_t offset_at(std::int64_t seconds) const;
  // to_utc: when local time is `local`, in seconds of UTC. Of two such times it is the earlier one.
  // If local time skips it, the offset before the change holds.
  std::int64_t to_utc(std::int64_t local) const;

 private:
  std::int64_t offset_of(std::size_t period) const {
    return period == 0 ? rules_.first : rules_.changes[period - 1].offset;
  }

  std::string name_;
  ZoneRules rules_;
};

}  // namespace lastbit
