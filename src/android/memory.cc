// Shared memory: ashmem, its allocator, and hardware buffers.
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "android-base/unique_fd.h"
#include "android/hidl/allocator/1.0/IAllocator.h"
#include "cutils/ashmem.h"
#include "sync/sync.h"
#include "types/standard_streams.h"
#include "vndk/hardware_buffer.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

using android::base::unique_fd;

// ---- ashmem

namespace {

constexpr size_t kLongestName = 249;  // of a memfd

int failWith(int error) {
    errno = error;
    return -1;
}

// A handle with one descriptor; null if there is no memory for it.
native_handle_t* handleOf(unique_fd fd) {
    native_handle_t* const handle = native_handle_create(1, 0);
    if (handle != nullptr) handle->data[0] = fd.release();
    return handle;
}

}  // namespace

int ashmem_valid(int fd) { return fcntl(fd, F_GET_SEALS) >= 0 ? 1 : 0; }

int ashmem_create_region(const char* name, size_t size) {
    if (size > static_cast<size_t>(LONG_MAX)) return failWith(EINVAL);
    const std::string shortName =
            std::string(name == nullptr ? "none" : name).substr(0, kLongestName);
    unique_fd fd(::nn::aboveStandardStreams(
                         memfd_create(shortName.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING))
                         .release());
    if (!fd.ok() || ftruncate(fd, static_cast<off_t>(size)) != 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) {
        return -1;
    }
    return fd.release();
}

int ashmem_set_prot_region(int fd, int prot) {
    const int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0) return -1;
    // Reading cannot be taken away, nor anything be given back.
    if ((prot & PROT_READ) == 0) return failWith(EINVAL);
    const bool isReadOnly = (seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)) != 0;
    if ((prot & PROT_WRITE) != 0) return isReadOnly ? failWith(EINVAL) : 0;
    return isReadOnly ? 0 : fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE);
}

int ashmem_pin_region(int fd, size_t, size_t) {
    return ashmem_valid(fd) ? ASHMEM_NOT_PURGED : failWith(ENOTTY);
}
int ashmem_unpin_region(int fd, size_t, size_t) {
    return ashmem_valid(fd) ? ASHMEM_IS_UNPINNED : failWith(ENOTTY);
}

int ashmem_get_size_region(int fd) {
    struct stat status {};
    if (!ashmem_valid(fd)) return failWith(ENOTTY);
    if (fstat(fd, &status) != 0) return -1;
    return status.st_size > INT_MAX ? failWith(EOVERFLOW) : static_cast<int>(status.st_size);
}

// ---- the allocator of HIDL

namespace android::hidl::allocator::V1_0 {
namespace {

using ::android::hardware::hidl_handle;
using ::android::hardware::hidl_memory;
using ::android::hardware::hidl_vec;
using ::android::hardware::Return;
using ::android::hardware::Void;

constexpr uint64_t kMostMemories = 1024;  // of a batch

// Memory that is not valid if there is none.
hidl_memory allocateMemory(uint64_t size) {
    if (size == 0 || size > SIZE_MAX) return {};
    unique_fd fd(ashmem_create_region("hidl", static_cast<size_t>(size)));
    if (!fd.ok()) return {};
    hidl_handle handle;
    handle.setTo(handleOf(std::move(fd)), /*shouldOwn=*/true);
    return {"ashmem", std::move(handle), static_cast<size_t>(size)};
}

class AshmemAllocator final : public IAllocator {
   public:
    Return<void> allocate(uint64_t size, allocate_cb callback) override {
        const hidl_memory memory = allocateMemory(size);
        callback(memory.valid(), memory);
        return Void();
    }
    Return<void> batchAllocate(uint64_t size, uint64_t count, batchAllocate_cb callback) override {
        std::vector<hidl_memory> memories;
        for (uint64_t i = 0; i < count && count <= kMostMemories; ++i) {
            memories.push_back(allocateMemory(size));
            if (!memories.back().valid()) break;
        }
        const bool isDone =
                memories.size() == count && (memories.empty() || memories.back().valid());
        if (!isDone) memories.clear();
        callback(isDone, hidl_vec<hidl_memory>(memories));
        return Void();
    }
};

}  // namespace

IAllocator::~IAllocator() = default;

Return<void> IAllocator::interfaceChain(interfaceChain_cb callback) {
    callback({descriptor, Base::descriptor});
    return Void();
}

Return<void> IAllocator::interfaceDescriptor(interfaceDescriptor_cb callback) {
    callback(descriptor);
    return Void();
}

sp<IAllocator> IAllocator::getService(const std::string& name, bool) {
    if (name != "ashmem") return nullptr;
    return new AshmemAllocator();
}

}  // namespace android::hidl::allocator::V1_0

// ---- hardware buffers

struct AHardwareBuffer {
    AHardwareBuffer(const AHardwareBuffer_Desc& desc, native_handle_t* native)
        : description(desc), handle(native) {}
    AHardwareBuffer(const AHardwareBuffer&) = delete;
    AHardwareBuffer& operator=(const AHardwareBuffer&) = delete;
    ~AHardwareBuffer() {
        if (address != nullptr) munmap(address, description.width);
        native_handle_close(handle);
        native_handle_delete(handle);
    }

    const AHardwareBuffer_Desc description;
    native_handle_t* const handle;
    const uint64_t id = nextId++;
    std::atomic<int32_t> count{1};
    std::mutex mutex{};
    void* address = nullptr;  // once it has been locked
    int locks = 0;

    static inline std::atomic<uint64_t> nextId{1};
};

