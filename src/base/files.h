// Reads and writes whole files; a write succeeds completely or leaves nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/directory.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/unique_fd.h"

namespace nn {

// The maximum number of bytes of a protobuf message, and therefore of one field and one file.
inline constexpr uint64_t kMaxMessageBytes = INT32_MAX;

// "mobilenet.pb: No such file or directory", from errno.
Status systemError(const std::filesystem::path& path);

// A path as messages show it.
std::string nameOf(const std::filesystem::path& path);

// A failure of the content; the second puts the place in front.
Status contentError(std::string_view message);
Status within(std::string_view place, const Status& status);

// Opens a regular file for reading, without waiting for a peer if it is a pipe.
Result<UniqueFd> openRegularFile(const std::filesystem::path& path);

Result<std::string> readFile(const std::filesystem::path& path, const Limits& limits);

// The first bytes of a file, at most that many.
Result<std::string> readHead(const std::filesystem::path& path, uint64_t most);

// The size of an open file in bytes.
Result<uint64_t> sizeOfFile(int fd);

// Reads bytes of an open file; fails if it has fewer.
Result<std::string> readBytes(int fd, uint64_t offset, uint64_t size);
Status writeBytes(int fd, std::string_view bytes, uint64_t offset);

// Reads bytes of an open file a piece at a time, so that few of them are in memory. Fails with the
// error of reading or of `take`; `done` is the number of bytes before a piece.
Status readPieces(int fd, uint64_t offset, uint64_t size,
                  const std::function<Status(std::string_view piece, uint64_t done)>& take);

// A file whose name the user gave: if it is a link, the link stays.
Result<NewFile> createFile(const std::filesystem::path& path);

// Writes a whole file, and replaces an older one.
Status writeFile(const std::filesystem::path& path, std::string_view bytes);

// The same under a name that the program has made up, in a folder to which others may write: a link
// there is replaced, and not followed.
Result<NewFile> createFileIn(const std::filesystem::path& folder, const std::string& name,
                             const std::filesystem::path& shown);
Status writeFileIn(const std::filesystem::path& folder, const std::string& name,
                   std::string_view bytes);

}  // namespace nn
