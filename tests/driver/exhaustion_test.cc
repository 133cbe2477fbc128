// Behavior of a device on a machine without resources: it returns a status, and caches are complete
// or empty.
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include "driver/cache_files.h"
#include "held_by_process.h"
#include "in_child.h"
#include "nnapi/driver/reference.h"
#include "nnapi/memory.h"
#include "no_descriptors.h"
#include "sanitized.h"

namespace nn::driver_exhaustion_test {
namespace {

using namespace driver_cache_files;
using enum ErrorStatus;

SharedDevice deviceOf() { return referenceDevice({.cacheKey = CacheKey(CacheKey::Bytes{7})}); }

// ---- a full disk

constexpr int kNotPermitted = 77;

// Mounts a file system of 16 pages on the folder, visible only to this process.
bool mountSmall(const fs::path& folder) {
    const bool isAlone = unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
    return isAlone && mount("none", "/", "none", MS_REC | MS_PRIVATE, nullptr) == 0 &&
           mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=64k") == 0;
}

uint64_t freeBytes(const fs::path& folder) {
    struct statvfs status {};
    return statvfs(folder.c_str(), &status) == 0 ? status.f_bavail * status.f_bsize : 0;
}

// Uses all but this many bytes.
void fill(const Folder& folder, uint64_t left) {
    const uint64_t before = freeBytes(folder.path());
    folder.write("other", Bytes(before > left ? before - left : 0, 0x5A));
}

// Rules cache.save and cache.emptied_files: on a file system with this many free pages, the model
// is prepared, and its files are complete or empty.
int saveWith(const Folder& folder, uint64_t pagesLeft, const Bytes& model, const Bytes& data) {
    if (!mountSmall(folder.path())) return kNotPermitted;
    const Cache cache = cacheIn(folder);
    fill(folder, pagesLeft * 4096);
    if (freeBytes(folder.path()) != pagesLeft * 4096) return 2;
    const SharedDevice device = deviceOf();
    const auto prepared = cache.save(*device, adds(1, 60));
    if (!prepared.has_value() || computed(*prepared).empty()) return 3;
    const Bytes savedModel = folder.read("m"), savedData = folder.read("d");
    const uint64_t needed = (model.size() + 4095) / 4096 + (data.size() + 4095) / 4096;
    const bool fits = pagesLeft >= needed;
    if (savedModel != (fits ? model : Bytes()) || savedData != (fits ? data : Bytes())) return 4;
    if (cache.load(*device).has_value() != fits) return 5;
    // After space is freed, the same files work.
    folder.write("other", {});
    if (!cache.save(*device, adds(1, 60)).has_value()) return 6;
    return cache.load(*device).has_value() ? 0 : 7;
}

TEST(Exhaustion, FullFileSystem) {
    const Folder folder;
    const SharedDevice device = deviceOf();
    ASSERT_TRUE(cacheIn(folder).save(*device, adds(1, 60)).has_value());
    const Bytes model = folder.read("m"), data = folder.read("d");
    ASSERT_GT(model.size(), 2 * 4096u) << "more than one page";
    const uint64_t needed = (model.size() + 4095) / 4096 + (data.size() + 4095) / 4096;
    for (uint64_t left = 0; left <= needed; ++left) {
        const int exitCode = inChild([&] { return saveWith(folder, left, model, data); });
        if (exitCode == kNotPermitted) {
            GTEST_SKIP() << "mounting a tmpfs is not permitted here: neither root nor user "
                            "namespaces";
        }
        EXPECT_EQ(exitCode, 0) << left << " of " << needed << " pages left";
    }
}

// ---- no descriptors

// y = x + 1 on a device, with memory for both.
struct Prepared {
    SharedDevice device = referenceDevice({.fencedThreads = 1});
    SharedPreparedModel model = prepareOn(*device, adds(1)).value();
    SharedMemory memory = createSharedMemory(32).value();
    Request request{.inputs = {{.location = {.length = 16}, .dimensions = {4}}},
                    .outputs = {{.location = {.offset = 16, .length = 16}}},
                    .pools = {memory}};
};

struct DescriptorRow {
    const char* name;
    bool mayWork;  // may succeed without a descriptor; otherwise it must fail
    std::function<ErrorStatus(const Prepared&)> call;
};

const DescriptorRow kDescriptorRows[] = {
        {"createSharedMemory", false,
         [](const Prepared&) { return errorStatus(createSharedMemory(16).status()); }},
        {"prepareModel", true,
         [](const Prepared& p) { return errorStatus(prepareOn(*p.device, adds(2)).status()); }},
        {"execute", true,
         [](const Prepared& p) { return errorStatus(executeOn(*p.model, p.request).status()); }},
        {"executeFenced", false,
         [](const Prepared& p) {
             return errorStatus(executeFencedOn(*p.model, p.request).status());
         }},
        {"configureExecutionBurst", true,
         [](const Prepared& p) {
             const auto burst = p.model->configureExecutionBurst();
             if (!burst.has_value()) return burst.error().code;
             return errorStatus(executeOn(**burst, p.request).status());
         }},
        {"allocate", false,
         [](const Prepared& p) {
             const BufferRole role{.modelIndex = 0, .ioIndex = 0, .probability = 1};
             return errorStatus(p.device->allocate({}, {p.model}, {role}, {}).status());
         }},
};

// Rule object.slicing: a call without descriptors succeeds or fails with a status, and leaves
// nothing behind.
TEST(Exhaustion, NoDescriptorsLeft) {
    for (const DescriptorRow& row : kDescriptorRows) {
        const int exitCode = inChild([&] {
            const Prepared prepared;
            size_t before = held::descriptors();
            // UndefinedBehaviorSanitizer inspects an object through a descriptor until it has seen
            // the object's type.
            if (kIsAddressSanitized) {
                row.call(prepared);
                // The device may close a fence after it has signaled.
                before = held::settled(held::descriptors, before);
            }
            ErrorStatus status;
            {
                const NoDescriptors none;
                status = row.call(prepared);
            }
            if (status == NONE ? !row.mayWork : row.mayWork) return 1;
            if (held::descriptors() != before) return 2;
            return row.call(prepared) == NONE ? 0 : 3;  // with descriptors again
        });
        EXPECT_EQ(exitCode, 0) << row.name;
    }
}

// ---- no memory

// x + x + x of this many floats.
Model sumOf(uint32_t count) {
    Model model;
    Graph main(model);
    const uint32_t x = main.input(TENSOR_FLOAT32, {count});
    const uint32_t between = main.temporary(TENSOR_FLOAT32, {count});
    const uint32_t y = main.output(TENSOR_FLOAT32, {count});
    const uint32_t none = main.scalar(0);
    main.add(OperationType::ADD, {x, x, none}, {between});
    main.add(OperationType::ADD, {between, x, none}, {y});
    model.main = main.graph;
    return model;
}

uint64_t addressSpace() {
    std::ifstream file("/proc/self/statm");
    uint64_t pages = 0;
    file >> pages;
    return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// Limits the address space to 4 MB more, while an execution needs 64 MB for temporaries: more than
// any heap retains of freed memory.
TEST(Exhaustion, NoMemoryLeft) {
    if (kIsSanitized) GTEST_SKIP() << "sanitizers need the address space for themselves";
    constexpr uint32_t kCount = 1 << 24;
    const int exitCode = inChild([&] {
        const SharedDevice device = deviceOf();
        std::vector<float> x(kCount, 1), y(kCount);
        const Request request{.inputs = {pointerTo(x)}, .outputs = {pointerTo(y)}};
        const auto prepared = prepareOn(*device, sumOf(kCount));
        if (!prepared.has_value()) return 1;
        rlimit before;
        getrlimit(RLIMIT_AS, &before);
        const rlimit little{.rlim_cur = addressSpace() + (4 << 20), .rlim_max = before.rlim_max};
        setrlimit(RLIMIT_AS, &little);
        const ErrorStatus without = errorStatus(executeOn(**prepared, request).status());
        const ErrorStatus memory = errorStatus(createSharedMemory(64 << 20).status());
        const bool isMapped = memory == NONE && map(createSharedMemory(64 << 20).value()).ok();
        setrlimit(RLIMIT_AS, &before);
        if (without == NONE) return 2;
        if (isMapped) return 3;
        const auto again = executeOn(**prepared, request);
        return again.has_value() && y[kCount - 1] == 3 ? 0 : 4;
    });
    EXPECT_EQ(exitCode, 0);
}

}  // namespace
}  // namespace nn::driver_exhaustion_test
