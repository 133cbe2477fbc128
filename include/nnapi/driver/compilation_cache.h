// nnapi/driver/compilation_cache.h -- prepares models from a folder of compilation caches.
//
//   const nn::CompilationCache cache("/home/me/.cache/my-app");
//   auto compiled = cache.prepare(*device, model, nn::ExecutionPreference::DEFAULT,
//                                 nn::Priority::DEFAULT, {}, {.token = tokenOfMyModel});
//   if (!compiled.has_value()) return compiled.status();
//   use(compiled->preparedModel, compiled->isFromCache);
//
// Whatever is wrong with the folder, its files or the device's cache, the model is prepared, as it
// is without a cache. Thread-safe; threads and processes may share a folder: where two save the
// same model at once, nothing is loaded until somebody saves it again.
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

// SHA-256 of all that a model says, its constants included, wherever they lie. Fails for constants
// that cannot be read.
using ModelDigest = std::array<uint8_t, 32>;
Result<ModelDigest> modelDigest(const Model& model);

// What a client asks of a cache.
struct CacheRequest {
    // Names the model among all of the client's. The client gives another one to every model, or a
    // digest, or both.
    CacheToken token{};
    std::optional<ModelDigest> digest{};
    // Of the preparation; the first go into the token.
    std::vector<TokenValuePair> hints{};
    std::vector<ExtensionNameAndPrefix> extensionNameToPrefix{};
};

// The token that a driver is given: SHA-256 of the request's token, digest and hints, the name and
// the version string of the device, preference and priority. What has no fixed length is preceded
// by its length, so that "npu1" of version ".0" and "npu" of "1.0" have different tokens. Hints
// count by the names of their extensions, which are the same in every process, and in any order. A
// device that was updated has another version string, and so finds nothing of its predecessor.
Result<CacheToken> compilationToken(const CacheRequest& request, std::string_view deviceName,
                                    std::string_view versionString, ExecutionPreference preference,
                                    Priority priority);

// The name of a cache file: the token as 64 letters from 'A' to 'P', for each byte its lower four
// bits first; '1' for a file of the model and '2' for one of its data; and the index, in decimals.
enum class CacheFileKind { MODEL = 1, DATA = 2 };
std::string cacheFileName(const CacheToken& token, CacheFileKind kind, uint32_t index);

struct Compiled {
    SharedPreparedModel preparedModel{};
    bool isFromCache = false;
};

class CompilationCache {
   public:
    // Told why the cache was not used, on the thread that prepares. Must not throw.
    using Listener = std::function<void(const Status&)>;

    // The folder exists already, and only its owner may write to it: what others may do to it is
    // looked at, see docs/security.md.
    explicit CompilationCache(std::filesystem::path folder, Listener onFailure = {})
        : mFolder(std::move(folder)), mOnFailure(std::move(onFailure)) {}

    // Loads the model where all of its files are in the folder, and otherwise, or where the device
    // declines, prepares it and has it saved. Files are made for their owner alone (0600), and take
    // their names when the model is prepared; only regular files are opened that lie in the folder
    // itself, under no other name. Fails only as IDevice::prepareModel does.
    GeneralResult<Compiled> prepare(const IDevice& device, const Model& model,
                                    ExecutionPreference preference, Priority priority,
                                    const OptionalTimePoint& deadline,
                                    const CacheRequest& request) const;

   private:
    void tell(const Status& status) const;
    std::filesystem::path mFolder;
    Listener mOnFailure;
};

}  // namespace nn
