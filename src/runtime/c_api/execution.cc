// The C API: executions and events.
#include <utility>

#include "nnapi/checked_math.h"
#include "runtime/c_api/handles.h"

using namespace nn::runtime;

namespace {

ApiStatus setPointer(ANeuralNetworksExecution* execution, bool isInput, int32_t index,
                     const ANeuralNetworksOperandType* type, const void* buffer, size_t length) {
    NNAPI_API_RETURN_IF_ERROR(checkPointers(execution));
    NNAPI_API_RETURN_IF_ERROR(checkData(buffer, length));
    return hold(execution->execution)
            ->setArgument(isInput, index, type, {.data = buffer, .length = length});
}

ApiStatus setMemory(ANeuralNetworksExecution* execution, bool isInput, int32_t index,
                    const ANeuralNetworksOperandType* type, const ANeuralNetworksMemory* memory,
                    size_t offset, size_t length) {
    NNAPI_API_RETURN_IF_ERROR(checkPointers(execution, memory));
    return hold(execution->execution)
            ->setArgument(isInput, index, type,
                          {.memory = memory->memory, .offset = offset, .length = length});
}

ApiStatus give(std::shared_ptr<ApiEvent> made, ANeuralNetworksEvent** event) {
    *event = new ANeuralNetworksEvent{std::move(made)};
    return {};
}

}  // namespace

extern "C" {

void ANeuralNetworksExecution_free(ANeuralNetworksExecution* execution) { delete execution; }

// Checks of setInput, setOutput and FromMemory: started: BAD_STATE; index; the type; dimensions
// that contradict the model's; unknown dimensions of an input; more than 2^32 - 1 bytes; the
// memory, its roles, bytes beyond it; already set: BAD_STATE; the length.
int ANeuralNetworksExecution_setInput(ANeuralNetworksExecution* execution, int32_t index,
                                      const ANeuralNetworksOperandType* type, const void* buffer,
                                      size_t length) {
    NNAPI_API_CALL({ return setPointer(execution, true, index, type, buffer, length); });
}

int ANeuralNetworksExecution_setInputFromMemory(ANeuralNetworksExecution* execution, int32_t index,
                                                const ANeuralNetworksOperandType* type,
                                                const ANeuralNetworksMemory* memory, size_t offset,
                                                size_t length) {
    NNAPI_API_CALL({ return setMemory(execution, true, index, type, memory, offset, length); });
}

int ANeuralNetworksExecution_setOutput(ANeuralNetworksExecution* execution, int32_t index,
                                       const ANeuralNetworksOperandType* type, void* buffer,
                                       size_t length) {
    NNAPI_API_CALL({ return setPointer(execution, false, index, type, buffer, length); });
}

int ANeuralNetworksExecution_setOutputFromMemory(ANeuralNetworksExecution* execution, int32_t index,
                                                 const ANeuralNetworksOperandType* type,
                                                 const ANeuralNetworksMemory* memory, size_t offset,
                                                 size_t length) {
    NNAPI_API_CALL({ return setMemory(execution, false, index, type, memory, offset, length); });
}

// Checks of setMeasureTiming, setTimeout: not created for one device; started: BAD_STATE.
int ANeuralNetworksExecution_setMeasureTiming(ANeuralNetworksExecution* execution, bool measure) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(execution));
        return hold(execution->execution)->setMeasureTiming(measure);
    });
}

int ANeuralNetworksExecution_setTimeout(ANeuralNetworksExecution* execution, uint64_t duration) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(execution));
        return hold(execution->execution)->setTimeout(duration);
    });
}

// Checks of setLoopTimeout, setReusable: started: BAD_STATE.
int ANeuralNetworksExecution_setLoopTimeout(ANeuralNetworksExecution* execution,
                                            uint64_t duration) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(execution));
        return hold(execution->execution)->setLoopTimeout(duration);
    });
}

// Checks of enableInputAndOutputPadding: started, or an argument is set: BAD_STATE.
int ANeuralNetworksExecution_enableInputAndOutputPadding(ANeuralNetworksExecution* execution,
                                                         bool enable) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(execution));
        return hold(execution->execution)->enablePadding(enable);
    });
}

int ANeuralNetworksExecution_setReusable(ANeuralNetworksExecution* execution, bool reusable) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(execution));
        return hold(execution->execution)->setReusable(reusable);
    });
}

// Checks of addExtensionAttribute: not created for one device; started: BAD_STATE; the extension; a
// duplicate attribute.
int ANeuralNetworksExecution_addExtensionAttribute(ANeuralNetworksExecution* execution,
                                                   const char* extensionName,
                                                   uint16_t attributeCodeWithinExtension,
                                                   const void* data, size_t length) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(execution, extensionName));
        NNAPI_API_RETURN_IF_ERROR(checkData(data, length));
        return hold(execution->execution)
                ->addExtensionAttribute(extensionName, attributeCodeWithinExtension, data, length);
    });
}

// Checks of compute, startCompute: running, or computed and not reusable: BAD_STATE; a missing
// argument, which completes the execution with an error; a described memory without a value:
// OP_FAILED, unless startComputeWithDependencies depends on the event of the execution that writes
// it.
int ANeuralNetworksExecution_compute(ANeuralNetworksExecution* execution) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(execution));
        return hold(execution->execution)->compute();
    });
}

