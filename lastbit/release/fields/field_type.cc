#include "lastbit/release/fields/field_type.h"

#include <fmt/core.h>

#include "lastbit/release/fields/time_zone.h"

namespace lastbit {

FieldType FieldType::timestamp(const TimeZone& zone) {
  FieldType type(kTimestamp);
  if (&zone != &TimeZone::utc()) type.zone_ = &zone;
  return type;
}

const TimeZone& FieldType::zone() const { return zone_ == nullptr ? TimeZone::utc() : *zone_; }

std::string_view name_of(FieldType type) {
  constexpr std::string_view kNames[] = {"integer",   "real", "text",    "boolean", "date",
                                         "timestamp", "time", "decimal", "unsigned"};
  return kNames[type.kind()];
}

std::string full_name(FieldType type) {
  if (type == FieldType::kDecimal) return fmt::format("decimal with {} decimals", type.decimals());
  if (type == FieldType::kTimestamp) return fmt::format("timestamp in {}", type.zone().name());
  return std::string(name_of(type));
}

}  // namespace lastbit
