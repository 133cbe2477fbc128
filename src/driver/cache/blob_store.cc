#include "nnapi/driver/blob_store.h"

#include <fmt/format.h>

#include <iterator>

#include "base/no_throw.h"
#include "driver/cache/bytes.h"
#include "nnapi/checked_math.h"
#include "nnapi/types.h"

namespace nn {
namespace {

using cache::ByteReader;
using cache::ByteWriter;

constexpr std::string_view kBlobMagic = "NNAPIBLB";
constexpr uint32_t kBlobFormat = 1;

Status refused(const std::string& why) { return makeError(ErrorStatus::INVALID_ARGUMENT, why); }

}  // namespace

void BlobStore::State::add(Entry entry) {
    const size_t size = entry.size();
    Entries added;
    added.push_back(std::move(entry));
    byKey.emplace(added.front().key, added.begin());
    entries.splice(entries.end(), added);
    bytes += size;
}

void BlobStore::State::take(State& other) {
    byKey.merge(other.byKey);
    entries.splice(entries.end(), other.entries);
    bytes += other.bytes;
}

void BlobStore::State::remove(Entries::iterator entry) {
    bytes -= entry->size();
    byKey.erase(entry->key);
    entries.erase(entry);
}

Status BlobStore::check(std::span<const uint8_t> key, std::span<const uint8_t> value) const {
    // Lengths are stored in 32 bits.
    const auto within = [](std::string_view what, size_t size, size_t limit) -> Status {
        if (size != 0 && size <= limit && size <= UINT32_MAX) return {};
        return refused(fmt::format("{} of {} bytes, allowed 1 to {}", what, size, limit));
    };
    NNAPI_RETURN_IF_ERROR(within("a key", key.size(), mLimits.keyBytes));
    NNAPI_RETURN_IF_ERROR(within("a value", value.size(), mLimits.valueBytes));
    const auto size = checkedAdd<size_t>(key.size(), value.size());
    const size_t most = mCleanUp.until == BlobCleanUp::Until::HALF ? mLimits.totalBytes / 2
                                                                   : mLimits.totalBytes;
    return within("an entry", size.value_or(SIZE_MAX), most);
}

void BlobStore::makeRoom(size_t size) {
    const bool mustFit = mCleanUp.until != BlobCleanUp::Until::HALF;
    const bool mustHalve = mCleanUp.until != BlobCleanUp::Until::IT_FITS;
    const auto isEnough = [&] {
        return (!mustFit || mState.bytes <= mLimits.totalBytes - size) &&
               (!mustHalve || mState.bytes <= mLimits.totalBytes / 2);
    };
    while (!mState.entries.empty() && !isEnough()) {
        auto victim = mState.entries.begin();
        if (mCleanUp.which == BlobCleanUp::Which::RANDOM) {
            std::advance(victim, mRandom() % mState.entries.size());
        }
        mState.remove(victim);
    }
}

Status BlobStore::put(std::span<const uint8_t> key, std::span<const uint8_t> value) NNAPI_TRY {
    NNAPI_RETURN_IF_ERROR(check(key, value));
    Entry entry{{key.begin(), key.end()}, {value.begin(), value.end()}};
    const size_t size = entry.size();
    State added;  // allocates; the rest does not
    added.add(std::move(entry));
    const std::lock_guard lock(mMutex);
    if (const auto found = mState.byKey.find(added.entries.front().key);
        found != mState.byKey.end()) {
        mState.remove(found->second);
    }
    if (mState.bytes > mLimits.totalBytes - size) makeRoom(size);
    mState.take(added);
    return {};
}
NNAPI_CATCH

std::optional<BlobStore::Bytes> BlobStore::get(std::span<const uint8_t> key) const {
    const std::string wanted(key.begin(), key.end());
    const std::lock_guard lock(mMutex);
    const auto found = mState.byKey.find(wanted);
    if (found == mState.byKey.end()) return std::nullopt;
    mState.entries.splice(mState.entries.end(), mState.entries, found->second);
    return found->second->value;
}

size_t BlobStore::count() const {
    const std::lock_guard lock(mMutex);
    return mState.entries.size();
}

size_t BlobStore::totalBytes() const {
    const std::lock_guard lock(mMutex);
    return mState.bytes;
}

BlobStore::Bytes BlobStore::serialize() const {
    const std::lock_guard lock(mMutex);
    ByteWriter bytes;
    bytes.put(cache::bytesOf(kBlobMagic));
    bytes.put(kBlobFormat);
    bytes.putText(mDeviceVersion);
    bytes.put(static_cast<uint32_t>(mState.entries.size()));
    for (const Entry& entry : mState.entries) {
        bytes.putText(entry.key);
        bytes.put(static_cast<uint32_t>(entry.value.size()));
        bytes.put(entry.value);
    }
    return std::move(bytes).bytes();
}

Status BlobStore::parse(std::span<const uint8_t> bytes) NNAPI_TRY {
    ByteReader reader(bytes);
    const auto takeSized = [&]() -> std::optional<std::span<const uint8_t>> {
        uint32_t size = 0;
        if (!reader.takeCount(size, 1)) return std::nullopt;
        return reader.takeBytes(size);
    };
    const auto magic = reader.takeBytes(kBlobMagic.size());
    if (!magic || std::string(magic->begin(), magic->end()) != kBlobMagic) {
        return refused("these are not the bytes of a blob store");
    }
    uint32_t format = 0, count = 0;
    if (!reader.take(format)) return refused("the bytes end in the version of the format");
    if (format != kBlobFormat) {
        return refused(fmt::format("version {} of the format, allowed {}", format, kBlobFormat));
    }
    const auto version = takeSized();
    if (!version) return refused("the bytes end in the version of the device");
    if (std::string(version->begin(), version->end()) != mDeviceVersion) {
        return refused("the bytes are those of another version of the device");
    }
    if (!reader.takeCount(count, 2 * sizeof(uint32_t))) {
        return refused("the bytes end before the entries that they claim");
    }
    State state;
    for (uint32_t i = 0; i < count; ++i) {
        const auto key = takeSized();
        const auto value = key ? takeSized() : std::nullopt;
        if (!value) return refused(fmt::format("the bytes end in entry {} of {}", i, count));
        if (const Status checked = check(*key, *value); !checked.ok()) {
            return refused(fmt::format("entry {}: {}", i, std::string(checked.message())));
        }
        Entry entry{{key->begin(), key->end()}, {value->begin(), value->end()}};
        if (state.byKey.contains(entry.key)) {
            return refused(fmt::format("entry {} has the key of another one", i));
        }
        if (state.bytes > mLimits.totalBytes - entry.size()) {
            return refused(fmt::format("the entries have more than {} bytes", mLimits.totalBytes));
        }
        state.add(std::move(entry));
    }
    if (reader.rest() != 0) {
        return refused(fmt::format("{} bytes follow the last entry", reader.rest()));
    }
    const std::lock_guard lock(mMutex);
    std::swap(mState, state);
    return {};
}
NNAPI_CATCH

}  // namespace nn
