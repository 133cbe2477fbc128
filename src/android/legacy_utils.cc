// Helpers of canonical drivers: models as text, and results of executions.

#include "LegacyHalUtils.h"
#include "LegacyUtils.h"

#include <android-base/logging.h>

#include "nnapi/print.h"

namespace android::nn {

void logModelToInfo(const Model& model) {
    LOG(INFO) << "model: " << ::nn::print(model.main);
    for (const Model::Subgraph& graph : model.referenced) {
        LOG(INFO) << "referenced graph: " << ::nn::print(graph);
    }
    LOG(INFO) << "operandValues: " << model.operandValues.size()
              << " bytes, pools: " << model.pools.size()
              << ", relaxComputationFloat32toFloat16: " << model.relaxComputationFloat32toFloat16;
}

std::tuple<int, std::vector<OutputShape>, Timing> getExecutionResult(
        ErrorStatus status, std::vector<OutputShape> outputShapes, Timing timing) {
    const bool hasShapes =
            status == ErrorStatus::NONE || status == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
    if (!hasShapes && !outputShapes.empty()) {
        LOG(ERROR) << "an execution that failed with " << toString(status) << " has shapes";
        outputShapes.clear();
    }
    if (status != ErrorStatus::NONE && timing != Timing{}) {
        LOG(ERROR) << "an execution that failed with " << toString(status) << " has a timing";
        timing = {};
    }
    return {::nnapi_android::resultCodeOf(status), std::move(outputShapes), timing};
}

std::tuple<int, std::vector<OutputShape>, Timing> getExecutionResult(
        V1_3::ErrorStatus status, const ::nn::hidl::hidl_vec<V1_2::OutputShape>& outputShapes,
        const V1_2::Timing& timing) {
    std::vector<OutputShape> shapes;
    for (const V1_2::OutputShape& shape : outputShapes) shapes.push_back(uncheckedConvert(shape));
    return getExecutionResult(uncheckedConvert(status), std::move(shapes),
                              uncheckedConvert(timing));
}

int validateOperandType(const ANeuralNetworksOperandType& type,
                        const Extension::OperandTypeInformation* extensionOperandTypeInfo,
                        const char* tag, bool allowPartial) {
    return ::nnapi_android::checkOperandType(type, extensionOperandTypeInfo, tag, allowPartial);
}

std::ostream& operator<<(std::ostream& out, const HalVersion& version) {
    constexpr const char* kNames[] = {"UNKNOWN", "1.0",    "1.1",    "1.2",          "1.3",
                                      "AIDL 1",  "AIDL 2", "AIDL 3", "AIDL unstable"};
    const auto index = static_cast<size_t>(version);
    return out << "HAL version " << (index < std::size(kNames) ? kNames[index] : "unknown");
}

}  // namespace android::nn
