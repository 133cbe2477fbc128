// Cases of corrupted or mismatched caches, rules cache.changed_model_file, cache.changed_data_file,
// cache.other_token, cache.other_files and cache.concurrent_changes: they never produce wrong
// results.
#include <atomic>
#include <thread>

#include "device_test/cases/cache_fixture.h"

namespace nn::testing {
namespace {

// Changes a file; false if that leaves it the same.
using Change = bool (*)(std::vector<uint8_t>& bytes, size_t round);

// Bits to flip, spread over the file.
constexpr size_t kChanges = 24;
bool flipBit(std::vector<uint8_t>& bytes, size_t round) {
    if (bytes.empty()) return false;
    const size_t bits = bytes.size() * 8;
    const size_t bit = round + 1 == kChanges ? bits - 1 : bits / kChanges * round + round % 8;
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
    bytes.resize(bytes.size() / kChanges * round);
    return true;
}

// Rules cache.changed_model_file and cache.changed_data_file: a changed model cache never loads; a
// changed data cache fails or loads a correct model.
Failure changed(CacheFixture& cache, Files files, size_t index, Change change) {
    const CacheFiles& list = files == Files::MODELS ? cache.models : cache.data;
    if (index >= list.count()) return notSupported("as many cache files of this kind");
    if (Failure failure = cache.saveAndLoad()) return failure;
    const Result<std::vector<uint8_t>> original = list.read(index);
    if (!original.ok()) return failedCall("files of the case", original.status());
    size_t tried = 0;
    for (size_t round = 0; round < kChanges; ++round) {
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
                    mustNotLoad(loaded, files == Files::MODELS ? "cache.changed_model_file"
                                                               : "cache.changed_data_file")) {
            failure->message += fmt::format(" (change {} of {})", round + 1, kChanges);
            return failure;
        }
    }
    if (tried == 0) return notSupported("anything in this file");
    const Status written = list.write(index, *original);
    if (!written.ok()) return failedCall("files of the case", written);
    return cache.computes("prepareModelFromCache of what was put back", cache.load());
}

Failure wrongToken(CacheFixture& cache) {
    if (Failure failure = cache.saveAndLoad()) return failure;
    for (const size_t place : {size_t{0}, size_t{kByteSizeOfCacheToken - 1}}) {
        CacheToken other = cache.token;
        other[place] ^= 1;
        const auto loaded = cache.load(cache.models.handles(), cache.data.handles(), other);
        if (Failure failure = mustNotLoad(loaded, "cache.other_token")) return failure;
    }
    return std::nullopt;
}

// Rule cache.other_files: model files of another compilation with another token.
Failure otherCompilation(CacheFixture& cache) {
    if (Failure failure = cache.saveAndLoad()) return failure;
    CacheFixture other(cache.device(), cache.folder(), chainJob(9, 16));
    other.token = cacheToken(77);
    if (Failure failure = other.begin()) return failure;
    if (Failure failure = other.saveAndLoad()) return failure;
    const Status copied = cache.models.copyFrom(other.models);
    if (!copied.ok()) return failedCall("files of the case", copied);
    return mustNotLoad(cache.load(), "cache.other_files");
}

// Rule cache.concurrent_changes: overwrites the files with another compilation while they are
// loaded or saved.
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

Failure overwritten(const SharedDevice& device, const std::string& folder, bool whileSaving) {
    constexpr int kTimes = 30;
    CacheFixture cache(device, folder, chainJob(100, 16));
    if (Failure failure = cache.begin()) return failure;
    CacheFixture other(device, folder, chainJob(101, 16));
    other.token = cacheToken(77);
    if (Failure failure = other.begin()) return failure;
    if (Failure failure = other.saveAndLoad()) return failure;
    for (int i = 0; i < kTimes; ++i) {
        if (!whileSaving) {
            if (Failure failure = cache.save()) return failure;
        }
        std::optional<GeneralResult<SharedPreparedModel>> loaded;
        {
            const Overwriter overwriter(cache.models, other.models);
            if (whileSaving) {
                if (Failure failure = cache.save()) return failure;
            } else {
                loaded = cache.load();
            }
        }
        if (whileSaving) loaded = cache.load();
        Failure failure =
                loaded->has_value()
                        ? cache.computes(
                                  "prepareModelFromCache of files that were written meanwhile",
                                  *loaded)
                        : mustNotLoad(*loaded, "cache.concurrent_changes");
        if (failure) return failure;
    }
    return std::nullopt;
}

constexpr size_t kFilesWithCases = 4;  // of each kind

}  // namespace

void addCacheChanges(Cases& cases, const DeviceTestOptions& options) {
    const std::string folder = options.temporaryFolder;
    struct Changed {
        const char* name;
        Change change;
    };
    for (const Changed& by : {Changed{"flipped_bit", flipBit}, Changed{"appended", append},
                              Changed{"shortened", shorten}}) {
        for (const FilesOfKind& kind : kKindsOfFiles) {
            for (size_t i = 0; i < kFilesWithCases; ++i) {
                addCacheCase(cases, folder, fmt::format("{}/{}{}", by.name, kind.name, i),
                             [=](CacheFixture& cache) {
                                 return changed(cache, kind.files, i, by.change);
                             });
            }
        }
    }
    addCacheCase(cases, folder, "wrong_token", wrongToken);
    addCacheCase(cases, folder, "other_compilation", otherCompilation);
    for (const bool whileSaving : {true, false}) {
        cases.push_back(
                deviceCase(whileSaving ? "cache/overwritten/saving" : "cache/overwritten/loading",
                           [=](const SharedDevice& device) {
                               return overwritten(device, folder, whileSaving);
                           }));
    }
}

}  // namespace nn::testing
