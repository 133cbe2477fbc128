#include "runtime/plan/plain_request.h"

#include <absl/algorithm/container.h>

#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "runtime/plan/exception_guard.h"

namespace nn::runtime {

bool hasBuffers(const Request& request) {
    return absl::c_any_of(request.pools, [](const Request::MemoryPool& pool) {
        return !std::holds_alternative<SharedMemory>(pool);
    });
}

Result<PlainRequest> PlainRequest::of(const Request& request, const Model& model,
                                      const Sizes& sizes) {
    PlainRequest plain;
    plain.mRequest = request;
    if (!hasBuffers(request)) return plain;
    const Model::Subgraph& main = model.main;
    if (request.inputs.size() != main.inputIndexes.size() ||
        request.outputs.size() != main.outputIndexes.size()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "the request has other arguments than the model");
    }
    for (size_t i = 0; i < request.inputs.size(); ++i) {
        NNAPI_RETURN_IF_ERROR(plain.replace(plain.mRequest.inputs[i],
                                            main.operands[main.inputIndexes[i]], sizes, false));
    }
    for (size_t i = 0; i < request.outputs.size(); ++i) {
        NNAPI_RETURN_IF_ERROR(plain.replace(plain.mRequest.outputs[i],
                                            main.operands[main.outputIndexes[i]], sizes, true));
    }
    // No argument refers to the buffers now; their entries stay so that the other pools keep their
    // indexes.
    NNAPI_ASSIGN_OR_RETURN(nothing, createSharedMemory(1));
    for (Request::MemoryPool& pool : plain.mRequest.pools) {
        if (!std::holds_alternative<SharedMemory>(pool)) pool = nothing;
    }
    return plain;
}

Status PlainRequest::replace(Request::Argument& argument, const Operand& operand,
                             const Sizes& sizes, bool isOutput) {
    if (argument.lifetime != Request::Argument::LifeTime::POOL ||
        argument.location.poolIndex >= mRequest.pools.size()) {
        return {};
    }
    const Request::MemoryPool& pool = mRequest.pools[argument.location.poolIndex];
    if (std::holds_alternative<SharedMemory>(pool)) return {};
    const auto* buffer = std::get_if<SharedBuffer>(&pool);
    if (buffer == nullptr || *buffer == nullptr) {
        return error() << "the memory with token "
                       << static_cast<uint32_t>(std::get<MemoryDomainToken>(pool))
                       << " belongs to a device, and there is no buffer to copy it by";
    }
    const auto dimensions = combineDimensions(argument.dimensions, operand.dimensions);
    const auto bytes = dimensions ? sizes.bytes(operand.type, *dimensions) : std::nullopt;
    if (!bytes || *bytes == 0) {
        return error() << "a buffer of a device cannot be copied: its size is not known";
    }
    NNAPI_ASSIGN_OR_RETURN(memory, createSharedMemory(*bytes));
    const SharedBuffer shared = *buffer;
    if (isOutput) {
        mOutputs.emplace_back(shared, memory);
    } else {
        const auto copied =
                guardExceptions<GeneralResult<void>>([&] { return shared->copyTo(memory); });
        if (!copied.has_value()) return copied.status();
    }
    argument.location.poolIndex = static_cast<uint32_t>(mRequest.pools.size());
    argument.location.length = *bytes;
    mRequest.pools.emplace_back(std::move(memory));
    return {};
}

Status PlainRequest::finish() const {
    for (const auto& [buffer, memory] : mOutputs) {
        const auto copied = guardExceptions<GeneralResult<void>>(
                [&, &to = buffer, &from = memory] { return to->copyFrom(from, {}); });
        if (!copied.has_value()) return copied.status();
    }
    return {};
}

}  // namespace nn::runtime
