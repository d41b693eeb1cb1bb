// AesCtr: the keystream of AES-256 in counter mode, through OpenSSL's EVP interface.
// Every return value of OpenSSL is checked; a failure is a kEntropy Error.
#pragma once

#include <cstddef>
#include <memory>

extern "C" {
struct evp_cipher_st;
struct evp_cipher_ctx_st;
}

namespace lastbit::internal {

class AesCtr {
 public:
  static constexpr std::size_t kKeyBytes = 32;
  static constexpr std::size_t kIvBytes = 16;
  static constexpr std::size_t kSeedBytes = kKeyBytes + kIvBytes;

  AesCtr();

  // start: begins the keystream of the key and the initial counter block at `seed` (kSeedBytes),
  // which are copied.
  void start(const void* seed);
  // add_keystream: XORs the next `size` bytes of the keystream into `data`.
  void add_keystream(void* data, std::size_t size);
  // forget: wipes and frees the key schedule, so that only start() can bring a key back.
  void forget();

 private:
  struct FreeCipher {
    void operator()(evp_cipher_st* cipher) const;
  };
  struct FreeContext {
    void operator()(evp_cipher_ctx_st* context) const;
  };
  std::unique_ptr<evp_cipher_st, FreeCipher> cipher_;
  std::unique_ptr<evp_cipher_ctx_st, FreeContext> context_;
};

}  // namespace lastbit::internal
