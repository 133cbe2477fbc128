#include "nnapi/driver/compilation_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/no_throw.h"
#include "driver/cache/bytes.h"
#include "driver/cache/digest.h"
#include "driver/cache/files.h"
#include "nnapi/driver/cache.h"
#include "types/extension_names.h"

namespace nn {
namespace {

using cache::ByteWriter;

void putSized(ByteWriter& to, std::span<const uint8_t> bytes) {
    to.put(uint64_t{bytes.size()});
    to.put(bytes);
}

// Hints count by the names of their extensions, since prefixes differ from process to process, and
// are sorted, since their order has no meaning. Without a name, the whole token counts.
void putHints(ByteWriter& to, const CacheRequest& request) {
    std::vector<std::tuple<std::string_view, uint32_t, std::span<const uint8_t>>> hints;
    for (const TokenValuePair& hint : request.hints) {
        const auto token = static_cast<uint32_t>(hint.token);
        const std::string_view name = extensionNameOf(request.extensionNameToPrefix, token);
        hints.emplace_back(name, name.empty() ? token : getTypeWithinExtension(token), hint.value);
    }
    std::sort(hints.begin(), hints.end(), [](const auto& a, const auto& b) {
        return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
    });
    to.put(uint64_t{hints.size()});
    for (const auto& [name, code, value] : hints) {
        putSized(to, cache::bytesOf(name));
        to.put(code);
        putSized(to, value);
    }
}

}  // namespace

Result<ModelDigest> modelDigest(const Model& model) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(packed,
                           packModel(model, ExecutionPreference::DEFAULT, Priority::DEFAULT));
    ByteWriter all;
    putSized(all, packed.graph);
    NNAPI_ASSIGN_OR_RETURN(constants, cache::sha256(packed.constants));
    all.put(constants);
    return cache::sha256(all.bytes());
}
NNAPI_CATCH

Result<CacheToken> compilationToken(const CacheRequest& request, std::string_view deviceName,
                                    std::string_view versionString, ExecutionPreference preference,
                                    Priority priority) NNAPI_TRY {
    ByteWriter all;
    all.put(request.token);
    putSized(all, cache::bytesOf(deviceName));
    putSized(all, cache::bytesOf(versionString));
    all.put(static_cast<int32_t>(preference));
    all.put(static_cast<int32_t>(priority));
    all.put(uint8_t{request.digest.has_value()});
    if (request.digest) all.put(*request.digest);
    putHints(all, request);
    return cache::sha256(all.bytes());
}
NNAPI_CATCH

std::string cacheFileName(const CacheToken& token, CacheFileKind kind, uint32_t index) {
    std::string name;
    for (const uint8_t byte : token) {
        name += static_cast<char>('A' + (byte & 15));
        name += static_cast<char>('A' + (byte >> 4));
    }
    return fmt::format("{}{}{}", name, static_cast<int>(kind), index);
}

void CompilationCache::report(const Status& status) const {
    if (mOnFailure) mOnFailure(status);
}

GeneralResult<Compiled> CompilationCache::prepare(const IDevice& device, const Model& model,
                                                  ExecutionPreference preference, Priority priority,
                                                  const OptionalTimePoint& deadline,
                                                  const CacheRequest& request) const NNAPI_TRY {
    const auto wanted = device.getNumberOfCacheFilesNeeded();
    CacheToken token{};
    std::optional<cache::FilesToSave> files;
    const bool hasCache = wanted.first != 0 || wanted.second != 0;
    if (hasCache) {
        auto found = [&]() -> Result<cache::OpenFiles> {
            NNAPI_ASSIGN_OR_RETURN(
                    made, compilationToken(request, device.getName(), device.getVersionString(),
                                           preference, priority));
            token = made;
            return cache::openFiles(mFolder.string(), token, wanted);
        }();
        if (!found.ok()) {
            report(found.status());
        } else if (found->areThere) {
            auto loaded = device.prepareModelFromCache(deadline, found->model, found->data, token);
            if (loaded.has_value() && *loaded != nullptr) return Compiled{*loaded, true};
            report(loaded.has_value() ? Status(error() << "the device returns null")
                                      : loaded.status());
        }
        if (found.ok()) {
            auto made = cache::FilesToSave::create(mFolder.string(), token, wanted);
            if (made.ok()) {
                files = *std::move(made);
            } else {
                report(made.status());
            }
        }
    }
    const cache::OpenFiles none;
    const cache::OpenFiles& to = files ? files->files() : none;
    auto prepared = device.prepareModel(model, preference, priority, deadline, to.model, to.data,
                                        token, request.hints, request.extensionNameToPrefix);
    if (!prepared.has_value()) return prepared.status();
    if (files) {
        if (const Status saved = files->commit(); !saved.ok()) report(saved);
    }
    return Compiled{*std::move(prepared), false};
}
NNAPI_CATCH

}  // namespace nn