// Checks of burstCompute: a burst of another compilation; a busy burst: BAD_STATE; then as compute.
int ANeuralNetworksExecution_burstCompute(ANeuralNetworksExecution* execution,
                                          ANeuralNetworksBurst* burst) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(execution, burst));
        const auto kept = hold(execution->execution);
        const auto taken = hold(burst->burst);
        if (kept->compiled() != taken->compiled()) {
            return badData("the burst and the execution are of different compilations");
        }
        const auto turn = taken->tryTake();
        if (!turn.isTaken()) return badState("the burst has another execution");
        return kept->burstCompute(*taken);
    });
}

int ANeuralNetworksExecution_startCompute(ANeuralNetworksExecution* execution,
                                          ANeuralNetworksEvent** event) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(event));
        *event = nullptr;
        NNAPI_API_RETURN_IF_ERROR(checkPointers(execution));
        std::shared_ptr<ApiEvent> made;
        NNAPI_API_RETURN_IF_ERROR(hold(execution->execution)->startCompute(made));
        return give(std::move(made), event);
    });
}

// Checks of startComputeWithDependencies: a null event: UNEXPECTED_NULL; as compute; a duration, if
// not created for one device; an output of unknown size.
int ANeuralNetworksExecution_startComputeWithDependencies(
        ANeuralNetworksExecution* execution, const ANeuralNetworksEvent* const* dependencies,
        uint32_t num_dependencies, uint64_t duration, ANeuralNetworksEvent** event) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(event));
        *event = nullptr;
        NNAPI_API_RETURN_IF_ERROR(checkPointers(execution));
        NNAPI_API_RETURN_IF_ERROR(checkData(dependencies, num_dependencies));
        std::vector<std::shared_ptr<ApiEvent>> events;
        for (uint32_t i = 0; i < num_dependencies; ++i) {
            NNAPI_API_RETURN_IF_ERROR(checkPointers(dependencies[i]));
            events.push_back(dependencies[i]->event);
        }
        std::shared_ptr<ApiEvent> made;
        NNAPI_API_RETURN_IF_ERROR(
                hold(execution->execution)->startComputeAfter(events, duration, made));
        return give(std::move(made), event);
    });
}

// Checks of getOutputOperandRank, Dimensions: not computed, or failed: BAD_STATE; index; dimensions
// of a scalar; OUTPUT_INSUFFICIENT_SIZE, together with the result.
int ANeuralNetworksExecution_getOutputOperandRank(ANeuralNetworksExecution* execution,
                                                  int32_t index, uint32_t* rank) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(execution, rank));
        return hold(execution->execution)->outputRank(index, rank);
    });
}

int ANeuralNetworksExecution_getOutputOperandDimensions(ANeuralNetworksExecution* execution,
                                                        int32_t index, uint32_t* dimensions) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(execution, dimensions));
        return hold(execution->execution)->outputDimensions(index, dimensions);
    });
}

// Checks of getDuration: the duration code; not computed, failed, or not measured: BAD_STATE.
int ANeuralNetworksExecution_getDuration(const ANeuralNetworksExecution* execution,
                                         int32_t durationCode, uint64_t* duration) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(execution, duration));
        return hold(execution->execution)->duration(durationCode, duration);
    });
}

// ---- events

int ANeuralNetworksEvent_wait(ANeuralNetworksEvent* event) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(event));
        return {hold(event->event)->wait(), "the execution has failed"};
    });
}

void ANeuralNetworksEvent_free(ANeuralNetworksEvent* event) {
    if (event == nullptr) return;
    (void)ANeuralNetworksEvent_wait(event);
    delete event;
}

// Checks of Event_createFromSyncFenceFd: 0, or a descriptor that is not open.
int ANeuralNetworksEvent_createFromSyncFenceFd(int sync_fence_fd, ANeuralNetworksEvent** event) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(event));
        *event = nullptr;
        if (sync_fence_fd <= 0) return badData("it is no descriptor of a fence");
        nn::UniqueFd own = nn::duplicate(sync_fence_fd);
        if (!own.ok()) return badData("the descriptor is not open");
        return give(std::make_shared<ApiEvent>(nn::SyncFence::create(std::move(own))), event);
    });
}

// Checks of Event_getSyncFenceFd: an event without a descriptor.
int ANeuralNetworksEvent_getSyncFenceFd(const ANeuralNetworksEvent* event, int* sync_fence_fd) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(sync_fence_fd));
        *sync_fence_fd = -1;
        NNAPI_API_RETURN_IF_ERROR(checkPointers(event));
        const auto kept = hold(event->event);
        const nn::SyncFence& fence = kept->fence();
        if (!fence.hasFd()) return badData("the event has no descriptor");
        nn::UniqueFd own = nn::duplicate(fence.getFd());
        if (!own.ok()) {
            return {ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT, "there are no more descriptors"};
        }
        *sync_fence_fd = own.release();
        return {};
    });
}

}  // extern "C"
