#include "lastbit/engines/kernel/merged_rows.h"

#include <variant>

namespace lastbit::engine {
namespace {

// Keys that are not listed, and missing fields.
constexpr std::uint64_t kOthers = 2;

std::optional<Integer> number_of_keys(const ColumnDeclaration& column) {
  if (!column.keys) return std::nullopt;
  if (const auto* range = std::get_if<KeyRange>(&column.keys->value)) return range->size();
  return Integer(std::get<KeyList>(column.keys->value).size());
}

std::optional<Integer> number_between_bounds(const ColumnDeclaration& column, FieldType type) {
  const bool exact = is_whole(type) || type == FieldType::kDecimal;
  if (!exact || !column.lower || !column.upper) return std::nullopt;
  const Rational steps = (column.upper->value - column.lower->value) *
                         Rational(pow(Integer(10), unsigned(type.decimals())));
  return steps.floor() + 1;
}

// declared_fields: how many different fields a column is declared to have.
std::optional<std::uint64_t> declared_fields(const ReleaseFile& release, const RowColumn& column) {
  if (column.type == FieldType::kBoolean) return 2 + kOthers;
  const ColumnDeclaration* declared = release.find_column(column.name);
  if (declared == nullptr || column.type == FieldType::kReal) return std::nullopt;
  std::optional<Integer> number = number_of_keys(*declared);
  if (!number) number = number_between_bounds(*declared, column.type);
  if (!number || *number < 0 || *number > Integer(kMostMerged)) return std::nullopt;
  return static_cast<std::uint64_t>(number->to_int64()) + kOthers;
}

}  // namespace

std::optional<std::uint64_t> declared_rows(const ReleaseFile& release,
                                           std::span<const RowColumn> columns) {
  std::uint64_t rows = 1;
  for (const RowColumn& column : columns) {
    const std::optional<std::uint64_t> fields = declared_fields(release, column);
    if (!fields) return std::nullopt;
    rows *= *fields;
    if (rows > kMostMerged) return std::nullopt;
  }
  return rows;
}

}  // namespace lastbit::engine
