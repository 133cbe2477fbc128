// Transfers memory contents to and from servers that descriptors do not reach.
//
// A server has what was sent to it: constants of models and inputs of executions are compared by
// their digests before each use, and what differs is sent. Outputs come back after each execution,
// as far as they were written.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "service/connection.h"

namespace nn::service {

// INVALID_ARGUMENT for memory whose bytes cannot travel.
Status checkTravels(const SharedMemory& memory);

// Sends what the server does not have yet of these ranges. All but the last message has arrived
// when this returns, and the last goes before whatever is asked next.
GeneralResult<void> upload(const Connection& connection, const SharedMemory& memory,
                           std::vector<Range> ranges, const OptionalTimePoint& deadline);

// The same on the loop; all has arrived when this ends.
kj::Promise<Status> upload(const std::shared_ptr<const Connection>& connection,
                           const SharedMemory& memory, std::vector<Range> ranges);

// The whole memory.
GeneralResult<void> uploadAll(const Connection& connection, const SharedMemory& memory);
Range wholeOf(const Memory& memory);

// Takes what arrives, in the order of the ranges.
using Sink = std::function<Status(uint64_t offset, std::span<const uint8_t> bytes)>;

// Fetches these bytes of a server's memory, checked. On the loop.
kj::Promise<Status> download(rpc::Contents::Client from, std::vector<Range> ranges, Sink sink);

// The same to our memory that it stands for.
kj::Promise<Status> download(Connection::State& state, const SharedMemory& memory,
                             std::vector<Range> ranges);

// ---- files of caches, which are the server's own and whose contents travel

// Files of the server with the contents of these, or empty ones.
GeneralResult<std::vector<Held>> makeCacheFiles(const std::shared_ptr<const Connection>& connection,
                                                const std::vector<SharedHandle>& files,
                                                bool hasContents,
                                                const OptionalTimePoint& deadline);

// Writes back what a driver has saved. A file of which that fails is empty afterwards. On the loop.
kj::Promise<void> saveCacheFiles(Connection::State& state, std::vector<Held> remote,
                                 std::vector<SharedHandle> files, uint64_t mostBytes);

}  // namespace nn::service
