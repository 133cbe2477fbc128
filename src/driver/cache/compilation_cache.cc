#include "nnapi/driver/compilation_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>

#include "driver/cache/bytes.h"
#include "driver/cache/digest.h"
#include "driver/cache/files.h"
#include "nnapi/driver/cache.h"
#include "nnapi/validate.h"
#include "types/no_throw.h"

namespace nn {
namespace {

using cache::ByteWriter;

void putSized(ByteWriter& to, std::span<const uint8_t> bytes) {
    to.put(uint64_t{bytes.size()});
    to.put(bytes);
}

struct Files {
    std::vector<SharedHandle> model{};
    std::vector<SharedHandle> data{};
};

// A file of the folder, for reading and writing; without O_CREAT in `flags`, null where there is
// none.
Result<SharedHandle> openFile(int folder, const std::string& name, int flags) {
    UniqueFd file(openat(folder, name.c_str(),
                         O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | flags,
                         S_IRUSR | S_IWUSR));
    if (!file.ok()) {
        if (errno == ENOENT && (flags & O_CREAT) == 0) return SharedHandle();
        return cache::systemFailure(name);
    }
    struct stat status {};
    if (fstat(file.get(), &status) != 0) return cache::systemFailure(name);
    if (!S_ISREG(status.st_mode) || status.st_nlink != 1) {
        return makeError(ErrorStatus::GENERAL_FAILURE,
                         name + ": it is not a regular file with this name alone");
    }
    return std::make_shared<const Handle>(std::move(file));
}

// All files of a token; empty where one of them is not there.
Result<Files> openFiles(int folder, const CacheToken& token, std::pair<uint32_t, uint32_t> wanted,
                        int flags) {
    Files files;
    const auto open = [&](CacheFileKind kind, uint32_t count,
                          std::vector<SharedHandle>& opened) -> Status {
        for (uint32_t i = 0; i < count; ++i) {
            NNAPI_ASSIGN_OR_RETURN(file, openFile(folder, cacheFileName(token, kind, i), flags));
            opened.push_back(std::move(file));
        }
        return {};
    };
    NNAPI_RETURN_IF_ERROR(open(CacheFileKind::MODEL, wanted.first, files.model));
    NNAPI_RETURN_IF_ERROR(open(CacheFileKind::DATA, wanted.second, files.data));
    for (const auto* list : {&files.model, &files.data}) {
        for (const SharedHandle& file : *list) {
            if (file.get() == nullptr) return Files{};
        }
    }
    return files;
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
    all.put(uint64_t{request.hints.size()});
    for (const TokenValuePair& hint : request.hints) {
        all.put(hint.token);
        putSized(all, hint.value);
    }
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

void CompilationCache::tell(const Status& status) const {
    if (mOnFailure) mOnFailure(status);
}

GeneralResult<Compiled> CompilationCache::prepare(const IDevice& device, const Model& model,
                                                  ExecutionPreference preference, Priority priority,
                                                  const OptionalTimePoint& deadline,
                                                  const CacheRequest& request) const NNAPI_TRY {
    const auto wanted = device.getNumberOfCacheFilesNeeded();
    CacheToken token{};
    Files files;
    const auto open = [&](int flags) -> Result<Files> {
        NNAPI_RETURN_IF_ERROR(validateNumberOfCacheFiles(wanted.first, wanted.second));
        const UniqueFd folder(::open(mFolder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!folder.ok()) return cache::systemFailure(mFolder.string());
        NNAPI_ASSIGN_OR_RETURN(
                made, compilationToken(request, device.getName(), device.getVersionString(),
                                       preference, priority));
        token = made;
        return openFiles(folder.get(), token, wanted, flags);
    };
    const bool hasCache = wanted.first != 0 || wanted.second != 0;
    if (hasCache) {
        auto found = open(0);
        if (!found.ok()) {
            tell(found.status());
        } else if (!found->model.empty() || !found->data.empty()) {
            auto loaded = device.prepareModelFromCache(deadline, found->model, found->data, token);
            if (loaded.has_value() && *loaded != nullptr) return Compiled{*loaded, true};
            tell(loaded.has_value() ? Status(error() << "the device answers null")
                                    : loaded.status());
        }
        if (found.ok()) {
            auto made = open(O_CREAT);
            if (made.ok()) {
                files = *std::move(made);
            } else {
                tell(made.status());
            }
        }
    }
    auto prepared =
            device.prepareModel(model, preference, priority, deadline, files.model, files.data,
                                token, request.hints, request.extensionNameToPrefix);
    if (!prepared.has_value()) return prepared.status();
    return Compiled{*std::move(prepared), false};
}
NNAPI_CATCH

}  // namespace nn
