// Cases of compilation caching, rules cache.sizes, cache.none, cache.reload,
// cache.wrong_count_saving, cache.wrong_count_loading, cache.descriptors, cache.unusable_descriptor
// and cache.closed_descriptors: saved models load, with all legal files and handles.
#include <fcntl.h>

#include <algorithm>
#include <random>

#include "device_test/cases/cache_fixture.h"
#include "device_test/cases/threads.h"

namespace nn::testing {
namespace {

using enum ErrorStatus;

Failure withoutCache(const SharedDevice& device, const std::string& folder) {
    const auto [modelFiles, dataFiles] = device->getNumberOfCacheFilesNeeded();
    if (modelFiles != 0 || dataFiles != 0) return notSupported("being without caching");
    const JobCase job(sumJob());
    if (Failure failure = checkSupports(*device, job.model())) return failure;
    const Result<CacheFiles> files = CacheFiles::create(folder, 1);
    if (!files.ok()) return failedCall("files of the case", files.status());
    const auto prepared =
            device->prepareModel(job.model(), ExecutionPreference::DEFAULT, Priority::DEFAULT, {},
                                 files->handles(), {}, cacheToken(1), {}, {});
    if (!prepared.has_value())
        return failedCall("prepareModel", prepared.status(), "prepare.arguments, cache.none");
    if (*prepared == nullptr) return failed("prepareModel", "null and no error", "cache.none");
    if (Failure failure = checkComputes("execute", **prepared, job)) return failure;
    return mustFail("prepareModelFromCache",
                    device->prepareModelFromCache({}, {}, {}, cacheToken(1)).status(),
                    {{GENERAL_FAILURE}}, "cache.none");
}

// Rule cache.unused_token: without files the token has no meaning.
Failure tokenAlone(CacheFixture& cache) { return cache.save({}, {}); }

Failure saved(CacheFixture& cache) { return cache.save(); }

Failure loaded(CacheFixture& cache) { return cache.saveAndLoad(); }

// Rules cache.load and deadline.past: a deadline that is past is missed, also by a load; an ample
// one is not.
Failure deadlines(CacheFixture& cache) {
    if (Failure failure = cache.saveAndLoad()) return failure;
    const auto load = [&](TimePoint deadline) {
        return cache.device()->prepareModelFromCache(deadline, cache.models.handles(),
                                                     cache.data.handles(), cache.token);
    };
    if (Failure failure = mustFail("prepareModelFromCache with a deadline that is past",
                                   load(TimePoint{}).status(), {kMissedOrFailed},
                                   "deadline.preparation, deadline.past")) {
        return failure;
    }
    const auto ample = load(Clock::now() + std::chrono::hours(1));
    return cache.computes("prepareModelFromCache with an ample deadline", ample);
}

Failure loadedTwice(CacheFixture& cache) {
    if (Failure failure = cache.saveAndLoad()) return failure;
    return cache.computes("the second prepareModelFromCache", cache.load());
}

// Contents of a file before a cache is saved there: longer than the cache, and unlike any.
std::vector<uint8_t> oldContent(size_t sizeOfCache) {
    constexpr size_t kLonger = 3000;
    std::mt19937 random(static_cast<uint32_t>(sizeOfCache));
    std::vector<uint8_t> bytes(sizeOfCache + kLonger);
    std::ranges::generate(bytes, [&] { return static_cast<uint8_t>(random()); });
    return bytes;
}

// Files with old content, and the fixture's model saved over it.
class OldFiles {
   public:
    explicit OldFiles(CacheFixture& cache) : mCache(cache) {}

    // NOT_SUPPORTED if the device does not load this model from new files either.
    Failure begin() {
        CacheFixture fresh(mCache.device(), mCache.folder());
        if (Failure failure = fresh.begin()) return failure;
        if (Failure failure = fresh.saveAndLoad()) return failure;
        for (const auto& [files, own] :
             {std::pair(&fresh.models, &mCache.models), std::pair(&fresh.data, &mCache.data)}) {
            for (size_t i = 0; i < files->count(); ++i) {
                const Result<std::vector<uint8_t>> saved = files->read(i);
                if (!saved.ok()) return failedCall("files of the case", saved.status());
                mOld.push_back(oldContent(saved->size()));
                const Status written = own->write(i, mOld.back());
                if (!written.ok()) return failedCall("files of the case", written);
            }
        }
        return std::nullopt;
    }

