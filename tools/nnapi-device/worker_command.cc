#include "tools/nnapi-device/worker_command.h"

#include <nlohmann/json.hpp>

#include "tools/nnapi-device/open_device.h"
#include "tools/nnapi-device/peer_options.h"
#include "tools/nnapi/program.h"

namespace nn::cli {
namespace {

PeerChoices peersIn(const std::string& settings) {
    const Json json = Json::parse(settings, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) return {};
    return {.certificate = json.value("certificate", ""),
            .key = json.value("key", ""),
            .authorities = json.value("authorities", ""),
            .serverName = json.value("serverName", ""),
            .insecurePlainTcp = json.value("insecurePlainTcp", false),
            .heartbeat = json.value("heartbeat", PeerChoices().heartbeat)};
}

}  // namespace

testing::WorkerProgram workerProgram() {
    return {.arguments = {"nnapi-device", std::string(kDeviceWorker)}};
}

std::string workerSettings() {
    const PeerChoices& peers = peerChoices();
    const Json json = {
            {"certificate", peers.certificate},           {"key", peers.key},
            {"authorities", peers.authorities},           {"serverName", peers.serverName},
            {"insecurePlainTcp", peers.insecurePlainTcp}, {"heartbeat", peers.heartbeat}};
    return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

Exit deviceWorker(const Options& /*options*/) {
    const Status served =
            testing::serveDeviceRun([](const std::string& device, const std::string& settings) {
                setPeerChoices(peersIn(settings));
                return openDevice(device);
            });
    if (served.ok()) return kGood;
    return Output::complain(fmt::format("{} is for test-device alone", kDeviceWorker));
}

}  // namespace nn::cli
