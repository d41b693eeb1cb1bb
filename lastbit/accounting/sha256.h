// SHA-256, for chains of hashes. Collisions are assumed to be out of reach (TRUST.md).
#pragma once

#include <string>
#include <string_view>

namespace lastbit {

// sha256_hex: the hash of the bytes, as 64 lower-case hexadecimal digits. A library that refuses to
// compute it is a kInternal Error.
std::string sha256_hex(std::string_view bytes);

}  // namespace lastbit
