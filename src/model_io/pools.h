// Converts memory pools to and from their messages, with the bytes in the message or in a side
// file.
#pragma once

#include <filesystem>
#include <optional>

#include "base/files.h"
#include "model_io/file_bytes.h"
#include "nnapi/aidl.pb.h"
#include "nnapi/canonical.pb.h"
#include "nnapi/hal/aidl/types.h"
#include "nnapi/hal/v1_0.h"
#include "nnapi/result.h"
#include "nnapi/types.h"
#include "nnapi/v1_0.pb.h"

namespace nn::schema {

// Writes the bytes of pools into the message, or into a side file if they exceed a limit.
class PoolWriter {
   public:
    PoolWriter() = default;
    PoolWriter(std::filesystem::path sideFile, uint64_t sideFileAbove)
        : mPath(std::move(sideFile)), mSideFileAbove(sideFileAbove) {}

    bool usesSideFile(uint64_t size) const { return mSideFileAbove && size > *mSideFileAbove; }

    Status write(const SharedMemory& memory, nnapi::Pool& pool);
    Status write(const hidl::hidl_memory& memory, nnapi::v1_0::Memory& pool);
    Status write(const aidl_hal::Memory& memory, nnapi::aidl::Memory& pool);

    // Puts the side file, if there is one, under its name.
    Status commit();

   private:
    template <class Proto>
    Status writeContents(int fd, uint64_t offset, uint64_t size, Proto& pool);
    Status appendToSideFile(int fd, uint64_t offset, uint64_t size, nnapi::SideFile& sideFile);

    std::filesystem::path mPath;
    std::optional<uint64_t> mSideFileAbove;
    std::optional<NewFile> mFile;
    uint64_t mEnd = 0;
};

// Makes pools from the bytes in a message and from side files in or below a folder.
class PoolReader {
   public:
    PoolReader() = default;
    PoolReader(std::filesystem::path folder, FileBytes bytes, const Limits& limits)
        : mFolder(std::move(folder)), mBytes(std::move(bytes)), mLimits(limits) {}

    // The bytes of the messages, which may be in their file.
    const FileBytes& bytes() const { return mBytes; }

    Status read(const nnapi::Pool& pool, SharedMemory& memory) const;
    Status read(const nnapi::v1_0::Memory& pool, hidl::hidl_memory& memory) const;
    Status read(const nnapi::aidl::Memory& pool, aidl_hal::Memory& memory) const;

   private:
    template <class Proto>
    Result<UniqueFd> readContents(const Proto& pool) const;
    Result<UniqueFd> copySideFile(const nnapi::SideFile& sideFile, uint64_t size) const;

    std::optional<std::filesystem::path> mFolder;
    FileBytes mBytes{};
    Limits mLimits{};
    mutable uint64_t mSideFileBytes = 0;  // copied; several pools may have the same
};

// Anonymous shared memory that holds these bytes.
Result<UniqueFd> memoryFileOf(std::string_view bytes);

}  // namespace nn::schema
