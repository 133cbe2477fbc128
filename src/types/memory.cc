#include "nnapi/memory.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>

#include "base/full_transfer.h"
#include "base/no_throw.h"
#include "base/plurals.h"
#include "base/standard_streams.h"
#include "nnapi/checked_math.h"
#include "types/memory_file.h"

namespace nn {
namespace {

Status failure(const std::string& what) { return makeError(ErrorStatus::GENERAL_FAILURE, what); }

Status systemFailure(const std::string& what) {
    return failure(what + ": " + std::strerror(errno));
}

// The file of a memory; -1 if it has none.
int fileOf(const SharedMemory& memory) {
    return memory.get() == nullptr ? -1 : nn::fileOf(*memory);
}

// A blob in a hardware buffer, which is a file from its beginning; null for other memory.
const Memory::HardwareBuffer* blobOf(const Memory& memory) {
    const auto* buffer = std::get_if<Memory::HardwareBuffer>(&memory.handle);
    return buffer != nullptr && buffer->isBlob && !buffer->handle.fds.empty() ? buffer : nullptr;
}

// True if its file has all of these seals.
bool isSealed(const SharedMemory& memory, int seals) {
    const int fd = fileOf(memory);
    const int found = fd < 0 ? -1 : fcntl(fd, F_GET_SEALS);
    return found >= 0 && (found & seals) == seals;
}

// Address space that the process has for kept mappings, and what each takes of it at least: so
// 4,096 of the 65,530 mappings that a process may have by default.
constexpr size_t kKeptBytes = 256 << 20, kMinKeptBytes = 64 << 10;
// Of longer memories and transfers, a system call is a small part.
constexpr size_t kLongestKept = 1 << 20, kLongestCopy = 64 << 10;
// Mapping and unmapping take as long as five accesses by system calls.
constexpr uint32_t kAccessesBeforeMapping = 8;

std::atomic<size_t> keptBytes = 0;

constexpr size_t bytesToKeep(size_t size) { return std::max(size, kMinKeptBytes); }

// The mapping that a memory keeps for reading; its deleter, so that handles find it. The mapping is
// private, because a shared one would not let anybody seal the file against writing. It shows what
// others write all the same: on Linux, a page of it is that of the file until it is written here.
class KeptMapping {
   public:
    explicit KeptMapping(SharedMemory owner) : mOwner(std::move(owner)) {}
    KeptMapping(KeptMapping&& unused) noexcept : mOwner(std::move(unused.mOwner)) {}

    void operator()(const Memory* /*owned*/) {
        if (const uint8_t* data = mData.load(); data != nullptr) {
            munmap(const_cast<uint8_t*>(data), mSize);
            keptBytes -= bytesToKeep(mSize);
        }
        mOwner = nullptr;
    }

    // True if the file was sealed against writing when it was mapped.
    bool isConstant() const { return mIsConstant.load(std::memory_order_relaxed); }

    // The bytes of the file; null if they are to be read from there.
    const uint8_t* of(const MemoryFile& file) const {
        if (const uint8_t* data = mData.load(std::memory_order_acquire); data != nullptr)
            return data;
        if (mAccesses.load(std::memory_order_relaxed) > kAccessesBeforeMapping ||
            mAccesses.fetch_add(1, std::memory_order_relaxed) != kAccessesBeforeMapping)
            return nullptr;
        return keep(file);
    }

   private:
    // Only one access calls it.
    const uint8_t* keep(const MemoryFile& file) const {
        const int seals = fcntl(file.fd(), F_GET_SEALS);
        struct statfs system {};
        // Pages of a hugetlbfs can run out, which ends the process that accesses them.
        if (file.size() > kLongestKept || seals < 0 || (seals & F_SEAL_SHRINK) == 0 ||
            fstatfs(file.fd(), &system) != 0 ||
            static_cast<uint32_t>(system.f_type) == HUGETLBFS_MAGIC || !file.checkSize().ok())
            return nullptr;
        const size_t bytes = bytesToKeep(file.size());
        if (keptBytes.fetch_add(bytes) + bytes > kKeptBytes) {
            keptBytes -= bytes;
            return nullptr;
        }
        void* data = mmap(nullptr, file.size(), PROT_READ, MAP_PRIVATE, file.fd(),
                          static_cast<off_t>(file.offset()));
        if (data == MAP_FAILED) {
            keptBytes -= bytes;
            return nullptr;
        }
        mSize = file.size();
        mIsConstant = (seals & F_SEAL_WRITE) != 0;
        mData = static_cast<const uint8_t*>(data);
        return mData;
    }

