// Offers devices to other processes.
#ifdef NNAPI_HAS_SERVICE
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "nnapi/service/server.h"
#include "tools/nnapi-device/device_commands.h"
#include "tools/nnapi-device/open_device.h"
#include "tools/nnapi-device/peer_options.h"
#include "tools/nnapi/vlog.h"

namespace nn::cli {

Exit serve(const Options& options) {
    // Before there are other threads, which inherit the mask: this one waits for them.
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);

#ifdef __GLIBC__
    // Large blocks go back to the system when they are freed. Without this, the first one that is
    // freed has later ones of its size kept for good, for each thread.
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
    // Memories of clients, fences and bursts take descriptors: as many as the user may have.
    rlimit descriptors{};
    if (getrlimit(RLIMIT_NOFILE, &descriptors) == 0) {
        descriptors.rlim_cur = descriptors.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &descriptors);
    }

    std::vector<SharedDevice> devices;
    for (const std::string& spec : options.devices) {
        auto opened = openDevices(spec);
        if (!opened.has_value()) return Output::complain(opened.status());
        devices.insert(devices.end(), opened->begin(), opened->end());
    }
    const ServeChoices& own = options.serve;
    auto credentials = credentialsOf(options.peers);
    if (!credentials.has_value()) return Output::complain(credentials.status());
    auto server = service::serve(devices, own.listen,
                                 {.clients = own.clients,
                                  .clientsPerAddress = own.clientsPerAddress,
                                  .greetings = own.greetings,
                                  .objectsPerClient = own.objects,
                                  .bytesPerClient = own.bytes,
                                  .callsPerClient = own.calls,
                                  .queuesPerClient = own.queues,
                                  .descriptors = own.descriptors,
                                  .callCeiling = std::chrono::seconds(own.ceiling),
                                  .threads = own.threads,
                                  .burstPollingTimeWindow = std::chrono::microseconds(own.polling),
                                  .limits = options.limits,
                                  .credentials = *std::move(credentials),
                                  .insecurePlainTcp = options.peers.insecurePlainTcp,
                                  .log = programLog()});
    if (!server.has_value()) return Output::complain(server.status());
    const Output output(options.json);
    for (const SharedDevice& device : devices) {
        if (output.isJson()) {
            output.object({{"device", device->getName()}, {"listen", (*server)->address()}});
        } else {
            output.text("serves {} at {}\n", device->getName(), (*server)->address());
        }
    }
    std::fflush(stdout);

    int signal = 0;
    sigwait(&ends, &signal);
    (*server)->stop();
    return kGood;
}

}  // namespace nn::cli
#endif
