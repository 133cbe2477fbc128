#include "runtime/plan/plan_execution.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "driver/threads/run_together.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "runtime/plan/control_flow.h"
#include "runtime/plan/failed_devices.h"
#include "runtime/plan/plain_request.h"
#include "runtime/plan/step_request.h"

namespace nn::runtime {
namespace {

using Argument = Request::Argument;
using Kind = Value::Kind;

class Run {
   public:
    Run(const CompiledPlan& plan, const ExecutionCall& call, State& state, StepCaller& caller,
        bool isLaunch)
        : mPlan(plan),
          mCall(call),
          mRequest(call.request),
          mState(state),
          mCaller(caller),
          mMayFallBack(!isLaunch && plan.cpu.has_value()),
          mMayBeConcurrent(!isLaunch) {
        if (call.measure == MeasureTiming::YES) {
            mTiming = {Duration::zero(), Duration::zero()};
        }
    }

    ExecutionResult<Executed> all() {
        bindArguments();
        Status status = writeConstants();
        if (status.ok()) status = graph(0);
        if (status.ok()) {
            if (areOutputsKnown()) mShapes.clear();
            return Executed{std::move(mShapes), mTiming};
        }
        const bool hasShapes = errorStatus(status) == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
        return {std::move(status), hasShapes ? std::move(mShapes) : std::vector<OutputShape>()};
    }

   private:
    Value& valueAt(size_t graph, uint32_t operand) { return mState.values[graph][operand]; }

    // ---- before the first step

    void bindArguments() {
        const Model::Subgraph& main = *mPlan.main().graph;
        for (uint32_t i = 0; i < main.inputIndexes.size(); ++i) {
            const bool isOmitted = mRequest.inputs[i].lifetime == Argument::LifeTime::NO_VALUE;
            valueAt(0, main.inputIndexes[i]) = {.kind = isOmitted ? Kind::OMITTED : Kind::INPUT,
                                                .index = i};
        }
        for (uint32_t i = 0; i < main.outputIndexes.size(); ++i) {
            const uint32_t index = main.outputIndexes[i];
            const Operand& operand = main.operands[index];
            valueAt(0, index) = {.kind = Kind::OUTPUT, .index = i};
            // The known dimensions of model and request; legal requests agree with the model.
            const auto both = combineDimensions(mRequest.outputs[i].dimensions, operand.dimensions);
            mShapes.push_back({both.value_or(operand.dimensions), true});
        }
    }

    bool areOutputsKnown() const {
        const Model::Subgraph& main = *mPlan.main().graph;
        return absl::c_none_of(main.outputIndexes, [&](uint32_t index) {
            const Operand& operand = main.operands[index];
            return mPlan.sizes.canHaveDimensions(operand.type) &&
                   (operand.dimensions.empty() || absl::c_linear_search(operand.dimensions, 0u));
        });
    }

    Status writeConstants() {
        for (const GraphPlan& graph : mPlan.graphs) {
            for (const auto& [index, region] : graph.constants) {
                NNAPI_RETURN_IF_ERROR(writeConstant(graph.graph->operands[index], region));
            }
        }
        return {};
    }

    Status writeConstant(const Operand& operand, const Region& region) {
        const DataLocation& location = operand.location;
        const std::span<uint8_t> to(mState.at(region), region.size);
        if (operand.lifetime == Operand::LifeTime::CONSTANT_REFERENCE) {
            return readMemory(mPlan.model->pools[location.poolIndex], location.offset, to);
        }
        const auto* from = operand.lifetime == Operand::LifeTime::POINTER
                                   ? bytesAt(location)
                                   : mPlan.model->operandValues.data() + location.offset;
        std::memcpy(to.data(), from, to.size());
        return {};
    }

    static const uint8_t* bytesAt(const DataLocation& location) {
        return std::visit([](const void* pointer) { return static_cast<const uint8_t*>(pointer); },
                          location.pointer);
    }

    // ---- nodes

    // Executes the nodes of a graph whose inputs and outputs are bound.
    Status graph(size_t number) {
        const std::span<const Node> nodes = mPlan.graphs[number].nodes;
        for (size_t i = 0; i < nodes.size();) {
            size_t end = i + 1;
            while (mMayBeConcurrent && end < nodes.size() && nodes[end].isConcurrent) ++end;
            NNAPI_RETURN_IF_ERROR(end - i == 1
                                          ? execute(number, nodes[i])
                                          : concurrentSteps(number, nodes.subspan(i, end - i)));
            i = end;
        }
        return {};
    }

