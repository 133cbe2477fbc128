// nnapi/driver/compilation_cache.h -- Client-side folder of compilation caches.
//
//   const nn::CompilationCache cache("/home/me/.cache/my-app");
//   auto compiled = cache.prepare(*device, model, nn::ExecutionPreference::DEFAULT,
//                                 nn::Priority::DEFAULT, {}, {.token = tokenOfMyModel});
//   if (!compiled.has_value()) return compiled.status();
//   use(compiled->preparedModel, compiled->isFromCache);
//
// If the folder, its files or the device's cache cannot be used, the model is prepared without a
// cache. Thread-safe. Threads and processes may share a folder; if two save the same model at once,
// nothing is loaded until it is saved again.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn {

// SHA-256 of a model, including its constants wherever they are stored. Fails for constants that
// cannot be read.
using ModelDigest = std::array<uint8_t, 32>;
Result<ModelDigest> modelDigest(const Model& model);

// Identifies a compilation in the cache.
struct CacheRequest {
    // Identifies the model among the client's models. Models need different tokens, different
    // digests, or both.
    CacheToken token{};
    std::optional<ModelDigest> digest{};
    // Vendor hints of the preparation, which become part of the token, and the prefixes of their
    // tokens.
    std::vector<TokenValuePair> hints{};
    std::vector<ExtensionNameAndPrefix> extensionNameToPrefix{};
};

// The token that the driver receives: SHA-256 of the request's token, digest and hints, the
// device's name and version string, preference and priority. Each part of variable length is
// preceded by its length, so that "npu1" of version ".0" and "npu" of "1.0" have different tokens.
// Hints count by the names of their extensions, which are the same in every process, in any order.
// An updated device has another version string and so never finds its predecessor's files.
Result<CacheToken> compilationToken(const CacheRequest& request, std::string_view deviceName,
                                    std::string_view versionString, ExecutionPreference preference,
                                    Priority priority);

// File name of a cache file: the token as 64 letters 'A' to 'P' (for each byte its lower four bits
// first), '1' for model and '2' for data files, and the index in decimal.
enum class CacheFileKind { MODEL = 1, DATA = 2 };
std::string cacheFileName(const CacheToken& token, CacheFileKind kind, uint32_t index);

// Result of CompilationCache::prepare().
struct Compiled {
    SharedPreparedModel preparedModel{};  // not null
    bool isFromCache = false;             // false: compiled, and perhaps saved
};

// A folder of cache files.
class CompilationCache {
   public:
    // Receives why the cache was not used, on the preparing thread. Must not throw.
    using Listener = std::function<void(const Status&)>;

    // The folder must exist, and only its owner may write to it; docs/security.md lists the checks.
    explicit CompilationCache(std::filesystem::path folder, Listener onFailure = {})
        : mFolder(std::move(folder)), mOnFailure(std::move(onFailure)) {}

    // Loads the model if all of its files are in the folder. Otherwise, or if the device declines,
    // prepares and saves it. Files are created with mode 0600 and renamed once the model is
    // prepared; only regular files directly in the folder, with a single name, are opened. Fails
    // only as IDevice::prepareModel does.
    GeneralResult<Compiled> prepare(const IDevice& device, const Model& model,
                                    ExecutionPreference preference, Priority priority,
                                    const OptionalTimePoint& deadline,
                                    const CacheRequest& request) const;

   private:
    void report(const Status& status) const;
    std::filesystem::path mFolder;
    Listener mOnFailure;
};

}  // namespace nn