    SharedMemory mOwner;
    mutable std::atomic<const uint8_t*> mData = nullptr;
    mutable std::atomic<size_t> mSize = 0;
    mutable std::atomic<bool> mIsConstant = false;
    mutable std::atomic<uint32_t> mAccesses = 0;
};

const KeptMapping* keptMappingOf(const SharedMemory& memory) {
#ifdef __cpp_rtti
    return std::get_deleter<KeptMapping>(memory);
#else
    (void)memory;  // its deleter cannot be asked for
    return nullptr;
#endif
}

// Calls transfer(done, at), a pread or pwrite of the remaining bytes at a file offset, until all
// bytes are transferred.
template <class Transfer>
Status transferBytes(const MemoryFile& file, uint64_t offset, size_t size, Transfer transfer) {
    if (!fits(offset, size, file.size())) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "bytes " + std::to_string(offset) + " + " + std::to_string(size) +
                                 " lie outside of memory of " +
                                 toString(Plural{file.size(), "bytes"}));
    }
    const size_t transferred = transferAll(size, [&](size_t done) {
        return transfer(done, static_cast<off_t>(file.offset() + offset + done));
    });
    if (transferred == size) return {};
    return errno == 0 ? failure("the file of the memory became shorter") : systemFailure("memory");
}

}  // namespace

int fileOf(const Memory& memory) {
    if (const auto* ashmem = std::get_if<Memory::Ashmem>(&memory.handle)) return ashmem->fd.get();
    if (const auto* file = std::get_if<Memory::Fd>(&memory.handle)) return file->fd.get();
    const Memory::HardwareBuffer* blob = blobOf(memory);
    return blob == nullptr ? -1 : blob->handle.fds.front().get();
}

SharedMemory keepingMapping(SharedMemory memory) {
    const Memory* const raw = memory.get();
    return {raw, KeptMapping(std::move(memory))};
}

Result<MemoryFile> MemoryFile::of(const SharedMemory& memory) NNAPI_TRY {
    if (memory.get() == nullptr) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "memory is null");
    }
    MemoryFile file;
    if (const auto* ashmem = std::get_if<Memory::Ashmem>(&memory->handle)) {
        file.mFd = ashmem->fd.get();
        file.mSize = ashmem->size;
        file.mProt = PROT_READ | PROT_WRITE;
    } else if (const auto* part = std::get_if<Memory::Fd>(&memory->handle)) {
        file.mFd = part->fd.get();
        file.mSize = part->size;
        file.mOffset = part->offset;
        file.mProt = part->prot;
    } else if (const Memory::HardwareBuffer* blob = blobOf(*memory)) {
        file.mFd = nn::fileOf(*memory);
        file.mSize = blob->size;
        file.mProt = PROT_READ | PROT_WRITE;
    } else {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "memory is of a kind that cannot be mapped on this host");
    }
    if ((file.mProt & (PROT_READ | PROT_WRITE)) == 0) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "memory has prot " + std::to_string(file.mProt) +
                                 ", allowed PROT_READ, PROT_WRITE or both to be mapped");
    }
    if (const KeptMapping* kept = keptMappingOf(memory)) {
        file.mKept = kept->of(file);
        file.mIsConstant = kept->isConstant();
    }
    if (file.mKept == nullptr) NNAPI_RETURN_IF_ERROR(file.checkSize());
    return file;
}
NNAPI_CATCH

Status MemoryFile::checkSize() const {
    struct stat status {};
    if (fstat(mFd, &status) != 0) return systemFailure("memory has no open file");
    if (fits(mOffset, mSize, static_cast<uint64_t>(status.st_size))) return {};
    return makeError(ErrorStatus::INVALID_ARGUMENT,
                     "memory claims bytes " + std::to_string(mOffset) + " to " +
                             std::to_string(mOffset) + " + " + std::to_string(mSize) +
                             " of a file of " +
                             toString(Plural{static_cast<uint64_t>(status.st_size), "bytes"}));
}

bool MemoryFile::mayBeWritable() const {
    if ((mProt & PROT_WRITE) == 0 || mIsConstant) return false;
    const int flags = fcntl(mFd, F_GETFL);
    return (flags & O_ACCMODE) != O_RDONLY && (flags & O_APPEND) == 0;
}

bool MemoryFile::isSealedAgainstWriting() const {
    const int seals = fcntl(mFd, F_GET_SEALS);
    return seals >= 0 && (seals & F_SEAL_WRITE) != 0;
}

