// Compilation caches: a load accepts only files saved for the same model and device.
#include "nnapi/driver/cache.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <csignal>
#include <future>
#include <thread>

#include "device_test/cases/hidl_callbacks.h"
#include "driver/cache/bytes.h"
#include "driver/cache_files.h"
#include "heap.h"
#include "held_by_process.h"
#include "in_child.h"
#include "nnapi/convert.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/memory.h"

namespace nn::driver_cache_test {
namespace {

using namespace driver_cache_files;
using hidl::hidl_handle;
using hidl::hidl_vec;
using hidl::Return;
using hidl::sp;
using testing::AnyOf;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using enum ErrorStatus;

CacheKey keyOf(uint8_t byte) {
    CacheKey::Bytes bytes;
    bytes.fill(byte);
    return CacheKey(bytes);
}

SharedDevice deviceOf(uint8_t key = 7) { return referenceDevice({.cacheKey = keyOf(key)}); }

sp<V1_3::IDevice> adapted(const SharedDevice& device) {
    return *hal::adapter::adapt(device, {.numberOfThreads = 1});
}

struct NamedDevice {
    const char* name;
    SharedDevice device;
};

// The device, and the same device behind an adapter and a wrapper of each version with caching.
std::vector<NamedDevice> devices() {
    return {{"reference", deviceOf()},
            {"1.2", V1_2::utils::Device::create("wrapped", adapted(deviceOf())).value()},
            {"1.3", V1_3::utils::Device::create("wrapped", adapted(deviceOf())).value()}};
}

// Rule cache.none.
TEST(Cache, IsIgnoredByDeviceWithoutCache) {
    std::vector<Status> told;
    const SharedDevice device = referenceDevice(
            {.hasCache = false, .onCacheFailure = [&](const Status& s) { told.push_back(s); }});
    EXPECT_THAT(device->getNumberOfCacheFilesNeeded(), Pair(0u, 0u));
    const Folder folder;
    const Cache cache = cacheIn(folder);
    EXPECT_THAT(cache.save(*device, adds(1)), Adds(1));
    EXPECT_THAT(folder.read("m"), IsEmpty());
    EXPECT_THAT(cache.load(*device), Refuses(GENERAL_FAILURE, "the device has no cache"));
    EXPECT_THAT(Cache().save(*device, adds(1)), Adds(1));
    ASSERT_THAT(told, SizeIs(1)) << "not without files";
    EXPECT_EQ(told[0].message(), "the device has no cache");
    const auto old = V1_1::utils::Device::create("old", adapted(deviceOf())).value();
    EXPECT_THAT(cache.load(*old), FailsAs(GENERAL_FAILURE));
}

// Rules cache.wrong_count_saving and cache.wrong_count_loading.
TEST(Cache, NumbersOfFiles) {
    const struct {
        const char* name;
        size_t model, data;
    } kRows[] = {{"NoModel", 0, 1}, {"TwoModels", 2, 1}, {"NoData", 1, 0}, {"TwoData", 1, 2},
                 {"Many", 32, 32},  {"TooMany", 33, 1},  {"None", 0, 0}};
    for (const auto& [name, device] : devices()) {
        const Folder folder;
        const Cache right = cacheIn(folder);
        ASSERT_TRUE(right.save(*device, adds(1)).has_value());
        for (const auto& row : kRows) {
            SCOPED_TRACE(std::string(name) + " " + row.name);
            Cache wrong;
            for (size_t i = 0; i < row.model; ++i) wrong.model.push_back(right.model[0]);
            for (size_t i = 0; i < row.data; ++i) wrong.data.push_back(right.data[0]);
            EXPECT_THAT(wrong.save(*device, adds(2)), Adds(2));
            EXPECT_THAT(wrong.load(*device), FailsAs(INVALID_ARGUMENT));
            EXPECT_THAT(right.load(*device), Adds(1)) << "it was not touched";
        }
    }
    EXPECT_THAT(
            Cache().load(*deviceOf()),
            Refuses(INVALID_ARGUMENT, "the cache has 0 model and 0 data files, allowed 1 and 1"));
}

// A client that keeps the code and the prepared model.
class Client final : public parts::PreparationCallback<Client> {
   public:
    Return<void> notified(HalVersion, auto code, const sp<V1_0::IPreparedModel>& made) {
        mNotified.set_value({static_cast<int>(code), made == nullptr});
        return hidl::Void();
    }
    // The notified code; EXPECTs a prepared model if and only if the code is NONE.
    ErrorStatus notifiedCode() {
        const auto [code, isNull] = mNotified.get_future().get();
        EXPECT_EQ(isNull, code != 0);
        return static_cast<ErrorStatus>(code);
    }