    Status execute(size_t graph, const Node& node) {
        switch (node.kind) {
            case Node::Kind::STEP:
                return step(graph, node.step);
            case Node::Kind::IF:
                return branch(graph, node);
            case Node::Kind::WHILE:
                return loop(graph, node);
        }
        return {};
    }

    // The condition and both lists of values belong to the operation's graph; inner graphs read and
    // write them in place.
    Status branch(size_t outer, const Node& node) {
        const Operation& operation = mPlan.graphs[outer].graph->operations[node.operation];
        NNAPI_ASSIGN_OR_RETURN(holds, isTrue(valueAt(outer, operation.inputs.front())));
        const size_t inner = node.graphs[holds ? 0 : 1];
        const std::span<const uint32_t> inputs = valuesOf(operation);
        for (size_t i = 0; i < inputs.size(); ++i) bindInput(inner, i, valueAt(outer, inputs[i]));
        for (size_t i = 0; i < operation.outputs.size(); ++i) {
            bindOutput(inner, i, valueAt(outer, operation.outputs[i]));
        }
        return graph(inner);
    }

    Status loop(size_t outer, const Node& node) {
        const Operation& operation = mPlan.graphs[outer].graph->operations[node.operation];
        const auto [condition, body] = node.graphs;
        std::vector<Value> carried;
        for (const uint32_t input : valuesOf(operation)) carried.push_back(valueAt(outer, input));
        const Duration most = std::min(mCall.loopTimeoutDuration.value_or(kLoopTimeoutDefault),
                                       Duration(kLoopTimeoutMaximum));
        const TimePoint start = Clock::now();
        for (size_t turn = 0;; ++turn) {
            for (size_t i = 0; i < carried.size(); ++i) bindInput(condition, i, carried[i]);
            const Value result{.kind = Kind::REGION, .region = node.loop.condition};
            bindOutput(condition, 0, result);
            NNAPI_RETURN_IF_ERROR(graph(condition));
            NNAPI_ASSIGN_OR_RETURN(goesOn, isTrue(result));
            if (!goesOn) break;
            if (Clock::now() - start > most) {
                return error(ErrorStatus::MISSED_DEADLINE_TRANSIENT)
                       << "a WHILE still goes on after " << most.count() / 1'000'000 << " ms";
            }
            for (size_t i = 0; i < carried.size(); ++i) bindInput(body, i, carried[i]);
            for (size_t i = 0; i < node.loop.values.size(); ++i) {
                carried[i] = {.kind = Kind::REGION, .region = node.loop.values[i][turn % 2]};
                bindOutput(body, i, carried[i]);
            }
            NNAPI_RETURN_IF_ERROR(graph(body));
        }
        for (size_t i = 0; i < operation.outputs.size(); ++i) {
            NNAPI_RETURN_IF_ERROR(copy(carried[i], outer, operation.outputs[i]));
        }
        return {};
    }

    void bindInput(size_t graph, size_t i, const Value& value) {
        valueAt(graph, mPlan.graphs[graph].graph->inputIndexes[i]) = value;
    }
    void bindOutput(size_t graph, size_t i, const Value& value) {
        valueAt(graph, mPlan.graphs[graph].graph->outputIndexes[i]) = value;
    }

    // ---- values that the plan itself reads and writes

    Result<bool> isTrue(const Value& value) {
        uint8_t byte = 0;
        NNAPI_RETURN_IF_ERROR(read(value, std::span(&byte, 1)));
        return byte != 0;
    }

    Status read(const Value& value, std::span<uint8_t> bytes) {
        NNAPI_RETURN_IF_ERROR(mCaller.settle());
        if (value.kind == Kind::REGION) {
            std::memcpy(bytes.data(), mState.at(value.region), bytes.size());
            return {};
        }
        const bool isInput = value.kind == Kind::INPUT;
        if (!isInput && value.kind != Kind::OUTPUT) return noAccess();
        const Argument& argument =
                isInput ? mRequest.inputs[value.index] : mRequest.outputs[value.index];
        if (argument.location.length < bytes.size()) return noAccess();
        if (argument.lifetime == Argument::LifeTime::POINTER) {
            std::memcpy(bytes.data(), bytesAt(argument.location), bytes.size());
            return {};
        }
        if (const SharedMemory* memory = memoryOf(argument)) {
            return readMemory(*memory, argument.location.offset, bytes);
        }
        return noAccess();
    }

