// nnapi/service/client.h -- a device that lives in another process.
//
//   nn::GeneralResult<nn::SharedDevice> device = nn::service::connect("unix:/run/nnapi/npu");
//   if (!device.has_value()) return device.status();
//   auto prepared = (*device)->prepareModel(model, ...);
//
// Pools are shared with the server by their descriptors, each once as long as it lives, and never
// copied. Arguments behind pointers are copied to shared memory and back; those of a fenced
// execution must stay until its fence is signalled.
//
// A server that is gone is DEAD_OBJECT, in every call from then on, and its fences fail. One that
// does not answer any more misses the deadline of a call (MISSED_DEADLINE_TRANSIENT); where one
// waits without a deadline, or for a fence, it is given up after `heartbeat` (DEAD_OBJECT). What it
// answers is checked: what breaks the protocol is GENERAL_FAILURE. See docs/drivers.md.
//
// A connection has a thread of its own, which is there as long as one of its objects. Thread-safe.
// Not before fork() without exec(): the thread is not in the child.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/resilient.h"

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

    // How long after its deadline a call waits for the server to tell of it.
    Duration grace = std::chrono::milliseconds(100);
};

// True for what connect() takes as an address: "unix:...".
bool isAddress(std::string_view text);

// The device at an address:
//
//   unix:PATH         the only device of the server at this socket
//   unix:PATH#NAME    one of several
//
// INVALID_ARGUMENT for another address and for a name that the server does not have;
// DEVICE_UNAVAILABLE where nobody answers there.
GeneralResult<SharedDevice> connect(std::string_view address, const ClientOptions& options = {});

// All devices of a server, in its order, by one connection. Of an address with a name, that one.
GeneralResult<std::vector<SharedDevice>> connectAll(std::string_view address,
                                                    const ClientOptions& options = {});

// Connects again and again, for a ResilientDevice: where it may block, it waits as long as `wait`
// for a server to come.
hal::utils::ResilientDevice::Factory reconnecting(std::string address, ClientOptions options = {},
                                                  Duration wait = std::chrono::seconds(30));

}  // namespace nn::service
