// The words that statements for the engine are made of: quoted names, and how a field of a file
// becomes a value of its declared type. Everything else in a statement is a number of ours or a
// placeholder for a bound value. Inside of this room only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lastbit/query/field.h"

namespace lastbit::engine {

// Carrier: what the engine holds such a field in. A boolean is 0 or 1 and a date the number of days
// after 1970-01-01, so that whole numbers, doubles and texts are all there is.
enum class Carrier { kInteger, kReal, kText };
Carrier carrier_of(FieldType type);

// sql_type: the engine's name of a carrier.
std::string_view sql_type(Carrier carrier);

// quoted_identifier: the name between double quotes, those in it doubled, which makes any text a
// name and nothing else. A name with a zero byte, where the engine would stop reading, is a
// kBadInput Error.
std::string quoted_identifier(std::string_view name);

// field_expression: the column `name` of what the statement calls `source`, which the file declares as `declared` (the engine's name of
// the type), as the carrier of `type`; null where the field is missing or not of the type. It
// depends on this one field only and never fails.
std::string field_expression(std::string_view name, FieldType type, std::string_view declared);

}  // namespace lastbit::engine
