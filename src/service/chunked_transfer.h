// Transfers memory contents to and from remote servers, which descriptors cannot reach.
//
// The server keeps the contents that it receives: constants of models and inputs of executions are
// compared by digest before each use, and only differences are sent. After each execution, the
// server returns the written parts of the outputs.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "service/connection.h"

namespace nn::service {

// INVALID_ARGUMENT for memory whose bytes cannot be sent.
Status checkTravels(const SharedMemory& memory);

// Sends those parts of the ranges that the server lacks. When this returns all messages but the
// last have arrived, and the last one precedes any later call.
GeneralResult<void> upload(const Connection& connection, const SharedMemory& memory,
                           std::vector<Range> ranges, const OptionalTimePoint& deadline);

// The same on the loop; everything has arrived when the promise is fulfilled.
kj::Promise<Status> upload(const std::shared_ptr<const Connection>& connection,
                           const SharedMemory& memory, std::vector<Range> ranges);

// Uploads the whole memory.
GeneralResult<void> uploadAll(const Connection& connection, const SharedMemory& memory);
Range wholeOf(const Memory& memory);

// Receives the bytes, in the order of the ranges.
using Sink = std::function<Status(uint64_t offset, std::span<const uint8_t> bytes)>;

// Downloads and checks these bytes of a server's memory. On the loop.
kj::Promise<Status> download(rpc::Contents::Client from, std::vector<Range> ranges, Sink sink);

// Downloads the server's contents into the client's memory.
kj::Promise<Status> download(Connection::State& state, const SharedMemory& memory,
                             std::vector<Range> ranges);

// ---- cache files: the server has its own, and their contents are transferred

// Creates files on the server, with the contents of these or empty.
GeneralResult<std::vector<RemoteObject>> makeCacheFiles(
        const std::shared_ptr<const Connection>& connection, const std::vector<SharedHandle>& files,
        bool hasContents, const OptionalTimePoint& deadline);

// Copies the files that a driver saved back into the client's files. A file whose copy fails is
// left empty. Called on the loop.
kj::Promise<void> saveCacheFiles(Connection::State& state, std::vector<RemoteObject> remote,
                                 std::vector<SharedHandle> files, uint64_t maxBytes);

}  // namespace nn::service
