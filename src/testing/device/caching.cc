// Compilation caching, rules 152 to 168: what is saved can be loaded, and nothing else can.
#include <fcntl.h>

#include <atomic>
#include <thread>

#include "testing/device/cache_files.h"
#include "testing/device/cases.h"
#include "testing/device/subject.h"

namespace nn::testing {
namespace {

using enum ErrorStatus;

CacheToken tokenOf(uint8_t value) {
    CacheToken token{};
    for (size_t i = 0; i < token.size(); ++i) token[i] = static_cast<uint8_t>(value + i);
    return token;
}

// A model, its files, and the device.
class Cache {
   public:
    Cache(SharedDevice device, std::string folder, Job job = chainJob(8, 16))
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

    // Rules 8, 154: prepares with these files, and what comes out computes what it should, whether
    // or not something was saved.
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

    // A success computes what the model computes.
    Failure computes(const char* place, const GeneralResult<SharedPreparedModel>& prepared) const {
        if (!prepared.has_value()) return failedCall(place, prepared.status(), "8, 154");
        if (*prepared == nullptr) return failed(place, "null and no error", "154");
        return checkComputes(fmt::format("execute after {}", place), **prepared, mJob);
    }

    // Saves and loads once. NOT_SUPPORTED where the device declines to cache this model.
    Failure saveAndLoad() const {
        if (Failure failure = save()) return failure;
        const auto loaded = load();
        if (!loaded.has_value() && loaded.error().code == GENERAL_FAILURE) {
            return notSupported(fmt::format("caching of this model ({})", loaded.error().message));
        }
        return computes("prepareModelFromCache", loaded);
    }

    const std::string& folder() const { return mFolder; }
    const SharedDevice& device() const { return mDevice; }
    const JobCase& job() const { return mJob; }

    CacheFiles models{};
    CacheFiles data{};
    CacheToken token = tokenOf(1);

   private:
    SharedDevice mDevice;
    std::string mFolder;
    JobCase mJob;
};

Failure mustNotLoad(const GeneralResult<SharedPreparedModel>& loaded, const char* rules,
                    Codes codes = {kInvalidOrFailed}) {
    return mustFail("prepareModelFromCache", loaded.status(), codes, rules);
}

// The rules ask for GENERAL_FAILURE where the content is not what it was; the arguments could be
// called wrong too.
const Codes kFailedOnly = {kInvalidOrFailed};

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
                                 files->handles(), {}, tokenOf(1), {}, {});
    if (!prepared.has_value()) return failedCall("prepareModel", prepared.status(), "8, 153");
    if (*prepared == nullptr) return failed("prepareModel", "null and no error", "153");
    if (Failure failure = checkComputes("execute", **prepared, job)) return *failure;
    return mustFail("prepareModelFromCache",
                    device->prepareModelFromCache({}, {}, {}, tokenOf(1)).status(),
                    {{GENERAL_FAILURE}}, "153")
            .value_or(passed());
}

// Rule 10: without files the token means nothing.
DeviceOutcome tokenAlone(Cache& cache) { return cache.save({}, {}).value_or(passed()); }

DeviceOutcome saved(Cache& cache) { return cache.save().value_or(passed()); }

// Rule 155.
DeviceOutcome loaded(Cache& cache) { return cache.saveAndLoad().value_or(passed()); }

DeviceOutcome loadedTwice(Cache& cache) {
    if (Failure failure = cache.saveAndLoad()) return *failure;
    return cache.computes("the second prepareModelFromCache", cache.load()).value_or(passed());
}

// Rule 156.
DeviceOutcome offsets(Cache& cache) {
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
        // Does it cache the model at all?
        if (Failure failure = cache.saveAndLoad()) return *failure;
        return failedCall("prepareModelFromCache with offsets", loaded.status(), "156");
    }
    return cache.computes("prepareModelFromCache with offsets", loaded).value_or(passed());
}

enum class Files { MODELS, DATA };
enum class Count { ONE_MORE, ONE_LESS };

