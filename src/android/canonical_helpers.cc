// Helpers of canonical drivers: sizes, fences, models as text, and what an execution ended with.

#include "nnapi_android/canonical_helpers.h"

#include <android-base/logging.h>

#include <chrono>
#include <limits>
#include <memory>
#include <optional>

#include "LegacyUtils.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"

namespace nnapi_android {

uint32_t sizeOfData(::nn::OperandType type, const std::vector<uint32_t>& dimensions) {
    CHECK(!::nn::isExtension(type)) << "only the extension knows the size of " << toString(type);
    CHECK(!sizeOverflows(type, dimensions)) << "a value of " << toString(type) << " is too large";
    return static_cast<uint32_t>(*::nn::operandSize(type, dimensions));
}

bool sizeOverflows(::nn::OperandType type, const std::vector<uint32_t>& dimensions) {
    const std::optional<uint64_t> size = ::nn::operandSize(type, dimensions);
    return !size || *size > std::numeric_limits<uint32_t>::max();
}

::nn::SyncFence::FenceState waitForFence(int fd, int milliseconds) {
    ::nn::UniqueFd copy = ::nn::duplicate(fd);
    if (!copy.ok()) return ::nn::SyncFence::FenceState::UNKNOWN;
    const auto timeout = milliseconds < 0
                                 ? ::nn::OptionalDuration()
                                 : ::nn::OptionalDuration(std::chrono::milliseconds(milliseconds));
    return ::nn::SyncFence::create(std::move(copy)).syncWait(timeout);
}

}  // namespace nnapi_android

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
