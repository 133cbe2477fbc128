// nnapi/driver/cache.h -- Tamper-proof compilation caches for drivers.
//
//   const nn::CacheKey key = nn::CacheKey::ofFile("/var/lib/my-driver/cache.key").value();
//   const nn::CacheSeal seal(key, "my-driver", "3.1", {.model = 1, .data = 1});
//   // in prepareModel, once it has succeeded:
//   const nn::Status saved = nn::saveModel(seal, {modelCache, dataCache, token},
//                                          model, preference, priority);
//   if (!saved.ok()) log(saved);            // never a reason to fail
//   // in prepareModelFromCache:
//   nn::Result<nn::CachedModel> cached = nn::loadModel(seal, {modelCache, dataCache, token});
//   if (!cached.ok()) return cached.status();
//
// Cache files belong to the client, which may lose, exchange or change them, even while they are
// read. So each file is read once into memory of this process and accepted only with a valid seal:
// a keyed digest (HMAC-SHA-256) over the format version, the device's name and version, the token,
// and the lengths and SHA-256 digests of all files. The key never leaves the driver. Nothing is
// allocated before the seal is verified.
//
// A driver with its own compiled form uses CacheSeal::save and load, which take any bytes.
// docs/cache_files.md describes the format. Thread-safe; if two threads save to the same file at
// once, the file is not loaded afterwards.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/driver/result.h"
#include "nnapi/limits.h"
#include "nnapi/types.h"

namespace nn {

// The secret of one installation of a driver; a process that has it can forge caches.
class CacheKey {
   public:
    // A key: 32 bytes that cannot be guessed.
    static constexpr size_t kSize = 32;
    using Bytes = std::array<uint8_t, kSize>;

    // A key that the caller has stored. The bytes must be random.
    explicit CacheKey(const Bytes& bytes) : mBytes(bytes) {}

    // A random key that lives as long as the object and its copies. GENERAL_FAILURE if the system
    // has no random bytes.
    static Result<CacheKey> random();

    // The key in a file, which is created atomically with mode 0600 if it does not exist. Fails if
    // it is not a regular file of 32 bytes or if others than its owner can access it.
    static Result<CacheKey> ofFile(const std::filesystem::path& path);

    // The secret, to store it where only the driver can read.
    const Bytes& bytes() const { return mBytes; }

   private:
    Bytes mBytes;
};

// Cache arguments of prepareModel and prepareModelFromCache. The vectors must outlive it.
struct CacheFiles {
    const std::vector<SharedHandle>& model;  // as many as in the seal's counts
    const std::vector<SharedHandle>& data;   // likewise
    const CacheToken& token;                 // part of the seal: files of another token do not load
};

// Contents of each file.
struct CacheContents {
    std::vector<std::vector<uint8_t>> model{};  // in the order of the files
    std::vector<std::vector<uint8_t>> data{};   // likewise
};

// Saves and loads the cache files of one device.
class CacheSeal {
   public:
    // Numbers of files.
    struct Counts {
        uint32_t model = 1;  // 1 to kMaxNumberOfCacheFiles; the first file has the seal
        uint32_t data = 0;   // 0 to kMaxNumberOfCacheFiles
    };

    // Files that were sealed with another key, name, version string or counts do not load.
    CacheSeal(CacheKey key, std::string deviceName, std::string versionString, Counts counts)
        : mKey(key),
          mDeviceName(std::move(deviceName)),
          mVersionString(std::move(versionString)),
          mCounts(counts) {}

    // As given; for getNumberOfCacheFilesNeeded().
    const Counts& counts() const { return mCounts; }

    // Empties the files and writes the contents from offset 0, regardless of the position of the
    // descriptors. Fails if the numbers of files or contents differ from the seal's, for files that
    // are not regular, distinct and writable, and if writing fails; all files that could be opened
    // are then left empty. Full disks and RLIMIT_FSIZE are failures, not signals. Descriptors are
    // not kept.
    Status save(const CacheFiles& files, std::span<const std::span<const uint8_t>> model,
                std::span<const std::span<const uint8_t>> data) const;

    // INVALID_ARGUMENT if the numbers of files differ from the seal's; GENERAL_FAILURE unless the
    // files are exactly what save() has written for this token.
    Result<CacheContents> load(const CacheFiles& files) const;

   private:
    struct Entry;
    Status checkCounts(const CacheFiles& files) const;
    Result<std::vector<uint8_t>> header(std::span<const Entry> entries,
                                        const CacheToken& token) const;

    CacheKey mKey;
    std::string mDeviceName;
    std::string mVersionString;
    Counts mCounts;
};

// A loaded model. All constants are in operandValues, wherever they were before.
struct CachedModel {
    Model model{};                                                  // not validated
    ExecutionPreference preference = ExecutionPreference::DEFAULT;  // as it was saved
    Priority priority = Priority::DEFAULT;                          // as it was saved
    bool operator==(const CachedModel&) const = default;
};
NNAPI_FIELDS(CachedModel, model, preference, priority)

// Saves a legal model to one model file and one data file, with a seal of these counts. Fails as
// CacheSeal::save() does, and for constants larger than limits.constantBytes or in unreadable
// memory.
Status saveModel(const CacheSeal& seal, const CacheFiles& files, const Model& model,
                 ExecutionPreference preference, Priority priority, const Limits& limits = {});

// Loads a saved model. Fails as CacheSeal::load() does. Validate the result: a device of another
// feature level may not support it.
Result<CachedModel> loadModel(const CacheSeal& seal, const CacheFiles& files);

// The same without files and seal: the graph in a compact form, and the constants, each byte once
// even if operands share it. Independent of the machine, except for the byte order of constants.
struct PackedModel {
    std::vector<uint8_t> graph{};
    std::vector<uint8_t> constants{};
};
// Fails for constants larger than limits.constantBytes or in unreadable memory.
Result<PackedModel> packModel(const Model& model, ExecutionPreference preference, Priority priority,
                              const Limits& limits = {});

// Reverses packModel(). GENERAL_FAILURE for other bytes. Uses memory linear in the bytes. The
// constants become the model's without a copy. Does not validate the model.
Result<CachedModel> unpackModel(std::span<const uint8_t> graph, std::vector<uint8_t> constants);

}  // namespace nn
