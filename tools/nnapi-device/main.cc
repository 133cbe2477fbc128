// The program for devices: tests, serves and lists them, and executes commands of nnapi on them.
#include "tools/nnapi-device/device_commands.h"
#include "tools/nnapi-device/peer_options.h"
#include "tools/nnapi-device/worker_command.h"
#include "tools/nnapi/program.h"

namespace nn::cli {
namespace {

// Applies the options for devices on other machines.
template <Exit (*Run)(const Options&)>
Exit withPeers(const Options& options) {
    setPeerChoices(options.peers);
    return Run(options);
}

constexpr DeviceCommand kCommands[] = {
        {"test-device", withPeers<testDevice>},
        {"report", report},
        {"devices", withPeers<devices>},
#ifdef NNAPI_HAS_SERVICE
        {"serve", withPeers<serve>},
#endif
        {"new-driver", newDriver},
        {"exec", withPeers<exec>},
        {"info", withPeers<infoWithDevice>},
        {"validate", withPeers<validateWithDevice>},
        {"dot", withPeers<dotWithDevice>},
        {"view", withPeers<viewWithDevice>},
        {"run", withPeers<runOnDevice>},
        {"conformance", withPeers<conformanceOfDevice>},
        {"diff", withPeers<diffWithDevice>},
        {kDeviceWorker, deviceWorker},
};

}  // namespace
}  // namespace nn::cli

int main(int argc, char** argv) { return nn::cli::program(argc, argv, nn::cli::kCommands); }
