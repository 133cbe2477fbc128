// Memory contents in chunks, a message of them at a time, each with a digest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driver/cache/digest.h"
#include "nnapi/result.h"
#include "nnapi/service.capnp.h"

namespace nn::service {

// The size that messages are filled to, so that other calls get a turn between them; also the limit
// of an arriving message.
inline constexpr uint64_t kTargetMessageBytes = uint64_t{256} << 10;
inline constexpr uint64_t kMaxMessageBytes = uint64_t{1} << 20;
inline constexpr size_t kMaxChunks = 1024;

struct Range {
    uint64_t offset = 0;
    uint64_t length = 0;
    uint64_t end() const { return offset + length; }
    bool operator==(const Range&) const = default;
};

// Sorts ranges by offset, joins overlapping ones, clips them to the size and drops empty ones.
std::vector<Range> merged(std::vector<Range> ranges, uint64_t size);

// Splits ranges into messages.
std::vector<std::vector<Range>> messagesOf(const std::vector<Range>& ranges);

struct Chunk {
    uint64_t offset = 0;
    std::vector<uint8_t> bytes{};
    cache::Digest digest{};
};
Result<Chunk> digested(uint64_t offset, std::vector<uint8_t> bytes);

void write(std::span<const Chunk> chunks, capnp::List<rpc::Piece>::Builder to);

// The bytes of a chunk, which point into the message. INVALID_ARGUMENT if they do not match the
// digest.
Result<std::span<const uint8_t>> bytesOf(rpc::Piece::Reader chunk);

// Reads the whole range or fails: a file may be shorter than claimed.
Status readFully(int fd, uint64_t offset, std::span<uint8_t> bytes);
Status writeFully(int fd, uint64_t offset, std::span<const uint8_t> bytes);

}  // namespace nn::service
