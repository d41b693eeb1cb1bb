#include "lastbit/random/aes_ctr.h"

#include <openssl/evp.h>

#include <string>

#include "lastbit/base/error.h"

namespace lastbit::internal {
namespace {

void require(bool succeeded, const char* what) {
  if (succeeded) return;
  throw Error(ErrorCode::kEntropy, "bit source", std::string("OpenSSL failed to ") + what,
              "check that the OpenSSL installation offers AES-256-CTR; nothing was released");
}

}  // namespace

void AesCtr::FreeCipher::operator()(evp_cipher_st* cipher) const { EVP_CIPHER_free(cipher); }

void AesCtr::FreeContext::operator()(evp_cipher_ctx_st* context) const {
  EVP_CIPHER_CTX_free(context);
}

AesCtr::AesCtr()
    : cipher_(EVP_CIPHER_fetch(nullptr, "AES-256-CTR", nullptr)), context_(EVP_CIPHER_CTX_new()) {
  require(cipher_ != nullptr, "find AES-256-CTR");
  require(context_ != nullptr, "make a cipher context");
}

void AesCtr::start(const void* seed) {
  const auto* const key = static_cast<const unsigned char*>(seed);
  const int started =
      EVP_EncryptInit_ex2(context_.get(), cipher_.get(), key, key + kKeyBytes, nullptr);
  require(started == 1, "start AES-256-CTR");
}

void AesCtr::add_keystream(void* data, std::size_t size) {
  auto* const bytes = static_cast<unsigned char*>(data);
  int written = 0;
  const int encrypted =
      EVP_EncryptUpdate(context_.get(), bytes, &written, bytes, static_cast<int>(size));
  require(encrypted == 1 && written == static_cast<int>(size), "run AES-256-CTR");
}

void AesCtr::forget() {
  require(EVP_CIPHER_CTX_reset(context_.get()) == 1, "reset a cipher context");
}

}  // namespace lastbit::internal