    // Rule cache.handles: a file that was written does not end as it did before. One of a data
    // cache may be left as it is.
    Failure checkTruncated() const {
        constexpr size_t kEnd = 64;
        const size_t models = mCache.models.count();
        for (size_t i = 0; i < mOld.size(); ++i) {
            const bool isModel = i < models;
            const Result<std::vector<uint8_t>> now =
                    isModel ? mCache.models.read(i) : mCache.data.read(i - models);
            if (!now.ok()) return failedCall("files of the case", now.status());
            const std::vector<uint8_t>& old = mOld[i];
            if (*now == old || now->size() < old.size() ||
                !std::equal(old.end() - kEnd, old.end(),
                            now->begin() + static_cast<ptrdiff_t>(old.size() - kEnd))) {
                continue;
            }
            return failed("prepareModel with cache files",
                          fmt::format("{} file {} still ends as before, allowed where nothing was "
                                      "written: a driver truncates a file before it writes to it",
                                      isModel ? "model" : "data", isModel ? i : i - models),
                          "cache.handles, cache.used_files");
        }
        return std::nullopt;
    }

   private:
    CacheFixture& mCache;
    std::vector<std::vector<uint8_t>> mOld{};  // of the model files, then of the data files
};

// Rules cache.handles and cache.used_files: saves over longer files.
Failure longerFiles(CacheFixture& cache) {
    OldFiles old(cache);
    if (Failure failure = old.begin()) return failure;
    if (Failure failure = cache.save()) return failure;
    if (Failure failure = old.checkTruncated()) return failure;
    return cache.computes("prepareModelFromCache of files that were longer before", cache.load());
}

// The same, with descriptors at some offset.
Failure offsets(CacheFixture& cache) {
    OldFiles old(cache);
    if (Failure failure = old.begin()) return failure;
    cache.models.seek(100);
    cache.data.seek(1000);
    if (Failure failure = cache.save()) return failure;
    if (Failure failure = old.checkTruncated()) return failure;
    cache.models.seek(5);
    cache.data.seek(7);
    return cache.computes("prepareModelFromCache with offsets", cache.load());
}

// Rules cache.handles and cache.reload: another model, with a token of its own, saved over the
// files of the first.
Failure savedOver(CacheFixture& cache) {
    if (Failure failure = cache.saveAndLoad()) return failure;
    CacheFixture other(cache.device(), cache.folder(), chainJob(9, 16));
    other.token = cacheToken(77);
    if (Failure failure = other.begin()) return failure;
    if (Failure failure = other.saveAndLoad()) return failure;
    const auto models = cache.models.handles(), data = cache.data.handles();
    if (Failure failure = other.save(models, data)) return failure;
    return other.computes("prepareModelFromCache of files that had another model",
                          other.load(models, data, other.token));
}

enum class Count { ONE_MORE, ONE_LESS };

Failure changeCount(CacheFixture& cache, Files files, Count count) {
    CacheFiles& list = files == Files::MODELS ? cache.models : cache.data;
    if (count == Count::ONE_LESS && list.count() == 0) return notSupported("files of this kind");
    if (count == Count::ONE_LESS) {
        list.removeOne();
        return std::nullopt;
    }
    const Status added = list.addOne(cache.folder());
    if (!added.ok()) return failedCall("files of the case", added);
    return std::nullopt;
}

// Rule cache.wrong_count_saving: the preparation succeeds, but nothing can be loaded later.
Failure savedWithWrongCount(CacheFixture& cache, Files files, Count count) {
    if (Failure failure = changeCount(cache, files, count)) return failure;
    if (Failure failure = cache.save()) return failure;
    return mustNotLoad(cache.load(), "cache.wrong_count_saving");
}

Failure loadedWithWrongCount(CacheFixture& cache, Files files, Count count) {
    if (Failure failure = cache.saveAndLoad()) return failure;
    if (Failure failure = changeCount(cache, files, count)) return failure;
    return mustNotLoad(cache.load(), "cache.wrong_count_loading");
}

// Rules prepare.arguments and cache.descriptors: a handle without a usable descriptor.
Failure withHandle(CacheFixture& cache, const SharedHandle& handle) {
    const CacheFixture::Handles models(cache.models.count(), handle),
            data(cache.data.count(), handle);
    if (Failure failure = cache.save(models, data)) return failure;
    return mustNotLoad(cache.load(models, data, cache.token), "cache.descriptors");
}

Failure savedReadOnly(CacheFixture& cache) {
    const auto models = cache.models.handles(O_RDONLY), data = cache.data.handles(O_RDONLY);
    if (!models.ok() || !data.ok()) return failed("files of the case", "cannot be opened again");
    if (Failure failure = cache.save(*models, *data)) return failure;
    return mustNotLoad(cache.load(), "cache.unusable_descriptor");
}

Failure loadedWriteOnly(CacheFixture& cache) {
    if (Failure failure = cache.saveAndLoad()) return failure;
    const auto models = cache.models.handles(O_WRONLY), data = cache.data.handles(O_WRONLY);
    if (!models.ok() || !data.ok()) return failed("files of the case", "cannot be opened again");
    return mustNotLoad(cache.load(*models, *data, cache.token), "cache.unusable_descriptor");
}

// Rule cache.closed_descriptors: descriptors may be closed once the preparation has ended.
Failure closedAfterwards(CacheFixture& cache) {
    if (Failure failure = cache.saveAndLoad()) return failure;
    const auto loaded = cache.load();
    cache.models = {};
    cache.data = {};
    return cache.computes("prepareModelFromCache, and closing the files,", loaded);
}

// Several threads, each with its files.
Failure concurrently(const SharedDevice& device, const std::string& folder) {
    constexpr size_t kFew = 4;
    return onThreads(
            [&](size_t thread) -> Failure {
                CacheFixture cache(device, folder, chainJob(4 + thread, 16));
                cache.token = cacheToken(static_cast<uint8_t>(50 * thread));
                if (Failure failure = cache.begin()) return failure;
                for (int round = 0; round < 5; ++round) {
                    if (Failure failure = cache.saveAndLoad()) return failure;
                }
                return std::nullopt;
            },
            kFew);
}

}  // namespace

void addCaching(Cases& cases, const DeviceTestOptions& options) {
    const std::string folder = options.temporaryFolder;
    const auto add = [&](const std::string& name, std::function<Failure(CacheFixture&)> run) {
        addCacheCase(cases, folder, name, std::move(run));
    };
    cases.push_back(deviceCase("cache/without", [folder](const SharedDevice& device) {
        return withoutCache(device, folder);
    }));
    add("token_alone", tokenAlone);
    add("saved", saved);
    add("loaded", loaded);
    add("loaded_twice", loadedTwice);
    add("deadlines", deadlines);
    add("longer_files", longerFiles);
    add("offsets", offsets);
    add("saved_over", savedOver);
    struct WrongCount {
        const char* name;
        Count count;
    };
    for (const FilesOfKind& kind : kKindsOfFiles) {
        for (const WrongCount& by :
             {WrongCount{"one_more", Count::ONE_MORE}, WrongCount{"one_less", Count::ONE_LESS}}) {
            const std::string name = fmt::format("{}_{}", kind.name, by.name);
            add("saved_with_wrong_count/" + name, [=](CacheFixture& cache) {
                return savedWithWrongCount(cache, kind.files, by.count);
            });
            add("loaded_with_wrong_count/" + name, [=](CacheFixture& cache) {
                return loadedWithWrongCount(cache, kind.files, by.count);
            });
        }
    }
    add("null_handles", [](CacheFixture& cache) { return withHandle(cache, nullptr); });
    add("closed_handles", [](CacheFixture& cache) {
        return withHandle(cache, std::make_shared<const Handle>(1 << 20));
    });
    add("saved_read_only", savedReadOnly);
    add("loaded_write_only", loadedWriteOnly);
    add("closed_afterwards", closedAfterwards);
    cases.push_back(deviceCase("cache/concurrently", [folder](const SharedDevice& device) {
        return concurrently(device, folder);
    }));
}

}  // namespace nn::testing
