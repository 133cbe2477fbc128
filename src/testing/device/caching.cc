// Cases of compilation caching, rules 152 to 160 and 168: what was saved loads, with all legal
// files and handles.
#include <fcntl.h>

#include <thread>

#include "testing/device/cache_fixture.h"

namespace nn::testing {
namespace {

using enum ErrorStatus;

// Rule 153, for devices without caching.
DeviceOutcome withoutCache(const SharedDevice& device, const std::string& folder) {
    const auto [modelFiles, dataFiles] = device->getNumberOfCacheFilesNeeded();
    if (modelFiles != 0 || dataFiles != 0) return notSupported("being without caching");
    const JobCase job(sumJob());
    if (Failure failure = checkSupports(*device, job.model())) return *failure;
    const Result<CacheFiles> files = CacheFiles::create(folder, 1);
    if (!files.ok()) return failedCall("files of the case", files.status());
    const auto prepared =
            device->prepareModel(job.model(), ExecutionPreference::DEFAULT, Priority::DEFAULT, {},
                                 files->handles(), {}, cacheToken(1), {}, {});
    if (!prepared.has_value()) return failedCall("prepareModel", prepared.status(), "8, 153");
    if (*prepared == nullptr) return failed("prepareModel", "null and no error", "153");
    if (Failure failure = checkComputes("execute", **prepared, job)) return *failure;
    return mustFail("prepareModelFromCache",
                    device->prepareModelFromCache({}, {}, {}, cacheToken(1)).status(),
                    {{GENERAL_FAILURE}}, "153")
            .value_or(passed());
}

// Rule 10: without files the token has no meaning.
DeviceOutcome tokenAlone(CacheFixture& cache) { return cache.save({}, {}).value_or(passed()); }

DeviceOutcome saved(CacheFixture& cache) { return cache.save().value_or(passed()); }

// Rule 155.
DeviceOutcome loaded(CacheFixture& cache) { return cache.saveAndLoad().value_or(passed()); }

DeviceOutcome loadedTwice(CacheFixture& cache) {
    if (Failure failure = cache.saveAndLoad()) return *failure;
    return cache.computes("the second prepareModelFromCache", cache.load()).value_or(passed());
}

// Rule 156.
DeviceOutcome offsets(CacheFixture& cache) {
    const std::vector<uint8_t> old(3000, 0x5A);
    for (size_t i = 0; i < cache.models.count(); ++i) (void)cache.models.write(i, old);
    for (size_t i = 0; i < cache.data.count(); ++i) (void)cache.data.write(i, old);
    cache.models.seek(17);
    cache.data.seek(1000);
    if (Failure failure = cache.save()) return *failure;
    cache.models.seek(5);
    cache.data.seek(7);
    const auto loaded = cache.load();
    if (!loaded.has_value()) {
        // Checks that the device caches this model at all.
        if (Failure failure = cache.saveAndLoad()) return *failure;
        return failedCall("prepareModelFromCache with offsets", loaded.status(), "156");
    }
    return cache.computes("prepareModelFromCache with offsets", loaded).value_or(passed());
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

// Rule 157: the preparation succeeds, but nothing can be loaded later.
DeviceOutcome savedWithWrongCount(CacheFixture& cache, Files files, Count count) {
    if (Failure failure = changeCount(cache, files, count)) return *failure;
    if (Failure failure = cache.save()) return *failure;
    return mustNotLoad(cache.load(), "157").value_or(passed());
}

// Rule 158.
DeviceOutcome loadedWithWrongCount(CacheFixture& cache, Files files, Count count) {
    if (Failure failure = cache.saveAndLoad()) return *failure;
    if (Failure failure = changeCount(cache, files, count)) return *failure;
    return mustNotLoad(cache.load(), "158").value_or(passed());
}

// Rules 8, 159: handles without a descriptor.
DeviceOutcome nullHandles(CacheFixture& cache) {
    const CacheFixture::Handles models(cache.models.count()), data(cache.data.count());
    if (Failure failure = cache.save(models, data)) return *failure;
    return mustNotLoad(cache.load(models, data, cache.token), "159").value_or(passed());
}

DeviceOutcome closedHandles(CacheFixture& cache) {
    const auto closed = [](size_t count) {
        return CacheFixture::Handles(count, std::make_shared<const Handle>(1 << 20));
    };
    const CacheFixture::Handles models = closed(cache.models.count()),
                                data = closed(cache.data.count());
    if (Failure failure = cache.save(models, data)) return *failure;
    return mustNotLoad(cache.load(models, data, cache.token), "159").value_or(passed());
}

// Rule 160.
DeviceOutcome savedReadOnly(CacheFixture& cache) {
    const auto models = cache.models.handles(O_RDONLY), data = cache.data.handles(O_RDONLY);
    if (!models.ok() || !data.ok()) return failed("files of the case", "cannot be opened again");
    if (Failure failure = cache.save(*models, *data)) return *failure;
    return mustNotLoad(cache.load(), "160").value_or(passed());
}

DeviceOutcome loadedWriteOnly(CacheFixture& cache) {
    if (Failure failure = cache.saveAndLoad()) return *failure;
    const auto models = cache.models.handles(O_WRONLY), data = cache.data.handles(O_WRONLY);
    if (!models.ok() || !data.ok()) return failed("files of the case", "cannot be opened again");
    return mustNotLoad(cache.load(*models, *data, cache.token), "160").value_or(passed());
}

// Rule 168: descriptors may be closed once the preparation has ended.
DeviceOutcome closedAfterwards(CacheFixture& cache) {
    if (Failure failure = cache.saveAndLoad()) return *failure;
    const auto loaded = cache.load();
    cache.models = {};
    cache.data = {};
    return cache.computes("prepareModelFromCache, and closing the files,", loaded)
            .value_or(passed());
}

// Several threads, each with its files.
DeviceOutcome concurrently(const SharedDevice& device, const std::string& folder) {
    std::vector<Failure> failures(4);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < failures.size(); ++i) {
        threads.emplace_back([&, i] {
            CacheFixture cache(device, folder, chainJob(4 + i, 16));
            cache.token = cacheToken(static_cast<uint8_t>(50 * i));
            failures[i] = cache.begin();
            for (int round = 0; round < 5 && !failures[i]; ++round)
                failures[i] = cache.saveAndLoad();
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const Failure& failure : failures) {
        if (failure) return *failure;
    }
    return passed();
}

}  // namespace

void addCaching(Cases& cases, const DeviceTestOptions& options) {
    const std::string folder = options.temporaryFolder;
    const auto add = [&](const std::string& name, std::function<DeviceOutcome(CacheFixture&)> run) {
        addCacheCase(cases, folder, name, std::move(run));
    };
    cases.push_back(deviceCase("cache/without", [folder](const SharedDevice& device) {
        return withoutCache(device, folder);
    }));
    add("token_alone", tokenAlone);
    add("saved", saved);
    add("loaded", loaded);
    add("loaded_twice", loadedTwice);
    add("offsets", offsets);
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
    add("null_handles", nullHandles);
    add("closed_handles", closedHandles);
    add("saved_read_only", savedReadOnly);
    add("loaded_write_only", loadedWriteOnly);
    add("closed_afterwards", closedAfterwards);
    cases.push_back(deviceCase("cache/concurrently", [folder](const SharedDevice& device) {
        return concurrently(device, folder);
    }));
}

}  // namespace nn::testing
