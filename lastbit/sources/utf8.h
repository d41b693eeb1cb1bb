// UTF-8, as strictly as the Unicode standard defines it (table 3-7).
#pragma once

#include <cstddef>
#include <string_view>

namespace lastbit::source {

// first_invalid_utf8: the offset of the first byte that starts no well-formed character, or
// text.size() where there is none. Overlong forms, surrogates, characters above U+10FFFF and
// characters that the end of the text cuts off are not well-formed. It never fails.
std::size_t first_invalid_utf8(std::string_view text);

}  // namespace lastbit::source
