// Arguments of an execution, as received by a server.
#pragma once

#include "nnapi/driver/interfaces.h"
#include "service/wire.h"

namespace nn::service {

struct ExecutionRequest {
    Request request{};
    MeasureTiming measure{};
    OptionalTimePoint deadline{};
    OptionalDuration loopTimeout{};
    std::vector<TokenValuePair> hints{};
    std::vector<ExtensionNameAndPrefix> prefixes{};
    // What tokens of the request name: nobody else gets the tokens meanwhile.
    std::vector<SharedBuffer> named{};

    // By a prepared model or a burst.
    template <class Executor>
    ExecutionResult<Executed> executeBy(const Executor& executor) const {
        return executor.execute(request, measure, deadline, loopTimeout, hints, prefixes);
    }
    template <class Executor>
    GeneralResult<SharedExecution> executionOf(const Executor& executor) const {
        return executor.createReusableExecution(request, measure, loopTimeout, hints, prefixes);
    }
};

// Without the pools of the request, which are found by others.
inline ExecutionRequest readExecutionRequest(rpc::Execute::Reader from) {
    return {.request = {.inputs = argumentsOf(from.getRequest().getInputs()),
                        .outputs = argumentsOf(from.getRequest().getOutputs()),
                        .pools = {}},
            .measure = static_cast<MeasureTiming>(from.getMeasure()),
            .deadline = deadlineOf(from.getDeadline()),
            .loopTimeout = durationOf(from.getLoopTimeout()),
            .hints = hintsOf(from.getHints()),
            .prefixes = prefixesOf(from.getPrefixes()),
            .named = {}};
}

}  // namespace nn::service
