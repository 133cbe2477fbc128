// Large bytes of a message, left in the file that the message is read from.
//
// Protobuf keeps all bytes of a message in memory. A message that is read from a file has tokens
// instead of large byte fields. A token is random, so that a file cannot contain a valid one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::schema {

class FileBytes {
   public:
    // Smaller bytes are cheap to keep.
    static constexpr uint64_t kLeast = 4096;

    // Of a message without a file: all of its bytes are its own.
    FileBytes() = default;
    explicit FileBytes(UniqueFd fd);

    int fd() const { return mFd.get(); }

    // The token of a range of the file.
    std::string tokenOf(uint64_t position, uint64_t size) const;

    // Of bytes of the message, which may be a token:
    uint64_t sizeOf(std::string_view bytes) const;
    Result<std::string> load(std::string_view bytes) const;
    // Copies them to another file, at this position, a piece at a time.
    Status copyTo(int fd, uint64_t position, std::string_view bytes) const;

   private:
    struct Range {
        uint64_t position = 0;
        uint64_t size = 0;
    };
    std::optional<Range> find(std::string_view bytes) const;

    UniqueFd mFd{};
    std::array<uint32_t, 4> mSecret{};
};

}  // namespace nn::schema