Status MemoryFile::read(uint64_t offset, std::span<uint8_t> bytes) const NNAPI_TRY {
    if (mKept != nullptr && bytes.size() <= kLongestCopy && fits(offset, bytes.size(), mSize)) {
        std::copy_n(mKept + offset, bytes.size(), bytes.data());
        // Later checks use this copy, even if other processes write meanwhile.
        std::atomic_signal_fence(std::memory_order_seq_cst);
        return {};
    }
    return transferBytes(*this, offset, bytes.size(), [&](size_t done, off_t at) {
        return pread(mFd, bytes.data() + done, bytes.size() - done, at);
    });
}
NNAPI_CATCH

Status MemoryFile::write(uint64_t offset, std::span<const uint8_t> bytes) const NNAPI_TRY {
    // Writing past the end would grow the file; a mapping cannot end earlier.
    if (mKept == nullptr) NNAPI_RETURN_IF_ERROR(checkSize());
    return transferBytes(*this, offset, bytes.size(), [&](size_t done, off_t at) {
        return pwrite(mFd, bytes.data() + done, bytes.size() - done, at);
    });
}
NNAPI_CATCH

Result<UniqueFd> newMemoryFile(uint64_t size) {
    UniqueFd fd = aboveStandardStreams(memfd_create("nnapi", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    const auto length = checkedCast<off_t>(size);
    if (!length) errno = EFBIG;
    if (!fd.ok() || !length || ftruncate(fd.get(), *length) != 0 ||
        fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK) != 0) {
        const std::string why = std::strerror(errno);
        return makeError(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                         "no shared memory of " + toString(Plural{size, "bytes"}) + ": " + why);
    }
    return fd;
}

Result<SharedMemory> createSharedMemory(size_t size) NNAPI_TRY {
    if (size == 0) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "size of shared memory is 0, allowed 1 or more");
    }
    NNAPI_ASSIGN_OR_RETURN(fd, newMemoryFile(size));
    return keepingMapping(std::make_shared<const Memory>(
            Memory{Memory::Ashmem{.fd = std::move(fd), .size = size}}));
}
NNAPI_CATCH

Result<SharedMemory> createSharedMemory(size_t size, int prot, int fd, size_t offset) NNAPI_TRY {
    if (size == 0) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "size of shared memory is 0, allowed 1 or more");
    }
    UniqueFd own = duplicate(fd);
    if (!own.ok()) return systemFailure("duplicating file descriptor " + std::to_string(fd));
    return keepingMapping(std::make_shared<const Memory>(Memory{
            Memory::Fd{.size = size, .prot = prot, .fd = std::move(own), .offset = offset}}));
}
NNAPI_CATCH

Result<Mapping> map(const SharedMemory& memory) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(file, MemoryFile::of(memory));
    // Most processors cannot map memory write-only. Linux before 6.7 has no shared mapping of a
    // file that is sealed against writing; a private one has the same bytes.
    const bool isConstant = file.isSealedAgainstWriting();
    const bool isWritable = file.mayBeWritable() && !isConstant;
    void* data = mmap(nullptr, file.size(), isWritable ? PROT_READ | PROT_WRITE : PROT_READ,
                      isConstant ? MAP_PRIVATE : MAP_SHARED, file.fd(),
                      static_cast<off_t>(file.offset()));
    if (data == MAP_FAILED) return systemFailure("mapping memory");

    Mapping mapping;
    mapping.mOwner =
            std::shared_ptr<const void>(data, [memory, size = file.size()](const void* start) {
                munmap(const_cast<void*>(start), size);
            });
    mapping.mData = static_cast<uint8_t*>(data);
    mapping.mSize = file.size();
    mapping.mWritable = isWritable;
    return mapping;
}
NNAPI_CATCH

bool cannotShrink(const SharedMemory& memory) { return isSealed(memory, F_SEAL_SHRINK); }

bool cannotChange(const SharedMemory& memory) {
    return isSealed(memory, F_SEAL_SHRINK | F_SEAL_WRITE);
}

Status sealMemory(const SharedMemory& memory) NNAPI_TRY {
    if (fcntl(fileOf(memory), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) != 0)
        return systemFailure("sealing memory");
    return {};
}
NNAPI_CATCH

Status readMemory(const SharedMemory& memory, uint64_t offset, std::span<uint8_t> bytes) {
    NNAPI_ASSIGN_OR_RETURN(file, MemoryFile::of(memory));
    return file.read(offset, bytes);
}

Status writeMemory(const SharedMemory& memory, uint64_t offset, std::span<const uint8_t> bytes) {
    NNAPI_ASSIGN_OR_RETURN(file, MemoryFile::of(memory));
    return file.write(offset, bytes);
}

}  // namespace nn
