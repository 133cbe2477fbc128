#include "model_io/file_bytes.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>

#include "base/files.h"

namespace nn::schema {

FileBytes::FileBytes(UniqueFd fd) : mFd(std::move(fd)) {
    std::random_device random;
    for (uint32_t& part : mSecret) part = random();
}

std::string FileBytes::tokenOf(uint64_t position, uint64_t size) const {
    const Range range{position, size};
    std::string token(sizeof(mSecret) + sizeof(range), '\0');
    std::memcpy(token.data(), mSecret.data(), sizeof(mSecret));
    std::memcpy(token.data() + sizeof(mSecret), &range, sizeof(range));
    return token;
}

std::optional<FileBytes::Range> FileBytes::find(std::string_view bytes) const {
    Range range;
    if (!mFd.ok() || bytes.size() != sizeof(mSecret) + sizeof(range) ||
        std::memcmp(bytes.data(), mSecret.data(), sizeof(mSecret)) != 0) {
        return std::nullopt;
    }
    std::memcpy(&range, bytes.data() + sizeof(mSecret), sizeof(range));
    return range;
}

uint64_t FileBytes::sizeOf(std::string_view bytes) const {
    const auto range = find(bytes);
    return range ? range->size : bytes.size();
}

Result<std::string> FileBytes::load(std::string_view bytes) const {
    const auto range = find(bytes);
    if (!range) return std::string(bytes);
    return readBytes(mFd.get(), range->position, range->size);
}

Status FileBytes::copyTo(int fd, uint64_t position, std::string_view bytes) const {
    const auto range = find(bytes);
    if (!range) return writeBytes(fd, bytes, position);
    return readPieces(mFd.get(), range->position, range->size,
                      [&](std::string_view piece, uint64_t done) {
                          return writeBytes(fd, piece, position + done);
                      });
}

}  // namespace nn::schema
