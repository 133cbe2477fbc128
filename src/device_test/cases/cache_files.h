// Unnamed files for a device's cache, which leave nothing behind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::testing {

class CacheFiles {
   public:
    static Result<CacheFiles> create(const std::string& folder, size_t count);

    size_t count() const { return mFiles.size(); }

    // A handle per file; handles share their file offsets with this object.
    std::vector<SharedHandle> handles() const;

    // The same files reopened with other flags, such as O_RDONLY.
    Result<std::vector<SharedHandle>> handles(int flags) const;

    Result<std::vector<uint8_t>> read(size_t file) const;
    // Replaces the content, and sets the offset to 0.
    Status write(size_t file, const std::vector<uint8_t>& bytes) const;
    // Moves the file offset; devices must not depend on it.
    void seek(int64_t offset) const;
    Status copyFrom(const CacheFiles& other) const;

    // Removes the last file; adds one.
    void removeOne();
    Status addOne(const std::string& folder);

   private:
    std::vector<UniqueFd> mFiles{};
};

}  // namespace nn::testing
