// TokenHasher.h -- The token of a compilation cache, made from a client's token and what else the
// cached file depends on.
//
//   TokenHasher hasher(token);
//   if (hasher.updateFromString(deviceName) && hasher.finish()) use(hasher.getCacheToken());
//
// SHA-256 of the client's token followed by all bytes. Once a call fails, there is no token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace android::nn {

class TokenHasher {
   public:
    // 32 bytes, or null for a hasher without a token.
    explicit TokenHasher(const uint8_t* token);
    TokenHasher(const TokenHasher&) = delete;
    TokenHasher& operator=(const TokenHasher&) = delete;

    bool update(const void* bytes, size_t length);
    bool updateFromString(const char* s) { return update(s, strlen(s)); }
    bool finish();

    // Null unless the hasher has finished.
    const uint8_t* getCacheToken() const { return mToken.empty() ? nullptr : mToken.data(); }
    bool ok() const { return !mIsError; }

   private:
    std::vector<uint8_t> mBytes{};
    std::vector<uint8_t> mToken{};
    bool mIsError = false;
};

}  // namespace android::nn