    // Copies to a place of the same size.
    Status copy(const Value& from, size_t graph, uint32_t operand) {
        const Value& to = valueAt(graph, operand);
        std::vector<uint8_t> bytes(mPlan.sizes.bytes(mPlan.operand(graph, operand)).value_or(0));
        NNAPI_RETURN_IF_ERROR(read(from, bytes));
        if (to.kind == Kind::REGION) {
            std::memcpy(mState.at(to.region), bytes.data(), bytes.size());
            return {};
        }
        if (to.kind != Kind::OUTPUT) return noAccess();
        const Argument& argument = mRequest.outputs[to.index];
        const SharedMemory* memory = memoryOf(argument);
        if (memory == nullptr && argument.lifetime != Argument::LifeTime::POINTER) {
            return noAccess();
        }
        if (argument.location.length < bytes.size()) {
            mShapes[to.index].isSufficient = false;
            return insufficient(to.index);
        }
        if (memory != nullptr) return writeMemory(*memory, argument.location.offset, bytes);
        void* const* place = std::get_if<void*>(&argument.location.pointer);
        if (place == nullptr) return noAccess();
        std::memcpy(*place, bytes.data(), bytes.size());
        return {};
    }

    // Null if the pool is not shared memory.
    const SharedMemory* memoryOf(const Argument& argument) const {
        return argument.lifetime == Argument::LifeTime::POOL
                       ? std::get_if<SharedMemory>(&mRequest.pools[argument.location.poolIndex])
                       : nullptr;
    }

    static Status noAccess() {
        return error() << "an IF or a WHILE that is divided among devices has a value in memory of "
                          "a device, or none";
    }

    // ---- steps

    using DeviceResult = ExecutionResult<Executed>;

    // Only the first calls of the devices are concurrent. If a result requires a retry or the CPU,
    // that happens in the order of the steps.
    Status concurrentSteps(size_t graph, std::span<const Node> nodes) {
        std::vector<StepRequest> requests;
        for (const Node& node : nodes) {
            auto request = requestOf(graph, mPlan.steps[node.step]);
            if (!request.ok()) break;  // as does the step below
            requests.push_back(*std::move(request));
        }
        std::vector<std::optional<DeviceResult>> results(nodes.size());
        std::vector<driver::Task> calls;
        for (size_t i = 0; i < requests.size() && !hasDeadlinePassed(mCall.deadline); ++i) {
            calls.emplace_back([&, i] {
                const size_t index = nodes[i].step;
                results[i] = callDevice(mPlan.steps[index], index, requests[i].request());
            });
        }
        if (!calls.empty()) driver::runTogether(*mPlan.threads, calls);
        for (size_t i = 0; i < nodes.size(); ++i) {
            NNAPI_RETURN_IF_ERROR(step(graph, nodes[i].step, std::move(results[i])));
        }
        return {};
    }

    // `result`: the device's result, if it has been called already.
    Status step(size_t graph, size_t index, std::optional<DeviceResult> result = {}) {
        const Step& step = mPlan.steps[index];
        mOnCpu = nullptr;
        Status status = tryStep(graph, step, index, std::move(result));
        if (status.ok()) return status;
        std::string devices = step.device.device->getName();
        if (mOnCpu != nullptr) devices += ", " + mPlan.cpu->device->getName();
        return failureOf(devices, std::move(status));
    }

