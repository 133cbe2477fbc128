// Helpers of canonical drivers: models as text, and what an execution ended with.

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

}  // namespace android::nn
