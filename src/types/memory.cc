#include "nnapi/memory.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <string>

#include "nnapi/checked.h"

namespace nn {
namespace {

Status failure(const std::string& what) { return makeError(ErrorStatus::GENERAL_FAILURE, what); }

Status systemFailure(const std::string& what) {
    return failure(what + ": " + std::strerror(errno));
}

// What mmap needs to know of a memory.
struct Region {
    int fd;
    size_t size;
    size_t offset;
    int prot;
};

}  // namespace

Result<SharedMemory> createSharedMemory(size_t size) {
    if (size == 0) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "size of shared memory is 0, allowed 1 or more");
    }
    UniqueFd fd(memfd_create("nnapi", MFD_CLOEXEC));
    if (!fd.ok()) return systemFailure("memfd_create");
    const auto length = checkedCast<off_t>(size);
    if (!length || ftruncate(fd.get(), *length) != 0) {
        return systemFailure("shared memory of " + std::to_string(size) + " bytes");
    }
    return std::make_shared<const Memory>(
            Memory{Memory::Ashmem{.fd = std::move(fd), .size = size}});
}

Result<SharedMemory> createSharedMemory(size_t size, int prot, int fd, size_t offset) {
    if (size == 0) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "size of shared memory is 0, allowed 1 or more");
    }
    UniqueFd own = duplicate(fd);
    if (!own.ok()) return systemFailure("duplicating file descriptor " + std::to_string(fd));
    return std::make_shared<const Memory>(
            Memory{Memory::Fd{.size = size, .prot = prot, .fd = std::move(own), .offset = offset}});
}

Result<Mapping> map(const SharedMemory& memory) {
    if (memory.get() == nullptr) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "memory is null");
    }
    Region region{};
    if (const auto* ashmem = std::get_if<Memory::Ashmem>(&memory->handle)) {
        region = {ashmem->fd.get(), ashmem->size, 0, PROT_READ | PROT_WRITE};
    } else if (const auto* file = std::get_if<Memory::Fd>(&memory->handle)) {
        region = {file->fd.get(), file->size, file->offset, file->prot};
    } else {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "memory is of a kind that cannot be mapped on this host");
    }

    struct stat status {};
    if (fstat(region.fd, &status) != 0) return systemFailure("memory has no open file");
    if (!fits(region.offset, region.size, static_cast<uint64_t>(status.st_size))) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "memory claims bytes " + std::to_string(region.offset) + " to " +
                                 std::to_string(region.offset) + " + " +
                                 std::to_string(region.size) + " of a file of " +
                                 std::to_string(status.st_size) + " bytes");
    }
    // Whoever has a mapping reads it: access that faults must not be handed out. What may be
    // written may be read as well, as most processors have it.
    const bool isWritable = (region.prot & PROT_WRITE) != 0;
    if (!isWritable && (region.prot & PROT_READ) == 0) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "memory has prot " + std::to_string(region.prot) +
                                 ", allowed PROT_READ, PROT_WRITE or both to be mapped");
    }
    void* data = mmap(nullptr, region.size, isWritable ? PROT_READ | PROT_WRITE : PROT_READ,
                      MAP_SHARED, region.fd, static_cast<off_t>(region.offset));
    if (data == MAP_FAILED) return systemFailure("mapping memory");

    Mapping mapping;
    mapping.mOwner =
            std::shared_ptr<const void>(data, [memory, size = region.size](const void* start) {
                munmap(const_cast<void*>(start), size);
            });
    mapping.mData = static_cast<uint8_t*>(data);
    mapping.mSize = region.size;
    mapping.mWritable = isWritable;
    return mapping;
}

}  // namespace nn