Failure changeCount(Cache& cache, Files files, Count count) {
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

// Rule 157: the preparation succeeds, and later nothing can be loaded.
DeviceOutcome savedWithWrongCount(Cache& cache, Files files, Count count) {
    if (Failure failure = changeCount(cache, files, count)) return *failure;
    if (Failure failure = cache.save()) return *failure;
    return mustNotLoad(cache.load(), "157").value_or(passed());
}

// Rule 158.
DeviceOutcome loadedWithWrongCount(Cache& cache, Files files, Count count) {
    if (Failure failure = cache.saveAndLoad()) return *failure;
    if (Failure failure = changeCount(cache, files, count)) return *failure;
    return mustNotLoad(cache.load(), "158").value_or(passed());
}

// Rules 8, 159: handles without a descriptor.
DeviceOutcome nullHandles(Cache& cache) {
    const Cache::Handles models(cache.models.count()), data(cache.data.count());
    if (Failure failure = cache.save(models, data)) return *failure;
    return mustNotLoad(cache.load(models, data, cache.token), "159").value_or(passed());
}

DeviceOutcome closedHandles(Cache& cache) {
    const auto closed = [](size_t count) {
        return Cache::Handles(count, std::make_shared<const Handle>(1 << 20));
    };
    const Cache::Handles models = closed(cache.models.count()), data = closed(cache.data.count());
    if (Failure failure = cache.save(models, data)) return *failure;
    return mustNotLoad(cache.load(models, data, cache.token), "159").value_or(passed());
}

// Rule 160.
DeviceOutcome savedReadOnly(Cache& cache) {
    const auto models = cache.models.handles(O_RDONLY), data = cache.data.handles(O_RDONLY);
    if (!models.ok() || !data.ok()) return failed("files of the case", "cannot be opened again");
    if (Failure failure = cache.save(*models, *data)) return *failure;
    return mustNotLoad(cache.load(), "160").value_or(passed());
}

DeviceOutcome loadedWriteOnly(Cache& cache) {
    if (Failure failure = cache.saveAndLoad()) return *failure;
    const auto models = cache.models.handles(O_WRONLY), data = cache.data.handles(O_WRONLY);
    if (!models.ok() || !data.ok()) return failed("files of the case", "cannot be opened again");
    return mustNotLoad(cache.load(*models, *data, cache.token), "160", kFailedOnly)
            .value_or(passed());
}

// A change of one file, and whether it was one.
using Change = bool (*)(std::vector<uint8_t>& bytes, size_t round);

// Some bits, from the first to the last.
constexpr size_t kRounds = 24;
bool flipBit(std::vector<uint8_t>& bytes, size_t round) {
    if (bytes.empty()) return false;
    const size_t bits = bytes.size() * 8;
    const size_t bit = round + 1 == kRounds ? bits - 1 : bits / kRounds * round + round % 8;
    if (bit >= bits) return false;
    bytes[bit / 8] ^= static_cast<uint8_t>(1U << (bit % 8));
    return true;
}
bool append(std::vector<uint8_t>& bytes, size_t round) {
    bytes.resize(bytes.size() + 1 + round * 11);  // 1 to 254
    return true;
}
bool shorten(std::vector<uint8_t>& bytes, size_t round) {
    if (bytes.empty()) return false;
    bytes.resize(bytes.size() / kRounds * round);
    return true;
}

// Rules 161, 162: nothing of a changed model cache; from a changed data cache nothing, or a model.
DeviceOutcome changed(Cache& cache, Files files, size_t index, Change change) {
    const CacheFiles& list = files == Files::MODELS ? cache.models : cache.data;
    if (index >= list.count()) return notSupported("as many cache files of this kind");
    if (Failure failure = cache.saveAndLoad()) return *failure;
    const Result<std::vector<uint8_t>> original = list.read(index);
    if (!original.ok()) return failedCall("files of the case", original.status());
    size_t tried = 0;
    for (size_t round = 0; round < kRounds; ++round) {
        std::vector<uint8_t> bytes = *original;
        if (!change(bytes, round) || bytes == *original) continue;
        ++tried;
        const Status written = list.write(index, bytes);
        if (!written.ok()) return failedCall("files of the case", written);
        const auto loaded = cache.load();
        if (files == Files::DATA && loaded.has_value()) {
            if (*loaded == nullptr) return failed("prepareModelFromCache", "null and no error");
            continue;
        }
        if (Failure failure =
                    mustNotLoad(loaded, files == Files::MODELS ? "161" : "162", kFailedOnly)) {
            failure->message += fmt::format(" (change {} of {})", round + 1, kRounds);
            return *failure;
        }
    }
    if (tried == 0) return notSupported("anything in this file");
    const Status written = list.write(index, *original);
    if (!written.ok()) return failedCall("files of the case", written);
    return cache.computes("prepareModelFromCache of what was put back", cache.load())
            .value_or(passed());
}

// Rule 163.
DeviceOutcome wrongToken(Cache& cache) {
    if (Failure failure = cache.saveAndLoad()) return *failure;
    for (const size_t place : {size_t{0}, size_t{kByteSizeOfCacheToken - 1}}) {
        CacheToken other = cache.token;
        other[place] ^= 1;
        const auto loaded = cache.load(cache.models.handles(), cache.data.handles(), other);
        if (Failure failure = mustNotLoad(loaded, "163", kFailedOnly)) return *failure;
    }
    return passed();
}

// Rule 164: model files of another compilation, which has another token.
DeviceOutcome otherCompilation(Cache& cache) {
    if (Failure failure = cache.saveAndLoad()) return *failure;
    Cache other(cache.device(), cache.folder(), chainJob(9, 16));
    other.token = tokenOf(77);
    if (Failure failure = other.begin()) return *failure;
    if (Failure failure = other.saveAndLoad()) return *failure;
    const Status copied = cache.models.copyFrom(other.models);
    if (!copied.ok()) return failedCall("files of the case", copied);
    return mustNotLoad(cache.load(), "164", kFailedOnly).value_or(passed());
}

// Rule 165: another compilation is written over the files while they are loaded or saved.
class Overwriter {
   public:
    Overwriter(const CacheFiles& target, const CacheFiles& source)
        : mThread([this, &target, &source] {
              while (!mIsOver) (void)target.copyFrom(source);
          }) {}
    ~Overwriter() {
        mIsOver = true;
        mThread.join();
    }

   private:
    std::atomic<bool> mIsOver = false;
    std::thread mThread;
};

DeviceOutcome overwritten(const SharedDevice& device, const std::string& folder, bool whileSaving) {
    constexpr int kTimes = 30;
    Cache cache(device, folder, chainJob(100, 16));
    if (Failure failure = cache.begin()) return *failure;
    Cache other(device, folder, chainJob(101, 16));
    other.token = tokenOf(77);
    if (Failure failure = other.begin()) return *failure;
    if (Failure failure = other.saveAndLoad()) return *failure;
    for (int i = 0; i < kTimes; ++i) {
        if (!whileSaving) {
            if (Failure failure = cache.save()) return *failure;
        }
        std::optional<GeneralResult<SharedPreparedModel>> loaded;
        {
            const Overwriter overwriter(cache.models, other.models);
            if (whileSaving) {
                if (Failure failure = cache.save()) return *failure;
            } else {
                loaded = cache.load();
            }
        }
        if (whileSaving) loaded = cache.load();
        const Failure failure =
                loaded->has_value()
                        ? cache.computes(
                                  "prepareModelFromCache of files that were written meanwhile",
                                  *loaded)
                        : mustNotLoad(*loaded, "165");
        if (failure) return *failure;
    }
    return passed();
}

// Rule 168: descriptors may be closed when the preparation has ended.
DeviceOutcome closedAfterwards(Cache& cache) {
    if (Failure failure = cache.saveAndLoad()) return *failure;
    const auto loaded = cache.load();
    cache.models = {};
    cache.data = {};
    return cache.computes("prepareModelFromCache, and closing the files,", loaded)
            .value_or(passed());
}

// Several threads with files of their own.
DeviceOutcome concurrently(const SharedDevice& device, const std::string& folder) {
    std::vector<Failure> failures(4);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < failures.size(); ++i) {
        threads.emplace_back([&, i] {
            Cache cache(device, folder, chainJob(4 + i, 16));
            cache.token = tokenOf(static_cast<uint8_t>(50 * i));
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

constexpr size_t kFilesWithCases = 4;  // of each kind

}  // namespace

void addCaching(Cases& cases, const DeviceTestOptions& options) {
    const std::string folder = options.temporaryFolder;
    const auto add = [&](const std::string& name, std::function<DeviceOutcome(Cache&)> run) {
        cases.push_back(
                deviceCase("cache/" + name, [run = std::move(run), folder](const SharedDevice& d) {
                    Cache cache(d, folder);
                    if (Failure failure = cache.begin()) return *failure;
                    return run(cache);
                }));
    };
    cases.push_back(deviceCase("cache/without", [folder](const SharedDevice& device) {
        return withoutCache(device, folder);
    }));
    add("token_alone", tokenAlone);
    add("saved", saved);
    add("loaded", loaded);
    add("loaded_twice", loadedTwice);
    add("offsets", offsets);
    struct Kind {
        const char* name;
        Files files;
    };
    struct Counted {
        const char* name;
        Count count;
    };
    for (const Kind& kind : {Kind{"model", Files::MODELS}, Kind{"data", Files::DATA}}) {
        for (const Counted& by :
             {Counted{"one_more", Count::ONE_MORE}, Counted{"one_less", Count::ONE_LESS}}) {
            const std::string name = fmt::format("{}_{}", kind.name, by.name);
            add("saved_with_wrong_count/" + name,
                [=](Cache& cache) { return savedWithWrongCount(cache, kind.files, by.count); });
            add("loaded_with_wrong_count/" + name,
                [=](Cache& cache) { return loadedWithWrongCount(cache, kind.files, by.count); });
        }
    }
    add("null_handles", nullHandles);
    add("closed_handles", closedHandles);
    add("saved_read_only", savedReadOnly);
    add("loaded_write_only", loadedWriteOnly);
    struct Changed {
        const char* name;
        Change change;
    };
    for (const Changed& by : {Changed{"flipped_bit", flipBit}, Changed{"appended", append},
                              Changed{"shortened", shorten}}) {
        for (const Kind& kind : {Kind{"model", Files::MODELS}, Kind{"data", Files::DATA}}) {
            for (size_t i = 0; i < kFilesWithCases; ++i) {
                add(fmt::format("{}/{}{}", by.name, kind.name, i),
                    [=](Cache& cache) { return changed(cache, kind.files, i, by.change); });
            }
        }
    }
    add("wrong_token", wrongToken);
    add("other_compilation", otherCompilation);
    add("closed_afterwards", closedAfterwards);
    for (const bool whileSaving : {true, false}) {
        cases.push_back(
                deviceCase(whileSaving ? "cache/overwritten/saving" : "cache/overwritten/loading",
                           [=](const SharedDevice& device) {
                               return overwritten(device, folder, whileSaving);
                           }));
    }
    cases.push_back(deviceCase("cache/concurrently", [folder](const SharedDevice& device) {
        return concurrently(device, folder);
    }));
}

}  // namespace nn::testing
