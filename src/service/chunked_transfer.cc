#include "service/chunked_transfer.h"

#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "nnapi/memory.h"

namespace nn::service {
namespace {

using Target = std::function<rpc::Contents::Client(Connection::State&)>;

Target targetOf(const SharedMemory& memory) {
    return [memory](Connection::State& state) {
        return state.share(memory).castAs<rpc::Contents>();
    };
}
Target targetOf(const RemoteObject& object) {
    return [object](Connection::State& state) {
        return state.capability<rpc::Contents>(object.id());
    };
}

using Chunks = std::vector<Chunk>;
using SharedChunks = std::shared_ptr<const Chunks>;

// The memory whose contents are recorded as sent; the record is withdrawn if they do not arrive.
struct SentRecord {
    std::weak_ptr<const Connection> connection{};
    SharedMemory memory{};

    void drop(const Chunks& chunks) const {
        const auto open = connection.lock();
        if (open == nullptr || memory == nullptr) return;
        for (const Chunk& chunk : chunks) {
            open->sent().drop(memory, {chunk.offset, chunk.bytes.size()});
        }
    }
};

// Writes chunks to a memory of the server. On the loop.
kj::Promise<Status> writeChunks(Connection::State& state, const Target& target,
                                const SharedChunks& chunks, const SentRecord& record) {
    auto request = target(state).writeRequest();
    write(*chunks, request.initPieces(count(chunks->size())));
    return request.send().then(
            [chunks, record](auto&& reply) {
                Status status = statusOf(reply.getFailure());
                if (!status.ok()) record.drop(*chunks);
                return status;
            },
            [chunks, record](kj::Exception&& exception) -> Status {
                record.drop(*chunks);
                kj::throwFatalException(kj::mv(exception));
            });
}

// Sends chunks to one memory, message by message, with at most two messages in flight.
class Sender {
   public:
    // record: empty if nothing is recorded.
    Sender(const Connection& connection, Target target, SentRecord record,
           const OptionalTimePoint& deadline)
        : mConnection(connection),
          mTarget(std::move(target)),
          mRecord(std::move(record)),
          mDeadline(deadline) {}

    // Queues a message on the connection. waitForPrevious() waits for the previous one; a failure
    // of the last one is reported when the memory is used.
    void send(const SharedChunks& chunks) {
        mBefore = std::exchange(mLast, {});
        mLast = mConnection.send<GeneralResult<void>>(
                "write", mDeadline,
                [target = mTarget, chunks, record = mRecord](Connection::State& state) {
                    return writeChunks(state, target, chunks, record).then([](Status&& status) {
                        return GeneralResult<void>(std::move(status));
                    });
                });
    }
    GeneralResult<void> waitForPrevious() { return wait(mBefore); }
    GeneralResult<void> wait() {
        NNAPI_RETURN_IF_ERROR(waitForPrevious().status());
        return wait(mLast);
    }

   private:
    using PendingReply = Connection::PendingReply<GeneralResult<void>>;
    GeneralResult<void> wait(PendingReply& reply) {
        const PendingReply own = std::exchange(reply, {});
        if (own.reply == nullptr) return {};
        return mConnection.wait(own, mDeadline);
    }

