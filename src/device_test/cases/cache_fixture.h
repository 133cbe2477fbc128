// The fixture of caching cases: a model, its files, and the device.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "device_test/cases/cache_files.h"
#include "device_test/cases/cases.h"
#include "device_test/cases/prepared_case.h"

namespace nn::testing {

inline CacheToken cacheToken(uint8_t value) {
    CacheToken token{};
    for (size_t i = 0; i < token.size(); ++i) token[i] = static_cast<uint8_t>(value + i);
    return token;
}

// A model, its files, and the device.
class CacheFixture {
   public:
    CacheFixture(SharedDevice device, std::string folder, Job job = chainJob(8, 16))
        : mDevice(std::move(device)), mFolder(std::move(folder)), mJob(std::move(job)) {}

    // NOT_SUPPORTED for a device without caching, or without the model.
    Failure begin() {
        const auto [modelFiles, dataFiles] = mDevice->getNumberOfCacheFilesNeeded();
        if (modelFiles == 0 && dataFiles == 0) return notSupported("caching");
        if (Failure failure = checkSupports(*mDevice, mJob.model())) return failure;
        Result<CacheFiles> first = CacheFiles::create(mFolder, modelFiles);
        Result<CacheFiles> second = CacheFiles::create(mFolder, dataFiles);
        if (!first.ok()) return failedCall("files of the case", first.status());
        if (!second.ok()) return failedCall("files of the case", second.status());
        models = *std::move(first);
        data = *std::move(second);
        return std::nullopt;
    }

    using Handles = std::vector<SharedHandle>;

    // Rules prepare.arguments and cache.save: prepares with these files; the result must compute
    // correctly, saved or not.
    Failure save(const Handles& modelFiles, const Handles& dataFiles) const {
        const auto prepared =
                mDevice->prepareModel(mJob.model(), ExecutionPreference::DEFAULT, Priority::DEFAULT,
                                      {}, modelFiles, dataFiles, token, {}, {});
        return computes("prepareModel with cache files", prepared);
    }
    Failure save() const { return save(models.handles(), data.handles()); }

    GeneralResult<SharedPreparedModel> load(const Handles& modelFiles, const Handles& dataFiles,
                                            const CacheToken& by) const {
        return mDevice->prepareModelFromCache({}, modelFiles, dataFiles, by);
    }
    GeneralResult<SharedPreparedModel> load() const {
        return load(models.handles(), data.handles(), token);
    }

    // If it succeeded, it must compute correctly.
    Failure computes(const char* place, const GeneralResult<SharedPreparedModel>& prepared) const {
        if (!prepared.has_value())
            return failedCall(place, prepared.status(), "prepare.arguments, cache.save");
        if (*prepared == nullptr) return failed(place, "null and no error", "cache.save");
        return checkComputes(fmt::format("execute after {}", place), **prepared, mJob);
    }

    // Saves and loads once. NOT_SUPPORTED if the device declines to cache this model.
    Failure saveAndLoad() const {
        if (Failure failure = save()) return failure;
        const auto loaded = load();
        if (!loaded.has_value() && loaded.error().code == ErrorStatus::GENERAL_FAILURE) {
            return notSupported(fmt::format("caching of this model ({})", loaded.error().message));
        }
        return computes("prepareModelFromCache", loaded);
    }

    const std::string& folder() const { return mFolder; }
    const SharedDevice& device() const { return mDevice; }

    CacheFiles models{};
    CacheFiles data{};
    CacheToken token = cacheToken(1);

   private:
    SharedDevice mDevice;
    std::string mFolder;
    JobCase mJob;
};

inline Failure mustNotLoad(const GeneralResult<SharedPreparedModel>& loaded, const char* rules) {
    // The rules demand GENERAL_FAILURE, but INVALID_ARGUMENT is justified, too.
    return mustFail("prepareModelFromCache", loaded.status(), {kInvalidOrFailed}, rules);
}

enum class Files { MODELS, DATA };

struct FilesOfKind {
    const char* name;
    Files files;
};
inline constexpr FilesOfKind kKindsOfFiles[] = {{"model", Files::MODELS}, {"data", Files::DATA}};

// Adds a case "cache/NAME", which runs after begin().
inline void addCacheCase(Cases& cases, const std::string& folder, const std::string& name,
                         std::function<Failure(CacheFixture&)> run) {
    cases.push_back(
            deviceCase("cache/" + name, [run = std::move(run), folder](const SharedDevice& d) {
                CacheFixture cache(d, folder);
                if (Failure failure = cache.begin()) return failure;
                return run(cache);
            }));
}

}  // namespace nn::testing
