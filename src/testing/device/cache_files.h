// Unnamed files for the cache of a device, so that nothing stays behind.
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

    // A handle for each, which shares its offset with this.
    std::vector<SharedHandle> handles() const;

    // The same, opened anew with other flags: O_RDONLY.
    Result<std::vector<SharedHandle>> handles(int flags) const;

    Result<std::vector<uint8_t>> read(size_t file) const;
    // Replaces the content, and sets the offset to 0.
    Status write(size_t file, const std::vector<uint8_t>& bytes) const;
    // Moves the offset, which nobody may depend on.
    void seek(int64_t offset) const;
    Status copyFrom(const CacheFiles& other) const;
    uint64_t totalSize() const;

    // All but the last; one file more.
    void removeOne();
    Status addOne(const std::string& folder);

   private:
    std::vector<UniqueFd> mFiles{};
};

}  // namespace nn::testing
