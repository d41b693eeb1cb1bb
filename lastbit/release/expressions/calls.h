// What a call of a function must look like. For this folder only.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "lastbit/release/expressions/functions.h"
#include "lastbit/release/expressions/syntax.h"

namespace lastbit::expression_internal {

// is_word_of_time: what SQL writes without parentheses although it is a function, in lower case.
bool is_word_of_time(std::string_view word);

// refuse_word: throws Refusal for a name, in lower case, that SQL has and that is not a function of
// one row.
void refuse_word(std::size_t offset, std::string_view word);

// refuse_function: for a call of a function that does not exist.
[[noreturn]] void refuse_function(const Syntax& syntax);

// result_type: of a function, given its arguments, at least one.
FieldType result_type(const RowFunctionKind& kind, const std::vector<RowExpression>& operands);

// constant_part: the part of a date or time that an argument names.
DatePart constant_part(const Syntax& syntax, bool truncation);

// require_part: throws Refusal unless values of the type have the part.
void require_part(const RowExpression& value, const Syntax& syntax, std::optional<DatePart> part);

}  // namespace lastbit::expression_internal