    const Connection& mConnection;
    Target mTarget;
    SentRecord mRecord;
    OptionalTimePoint mDeadline;
    PendingReply mBefore{};
    PendingReply mLast{};
};

// The chunks of a message that the server does not have.
Result<Chunks> missingChunks(const SentContents::LockedRecord& record, const SharedMemory& memory,
                             const std::vector<Range>& message, bool isFixed) {
    Chunks chunks;
    for (const Range& range : message) {
        if (isFixed && record.hasAny(range)) continue;
        std::vector<uint8_t> bytes(range.length);
        NNAPI_RETURN_IF_ERROR(readMemory(memory, range.offset, bytes));
        NNAPI_ASSIGN_OR_RETURN(chunk, digested(range.offset, std::move(bytes)));
        if (record.has(range, chunk.digest)) continue;
        chunks.push_back(std::move(chunk));
    }
    return chunks;
}

// Sends chunks while their record is locked, and records them as sent.
template <class Send>
void sendLocked(SentContents::LockedRecord& record, Chunks chunks, Send send) {
    const auto shared = std::make_shared<const Chunks>(std::move(chunks));
    for (const Chunk& chunk : *shared) record.drop({chunk.offset, chunk.bytes.size()});
    send(shared);
    for (const Chunk& chunk : *shared) record.put({chunk.offset, chunk.bytes.size()}, chunk.digest);
}

// An upload in progress. Its messages are sent one after the other.
struct Upload {
    std::shared_ptr<const Connection> connection;
    SharedMemory memory;
    std::vector<std::vector<Range>> messages;
    bool isFixed;
    size_t next = 0;
};

// Sends one message after everything that other threads have queued.
Result<kj::Promise<Status>> sendOne(const Upload& upload, const std::vector<Range>& message) {
    auto lock = upload.connection->sent().lock(upload.memory);
    NNAPI_ASSIGN_OR_RETURN(chunks, missingChunks(lock, upload.memory, message, upload.isFixed));
    if (chunks.empty()) return kj::Promise<Status>(Status());
    auto ended = kj::newPromiseAndFulfiller<kj::Promise<Status>>();
    using Fulfiller = kj::Own<kj::PromiseFulfiller<kj::Promise<Status>>>;
    const auto fulfiller = std::make_shared<Fulfiller>(kj::mv(ended.fulfiller));
    sendLocked(lock, std::move(chunks), [&, &upload = upload](const SharedChunks& shared) {
        upload.connection->post(
                [fulfiller, shared, target = targetOf(upload.memory),
                 record = SentRecord{upload.connection, upload.memory}](Connection::State& state) {
                    (*fulfiller)->fulfill(kj::evalNow([&] {
                        return state.failAtEnd(writeChunks(state, target, shared, record));
                    }));
                });
    });
    return kj::mv(ended.promise);
}

kj::Promise<Status> transferRemaining(std::shared_ptr<Upload> upload) {
    if (upload->next == upload->messages.size()) return Status();
    auto sent = sendOne(*upload, upload->messages[upload->next++]);
    if (!sent.ok()) return sent.status();
    return (*sent).then([upload](Status&& status) -> kj::Promise<Status> {
        NNAPI_RETURN_IF_ERROR(std::move(status));
        return transferRemaining(upload);
    });
}

// A download in progress; its messages come one after the other.
struct Download {
    rpc::Contents::Client from;
    std::vector<std::vector<Range>> messages;
    Sink sink;
    size_t next = 0;
};

Status accept(const std::vector<Range>& ranges, capnp::List<rpc::Piece>::Reader chunks,
              const Sink& sink) {
    if (chunks.size() != ranges.size()) {
        return error() << "the server replies with " << chunks.size() << " pieces, allowed "
                       << ranges.size();
    }
    for (unsigned i = 0; i < chunks.size(); ++i) {
        auto bytes = bytesOf(chunks[i]);
        if (!bytes.ok()) return error() << "the server's reply: " << messageOf(bytes.status());
        if (bytes->size() != ranges[i].length || chunks[i].getOffset() != ranges[i].offset) {
            return error() << "the server replies with " << bytes->size() << " bytes at "
                           << chunks[i].getOffset() << ", allowed " << ranges[i].length << " at "
                           << ranges[i].offset;
        }
        NNAPI_RETURN_IF_ERROR(sink(ranges[i].offset, *bytes));
    }
    return {};
}

kj::Promise<Status> transferRemaining(std::shared_ptr<Download> download) {
    if (download->next == download->messages.size()) return Status();
    const std::vector<Range>& wanted = download->messages[download->next++];
    auto request = download->from.readRequest();
    auto ranges = request.initRanges(count(wanted.size()));
    for (unsigned i = 0; i < ranges.size(); ++i) {
        ranges[i].setOffset(wanted[i].offset);
        ranges[i].setLength(wanted[i].length);
    }
    return request.send().then([download, &wanted](auto&& reply) -> kj::Promise<Status> {
        Status status = statusOf(reply.getFailure());
        if (status.ok()) status = accept(wanted, reply.getPieces(), download->sink);
        if (!status.ok()) return status;
        return transferRemaining(download);
    });
}

// The length of a regular file, at most maxBytes.
Result<uint64_t> sizeOf(const SharedHandle& file, uint64_t maxBytes) {
    struct stat found {};
    if (file == nullptr || fstat(file->get(), &found) != 0 || !S_ISREG(found.st_mode)) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << "what is not a regular file does not travel as a file of a cache");
    }
    const auto size = static_cast<uint64_t>(found.st_size);
    if (size <= maxBytes) return size;
    return Status(error(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT)
                  << "a file of a cache has " << size << " bytes, allowed at most " << maxBytes);
}

GeneralResult<void> uploadFile(const Connection& connection, const RemoteObject& remote,
                               const SharedHandle& file, uint64_t size,
                               const OptionalTimePoint& deadline) {
    Sender sender(connection, targetOf(remote), {}, deadline);
    for (const std::vector<Range>& message : messagesOf({{0, size}})) {
        Chunks chunks;
        for (const Range& range : message) {
            std::vector<uint8_t> bytes(range.length);
            NNAPI_RETURN_IF_ERROR(readFully(file->get(), range.offset, bytes));
            NNAPI_ASSIGN_OR_RETURN(chunk, digested(range.offset, std::move(bytes)));
            chunks.push_back(std::move(chunk));
        }
        sender.send(std::make_shared<const Chunks>(std::move(chunks)));
        NNAPI_RETURN_IF_ERROR(sender.waitForPrevious().status());
    }
    return sender.wait();
}

