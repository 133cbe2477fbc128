#include "service/transfers.h"

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
Target targetOf(const Held& held) {
    return [held](Connection::State& state) { return state.held<rpc::Contents>(held.id()); };
}

// Sends pieces to one memory, message by message.
class Sender {
    auto next() {
        return [target = mTarget,
                pieces = std::exchange(mLast, nullptr)](Connection::State& state) {
            auto request = target(state).writeRequest();
            write(*pieces, request.initPieces(count(pieces->size())));
            return request.send();
        };
    }

   public:
    Sender(const Connection& connection, Target target, const OptionalTimePoint& deadline)
        : mConnection(connection), mTarget(std::move(target)), mDeadline(deadline) {}

    // Waits for the messages before, so that little is on its way at one time.
    GeneralResult<void> send(std::vector<Bytes> pieces) {
        if (pieces.empty()) return {};
        NNAPI_RETURN_IF_ERROR(wait());
        mLast = std::make_shared<const std::vector<Bytes>>(std::move(pieces));
        return {};
    }

    GeneralResult<void> wait() {
        if (mLast == nullptr) return {};
        auto ended = mConnection.call<GeneralResult<void>>(
                "write", mDeadline, [call = next()](Connection::State& state) {
                    return call(state).then([](auto&& answer) {
                        return GeneralResult<void>(statusOf(answer.getFailure()));
                    });
                });
        return ended;
    }

    // The last message, without waiting: its failure is told where the memory is used.
    void finish() {
        if (mLast == nullptr) return;
        mConnection.post([call = next()](Connection::State& state) {
            state.add(state.untilEnd(call(state).ignoreResult()), /*isWaiting=*/true);
        });
    }

   private:
    const Connection& mConnection;
    Target mTarget;
    OptionalTimePoint mDeadline;
    std::shared_ptr<const std::vector<Bytes>> mLast{};
};

// What of a message the server does not have.
Result<std::vector<Bytes>> newOf(const Connection& connection, const SharedMemory& memory,
                                 const std::vector<Range>& message, bool isFixed) {
    std::vector<Bytes> pieces;
    for (const Range& range : message) {
        if (isFixed && connection.sent().hasAny(memory, range)) continue;
        std::vector<uint8_t> bytes(range.length);
        NNAPI_RETURN_IF_ERROR(readMemory(memory, range.offset, bytes));
        NNAPI_ASSIGN_OR_RETURN(piece, digested(range.offset, std::move(bytes)));
        if (connection.sent().has(memory, range, piece.digest)) continue;
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

// The pieces of a message, as they are remembered once they have arrived.
using Digests = std::vector<std::pair<Range, cache::Digest>>;
Digests digestsOf(const std::vector<Bytes>& pieces) {
    Digests digests;
    for (const Bytes& piece : pieces) {
        digests.emplace_back(Range{piece.offset, piece.bytes.size()}, piece.digest);
    }
    return digests;
}
void remember(const Connection& connection, const SharedMemory& memory, const Digests& digests) {
    for (const auto& [range, digest] : digests) connection.sent().put(memory, range, digest);
}

// Sends the messages one after the other.
struct Upload {
    std::shared_ptr<const Connection> connection;
    SharedMemory memory;
    std::vector<std::vector<Range>> messages;
    bool isFixed;
    size_t next = 0;
};

kj::Promise<Status> goOn(Connection::State& state, std::shared_ptr<Upload> upload) {
    const auto& [connection, memory, messages, isFixed, next] = *upload;
    std::vector<Bytes> pieces;
    while (pieces.empty()) {
        if (next == messages.size()) return Status();
        auto found = newOf(*connection, memory, messages[upload->next++], isFixed);
        if (!found.ok()) return found.status();
        pieces = *std::move(found);
    }
    auto request = targetOf(memory)(state).writeRequest();
    write(pieces, request.initPieces(count(pieces.size())));
    return request.send().then(
            [&state, upload, digests = digestsOf(pieces)](auto&& answer) -> kj::Promise<Status> {
                NNAPI_RETURN_IF_ERROR(statusOf(answer.getFailure()));
                remember(*upload->connection, upload->memory, digests);
                return goOn(state, upload);
            });
}

// Takes the messages one after the other.
struct Download {
    rpc::Contents::Client from;
    std::vector<std::vector<Range>> messages;
    Sink sink;
    size_t next = 0;
};

Status accept(const std::vector<Range>& asked, capnp::List<rpc::Piece>::Reader pieces,
              const Sink& sink) {
    if (pieces.size() != asked.size()) {
        return error() << "the server answers with " << pieces.size() << " pieces, allowed "
                       << asked.size();
    }
    for (unsigned i = 0; i < pieces.size(); ++i) {
        auto bytes = bytesOf(pieces[i]);
        if (!bytes.ok()) return error() << "the server's answer: " << messageOf(bytes.status());
        if (bytes->size() != asked[i].length || pieces[i].getOffset() != asked[i].offset) {
            return error() << "the server answers with " << bytes->size() << " bytes at "
                           << pieces[i].getOffset() << ", allowed " << asked[i].length << " at "
                           << asked[i].offset;
        }
        NNAPI_RETURN_IF_ERROR(sink(asked[i].offset, *bytes));
    }
    return {};
}

kj::Promise<Status> goOn(std::shared_ptr<Download> download) {
    if (download->next == download->messages.size()) return Status();
    const std::vector<Range>& asked = download->messages[download->next++];
    auto request = download->from.readRequest();
    auto ranges = request.initRanges(count(asked.size()));
    for (unsigned i = 0; i < ranges.size(); ++i) {
        ranges[i].setOffset(asked[i].offset);
        ranges[i].setLength(asked[i].length);
    }
    return request.send().then([download, &asked](auto&& answer) -> kj::Promise<Status> {
        Status status = statusOf(answer.getFailure());
        if (status.ok()) status = accept(asked, answer.getPieces(), download->sink);
        if (!status.ok()) return status;
        return goOn(download);
    });
}

// The length of a regular file.
Result<uint64_t> sizeOf(const SharedHandle& file, uint64_t most) {
    struct stat found {};
    if (file == nullptr || fstat(file->get(), &found) != 0 || !S_ISREG(found.st_mode)) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << "what is not a regular file does not travel as a file of a cache");
    }
    const auto size = static_cast<uint64_t>(found.st_size);
    if (size <= most) return size;
    return Status(error(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT)
                  << "a file of a cache has " << size << " bytes, allowed at most " << most);
}