    Status tryStep(size_t graph, const Step& step, size_t index,
                   std::optional<DeviceResult> result) {
        // Repeats with more memory for values of unknown size.
        for (int tries = 0; tries < kMaxTries; ++tries) {
            if (!result && hasDeadlinePassed(mCall.deadline)) {
                return error(ErrorStatus::MISSED_DEADLINE_TRANSIENT)
                       << "the deadline passed before the step on "
                       << step.device.device->getName();
            }
            if (!result) {
                NNAPI_ASSIGN_OR_RETURN(request, requestOf(graph, step));
                result = mOnCpu == nullptr ? callDevice(step, index, request.request())
                                           : callCpu(step, request.request());
            }
            const DeviceResult executed = *std::exchange(result, std::nullopt);
            if (executed.has_value()) return keep(graph, step, *executed);
            const ExecutionError failure = executed.error();
            if (mayRepeatOnCpu(step, failure.code)) {
                NNAPI_ASSIGN_OR_RETURN(isReady, leaveDevice(step, executed.status()));
                if (isReady) continue;
            }
            if (failure.code == ErrorStatus::MISSED_DEADLINE_PERSISTENT &&
                hasDeadlinePassed(mCall.deadline)) {
                // The deadline had not passed when the execution began.
                return error(ErrorStatus::MISSED_DEADLINE_TRANSIENT) << failure.message;
            }
            if (failure.code != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) return executed.status();
            NNAPI_RETURN_IF_ERROR(makeRoom(graph, step, failure.outputShapes));
        }
        return error() << step.device.device->getName()
                       << " asks for more and more room for its results";
    }

    Result<StepRequest> requestOf(size_t graph, const Step& step) {
        StepRequest request(mPlan.sizes, mRequest, mState, step.padding);
        for (const uint32_t input : step.inputs) {
            NNAPI_RETURN_IF_ERROR(
                    request.addInput(valueAt(graph, input), mPlan.operand(graph, input)));
        }
        for (const uint32_t output : step.outputs) {
            NNAPI_RETURN_IF_ERROR(
                    request.addOutput(valueAt(graph, output), mPlan.operand(graph, output)));
        }
        return request;
    }

    DeviceResult callDevice(const Step& step, size_t index, const Request& request) {
        return driver::checkExecutionResult(mCaller.call(step, index, mCall.with(request)),
                                            {request.outputs, &step.signature}, mCall.measure,
                                            kResultNames);
    }

    DeviceResult callCpu(const Step& step, const Request& request) {
        const auto plain = PlainRequest::of(request, step.model, mPlan.sizes);
        if (!plain.ok()) return mDeviceFailure;
        auto executed = executeOn(*mOnCpu, mCall.with(plain->request()), step.signature);
        if (executed.has_value()) NNAPI_RETURN_IF_ERROR(plain->finish());
        return executed;
    }

    bool mayRepeatOnCpu(const Step& step, ErrorStatus failure) const {
        return mMayFallBack && mOnCpu == nullptr && !step.device.isCpu &&
               !isFinal(failure, mCall.deadline, step.hasLoop);
    }

    // The CPU takes over the step, if it can. An abandoned device may still write to the plan's
    // values, so they move.
    Result<bool> leaveDevice(const Step& step, Status failure) {
        mState.isSpent = true;
        if (mPlan.options.onFallback) {
            mPlan.options.onFallback(step.device.device->getName(), failure);
        }
        auto onCpu = step.onCpu->get(*mPlan.cpu->device, step.model, mPlan.options);
        if (!onCpu.has_value()) return false;
        NNAPI_RETURN_IF_ERROR(mState.move());
        mDeviceFailure = std::move(failure);
        mOnCpu = *std::move(onCpu);
        return true;
    }

    // Records the outputs of a step, and its timing.
    Status keep(size_t graph, const Step& step, const Executed& executed) {
        mTiming = sum(mTiming, executed.second);
        for (size_t i = 0; i < step.outputs.size() && !executed.first.empty(); ++i) {
            const Operand& operand = mPlan.operand(graph, step.outputs[i]);
            const Dimensions& dimensions = executed.first[i].dimensions;
            Value& value = valueAt(graph, step.outputs[i]);
            const auto bytes = mPlan.sizes.bytes(operand.type, dimensions);
            if (!bytes || *bytes > StepRequest::capacityOf(value, mRequest, mState)) {
                return error() << step.device.device->getName() << " returns dimensions for output "
                               << i << " that do not fit its place";
            }
            value.dimensions = mPlan.sizes.isUnknown(operand) ? dimensions : Dimensions();
            if (value.kind == Kind::OUTPUT) mShapes[value.index].dimensions = dimensions;
        }
        if (!executed.first.empty()) return {};
        for (const uint32_t output : step.outputs) {
            Value& value = valueAt(graph, output);
            const bool isOfRequest = value.kind == Kind::OUTPUT &&
                                     mPlan.sizes.isUnknown(mPlan.operand(graph, output));
            value.dimensions = isOfRequest ? mShapes[value.index].dimensions : Dimensions();
        }
        return {};
    }