   private:
    std::promise<std::pair<int, bool>> mNotified;
};

hidl_handle handleOf(const std::vector<SharedHandle>& files) {
    hidl::native_handle_t* native = hidl::native_handle_create(static_cast<int>(files.size()), 0);
    for (size_t i = 0; i < files.size(); ++i) native->data[i] = dup(files[i]->get());
    hidl_handle handle;
    handle.setTo(native, /*shouldOwn=*/true);
    return handle;
}

// Rule cache.descriptors.
TEST(Cache, HandlesWithNoneOrTwoDescriptors) {
    const Folder folder;
    const Cache cache = cacheIn(folder);
    const sp<V1_3::IDevice> driver = adapted(deviceOf());
    const auto model = V1_3::utils::convert(adds(1)).value();
    const hidl_handle one = handleOf(cache.model), other = handleOf(cache.data);
    const hidl_handle none = handleOf({}), two = handleOf({cache.model[0], cache.data[0]});
    const struct {
        const char* name;
        hidl_handle model, data;
        bool isRight;
    } kRows[] = {{"Right", one, other, true},     {"ModelNone", none, other, false},
                 {"ModelTwo", two, other, false}, {"DataNone", one, none, false},
                 {"DataTwo", one, two, false},    {"ModelNull", hidl_handle(), other, false}};
    for (const auto& row : kRows) {
        SCOPED_TRACE(row.name);
        folder.write("m", {});
        const hidl_vec<hidl_handle> models{row.model}, data{row.data};
        const auto prepared = sp<Client>::make(), loaded = sp<Client>::make();
        (void)driver->prepareModel_1_3(model, V1_1::ExecutionPreference::FAST_SINGLE_ANSWER,
                                       V1_3::Priority::MEDIUM, {}, models, data, {}, prepared);
        EXPECT_EQ(prepared->notifiedCode(), NONE);
        (void)driver->prepareModelFromCache_1_3({}, models, data, {}, loaded);
        EXPECT_EQ(loaded->notifiedCode(), row.isRight ? NONE : INVALID_ARGUMENT);
    }
}

// Rule cache.unusable_descriptor.
TEST(Cache, FilesThatCannotBeReadOrWritten) {
    const struct {
        const char* name;
        int model, data;
    } kRows[] = {{"ModelReadOnly", O_RDONLY, O_RDWR},
                 {"DataReadOnly", O_RDWR, O_RDONLY},
                 {"BothReadOnly", O_RDONLY, O_RDONLY}};
    for (const auto& [name, device] : devices()) {
        for (const auto& row : kRows) {
            SCOPED_TRACE(std::string(name) + " " + row.name);
            const Folder folder;
            folder.write("m", {});
            folder.write("d", {});
            const Cache cache{.model = {folder.open("m", row.model)},
                              .data = {folder.open("d", row.data)}};
            EXPECT_THAT(cache.save(*device, adds(1)), Adds(1));
            EXPECT_THAT(folder.read("m"), IsEmpty());
            EXPECT_THAT(folder.read("d"), IsEmpty());
            EXPECT_THAT(cache.load(*device), FailsAs(GENERAL_FAILURE));
        }
        const Folder folder;
        ASSERT_TRUE(cacheIn(folder).save(*device, adds(1)).has_value());
        EXPECT_THAT(cacheIn(folder, O_RDONLY).load(*device), Adds(1));
        EXPECT_THAT(cacheIn(folder, O_WRONLY).load(*device), FailsAs(GENERAL_FAILURE));
    }
}

// Rules cache.wrong_count_saving and cache.unusable_descriptor: invalid handles, for either file.
TEST(Cache, RejectsInvalidHandles) {
    const Folder folder;
    const SharedDevice device = deviceOf();
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const UniqueFd other(ends[1]);
    const struct {
        const char* name;
        SharedHandle handle;
        const char* why;
    } kRows[] = {
            {"Null", nullptr, "the descriptor: Bad file descriptor"},
            {"Closed", std::make_shared<const Handle>(), "the descriptor: Bad file descriptor"},
            {"Pipe", std::make_shared<const Handle>(ends[0]), "it is not a regular file"},
            {"Full", std::make_shared<const Handle>(open("/dev/full", O_RDWR | O_CLOEXEC)),
             "it is not a regular file"},
            {"Folder", std::make_shared<const Handle>(open("/tmp", O_RDONLY | O_CLOEXEC)),
             "it is not a regular file"}};
    for (const auto& row : kRows) {
        SCOPED_TRACE(row.name);
        const SharedHandle file = folder.open("m");
        const Cache model{.model = {row.handle}, .data = {file}};
        EXPECT_THAT(model.save(*device, adds(1)), Adds(1));
        EXPECT_THAT(model.load(*device),
                    Refuses(GENERAL_FAILURE, std::string("modelCache[0]: ") + row.why));
        const Cache data{.model = {file}, .data = {row.handle}};
        EXPECT_THAT(data.save(*device, adds(1)), Adds(1));
        EXPECT_THAT(data.load(*device),
                    Refuses(GENERAL_FAILURE, std::string("dataCache[0]: ") + row.why));
        EXPECT_THAT(folder.read("m"), IsEmpty());
    }
}

// Rules cache.sizes and cache.changed_model_file; rule cache.changed_data_file: this device rejects
// these files too.
TEST(Cache, FlippedBitsAndLengths) {
    const SharedDevice device = deviceOf();
    const Folder folder;
    const Cache cache = cacheIn(folder);
    ASSERT_TRUE(cache.save(*device, adds(20, 20)).has_value());
    EXPECT_THAT(folder.read("d"), SizeIs(adds(20, 20).operandValues.size()));
    for (const std::string name : {"m", "d"}) {
        const Bytes saved = folder.read(name);
        ASSERT_THAT(saved, SizeIs(testing::Gt(300u)));
        const auto refuses = [&](const Bytes& bytes) {
            folder.write(name, bytes);
            return cache.load(*device).error().code == GENERAL_FAILURE;
        };
        // Every bit of the header, and one bit of each byte after it.
        for (size_t bit = 0; bit < 8 * saved.size(); bit += bit < 8 * 140 ? 1 : 37) {
            Bytes flipped = saved;
            flipped[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
            ASSERT_TRUE(refuses(flipped)) << name << " bit " << bit;
        }
        for (size_t size = 0; size < saved.size(); size += size < 300 ? 1 : 97) {
            ASSERT_TRUE(refuses(Bytes(saved.begin(), saved.begin() + size))) << name << " " << size;
        }
        Bytes longer = saved;
        for (size_t more = 1; more <= 256; ++more) {
            longer.push_back(static_cast<uint8_t>(more * 37));
            ASSERT_TRUE(refuses(longer)) << name << " with " << more << " more";
        }
        folder.write(name, saved);
        ASSERT_THAT(cache.load(*device), Adds(20));
    }
}

// Rule cache.other_files: any of the files of another compilation, with another token or the same.
TEST(Cache, FilesOfAnotherCompilation) {
    const SharedDevice device = deviceOf();
    const struct {
        const char* name;
        bool model, data, hasOtherToken;
    } kRows[] = {{"Model", true, false, true},
                 {"Data", false, true, true},
                 {"Both", true, true, true},
                 {"ModelOfTheSameToken", true, false, false},
                 {"DataOfTheSameToken", false, true, false}};
    for (const auto& row : kRows) {
        SCOPED_TRACE(row.name);
        const Folder folder, others;
        const Cache cache = cacheIn(folder);
        Cache other = cacheIn(others);
        if (row.hasOtherToken) other.token[31] = 9;
        ASSERT_TRUE(cache.save(*device, adds(1)).has_value());
        ASSERT_TRUE(other.save(*device, adds(2)).has_value());
        if (row.model) folder.write("m", others.read("m"));
        if (row.data) folder.write("d", others.read("d"));
        EXPECT_THAT(cache.load(*device), FailsAs(GENERAL_FAILURE));
    }
}

// Rule cache.other_files: the data files of a seal with two are exchanged; also the model and the
// data.
TEST(Cache, FilesThatWereExchanged) {
    const CacheSeal seal(keyOf(1), "device", "1", {.model = 1, .data = 2});
    const Folder folder;
    const std::vector<SharedHandle> model{folder.open("m")};
    const std::vector<SharedHandle> data{folder.open("a"), folder.open("b")};
    const Bytes graph{1, 2, 3}, a{4, 5, 6}, b{7, 8, 9};
    const std::span<const uint8_t> models[] = {graph}, datas[] = {a, b};
    const CacheToken token{};
    ASSERT_TRUE(seal.save({model, data, token}, models, datas).ok());
    const auto loaded = seal.load({model, data, token});
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    EXPECT_THAT(loaded->model, testing::ElementsAre(graph));
    EXPECT_THAT(loaded->data, testing::ElementsAre(a, b));
    EXPECT_FALSE(seal.load({model, {data[1], data[0]}, token}).ok());
    EXPECT_FALSE(seal.load({data, model, token}).ok());
    // The same bytes with a seal for two models and one data file.
    const CacheSeal other(keyOf(1), "device", "1", {.model = 2, .data = 1});
    EXPECT_FALSE(other.load({{model[0], data[0]}, {data[1]}, token}).ok());
}

// Rule cache.sizes: seals, files and contents with too large or contradictory counts.
TEST(Cache, NumbersOfASeal) {
    const Folder folder;
    const std::vector<SharedHandle> one{folder.open("m")};
    const Bytes bytes{1, 2, 3};
    const std::span<const uint8_t> contents[] = {bytes, bytes};
    const struct {
        const char* why;
        CacheSeal::Counts counts;
        size_t modelContents, dataContents;
    } kRows[] = {
            {"", {.model = 1}, 1, 0},
            {"a seal of 0 model and 0 data files, allowed 1 to 32 and 0 to 32", {.model = 0}, 0, 0},
            {"a seal of 33 model and 0 data files, allowed 1 to 32 and 0 to 32",
             {.model = 33},
             1,
             0},
            {"a seal of 1 model and 33 data files, allowed 1 to 32 and 0 to 32", {1, 33}, 1, 0},
            {"the cache has 1 model and 0 data files, allowed 32 and 32", {32, 32}, 1, 0},
            {"the cache has 1 model and 0 data files, allowed 1 and 1", {1, 1}, 1, 1},
            {"2 model and 0 data contents for 1 and 0 files", {.model = 1}, 2, 0},
            {"1 model and 1 data contents for 1 and 0 files", {.model = 1}, 1, 1},
    };
    for (const auto& row : kRows) {
        const CacheSeal seal(keyOf(1), "device", "1", row.counts);
        const Status saved = seal.save({one, {}, {}}, std::span(contents, row.modelContents),
                                       std::span(contents, row.dataContents));
        EXPECT_EQ(saved.message(), row.why);
    }
    // A file may contain no more than its header.
    const CacheSeal empty(keyOf(1), "device", "1", {.model = 1});
    const std::span<const uint8_t> nothing[] = {{}};
    ASSERT_TRUE(empty.save({one, {}, {}}, nothing, {}).ok());
    const auto loaded = empty.load({one, {}, {}});
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    EXPECT_THAT(loaded->model, ElementsAre(IsEmpty()));
    // A model occupies one file of each kind.
    const CacheSeal alone(keyOf(1), "device", "1", {.model = 1});
    ASSERT_TRUE(alone.save({one, {}, {}}, std::span(contents, 1), {}).ok());
    EXPECT_EQ(loadModel(alone, {one, {}, {}}).status().message(),
              "a model lies in 1 model and 1 data file, not in 1 and 0");
}

// Rule cache.concurrent_changes: another thread and another process write to the files while a
// model is saved and loaded; the prepared model is the right one, or there is none.
TEST(Cache, FilesThatChangeMeanwhile) {
    constexpr int kRounds = 100;
    const SharedDevice device = deviceOf();
    const Folder folder, mine, others;
    const Cache cache = cacheIn(folder);
    ASSERT_TRUE(cacheIn(mine).save(*device, adds(100, 100)).has_value());
    ASSERT_TRUE(cacheIn(others).save(*device, adds(200, 100)).has_value());
    const Bytes right[] = {mine.read("m"), mine.read("d")};
    const Bytes wrong[] = {others.read("m"), others.read("d")};
    const auto disturb = [&](size_t turn) {
        const SharedHandle& file = turn % 2 == 0 ? cache.model[0] : cache.data[0];
        const Bytes& bytes = (turn % 3 == 0 ? wrong : right)[turn % 2];
        const size_t at = turn * 61 % bytes.size();
        if (turn % 5 == 0) (void)!ftruncate(file->get(), static_cast<off_t>(at));
        (void)!pwrite(file->get(), bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    };
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        for (size_t turn = 0; getppid() != 1; ++turn) disturb(turn);
        _exit(0);
    }
    std::atomic<bool> isDone = false;
    std::thread thread([&] {
        for (size_t turn = 1; !isDone; ++turn) disturb(turn);
    });
    int loads = 0;
    for (int round = 0; round < kRounds; ++round) {
        EXPECT_THAT(cache.save(*device, adds(100, 100)), Adds(100));
        const auto loaded = cache.load(*device);
        if (!loaded.has_value()) {
            EXPECT_THAT(loaded, FailsAs(GENERAL_FAILURE));
            continue;
        }
        ++loads;
        // Both were saved with this token by this device.
        EXPECT_THAT(computed(*loaded)[0], AnyOf(100.f, 200.f));
    }
    isDone = true;
    thread.join();
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    RecordProperty("loads", loads);
    EXPECT_THAT(cache.save(*device, adds(100, 100)), Adds(100));
    EXPECT_THAT(cache.load(*device), Adds(100));
}

// Rule cache.seal: properties that a seal depends on.
TEST(Cache, IsBoundToTheDevice) {
    const Folder folder;
    const Cache cache = cacheIn(folder);
    ASSERT_TRUE(
            cache.save(*referenceDevice({.name = "a", .versionString = "bc", .cacheKey = keyOf(7)}),
                       adds(1))
                    .has_value());
    const struct {
        const char* name;
        ReferenceDeviceOptions options;
        bool loads;
    } kRows[] = {{"Same", {.name = "a", .versionString = "bc", .cacheKey = keyOf(7)}, true},
                 {"Name", {.name = "b", .versionString = "bc", .cacheKey = keyOf(7)}, false},
                 {"Version", {.name = "a", .versionString = "bd", .cacheKey = keyOf(7)}, false},
                 {"Boundary", {.name = "ab", .versionString = "c", .cacheKey = keyOf(7)}, false},
                 {"Key", {.name = "a", .versionString = "bc", .cacheKey = keyOf(8)}, false},
                 {"NoKey", {.name = "a", .versionString = "bc"}, false}};
    for (const auto& row : kRows) {
        const auto loaded = cache.load(*referenceDevice(row.options));
        if (row.loads) {
            EXPECT_THAT(loaded, Adds(1)) << row.name;
        } else {
            EXPECT_THAT(loaded,
                        Refuses(GENERAL_FAILURE,
                                "modelCache[0]: this device did not write it for this token, or "
                                "somebody changed it: its header is not the one that is expected"))
                    << row.name;
        }
    }
    const SharedDevice withoutKey = referenceDevice();
    ASSERT_TRUE(cache.save(*withoutKey, adds(2)).has_value());
    EXPECT_THAT(cache.load(*withoutKey), Adds(2));
    EXPECT_THAT(cache.load(*referenceDevice()), FailsAs(GENERAL_FAILURE));
}

// Rule cache.seal: keys of an installation.
TEST(CacheKey, InAFile) {
    const Folder folder;
    const fs::path path = folder.path() / "key";
    const auto made = CacheKey::ofFile(path);
    ASSERT_TRUE(made.ok()) << made.status();
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "nothing else";
    EXPECT_EQ(CacheKey::ofFile(path)->bytes(), made->bytes());
    EXPECT_NE(CacheKey::ofFile(folder.path() / "other")->bytes(), made->bytes());
    EXPECT_NE(CacheKey::random()->bytes(), CacheKey::random()->bytes());

    const auto message = [&] { return std::string(CacheKey::ofFile(path).status().message()); };
    const std::string at = "key of caches " + path.string() + ": ";
    fs::permissions(path, fs::perms::group_read, fs::perm_options::add);
    EXPECT_EQ(message(), at + "it has mode 0640, allowed 0600, for its owner alone");
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    folder.write("key", Bytes(31));
    EXPECT_EQ(message(), at + "it has 31 bytes, allowed 32");
    fs::remove(path);
    fs::create_symlink("other", path);
    EXPECT_EQ(message(), at + "it is a link, allowed is a regular file");
    fs::remove(path);
    fs::create_directory(path);
    EXPECT_EQ(message(), at + "it is not a regular file");
    EXPECT_FALSE(CacheKey::ofFile(folder.path() / "no" / "key").ok());
}

// Rule cache.seal: the first caller creates the key, and all callers get that one.
TEST(CacheKey, IsMadeOnceByAll) {
    const Folder folder;
    std::vector<std::future<Result<CacheKey>>> keys;
    for (int i = 0; i < 8; ++i) {
        keys.push_back(std::async(std::launch::async,
                                  [&] { return CacheKey::ofFile(folder.path() / "key"); }));
    }
    const CacheKey::Bytes last = CacheKey::ofFile(folder.path() / "key")->bytes();
    for (auto& key : keys) EXPECT_EQ(key.get()->bytes(), last);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

void limitFileSizes(rlim_t bytes) {
    const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
}

// A key that does not fit on the disk is not created, and no part of it remains.
TEST(CacheKey, IsWholeOrNotThere) {
    const Folder folder;
    EXPECT_EQ(inChild([&] {
                  limitFileSizes(31);
                  return CacheKey::ofFile(folder.path() / "key").ok() ? 1 : 0;
              }),
              0);
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

// A count is limited by the bytes that follow it.
TEST(CacheBytes, LimitsCountsToRemainingBytes) {
    const std::vector<uint8_t> bytes = {3, 0, 0, 0, 1, 2, 3, 4, 5, 6};
    for (const size_t size : {1u, 2u, 3u, 7u}) {
        cache::ByteReader reader(bytes);
        uint32_t count = 0;
        EXPECT_EQ(reader.takeCount(count, size), size <= 2) << size;
        EXPECT_EQ(reader.rest(), size <= 2 ? 6u : 10u) << size;
    }
}

// Rule cache.emptied_files: a limit of file sizes. The signal that accompanies it does not end the
// process.
TEST(Cache, FullDisk) {
    const Folder folder;
    const Cache cache = cacheIn(folder);
    const SharedDevice device = deviceOf();
    ASSERT_TRUE(cache.save(*device, adds(1, 20)).has_value());
    const Bytes model = folder.read("m"), data = folder.read("d");
    const size_t longest = std::max(model.size(), data.size());
    for (size_t limit : {size_t{0}, size_t{1}, size_t{135}, size_t{136}, size_t{137},
                         data.size() - 1, data.size(), model.size() - 1, longest}) {
        const int ended = inChild([&] {
            limitFileSizes(limit);
            const auto prepared = cache.save(*device, adds(1, 20));
            const bool loads = cache.load(*device).has_value();
            return prepared.has_value() ? (loads ? 2 : 1) : 0;
        });
        ASSERT_EQ(ended, limit >= longest ? 2 : 1) << "limit " << limit;
        EXPECT_EQ(folder.read("m"), limit >= longest ? model : Bytes()) << "limit " << limit;
        EXPECT_EQ(folder.read("d"), limit >= longest ? data : Bytes()) << "limit " << limit;
    }
}

// Rule cache.emptied_files: a signal for too long files that was pending before is still pending.
TEST(Cache, KeepsPendingSignal) {
    EXPECT_EQ(inChild([] {
                  sigset_t set;
                  sigemptyset(&set);
                  sigaddset(&set, SIGXFSZ);
                  pthread_sigmask(SIG_BLOCK, &set, nullptr);
                  raise(SIGXFSZ);
                  const Folder folder;
                  const bool isSaved = cacheIn(folder).save(*deviceOf(), adds(1)).has_value();
                  sigset_t pending;
                  sigpending(&pending);
                  return isSaved && sigismember(&pending, SIGXFSZ) == 1 ? 0 : 1;
              }),
              0);
}

// Rule cache.emptied_files: a file that accepts no bytes, the same file twice, and one opened for
// appending.
TEST(Cache, FilesThatTakeNothing) {
    std::vector<std::string> told;
    const SharedDevice device = referenceDevice(
            {.onCacheFailure = [&](const Status& status) { told.emplace_back(status.message()); }});
    const Folder folder;
    const auto sealed =
            std::make_shared<const Handle>(memfd_create("full", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    ASSERT_EQ(fcntl(sealed->get(), F_ADD_SEALS, F_SEAL_GROW), 0);
    const SharedHandle file = folder.open("m");
    EXPECT_THAT((Cache{.model = {file}, .data = {sealed}}.save(*device, adds(1))), Adds(1));
    EXPECT_THAT(folder.read("m"), IsEmpty());
    EXPECT_THAT((Cache{.model = {file}, .data = {folder.open("m")}}.save(*device, adds(1))),
                Adds(1));
    EXPECT_THAT(folder.read("m"), IsEmpty());
    EXPECT_THAT(told, testing::ElementsAre("dataCache[0]: writing it: Operation not permitted",
                                           "dataCache[0]: it is the file of another one"));
    const Cache appended = cacheIn(folder, O_RDWR | O_CREAT | O_APPEND);
    EXPECT_THAT(appended.save(*device, adds(3)), Adds(3));
    EXPECT_THAT(appended.load(*device), Adds(3));
}

// Rule cache.emptied_files: wherever an allocation fails, the files are empty or complete, and the
// call returns a status.
TEST(Cache, MemoryThatRunsOut) {
    if (!heap::kCanFail) GTEST_SKIP() << "without exceptions an allocation cannot fail";
    const Folder folder;
    const Cache cache = cacheIn(folder);
    const CacheSeal seal(keyOf(1), "device", "1", {.model = 1, .data = 1});
    const CacheFiles files{cache.model, cache.data, cache.token};
    const Model model = adds(1, 3);
    bool isSaved = false;
    for (size_t n = 1; !isSaved; ++n) {
        ASSERT_LT(n, 10'000u);
        heap::failAt(n);
        const Status saved =
                saveModel(seal, files, model, ExecutionPreference::DEFAULT, Priority::DEFAULT);
        heap::failAt(0);
        isSaved = saved.ok();
        if (!isSaved) {
            ASSERT_EQ(errorStatus(saved), RESOURCE_EXHAUSTED_TRANSIENT) << n;
            ASSERT_THAT(folder.read("m"), IsEmpty()) << n;
            ASSERT_THAT(folder.read("d"), IsEmpty()) << n;
        }
    }
    bool isLoaded = false;
    for (size_t n = 1; !isLoaded; ++n) {
        ASSERT_LT(n, 10'000u);
        heap::failAt(n);
        const auto loaded = loadModel(seal, files);
        heap::failAt(0);
        isLoaded = loaded.ok();
        if (!isLoaded) {
            ASSERT_EQ(errorStatus(loaded.status()), RESOURCE_EXHAUSTED_TRANSIENT) << n;
        }
    }
}

// Rule cache.closed_descriptors: the files are closed when the client closes them, and the model
// still executes.
TEST(Cache, KeepsNoDescriptors) {
    const SharedDevice device = deviceOf();
    const Folder folder;
    const size_t before = held::descriptors();
    const auto saved = cacheIn(folder).save(*device, adds(1));
    const auto loaded = cacheIn(folder).load(*device);
    EXPECT_FALSE(Cache{.model = {folder.open("m")}}.load(*device).has_value());
    EXPECT_EQ(held::descriptors(), before);
    fs::remove(folder.path() / "d");
    EXPECT_THAT(saved, Adds(1));
    EXPECT_THAT(loaded, Adds(1));
}

// Rules cache.load and cache.reload: the other arguments of a preparation from the cache are
// checked.
TEST(Cache, ValidatesWhatItLoads) {
    const Folder folder;
    const Cache cache = cacheIn(folder);
    const SharedDevice device = deviceOf();
    Model model = adds(1);  // since feature level 3: HAL 1.2
    Graph more(model);
    model.main.operations.clear();
    more.graph = model.main;
    more.add(OperationType::MAXIMUM, {0, 2}, {1});
    model.main = more.graph;
    ASSERT_THAT(cache.save(*device, model), Adds(1));
    EXPECT_THAT(cache.load(*device), Adds(1));
    EXPECT_THAT(device->prepareModelFromCache(Clock::now() - std::chrono::seconds(1), cache.model,
                                              cache.data, cache.token),
                AnyOf(FailsAs(MISSED_DEADLINE_PERSISTENT), FailsAs(MISSED_DEADLINE_TRANSIENT)));
    const auto older = cache.load(
            *referenceDevice({.featureLevel = kVersionFeatureLevel1, .cacheKey = keyOf(7)}));
    ASSERT_THAT(older, FailsAs(GENERAL_FAILURE));
    EXPECT_THAT(older.error().message, testing::StartsWith("the model in the cache: "));
    ReferenceDeviceOptions little{.cacheKey = keyOf(7)};
    little.prepare.limits.operands = 1;
    EXPECT_THAT(cache.load(*referenceDevice(little)), FailsAs(RESOURCE_EXHAUSTED_PERSISTENT));
}

// ---- packed models

// A model with a constant of this lifetime.
Model addsFrom(LifeTime lifetime, const SharedMemory& pool, std::vector<float>& values) {
    Model model = adds(5);
    for (Operand& operand : model.main.operands) {
        if (operand.type != TENSOR_FLOAT32 || operand.lifetime != LifeTime::CONSTANT_COPY) continue;
        operand.lifetime = lifetime;
        operand.location = {.offset = 8, .length = 16};
        if (lifetime == LifeTime::POINTER) {
            operand.location = {.pointer = static_cast<const void*>(values.data()), .length = 16};
        }
    }
    model.pools = {pool};
    return model;
}

TEST(PackedModel, TakesConstantsFromEverywhere) {
    const SharedMemory pool = createSharedMemory(4096).value();
    std::vector<float> values(4, 7.f);
    ASSERT_TRUE(
            writeMemory(pool, 8, std::span(reinterpret_cast<uint8_t*>(values.data()), 16)).ok());
    const SharedDevice device = deviceOf();
    for (const LifeTime lifetime : {LifeTime::CONSTANT_REFERENCE, LifeTime::POINTER}) {
        const Folder folder;
        const Cache cache = cacheIn(folder);
        EXPECT_THAT(cache.save(*device, addsFrom(lifetime, pool, values)), Adds(7));
        EXPECT_LE(folder.read("d").size(), 64u) << "the size of the constants, not of the pool";
        EXPECT_THAT(cache.load(*device), Adds(7));
    }
}

TEST(PackedModel, KeepsAllButThePlaceOfConstants) {
    CachedModel cached{.model = endlessLoop(),
                       .preference = ExecutionPreference::SUSTAINED_SPEED,
                       .priority = Priority::LOW};
    cached.model.relaxComputationFloat32toFloat16 = true;
    cached.model.extensionNameToPrefix = {{.name = "com.example", .prefix = 3}};
    cached.model.main.operands[0].extraParams =
            Operand::SymmPerChannelQuantParams{.scales = {0.5f, -0.f}, .channelDim = 1};
    cached.model.main.operands[1].extraParams = Operand::ExtensionParams{1, 2, 3};
    const PackedModel packed = packModel(cached.model, cached.preference, cached.priority).value();
    const auto unpacked = unpackModel(packed.graph, packed.constants);
    ASSERT_TRUE(unpacked.ok()) << unpacked.status();
    EXPECT_EQ(*unpacked, cached);
}

// A constant that several operands share in part is stored once, with its alignment.
TEST(PackedModel, StoresSharedConstantsOnce) {
    Model model = adds(1, 50);
    for (size_t i = 0; Operand & operand : model.main.operands) {
        if (!isConstant(operand.lifetime)) continue;
        const bool isTensor = operand.type == TENSOR_FLOAT32;
        operand.location.offset = isTensor ? static_cast<uint32_t>(64 + 4 * (i++ % 3)) : 0;
    }
    const Bytes values(1000, 0);
    model.operandValues = Model::OperandValues(values);
    const CachedModel unpacked = [&] {
        PackedModel packed = packModel(model, {}, {}).value();
        EXPECT_THAT(packed.constants, SizeIs(16 + 24)) << "4 + 12 of padding, 16 + 2 * 4";
        return unpackModel(packed.graph, packed.constants).value();
    }();
    for (size_t i = 0; i < model.main.operands.size(); ++i) {
        EXPECT_EQ(unpacked.model.main.operands[i].location.offset % 16,
                  model.main.operands[i].location.offset % 16);
    }
}

TEST(PackedModel, RefusesConstantsThatCannotBeRead) {
    std::vector<float> values(4);
    const auto message = [](const Model& model, const Limits& limits = {}) {
        return std::string(packModel(model, {}, {}, limits).status().message());
    };
    const SharedMemory small = createSharedMemory(16).value();
    EXPECT_EQ(message(addsFrom(LifeTime::CONSTANT_REFERENCE, small, values)),
              "bytes 8 + 16 of a constant lie outside of 16 bytes");
    EXPECT_EQ(message(addsFrom(LifeTime::CONSTANT_REFERENCE, nullptr, values)),
              "bytes 8 + 16 of a constant lie outside of 0 bytes");
    Model model = addsFrom(LifeTime::CONSTANT_REFERENCE, small, values);
    model.pools.clear();
    EXPECT_EQ(message(model), "poolIndex is 0, allowed below 0");
    model = addsFrom(LifeTime::POINTER, small, values);
    for (Operand& operand : model.main.operands) operand.location.pointer = {};
    EXPECT_EQ(message(model), "the pointer of a constant is null");
    EXPECT_EQ(errorStatus(packModel(adds(1), {}, {}, {.constantBytes = 10}).status()),
              RESOURCE_EXHAUSTED_PERSISTENT);
}

TEST(PackedModel, RejectsInvalidGraphs) {
    const Bytes graph = packModel(adds(1), {}, {}).value().graph;
    for (size_t size = 0; size < graph.size(); ++size) {
        EXPECT_FALSE(unpackModel(std::span(graph).first(size), {}).ok()) << size;
    }
    Bytes longer = graph;
    longer.push_back(0);
    EXPECT_EQ(unpackModel(longer, {}).status().message(),
              "the packed graph is followed by 1 bytes that are none of it");
    // Any byte is changed: a graph that is still accepted is written back identically.
    for (size_t at = 0; at < graph.size(); ++at) {
        Bytes other = graph;
        other[at] = 0x7F;
        const auto unpacked = unpackModel(other, {});
        if (!unpacked.ok()) continue;
        const auto again = packModel(unpacked->model, unpacked->preference, unpacked->priority);
        EXPECT_TRUE(!again.ok() || again->graph == other) << at;
    }
    // A count of 2^32 - 1 at each position: no memory is reserved for it.
    for (size_t at = 0; at + 4 <= graph.size(); ++at) {
        Bytes counts = graph;
        std::fill_n(counts.begin() + static_cast<std::ptrdiff_t>(at), 4, 0xFF);
        EXPECT_LT(heap::peakOf([&] { (void)unpackModel(counts, {}); }), 20 * graph.size() + 4096);
    }
}

}  // namespace
}  // namespace nn::driver_cache_test
