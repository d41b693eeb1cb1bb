// held: the value of an optional that has one; a kInternal Error that names the line if not.
#pragma once

#include <optional>
#include <source_location>
#include <string_view>

#include "lastbit/base/error.h"

namespace lastbit {

template <class Value>
const Value& held(const std::optional<Value>& value, std::string_view why,
                  const std::source_location& where = std::source_location::current()) {
  if (!value) broken_invariant(why, where);
  return *value;
}
template <class Value>
Value& held(std::optional<Value>& value, std::string_view why,
            const std::source_location& where = std::source_location::current()) {
  if (!value) broken_invariant(why, where);
  return *value;
}

}  // namespace lastbit
