#include "lastbit/release/fields/time_zone.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>

#include "lastbit/accounting/sha256.h"
#include "lastbit/base/text.h"

namespace lastbit {
namespace {

constexpr std::string_view kZoneFolder = "/usr/share/zoneinfo/";
constexpr std::uintmax_t kMostZoneBytes = std::uintmax_t{1} << 20;

// fixed_offset: the seconds of +hh:mm; nothing if the name is not one.
std::optional<std::int64_t> fixed_offset(std::string_view name) {
  constexpr std::string_view kForm = "sdd:dd";
  const auto fits = [](char c, char form) {
    return form == 'd' ? is_digit(c) : form == 's' ? c == '+' || c == '-' : c == form;
  };
  if (!std::ranges::equal(name, kForm, fits)) return std::nullopt;
  const std::int64_t hours = (name[1] - '0') * 10 + (name[2] - '0');
  const std::int64_t minutes = (name[4] - '0') * 10 + (name[5] - '0');
  if (hours > 23 || minutes > 59) return std::nullopt;
  const std::int64_t seconds = (hours * 60 + minutes) * 60;
  return name[0] == '-' ? -seconds : seconds;
}

// is_zone_name: a path below the folder of the database, and nothing else. The two exceptions are
// links to what this machine is set to.
bool is_zone_name(std::string_view name) {
  if (name.empty() || name.size() > 64 || name == "localtime" || name == "posixrules") return false;
  const auto allowed = [](char c) {
    return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '+' || c == '-' || c == '/';
  };
  return std::ranges::all_of(name, allowed) && name.front() != '/' && name.back() != '/' &&
         name.find("//") == std::string_view::npos;
}

std::optional<std::string> zone_bytes(const std::string& name) {
  const std::filesystem::path path = std::string(kZoneFolder) + name;
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) return std::nullopt;
  const std::uintmax_t size = std::filesystem::file_size(path, problem);
  if (problem || size > kMostZoneBytes) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::variant<ZoneRules, ZoneProblem> rules_named(const std::string& name) {
  if (const auto offset = fixed_offset(name)) return ZoneRules{*offset, {}};
  const std::string remedy =
      "write \"UTC\", a fixed offset such as \"+02:00\", or a name such as "
      "\"Europe/Berlin\"";
  if (!is_zone_name(name)) {
    return ZoneProblem{fmt::format("{} is not the name of a time zone", quote(name)), remedy};
  }
  const auto bytes = zone_bytes(name);
  if (!bytes) {
    std::error_code problem;
    if (std::filesystem::is_directory(kZoneFolder, problem)) {
      return ZoneProblem{fmt::format("there is no time zone {}", quote(name)), remedy};
    }
    return ZoneProblem{
        fmt::format("the time zone {} is unknown, since {} is not there", quote(name), kZoneFolder),
        "install the zone database (package tzdata), or write a fixed offset such as \"+02:00\""};
  }
  auto rules = read_zone_file(*bytes);
  if (!rules) {
    return ZoneProblem{fmt::format("the rules of the time zone {} cannot be read", quote(name)),
                       "write a fixed offset such as \"+02:00\", or install tzdata again"};
  }
  return *std::move(rules);
}

}  // namespace

TimeZone::TimeZone(std::string name, ZoneRules rules)
    : name_(std::move(name)), rules_(std::move(rules)) {}

const TimeZone& TimeZone::utc() {
  static const auto* const kUtc = new TimeZone("UTC", {});
  return *kUtc;
}

std::variant<const TimeZone*, ZoneProblem> TimeZone::find(std::string_view name) {
  // One zone for one name, so that equal types have equal addresses.
  static std::mutex mutex;
  static auto* const known = new std::map<std::string, std::unique_ptr<TimeZone>, std::less<>>();
  if (name == "UTC" || name == "+00:00" || name == "-00:00") return &utc();
  const std::lock_guard lock(mutex);
  const auto found = known->find(name);
  if (found != known->end()) return found->second.get();
  auto rules = rules_named(std::string(name));
  if (auto* problem = std::get_if<ZoneProblem>(&rules)) return std::move(*problem);
  auto zone = std::make_unique<TimeZone>(std::string(name), std::get<ZoneRules>(std::move(rules)));
  return known->emplace(std::string(name), std::move(zone)).first->second.get();
}

std::string TimeZone::digest() const {
  std::string text = fmt::format("{}\n", rules_.first);
  for (const auto& [at, offset] : rules_.changes) text += fmt::format("{} {}\n", at, offset);
  return sha256_hex(text);
}

std::int64_t TimeZone::offset_at(std::int64_t seconds) const {
  const auto after = std::ranges::upper_bound(rules_.changes, seconds, {}, &ZoneRules::Change::at);
  return offset_of(static_cast<std::size_t>(after - rules_.changes.begin()));
}

std::int64_t TimeZone::to_utc(std::int64_t local) const {
  // No offset is as large as two days, so only periods that begin before local + two days, and end
  // after local - two days, can have this local time. Period i ends at changes[i].
  constexpr std::int64_t kTwoDays = 172'800;
  const auto& changes = rules_.changes;
  const auto near = std::ranges::upper_bound(changes, local - kTwoDays, {}, &ZoneRules::Change::at);
  auto period = static_cast<std::size_t>(near - changes.begin());
  for (; period < changes.size(); ++period) {
    if (local < changes[period].at + offset_of(period)) break;  // it ends later
    // It is over. If the next one begins later in local time, this one is skipped.
    if (local < changes[period].at + offset_of(period + 1)) break;
  }
  return local - offset_of(period);
}

}  // namespace lastbit
