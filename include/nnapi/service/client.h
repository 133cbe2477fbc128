// nnapi/service/client.h -- a device that lives in another process.
//
//   nn::GeneralResult<nn::SharedDevice> device = nn::service::connect("unix:/run/nnapi/npu");
//   if (!device.has_value()) return device.status();
//   auto prepared = (*device)->prepareModel(model, ...);
//
// On one machine pools are shared with the server by their descriptors, each once as long as it
// lives, and never copied. Over TCP ("HOST:PORT", nnapi/service/credentials.h) their bytes travel:
// constants and inputs where the server does not have them yet, and results back. Arguments behind
// pointers are copied to shared memory and back; those of a fenced execution must stay until its
// fence is signalled. Its inputs are copied when the fences that it waits for are signalled: where
// they lie behind pointers, the launch waits for that in the calling thread.
//
// A burst executes through queues in memory that it shares with the server, without a call; it goes
// by calls where the server has none for it, and for requests with memory of the device.
//
// A server that is gone is DEAD_OBJECT, in every call from then on, and its fences fail. One that
// does not answer any more misses the deadline of a call (MISSED_DEADLINE_TRANSIENT); where one
// waits without a deadline, or for a fence, it is given up after `heartbeat` (DEAD_OBJECT). What it
// answers is checked: what breaks the protocol is GENERAL_FAILURE. See docs/drivers.md.
//
// A connection has a thread of its own, which is there as long as one of its objects. Thread-safe.
// The thread is not in a process that is forked: there all calls are DEAD_OBJECT, and a new
// connection works.
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

struct ClientOptions {
    // How long to wait for a connection, and for what the server has.
    Duration connectTimeout = std::chrono::seconds(5);

    // How long a server may give no sign of life while somebody waits without a deadline. 0: for
    // ever, then `ceiling` bounds each wait.
    Duration heartbeat = std::chrono::seconds(1);

    // How long to wait for a driver that does not answer, in a server that lives, where no deadline
    // bounds it (GENERAL_FAILURE).
    Duration ceiling = std::chrono::minutes(5);

    // How long an execution of a burst looks for its answer before it sleeps; 0 or less is not at
    // all.
    std::chrono::microseconds burstPollingTimeWindow{0};

    // How long after its deadline a call waits for the server to tell of it.
    Duration grace = std::chrono::milliseconds(100);

    // Of TCP: without them it is refused, unless everybody between here and the server may read and
    // change everything.
    std::optional<Credentials> credentials{};
    bool insecurePlainTcp = false;

    // The longest cache file that is taken from a server, or sent to it, over TCP.
    uint64_t cacheFileBytes = uint64_t{1} << 30;
};

// True for what looks like an address of connect(): "unix:..." and HOST:PORT.
bool isAddress(std::string_view text);

// The device at an address:
//
//   unix:PATH         the only device of the server at this socket
//   HOST:PORT         the same over TCP; HOST is a name, 10.0.0.7, or [fd00::7]
//   unix:PATH#NAME    one of several, HOST:PORT#NAME likewise
//
// INVALID_ARGUMENT for another address, a name that the server does not have, and credentials that
// are missing or cannot be used; DEVICE_UNAVAILABLE where nobody answers there, or one side refuses
// the certificate of the other.
GeneralResult<SharedDevice> connect(std::string_view address, const ClientOptions& options = {});

// All devices of a server, in its order, by one connection. Of an address with a name, that one.
GeneralResult<std::vector<SharedDevice>> connectAll(std::string_view address,
                                                    const ClientOptions& options = {});

// Connects again and again, for a ResilientDevice: where it may block, it waits as long as `wait`
// for a server to come.
hal::utils::ResilientDevice::Factory reconnecting(std::string address, ClientOptions options = {},
                                                  Duration wait = std::chrono::seconds(30));

// Has a registry open all addresses: RegistryOptions::addresses. A function, which must be
// thread-safe, is asked for the options of each connection.
void openAddresses(RegistryOptions& registry, ClientOptions options = {});
void openAddresses(RegistryOptions& registry,
                   std::function<GeneralResult<ClientOptions>()> options);

}  // namespace nn::service
