#include "lastbit/release/fields/field.h"

#include <fmt/core.h>

namespace lastbit {

FieldType type_of(const KeyValue& key) {
  constexpr FieldType kTypes[] = {FieldType::kBoolean, FieldType::kInteger, FieldType::kText,
                                  FieldType::kDate};
  return kTypes[key.index()];
}

std::string text_of(const KeyValue& key) {
  if (const auto* flag = std::get_if<bool>(&key)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&key)) return std::to_string(*whole);
  if (const auto* text = std::get_if<std::string>(&key)) return *text;
  const auto& date = std::get<Date>(key);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace lastbit
