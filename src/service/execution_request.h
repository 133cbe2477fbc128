// Arguments of an execution, as received by a server.
#pragma once

#include "driver/memory/execution_call.h"
#include "service/wire.h"

namespace nn::service {

struct ExecutionRequest {
    driver::OwnedCall call{};
    // The buffers that tokens of the request name. No other object gets the tokens meanwhile.
    std::vector<SharedBuffer> named{};
};

// The request without its pools, which the caller adds.
inline Request readRequest(rpc::Execute::Reader from) {
    return {.inputs = argumentsOf(from.getRequest().getInputs()),
            .outputs = argumentsOf(from.getRequest().getOutputs()),
            .pools = {}};
}

// All but the request.
inline driver::OwnedCall readCall(rpc::Execute::Reader from) {
    driver::OwnedCall call;
    call.config = {.measureTiming = static_cast<MeasureTiming>(from.getMeasure()),
                   .loopTimeoutDuration = durationOf(from.getLoopTimeout()),
                   .executionHints = hintsOf(from.getHints()),
                   .extensionNameToPrefix = prefixesOf(from.getPrefixes())};
    call.deadline = deadlineOf(from.getDeadline());
    return call;
}

}  // namespace nn::service
