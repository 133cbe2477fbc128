// nnapi/service/server.h -- offers devices to other processes.
//
//   auto server = nn::service::serve({device}, "unix:/run/nnapi/npu");
//   if (!server.has_value()) return server.status();
//   ...
//   (*server)->stop();
//
// To other machines by TCP, with certificates on both sides (nnapi/service/credentials.h):
//
//   auto server = nn::service::serve({device}, "0.0.0.0:8000", {.credentials = credentials});
//
// Each client has its own objects: nobody else can name them, and they are freed when the client
// drops them or is gone. At a Unix socket only processes of the same user, or of root, get in; over
// TCP only who has a certificate that the credentials' authorities have signed. A thread of the
// server's own talks to the clients; drivers are called on others, of which there are `threads`.
// Thread-safe.
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

struct ServeOptions {
    // Further clients are turned away.
    size_t clients = 64;

    // Of them, those of one address (of IPv6, one /64), or of one process at a Unix socket; and no
    // more than half of what the others leave, so that there is a place for the next. With as many
    // as `clients`, addresses have no shares.
    size_t clientsPerAddress = 32;

    // Connections that have not yet shown what a client must, within 10 seconds: over TLS a
    // certificate, elsewhere a first message. They take no places of clients. Where there is one
    // more, or one more than half of them of one address or process, the oldest that has said
    // nothing goes, without such a one the oldest, of who has most of them.
    size_t greetings = 128;

    // Of each client. What goes beyond fails with RESOURCE_EXHAUSTED_TRANSIENT; a client that goes
    // far beyond, or does not read its answers, is cut off. All of it counts until the thing itself
    // is gone.
    //   objectsPerClient   memories, prepared models, executions, bursts, buffers, fences
    //   bytesPerClient     of its memories, of the constants of models that it has prepared, and of
    //                      buffers of devices
    //   callsPerClient     at one time
    //   queuesPerClient    bursts with queues, each of which has a thread; others go by calls
    size_t objectsPerClient = 16384;
    uint64_t bytesPerClient = uint64_t{8} << 30;
    size_t callsPerClient = 256;
    size_t queuesPerClient = 16;

    // Descriptors of the process that all clients may hold; without a number three quarters of its
    // limit. One client gets at most half of what the others leave.
    std::optional<size_t> descriptors{};

    // How long a driver may work on one call, and how long a fence may take, where a client has set
    // no sooner end: then drivers that look at deadlines or at cancellation stop, and the fence
    // fails.
    Duration callCeiling = std::chrono::minutes(10);

    // A client that takes none of its answers so long is cut off.
    Duration patience = std::chrono::seconds(10);

    // Of one message; a client that sends a longer one is cut off. Pools are not part of it.
    uint64_t messageBytes = uint64_t{64} << 20;

    // How many calls of drivers run at one time. The first one of each client does not wait for
    // those of others, and makes it one more.
    size_t threads = 4;

    // How long the thread of a burst looks for the next execution before it sleeps; 0 or less is
    // not at all.
    std::chrono::microseconds burstPollingTimeWindow{0};

    // For the models that come in.
    Limits limits{};

    // Of TCP: without them it is refused, unless everybody who reaches the port may read, change
    // and use everything.
    std::optional<Credentials> credentials{};
    bool insecurePlainTcp = false;

    // Told of clients that come, go and are refused (MANAGER).
    SharedLog log{};
};

// What a server holds for its clients at this moment.
struct ServerLoad {
    size_t clients = 0;
    size_t objects = 0;
    uint64_t bytes = 0;
    size_t descriptors = 0;
    size_t threads = 0;  // of bursts with queues
    size_t calls = 0;    // that drivers are in
    bool operator==(const ServerLoad&) const = default;
};

class Server {
   public:
    // As stop(), at once.
    virtual ~Server() = default;
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Takes no more clients, waits for the calls that drivers are in, but not longer than this, and
    // cuts off the clients. The socket's file is removed first.
    virtual void stop(Duration patience = std::chrono::seconds(5)) = 0;

    virtual ServerLoad load() const = 0;

    // Where it listens: with the port that the system has given where port 0 was asked for.
    virtual std::string address() const = 0;

   protected:
    Server() = default;
};

// Offers devices, under their names, at "unix:PATH", whose socket has mode 0600, and where the file
// of a server that is gone is replaced; or at "HOST:PORT", "10.0.0.7:8000" or "[::]:0" for two.
// INVALID_ARGUMENT for another address, no device, null, two devices of one name, and credentials
// that are missing or cannot be used; DEVICE_UNAVAILABLE where the address is taken or cannot be.
GeneralResult<std::unique_ptr<Server>> serve(std::vector<SharedDevice> devices,
                                             std::string_view address,
                                             const ServeOptions& options = {});

}  // namespace nn::service
