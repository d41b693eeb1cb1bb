// Numbers as PostgreSQL sends them: the highest byte first. For this module only.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace lastbit::engine {

// wire_integer: the first bytes of the text as a whole number.
// Requires  caller: there are as many bytes as T has.
template <class T>
T wire_integer(std::string_view bytes) {
  std::make_unsigned_t<T> value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<std::make_unsigned_t<T>>(value << 8 | static_cast<unsigned char>(bytes[i]));
  }
  return static_cast<T>(value);
}

}  // namespace lastbit::engine
