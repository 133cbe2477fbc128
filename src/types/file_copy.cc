#include "types/file_copy.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <variant>
#include <vector>

#include "base/files.h"
#include "base/full_transfer.h"
#include "base/limits.h"
#include "base/no_throw.h"
#include "nnapi/checked_math.h"
#include "types/memory_file.h"

namespace nn {
namespace {

Status systemFailure() {
    return makeError(ErrorStatus::GENERAL_FAILURE,
                     errno == 0 ? "the file became shorter" : std::strerror(errno));
}

// Copies a piece through a buffer, for files that sendfile() does not read.
ssize_t copyPiece(int from, off_t at, int to, off_t place, size_t size) {
    constexpr size_t kAtOnce = 256 << 10;
    std::vector<char> buffer(std::min(size, kAtOnce));
    const ssize_t count = pread(from, buffer.data(), buffer.size(), at);
    if (count <= 0) return count;
    const auto wanted = static_cast<size_t>(count);
    const size_t written = transferAll(wanted, [&](size_t done) {
        return pwrite(to, buffer.data() + done, wanted - done, place + static_cast<off_t>(done));
    });
    return written == wanted ? count : -1;
}

// Copies bytes from a place of a file to a place of a memory file, which is long enough.
Status copyBytes(int from, uint64_t offset, int to, uint64_t place, uint64_t size) {
    const auto end = checkedAdd<uint64_t>(offset, size);
    if (!end || !checkedCast<off_t>(*end) || lseek(to, static_cast<off_t>(place), SEEK_SET) < 0) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "the file is too short");
    }
    bool isSendable = true;
    const size_t done = transferAll(size, [&](size_t done) -> ssize_t {
        auto at = static_cast<off_t>(offset + done);
        if (isSendable) {
            const ssize_t count = sendfile(to, from, &at, size - done);
            isSendable = count >= 0 || (errno != EINVAL && errno != ENOSYS);
            if (isSendable) return count;
        }
        return copyPiece(from, at, to, static_cast<off_t>(place + done), size - done);
    });
    return done == size ? Status() : systemFailure();
}

// The same for a descriptor whose position may move: holes in it stay holes, so that a file costs
// no more memory than it has data.
Status copyData(int from, uint64_t offset, int to, uint64_t place, uint64_t size) {
    const auto end = checkedAdd<uint64_t>(offset, size);
    NNAPI_ASSIGN_OR_RETURN(available, sizeOfFile(from));
    if (!end || *end > available) return contentError("is too short");
    for (uint64_t at = offset; at < *end;) {
        off_t data = lseek(from, static_cast<off_t>(at), SEEK_DATA);
        if (data < 0 && errno == ENXIO) break;  // only a hole is left
        off_t hole = data < 0 ? -1 : lseek(from, data, SEEK_HOLE);
        if (hole < 0) {  // the system does not know
            data = static_cast<off_t>(at);
            hole = static_cast<off_t>(*end);
        }
        const uint64_t first = std::min(static_cast<uint64_t>(data), *end);
        at = std::min(static_cast<uint64_t>(hole), *end);
        NNAPI_RETURN_IF_ERROR(copyBytes(from, first, to, place + (first - offset), at - first));
    }
    NNAPI_ASSIGN_OR_RETURN(left, sizeOfFile(from));
    return left < *end ? contentError("the file became shorter") : Status();
}

Status seal(int fd) {
    constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    return fcntl(fd, F_ADD_SEALS, kSeals) == 0 ? Status() : systemFailure();
}

SharedMemory memoryOf(UniqueFd fd, size_t size) {
    return keepingMapping(std::make_shared<const Memory>(
            Memory{Memory::Fd{.size = size, .prot = PROT_READ, .fd = std::move(fd), .offset = 0}}));
}

}  // namespace

Result<UniqueFd> sealedCopy(int fd, uint64_t offset, uint64_t size) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(copy, newMemoryFile(size));
    NNAPI_RETURN_IF_ERROR(copyData(fd, offset, copy.get(), 0, size));
    NNAPI_RETURN_IF_ERROR(seal(copy.get()));
    return copy;
}
NNAPI_CATCH

Result<SharedMemory> readIntoMemory(const std::filesystem::path& path,
                                    const Limits& limits) NNAPI_TRY {
    const std::string name = nameOf(path);
    NNAPI_ASSIGN_OR_RETURN(fd, openRegularFile(path));
    auto memory = [&]() -> Result<SharedMemory> {
        NNAPI_ASSIGN_OR_RETURN(size, sizeOfFile(fd.get()));
        NNAPI_RETURN_IF_ERROR(within(limits, &Limits::fileBytes, size, ""));
        if (size == 0) return contentError("is empty");
        NNAPI_ASSIGN_OR_RETURN(copy, sealedCopy(fd.get(), 0, size));
        return memoryOf(std::move(copy), size);
    }();
    if (!memory.ok()) return within(name + ": ", memory.status());
    return memory;
}
NNAPI_CATCH

Result<SharedMemory> sealedMemory(const SharedMemory& memory) NNAPI_TRY {
    if (cannotChange(memory)) return memory;
    NNAPI_ASSIGN_OR_RETURN(file, MemoryFile::of(memory));
    NNAPI_ASSIGN_OR_RETURN(copy, newMemoryFile(file.size()));
    NNAPI_RETURN_IF_ERROR(copyBytes(file.fd(), file.offset(), copy.get(), 0, file.size()));
    NNAPI_RETURN_IF_ERROR(seal(copy.get()));
    return memoryOf(std::move(copy), file.size());
}
NNAPI_CATCH

uint64_t storedBytes(const SharedMemory& memory) {
    constexpr uint64_t kBlock = 512;  // of st_blocks, whatever the file system
    const auto file = MemoryFile::of(memory);
    struct stat status {};
    if (!file.ok() || fstat(file->fd(), &status) != 0) return 0;
    const auto stored = checkedMul<uint64_t>(static_cast<uint64_t>(status.st_blocks), kBlock);
    return std::min<uint64_t>(file->size(), stored.value_or(UINT64_MAX));
}

Result<SparseCopy> SparseCopy::create(uint64_t bytes) NNAPI_TRY {
    const auto size = checkedCast<size_t>(bytes);
    if (!size) {
        errno = EFBIG;
        return systemFailure();
    }
    NNAPI_ASSIGN_OR_RETURN(fd, newMemoryFile(bytes));
    // A private mapping, because a shared one would not let seal() succeed. On Linux, a page of it
    // is that of the file until it is written here, so that it shows later writes of load().
    void* data = mmap(nullptr, *size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
    if (data == MAP_FAILED) return systemFailure();
    SparseCopy copy;
    copy.mMapping = std::shared_ptr<const void>(
            data, [size = *size](const void* start) { munmap(const_cast<void*>(start), size); });
    copy.mMemory = memoryOf(std::move(fd), *size);
    copy.mSize = *size;
    return copy;
}
NNAPI_CATCH

Status SparseCopy::load(int fd, uint64_t offset, uint64_t size) NNAPI_TRY {
    if (!fits(offset, size, mSize)) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "the file is too short");
    }
    NNAPI_ASSIGN_OR_RETURN(file, MemoryFile::of(mMemory));
    return copyData(fd, offset, file.fd(), offset, size);
}
NNAPI_CATCH

std::span<const uint8_t> SparseCopy::bytes() const {
    return {static_cast<const uint8_t*>(mMapping.get()), mSize};
}

}  // namespace nn
