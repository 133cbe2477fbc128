// The arguments of one execution: borrowed from a caller, or owned by objects that execute later.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn::driver {

// Borrowed for the duration of the call.
struct ExecutionCall {
    const Request& request;
    MeasureTiming measure = MeasureTiming::NO;
    OptionalTimePoint deadline{};
    OptionalDuration loopTimeoutDuration{};
    const std::vector<TokenValuePair>& hints;
    const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix;

    // Without request and deadline.
    ExecutionConfig config() const {
        return {measure, loopTimeoutDuration, hints, extensionNameToPrefix};
    }
    // The same for another request.
    ExecutionCall with(const Request& other) const {
        return {other, measure, deadline, loopTimeoutDuration, hints, extensionNameToPrefix};
    }
    // The same with another deadline.
    ExecutionCall until(const OptionalTimePoint& other) const {
        return {request, measure, other, loopTimeoutDuration, hints, extensionNameToPrefix};
    }

    // Executes on a prepared model or a burst.
    template <class Executing>
    ExecutionResult<Executed> on(const Executing& executing) const {
        return executing.execute(request, measure, deadline, loopTimeoutDuration, hints,
                                 extensionNameToPrefix);
    }
    // Launches on a prepared model.
    template <class Launching>
    GeneralResult<ExecutedFenced> fencedOn(
            const Launching& launching, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const {
        return launching.executeFenced(request, waitFor, measure, deadline, loopTimeoutDuration,
                                       timeoutDurationAfterFence, hints, extensionNameToPrefix);
    }
    // Makes a reusable execution of a prepared model or a burst, which has its own deadlines.
    template <class Making>
    GeneralResult<SharedExecution> reusableOn(const Making& making) const {
        return making.createReusableExecution(request, measure, loopTimeoutDuration, hints,
                                              extensionNameToPrefix);
    }
};

// An ExecutionCall with its own objects: copies, or objects read from a peer.
struct OwnedCall {
    std::shared_ptr<const Request> request{};
    ExecutionConfig config{};
    OptionalTimePoint deadline{};

    OwnedCall() = default;
    explicit OwnedCall(const ExecutionCall& call) : OwnedCall(call, call.request) {}
    // The same for another request.
    OwnedCall(const ExecutionCall& call, Request other)
        : request(std::make_shared<const Request>(std::move(other))),
          config(call.config()),
          deadline(call.deadline) {}

    // Lent for as long as this lives.
    ExecutionCall lent() const { return lent(deadline); }
    ExecutionCall lent(const OptionalTimePoint& until) const {
        return {*request,
                config.measureTiming,
                until,
                config.loopTimeoutDuration,
                config.executionHints,
                config.extensionNameToPrefix};
    }

    template <class Executing>
    ExecutionResult<Executed> on(const Executing& executing) const {
        return lent().on(executing);
    }
};

}  // namespace nn::driver
