#include "runtime/observe/telemetry.h"

#include <absl/algorithm/container.h>
#include <unistd.h>

#include <atomic>
#include <mutex>

#include "base/process_mutex.h"
#include "nnapi/type_utils.h"

namespace nn::runtime {
namespace {

ProcessMutex gMutex;
TelemetryCallbacks gCallbacks;  // guarded by gMutex
std::atomic<bool> gIsWanted = false;

TelemetryCallbacks callbacks() {
    const std::lock_guard lock(gMutex);
    return gCallbacks;
}

ANeuralNetworksDiagnosticDataClass classOf(OperandType type) {
    switch (type) {
        case OperandType::TENSOR_FLOAT32:
            return ANNDIAG_DATA_CLASS_FLOAT32;
        case OperandType::TENSOR_FLOAT16:
            return ANNDIAG_DATA_CLASS_FLOAT16;
        case OperandType::TENSOR_QUANT8_ASYMM:
        case OperandType::TENSOR_QUANT16_SYMM:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
        case OperandType::TENSOR_QUANT16_ASYMM:
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
            return ANNDIAG_DATA_CLASS_QUANT;
        default:  // all others, and those of extensions
            return ANNDIAG_DATA_CLASS_OTHER;
    }
}

// Other types count only if nothing is a float or quantized.
ANeuralNetworksDiagnosticDataClass classOf(const Model::Subgraph& graph,
                                           const std::vector<uint32_t>& indexes) {
    auto all = ANNDIAG_DATA_CLASS_UNKNOWN;
    for (const uint32_t index : indexes) {
        const auto one = classOf(graph.operands[index].type);
        if (all == ANNDIAG_DATA_CLASS_UNKNOWN || all == ANNDIAG_DATA_CLASS_OTHER) {
            all = one;
        } else if (one != ANNDIAG_DATA_CLASS_OTHER && one != all) {
            all = ANNDIAG_DATA_CLASS_MIXED;
        }
    }
    return all;
}

std::string idsOf(const std::vector<PlanDevice>& devices) {
    std::vector<std::string> ids;
    ids.reserve(devices.size());
    for (const PlanDevice& each : devices) {
        ids.push_back(each.device->getName() + "=" + each.device->getVersionString());
    }
    absl::c_sort(ids);
    std::string all;
    for (const std::string& id : ids) all += (all.empty() ? "" : ",") + id;
    return all;
}

}  // namespace

Diagnosed diagnose(const Compiled& compiled) {
    const Model& model = compiled.model->model;
    const bool hasControlFlow = absl::c_any_of(model.main.operations, [](const Operation& each) {
        return each.type == OperationType::IF || each.type == OperationType::WHILE;
    });
    return {.architecture = compiled.model->architecture(),
            .deviceIds = idsOf(compiled.devices),
            .inputs = classOf(model.main, model.main.inputIndexes),
            .outputs = classOf(model.main, model.main.outputIndexes),
            .isCachingEnabled = compiled.isCachingEnabled,
            .isControlFlowUsed = hasControlFlow,
            .areDynamicTensorsUsed =
                    compiled.plan != nullptr && compiled.plan->hasDynamicTemporaries()};
}

int32_t sessionId() {
    // A prime, so that the id reveals neither time nor process.
    constexpr uint64_t kModulus = 1000000007;
    static const auto id = static_cast<int32_t>(
            1 + (static_cast<uint64_t>(Clock::now().time_since_epoch().count()) +
                 static_cast<uint64_t>(getpid()) * 1000003) %
                        kModulus);
    return id;
}

void setTelemetry(const TelemetryCallbacks& callbacks) {
    const std::lock_guard lock(gMutex);
    gCallbacks = callbacks;
    gIsWanted = callbacks.compilation != nullptr || callbacks.execution != nullptr;
}

bool hasTelemetry() { return gIsWanted; }

void reportTelemetry(const ANeuralNetworksDiagnosticCompilationInfo& info) {
    const TelemetryCallbacks to = callbacks();
    if (to.compilation != nullptr) to.compilation(to.context, &info);
}

void reportTelemetry(const ANeuralNetworksDiagnosticExecutionInfo& info) {
    const TelemetryCallbacks to = callbacks();
    if (to.execution != nullptr) to.execution(to.context, &info);
}

}  // namespace nn::runtime
