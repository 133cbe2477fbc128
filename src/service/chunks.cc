#include "service/chunks.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "nnapi/driver/result.h"
#include "service/wire.h"

namespace nn::service {
namespace {

// Repeats read or write until all bytes are moved, or no more come.
template <class Span, class Move>
Status moveFully(const char* what, uint64_t offset, Span bytes, Move move) {
    if (offset > static_cast<uint64_t>(std::numeric_limits<off_t>::max()) - bytes.size()) {
        return error(ErrorStatus::INVALID_ARGUMENT) << "the offset " << offset << " is too large";
    }
    size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t moved =
                move(bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
        if (moved < 0 && errno == EINTR) continue;
        if (moved <= 0) {
            return error() << bytes.size() << " bytes at " << offset << " cannot be " << what
                           << ": " << (moved < 0 ? std::strerror(errno) : "the file is shorter");
        }
        done += static_cast<size_t>(moved);
    }
    return {};
}

}  // namespace

std::vector<Range> merged(std::vector<Range> ranges, uint64_t size) {
    std::vector<Range> all;
    std::sort(ranges.begin(), ranges.end(),
              [](const Range& a, const Range& b) { return a.offset < b.offset; });
    for (Range range : ranges) {
        if (range.offset >= size) continue;
        range.length = std::min(range.length, size - range.offset);
        if (range.length == 0) continue;
        if (!all.empty() && range.offset <= all.back().end()) {
            all.back().length = std::max(all.back().end(), range.end()) - all.back().offset;
        } else {
            all.push_back(range);
        }
    }
    return all;
}

std::vector<std::vector<Range>> messagesOf(const std::vector<Range>& ranges) {
    std::vector<std::vector<Range>> messages;
    uint64_t room = 0;
    for (Range rest : ranges) {
        while (rest.length > 0) {
            // Chunk boundaries depend only on offsets, so that digests of later uploads match.
            const uint64_t toEnd = kTargetMessageBytes - rest.offset % kTargetMessageBytes;
            const uint64_t length = std::min(rest.length, toEnd);
            if (length > room || messages.back().size() == kMaxChunks) {
                messages.emplace_back();
                room = kTargetMessageBytes;
            }
            messages.back().push_back({rest.offset, length});
            rest = {rest.offset + length, rest.length - length};
            room -= length;
        }
    }
    return messages;
}

Result<Chunk> digested(uint64_t offset, std::vector<uint8_t> bytes) {
    NNAPI_ASSIGN_OR_RETURN(digest, cache::sha256(bytes));
    return Chunk{offset, std::move(bytes), digest};
}

void write(std::span<const Chunk> chunks, capnp::List<rpc::Piece>::Builder to) {
    for (unsigned i = 0; i < to.size(); ++i) {
        to[i].setOffset(chunks[i].offset);
        to[i].setBytes(bytesOf(chunks[i].bytes));
        to[i].setDigest(bytesOf(chunks[i].digest));
    }
}

Result<std::span<const uint8_t>> bytesOf(rpc::Piece::Reader chunk) {
    const auto data = chunk.getBytes();
    const auto declared = chunk.getDigest();
    const std::span<const uint8_t> bytes(data.begin(), data.size());
    if (bytes.size() > kMaxMessageBytes) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << "a piece has " << bytes.size() << " bytes, allowed at most "
                      << kMaxMessageBytes);
    }
    NNAPI_ASSIGN_OR_RETURN(digest, cache::sha256(bytes));
    if (!std::equal(digest.begin(), digest.end(), declared.begin(), declared.end())) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << "the bytes at " << chunk.getOffset() << " are not those of their digest");
    }
    return bytes;
}

Status readFully(int fd, uint64_t offset, std::span<uint8_t> bytes) {
    return moveFully("read", offset, bytes, [&](uint8_t* at, size_t size, off_t from) {
        return pread(fd, at, size, from);
    });
}

Status writeFully(int fd, uint64_t offset, std::span<const uint8_t> bytes) {
    return moveFully("written", offset, bytes, [&](const uint8_t* at, size_t size, off_t to) {
        return pwrite(fd, at, size, to);
    });
}

}  // namespace nn::service
