#include "service/contents_server.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/standard_streams.h"
#include "nnapi/checked_math.h"
#include "nnapi/memory.h"
#include "service/chunks.h"

namespace nn::service {
namespace {

Result<SharedMemory> made(Memory::Fd memory) {
    return SharedMemory(std::make_shared<const Memory>(Memory{std::move(memory)}));
}

// An empty file for a driver to fill.
Result<SharedMemory> emptyFile(uint64_t size) {
    UniqueFd fd = aboveStandardStreams(memfd_create("nnapi-cache", MFD_CLOEXEC));
    if (!fd.ok()) {
        return Status(error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
                      << "the server has no descriptor left");
    }
    return made({.size = size, .prot = PROT_READ | PROT_WRITE, .fd = std::move(fd), .offset = 0});
}

Result<SharedMemory> zeros(rpc::MemoryInfo::Reader info, uint64_t size) {
    using Kind = rpc::MemoryInfo::Kind;
    if (info.getKind() != Kind::ASHMEM && info.getKind() != Kind::FILE) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << "contents of a memory that is neither ashmem nor a file do not travel");
    }
    NNAPI_ASSIGN_OR_RETURN(memory, createSharedMemory(size));
    if (info.getKind() == Kind::ASHMEM) return memory;
    UniqueFd fd = duplicate(std::get<Memory::Ashmem>(memory->handle).fd.get());
    if (!fd.ok()) {
        return Status(error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
                      << "the server has no descriptor left");
    }
    return made({.size = size, .prot = info.getProt(), .fd = std::move(fd), .offset = 0});
}

int fdOf(const Memory& memory) {
    if (const auto* ashmem = std::get_if<Memory::Ashmem>(&memory.handle)) return ashmem->fd.get();
    return std::get<Memory::Fd>(memory.handle).fd.get();
}

uint64_t sizeOf(const Memory& memory) {
    return std::visit([](const auto& kind) -> uint64_t { return kind.size; }, memory.handle);
}

Status tooMany(const char* what, uint64_t found, uint64_t allowed) {
    return error(ErrorStatus::INVALID_ARGUMENT)
           << "a message has " << found << " " << what << ", allowed at most " << allowed;
}

}  // namespace

kj::Own<ContentsServer> ContentsServer::create(Session& session, rpc::MemoryInfo::Reader info,
                                               bool isCacheFile) {
    auto capability = capabilityTokens(session);
    const auto make = [&]() -> GeneralResult<SharedMemory> {
        NNAPI_ASSIGN_OR_RETURN(tokens,
                               session.ledger()->take({.bytes = info.getSize(), .descriptors = 1}));
        const auto size = checkedCast<size_t>(info.getSize());
        if (!size) return error(ErrorStatus::INVALID_ARGUMENT) << "a memory is too large";
        NNAPI_ASSIGN_OR_RETURN(memory, isCacheFile ? emptyFile(*size) : zeros(info, *size));
        return withAttachment(std::move(memory), std::move(tokens));
    };
    return kj::heap<ContentsServer>(make(), isCacheFile, std::move(capability));
}

GeneralResult<SharedHandle> ContentsServer::handle() const {
    if (!mMemory.has_value()) return mMemory.status();
    if (!mIsCacheFile) {
        return error(ErrorStatus::INVALID_ARGUMENT) << "a memory is not a file of a cache";
    }
    UniqueFd fd = duplicate(fdOf(**mMemory));
    if (!fd.ok()) {
        return error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
               << "the server has no descriptor left";
    }
    return SharedHandle(std::make_shared<const Handle>(std::move(fd)));
}

kj::Promise<void> ContentsServer::write(WriteContext context) {
    const Status status = writeAll(context.getParams().getPieces());
    // Users of the memory see the failure, too.
    if (!status.ok() && mMemory.has_value()) mMemory = status;
    service::write(status, context.getResults().initFailure());
    return kj::READY_NOW;
}

Status ContentsServer::writeAll(capnp::List<rpc::Piece>::Reader chunks) const {
    if (!mMemory.has_value()) return mMemory.status();
    if (chunks.size() > kMaxChunks) return tooMany("pieces", chunks.size(), kMaxChunks);
    const uint64_t size = sizeOf(**mMemory);
    uint64_t sum = 0;
    for (const auto chunk : chunks) {
        sum += chunk.getBytes().size();
        if (sum > kMaxMessageBytes) return tooMany("bytes", sum, kMaxMessageBytes);
        const auto end = checkedAdd<uint64_t>(chunk.getOffset(), chunk.getBytes().size());
        if (!end || *end > size) {
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << chunk.getBytes().size() << " bytes at " << chunk.getOffset()
                   << " are written to a memory of " << size;
        }
        NNAPI_ASSIGN_OR_RETURN(bytes, bytesOf(chunk));
        NNAPI_RETURN_IF_ERROR(writeFully(fdOf(**mMemory), chunk.getOffset(), bytes));
    }
    return {};
}

kj::Promise<void> ContentsServer::read(ReadContext context) {
    const auto chunks = readAll(context.getParams().getRanges());
    auto results = context.getResults();
    service::write(chunks.status(), results.initFailure());
    if (chunks.ok()) {
        service::write(*chunks, results.initPieces(static_cast<unsigned>(chunks->size())));
    }
    return kj::READY_NOW;
}

Result<std::vector<Chunk>> ContentsServer::readAll(capnp::List<rpc::Range>::Reader ranges) const {
    if (!mMemory.has_value()) return mMemory.status();
    if (ranges.size() > kMaxChunks) return tooMany("ranges", ranges.size(), kMaxChunks);
    std::vector<Chunk> chunks;
    uint64_t sum = 0;
    for (const auto range : ranges) {
        const auto more = checkedAdd<uint64_t>(sum, range.getLength());
        sum = more.value_or(UINT64_MAX);
        if (sum > kMaxMessageBytes) return tooMany("bytes", sum, kMaxMessageBytes);
        std::vector<uint8_t> bytes(range.getLength());
        NNAPI_RETURN_IF_ERROR(readFully(fdOf(**mMemory), range.getOffset(), bytes));
        NNAPI_ASSIGN_OR_RETURN(chunk, digested(range.getOffset(), std::move(bytes)));
        chunks.push_back(std::move(chunk));
    }
    return chunks;
}

kj::Promise<void> ContentsServer::size(SizeContext context) {
    auto results = context.getResults();
    struct stat file {};
    if (!mMemory.has_value()) {
        service::write(mMemory.status(), results.initFailure());
    } else if (fstat(fdOf(**mMemory), &file) != 0) {
        service::write(error() << "the size of a file is not known", results.initFailure());
    } else {
        results.setBytes(static_cast<uint64_t>(file.st_size));
    }
    return kj::READY_NOW;
}

}  // namespace nn::service
