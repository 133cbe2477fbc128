// nnapi/service/client.h -- Connects to devices in another process or on another machine.
//
//   nn::GeneralResult<nn::SharedDevice> device = nn::service::connect("unix:/run/nnapi/npu");
//   if (!device.has_value()) return device.status();
//   auto prepared = (*device)->prepareModel(model, ...);
//
// On one machine, pools are shared with the server by descriptor, once as long as they live, and
// never copied. Over TCP ("HOST:PORT", nnapi/service/credentials.h) their contents are transferred:
// constants and inputs that the server does not have yet, and results. Arguments behind pointers
// are copied to shared memory and back; those of a fenced execution must stay until its fence is
// signaled. Inputs of a fenced execution are copied once its fences are signaled: if they are
// behind pointers, the launch waits for that in the calling thread.
//
// A burst uses queues in shared memory instead of calls. It falls back to calls if the server has
// no queue for it, and for requests with device memory.
//
// If the server dies, all later calls return DEAD_OBJECT and its fences fail. If it hangs, calls
// with a deadline fail at the deadline (MISSED_DEADLINE_TRANSIENT); calls without one, and waits
// for fences, give up after `heartbeat` (DEAD_OBJECT). Replies are checked; violations of the
// protocol are GENERAL_FAILURE. See docs/services.md.
//
// A connection has a thread, which lives as long as one of its objects. Thread-safe. The thread
// does not survive a fork: in the child all calls return DEAD_OBJECT, and new connections work.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/registry.h"
#include "nnapi/driver/resilient.h"
#include "nnapi/service/credentials.h"

namespace nn::service {

// Options of connections.
struct ClientOptions {
    // Longest wait for a connection and the list of devices.
    Duration connectTimeout = std::chrono::seconds(5);

    // How long a server may be silent while a call without a deadline waits. 0: indefinitely;
    // `ceiling` then bounds each wait.
    Duration heartbeat = std::chrono::seconds(1);

    // Longest wait for a hanging driver in a living server, for calls without a deadline
    // (GENERAL_FAILURE).
    Duration ceiling = std::chrono::minutes(5);

    // How long a burst polls for its result before blocking; 0 or less: not at all.
    std::chrono::microseconds burstPollingTimeWindow{50};

    // How long after its deadline a call waits for the server's reply.
    Duration grace = std::chrono::milliseconds(100);

    // Credentials for TCP, which requires them unless insecurePlainTcp is set; then anyone on the
    // network can read and change everything.
    std::optional<Credentials> credentials{};
    bool insecurePlainTcp = false;

    // Largest cache file, in bytes, that is exchanged over TCP.
    uint64_t cacheFileBytes = uint64_t{1} << 30;
};

// Sets the heartbeat. For 0, as while a debugger holds the driver, calls have no ceiling either.
void setHeartbeat(ClientOptions& options, Duration heartbeat);

// True if the text looks like an address of connect(): "unix:..." or HOST:PORT.
bool isAddress(std::string_view text);

// Opens the device at an address:
//
//   unix:PATH         the only device of the server at this socket
//   HOST:PORT         the same over TCP; HOST is a name, 10.0.0.7, or [fd00::7]
//   unix:PATH#NAME    one of several, HOST:PORT#NAME likewise
//
// INVALID_ARGUMENT for other text, for a name that the server does not have, and for missing or
// unusable credentials; DEVICE_UNAVAILABLE if no server replies, or if either side rejects the
// other's certificate.
GeneralResult<SharedDevice> connect(std::string_view address, const ClientOptions& options = {});

// Opens all devices of a server, in its order, over one connection; for an address with a name,
// only that device.
GeneralResult<std::vector<SharedDevice>> connectAll(std::string_view address,
                                                    const ClientOptions& options = {});

// A factory for ResilientDevice. If it may block, it waits up to `wait` for a server.
hal::utils::ResilientDevice::Factory reconnecting(std::string address, ClientOptions options = {},
                                                  Duration wait = std::chrono::seconds(30));

// Lets a registry open addresses (RegistryOptions::addresses). The function returns the options of
// each connection; it must be thread-safe.
void openAddresses(RegistryOptions& registry, ClientOptions options = {});
void openAddresses(RegistryOptions& registry,
                   std::function<GeneralResult<ClientOptions>()> options);

}  // namespace nn::service
