// What to do about fields that cannot be read. For this folder only.
#pragma once

#include <string>

#include "lastbit/release/inspect/inspect.h"

namespace lastbit::report {

// values_words: what the values of a type are, as in "whole numbers".
std::string values_words(FieldType type);

// field_remedy: what to do, judging by the first unreadable fields of the column. It is a guess.
std::string field_remedy(const InspectedColumn& column, bool text_file);

}  // namespace lastbit::report
