// Files that belong to somebody else.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::cache {

// Device and inode: the same for descriptors of one file.
using FileId = std::pair<uint64_t, uint64_t>;

// Fails where the descriptor is not of a regular file; `size` may be null.
Result<FileId> regularFile(int fd, uint64_t* size = nullptr);
inline Result<FileId> regularFile(const SharedHandle& handle, uint64_t* size = nullptr) {
    return regularFile(handle == nullptr ? -1 : handle->get(), size);
}

// Bytes from an offset; fails where the file ends before.
Status readFile(int fd, uint64_t offset, std::span<uint8_t> bytes);

// Truncates to zero bytes; false and errno where that fails.
bool tryToEmpty(int fd) noexcept;
Status emptyFile(int fd);

// Appends at an offset, which is the end of the file. What the file has no room for is a failure,
// and no signal (SIGXFSZ).
Status writeFile(int fd, uint64_t offset, std::span<const uint8_t> bytes);

// "what: why", by errno.
Status systemFailure(const std::string& what);

}  // namespace nn::cache