    Status makeRoom(size_t graph, const Step& step, const std::vector<OutputShape>& shapes) {
        bool hasGrown = false;
        for (size_t i = 0; i < step.outputs.size(); ++i) {
            const Value& value = valueAt(graph, step.outputs[i]);
            if (value.kind != Kind::OUTPUT) continue;
            if (!shapes[i].dimensions.empty()) mShapes[value.index] = shapes[i];
            mShapes[value.index].isSufficient = shapes[i].isSufficient;
        }
        for (size_t i = 0; i < step.outputs.size(); ++i) {
            const Value& value = valueAt(graph, step.outputs[i]);
            if (shapes[i].isSufficient) continue;
            if (value.kind == Kind::OUTPUT) return insufficient(value.index);
            if (value.kind != Kind::DYNAMIC) continue;
            const Operand& operand = mPlan.operand(graph, step.outputs[i]);
            const uint32_t capacity = mState.dynamics[value.index].capacity;
            const uint32_t wanted =
                    mPlan.sizes.bytes(operand.type, shapes[i].dimensions).value_or(UINT32_MAX);
            // The driver does not know the size either, or is wrong.
            const uint32_t twice = capacity > UINT32_MAX / 2 ? UINT32_MAX : 2 * capacity;
            NNAPI_RETURN_IF_ERROR(mState.grow(value.index, wanted > capacity ? wanted : twice));
            hasGrown = true;
        }
        if (hasGrown) return {};
        return error() << step.device.device->getName()
                       << " returns OUTPUT_INSUFFICIENT_SIZE, but all its outputs have the size "
                          "that the model specifies";
    }

    static Status insufficient(uint32_t output) {
        return error(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE)
               << "outputs[" << output << "] has not enough room for the result";
    }

    static constexpr int kMaxTries = 64;

    const CompiledPlan& mPlan;
    const ExecutionCall& mCall;
    const Request& mRequest;
    State& mState;
    StepCaller& mCaller;
    bool mMayFallBack;
    bool mMayBeConcurrent;
    SharedPreparedModel mOnCpu{};  // instead of the device of the current step
    Status mDeviceFailure{};       // why
    Timing mTiming{};
    std::vector<OutputShape> mShapes{};
};

}  // namespace

ExecutionResult<Executed> DirectCaller::call(const Step& step, size_t, const ExecutionCall& call) {
    return executeOn(*step.prepared, call, step.signature);
}

namespace {

ExecutionResult<Executed> runAll(const CompiledPlan& plan, const ExecutionCall& call, State& state,
                                 StepCaller& caller, bool isLaunch = false) {
    auto executed = Run(plan, call, state, caller, isLaunch).all();
    if (!executed.has_value()) state.isSpent = true;
    return executed;
}

}  // namespace

ExecutionResult<Executed> run(const CompiledPlan& plan, const ExecutionCall& call, State& state,
                              StepCaller& caller) {
    if (plan.allowsAliasing) return runAll(plan, call, state, caller);
    const Overlap overlap = overlapOf(call.request, state.files);
    if (overlap.isInBuffer && plan.hasEarlyOutputs) {
        return error() << "a buffer of a device is an output and another argument, which only an "
                          "execution of one step can have";
    }
    if (!overlap.isThere && !(overlap.isUnknown && plan.hasEarlyOutputs)) {
        return runAll(plan, call, state, caller);
    }
    NNAPI_ASSIGN_OR_RETURN(staged, StagedOutputs::of(call.request, state.stage));
    auto executed = runAll(plan, call.with(staged.request()), state, caller);
    if (executed.has_value()) {
        NNAPI_RETURN_IF_ERROR(staged.finish(*plan.model, plan.sizes, executed->first));
    }
    return executed;
}

ExecutionResult<Executed> launch(const CompiledPlan& plan, const ExecutionCall& call, State& state,
                                 StepCaller& caller) {
    return runAll(plan, call, state, caller, /*isLaunch=*/true);
}

}  // namespace nn::runtime
