// nnapi/driver/cache.h -- compilation caches that a driver writes, and nobody else can forge.
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
// Cache files belong to the client, who may lose, mix up or change them, also while they are read.
// So each file is read once, into memory of this process, and is believed only with its seal: a
// keyed digest (HMAC-SHA-256) over the version of the format, name and version of the device, the
// token, and the lengths and SHA-256 digests of all files. The key never leaves the driver. Nothing
// is allocated that the seal does not vouch for.
//
// A driver with a compiled form of its own seals that instead: CacheSeal::save and load take any
// bytes. docs/drivers.md has the format. Thread-safe, but two savings to one file at once leave one
// that is not loaded.
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

// What seals of one installation of a driver have in common; whoever knows it can forge them.
class CacheKey {
   public:
    static constexpr size_t kSize = 32;
    using Bytes = std::array<uint8_t, kSize>;

    explicit CacheKey(const Bytes& bytes) : mBytes(bytes) {}

    // A key for as long as this object and its copies live. Fails where the system gives no random
    // bytes.
    static Result<CacheKey> random();

    // The key in a file, which is made, for its owner alone (0600) and all at once, where there is
    // none. Fails for what is not a regular file of 32 bytes, and for one that others than its
    // owner can read or write.
    static Result<CacheKey> ofFile(const std::filesystem::path& path);

    const Bytes& bytes() const { return mBytes; }

   private:
    Bytes mBytes;
};

// What a client gives to prepareModel and prepareModelFromCache. The vectors must outlive it.
struct CacheFiles {
    const std::vector<SharedHandle>& model;
    const std::vector<SharedHandle>& data;
    const CacheToken& token;
};

// The bytes of each file.
struct CacheContents {
    std::vector<std::vector<uint8_t>> model{};
    std::vector<std::vector<uint8_t>> data{};
};

class CacheSeal {
   public:
    struct Counts {
        uint32_t model = 1;  // 1 to kMaxNumberOfCacheFiles: the first file has the seal
        uint32_t data = 0;   // 0 to kMaxNumberOfCacheFiles
    };

    CacheSeal(CacheKey key, std::string deviceName, std::string versionString, Counts counts)
        : mKey(key),
          mDeviceName(std::move(deviceName)),
          mVersionString(std::move(versionString)),
          mCounts(counts) {}

    const Counts& counts() const { return mCounts; }

    // Writes contents to files, which are emptied first, from offset 0, wherever the descriptors
    // stand. Fails for numbers of files or contents that are not those of the seal, for files that
    // are not regular, distinct and writable, and where they cannot be written; then all that could
    // be opened are left empty. Full disks and RLIMIT_FSIZE are failures, not signals. Descriptors
    // are not kept.
    Status save(const CacheFiles& files, std::span<const std::span<const uint8_t>> model,
                std::span<const std::span<const uint8_t>> data) const;

    // INVALID_ARGUMENT for numbers of files that are not those of the seal, GENERAL_FAILURE for
    // everything but what save() has written for that token.
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

// A model as it comes back: its constants lie in operandValues alone, whatever memory they came
// from, and nothing else is in there.
struct CachedModel {
    Model model{};
    ExecutionPreference preference = ExecutionPreference::DEFAULT;
    Priority priority = Priority::DEFAULT;
    bool operator==(const CachedModel&) const = default;
};
NNAPI_FIELDS(CachedModel, model, preference, priority)

// A legal model in one model and one data file, by a seal with these counts. Fails as
// CacheSeal::save, and for constants of more than limits.constantBytes or in memory that cannot be
// read.
Status saveModel(const CacheSeal& seal, const CacheFiles& files, const Model& model,
                 ExecutionPreference preference, Priority priority, const Limits& limits = {});

// Fails as CacheSeal::load. The model is what was saved, but a device of another feature level may
// refuse it, so it is validated as any other.
Result<CachedModel> loadModel(const CacheSeal& seal, const CacheFiles& files);

// The two parts, without files and seal: the graph in a compact form, and the constants, each byte
// once however many operands share it. Neither depends on the machine but for the byte order of the
// constants.
struct PackedModel {
    std::vector<uint8_t> graph{};
    std::vector<uint8_t> constants{};
};
Result<PackedModel> packModel(const Model& model, ExecutionPreference preference, Priority priority,
                              const Limits& limits = {});

// GENERAL_FAILURE for bytes that no graph was packed to. Takes memory linear in the bytes. The
// constants become the model's without a copy; whether the model is legal is not looked at.
Result<CachedModel> unpackModel(std::span<const uint8_t> graph, std::vector<uint8_t> constants);

}  // namespace nn
