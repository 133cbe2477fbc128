// nnapi/service/server.h -- Serves devices to other processes and machines.
//
//   auto server = nn::service::serve({device}, "unix:/run/nnapi/npu");
//   if (!server.has_value()) return server.status();
//   ...
//   (*server)->stop();
//
// Over TCP, with certificates on both sides (nnapi/service/credentials.h):
//
//   auto server = nn::service::serve({device}, "0.0.0.0:8000", {.credentials = credentials});
//
// Each client has its own objects, which no other client can name and which are freed when the
// client drops them or disconnects. A Unix socket accepts only processes of the same user or root;
// TCP accepts only certificates that the credentials' authorities have signed. One thread talks to
// the clients; drivers are called on `threads` others. Thread-safe. docs/security.md describes the
// guarantees against malicious clients.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/vlog.h"
#include "nnapi/limits.h"
#include "nnapi/service/credentials.h"

namespace nn::service {

// Options of a server. Limits are for each client unless stated otherwise.
struct ServeOptions {
    // Largest number of clients; further ones are rejected.
    size_t clients = 64;

    // Largest number of clients from one address (for IPv6, one /64) or, at a Unix socket, one
    // process; and at most half of the remaining places, so that one is left for the next. If equal
    // to `clients`, addresses are not limited.
    size_t clientsPerAddress = 32;

    // Largest number of connections that have not yet authenticated: over TLS by a certificate,
    // otherwise by a first message, within 10 seconds. They do not count as clients. Beyond the
    // limit, or if one address or process has more than half of them, the oldest silent connection
    // of the largest group is dropped, or its oldest if none is silent.
    size_t greetings = 128;

    // Resources of one client, counted until they are freed. A call that exceeds them fails with
    // RESOURCE_EXHAUSTED_TRANSIENT; a client that exceeds them by far, or does not read its
    // replies, is disconnected.
    //       objectsPerClient   memories, prepared models, executions, bursts, buffers, fences
    //       bytesPerClient     memories, constants of prepared models, and device buffers
    //       callsPerClient     concurrent calls
    //       queuesPerClient    bursts and prepared models with queues, each with a thread; further
    //                          ones use calls
    size_t objectsPerClient = 16384;
    uint64_t bytesPerClient = uint64_t{8} << 30;
    size_t callsPerClient = 256;
    size_t queuesPerClient = 16;

    // The number of descriptors that all clients together may hold; by default three quarters of
    // the process's limit. One client may hold at most half of those that the other clients leave.
    std::optional<size_t> descriptors{};

    // Longest time for one call of a driver, and for a fence, if the client has set no earlier end.
    // Drivers that check deadlines or cancellation then stop, and the fence fails.
    Duration callCeiling = std::chrono::minutes(10);

    // A client that reads no replies for this long is disconnected.
    Duration patience = std::chrono::seconds(10);

    // Largest message in bytes, without pools; a client that exceeds it is disconnected.
    uint64_t messageBytes = uint64_t{64} << 20;

    // The number of concurrent driver calls. The first call of each client does not wait for other
    // clients and does not count.
    size_t threads = 4;

    // How long a burst's thread polls for the next execution before blocking; 0 or less: not at
    // all.
    std::chrono::microseconds burstPollingTimeWindow{50};

    // Limits of received models.
    Limits limits{};

    // Credentials for TCP, which requires them unless insecurePlainTcp is set; then anyone with
    // access to the port can read, change and use everything.
    std::optional<Credentials> credentials{};
    bool insecurePlainTcp = false;

    // Logs connections, disconnections and refusals (MANAGER).
    SharedLog log{};
};

// Resources that a server currently holds for its clients.
struct ServerLoad {
    size_t clients = 0;  // that are connected
    // Memories, prepared models, executions, bursts and their cached memories, buffers, fences.
    size_t objects = 0;
    uint64_t bytes = 0;      // of memories, constants and buffers
    size_t descriptors = 0;  // open files
    size_t threads = 0;      // of bursts and prepared models with queues
    size_t calls = 0;        // driver calls in progress
    bool operator==(const ServerLoad&) const = default;
};

// A running server.
class Server {
   public:
    // Stops at once.
    virtual ~Server() = default;
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Stops: removes the socket file, accepts no more clients, waits up to `patience` for driver
    // calls in progress, then disconnects all clients.
    virtual void stop(Duration patience = std::chrono::seconds(5)) = 0;

    // The server's current load.
    virtual ServerLoad load() const = 0;

    // The address that it listens on, with the port chosen by the system if port 0 was requested.
    virtual std::string address() const = 0;

   protected:
    Server() = default;
};

// Serves devices under their names at "unix:PATH", whose socket has mode 0600 and replaces the file
// of a server that no longer runs, or at "HOST:PORT" ("10.0.0.7:8000", "[::]:0"). INVALID_ARGUMENT
// for another address, no device, null, two devices of one name, and missing or unusable
// credentials; DEVICE_UNAVAILABLE if the address is in use or unavailable.
GeneralResult<std::unique_ptr<Server>> serve(std::vector<SharedDevice> devices,
                                             std::string_view address,
                                             const ServeOptions& options = {});

}  // namespace nn::service
