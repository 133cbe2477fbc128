// nnapi/driver/blob_store.h -- Bounded key-value store for compiled parts of models.
//
//   nn::BlobStore store({.totalBytes = 4 << 20}, {}, "3.1");
//   nn::Status kept = store.put(key, compiledKernel);
//   if (std::optional<std::vector<uint8_t>> value = store.get(key)) use(*value);
//   write(file, store.serialize());
//   nn::Status read = store.parse(bytesOfTheFile);   // rejects those of another device version
//
// The serialized form is not sealed: keep it where only the driver can write, or in a cache file of
// nn::CacheSeal. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/result.h"

namespace nn {

// Limits in bytes. The total counts keys and values.
struct BlobLimits {
    size_t keyBytes = 4096;                // of one key
    size_t valueBytes = size_t{1} << 20;   // of one value
    size_t totalBytes = size_t{16} << 20;  // of all entries
};

// Eviction policy for a new entry that does not fit.
struct BlobCleanUp {
    // The entry that is evicted first: any, or the one whose last get() or put() is the oldest.
    enum class Which { RANDOM, LEAST_RECENTLY_USED };
    // Evicts until the entry fits, until at most half of the total is used, or until both hold.
    // With HALF, an entry larger than half of the total is rejected and nothing is evicted.
    enum class Until { IT_FITS, HALF, BOTH };

    Which which = Which::LEAST_RECENTLY_USED;  // evicted first
    Until until = Until::BOTH;                 // ends the clean-up
    uint32_t seed = 1;                         // for RANDOM
};

// A map from keys to values, both bytes.
class BlobStore {
   public:
    // Of a key or a value.
    using Bytes = std::vector<uint8_t>;

    // An empty store. `deviceVersion` is the device's version string: parse() rejects entries that
    // another version has written.
    explicit BlobStore(BlobLimits limits = {}, BlobCleanUp cleanUp = {},
                       std::string deviceVersion = {})
        : mLimits(limits),
          mCleanUp(cleanUp),
          mDeviceVersion(std::move(deviceVersion)),
          mRandom(cleanUp.seed) {}

    // Adds a value or replaces an older one. INVALID_ARGUMENT for an empty key or value and beyond
    // a limit; nothing changes then.
    Status put(std::span<const uint8_t> key, std::span<const uint8_t> value);

    // Empty if the key has no value.
    std::optional<Bytes> get(std::span<const uint8_t> key) const;

    // Number of entries; bytes of their keys and values.
    size_t count() const;
    size_t totalBytes() const;

    // "NNAPIBLB", format version, device version and number of entries, followed by the entries,
    // the most recently used last.
    Bytes serialize() const;

    // Replaces all entries by serialized ones. INVALID_ARGUMENT for other bytes, for another device
    // version and beyond a limit; nothing changes then.
    Status parse(std::span<const uint8_t> bytes);

   private:
    struct Entry {
        std::string key{};  // bytes
        Bytes value{};
        size_t size() const { return key.size() + value.size(); }
    };
    using Entries = std::list<Entry>;  // the one that was used last is at the end
    struct State {
        Entries entries{};
        std::map<std::string, Entries::iterator> byKey{};
        size_t bytes = 0;

        void add(Entry entry);
        void take(State& other);  // whose keys are others
        void remove(Entries::iterator entry);
    };

    Status check(std::span<const uint8_t> key, std::span<const uint8_t> value) const;
    void makeRoom(size_t size);

    const BlobLimits mLimits;
    const BlobCleanUp mCleanUp;
    const std::string mDeviceVersion;
    mutable std::mutex mMutex;
    mutable State mState;
    std::minstd_rand mRandom;
};

}  // namespace nn
