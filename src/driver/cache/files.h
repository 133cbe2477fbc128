// Reads and writes cache files whose descriptors belong to the caller.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/directory.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::cache {

// Device and inode, which are equal for descriptors of one file.
using FileId = std::pair<uint64_t, uint64_t>;

// Fails if the descriptor is not of a regular file; `size` may be null.
Result<FileId> regularFile(int fd, uint64_t* size = nullptr);

// Reads bytes at an offset; fails if the file ends before.
Status readFile(int fd, uint64_t offset, std::span<uint8_t> bytes);

// Truncates to zero bytes; on failure returns false and sets errno.
bool tryToEmpty(int fd) noexcept;
Status emptyFile(int fd);

// Appends at an offset, which is the end of the file. Fails on a full disk or file size limit,
// without a signal (SIGXFSZ).
Status writeFile(int fd, uint64_t offset, std::span<const uint8_t> bytes);

// Opens the files of a token in the client's folder for reading and writing; fewer than the device
// requests if one is missing.
struct OpenFiles {
    std::vector<SharedHandle> model{};
    std::vector<SharedHandle> data{};
    bool areThere = false;
};

// Opens files to load from; none if one is missing. Fails if Directory::openOwn or openFile fails.
Result<OpenFiles> openFiles(const std::string& folder, const CacheToken& token,
                            std::pair<uint32_t, uint32_t> wanted);

// New files to save to. commit() replaces all files of the same names, including ones created in
// the meantime; without commit() no file appears.
class FilesToSave {
   public:
    static Result<FilesToSave> create(const std::string& folder, const CacheToken& token,
                                      std::pair<uint32_t, uint32_t> wanted);

    const OpenFiles& files() const { return mFiles; }
    Status commit();

   private:
    OpenFiles mFiles{.areThere = true};
    std::vector<NewFile> mNew{};
};

// "what: why", by errno.
Status systemFailure(const std::string& what);

}  // namespace nn::cache
