#include "lastbit/release/fields/time_zone.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "lastbit/release/fields/field_text.h"

namespace lastbit {
namespace time_zone_test {

std::string big_endian(std::int64_t number, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    text += static_cast<char>(static_cast<std::uint64_t>(number) >> shift & 0xff);
  }
  return text;
}

// File: the parts of a zone file.
struct File {
  char version = '2';
  std::vector<std::int64_t> offsets = {3'600};
  std::vector<std::pair<std::int64_t, int>> changes = {};
  std::int64_t leaps = 0;
  std::string rule = "CET-1CEST,M3.5.0,M10.5.0/3";

  std::string header(std::size_t times, std::size_t types) const {
    std::string text = "TZif";
    text += version;
    text += std::string(15, '\0') + big_endian(0, 4) + big_endian(0, 4) + big_endian(leaps, 4);
    text += big_endian(static_cast<std::int64_t>(times), 4);
    text += big_endian(static_cast<std::int64_t>(types), 4) + big_endian(4, 4);
    return text;
  }
  std::string bytes() const {
    // The first block, for old readers, may hold something else.
    std::string text = header(0, 1) + std::string(6, '\0') + "ABC" + std::string(1, '\0');
    text += std::string(static_cast<std::size_t>(leaps) * 8, '\0');
    text += header(changes.size(), offsets.size());
    for (const auto& [at, type] : changes) text += big_endian(at, 8);
    for (const auto& [at, type] : changes) text += static_cast<char>(type);
    for (const std::int64_t offset : offsets) text += big_endian(offset, 4) + std::string(2, '\0');
    text += "ABC" + std::string(1, '\0') + std::string(static_cast<std::size_t>(leaps) * 12, '\0');
    return text + "\n" + rule + "\n";
  }
};

TimeZone zone_of(const File& file) {
  const auto rules = read_zone_file(file.bytes());
  EXPECT_TRUE(rules.has_value());
  return {"Test/Zone", rules.value_or(ZoneRules{})};
}

std::int64_t utc(std::string_view text) {
  return read_timestamp(text, TimeZone::utc()).value_or(0) / 1'000'000;
}

// In 2026 the clocks go forward on March 29 and back on October 25, both at 01:00 UTC.
TEST(TimeZoneTest, TheRuleAtTheEndIsFollowed) {
  const TimeZone zone = zone_of({});
  EXPECT_EQ(zone.offset_at(utc("2026-03-29 00:59:59")), 3'600);
  EXPECT_EQ(zone.offset_at(utc("2026-03-29 01:00:00")), 7'200);
  EXPECT_EQ(zone.offset_at(utc("2026-10-25 00:59:59")), 7'200);
  EXPECT_EQ(zone.offset_at(utc("2026-10-25 01:00:00")), 3'600);
  EXPECT_EQ(zone.offset_at(utc("9999-07-01 00:00")), 7'200);
  EXPECT_EQ(zone.offset_at(utc("0001-07-01 00:00")), 7'200);
}

TEST(TimeZoneTest, SkippedTimesTakeTheOffsetBeforeAndRepeatedOnesTheEarlierInstant) {
  const TimeZone zone = zone_of({});
  EXPECT_EQ(zone.to_utc(utc("2026-03-29 01:59:59")), utc("2026-03-29 00:59:59"));
  EXPECT_EQ(zone.to_utc(utc("2026-03-29 02:00:00")), utc("2026-03-29 01:00:00"));
  EXPECT_EQ(zone.to_utc(utc("2026-03-29 02:30:00")), utc("2026-03-29 01:30:00"));
  EXPECT_EQ(zone.to_utc(utc("2026-03-29 03:00:00")), utc("2026-03-29 01:00:00"));
  EXPECT_EQ(zone.to_utc(utc("2026-10-25 01:59:59")), utc("2026-10-24 23:59:59"));
  EXPECT_EQ(zone.to_utc(utc("2026-10-25 02:30:00")), utc("2026-10-25 00:30:00"));
  EXPECT_EQ(zone.to_utc(utc("2026-10-25 03:00:00")), utc("2026-10-25 02:00:00"));
}

TEST(TimeZoneTest, ListedChangesComeFirst) {
  File file;
  file.offsets = {3'208, 3'600, 7'200};
  file.changes = {{std::numeric_limits<std::int64_t>::min(), 0},
                  {utc("1893-04-01 00:00"), 1},
                  {utc("2026-01-10 00:00"), 2},
                  {utc("2026-02-10 00:00"), 1}};
  const TimeZone zone = zone_of(file);
  EXPECT_EQ(zone.offset_at(utc("0000-01-01 00:00")), 3'208);
  EXPECT_EQ(zone.offset_at(utc("1999-07-01 00:00")), 3'600);  // the rule holds only afterwards
  EXPECT_EQ(zone.offset_at(utc("2026-01-20 00:00")), 7'200);
  EXPECT_EQ(zone.offset_at(utc("2026-02-20 00:00")), 3'600);
  EXPECT_EQ(zone.offset_at(utc("2026-07-01 00:00")), 7'200);
  EXPECT_EQ(zone.to_utc(utc("1850-01-01 00:53:28")), utc("1850-01-01 00:00"));
}

TEST(TimeZoneTest, RulesCountDaysInThreeWays) {
  File file;
  file.rule = "<-03>3<-02>,J60/0,300/-1";
  TimeZone zone = zone_of(file);
  // The 60th day without February 29 is March 1; day 300 from 0 is October 28, or 27 in leap years.
  EXPECT_EQ(zone.offset_at(utc("2024-03-01 02:59:59")), -10'800);
  EXPECT_EQ(zone.offset_at(utc("2024-03-01 03:00:00")), -7'200);
  EXPECT_EQ(zone.offset_at(utc("2023-10-28 00:59:59")), -7'200);
  EXPECT_EQ(zone.offset_at(utc("2023-10-28 01:00:00")), -10'800);
  EXPECT_EQ(zone.offset_at(utc("2024-10-27 00:59:59")), -7'200);
  EXPECT_EQ(zone.offset_at(utc("2024-10-27 01:00:00")), -10'800);
  file.rule = "XXX3EDT4,0/0,J365/23";  // always summer time
  zone = zone_of(file);
  EXPECT_EQ(zone.offset_at(utc("2024-01-01 04:00:00")), -14'400);
  EXPECT_EQ(zone.offset_at(utc("2024-12-31 23:59:59")), -14'400);
  file.rule = "<+0545>-5:45";
  EXPECT_EQ(zone_of(file).offset_at(0), 20'700);
}

TEST(TimeZoneTest, OtherFilesAreRefused) {
  const std::string good = File().bytes();
  for (std::size_t size = 0; size + 1 < good.size(); ++size) {
    // Without its last line end, a rule cannot be complete.
    EXPECT_FALSE(read_zone_file(std::string_view(good).substr(0, size))) << size;
  }
  const auto refused = [](const File& file) { return !read_zone_file(file.bytes()).has_value(); };
  EXPECT_TRUE(refused({.version = '1'}));
  EXPECT_TRUE(refused({.offsets = {}}));
  EXPECT_TRUE(refused({.offsets = {100'000}}));
  EXPECT_TRUE(refused({.changes = {{5, 1}}}));
  EXPECT_TRUE(refused({.changes = {{5, 0}, {5, 0}}}));
  EXPECT_TRUE(refused({.leaps = 1}));
  for (const char* rule : {"CE-1", "CET", "CET-25", "CET-1CEST", "CET-1CEST,M3.5.0",
                           "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
                           "CET-1CEST,J0,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0x", "<CET-1"}) {
    EXPECT_TRUE(refused({.rule = rule})) << rule;
  }
}

TEST(TimeZoneTest, NamesAreUtcOffsetsOrZonesOfTheDatabase) {
  const auto found = [](std::string_view name) {
    const auto zone = TimeZone::find(name);
    return std::holds_alternative<const TimeZone*>(zone) ? std::get<const TimeZone*>(zone)
                                                         : nullptr;
  };
  EXPECT_EQ(found("UTC"), &TimeZone::utc());
  EXPECT_EQ(found("+00:00"), &TimeZone::utc());
  EXPECT_EQ(found("+02:00"), found("+02:00"));
  EXPECT_EQ(found("-03:30")->offset_at(0), -12'600);
  EXPECT_EQ(found("-03:30")->to_utc(0), 12'600);
  for (const char* name : {"", "+2:00", "+24:00", "+02:60", "utc", "..", "../../etc/passwd", "/etc",
                           "Europe//Berlin", "Europe/", "Europe", "localtime", "posixrules",
                           "Europe/Berlin\n", "tzdata.zi", "zone.tab", "No/Where"}) {
    EXPECT_EQ(found(name), nullptr) << name;
  }
}

// The zones that this machine knows, by another reader of the same files.
TEST(TimeZoneTest, ZonesOfTheDatabaseAreThoseOfTheSystem) {
  const char* before = std::getenv("TZ");
  const std::string kept = before == nullptr ? "" : before;
  int compared = 0;
  for (const char* name :
       {"Europe/Berlin", "Europe/Dublin", "America/New_York", "America/Sao_Paulo",
        "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca", "America/St_Johns",
        "Pacific/Apia", "Antarctica/Troll"}) {
    const auto found = TimeZone::find(name);
    if (!std::holds_alternative<const TimeZone*>(found)) continue;
    const TimeZone& zone = *std::get<const TimeZone*>(found);
    setenv("TZ", name, 1);
    tzset();
    for (std::int64_t at = utc("1905-01-01 00:00"); at < utc("2400-01-01 00:00"); at += 999'983) {
      const std::time_t seconds = at;
      std::tm local = {};
      localtime_r(&seconds, &local);
      ASSERT_EQ(zone.offset_at(at), local.tm_gmtoff) << name << " " << at;
      // Back again, unless the time is repeated.
      const std::int64_t back = zone.to_utc(at + zone.offset_at(at));
      ASSERT_LE(back, at);
      ASSERT_EQ(back + zone.offset_at(back), at + zone.offset_at(at)) << name << " " << at;
    }
    ++compared;
  }
  if (before == nullptr) {
    unsetenv("TZ");
  } else {
    setenv("TZ", kept.c_str(), 1);
  }
  tzset();
  if (compared == 0) GTEST_SKIP() << "there is no zone database";
}

}  // namespace time_zone_test
}  // namespace lastbit
