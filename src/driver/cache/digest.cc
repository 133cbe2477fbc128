#include "driver/cache/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace nn::cache {
namespace {

constexpr std::string_view kRefused = "libcrypto computes no SHA-256";

}  // namespace

Result<Digest> sha256(std::span<const uint8_t> bytes) {
    Digest digest{};
    unsigned size = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1 ||
        size != digest.size()) {
        return makeError(ErrorStatus::GENERAL_FAILURE, kRefused);
    }
    return digest;
}

Result<Digest> hmacSha256(std::span<const uint8_t> key, std::span<const uint8_t> bytes) {
    Digest digest{};
    unsigned size = 0;
    if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes.data(), bytes.size(),
             digest.data(), &size) == nullptr ||
        size != digest.size()) {
        return makeError(ErrorStatus::GENERAL_FAILURE, kRefused);
    }
    return digest;
}

bool areEqual(std::span<const uint8_t> a, std::span<const uint8_t> b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace nn::cache