GeneralResult<void> uploadFile(const Connection& connection, const Held& remote,
                               const SharedHandle& file, uint64_t size,
                               const OptionalTimePoint& deadline) {
    Sender sender(connection, targetOf(remote), deadline);
    for (const std::vector<Range>& message : messagesOf({{0, size}})) {
        std::vector<Bytes> pieces;
        for (const Range& range : message) {
            std::vector<uint8_t> bytes(range.length);
            NNAPI_RETURN_IF_ERROR(readFully(file->get(), range.offset, bytes));
            NNAPI_ASSIGN_OR_RETURN(piece, digested(range.offset, std::move(bytes)));
            pieces.push_back(std::move(piece));
        }
        NNAPI_RETURN_IF_ERROR(sender.send(std::move(pieces)).status());
    }
    return sender.wait();
}

kj::Promise<void> saveCacheFile(rpc::Contents::Client remote, const SharedHandle& file,
                                uint64_t mostBytes) {
    return remote.sizeRequest()
            .send()
            .then([remote, file, mostBytes](auto&& answer) mutable -> kj::Promise<Status> {
                NNAPI_RETURN_IF_ERROR(statusOf(answer.getFailure()));
                if (answer.getBytes() > mostBytes) return Status(error() << "the file is too long");
                return download(kj::mv(remote), {{0, answer.getBytes()}},
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
    Sender sender(connection, targetOf(memory), deadline);
    Digests last;
    for (const auto& message : messagesOf(merged(std::move(ranges), wholeOf(*memory).length))) {
        NNAPI_ASSIGN_OR_RETURN(pieces, newOf(connection, memory, message, isFixed));
        if (pieces.empty()) continue;
        Digests sent = digestsOf(pieces);
        NNAPI_RETURN_IF_ERROR(sender.send(std::move(pieces)).status());
        remember(connection, memory, last);
        last = std::move(sent);
    }
    sender.finish();
    remember(connection, memory, last);
    return {};
}

kj::Promise<Status> upload(Connection::State& state,
                           const std::shared_ptr<const Connection>& connection,
                           const SharedMemory& memory, std::vector<Range> ranges) {
    NNAPI_RETURN_IF_ERROR(checkTravels(memory));
    return goOn(state, std::make_shared<Upload>(Upload{
                               connection, memory,
                               messagesOf(merged(std::move(ranges), wholeOf(*memory).length)),
                               cannotChange(memory)}));
}

GeneralResult<void> uploadAll(const Connection& connection, const SharedMemory& memory) {
    return upload(connection, memory, {wholeOf(*memory)}, {});
}

kj::Promise<Status> download(rpc::Contents::Client from, std::vector<Range> ranges, Sink sink) {
    return goOn(std::make_shared<Download>(
            Download{kj::mv(from), messagesOf(ranges), std::move(sink)}));
}

kj::Promise<Status> download(Connection::State& state, const SharedMemory& memory,
                             std::vector<Range> ranges) {
    return download(targetOf(memory)(state), std::move(ranges),
                    [memory](uint64_t offset, std::span<const uint8_t> bytes) {
                        return writeMemory(memory, offset, bytes);
                    });
}

GeneralResult<std::vector<Held>> makeCacheFiles(const std::shared_ptr<const Connection>& connection,
                                                const std::vector<SharedHandle>& files,
                                                bool hasContents,
                                                const OptionalTimePoint& deadline) {
    std::vector<Held> made;
    for (const SharedHandle& file : files) {
        NNAPI_ASSIGN_OR_RETURN(size, sizeOf(file, connection->options().cacheFileBytes));
        const uint64_t bytes = hasContents ? size : 0;
        auto remote = connection->call<GeneralResult<Held>>(
                "makeContents", deadline, [connection, bytes](Connection::State& state) {
                    auto request = state.service().makeContentsRequest();
                    request.setIsCacheFile(true);
                    request.initMemory().setSize(bytes);
                    return request.send().then([&state, connection](auto&& answer) {
                        return GeneralResult<Held>(
                                Held(connection, state.hold(answer.getContents())));
                    });
                });
        if (!remote.has_value()) return remote.status();
        NNAPI_RETURN_IF_ERROR(uploadFile(*connection, *remote, file, bytes, deadline).status());
        made.push_back(*std::move(remote));
    }
    return made;
}

kj::Promise<void> saveCacheFiles(Connection::State& state, std::vector<Held> remote,
                                 std::vector<SharedHandle> files, uint64_t mostBytes) {
    auto saved = kj::heapArrayBuilder<kj::Promise<void>>(files.size());
    for (size_t i = 0; i < files.size(); ++i) {
        (void)!ftruncate(files[i]->get(), 0);
        saved.add(saveCacheFile(state.held<rpc::Contents>(remote[i].id()), files[i], mostBytes));
    }
    return kj::joinPromises(saved.finish()).attach(std::move(remote));
}

}  // namespace nn::service
