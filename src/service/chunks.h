// Memory contents in chunks, a message of them at a time, each with a digest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driver/cache/digest.h"
#include "nnapi/result.h"
#include "nnapi/service.capnp.h"

namespace nn::service {

// What a message is filled to, so that others get their turn between them, and what one that
// arrives may have.
inline constexpr uint64_t kTargetMessageBytes = uint64_t{256} << 10;
inline constexpr uint64_t kMaxMessageBytes = uint64_t{1} << 20;
inline constexpr size_t kMaxChunks = 1024;

struct Range {
    uint64_t offset = 0;
    uint64_t length = 0;
    uint64_t end() const { return offset + length; }
    bool operator==(const Range&) const = default;
};

// Without overlaps, in the order of their offsets; none of them goes beyond the size, nor is empty.
std::vector<Range> merged(std::vector<Range> ranges, uint64_t size);

// The same bytes in messages.
std::vector<std::vector<Range>> messagesOf(const std::vector<Range>& ranges);

struct Bytes {
    uint64_t offset = 0;
    std::vector<uint8_t> bytes{};
    cache::Digest digest{};
};
Result<Bytes> digested(uint64_t offset, std::vector<uint8_t> bytes);

void write(std::span<const Bytes> pieces, capnp::List<rpc::Piece>::Builder to);

// The bytes of a piece, which lie in the message. INVALID_ARGUMENT where they are not those of the
// digest.
Result<std::span<const uint8_t>> bytesOf(rpc::Piece::Reader piece);

// All bytes of a file, or no success: a file may be shorter than somebody has said.
Status readFully(int fd, uint64_t offset, std::span<uint8_t> bytes);
Status writeFully(int fd, uint64_t offset, std::span<const uint8_t> bytes);

}  // namespace nn::service
