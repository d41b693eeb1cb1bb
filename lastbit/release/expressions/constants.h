// Constants of expressions, and the types that they have or take. For this folder only.
//
// Functions that read a constant throw Refusal, at its offset, if it is not of its type.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "lastbit/release/expressions/syntax.h"

namespace lastbit::expression_internal {

// type_named: as people write types, in lower case; decimal(2) and timestamp(UTC) as the syntax
// says. Nothing if there is no such type.
std::optional<FieldType> type_named(std::string_view name, std::size_t offset);

// words_for: as in "a whole number".
std::string_view words_for(FieldType type);

// joined_type: the type of two numbers that become one.
FieldType joined_type(FieldType a, FieldType b);

RowExpression constant_of(FieldType type, Cell value);
// whole_constant: beyond 64 bits it is a decimal without decimals.
RowExpression whole_constant(const Syntax& syntax, bool negative);
CellValue real_constant(const Syntax& syntax);
RowExpression exact_decimal_constant(const Syntax& syntax);
// timestamp_constant: in local time of the zone, unless it names an offset or another zone.
RowExpression timestamp_constant(const Syntax& syntax, const TimeZone& around);
RowExpression time_constant(const Syntax& syntax);
RowExpression date_constant(const Syntax& syntax);

// adapt_constants: constants take the type of what stands beside them, where they could be of
// several: numbers with a point become decimals beside decimals, texts become dates and times, and
// timestamps get a zone. `checked` holds what `all` means; nothing for NULL.
void adapt_constants(const std::vector<const Syntax*>& all,
                     std::vector<std::optional<RowExpression>>& checked);

}  // namespace lastbit::expression_internal
