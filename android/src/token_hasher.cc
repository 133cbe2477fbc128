#include "TokenHasher.h"

#include "driver/cache/digest.h"
#include "nnapi/types.h"

namespace android::nn {

TokenHasher::TokenHasher(const uint8_t* token) : mIsError(token == nullptr) {
    if (token != nullptr) mBytes.assign(token, token + ::nn::kByteSizeOfCacheToken);
}

bool TokenHasher::update(const void* bytes, size_t length) {
    if (mIsError || !mToken.empty()) return false;
    const auto* first = static_cast<const uint8_t*>(bytes);
    mBytes.insert(mBytes.end(), first, first + length);
    return true;
}

bool TokenHasher::finish() {
    if (mIsError || !mToken.empty()) return false;
    const auto digest = ::nn::cache::sha256(mBytes);
    if (digest.ok()) mToken.assign(digest->begin(), digest->end());
    mIsError = !digest.ok();
    return !mIsError;
}

}  // namespace android::nn
