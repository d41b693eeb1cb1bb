#include "lastbit/accounting/sha256.h"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <array>

#include "lastbit/base/error.h"

namespace lastbit {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, 32> digest{};
  unsigned size = 0;
  const int done =
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  invariant(done == 1 && size == digest.size(), "OpenSSL computes SHA-256");
  std::string text;
  for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace lastbit