namespace {

constexpr uint64_t kCpuUsage =
        AHARDWAREBUFFER_USAGE_CPU_READ_MASK | AHARDWAREBUFFER_USAGE_CPU_WRITE_MASK;

bool isBlob(const AHardwareBuffer_Desc& description) {
    return description.format == AHARDWAREBUFFER_FORMAT_BLOB && description.width > 0 &&
           description.height == 1 && description.layers == 1 && description.rfu0 == 0 &&
           description.rfu1 == 0 &&
           (description.usage & AHARDWAREBUFFER_USAGE_PROTECTED_CONTENT) == 0;
}

// The usage that locking requires, and the buffer has.
bool allows(uint64_t buffer, uint64_t lock) {
    const auto has = [](uint64_t usage, uint64_t mask) { return (usage & mask) != 0; };
    return (lock & kCpuUsage) != 0 && (lock & ~kCpuUsage) == 0 &&
           (!has(lock, AHARDWAREBUFFER_USAGE_CPU_READ_MASK) ||
            has(buffer, AHARDWAREBUFFER_USAGE_CPU_READ_MASK)) &&
           (!has(lock, AHARDWAREBUFFER_USAGE_CPU_WRITE_MASK) ||
            has(buffer, AHARDWAREBUFFER_USAGE_CPU_WRITE_MASK));
}

int protectionOf(uint64_t usage) {
    const bool isWritten = (usage & AHARDWAREBUFFER_USAGE_CPU_WRITE_MASK) != 0;
    return isWritten ? PROT_READ | PROT_WRITE : PROT_READ;
}

// The peer that the handle is from must not shorten the memory later.
bool holds(const native_handle_t& handle, uint32_t size) {
    struct stat status {};
    const int fd = handle.data[0];
    const int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && fstat(fd, &status) == 0 &&
           status.st_size >= int64_t{size};
}

}  // namespace

int AHardwareBuffer_isSupported(const AHardwareBuffer_Desc* description) {
    return description != nullptr && isBlob(*description) ? 1 : 0;
}

int AHardwareBuffer_allocate(const AHardwareBuffer_Desc* description, AHardwareBuffer** buffer) {
    if (buffer == nullptr || !AHardwareBuffer_isSupported(description)) return -EINVAL;
    unique_fd fd(ashmem_create_region("AHardwareBuffer", description->width));
    if (!fd.ok()) return -ENOMEM;
    native_handle_t* const handle = handleOf(std::move(fd));
    if (handle == nullptr) return -ENOMEM;
    AHardwareBuffer_Desc complete = *description;
    complete.stride = complete.width;
    *buffer = new AHardwareBuffer(complete, handle);
    return 0;
}

void AHardwareBuffer_acquire(AHardwareBuffer* buffer) { buffer->count.fetch_add(1); }

void AHardwareBuffer_release(AHardwareBuffer* buffer) {
    if (buffer->count.fetch_sub(1) == 1) delete buffer;
}

void AHardwareBuffer_describe(const AHardwareBuffer* buffer, AHardwareBuffer_Desc* description) {
    if (buffer != nullptr && description != nullptr) *description = buffer->description;
}

int AHardwareBuffer_lock(AHardwareBuffer* buffer, uint64_t usage, int32_t fence, const ARect*,
                         void** address) {
    const unique_fd fenceFd(fence);
    if (buffer == nullptr || address == nullptr || !allows(buffer->description.usage, usage)) {
        return -EINVAL;
    }
    if (fenceFd.ok() && sync_wait(fenceFd, -1) != 0) return -EINVAL;
    std::lock_guard lock(buffer->mutex);
    if (buffer->address == nullptr) {
        void* const mapped =
                mmap(nullptr, buffer->description.width, protectionOf(buffer->description.usage),
                     MAP_SHARED, buffer->handle->data[0], 0);
        if (mapped == MAP_FAILED) return -errno;
        buffer->address = mapped;
    }
    ++buffer->locks;
    *address = buffer->address;
    return 0;
}

int AHardwareBuffer_unlock(AHardwareBuffer* buffer, int32_t* fence) {
    if (buffer == nullptr) return -EINVAL;
    if (fence != nullptr) *fence = -1;
    std::lock_guard lock(buffer->mutex);
    if (buffer->locks == 0) return -EINVAL;
    --buffer->locks;
    return 0;
}

int AHardwareBuffer_getId(const AHardwareBuffer* buffer, uint64_t* id) {
    if (buffer == nullptr || id == nullptr) return -EINVAL;
    *id = buffer->id;
    return 0;
}

const native_handle_t* AHardwareBuffer_getNativeHandle(const AHardwareBuffer* buffer) {
    return buffer == nullptr ? nullptr : buffer->handle;
}

int AHardwareBuffer_createFromHandle(const AHardwareBuffer_Desc* description,
                                     const native_handle_t* handle, int32_t method,
                                     AHardwareBuffer** buffer) {
    if (buffer == nullptr || handle == nullptr || !AHardwareBuffer_isSupported(description) ||
        !nn::hidl::wellFormed(*handle) || handle->numFds < 1 ||
        !holds(*handle, description->width)) {
        return -EINVAL;
    }
    native_handle_t* own = nullptr;
    if (method == AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_CLONE) {
        own = native_handle_clone(handle);
        if (own == nullptr) return -ENOMEM;
    } else if (method == AHARDWAREBUFFER_CREATE_FROM_HANDLE_METHOD_REGISTER) {
        own = const_cast<native_handle_t*>(handle);
    } else {
        return -EINVAL;
    }
    *buffer = new AHardwareBuffer(*description, own);
    return 0;
}
