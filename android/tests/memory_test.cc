// Shared memory, fences and clocks of Android's utilities.
#include <android-base/unique_fd.h>
#include <android/hidl/allocator/1.0/IAllocator.h>
#include <android/sharedmem.h>
#include <cutils/ashmem.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <hidlmemory/HidlMemory.h>
#include <hidlmemory/mapping.h>
#include <sync/sync.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <ui/GraphicBuffer.h>
#include <unistd.h>
#include <utils/Condition.h>
#include <utils/Errors.h>
#include <utils/Mutex.h>
#include <utils/String8.h>
#include <utils/SystemClock.h>
#include <utils/Timers.h>
#include <vndk/hardware_buffer.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <ostream>
#include <string>
#include <thread>
#include <utility>

namespace android_memory {
namespace {

using android::sp;
using android::base::unique_fd;
using android::hardware::hidl_memory;
using android::hardware::hidl_vec;

// ---- ashmem

TEST(AndroidAshmem, KeepsItsSize) {
    const unique_fd fd(ashmem_create_region("scratch", 5000));
    ASSERT_TRUE(fd.ok());
    EXPECT_EQ(ashmem_valid(fd), 1);
    EXPECT_EQ(ashmem_get_size_region(fd), 5000);
    EXPECT_NE(ftruncate(fd, 100), 0);
    EXPECT_NE(ftruncate(fd, 10'000), 0);
    EXPECT_EQ(ashmem_pin_region(fd, 0, 0), ASHMEM_NOT_PURGED);
    const unique_fd longName(ashmem_create_region(std::string(400, 'x').c_str(), 1));
    EXPECT_TRUE(longName.ok());
    EXPECT_EQ(ashmem_create_region("scratch", SIZE_MAX), -1);
}

TEST(AndroidAshmem, ProtectionIsOnlyTakenAway) {
    const unique_fd fd(ashmem_create_region("scratch", 4096));
    EXPECT_EQ(ashmem_set_prot_region(fd, PROT_READ | PROT_WRITE), 0);
    void* const before = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ASSERT_NE(before, MAP_FAILED);
    EXPECT_EQ(ashmem_set_prot_region(fd, PROT_NONE), -1);
    EXPECT_EQ(ashmem_set_prot_region(fd, PROT_READ), 0);
    EXPECT_EQ(ashmem_set_prot_region(fd, PROT_READ), 0);
    EXPECT_EQ(ashmem_set_prot_region(fd, PROT_READ | PROT_WRITE), -1);
    EXPECT_EQ(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
    static_cast<char*>(before)[0] = 'x';
    void* const after = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fd, 0);
    ASSERT_NE(after, MAP_FAILED);
    EXPECT_EQ(static_cast<char*>(after)[0], 'x');
    munmap(before, 4096);
    munmap(after, 4096);
}

TEST(AndroidAshmem, OtherFilesAreRefused) {
    unique_fd read;
    unique_fd write;
    ASSERT_TRUE(android::base::Pipe(&read, &write));
    EXPECT_EQ(ashmem_valid(read), 0);
    EXPECT_EQ(ashmem_get_size_region(read), -1);
    EXPECT_EQ(ashmem_pin_region(read, 0, 0), -1);
    EXPECT_EQ(ashmem_set_prot_region(-1, PROT_READ), -1);
}

TEST(AndroidAshmem, OfTheNdkIsTheSame) {
    const unique_fd fd(ASharedMemory_create("scratch", 12));
    EXPECT_EQ(ASharedMemory_getSize(fd), 12u);
    EXPECT_EQ(ASharedMemory_getSize(-1), 0u);
    EXPECT_EQ(ASharedMemory_setProt(fd, PROT_READ), 0);
    EXPECT_EQ(mmap(nullptr, 12, PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
}

// ---- the allocator of HIDL

using android::hidl::allocator::V1_0::IAllocator;

hidl_memory allocate(uint64_t size) {
    hidl_memory allocated;
    const auto result = IAllocator::getService("ashmem")->allocate(
            size, [&](bool success, const hidl_memory& memory) {
                EXPECT_EQ(success, memory.valid());
                allocated = memory;
            });
    EXPECT_TRUE(result.isOk());
    return allocated;
}

TEST(AndroidAllocator, MemoryIsMapped) {
    const hidl_memory memory = allocate(100);
    EXPECT_EQ(memory.size(), 100u);
    EXPECT_EQ(std::string(memory.name()), "ashmem");
    const sp<android::hidl::memory::V1_0::IMemory> one = android::hardware::mapMemory(memory);
    const sp<android::hidl::memory::V1_0::IMemory> two = android::hardware::mapMemory(memory);
    ASSERT_TRUE(one != nullptr && two != nullptr);
    const auto bytesOf = [](const auto& mapped) {
        return static_cast<uint8_t*>(static_cast<void*>(mapped->getPointer()));
    };
    bytesOf(one)[99] = 7;
    EXPECT_EQ(bytesOf(two)[99], 7);
}

TEST(AndroidAllocator, RefusesWhatThereIsNot) {
    EXPECT_FALSE(allocate(0).valid());
    EXPECT_FALSE(allocate(UINT64_MAX).valid());
    EXPECT_TRUE(IAllocator::getService("default") == nullptr);
    EXPECT_TRUE(IAllocator::tryGetService("ashmem") != nullptr);
}

TEST(AndroidAllocator, Batches) {
    struct {
        uint64_t size;
        uint64_t count;
        bool succeeds;
    } const rows[] = {{10, 0, true}, {10, 3, true}, {0, 3, false}, {10, UINT64_MAX, false}};
    const sp<IAllocator> allocator = IAllocator::getService("ashmem");
    for (const auto& row : rows) {
        SCOPED_TRACE(row.count);
        int calls = 0;
        const auto result = allocator->batchAllocate(
                row.size, row.count, [&](bool success, const hidl_vec<hidl_memory>& memories) {
                    ++calls;
                    EXPECT_EQ(success, row.succeeds);
                    EXPECT_EQ(memories.size(), row.succeeds ? row.count : 0);
                });
        EXPECT_TRUE(result.isOk());
        EXPECT_EQ(calls, 1);
    }
}

TEST(AndroidAllocator, HasAChain) {
    const auto result = IAllocator::getService("ashmem")->interfaceChain(
            [](const hidl_vec<android::hardware::hidl_string>& chain) {
                ASSERT_EQ(chain.size(), 2u);
                EXPECT_EQ(std::string(chain[0]), "android.hidl.allocator@1.0::IAllocator");
            });
    EXPECT_TRUE(result.isOk());
}

TEST(AndroidHidlMemory, OwnsItsDescriptor) {
    const int fd = ashmem_create_region("scratch", 10);
    sp<android::hardware::HidlMemory> memory =
            android::hardware::HidlMemory::getInstance("ashmem", fd, 10);
    EXPECT_EQ(memory->size(), 10u);
    const sp<android::hardware::HidlMemory> copy =
            android::hardware::HidlMemory::getInstance(static_cast<const hidl_memory&>(*memory));
    EXPECT_TRUE(*copy == *memory);
    memory = nullptr;
    EXPECT_EQ(ashmem_get_size_region(copy->handle()->data[0]), 10);
}

// ---- hardware buffers

constexpr uint64_t kReadWrite =
        AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN | AHARDWAREBUFFER_USAGE_CPU_WRITE_OFTEN;

AHardwareBuffer_Desc blobOf(uint32_t size) {
    AHardwareBuffer_Desc description{};
    description.width = size;
    description.height = 1;
    description.layers = 1;
    description.format = AHARDWAREBUFFER_FORMAT_BLOB;
    description.usage = kReadWrite;
    return description;
}

struct Refused {
    const char* name;
    void (*change)(AHardwareBuffer_Desc& description);
};

TEST(AndroidHardwareBuffer, BlobsAloneAreAllocated) {
    const Refused rows[] = {
            {"image", [](auto& d) { d.format = AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM; }},
            {"empty", [](auto& d) { d.width = 0; }},
            {"high", [](auto& d) { d.height = 2; }},
            {"layers", [](auto& d) { d.layers = 2; }},
            {"reserved", [](auto& d) { d.rfu1 = 1; }},
            {"protected", [](auto& d) { d.usage |= AHARDWAREBUFFER_USAGE_PROTECTED_CONTENT; }},
    };
    for (const Refused& row : rows) {
        SCOPED_TRACE(row.name);
        AHardwareBuffer_Desc description = blobOf(16);
        row.change(description);
        AHardwareBuffer* buffer = nullptr;
        EXPECT_EQ(AHardwareBuffer_isSupported(&description), 0);
        EXPECT_EQ(AHardwareBuffer_allocate(&description, &buffer), -EINVAL);
        EXPECT_EQ(buffer, nullptr);
    }
    const AHardwareBuffer_Desc blob = blobOf(16);
    EXPECT_EQ(AHardwareBuffer_isSupported(&blob), 1);
    EXPECT_EQ(AHardwareBuffer_allocate(&blob, nullptr), -EINVAL);
}

TEST(AndroidHardwareBuffer, IsSharedByItsHandle) {
    const AHardwareBuffer_Desc blob = blobOf(5000);
    AHardwareBuffer* buffer = nullptr;
    ASSERT_EQ(AHardwareBuffer_allocate(&blob, &buffer), 0);
    AHardwareBuffer* other = nullptr;
    ASSERT_EQ(AHardwareBuffer_createFromHandle(&blob, AHardwareBuffer_getNativeHandle(buffer),
                                               AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_CLONE,
                                               &other),
              0);
    void* one = nullptr;
    void* two = nullptr;
    ASSERT_EQ(AHardwareBuffer_lock(buffer, kReadWrite, -1, nullptr, &one), 0);
    static_cast<char*>(one)[4999] = 'x';
    int32_t fence = 5;
    EXPECT_EQ(AHardwareBuffer_unlock(buffer, &fence), 0);
    EXPECT_EQ(fence, -1);
    EXPECT_EQ(AHardwareBuffer_unlock(buffer, nullptr), -EINVAL);
    AHardwareBuffer_acquire(buffer);
    AHardwareBuffer_release(buffer);
    AHardwareBuffer_release(buffer);
    ASSERT_EQ(AHardwareBuffer_lock(other, AHARDWAREBUFFER_USAGE_CPU_READ_RARELY, -1, nullptr, &two),
              0);
    EXPECT_EQ(static_cast<char*>(two)[4999], 'x');
    const native_handle_t* const handle = AHardwareBuffer_getNativeHandle(other);
    const android::sp<android::GraphicBuffer> graphic =
            new android::GraphicBuffer(handle, android::GraphicBuffer::CLONE_HANDLE, 5000, 1,
                                       AHARDWAREBUFFER_FORMAT_BLOB, 1, kReadWrite, 5000);
    void* three = nullptr;
    ASSERT_EQ(graphic->lock(kReadWrite, &three), android::NO_ERROR);
    EXPECT_EQ(static_cast<char*>(three)[4999], 'x');
    EXPECT_EQ(graphic->unlock(), android::NO_ERROR);
    EXPECT_NE(graphic->handle, handle);
    AHardwareBuffer_Desc described{};
    AHardwareBuffer_describe(other, &described);
    EXPECT_EQ(described.width, 5000u);
    AHardwareBuffer_release(other);
}

TEST(AndroidHardwareBuffer, UsageIsChecked) {
    AHardwareBuffer_Desc blob = blobOf(16);
    blob.usage = AHARDWAREBUFFER_USAGE_CPU_READ_RARELY;
    AHardwareBuffer* buffer = nullptr;
    ASSERT_EQ(AHardwareBuffer_allocate(&blob, &buffer), 0);
    void* data = nullptr;
    for (const uint64_t usage : {uint64_t{AHARDWAREBUFFER_USAGE_CPU_WRITE_OFTEN}, kReadWrite,
                                 uint64_t{0}, uint64_t{AHARDWAREBUFFER_USAGE_GPU_DATA_BUFFER}}) {
        EXPECT_EQ(AHardwareBuffer_lock(buffer, usage, -1, nullptr, &data), -EINVAL) << usage;
    }
    EXPECT_EQ(
            AHardwareBuffer_lock(buffer, AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN, -1, nullptr, &data),
            0);
    AHardwareBuffer_release(buffer);
}

TEST(AndroidHardwareBuffer, LockingWaitsForTheFence) {
    const AHardwareBuffer_Desc blob = blobOf(16);
    AHardwareBuffer* buffer = nullptr;
    ASSERT_EQ(AHardwareBuffer_allocate(&blob, &buffer), 0);
    unique_fd read;
    unique_fd write;
    ASSERT_TRUE(android::base::Pipe(&read, &write));
    std::thread signaller([&] { EXPECT_EQ(::write(write, "x", 1), 1); });
    void* data = nullptr;
    const int fence = read.release();
    EXPECT_EQ(AHardwareBuffer_lock(buffer, kReadWrite, fence, nullptr, &data), 0);
    signaller.join();
    EXPECT_EQ(fcntl(fence, F_GETFD), -1);
    AHardwareBuffer_release(buffer);
}

TEST(AndroidHardwareBuffer, HandlesOfPeersAreChecked) {
    const AHardwareBuffer_Desc blob = blobOf(4096);
    AHardwareBuffer* buffer = nullptr;
    const auto create = [&](const native_handle_t* handle, int32_t method) {
        return AHardwareBuffer_createFromHandle(&blob, handle, method, &buffer);
    };
    constexpr int32_t kClone = AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_CLONE;
    const android::sp<android::GraphicBuffer> none =
            new android::GraphicBuffer(nullptr, android::GraphicBuffer::TAKE_HANDLE, 1, 1,
                                       AHARDWAREBUFFER_FORMAT_BLOB, 1, 0, 1);
    EXPECT_EQ(none->initCheck(), -EINVAL);
    void* bytes = nullptr;
    EXPECT_EQ(none->lock(0, &bytes), -EINVAL);
    EXPECT_EQ(none->unlock(), -EINVAL);
    EXPECT_EQ(create(nullptr, kClone), -EINVAL);
    native_handle_t* const handle = native_handle_create(1, 0);
    EXPECT_EQ(create(handle, kClone), -EINVAL);  // no file
    handle->data[0] = ashmem_create_region("short", 4095);
    EXPECT_EQ(create(handle, kClone), -EINVAL);
    close(handle->data[0]);
    handle->data[0] = memfd_create("unsealed", MFD_CLOEXEC);
    ASSERT_EQ(ftruncate(handle->data[0], 4096), 0);
    EXPECT_EQ(create(handle, kClone), -EINVAL);
    close(handle->data[0]);
    handle->data[0] = ashmem_create_region("good", 4096);
    EXPECT_EQ(create(handle, 1), -EINVAL);
    ASSERT_EQ(create(handle, AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_REGISTER), 0);
    EXPECT_EQ(AHardwareBuffer_getNativeHandle(buffer), handle);
    uint64_t id = 0;
    EXPECT_EQ(AHardwareBuffer_getId(buffer, &id), 0);
    EXPECT_NE(id, 0u);
    AHardwareBuffer_release(buffer);  // and the handle
    native_handle_t* const empty = native_handle_create(0, 1);
    EXPECT_EQ(create(empty, kClone), -EINVAL);
    native_handle_delete(empty);
}

// ---- fences

unique_fd eventOf(uint64_t count) {
    return unique_fd(eventfd(static_cast<unsigned>(count), EFD_CLOEXEC));
}
void signal(const unique_fd& event) {
    const uint64_t one = 1;
    ASSERT_EQ(write(event, &one, sizeof(one)), static_cast<ssize_t>(sizeof(one)));
}
// Returns 0, or the error of waiting.
int waitFor(int fence, int timeout = 0) { return sync_wait(fence, timeout) == 0 ? 0 : errno; }

TEST(AndroidSync, Waits) {
    const unique_fd event = eventOf(0);
    EXPECT_EQ(waitFor(event), ETIME);
    signal(event);
    EXPECT_EQ(waitFor(event, -1), 0);
    EXPECT_EQ(waitFor(-1), EINVAL);
    unique_fd read;
    unique_fd write;
    ASSERT_TRUE(android::base::Pipe(&read, &write));
    write.reset();
    EXPECT_EQ(waitFor(read), EINVAL);  // has no writer to signal it
}

TEST(AndroidSync, MergesWhatIsSignaled) {
    const unique_fd signaled = eventOf(1);
    const unique_fd pending = eventOf(0);
    for (const bool isFirst : {true, false}) {
        const unique_fd merged(
                sync_merge("merged", isFirst ? signaled : pending, isFirst ? pending : signaled));
        EXPECT_EQ(waitFor(merged), ETIME);
    }
    const unique_fd both(sync_merge(nullptr, signaled, signaled));
    EXPECT_EQ(waitFor(both), 0);
    EXPECT_EQ(sync_merge("merged", signaled, -1), -1);
    EXPECT_EQ(errno, EBADF);
}

TEST(AndroidSync, MergesWhatIsPending) {
    const unique_fd one = eventOf(0);
    const unique_fd two = eventOf(0);
    const unique_fd merged(sync_merge("merged", one, two));
    ASSERT_TRUE(merged.ok());
    EXPECT_EQ(waitFor(merged), ETIME);
    signal(two);
    EXPECT_EQ(waitFor(merged, 1), ETIME);
    signal(one);
    EXPECT_EQ(waitFor(merged, -1), 0);
}

TEST(AndroidSync, AFailureFailsWhatIsMerged) {
    unique_fd read;
    unique_fd write;
    ASSERT_TRUE(android::base::Pipe(&read, &write));
    const unique_fd pending = eventOf(0);
    const unique_fd merged(sync_merge("merged", pending, read));
    EXPECT_EQ(waitFor(merged), ETIME);
    write.reset();
    EXPECT_EQ(waitFor(merged, -1), EINVAL);
}

// ---- libutils

TEST(AndroidUtils, StatusesHaveNames) {
    EXPECT_EQ(android::statusToString(android::OK), "OK");
    EXPECT_EQ(android::statusToString(android::BAD_VALUE), "BAD_VALUE");
    EXPECT_EQ(android::statusToString(android::UNEXPECTED_NULL), "UNEXPECTED_NULL");
    EXPECT_EQ(android::statusToString(-EBUSY), "-16 (Device or resource busy)");
    EXPECT_NE(android::statusToString(INT32_MIN + 100), "");
}

TEST(AndroidUtils, Clocks) {
    const nsecs_t before = systemTime();
    EXPECT_GE(android::uptimeNanos(), before);
    EXPECT_GE(android::elapsedRealtimeNano(), before);
    EXPECT_GE(systemTime(SYSTEM_TIME_BOOTTIME), before);
    EXPECT_GT(systemTime(SYSTEM_TIME_REALTIME), s2ns(1'500'000'000));
    EXPECT_EQ(toMillisecondTimeoutDelay(10, 5), 0);
    EXPECT_EQ(toMillisecondTimeoutDelay(0, 1), 1);
    EXPECT_EQ(toMillisecondTimeoutDelay(0, ms2ns(3)), 3);
    EXPECT_EQ(toMillisecondTimeoutDelay(0, INT64_MAX), -1);
    EXPECT_EQ(toMillisecondTimeoutDelay(INT64_MIN, INT64_MAX), -1);
}

TEST(AndroidUtils, Mutexes) {
    android::Mutex mutex;
    android::Condition condition;
    bool isReady = false;
    std::thread setter([&] {
        android::AutoMutex lock(mutex);
        isReady = true;
        condition.signal();
    });
    {
        android::AutoMutex lock(mutex);
        while (!isReady) condition.wait(mutex);
        std::thread([&] { EXPECT_NE(mutex.tryLock(), android::OK); }).join();
        EXPECT_EQ(condition.waitRelative(mutex, ms2ns(1)), android::TIMED_OUT);
    }
    setter.join();
}

TEST(AndroidUtils, Texts) {
    android::String8 text = android::String8::format("%d", 12);
    text.appendFormat("%s", "34");
    text.append("5");
    EXPECT_TRUE(text == "12345");
    EXPECT_EQ((text + "6").length(), 6u);
    EXPECT_FALSE(android::String8("ab", 1) < text);
}

}  // namespace
}  // namespace android_memory