kj::Promise<void> saveCacheFile(rpc::Contents::Client remote, const SharedHandle& file,
                                uint64_t maxBytes) {
    return remote.sizeRequest()
            .send()
            .then([remote, file, maxBytes](auto&& reply) mutable -> kj::Promise<Status> {
                NNAPI_RETURN_IF_ERROR(statusOf(reply.getFailure()));
                if (reply.getBytes() > maxBytes) return Status(error() << "the file is too long");
                return download(kj::mv(remote), {{0, reply.getBytes()}},
                                [file](uint64_t offset, std::span<const uint8_t> bytes) {
                                    return writeFully(file->get(), offset, bytes);
                                });
            })
            .then(
                    [file](Status&& status) {
                        if (!status.ok()) (void)!ftruncate(file->get(), 0);
                    },
                    [file](kj::Exception&&) { (void)!ftruncate(file->get(), 0); });
}

}  // namespace

Status checkTravels(const SharedMemory& memory) {
    if (std::holds_alternative<Memory::Ashmem>(memory->handle) ||
        std::holds_alternative<Memory::Fd>(memory->handle)) {
        return {};
    }
    const bool isHardware = std::holds_alternative<Memory::HardwareBuffer>(memory->handle);
    return error(ErrorStatus::INVALID_ARGUMENT)
           << (isHardware ? "a hardware buffer" : "memory of an unknown kind")
           << " belongs to its machine, and does not travel to another: copy it to shared memory";
}

Range wholeOf(const Memory& memory) {
    return {0, std::visit([](const auto& kind) -> uint64_t { return kind.size; }, memory.handle)};
}

GeneralResult<void> upload(const Connection& connection, const SharedMemory& memory,
                           std::vector<Range> ranges, const OptionalTimePoint& deadline) {
    NNAPI_RETURN_IF_ERROR(checkTravels(memory));
    const bool isFixed = cannotChange(memory);
    Sender sender(connection, targetOf(memory), {connection.weak_from_this(), memory}, deadline);
    for (const auto& message : messagesOf(merged(std::move(ranges), wholeOf(*memory).length))) {
        {
            auto lock = connection.sent().lock(memory);
            NNAPI_ASSIGN_OR_RETURN(chunks, missingChunks(lock, memory, message, isFixed));
            if (chunks.empty()) continue;
            sendLocked(lock, std::move(chunks),
                       [&](const SharedChunks& shared) { sender.send(shared); });
        }
        NNAPI_RETURN_IF_ERROR(sender.waitForPrevious().status());
    }
    return {};
}

kj::Promise<Status> upload(const std::shared_ptr<const Connection>& connection,
                           const SharedMemory& memory, std::vector<Range> ranges) {
    NNAPI_RETURN_IF_ERROR(checkTravels(memory));
    return transferRemaining(std::make_shared<Upload>(Upload{
            connection, memory, messagesOf(merged(std::move(ranges), wholeOf(*memory).length)),
            cannotChange(memory)}));
}

GeneralResult<void> uploadAll(const Connection& connection, const SharedMemory& memory) {
    return upload(connection, memory, {wholeOf(*memory)}, {});
}

kj::Promise<Status> download(rpc::Contents::Client from, std::vector<Range> ranges, Sink sink) {
    return transferRemaining(std::make_shared<Download>(
            Download{kj::mv(from), messagesOf(ranges), std::move(sink)}));
}

kj::Promise<Status> download(Connection::State& state, const SharedMemory& memory,
                             std::vector<Range> ranges) {
    return download(targetOf(memory)(state), std::move(ranges),
                    [memory](uint64_t offset, std::span<const uint8_t> bytes) {
                        return writeMemory(memory, offset, bytes);
                    });
}

GeneralResult<std::vector<RemoteObject>> makeCacheFiles(
        const std::shared_ptr<const Connection>& connection, const std::vector<SharedHandle>& files,
        bool hasContents, const OptionalTimePoint& deadline) {
    std::vector<RemoteObject> made;
    for (const SharedHandle& file : files) {
        NNAPI_ASSIGN_OR_RETURN(size, sizeOf(file, connection->options().cacheFileBytes));
        const uint64_t bytes = hasContents ? size : 0;
        auto remote = connection->call<GeneralResult<RemoteObject>>(
                "makeContents", deadline, [connection, bytes](Connection::State& state) {
                    auto request = state.service().makeContentsRequest();
                    request.setIsCacheFile(true);
                    request.initMemory().setSize(bytes);
                    return request.send().then([&state, connection](auto&& reply) {
                        return GeneralResult<RemoteObject>(
                                RemoteObject(connection, state.retain(reply.getContents())));
                    });
                });
        if (!remote.has_value()) return remote.status();
        NNAPI_RETURN_IF_ERROR(uploadFile(*connection, *remote, file, bytes, deadline).status());
        made.push_back(*std::move(remote));
    }
    return made;
}

kj::Promise<void> saveCacheFiles(Connection::State& state, std::vector<RemoteObject> remote,
                                 std::vector<SharedHandle> files, uint64_t maxBytes) {
    auto saved = kj::heapArrayBuilder<kj::Promise<void>>(files.size());
    for (size_t i = 0; i < files.size(); ++i) {
        (void)!ftruncate(files[i]->get(), 0);
        saved.add(
                saveCacheFile(state.capability<rpc::Contents>(remote[i].id()), files[i], maxBytes));
    }
    return kj::joinPromises(saved.finish()).attach(std::move(remote));
}

}  // namespace nn::service
