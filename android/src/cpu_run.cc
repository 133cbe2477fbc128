#include "nnapi_android/cpu_run.h"

#include <android-base/logging.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "driver/support_library/result_codes.h"
#include "nnapi/convert.h"

namespace nnapi_android {
namespace {

using ::nn::DataLocation;
using ::nn::ErrorStatus;

// The bytes of a location; null where the pools do not have them.
uint8_t* bytesOf(const DataLocation& location, const Pools& pools) {
    if (location.poolIndex >= pools.size()) return nullptr;
    const auto& pool = pools[location.poolIndex];
    const uint32_t size = pool.getSize();
    const uint64_t end = uint64_t{location.offset} + location.length;
    if (pool.getBuffer() == nullptr || (size != 0 && end > size)) return nullptr;
    return pool.getBuffer() + location.offset;
}

// Makes constants of the pools those of the memory that the pools were mapped to.
bool pointToPools(::nn::Model::Subgraph& graph, const Pools& pools) {
    for (::nn::Operand& operand : graph.operands) {
        if (operand.lifetime != ::nn::Operand::LifeTime::CONSTANT_REFERENCE) continue;
        const void* bytes = bytesOf(operand.location, pools);
        if (bytes == nullptr) return false;
        operand.lifetime = ::nn::Operand::LifeTime::POINTER;
        operand.location = {.pointer = bytes, .length = operand.location.length};
    }
    return true;
}

bool pointToPools(::nn::Model& model, const Pools& pools) {
    if (!pointToPools(model.main, pools)) return false;
    for (::nn::Model::Subgraph& graph : model.referenced) {
        if (!pointToPools(graph, pools)) return false;
    }
    model.pools.clear();
    return true;
}

// A device memory has no location in it: its argument is all of its bytes.
bool pointToPool(::nn::Request::Argument& argument, const Pools& pools, bool isOutput) {
    using LifeTime = ::nn::Request::Argument::LifeTime;
    if (argument.lifetime != LifeTime::POOL) return true;
    DataLocation& location = argument.location;
    if (location.length == 0 && location.poolIndex < pools.size()) {
        location.length = pools[location.poolIndex].getSize();
    }
    uint8_t* bytes = bytesOf(location, pools);
    if (bytes == nullptr) return false;
    const uint32_t length = location.length;
    location = {.length = length};
    if (isOutput) {
        location.pointer = static_cast<void*>(bytes);
    } else {
        location.pointer = static_cast<const void*>(bytes);
    }
    argument.lifetime = LifeTime::POINTER;
    return true;
}

bool pointToPools(::nn::Request& request, const Pools& pools) {
    const auto point = [&](bool isOutput) {
        return [&pools, isOutput](::nn::Request::Argument& argument) {
            return pointToPool(argument, pools, isOutput);
        };
    };
    const bool all = std::all_of(request.inputs.begin(), request.inputs.end(), point(false)) &&
                     std::all_of(request.outputs.begin(), request.outputs.end(), point(true));
    request.pools.clear();
    return all;
}

CpuRun refused(const char* what) {
    LOG(ERROR) << "CpuExecutor: " << what;
    return {ErrorStatus::INVALID_ARGUMENT, {}};
}

CpuRun failed(const ::nn::Status& status) {
    LOG(ERROR) << "CpuExecutor: " << std::string(status.message());
    return {::nn::errorStatus(status), {}};
}

// Takes its own copies.
CpuRun run(::nn::Model model, ::nn::Request request, const Pools& modelPools,
           const Pools& requestPools, const ::nn::ExecuteOptions& options) {
    if (!pointToPools(model, modelPools)) return refused("a constant is not in the model's pools");
    if (!pointToPools(request, requestPools)) {
        return refused("an argument is not in the request's pools");
    }
    const auto prepared =
            ::nn::prepare(std::move(model), {.until = {.deadline = options.deadline}});
    if (!prepared.ok()) return failed(prepared.status());
    ::nn::ExecutionOutcome outcome = prepared->execute(request, options);
    if (!outcome.status.ok() &&
        ::nn::errorStatus(outcome.status) != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
        return failed(outcome.status);
    }
    return {::nn::errorStatus(outcome.status), std::move(outcome.outputShapes)};
}

}  // namespace

CpuRun runOnCpu(const ::nn::V1_3::Model& model, const ::nn::V1_3::Request& request,
                const Pools& modelPools, const Pools& requestPools,
                const ::nn::ExecuteOptions& options) {
    auto canonicalModel = ::nn::unvalidatedConvert(model);
    if (!canonicalModel.ok()) return failed(canonicalModel.status());
    auto canonicalRequest = ::nn::unvalidatedConvert(request);
    if (!canonicalRequest.ok()) return failed(canonicalRequest.status());
    return run(*std::move(canonicalModel), *std::move(canonicalRequest), modelPools, requestPools,
               options);
}

CpuRun runOnCpu(const ::nn::Model& model, const ::nn::Request& request, const Pools& modelPools,
                const Pools& requestPools, const ::nn::ExecuteOptions& options) {
    return run(model, request, modelPools, requestPools, options);
}

int resultCodeOf(ErrorStatus status) { return ::nn::driver::resultCodeOf(status); }

ErrorStatus errorStatusOf(int resultCode) {
    if (resultCode == ANEURALNETWORKS_UNEXPECTED_NULL) return ErrorStatus::INVALID_ARGUMENT;
    for (int32_t code = 0; code <= static_cast<int32_t>(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
         ++code) {
        const auto status = static_cast<ErrorStatus>(code);
        if (resultCodeOf(status) == resultCode) return status;
    }
    return resultCode == ANEURALNETWORKS_DEAD_OBJECT ? ErrorStatus::DEAD_OBJECT
                                                     : ErrorStatus::GENERAL_FAILURE;
}

::nn::TimePoint canonicalDeadline(std::chrono::steady_clock::time_point deadline) {
    const auto now = std::chrono::steady_clock::now();
    if (deadline <= now) return ::nn::TimePoint{};
    return ::nn::makeDeadline(deadline - now);
}

}  // namespace nnapi_android
